//! Reads aspif, step by step, into a program of plain rules.
//!
//! Invariant: an atom gets its name from the first output directive that prints a function term for this atom alone;
//! every other output becomes a term shown under a condition. Source: see `aspif`.

use std::collections::BTreeMap;
use std::num::NonZeroI64;

use super::atom_table::{AtomId, Literal};
use super::defined::drop_defined;
use super::ground_program::{
    Edge, ExternalValue, Heuristic, HeuristicModifier, Literals, Objective, Program, Show, ShowItem,
    TheoryAtom, TheoryElement, TheoryElementId, TheoryTerm, TheoryTermId,
};
use super::integers;
use super::rule::RuleSource;
use super::scan::{Cursor, ReadError, parse_term};
use asp_base::map::Map;
use asp_base::signature::Signature;
use asp_base::span::Span;
use asp_base::symbol::{Sym, SymView, Symbols};

/// Reads the steps of one input.
#[derive(Clone, Debug)]
pub struct AspifReader<'a> {
    cursor: Cursor<'a>,
    state: State,
    literals: Vec<Literal>,
}

/// The state between two steps.
#[derive(Clone, Debug, Default)]
struct State {
    incremental: Option<bool>,
    names: Names,
    objective: BTreeMap<i64, BTreeMap<Literal, i64>>,
    terms: Map<i64, TheoryTermId>,
    elements: Map<i64, TheoryElementId>,
}

/// A reader between two steps, without its text.
#[derive(Clone, Debug)]
pub struct Paused {
    place: (usize, usize),
    state: State,
}

/// Atoms by number, and their names; shared by the readers of ground formats.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    atoms: Map<i64, AtomId>,
    signatures: Map<Signature, u32>,
    taken: Map<Sym, AtomId>,
}

impl Names {
    pub(super) fn atom(&mut self, number: i64, program: &mut Program) -> AtomId {
        *self.atoms.entry(number).or_insert_with(|| program.atoms.add_aux())
    }
    /// Makes the atom with a number true or, if it is negative, false.
    pub(super) fn force(&mut self, number: NonZeroI64, program: &mut Program) {
        let atom = self.atom(number.get().saturating_abs(), program);
        program.rules.add(false, &[], &[Literal::new(atom, number.get() > 0)], RuleSource::NONE);
    }
    /// All numbers with their atoms.
    pub(super) fn numbers(&self) -> Vec<(i64, AtomId)> {
        self.atoms.iter().map(|(&number, &atom)| (number, atom)).collect()
    }
    /// Makes `text` be shown if the literals hold.
    pub(super) fn show(
        &mut self,
        text: &str,
        literals: &[Literal],
        program: &mut Program,
        symbols: &mut Symbols,
    ) {
        let term = parse_term(text, symbols).unwrap_or_else(|| {
            // Not a term: a constant prints the text unchanged.
            let name = symbols.intern(text);
            symbols.constant(name)
        });
        let condition = program.push_literals(literals);
        let mut item = ShowItem::Term(term);
        if let ([literal], SymView::Fun { name, args, negative }) = (literals, symbols.view(term)) {
            let atom = literal.atom();
            if !literal.is_neg() && program.atoms.get(atom).is_none() && !self.taken.contains_key(&term) {
                let signature = Signature { name, arity: args.len() as u32, negative };
                let atoms = &mut program.atoms;
                let row = *self.signatures.entry(signature).or_insert_with(|| atoms.add_signature(signature));
                atoms.set_name(atom, row, args);
                self.taken.insert(term, atom);
                item = ShowItem::Atom(atom);
            }
        }
        program.shows.push(Show { item, condition });
    }
}

impl<'a> AspifReader<'a> {
    /// A reader of a text.
    pub fn new(text: &'a [u8]) -> Self {
        Self { cursor: Cursor::new(text), state: State::default(), literals: Vec::new() }
    }

    /// Releases the text between two steps.
    pub fn pause(self) -> Paused {
        Paused { place: self.cursor.place(), state: self.state }
    }

