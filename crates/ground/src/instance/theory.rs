//! Theory atoms under a binding: their terms and elements become data of the ground program, each once.
//!
//! Invariants: equal atoms share one program atom, wherever they occur; one that occurs only in bodies has a choice
//! rule, since only a theory could decide whether it holds.

use crate::compile::CompiledTheory;
use crate::join::machine::{Holds, Machine};
use crate::sink::Sink;
use crate::state::{Flow, Halt};
use asp_base::map::{Map, Set};
use asp_base::symbol::{Sym, SymView, Symbols};
use asp_program::ground_program::{
    Definition, Literals, Theory, TheoryAtom, TheoryElement, TheoryElementId, TheoryTerm, TheoryTermId,
};
use asp_program::{AtomId, Literal, Program, RuleSource};
use asp_rewrite::rule;
use asp_syntax::ast::Sign;

type Guard = Option<(TheoryTermId, TheoryTermId)>;
type AtomKey = (TheoryTermId, Vec<TheoryElementId>, Guard, bool);

/// What the ground program's theory data already contains.
#[derive(Default)]
pub(crate) struct TheoryTable {
    terms: Map<TheoryTerm, TheoryTermId>,
    symbols: Map<Sym, TheoryTermId>,
    elements: Map<(Vec<TheoryTermId>, Vec<Literal>), TheoryElementId>,
    atoms: Map<AtomKey, Option<AtomId>>,
    /// Atoms in bodies, in order; those before `freed` have been handled.
    used: Vec<AtomId>,
    freed: usize,
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

    /// Makes theory atoms that no rule derives free to hold or not. Those whose instances were all dropped are removed.
    pub(crate) fn free_atoms(&mut self, program: &mut Program) {
        if self.freed == self.used.len() {
            return;
        }
        let occurring = occurring_atoms(program);
        for atom in self.used.split_off(self.freed) {
            if self.derived.contains(&atom) {
                self.used.push(atom);
            } else if occurring.contains(&atom) {
                program.rules.add(true, &[atom], &[], RuleSource::NONE);
                self.used.push(atom);
            } else {
                self.seen.remove(&atom);
                self.atoms.retain(|_, a| *a != Some(atom));
                program.theory.atoms.retain(|a| a.atom != Some(atom));
            }
        }
        self.freed = self.used.len();
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
                let operator = self.add_term(m, TheoryTerm::Symbol(*operator));
                let Some(right) = self.term(m, right) else { return Ok(None) };
                Some((operator, right))
            }
        };
        let height = m.literals.len();
        let mut elements: Vec<TheoryElementId> = Vec::new();
        for (terms, condition) in &atom.elements {
            m.run(&mut sink, condition, &mut |m, _| {
                if let Some(terms) = terms.iter().map(|t| self.term(m, t)).collect::<Option<Vec<_>>>() {
                    let mut condition = m.literals[height..].to_vec();
                    condition.sort_unstable();
                    condition.dedup();
                    let element = self.element(m, terms, condition);
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
        if let Some(&known) = self.atoms.get(&key) {
            return Ok(Some(known));
        }
        let program_atom = (!atom.directive).then(|| m.state.program.atoms.add_aux());
        self.atoms.insert(key, program_atom);
        m.state.program.theory.atoms.push(TheoryAtom {
            atom: program_atom,
            term,
            elements,
            guard,
            span: atom.span,
        });
        Ok(Some(program_atom))
    }

    fn element(
        &mut self,
        m: &mut Machine<'_>,
        terms: Vec<TheoryTermId>,
        condition: Vec<Literal>,
    ) -> TheoryElementId {
        let key = (terms, condition);
        if let Some(&id) = self.elements.get(&key) {
            return id;
        }
        let id = TheoryElementId(m.state.program.theory.elements.len() as u32);
        let condition = m.state.program.push_literals(&key.1);
        m.state.program.theory.elements.push(TheoryElement { terms: key.0.clone(), condition });
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
        let args = args.iter().map(|a| self.term(m, a)).collect::<Option<Vec<_>>>()?;
        let term = match t {
            rule::TheoryTerm::Function(name, _) => {
                TheoryTerm::Function(self.add_term(m, TheoryTerm::Symbol(*name)), args)
            }
            rule::TheoryTerm::List(_) => TheoryTerm::List(args),
            rule::TheoryTerm::Set(_) => TheoryTerm::Set(args),
            _ => TheoryTerm::Tuple(args),
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
                    last = self.intern(TheoryTerm::Number(n), theory);
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
                todo.extend(args.iter().filter(|a| !self.symbols.contains_key(*a)));
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
