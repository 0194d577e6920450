//! Theory atoms under a binding: their terms and elements become data of the ground program, each once.
//!
//! Invariants: equal atoms share one program atom, wherever they stand; one that stands in bodies only has a choice
//! rule, for nothing but a theory could say whether it holds.

use super::compile::{CompiledRule, CompiledTheory};
use super::instantiate::{Flow, Halt, Instantiator};
use crate::base::map::{Map, Set};
use crate::base::symbol::{Sym, SymView};
use crate::program::ground_program::{
    Definition, Literals, TheoryAtom, TheoryElement, TheoryElementId, TheoryTerm, TheoryTermId,
};
use crate::program::{AtomId, Literal, RuleSource};
use crate::rewrite::rule;
use crate::syntax::ast::Sign;

type Guard = Option<(TheoryTermId, TheoryTermId)>;
type AtomKey = (TheoryTermId, Vec<TheoryElementId>, Guard, bool);

/// What is in the ground program's theory data already.
#[derive(Default)]
pub(super) struct TheoryTable {
    terms: Map<TheoryTerm, TheoryTermId>,
    symbols: Map<Sym, TheoryTermId>,
    elements: Map<(Vec<TheoryTermId>, Vec<Literal>), TheoryElementId>,
    atoms: Map<AtomKey, Option<AtomId>>,
    /// Atoms in bodies, in order; those before `freed` have been looked after.
    used: Vec<AtomId>,
    freed: usize,
    seen: Set<AtomId>,
    derived: Set<AtomId>,
}

