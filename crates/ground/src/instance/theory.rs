//! Theory atoms under a binding: their terms and elements become data of the ground program, each once.
//!
//! Invariant: equal atoms of a step share one program atom, wherever they occur. A step ends with a call: theories see its atoms
//! once, so an equal atom of a later step is a new one.

use crate::compile::CompiledTheory;
use crate::join::machine::{Holds, Machine};
use crate::sink::Sink;
use crate::state::{Flow, Halt};
use asp_base::map::{Map, Set};
use asp_base::span::Span;
use asp_base::symbol::{Sym, SymView, Symbols};
use asp_program::ground_program::{
    Definition, Literals, Theory, TheoryAtom, TheoryElement, TheoryElementId, TheoryTerm, TheoryTermId,
};
use asp_program::{AtomId, Literal, Program};
use asp_rewrite::rule;
use asp_syntax::ast::Sign;

type Guard = Option<(TheoryTermId, TheoryTermId)>;
type AtomKey = (TheoryTermId, Vec<TheoryElementId>, Guard);

/// The theory data of the ground program so far.
#[derive(Default)]
pub(crate) struct TheoryTable {
    terms: Map<TheoryTerm, TheoryTermId>,
    symbols: Map<Sym, TheoryTermId>,
    elements: Map<(Vec<TheoryTermId>, Vec<Literal>), TheoryElementId>,
    atoms: Map<AtomKey, Option<AtomId>>,
    /// Atoms in bodies, in order, since it was last seen to that each of them occurs.
    used: Vec<AtomId>,
    seen: Set<AtomId>,
    derived: Set<AtomId>,
}

impl TheoryTable {
    /// Runs a theory atom in a body; returns whether the rule's instance may still hold.
    pub(crate) fn check(
        &mut self,
        m: &mut Machine<'_>,
        sink: Sink,
        atom: &CompiledTheory,
        sign: Sign,
    ) -> Result<Holds, Halt> {
        if !sink.writes() {
            return Ok(Holds::Open);
        }
        let Some(Some(atom)) = self.atom(m, sink, atom)? else { return Ok(Holds::No) };
        if self.seen.insert(atom) {
            self.used.push(atom);
        }
        let literal = sink.signed(m.state.program, sign, atom);
        m.literals.push(literal);
        Ok(Holds::Yes)
    }

    /// Writes a rule with a theory atom as its head.
    pub(crate) fn emit(&mut self, m: &mut Machine<'_>, sink: Sink, atom: &CompiledTheory) -> Flow {
        if sink.writes()
            && let Some(Some(atom)) = self.atom(m, sink, atom)?
        {
            self.derived.insert(atom);
            sink.rule(m.state.program, false, &[atom], &m.literals);
        }
        Ok(())
    }

    /// Removes theory atoms that no rule derives and whose instances were all dropped.
    pub(crate) fn drop_unused(&mut self, program: &mut Program) {
        if self.used.is_empty() {
            return;
        }
        let occurring = occurring_atoms(program);
        let mut dropped: Set<AtomId> = Set::default();
        for atom in self.used.drain(..) {
            if !self.derived.contains(&atom) && !occurring.contains(&atom) {
                self.seen.remove(&atom);
                dropped.insert(atom);
            }
        }
        if !dropped.is_empty() {
            let is_dropped = |atom: Option<AtomId>| atom.is_some_and(|atom| dropped.contains(&atom));
            self.atoms.retain(|_, atom| !is_dropped(*atom));
            program.theory.atoms.retain(|atom| !is_dropped(atom.atom));
        }
    }

    /// Ends a step: equal atoms of later steps are new ones.
    pub(crate) fn end_step(&mut self) {
        self.atoms.clear();
        self.seen.clear();
        self.derived.clear();
    }

    /// The program atom of an instance: `Some(None)` for a directive, `None` if a term has no value.
    fn atom(
        &mut self,
        m: &mut Machine<'_>,
        mut sink: Sink,
        atom: &CompiledTheory,
    ) -> Result<Option<Option<AtomId>>, Halt> {
        let args = atom.args.iter().map(|t| self.term(m, t)).collect::<Option<Vec<_>>>();
        let Some(args) = args else { return Ok(None) };
        let name = self.add_term(m, TheoryTerm::Symbol(atom.name));
        let term = if args.is_empty() { name } else { self.add_term(m, TheoryTerm::Function(name, args)) };
        let guard = match &atom.guard {
            None => None,
            Some((operator, right)) => {
                let Some(right) = self.term(m, right) else { return Ok(None) };
                let operator = self.add_term(m, TheoryTerm::Symbol(*operator));
                Some((operator, right))
            }
        };
        let height = m.literals.len();
        let mut elements: Vec<TheoryElementId> = Vec::new();
        for (terms, condition) in &atom.elements {
            m.run(&mut sink, condition, &mut |m, _| {
                if let Some(terms) = terms.iter().map(|t| self.term(m, t)).collect::<Option<Vec<_>>>() {
                    let condition = m.literals[height..].to_vec();
                    elements.push(self.intern_element(terms, condition, m.state.program));
                }
                Ok(())
            })?;
        }
        let (directive, span) = (atom.directive, atom.span);
        let new = |program: &mut Program| (!directive).then(|| program.atoms.add_aux());
        Ok(Some(self.intern_atom(term, elements, guard, span, m.state.program, new)))
    }