    /// Continues with the same text.
    pub fn resume(text: &'a [u8], paused: Paused) -> Self {
        Self { cursor: Cursor::at(text, paused.place), state: paused.state, literals: Vec::new() }
    }

    /// Makes the atom with a number true or, if it is negative, false.
    pub fn force(&mut self, number: NonZeroI64, program: &mut Program) {
        self.state.names.force(number, program);
    }

    /// The numbers read so far with their atoms.
    pub fn numbers(&self) -> Vec<(i64, AtomId)> {
        self.state.names.numbers()
    }

    /// Whether the header says that there may be several steps (known after the first one).
    pub fn is_incremental(&self) -> bool {
        self.state.incremental == Some(true)
    }

    /// Reads the next step into the program; `false` if there is none.
    pub fn read_step(&mut self, program: &mut Program, symbols: &mut Symbols) -> Result<bool, ReadError> {
        if self.state.incremental.is_none() {
            self.header()?;
        } else if self.cursor.at_end() {
            return Ok(false);
        } else if self.state.incremental == Some(false) {
            return self.cursor.error("input goes on after the end of the only step");
        }
        let mut changed = false;
        let (first_external, first_rule) = (program.externals.len(), program.rules.len());
        let mut read = Vec::new();
        loop {
            self.cursor.blanks();
            match self.cursor.bounded("directive", 0, 10)? {
                0 => {
                    self.cursor.end_of_line()?;
                    drop_defined(program, (first_external, first_rule), &read);
                    integers::names::recognise(program, symbols);
                    break;
                }
                1 => self.rule(program)?,
                2 => {
                    self.minimize(program)?;
                    changed = true;
                }
                3 => {
                    let mut atoms = program.project.take().unwrap_or_default();
                    for _ in 0..self.cursor.count("number of atoms")? {
                        atoms.push(self.atom(program)?);
                    }
                    program.project = Some(atoms);
                }
                4 => self.output(program, symbols)?,
                5 => {
                    let atom = self.atom(program)?;
                    let value = match self.cursor.bounded("value", 0, 3)? {
                        0 => ExternalValue::Free,
                        1 => ExternalValue::True,
                        2 => ExternalValue::False,
                        _ => ExternalValue::Release,
                    };
                    if program.externals.push(atom, value) {
                        read.push(program.rules.len());
                    }
                }
                6 => {
                    self.condition(program)?;
                    program.assumptions.extend_from_slice(&self.literals);
                }
                7 => self.heuristic(program)?,
                8 => {
                    let from = self.cursor.integer("node")?;
                    let to = self.cursor.integer("node")?;
                    let (from, to) = (symbols.num(from), symbols.num(to));
                    let condition = self.condition(program)?;
                    program.edges.push(Edge { from, to, condition, source: RuleSource::NONE });
                }
                9 => self.theory(program, symbols)?,
                _ => {
                    self.cursor.skip_line();
                    continue;
                }
            }
            self.cursor.end_of_line()?;
        }
        if changed {
            for literals in self.state.objective.values() {
                let total: u128 = literals.values().map(|w| u128::from(w.unsigned_abs())).sum();
                if total > i64::MAX as u128 {
                    return self
                        .cursor
                        .error("the weights of the objective add up to a number outside the 64-bit range");
                }
            }
            program.objectives = self
                .state
                .objective
                .iter()
                .rev()
                .map(|(&priority, literals)| Objective {
                    priority,
                    constant: 0,
                    literals: literals.iter().map(|(&l, &w)| (l, w)).filter(|l| l.1 != 0).collect(),
                })
                .collect();
        }
        Ok(true)
    }

    fn header(&mut self) -> Result<(), ReadError> {
        if !self.cursor.eat("asp ") {
            return self.cursor.error("'asp 1 0 0' expected");
        }
        let major = self.cursor.integer("version")?;
        let minor = self.cursor.integer("version")?;
        self.cursor.integer("version")?;
        if (major, minor) != (1, 0) {
            return self.cursor.error(format!("version {major}.{minor} of the format is not supported"));
        }
        self.cursor.blanks();
        let mut incremental = false;
        while !matches!(self.cursor.peek(), None | Some(b'\n')) {
            match self.cursor.word() {
                b"incremental" => incremental = true,
                tag => {
                    let tag = String::from_utf8_lossy(tag).into_owned();
                    return self.cursor.error(format!("unknown tag '{tag}'"));
                }
            }
            self.cursor.blanks();
        }
        self.state.incremental = Some(incremental);
        self.cursor.end_of_line()
    }

