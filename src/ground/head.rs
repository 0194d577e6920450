//! What a rule does with an instance of its body: derives atoms and writes ground rules and directives.
//!
//! Invariant: an atom derived by a body without literals is a fact and has no rule, unless its ground atom was used
//! before that was known; a rule whose head is a fact is not written.

use super::compile::{CompiledHeadElement, CompiledRule};
use super::domain::Row;
use super::instantiate::{Flow, Halt, Instantiator};
use crate::base::diagnostic::{Diagnostic, WarningKind};
use crate::base::map::Map;
use crate::base::symbol::{Sym, SymView};
use crate::program::ground_program::{
    ConditionalElement, Disjunction, Edge, ExternalValue, Function, Guard, HeadAggregate, HeadElement,
    Heuristic, HeuristicModifier, MinimizeElement, Relation, Show, ShowItem,
};
use crate::program::{AtomId, Literal};
use crate::rewrite::predicate::PredId;
use crate::rewrite::rule::{Atom, Head, Rule, Term};

/// What is known of one disjunct: the conjunction of literals, under any of the conditions.
#[derive(Default)]
struct Disjunct {
    literals: Vec<Literal>,
    /// Atoms of the conjunction that are no facts. They become possible once it is known that no disjunct is true.
    atoms: Vec<(PredId, Vec<Sym>)>,
    /// Whether a member of the conjunction is false.
    never: bool,
    conditions: Vec<Vec<Literal>>,
}

impl Disjunct {
    /// Whether it holds whatever else does.
    fn is_true(&self) -> bool {
        !self.never
            && self.literals.is_empty()
            && self.atoms.is_empty()
            && self.conditions.iter().any(Vec::is_empty)
    }
}

