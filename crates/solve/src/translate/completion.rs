//! Clark's completion as clauses, at-most-one groups and weight constraints.
//!
//! Each class of equivalent nodes gets one variable, atoms first; a body gets a definition unless an equal one has it;
//! constraints are added directly. Pairs excluded by constraints are collected and covered by at-most-one groups.
//! Invariant: the values of the atoms determine those of all other variables, so models of the engine and models of the
//! completion over the program's atoms correspond one to one.

use crate::options::SumsAsClauses;
use crate::translate::bdd;
use crate::translate::body_table::{BodyId, Node, Value};
use crate::translate::dependency::Components;
use crate::translate::groups::factor::{self, Factors};
use crate::translate::groups::lines::{self, Groups};
use crate::translate::groups::{cliques, hall_set};
use crate::translate::prepared::Prepared;
use crate::translate::proof;
use crate::translate::stages::Stages;
use asp_base::index_vec::Idx;
use asp_engine::Engine;
use asp_engine::proof::sums::{Side, Source};
use asp_engine::store::literal::Lit;
use asp_program::{Body, Literal, Program, RuleId};

/// Variables of the program's nodes.
#[derive(Debug)]
pub(crate) struct Variables {
    /// A literal that is always true.
    pub(crate) truth: Lit,
    /// By class representative; [`Lit::NONE`] if none was needed.
    lits: Vec<Lit>,
}

impl Variables {
    /// The literal of a node whose class has a variable.
    #[inline]
    pub(crate) fn get(&self, p: &Prepared, node: Node) -> Lit {
        let rep = p.classes.find_const(node);
        if rep.is_constant() {
            return if rep == Node::TRUE { self.truth } else { !self.truth };
        }
        let lit = self.lits[rep.index()];
        debug_assert!(lit != Lit::NONE);
        if rep.is_neg() { !lit } else { lit }
    }
    /// The literal of a node, if its class has one.
    pub(crate) fn try_get(&self, p: &Prepared, node: Node) -> Option<Lit> {
        let rep = p.classes.find_const(node);
        let has = rep.is_constant() || self.lits[rep.index()] != Lit::NONE;
        has.then(|| self.get(p, node))
    }
    /// The literal of a program literal.
    #[inline]
    pub(crate) fn of(&self, p: &Prepared, literal: Literal) -> Lit {
        self.get(p, Node::of(literal))
    }
}

/// Results of an earlier translation: a true literal, and those of given atoms.
#[derive(Debug)]
pub(crate) struct Given<'a> {
    pub(crate) truth: Lit,
    pub(crate) lits: &'a [Lit],
}

/// Translates a preprocessed program; `false`: it has no answer set.
pub(crate) fn complete(
    p: &Prepared,
    components: &Components,
    program: &Program,
    given: &Given<'_>,
    engine: &mut Engine,
    stages: Stages,
) -> (Variables, bool) {
    let truth = given.truth;
    let lits = vec![Lit::NONE; p.atoms + p.bodies.len()];
    let mut c = Completion {
        p,
        components,
        engine,
        vars: Variables { truth, lits },
        ok: true,
        uses: Vec::new(),
        clause: Vec::new(),
        sums: stages.sums,
        recursive: false,
        groups: stages.chains.then(Groups::default),
        factors: Factors::default(),
    };
    if stages.factors {
        c.factors = factor::find(p, components, given.lits.len());
    }
    c.ok &= !p.classes.is_contradictory() && c.engine.add_clause(&[truth]);
    c.make_variables(given.lits);
    if let Some(log) = &mut c.engine.proof {
        proof::name_variables(log, p, truth, |node| c.vars.try_get(p, node));
    }
    c.tie(given.lits);
    c.add_bodies();
    c.add_atoms();
    c.add_constraints(program, stages.cliques);
    if let Some(log) = &mut c.engine.proof {
        log.sum_is(None);
    }
    if stages.value_sets && given.lits.is_empty() {
        c.add_implied(program);
    }
    let ok = c.ok;
    (c.vars, ok)
}

struct Completion<'a> {
    p: &'a Prepared,
    components: &'a Components,
    engine: &'a mut Engine,
    vars: Variables,
    ok: bool,
    /// By body: how many atoms need it, at most 2; 0 for bodies that need no variable.
    uses: Vec<u8>,
    clause: Vec<Lit>,
    /// Which sums become clauses.
    sums: SumsAsClauses,
    /// Whether the current sum is that of a body in a component.
    recursive: bool,
    /// Candidates for exactly-one groups, if chains of these are sought.
    groups: Option<Groups>,
    /// Bodies that become parts of atoms.
    factors: Factors,
}