impl Instantiator<'_> {
    /// A theory atom in a body; whether the rule's instance may still hold.
    pub(super) fn check_theory(
        &mut self,
        rule: &CompiledRule,
        number: usize,
        sign: Sign,
    ) -> Result<bool, Halt> {
        if self.deriving {
            self.literals.push(super::aggregate::uncertain());
            return Ok(true);
        }
        let Some(Some(atom)) = self.theory_atom(rule, &rule.theories[number])? else { return Ok(false) };
        if self.theory.seen.insert(atom) {
            self.theory.used.push(atom);
        }
        let literal = match sign {
            Sign::None => Literal::pos(atom),
            Sign::Not => Literal::neg(atom),
            Sign::NotNot => Literal::neg(self.negation(atom)),
        };
        self.literals.push(literal);
        Ok(true)
    }

    /// A theory atom in a head.
    pub(super) fn emit_theory(&mut self, rule: &CompiledRule) -> Flow {
        let (Some(atom), false) = (rule.theories.last(), self.deriving) else { return Ok(()) };
        if let Some(Some(atom)) = self.theory_atom(rule, atom)? {
            self.theory.derived.insert(atom);
            self.program.rules.add(false, &[atom], &self.literals, self.source);
        }
        Ok(())
    }

    /// Lets theory atoms be true or not where no rule derives them. Those whose instances were all dropped go.
    pub(super) fn free_theory_atoms(&mut self) {
        if self.theory.freed == self.theory.used.len() {
            return;
        }
        let occurring = self.occurring_atoms();
        let new = self.theory.used.split_off(self.theory.freed);
        for atom in new {
            if self.theory.derived.contains(&atom) {
                self.theory.used.push(atom);
            } else if occurring.contains(&atom) {
                self.program.rules.add(true, &[atom], &[], RuleSource::NONE);
                self.theory.used.push(atom);
            } else {
                self.theory.seen.remove(&atom);
                self.theory.atoms.retain(|_, a| *a != Some(atom));
                self.program.theory.atoms.retain(|a| a.atom != Some(atom));
            }
        }
        self.theory.freed = self.theory.used.len();
    }

    /// The atoms that something in the ground program reads.
    fn occurring_atoms(&self) -> Set<AtomId> {
        let p = &*self.program;
        let mut out: Set<AtomId> = Set::default();
        out.extend(p.rules.iter().flat_map(|r| r.body.literals()).map(|l| l.atom()));
        let mut add = |ls: Literals| out.extend(p.literals(ls).iter().map(|l| l.atom()));
        for d in &p.definitions {
            match &d.definition {
                Definition::Aggregate { elements, .. } => elements.iter().for_each(|e| add(e.condition)),
                Definition::Conjunction { elements, .. } => elements.iter().for_each(|e| {
                    add(e.condition);
                    add(e.head);
                }),
                Definition::Negation(_) => {}
            }
        }
        for h in &p.head_aggregates {
            add(h.body);
            h.elements.iter().for_each(|e| add(e.condition));
        }
        for d in &p.disjunctions {
            add(d.body);
            d.elements.iter().for_each(|e| {
                add(e.condition);
                add(e.head);
            });
        }
        p.minimize.iter().for_each(|e| add(e.condition));
        p.shows.iter().for_each(|s| add(s.condition));
        p.heuristics.iter().for_each(|h| add(h.condition));
        p.edges.iter().for_each(|e| add(e.condition));
        for d in &p.definitions {
            match d.definition {
                Definition::Negation(atom) if out.contains(&d.atom) => _ = out.insert(atom),
                _ => {}
            }
        }
        out
    }

    /// The program atom of an instance, `None` inside for a directive; nothing if a term has no value.
    fn theory_atom(
        &mut self,
        rule: &CompiledRule,
        atom: &CompiledTheory,
    ) -> Result<Option<Option<AtomId>>, Halt> {
        let Some(start) = self.eval_args(&atom.args) else { return Ok(None) };
        let args: Vec<Sym> = self.scratch.split_off(start);
        let name = self.add_term(TheoryTerm::Symbol(atom.name));
        let term = if args.is_empty() {
            name
        } else {
            let args = args.into_iter().map(|a| self.symbol_term(a)).collect();
            self.add_term(TheoryTerm::Function(name, args))
        };
        let guard = match &atom.guard {
            None => None,
            Some((operator, right)) => {
                let operator = self.add_term(TheoryTerm::Symbol(*operator));
                let Some(right) = self.theory_term(right) else { return Ok(None) };
                Some((operator, right))
            }
        };
        let height = self.literals.len();
        let mut elements: Vec<TheoryElementId> = Vec::new();
        for (terms, condition) in &atom.elements {
            self.run(rule, condition, &mut |this| {
                if let Some(terms) = terms.iter().map(|t| this.theory_term(t)).collect::<Option<Vec<_>>>() {
                    let mut condition = this.literals[height..].to_vec();
                    condition.sort_unstable();
                    condition.dedup();
                    let element = this.theory_element(terms, condition);
                    elements.push(element);
                }
                Ok(())
            })?;
        }
        let mut sorted = elements.clone();
        sorted.sort_unstable();
        sorted.dedup();
        let mut seen = Set::default();
        elements.retain(|e| seen.insert(*e));
        let key = (term, sorted, guard, atom.directive);
        if let Some(&known) = self.theory.atoms.get(&key) {
            return Ok(Some(known));
        }
        let program_atom = (!atom.directive).then(|| self.program.atoms.add_aux());
        self.theory.atoms.insert(key, program_atom);
        self.program.theory.atoms.push(TheoryAtom { atom: program_atom, term, elements, guard });
        Ok(Some(program_atom))
    }

    fn theory_element(&mut self, terms: Vec<TheoryTermId>, condition: Vec<Literal>) -> TheoryElementId {
        let key = (terms, condition);
        if let Some(&id) = self.theory.elements.get(&key) {
            return id;
        }
        let id = TheoryElementId(self.program.theory.elements.len() as u32);
        let condition = self.program.push_literals(&key.1);
        self.program.theory.elements.push(TheoryElement { terms: key.0.clone(), condition });
        self.theory.elements.insert(key, id);
        id
    }

    fn add_term(&mut self, term: TheoryTerm) -> TheoryTermId {
        if let Some(&id) = self.theory.terms.get(&term) {
            return id;
        }
        let id = TheoryTermId(self.program.theory.terms.len() as u32);
        self.program.theory.terms.push(term.clone());
        self.theory.terms.insert(term, id);
        id
    }

    fn theory_term(&mut self, t: &rule::TheoryTerm) -> Option<TheoryTermId> {
        let args = match t {
            rule::TheoryTerm::Plain(t) => {
                let value = self.eval(t)?;
                return Some(self.symbol_term(value));
            }
            rule::TheoryTerm::Function(_, args)
            | rule::TheoryTerm::Tuple(args)
            | rule::TheoryTerm::List(args)
            | rule::TheoryTerm::Set(args) => args,
        };
        let args = args.iter().map(|a| self.theory_term(a)).collect::<Option<Vec<_>>>()?;
        let term = match t {
            rule::TheoryTerm::Function(name, _) => {
                TheoryTerm::Function(self.add_term(TheoryTerm::Symbol(*name)), args)
            }
            rule::TheoryTerm::List(_) => TheoryTerm::List(args),
            rule::TheoryTerm::Set(_) => TheoryTerm::Set(args),
            _ => TheoryTerm::Tuple(args),
        };
        Some(self.add_term(term))
    }

    /// A symbol as a theory term; an explicit stack, for symbols may be deep.
    fn symbol_term(&mut self, symbol: Sym) -> TheoryTermId {
        let mut todo = vec![symbol];
        let mut last = TheoryTermId(0);
        while let Some(&s) = todo.last() {
            if let Some(&known) = self.theory.symbols.get(&s) {
                last = known;
                todo.pop();
                continue;
            }
            let (args, function) = match self.symbols.view(s) {
                SymView::Fun { args, name, negative } => (args.to_vec(), Some((name, negative))),
                SymView::Tuple(args) => (args.to_vec(), None),
                SymView::Num(n) => {
                    last = self.add_term(TheoryTerm::Number(n));
                    self.theory.symbols.insert(s, last);
                    continue;
                }
                _ => {
                    let text = self.symbols.display(s);
                    let text = self.symbols.intern(&text);
                    last = self.add_term(TheoryTerm::Symbol(text));
                    self.theory.symbols.insert(s, last);
                    continue;
                }
            };
            let ids: Vec<TheoryTermId> =
                args.iter().filter_map(|a| self.theory.symbols.get(a).copied()).collect();
            if ids.len() < args.len() {
                todo.extend(args.iter().filter(|a| !self.theory.symbols.contains_key(*a)));
                continue;
            }
            last = match function {
                None => self.add_term(TheoryTerm::Tuple(ids)),
                Some((name, negative)) => {
                    let mut id = self.add_term(TheoryTerm::Symbol(name));
                    if !ids.is_empty() {
                        id = self.add_term(TheoryTerm::Function(id, ids));
                    }
                    if negative {
                        let minus = self.symbols.intern("-");
                        let minus = self.add_term(TheoryTerm::Symbol(minus));
                        id = self.add_term(TheoryTerm::Function(minus, vec![id]));
                    }
                    id
                }
            };
            self.theory.symbols.insert(s, last);
        }
        last
    }
}