    fn atom(&mut self, program: &mut Program) -> Result<AtomId, ReadError> {
        let number = self.cursor.bounded("atom", 1, (1 << 31) - 1)?;
        Ok(self.state.names.atom(number, program))
    }

    fn literal(&mut self, program: &mut Program) -> Result<Literal, ReadError> {
        let number = self.cursor.bounded("literal", 1 - (1 << 31), (1 << 31) - 1)?;
        if number == 0 {
            return self.cursor.error("literal expected, found 0");
        }
        Ok(Literal::new(self.state.names.atom(number.abs(), program), number < 0))
    }

    /// Reads literals; they also remain in `self.literals`.
    fn condition(&mut self, program: &mut Program) -> Result<Literals, ReadError> {
        self.literals.clear();
        for _ in 0..self.cursor.count("number of literals")? {
            let literal = self.literal(program)?;
            self.literals.push(literal);
        }
        Ok(program.push_literals(&self.literals))
    }

    fn rule(&mut self, program: &mut Program) -> Result<(), ReadError> {
        let choice = self.cursor.bounded("kind of head", 0, 1)? == 1;
        let mut head = Vec::new();
        for _ in 0..self.cursor.count("number of atoms")? {
            head.push(self.atom(program)?);
        }
        if self.cursor.bounded("kind of body", 0, 1)? == 0 {
            self.literals.clear();
            for _ in 0..self.cursor.count("number of literals")? {
                let literal = self.literal(program)?;
                self.literals.push(literal);
            }
            program.rules.add(choice, &head, &self.literals, RuleSource::NONE);
            return Ok(());
        }
        let bound = self.cursor.integer("bound")?;
        let (mut body, mut total) = (Vec::new(), 0i64);
        for _ in 0..self.cursor.count("number of literals")? {
            let literal = self.literal(program)?;
            let weight = self.cursor.bounded("weight", 0, i64::MAX)?;
            match total.checked_add(weight) {
                Some(sum) => total = sum,
                None => return self.cursor.error("the weights add up to a number outside the 64-bit range"),
            }
            if weight > 0 {
                body.push((literal, weight));
            }
        }
        add_weight_rule(program, choice, &head, bound, &body);
        Ok(())
    }

    fn minimize(&mut self, program: &mut Program) -> Result<(), ReadError> {
        let priority = self.cursor.integer("priority")?;
        self.state.objective.entry(priority).or_default();
        for _ in 0..self.cursor.count("number of literals")? {
            let literal = self.literal(program)?;
            let weight = self.cursor.integer("weight")?;
            let sum = self.state.objective.entry(priority).or_default().entry(literal).or_default();
            match sum.checked_add(weight) {
                Some(next) => *sum = next,
                None => return self.cursor.error("the weights add up to a number outside the 64-bit range"),
            }
        }
        Ok(())
    }