impl Instantiator<'_> {
    /// Handles one instance of a rule's body.
    pub(super) fn emit(&mut self, rule: &Rule, compiled: &CompiledRule) -> Flow {
        match &rule.head {
            Head::Constraint => {
                if !self.deriving {
                    self.program.rules.add(false, &[], &self.literals, self.source);
                }
            }
            Head::Atom(atom) => {
                if let Some(start) = self.eval_args(&atom.args) {
                    self.derive(atom.pred, start);
                    self.scratch.truncate(start);
                }
            }
            Head::Disjunction(_) => self.emit_disjunction(compiled)?,
            Head::Aggregate { function, set, guards, .. } => {
                let mut bounds = Vec::new();
                for (relation, t) in guards {
                    let Some(term) = self.eval(t) else { return self.halted() };
                    bounds.push(Guard { relation: *relation, term });
                }
                let elements = self.head_elements(compiled)?;
                if !self.deriving {
                    self.write_head_aggregate(*function, *set, bounds, elements);
                }
            }
            Head::Theory(_) => self.emit_theory(compiled)?,
            Head::Minimize { weight, priority, tuple } => self.emit_minimize(rule, weight, priority, tuple),
            Head::Show(t) => {
                if let Some(s) = self.eval(t) {
                    let condition = self.program.push_literals(&self.literals);
                    self.program.shows.push(Show { item: ShowItem::Term(s), condition });
                }
            }
            Head::Project(atom) => {
                if let Some(atom) = self.known_atom(atom) {
                    self.program.project.get_or_insert_default().push(atom);
                }
            }
            Head::External(atom, value) => self.emit_external(rule, atom, value),
            Head::Heuristic { atom, weight, priority, modifier } => {
                self.emit_heuristic(rule, atom, [weight, priority, modifier]);
            }
            Head::Edge(u, v) => {
                if let (Some(from), Some(to)) = (self.eval(u), self.eval(v)) {
                    let condition = self.program.push_literals(&self.literals);
                    self.program.edges.push(Edge { from, to, condition });
                }
            }
        }
        self.halted()
    }

    fn halted(&self) -> Flow {
        if self.failed { Err(Halt::Failed) } else { Ok(()) }
    }

    /// Derives the atom with the arguments on `scratch` from `start`, by the current body.
    fn derive(&mut self, pred: PredId, start: usize) {
        let (row, _) = self.domains[pred].insert(&self.scratch[start..]);
        if self.domains[pred].is_fact(row) {
            return;
        }
        if self.literals.is_empty() {
            self.make_fact(pred, row);
        } else {
            let atom = self.atom_of(pred, row);
            if !self.deriving {
                self.program.rules.add(false, &[atom], &self.literals, self.source);
            }
        }
    }

    /// Makes a row a fact.
    pub(super) fn make_fact(&mut self, pred: PredId, row: Row) {
        if self.domains[pred].is_fact(row) {
            return;
        }
        self.domains[pred].set_fact(row);
        if let Some(atom) = self.domains[pred].atom(row) {
            self.program.rules.add(false, &[atom], &[], self.source);
        }
        if self.keep_facts && !self.predicates[pred].auxiliary {
            let predicate = self.predicates[pred].signature;
            let facts = &mut self.program.facts;
            // Facts come predicate by predicate mostly, but a signature is registered once a change only.
            let signature = facts.add_signature(predicate);
            facts.add(signature, self.domains[pred].table().args(row));
        }
    }

    /// The ground atom of a row; made at the first call.
    pub(super) fn atom_of(&mut self, pred: PredId, row: Row) -> AtomId {
        if let Some(atom) = self.domains[pred].atom(row) {
            return atom;
        }
        let atom = match self.signature(pred) {
            Some(s) => self.program.atoms.add(s, self.domains[pred].table().args(row)),
            None => self.program.atoms.add_aux(),
        };
        self.domains[pred].set_atom(row, atom);
        if self.domains[pred].is_fact(row) {
            self.program.rules.add(false, &[atom], &[], self.source);
        }
        atom
    }

    /// The row of a head atom under the current binding, derived by something other than a plain rule.
    fn possible(&mut self, pred: PredId, args: &[Term]) -> Option<Row> {
        let start = self.eval_args(args)?;
        let (row, _) = self.domains[pred].insert(&self.scratch[start..]);
        self.scratch.truncate(start);
        if !self.domains[pred].is_fact(row) {
            self.atom_of(pred, row);
        }
        Some(row)
    }

    /// The ground atom of a directive's atom, if it may hold and is no fact.
    fn known_atom(&mut self, atom: &Atom) -> Option<AtomId> {
        let start = self.eval_args(&atom.args)?;
        let row = self.domains[atom.pred].find(&self.scratch[start..]);
        self.scratch.truncate(start);
        let row = row?;
        if self.domains[atom.pred].is_fact(row) { None } else { self.domains[atom.pred].atom(row) }
    }

    fn emit_disjunction(&mut self, compiled: &CompiledRule) -> Flow {
        let height = self.literals.len();
        let mut heads: Vec<(Literal, Vec<Literal>)> = Vec::new();
        let mut groups: Map<Vec<Sym>, Disjunct> = Map::default();
        let mut order: Vec<Vec<Sym>> = Vec::new();
        for e in &compiled.elements {
            self.run(compiled, &e.condition, &mut |this| {
                let end = this.literals.len();
                let Some(start) = this.eval_args(&e.tuple) else { return this.halted() };
                let key = this.scratch.split_off(start);
                let mut group = groups.remove(&key).unwrap_or_default();
                if group.conditions.is_empty() {
                    order.push(key.clone());
                }
                group.conditions.push(this.literals[height..end].to_vec());
                let result =
                    this.run(compiled, &e.ranges, &mut |this| this.disjunct(compiled, e, &mut group));
                groups.insert(key, group);
                result
            })?;
        }
        if self.failed || groups.values().any(Disjunct::is_true) {
            return Ok(());
        }
        for key in order {
            if let Some(group) = groups.remove(&key) {
                self.finish_disjunct(group, &mut heads);
            }
        }
        if self.deriving {
            return Ok(());
        }
        heads.sort();
        heads.dedup();
        let mut body = self.literals.clone();
        if heads.iter().all(|(_, c)| c.is_empty()) {
            // `a ; not b :- c.` is `a :- c, not not b.`
            let mut atoms = Vec::with_capacity(heads.len());
            for (l, _) in heads {
                if l.is_neg() {
                    body.push(Literal::neg(self.negation(l.atom())));
                } else {
                    atoms.push(l.atom());
                }
            }
            self.program.rules.add(false, &atoms, &body, self.source);
            return Ok(());
        }
        let elements = heads
            .iter()
            .map(|(l, c)| ConditionalElement {
                head: self.program.push_literals(&[*l]),
                condition: self.program.push_literals(c),
            })
            .collect();
        let body = self.program.push_literals(&body);
        self.program.disjunctions.push(Disjunction { elements, body, source: self.source });
        Ok(())
    }

    /// Adds an instance of a disjunct's literal to the conjunction.
    fn disjunct(&mut self, compiled: &CompiledRule, e: &CompiledHeadElement, group: &mut Disjunct) -> Flow {
        if let Some((pred, args)) = &e.atom {
            // An atom without a value counts as true, as in clingo.
            if let Some(start) = self.eval_args(args) {
                let args = self.scratch.split_off(start);
                let domain = &self.domains[*pred];
                if !domain.find(&args).is_some_and(|row| domain.is_fact(row)) {
                    group.atoms.push((*pred, args));
                }
            }
            return self.halted();
        }
        let (end, undefined) = (self.literals.len(), self.undefined);
        let (mut holds, mut literal) = (false, None);
        for other in &e.other {
            self.run(compiled, other, &mut |this| {
                match this.literals.get(end) {
                    Some(&l) => literal = Some(l),
                    None => holds = true,
                }
                Ok(())
            })?;
        }
        // What has no value counts as true, too.
        if holds || self.undefined > undefined {
            return Ok(());
        }
        match literal {
            Some(literal) => group.literals.push(literal),
            None => group.never = true,
        }
        Ok(())
    }

    /// Turns a disjunct into literals with conditions.
    fn finish_disjunct(&mut self, mut group: Disjunct, heads: &mut Vec<(Literal, Vec<Literal>)>) {
        if group.never {
            return;
        }
        for (pred, args) in group.atoms {
            let (row, _) = self.domains[pred].insert(&args);
            group.literals.push(Literal::pos(self.atom_of(pred, row)));
        }
        group.literals.sort_unstable();
        group.literals.dedup();
        let certain = group.conditions.iter().any(Vec::is_empty);
        if self.deriving {
            return;
        }
        let literal = match group.literals[..] {
            [literal] => literal,
            _ => Literal::pos(self.conjunction(&group.literals)),
        };
        if certain {
            heads.push((literal, Vec::new()));
        } else {
            heads.extend(group.conditions.into_iter().map(|c| (literal, c)));
        }
    }

    /// An atom that is equivalent to all of the literals, which are derived with it.
    fn conjunction(&mut self, literals: &[Literal]) -> AtomId {
        let atom = self.program.atoms.add_aux();
        self.program.rules.add(false, &[atom], literals, self.source);
        for &l in literals {
            let this = Literal::pos(atom);
            if l.is_neg() {
                self.program.rules.add(false, &[], &[this, Literal::pos(l.atom())], self.source);
            } else {
                self.program.rules.add(false, &[l.atom()], &[this], self.source);
            }
        }
        atom
    }

    fn head_elements(&mut self, compiled: &CompiledRule) -> Result<Vec<HeadElement>, Halt> {
        let height = self.literals.len();
        let mut out = Vec::new();
        for e in &compiled.elements {
            self.run(compiled, &e.condition, &mut |this| {
                let atom = match &e.atom {
                    None => None,
                    Some((pred, args)) => {
                        let Some(row) = this.possible(*pred, args) else { return this.halted() };
                        if this.domains[*pred].is_fact(row) { None } else { this.domains[*pred].atom(row) }
                    }
                };
                if this.deriving {
                    return Ok(());
                }
                let Some(start) = this.eval_args(&e.tuple) else { return this.halted() };
                let tuple = this.program.push_terms(&this.scratch[start..]);
                this.scratch.truncate(start);
                let condition = this.program.push_literals(&this.literals[height..]);
                out.push(HeadElement { tuple, atom, condition });
                Ok(())
            })?;
        }
        Ok(out)
    }

    fn write_head_aggregate(
        &mut self,
        mut function: Function,
        set: bool,
        mut guards: Vec<Guard>,
        elements: Vec<HeadElement>,
    ) {
        if function == Function::SumPlus {
            function = Function::Sum;
            if !self.narrow_to_positive(&mut guards, &elements) {
                self.program.rules.add(false, &[], &self.literals, self.source);
                return;
            }
        }
        if !guards.is_empty() {
            let body = self.program.push_literals(&self.literals);
            self.program.head_aggregates.push(HeadAggregate {
                function,
                set,
                guards,
                elements,
                body,
                source: self.source,
            });
            return;
        }
        // Without guards each element is a choice of its own; those without conditions share a rule.
        let mut plain: Vec<AtomId> = Vec::new();
        for e in elements {
            let Some(atom) = e.atom else { continue };
            let condition = self.program.literals(e.condition);
            if condition.is_empty() {
                plain.push(atom);
            } else {
                let body: Vec<Literal> = self.literals.iter().chain(condition).copied().collect();
                self.program.rules.add(true, &[atom], &body, self.source);
            }
        }
        if !plain.is_empty() {
            self.program.rules.add(true, &plain, &self.literals, self.source);
        }
    }

    /// Rewrites the guards of a head's `#sum+`, which counts negative weights there: as the reference system does, what
    /// the positive weights can reach decides which guards say something and whether they can hold at all (the result).
    fn narrow_to_positive(&mut self, guards: &mut Vec<Guard>, elements: &[HeadElement]) -> bool {
        let mut tuples: Map<&[Sym], (i128, bool)> = Map::default();
        for e in elements {
            let tuple = self.program.terms(e.tuple);
            let weight = tuple.first().and_then(|&t| self.symbols.as_num(t)).unwrap_or(0);
            let certain = e.atom.is_none() && self.program.literals(e.condition).is_empty();
            tuples.entry(tuple).or_insert((weight.into(), false)).1 |= certain;
        }
        if tuples.values().all(|t| t.0 >= 0) {
            return true;
        }
        let positive = || tuples.values().filter(|t| t.0 > 0);
        let least: i128 = positive().filter(|t| t.1).map(|t| t.0).sum();
        let greatest: i128 = positive().map(|t| t.0).sum();
        let (mut low, mut high, mut holes) = (least, greatest, Vec::new());
        let zero = self.symbols.num(0);
        for g in guards.iter() {
            let Some(n) = self.symbols.as_num(g.term).map(i128::from) else {
                // All integers compare alike with it.
                if !g.relation.holds(self.symbols.cmp(zero, g.term)) {
                    return false;
                }
                continue;
            };
            match g.relation {
                Relation::Less => high = high.min(n - 1),
                Relation::LessEqual => high = high.min(n),
                Relation::Greater => low = low.max(n + 1),
                Relation::GreaterEqual => low = low.max(n),
                Relation::Equal => (low, high) = (low.max(n), high.min(n)),
                Relation::NotEqual => holes.push(n),
            }
        }
        holes.sort_unstable();
        holes.iter().for_each(|&n| low += i128::from(n == low));
        holes.iter().rev().for_each(|&n| high -= i128::from(n == high));
        if low > high {
            return false;
        }
        guards.clear();
        let symbols = &mut *self.symbols;
        let mut guard = |relation, n: i128| {
            // Each end comes from a guard if it is none of the range's, and so fits.
            if let Ok(n) = i64::try_from(n) {
                guards.push(Guard { relation, term: symbols.num(n) });
            }
        };
        if low > least {
            guard(Relation::GreaterEqual, low);
        }
        if high < greatest {
            guard(Relation::LessEqual, high);
        }
        holes.dedup();
        holes.retain(|&n| low < n && n < high);
        holes.into_iter().for_each(|n| guard(Relation::NotEqual, n));
        true
    }

    fn emit_minimize(&mut self, rule: &Rule, weight: &Term, priority: &Term, tuple: &[Term]) {
        let (Some(w), Some(p)) = (self.eval(weight), self.eval(priority)) else { return };
        let (Some(weight), Some(priority)) = (self.symbols.as_num(w), self.symbols.as_num(p)) else {
            if self.reported.insert(rule.span) {
                self.diagnostics.push(
                    Diagnostic::info(WarningKind::OperationUndefined, rule.span, "tuple ignored")
                        .caption("weight and priority must be integers"),
                );
            }
            return;
        };
        let Some(start) = self.eval_args(tuple) else { return };
        let tuple = self.program.push_terms(&self.scratch[start..]);
        self.scratch.truncate(start);
        let condition = self.program.push_literals(&self.literals);
        self.program.minimize.push(MinimizeElement { weight, priority, tuple, condition });
    }

    fn emit_external(&mut self, rule: &Rule, atom: &Atom, value: &Term) {
        let Some(v) = self.eval(value) else { return };
        let value = match self.constant_name(v) {
            Some("true") => ExternalValue::True,
            Some("false") => ExternalValue::False,
            Some("free") => ExternalValue::Free,
            Some("release") => ExternalValue::Release,
            _ => {
                if self.reported.insert(rule.span) {
                    self.diagnostics.push(
                        Diagnostic::info(WarningKind::OperationUndefined, rule.span, "external ignored")
                            .help("one of true, false, free and release is expected in the brackets"),
                    );
                }
                return;
            }
        };
        let Some(row) = self.possible(atom.pred, &atom.args) else { return };
        if let (Some(a), false) = (self.domains[atom.pred].atom(row), self.domains[atom.pred].is_fact(row)) {
            self.program.externals.push((a, value));
        }
    }

    fn constant_name(&self, s: Sym) -> Option<&str> {
        match self.symbols.view(s) {
            SymView::Fun { name, args: [], negative: false } => Some(self.symbols.str(name)),
            _ => None,
        }
    }

    fn emit_heuristic(&mut self, rule: &Rule, atom: &Atom, terms: [&Term; 3]) {
        let Some(atom) = self.known_atom(atom) else { return };
        let mut values = [Sym::INF; 3];
        for (v, t) in values.iter_mut().zip(terms) {
            let Some(s) = self.eval(t) else { return };
            *v = s;
        }
        let modifier = match self.constant_name(values[2]) {
            Some("level") => Some(HeuristicModifier::Level),
            Some("sign") => Some(HeuristicModifier::Sign),
            Some("factor") => Some(HeuristicModifier::Factor),
            Some("init") => Some(HeuristicModifier::Init),
            Some("true") => Some(HeuristicModifier::True),
            Some("false") => Some(HeuristicModifier::False),
            _ => None,
        };
        let bias = self.symbols.as_num(values[0]).and_then(|n| i32::try_from(n).ok());
        let priority = self.symbols.as_num(values[1]).and_then(|n| u32::try_from(n).ok());
        let (Some(modifier), Some(bias), Some(priority)) = (modifier, bias, priority) else {
            if self.reported.insert(rule.span) {
                self.diagnostics.push(
                    Diagnostic::info(WarningKind::OperationUndefined, rule.span, "heuristic directive ignored")
                        .help("its weight and priority must be small integers and its modifier one of level, sign, factor, init, true and false"),
                );
            }
            return;
        };
        let own = Literal::pos(atom);
        let condition: Vec<Literal> = self.literals.iter().copied().filter(|&l| l != own).collect();
        let condition = self.program.push_literals(&condition);
        self.program.heuristics.push(Heuristic { atom, modifier, bias, priority, condition });
    }
}
