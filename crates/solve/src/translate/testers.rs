//! Which disjunctive components need a second-level check, and the rules that each of their testers covers.
//!
//! Invariant: a component has a tester if and only if it contains two heads of one disjunction; in the others shifting
//! is exact.

use crate::propagator::disjunctive::{TestRule, Tester};
use crate::translate::body_table::Node;
use crate::translate::completion::Variables;
use crate::translate::dependency::Components;
use crate::translate::prepared::Prepared;
use asp_base::map::Map;
use asp_engine::parameters::SolverParameters;
use asp_program::Literal;

/// For each disjunction with two heads in a component: head, its shifted body, the unshifted body. Sorted.
pub(crate) fn weak_supports(p: &Prepared, components: &Components) -> Vec<(u32, Node, Node)> {
    let mut weak = Vec::new();
    for (i, row) in p.disjunctions.iter().enumerate() {
        for (at, component) in cyclic_heads(p, components, i) {
            debug_assert!(component != 0);
            weak.push((p.disjunction_heads[at].0, p.shifted[at], row.body));
        }
    }
    weak.sort_unstable();
    weak.dedup_by_key(|w| (w.0, w.1));
    weak
}

/// Positions of those heads of a disjunction that share a component with another head, and the component.
fn cyclic_heads(p: &Prepared, components: &Components, disjunction: usize) -> Vec<(usize, u32)> {
    let range = p.head_range(disjunction);
    let of = |at: usize| components.of(p.disjunction_heads[at].0 as usize);
    range
        .clone()
        .filter(|&at| of(at) != 0 && p.shifted[at] != Node::FALSE)
        .filter(|&at| range.clone().any(|other| other != at && of(other) == of(at)))
        .map(|at| (at, of(at)))
        .collect()
}

/// One tester for each component that needs one.
pub(crate) fn testers(
    p: &Prepared,
    vars: &Variables,
    components: &Components,
    parameters: &SolverParameters,
) -> Vec<Tester> {
    let mut rows_of: Map<u32, Vec<usize>> = Map::default();
    for i in 0..p.disjunctions.len() {
        for (_, component) in cyclic_heads(p, components, i) {
            let rows = rows_of.entry(component).or_default();
            if rows.last() != Some(&i) {
                rows.push(i);
            }
        }
    }
    let mut wanted: Vec<(u32, Vec<usize>)> = rows_of.into_iter().collect();
    wanted.sort_unstable();
    let mut atoms_of: Map<u32, Vec<u32>> = Map::default();
    for a in 0..p.atoms as u32 {
        let component = components.of(a as usize);
        if component != 0 {
            atoms_of.entry(component).or_default().push(a);
        }
    }
    let build = |(component, rows): (u32, Vec<usize>)| {
        let atoms = atoms_of.remove(&component).unwrap_or_default();
        Builder::new(p, vars, components, component, atoms).build(&rows, parameters)
    };
    wanted.into_iter().map(build).collect()
}

struct Builder<'a> {
    p: &'a Prepared,
    vars: &'a Variables,
    components: &'a Components,
    component: u32,
    atoms: Vec<u32>,
    local: Map<u32, u32>,
}

impl<'a> Builder<'a> {
    fn new(
        p: &'a Prepared,
        vars: &'a Variables,
        components: &'a Components,
        component: u32,
        atoms: Vec<u32>,
    ) -> Self {
        let local = atoms.iter().enumerate().map(|(i, &a)| (a, i as u32)).collect();
        Self { p, vars, components, component, atoms, local }
    }

    fn inner(&self, literal: Literal) -> Option<u32> {
        if literal.is_neg() { None } else { self.local.get(&literal.atom().0).copied() }
    }

    /// Fills in the body of a rule.
    fn rule(&self, node: Node) -> TestRule {
        let p = self.p;
        let mut rule = TestRule { body: Some(self.vars.get(p, node)), ..TestRule::default() };
        if node.is_constant() || node.is_neg() || self.components.of(node.index()) != self.component {
            return rule;
        }
        if node.index() < p.atoms {
            rule.inner.extend(self.local.get(&(node.index() as u32)));
            return rule;
        }
        let body = p.bodies.body_of(node);
        let literals = p.bodies.literals(body);
        match p.bodies.weights(body) {
            None => rule.inner.extend(literals.iter().filter_map(|&l| self.inner(l))),
            Some((bound, weights)) => {
                let summand = |(&l, &w): (&Literal, &i64)| (self.vars.of(p, l), w, self.inner(l));
                rule.weights = Some((literals.iter().zip(weights).map(summand).collect(), bound));
            }
        }
        rule
    }

    fn build(self, rows: &[usize], parameters: &SolverParameters) -> Tester {
        let p = self.p;
        let mut rules = Vec::new();
        let mut shifted: Vec<(u32, Node)> = Vec::new();
        for &row in rows {
            let mut rule = self.rule(p.disjunctions[row].body);
            for at in p.head_range(row) {
                let head = p.disjunction_heads[at];
                match self.local.get(&head.0) {
                    Some(&h) => {
                        rule.heads.push(h);
                        shifted.push((head.0, p.shifted[at]));
                    }
                    None => rule.outer_heads.push(self.vars.of(p, Literal::pos(head))),
                }
            }
            rules.push(rule);
        }
        shifted.sort_unstable();
        for (i, &a) in self.atoms.iter().enumerate() {
            for s in p.supports(a as usize) {
                let known = p.classes.find_const(s.node()) == Node::FALSE;
                if !known && shifted.binary_search(&(a, s.node())).is_err() {
                    let mut rule = self.rule(s.node());
                    rule.heads.push(i as u32);
                    rules.push(rule);
                }
            }
        }
        let atoms = self.atoms.iter().map(|&a| self.vars.get(p, Node::at(a as usize))).collect();
        Tester::new(atoms, self.atoms, rules, parameters)
    }
}