    fn string(&mut self) -> Result<&'a str, ReadError> {
        let len = self.cursor.count("length")?;
        if self.cursor.bump() != Some(b' ') {
            return self.cursor.error("a blank expected before the text");
        }
        let Some(bytes) = self.cursor.take(len) else { return self.cursor.error("the text ends early") };
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(text),
            Err(_) => self.cursor.error("the text is not UTF-8"),
        }
    }

    fn output(&mut self, program: &mut Program, symbols: &mut Symbols) -> Result<(), ReadError> {
        let text = self.string()?;
        if self.cursor.bump() != Some(b' ') {
            return self.cursor.error("a blank expected after the text, whose length may be wrong");
        }
        self.literals.clear();
        for _ in 0..self.cursor.count("number of literals")? {
            let literal = self.literal(program)?;
            self.literals.push(literal);
        }
        self.state.names.show(text, &self.literals, program, symbols);
        Ok(())
    }

    fn heuristic(&mut self, program: &mut Program) -> Result<(), ReadError> {
        let modifier = match self.cursor.bounded("modifier", 0, 5)? {
            0 => HeuristicModifier::Level,
            1 => HeuristicModifier::Sign,
            2 => HeuristicModifier::Factor,
            3 => HeuristicModifier::Init,
            4 => HeuristicModifier::True,
            _ => HeuristicModifier::False,
        };
        let atom = self.atom(program)?;
        let bias = self.cursor.bounded("bias", i32::MIN.into(), i32::MAX.into())? as i32;
        let priority = self.cursor.count("priority")? as u32;
        let condition = self.condition(program)?;
        program.heuristics.push(Heuristic { atom, modifier, bias, priority, condition });
        Ok(())
    }

    fn theory_term(&mut self) -> Result<TheoryTermId, ReadError> {
        let number = self.cursor.integer("theory term")?;
        match self.state.terms.get(&number) {
            Some(&id) => Ok(id),
            None => self.cursor.error(format!("theory term {number} is not defined")),
        }
    }

    fn theory_terms(&mut self) -> Result<Vec<TheoryTermId>, ReadError> {
        (0..self.cursor.count("number of terms")?).map(|_| self.theory_term()).collect()
    }

    fn theory(&mut self, program: &mut Program, symbols: &mut Symbols) -> Result<(), ReadError> {
        let kind = self.cursor.bounded("kind of theory statement", 0, 6)?;
        let number = self.cursor.integer("number")?;
        match kind {
            0..=2 => {
                let term = match kind {
                    0 => TheoryTerm::Number(self.cursor.integer("number")?),
                    1 => TheoryTerm::Symbol(symbols.intern(self.string()?)),
                    _ => match self.cursor.integer("kind of term")? {
                        -1 => TheoryTerm::Tuple(self.theory_terms()?),
                        -2 => TheoryTerm::Set(self.theory_terms()?),
                        -3 => TheoryTerm::List(self.theory_terms()?),
                        name => {
                            let Some(&name) = self.state.terms.get(&name) else {
                                return self.cursor.error(format!("theory term {name} is not defined"));
                            };
                            TheoryTerm::Function(name, self.theory_terms()?)
                        }
                    },
                };
                self.state.terms.insert(number, TheoryTermId(program.theory.terms.len() as u32));
                program.theory.terms.push(term);
            }
            4 => {
                let terms = self.theory_terms()?;
                let condition = self.condition(program)?;
                self.state.elements.insert(number, TheoryElementId(program.theory.elements.len() as u32));
                program.theory.elements.push(TheoryElement { terms, condition });
            }
            5 | 6 => {
                if !(0..1 << 31).contains(&number) {
                    return self.cursor.error(format!("atom expected, found {number}"));
                }
                let atom = (number != 0).then(|| self.state.names.atom(number, program));
                let term = self.theory_term()?;
                let mut elements = Vec::new();
                for _ in 0..self.cursor.count("number of elements")? {
                    let number = self.cursor.integer("theory element")?;
                    match self.state.elements.get(&number) {
                        Some(&id) => elements.push(id),
                        None => return self.cursor.error(format!("theory element {number} is not defined")),
                    }
                }
                let guard = if kind == 6 { Some((self.theory_term()?, self.theory_term()?)) } else { None };
                program.theory.atoms.push(TheoryAtom { atom, term, elements, guard, span: Span::NONE });
            }
            _ => return self.cursor.error("unknown kind of theory statement"),
        }
        Ok(())
    }
}

/// Adds a weight rule, or an equivalent rule if its bound is trivial.
pub(super) fn add_weight_rule(
    program: &mut Program,
    choice: bool,
    head: &[AtomId],
    bound: i64,
    body: &[(Literal, i64)],
) {
    if bound <= 0 {
        program.rules.add(choice, head, &[], RuleSource::NONE);
    } else {
        program.rules.add_weight(choice, head, bound, body, RuleSource::NONE);
    }
}
