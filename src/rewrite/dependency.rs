//! The dependency graph of predicates and its components, in the order in which rules are instantiated.
//!
//! Two levels: components of the graph with all edges are visited in topological order, and inside each the components
//! of the edges that are not negated, or twice, so that all that a rule reads in these ways outside its own component is
//! complete when the rule is instantiated; what it reads under `not` may be incomplete only inside the outer component.
//! Source: Kaminski and Schaub, *On the foundations of grounding in answer set programming*, TPLP 2023, for the
//! refinement.

use super::meet::all_meet;
use super::predicate::PredId;
use super::rule::{Atom, Head, HeadLiteral, Literal, Rule, Term};
use crate::base::csr::Csr;
use crate::base::scc;
use crate::syntax::ast::Sign;

/// The order of instantiation.
#[derive(Clone, Debug, Default)]
pub struct Components {
    /// Number of the component that completes each predicate.
    pub of_predicate: Vec<u32>,
    /// Rules (by number) of each component, in order of the text; the last component holds what derives nothing.
    pub rules: Vec<Vec<u32>>,
}

/// Calls `f(predicate, positive)` for each predicate that a literal reads.
pub fn reads(l: &Literal, f: &mut impl FnMut(PredId, bool)) {
    read_atoms(l, &mut |a, sign| f(a.pred, sign == Sign::None));
}

fn read_atoms<'r>(l: &'r Literal, f: &mut impl FnMut(&'r Atom, Sign)) {
    match l {
        Literal::Atom(sign, a) => f(a, *sign),
        Literal::Aggregate(a) => {
            a.elements.iter().flat_map(|e| &e.condition).for_each(|l| read_atoms(l, f));
        }
        Literal::Conditional(c) => {
            c.condition.iter().chain(c.heads.iter().flatten()).for_each(|l| read_atoms(l, f));
        }
        Literal::Theory(_, a) => a.elements.iter().flat_map(|e| &e.condition).for_each(|l| read_atoms(l, f)),
        Literal::Compare(..) | Literal::Range(..) | Literal::False(_) => {}
    }
}

/// Calls `f(predicate, positive)` for each predicate that a rule reads, in its body and in its head's conditions.
pub fn rule_reads(rule: &Rule, f: &mut impl FnMut(PredId, bool)) {
    atoms_read(rule, &mut |a, sign| f(a.pred, sign == Sign::None));
}

fn atoms_read<'r>(rule: &'r Rule, f: &mut impl FnMut(&'r Atom, Sign)) {
    rule.body.iter().for_each(|l| read_atoms(l, f));
    match &rule.head {
        Head::Disjunction(elements) | Head::Aggregate { elements, .. } => {
            for e in elements {
                e.condition.iter().for_each(|l| read_atoms(l, f));
                if let HeadLiteral::Other(any) = &e.literal {
                    any.iter().flatten().for_each(|l| read_atoms(l, f));
                }
            }
        }
        Head::Theory(a) => a.elements.iter().flat_map(|e| &e.condition).for_each(|l| read_atoms(l, f)),
        _ => {}
    }
}

/// Orders rules over `predicates` predicates.
pub fn order(rules: &[Rule], predicates: usize) -> Components {
    let mut edges: Vec<(u32, u32, bool)> = Vec::new();
    let mut heads: Vec<Vec<u32>> = Vec::with_capacity(rules.len());
    for rule in rules {
        let mut head = Vec::new();
        rule.head.for_each_atom(&mut |a| head.push(a.pred.0));
        head.sort_unstable();
        head.dedup();
        for &h in &head {
            atoms_read(rule, &mut |a, sign| edges.push((h, a.pred.0, sign != Sign::Not)));
        }
        heads.push(head);
    }
    edges.sort_unstable();
    edges.dedup();
    let outer = components(predicates, edges.iter().map(|&(h, p, _)| (h, p)));
    let inside = |e: &&(u32, u32, bool)| e.2 && outer[e.0 as usize] == outer[e.1 as usize];
    let inner = components(predicates, edges.iter().filter(inside).map(|&(h, p, _)| (h, p)));
    // Inner components, sorted by outer and then inner number: both are topological.
    let mut pairs: Vec<(u32, u32)> = (0..predicates).map(|p| (outer[p], inner[p])).collect();
    let of_pair = pairs.clone();
    pairs.sort_unstable();
    pairs.dedup();
    let of_predicate: Vec<u32> =
        of_pair.iter().map(|pair| pairs.binary_search(pair).unwrap_or(0) as u32).collect();
    let mut by_component = vec![Vec::new(); pairs.len() + 1];
    for (i, head) in heads.iter().enumerate() {
        let component = head.iter().map(|&h| of_predicate[h as usize] as usize).min().unwrap_or(pairs.len());
        by_component[component].push(i as u32);
    }
    order_externals(rules, predicates, &mut by_component);
    Components { of_predicate, rules: by_component }
}