/// The body needs a definition; it is not only used by one choice.
const DEFINED: u8 = 2;

impl Completion<'_> {
    /// Adds what counting over groups implies.
    fn add_implied(&mut self, program: &Program) {
        let implied = hall_set::find(program);
        self.ok &= !implied.contradiction;
        if let Some(log) = &mut self.engine.proof {
            let numbers = |rules: &[RuleId]| -> Vec<usize> { rules.iter().map(|r| r.0 as usize).collect() };
            for (rows, columns) in &implied.rules {
                log.count_groups(&numbers(rows), &numbers(columns));
            }
        }
        for group in implied.groups.rows() {
            self.clause.clear();
            self.clause.extend(group.iter().map(|&a| self.vars.of(self.p, hall_set::literal(a))));
            self.ok &= self.engine.add_clause(&self.clause);
        }
    }

    /// The only live support of an atom that is chosen, if it is a normal body and the atom is in no positive cycle.
    fn sole_choice(&self, atom: usize) -> Option<BodyId> {
        if self.components.of(atom) != 0 {
            return None;
        }
        let mut live =
            self.p.supports(atom).iter().filter(|s| self.p.classes.find_const(s.node()) != Node::FALSE);
        let only = live.next()?;
        if live.next().is_some() || !only.is_choice() {
            return None;
        }
        let rep = self.p.classes.find_const(only.node());
        if rep.is_constant() || rep.index() < self.p.atoms {
            return None;
        }
        let body = self.p.bodies.body_of(rep);
        self.p.bodies.weights(body).is_none().then_some(body)
    }

    /// The body that a node stands for, unless it is an atom or a constant.
    fn stored_body(&self, node: Node) -> Option<BodyId> {
        let rep = self.p.classes.find_const(node);
        (!rep.is_constant() && rep.index() >= self.p.atoms).then(|| self.p.bodies.body_of(rep))
    }

    fn make_variables(&mut self, given: &[Lit]) {
        let p = self.p;
        self.uses = vec![0; p.bodies.len()];
        let bodies = (0..p.bodies.len()).map(|b| p.bodies.node(BodyId(b as u32)));
        let nodes = (given.len()..p.atoms).map(Node::at).chain(bodies);
        let count = nodes.filter(|&node| p.classes.find_const(node) == node).count();
        // With some spare room for what other stages add: a vector that overflows would double.
        self.engine.reserve_vars(count + count / 16 + 64);
        for a in 0..p.atoms {
            let node = Node::at(a);
            let rep = p.classes.find_const(node);
            if rep == node {
                self.vars.lits[a] = given.get(a).copied().unwrap_or_else(|| {
                    let var = self.engine.new_var();
                    self.engine.suggest_phase(var, false);
                    Lit::pos(var)
                });
            }
            if p.values[a] != Value::Unknown {
                continue;
            }
            if let Some(body) = self.sole_choice(a) {
                let uses = &mut self.uses[body.index()];
                *uses = (*uses + 1).min(DEFINED);
                continue;
            }
            for s in p.supports(a) {
                if let Some(body) = self.stored_body(s.node()).filter(|&body| !self.factors.has(body)) {
                    self.uses[body.index()] = DEFINED;
                }
            }
        }
        for b in 0..p.bodies.len() {
            let node = p.bodies.node(BodyId(b as u32));
            if self.uses[b] == DEFINED && p.classes.find_const(node) == node {
                let var = self.engine.new_var();
                self.engine.suggest_phase(var, true);
                self.vars.lits[node.index()] = Lit::pos(var);
            }
        }
    }

    /// Given atoms that became members of other classes keep their literals.
    fn tie(&mut self, given: &[Lit]) {
        for (a, &own) in given.iter().enumerate() {
            let class = self.vars.get(self.p, Node::at(a));
            if class != own {
                self.add(&[!own, class]);
                self.add(&[own, !class]);
            }
        }
    }

    fn add(&mut self, clause: &[Lit]) {
        self.ok = self.ok && self.engine.add_clause(clause);
    }

    /// Definitions of bodies; a body whose class is a constant becomes a constraint.
    fn add_bodies(&mut self) {
        let p = self.p;
        for b in 0..p.bodies.len() {
            let body = BodyId(b as u32);
            let rep = p.classes.find_const(p.bodies.node(body));
            let needed = rep.is_constant()
                || rep.index() < p.atoms
                || self.uses[p.bodies.body_of(rep).index()] == DEFINED;
            if !needed || p.redundant[b] {
                continue;
            }
            let own = self.vars.get(p, rep);
            match p.bodies.weights(body) {
                Some((bound, weights)) => {
                    let terms: Vec<(Lit, i64)> = p
                        .bodies
                        .literals(body)
                        .iter()
                        .zip(weights)
                        .map(|(&l, &w)| (self.vars.of(p, l), w))
                        .collect();
                    self.recursive = self.components.of(p.bodies.node(body).index()) != 0;
                    if let Some(log) = &mut self.engine.proof {
                        log.sum_of_node(p.bodies.node(body).index());
                    }
                    self.define_sum(own, terms, bound);
                    self.recursive = false;
                }
                None => self.define_conjunction(own, p.bodies.literals(body)),
            }
        }
    }

    fn define_conjunction(&mut self, own: Lit, literals: &[Literal]) {
        let mut clause = std::mem::take(&mut self.clause);
        clause.clear();
        clause.push(own);
        for &l in literals {
            let lit = self.vars.of(self.p, l);
            if lit == !self.vars.truth {
                clause.clear();
                break;
            }
            if lit != self.vars.truth && own != !self.vars.truth && lit != own {
                self.add(&[!own, lit]);
            }
            clause.push(!lit);
        }
        if clause.is_empty() {
            self.add(&[!own]);
        } else {
            self.add(&clause);
        }
        self.clause = clause;
    }

    /// `own <-> sum >= bound`
    fn define_sum(&mut self, own: Lit, mut terms: Vec<(Lit, i64)>, bound: i64) {
        let (truth, falsity) = (self.vars.truth, !self.vars.truth);
        let fixed: i128 = terms.iter().filter(|t| t.0 == truth).map(|t| i128::from(t.1)).sum();
        terms.retain(|t| t.0 != truth && t.0 != falsity);
        let total: i128 = terms.iter().map(|t| i128::from(t.1)).sum();
        let bound = i128::from(bound) - fixed;
        if bound <= 0 {
            return self.add(&[own]);
        }
        if bound > total {
            return self.add(&[!own]);
        }
        // Between 1 and the total, which fits if the terms have checked weights.
        let bound = i64::try_from(bound).unwrap_or(i64::MAX);
        if own == truth {
            return self.at_least(terms, bound);
        }
        if own == falsity {
            let all = i64::try_from(total - i128::from(bound)).unwrap_or(i64::MAX);
            return self.at_most(terms, all, bound);
        }
        if self.translates(own, &terms, bound) {
            return;
        }
        if terms.iter().all(|t| t.1 >= bound) {
            let mut clause = std::mem::take(&mut self.clause);
            clause.clear();
            clause.push(!own);
            for &(l, _) in &terms {
                self.add(&[own, !l]);
                clause.push(l);
            }
            self.add(&clause);
            self.clause = clause;
            return;
        }
        self.ok = self.ok && self.engine.add_weight(Some(own), &terms, bound);
    }

    fn at_least(&mut self, terms: Vec<(Lit, i64)>, bound: i64) {
        if self.translates(self.vars.truth, &terms, bound) {
            return;
        }
        if terms.iter().all(|t| t.1 >= bound) {
            let clause: Vec<Lit> = terms.iter().map(|t| t.0).collect();
            self.add(&clause);
            return self.groups.iter_mut().for_each(|g| g.at_least.push(clause.clone()));
        }
        self.ok = self.ok && self.engine.add_weight(None, &terms, bound);
    }

    /// Adds `own <-> sum >= bound` as clauses if the options ask for it.
    fn translates(&mut self, own: Lit, terms: &[(Lit, i64)], bound: i64) -> bool {
        let truth = self.vars.truth;
        let most = self.sums.nodes(terms, own.var() == truth.var(), self.recursive);
        let done = most > 0 && bdd::as_clauses(self.engine, truth, own, terms, bound, most);
        self.ok &= !self.engine.is_unsat();
        done
    }
    /// The sum stays below `bound`; `slack` is the total minus the bound.
    fn at_most(&mut self, terms: Vec<(Lit, i64)>, slack: i64, bound: i64) {
        if self.translates(!self.vars.truth, &terms, bound) {
            return;
        }
        if let Some(group) = exclusive(&terms, bound) {
            self.ok = self.ok && self.engine.add_at_most_one(&group);
            return self.groups.iter_mut().for_each(|g| g.at_most.push(group.clone()));
        }
        if let Some(log) = &mut self.engine.proof {
            log.negate_sum();
        }
        let negated: Vec<(Lit, i64)> = terms.iter().map(|&(l, w)| (!l, w)).collect();
        self.ok = self.ok && self.engine.add_weight(None, &negated, slack + 1);
    }

    fn add_atoms(&mut self) {
        let p = self.p;
        let mut clause = Vec::new();
        for a in 0..p.atoms {
            if p.values[a] != Value::Unknown {
                continue;
            }
            let own = self.vars.get(p, Node::at(a));
            if let Some(body) = self.sole_choice(a).filter(|b| self.uses[b.index()] != DEFINED) {
                for &l in p.bodies.literals(body) {
                    let lit = self.vars.of(p, l);
                    if lit != own {
                        self.add(&[!own, lit]);
                    }
                }
                continue;
            }
            clause.clear();
            clause.push(!own);
            let mut supported = own == !self.vars.truth;
            if let Some(factored) = self.factors.of(a) {
                self.ok &= factored.add(p, &self.vars, self.engine, &mut clause);
            }
            for s in p.supports(a) {
                if self.stored_body(s.node()).is_some_and(|body| self.factors.has(body)) {
                    continue;
                }
                let lit = self.vars.get(p, s.node());
                supported |= lit == own || lit == self.vars.truth;
                if !s.is_choice() && lit != own && lit != !self.vars.truth && own != self.vars.truth {
                    self.add(&[own, !lit]);
                }
                clause.push(lit);
            }
            if !supported {
                if let Some(log) = &mut self.engine.proof {
                    proof::note_support(log, a, &clause);
                }
                self.add(&clause);
            }
        }
    }

    fn add_constraints(&mut self, program: &Program, find_cliques: bool) {
        let p = self.p;
        let (truth, falsity) = (self.vars.truth, !self.vars.truth);
        let mut pairs = Vec::new();
        let mut clause = Vec::new();
        for &id in &p.constraints {
            match program.rules.get(id).body {
                Body::Normal(literals) => {
                    clause.clear();
                    for &l in literals {
                        let lit = self.vars.of(p, l);
                        if lit != truth {
                            clause.push(!lit);
                        }
                    }
                    if clause.contains(&truth) {
                        continue;
                    }
                    if let Some(groups) = self.groups.as_mut().filter(|_| literals.iter().all(|l| l.is_neg()))
                    {
                        groups.at_least.push(clause.clone());
                    }
                    match *clause.as_slice() {
                        [a, b] if find_cliques && a.var() != b.var() => pairs.push((!a, !b)),
                        _ => self.add(&clause),
                    }
                }
                Body::Weight { bound, literals, weights } => {
                    let terms =
                        literals.iter().zip(weights).map(|(&l, &w)| (self.vars.of(p, l), w)).collect();
                    if let Some(log) = &mut self.engine.proof {
                        log.sum_is(Some(Side { source: Source::Rule(id.0 as usize), misses: false }));
                    }
                    self.define_sum(falsity, terms, bound);
                }
            }
        }
        if let Some(groups) = self.groups.take() {
            self.ok = self.ok && lines::settle(&mut pairs, self.engine);
            let (chains, ok) = lines::add(p, &self.vars, groups, &pairs, self.engine);
            self.ok &= ok;
            pairs.retain(|&(a, b)| !chains.excludes(a, b));
        }
        let cover = cliques::cover(pairs);
        for group in cover.groups.rows() {
            self.ok = self.ok && self.engine.add_at_most_one(group);
        }
        for (a, b) in cover.pairs {
            self.add(&[!a, !b]);
        }
    }
}

/// The literals, if "sum below the bound" means that at most one of them holds.
fn exclusive(terms: &[(Lit, i64)], bound: i64) -> Option<Vec<Lit>> {
    let mut weights: Vec<i64> = terms.iter().map(|t| t.1).collect();
    weights.sort_unstable();
    let (greatest, two_least) = (*weights.last()?, weights.first()?.checked_add(*weights.get(1)?)?);
    if greatest >= bound || two_least < bound {
        return None;
    }
    let mut group: Vec<Lit> = terms.iter().map(|t| t.0).collect();
    let n = group.len();
    group.sort_unstable();
    group.dedup_by_key(|l| l.var());
    (group.len() == n).then(|| terms.iter().map(|t| t.0).collect())
}