    /// The program atom of a theory atom, added unless this step has an equal one.
    pub(crate) fn intern_atom(
        &mut self,
        term: TheoryTermId,
        mut elements: Vec<TheoryElementId>,
        guard: Guard,
        span: Span,
        program: &mut Program,
        new: impl FnOnce(&mut Program) -> Option<AtomId>,
    ) -> Option<AtomId> {
        let mut sorted = elements.clone();
        sorted.sort_unstable();
        sorted.dedup();
        let mut seen = Set::default();
        elements.retain(|e| seen.insert(*e));
        let key = (term, sorted, guard);
        if let Some(&known) = self.atoms.get(&key) {
            return known;
        }
        let atom = new(program);
        self.atoms.insert(key, atom);
        program.theory.atoms.push(TheoryAtom { atom, term, elements, guard, span });
        atom
    }

    /// The number of an element; a new one is added.
    pub(crate) fn intern_element(
        &mut self,
        terms: Vec<TheoryTermId>,
        mut condition: Vec<Literal>,
        program: &mut Program,
    ) -> TheoryElementId {
        condition.sort_unstable();
        condition.dedup();
        let key = (terms, condition);
        if let Some(&id) = self.elements.get(&key) {
            return id;
        }
        let id = TheoryElementId(program.theory.elements.len() as u32);
        let condition = program.push_literals(&key.1);
        program.theory.elements.push(TheoryElement { terms: key.0.clone(), condition });
        self.elements.insert(key, id);
        id
    }

    fn add_term(&mut self, m: &mut Machine<'_>, term: TheoryTerm) -> TheoryTermId {
        self.intern(term, &mut m.state.program.theory)
    }

    /// The number of a term; a new one is added.
    pub(crate) fn intern(&mut self, term: TheoryTerm, theory: &mut Theory) -> TheoryTermId {
        if let Some(&id) = self.terms.get(&term) {
            return id;
        }
        let id = TheoryTermId(theory.terms.len() as u32);
        theory.terms.push(term.clone());
        self.terms.insert(term, id);
        id
    }

    fn term(&mut self, m: &mut Machine<'_>, t: &rule::TheoryTerm) -> Option<TheoryTermId> {
        let args = match t {
            rule::TheoryTerm::Plain(t) => {
                let value = m.eval(t)?;
                return Some(self.symbol_term(m, value));
            }
            rule::TheoryTerm::Function(_, args)
            | rule::TheoryTerm::Tuple(args)
            | rule::TheoryTerm::List(args)
            | rule::TheoryTerm::Set(args) => args,
        };
        // As in gringo, a name comes before the arguments.
        let name = match t {
            rule::TheoryTerm::Function(name, _) => Some(self.add_term(m, TheoryTerm::Symbol(*name))),
            _ => None,
        };
        let args = args.iter().map(|a| self.term(m, a)).collect::<Option<Vec<_>>>()?;
        let term = match (name, t) {
            (Some(name), _) => TheoryTerm::Function(name, args),
            (None, rule::TheoryTerm::List(_)) => TheoryTerm::List(args),
            (None, rule::TheoryTerm::Set(_)) => TheoryTerm::Set(args),
            (None, _) => TheoryTerm::Tuple(args),
        };
        Some(self.add_term(m, term))
    }

    fn symbol_term(&mut self, m: &mut Machine<'_>, symbol: Sym) -> TheoryTermId {
        self.symbol(symbol, m.state.symbols, &mut m.state.program.theory)
    }

    /// A symbol as a theory term, with an explicit stack since symbols may be deep.
    pub(crate) fn symbol(&mut self, symbol: Sym, symbols: &mut Symbols, theory: &mut Theory) -> TheoryTermId {
        let mut todo = vec![symbol];
        let mut last = TheoryTermId(0);
        while let Some(&s) = todo.last() {
            if let Some(&known) = self.symbols.get(&s) {
                last = known;
                todo.pop();
                continue;
            }
            let (args, function) = match symbols.view(s) {
                SymView::Fun { args, name, negative } => (args.to_vec(), Some((name, negative))),
                SymView::Tuple(args) => (args.to_vec(), None),
                SymView::Num(n) => {
                    last = match n.checked_neg().filter(|&opposite| opposite > 0) {
                        // As gringo: as if it were written with the operator.
                        Some(opposite) => {
                            let minus = self.intern(TheoryTerm::Symbol(symbols.intern("-")), theory);
                            let opposite = self.intern(TheoryTerm::Number(opposite), theory);
                            self.intern(TheoryTerm::Function(minus, vec![opposite]), theory)
                        }
                        None => self.intern(TheoryTerm::Number(n), theory),
                    };
                    self.symbols.insert(s, last);
                    continue;
                }
                _ => {
                    let text = symbols.display(s);
                    let text = symbols.intern(&text);
                    last = self.intern(TheoryTerm::Symbol(text), theory);
                    self.symbols.insert(s, last);
                    continue;
                }
            };
            let ids: Vec<TheoryTermId> = args.iter().filter_map(|a| self.symbols.get(a).copied()).collect();
            if ids.len() < args.len() {
                todo.extend(args.iter().rev().filter(|a| !self.symbols.contains_key(*a)));
                continue;
            }
            last = match function {
                None => self.intern(TheoryTerm::Tuple(ids), theory),
                Some((name, negative)) => {
                    // A negative tuple is a function without a name.
                    let mut id = match symbols.str(name) {
                        "" => self.intern(TheoryTerm::Tuple(ids), theory),
                        _ => {
                            let id = self.intern(TheoryTerm::Symbol(name), theory);
                            if ids.is_empty() {
                                id
                            } else {
                                self.intern(TheoryTerm::Function(id, ids), theory)
                            }
                        }
                    };
                    if negative {
                        let minus = symbols.intern("-");
                        let minus = self.intern(TheoryTerm::Symbol(minus), theory);
                        id = self.intern(TheoryTerm::Function(minus, vec![id]), theory);
                    }
                    id
                }
            };
            self.symbols.insert(s, last);
        }
        last
    }
}

/// The atoms that anything in the ground program reads.
fn occurring_atoms(p: &Program) -> Set<AtomId> {
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