/// Puts the `#external` statements of each component, whose places stay theirs, into the order in which the reference
/// system comes to them: the last value of an atom counts. It goes from the last statement to the first, and before each
/// to those that derive what it reads.
fn order_externals(rules: &[Rule], predicates: usize, components: &mut [Vec<u32>]) {
    let is_external = |&r: &u32| matches!(rules[r as usize].head, Head::External(..));
    if (0..rules.len() as u32).filter(is_external).count() < 2 {
        return;
    }
    let mut heads: Vec<Vec<(u32, &Atom)>> = vec![Vec::new(); predicates];
    for (r, rule) in rules.iter().enumerate() {
        rule.head.for_each_atom(&mut |a| heads[a.pred.0 as usize].push((r as u32, a)));
    }
    let mut edges: Vec<(u32, u32)> = Vec::new();
    for (r, rule) in rules.iter().enumerate() {
        if never_applies(rule) {
            continue;
        }
        atoms_read(rule, &mut |a, _| {
            let met = heads[a.pred.0 as usize].iter().filter(|(_, head)| all_meet(&head.args, &a.args));
            edges.extend(met.map(|&(to, _)| (r as u32, to)));
        });
    }
    let edges = Csr::group(rules.len(), edges.iter().copied());
    let successor = |node: u32, i: u32| edges.row(node as usize).get(i as usize).copied();
    let (mut ranks, mut next) = (vec![0_u32; rules.len()], 0);
    scc::components(rules.len(), (0..rules.len() as u32).rev(), successor, |members| {
        for &m in members {
            ranks[m as usize] = next;
            next += 1;
        }
    });
    for component in components {
        let mut externals: Vec<u32> = component.iter().copied().filter(is_external).collect();
        externals.sort_unstable_by_key(|&r| ranks[r as usize]);
        let places = component.iter_mut().filter(|r| is_external(r));
        places.zip(externals).for_each(|(place, r)| *place = r);
    }
}

/// Whether a body literal has an operation without a value: such a rule is dropped before it is looked at.
fn never_applies(rule: &Rule) -> bool {
    // What has a value is no operation any more.
    let constant = |t: &Term| matches!(t, Term::Sym(_));
    let no_number = |t: &Term| matches!(t, Term::Sym(s) if s.as_small().is_none());
    let undefined = |t: &Term| match t {
        Term::Unary(_, t, _) | Term::Absolute(t, _) => constant(t),
        Term::Binary(_, s, t, _) => constant(s) && constant(t) || no_number(s) || no_number(t),
        _ => false,
    };
    rule.body.iter().any(|l| match l {
        Literal::Atom(_, a) => a.args.iter().any(undefined),
        Literal::Compare(_, s, t, _) => undefined(s) || undefined(t),
        _ => false,
    })
}

/// The component of each node; a node's successors have the same or a smaller number. `edges` come sorted by source.
fn components(nodes: usize, edges: impl Iterator<Item = (u32, u32)> + Clone) -> Vec<u32> {
    let successors = Csr::group(nodes, edges);
    let (mut of, mut count) = (vec![0; nodes], 0);
    let successor = |node: u32, i: u32| successors.row(node as usize).get(i as usize).copied();
    scc::components(nodes, 0..nodes as u32, successor, |members| {
        members.iter().for_each(|&m| of[m as usize] = count);
        count += 1;
    });
    of
}
