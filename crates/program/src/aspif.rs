//! Writes lowered programs in aspif, the intermediate format of gringo and clasp.
//!
//! Atom `n` of the format is the atom of index `n - 1`. Source: Kaminski, Romero, Schaub, Wanko, *How to build your own
//! ASP-based system?!*, TPLP 2023, appendix; Gebser et al., *Theory Solving Made Easy with Clingo 5*, 2016.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;

use super::atom_table::{AtomId, Literal};
use super::ground_program::{
    ExternalValue, HeuristicModifier, Objective, Program, ShowItem, TheoryTerm, TheoryTermId, since,
};
use super::rule::{Body, Head};
use super::written::{Written, number, shown, signed};
use asp_base::map::Map;
use asp_base::symbol::{Sym, Symbols};

/// Writes a program that may grow; each call writes one step.
#[derive(Clone, Debug, Default)]
pub struct AspifWriter {
    incremental: bool,
    steps: usize,
    written: Written,
    /// The shown terms of all steps, with the conditions that are written.
    shown: Map<Sym, Vec<Vec<Literal>>>,
    /// The objective at the end of the last step, by priority.
    objective: BTreeMap<i64, (i64, Map<Literal, i64>)>,
    /// An atom that only the output has, true in every answer set.
    truth: Option<i64>,
    /// The number of atoms that only the output has, if there is one step.
    own: u32,
}

/// An atom that only the output has. If there may be further steps, the program keeps it free of other use.
fn fresh(incremental: bool, own: &mut u32, program: &mut Program) -> AtomId {
    if incremental {
        return program.atoms.add_aux();
    }
    *own += 1;
    AtomId(program.atoms.len() as u32 + *own - 1)
}

/// Appends a blank and a number.
fn push(number: impl itoa::Integer, line: &mut String) {
    line.push(' ');
    line.push_str(itoa::Buffer::new().format(number));
}

fn push_atoms(atoms: &[AtomId], line: &mut String) {
    push(atoms.len(), line);
    atoms.iter().for_each(|&a| push(number(a), line));
}

fn push_literals(literals: &[Literal], line: &mut String) {
    push(literals.len(), line);
    literals.iter().for_each(|&l| push(signed(l), line));
}

impl AspifWriter {
    /// A writer; `incremental` if there may be several steps.
    pub fn new(incremental: bool) -> Self {
        Self { incremental, ..Self::default() }
    }

    /// Writes as a step what is new in a lowered program, which gets atoms that only the output derives if there may be
    /// further steps. Errors if `out` does.
    pub fn write(
        &mut self,
        program: &mut Program,
        symbols: &Symbols,
        out: &mut dyn io::Write,
    ) -> io::Result<()> {
        debug_assert!(program.is_lowered());
        if self.steps == 0 {
            out.write_all(b"asp 1 0 0")?;
            out.write_all(if self.incremental { b" incremental\n" } else { b"\n" })?;
        }
        self.steps += 1;
        let mut line = String::new();
        let mut flush = |line: &mut String| -> io::Result<()> {
            line.push('\n');
            out.write_all(line.as_bytes())?;
            line.clear();
            Ok(())
        };
        for rule in program.rules.iter().skip(self.written.rules) {
            let choice = matches!(rule.head, Head::Choice(_));
            line.push_str(if choice { "1 1" } else { "1 0" });
            push_atoms(rule.head.atoms(), &mut line);
            match rule.body {
                Body::Normal(literals) => {
                    line.push_str(" 0");
                    push_literals(literals, &mut line);
                }
                Body::Weight { bound, literals, weights } => {
                    line.push_str(" 1");
                    push(bound, &mut line);
                    push(literals.len(), &mut line);
                    for (&l, &w) in literals.iter().zip(weights) {
                        push(signed(l), &mut line);
                        push(w, &mut line);
                    }
                }
            }
            flush(&mut line)?;
        }
        for Objective { priority, constant, literals } in self.new_objective(program) {
            let mut count = literals.len();
            let mut constants = String::new();
            if constant != 0 {
                let truth = match self.truth {
                    Some(truth) => truth,
                    None => {
                        let truth = number(fresh(self.incremental, &mut self.own, program));
                        let _ = write!(line, "1 0 1 {truth} 0 0");
                        flush(&mut line)?;
                        truth
                    }
                };
                self.truth = Some(truth);
                let _ = write!(constants, " {truth} {constant}");
                count += 1;
            }
            let _ = write!(line, "2 {priority} {count}{constants}");
            for (l, weight) in literals {
                let _ = write!(line, " {} {weight}", signed(l));
            }
            flush(&mut line)?;
        }
        if let Some(atoms) = &program.project
            && (self.written.project < atoms.len() || self.written.project == 0)
        {
            line.push('3');
            push_atoms(since(atoms, self.written.project), &mut line);
            flush(&mut line)?;
        }
        let mut text = String::new();
        for (entry, conditions) in shown(program, self.written.shows) {
            let show = program.shows[entry];
            let joined = match show.item {
                ShowItem::Term(term) if !conditions.is_empty() => {
                    let Some(joined) = self.joined(term, conditions, program, &mut line, &mut flush)? else {
                        continue;
                    };
                    Some(joined)
                }
                _ => None,
            };
            text.clear();
            program.write_shown(show.item, symbols, &mut text);
            line.push('4');
            push(text.len(), &mut line);
            line.push(' ');
            line.push_str(&text);
            push_literals(joined.as_deref().unwrap_or(program.literals(show.condition)), &mut line);
            flush(&mut line)?;
        }
        for &(a, value) in since(&program.externals, self.written.externals) {
            let value = match value {
                ExternalValue::Free => 0,
                ExternalValue::True => 1,
                ExternalValue::False => 2,
                ExternalValue::Release => 3,
            };
            let _ = write!(line, "5 {} {value}", number(a));
            flush(&mut line)?;
        }
        if self.written.assumptions < program.assumptions.len() {
            line.push('6');
            push_literals(since(&program.assumptions, self.written.assumptions), &mut line);
            flush(&mut line)?;
        }
        for heuristic in since(&program.heuristics, self.written.heuristics) {
            let (modifier, a) = (modifier_number(heuristic.modifier), number(heuristic.atom));
            let _ = write!(line, "7 {modifier} {a} {} {}", heuristic.bias, heuristic.priority);
            push_literals(program.literals(heuristic.condition), &mut line);
            flush(&mut line)?;
        }
        for edge in since(&program.edges, self.written.edges) {
            let [from, to] = self.written.nodes(edge, symbols);
            let _ = write!(line, "8 {from} {to}");
            push_literals(program.literals(edge.condition), &mut line);
            flush(&mut line)?;
        }
        self.theory(program, symbols, &mut line, &mut flush)?;
        line.push('0');
        flush(&mut line)?;
        self.written.note(program);
        Ok(())
    }

    /// Joins the new conditions of a term into one; `None` if that leaves nothing. If the term was written in an earlier step,
    /// the condition also says that the earlier ones do not hold. Writes the rules that it needs, for atoms that only the
    /// output derives.
    fn joined(
        &mut self,
        term: Sym,
        conditions: Vec<Vec<Literal>>,
        program: &mut Program,
        line: &mut String,
        flush: &mut dyn FnMut(&mut String) -> io::Result<()>,
    ) -> io::Result<Option<Vec<Literal>>> {
        let Self { incremental, own, shown, .. } = self;
        let before = shown.entry(term).or_default();
        let mut new: Vec<Vec<Literal>> = conditions.into_iter().filter(|c| !before.contains(c)).collect();
        if new.is_empty() || before.iter().any(Vec::is_empty) {
            return Ok(None);
        }
        let mut any_of = |bodies: &[Vec<Literal>]| -> io::Result<Literal> {
            if let [body] = bodies
                && let [literal] = body[..]
            {
                return Ok(literal);
            }
            let aux = fresh(*incremental, own, program);
            for body in bodies {
                let _ = write!(line, "1 0 1 {} 0", number(aux));
                push_literals(body, line);
                flush(line)?;
            }
            Ok(Literal::pos(aux))
        };
        if !before.is_empty() {
            let shown = any_of(before)?;
            before.extend_from_slice(&new);
            new.iter_mut().for_each(|body| body.push(!shown));
        } else if *incremental {
            before.extend_from_slice(&new);
        }
        match &new[..] {
            [_] => Ok(new.pop()),
            bodies => Ok(Some(vec![any_of(bodies)?])),
        }
    }

    /// The difference to the objective of the last step, least priority first.
    fn new_objective(&mut self, program: &Program) -> Vec<Objective> {
        let mut changes = Vec::new();
        for objective in program.objectives.iter().rev() {
            let known = self.objective.contains_key(&objective.priority);
            let (constant, weights) = self.objective.entry(objective.priority).or_default();
            let mut change: BTreeMap<Literal, i64> = weights.drain().map(|(l, w)| (l, -w)).collect();
            for &(l, weight) in &objective.literals {
                let entry = change.entry(l).or_default();
                *entry = entry.saturating_add(weight);
                weights.insert(l, weight);
            }
            change.retain(|_, w| *w != 0);
            let constant_change = objective.constant.saturating_sub(*constant);
            *constant = objective.constant;
            if !known || constant_change != 0 || !change.is_empty() {
                changes.push(Objective {
                    priority: objective.priority,
                    constant: constant_change,
                    literals: change.into_iter().collect(),
                });
            }
        }
        changes
    }

    fn theory(
        &mut self,
        program: &Program,
        symbols: &Symbols,
        line: &mut String,
        flush: &mut dyn FnMut(&mut String) -> io::Result<()>,
    ) -> io::Result<()> {
        let theory = &program.theory;
        let numbers = |ids: &[TheoryTermId], line: &mut String| {
            let _ = write!(line, " {}", ids.len());
            ids.iter().for_each(|id| {
                let _ = write!(line, " {}", id.0);
            });
        };
        for (id, term) in theory.terms.iter().enumerate().skip(self.written.theory.0) {
            match term {
                TheoryTerm::Number(n) => {
                    let _ = write!(line, "9 0 {id} {n}");
                }
                TheoryTerm::Symbol(name) => {
                    let name = symbols.str(*name);
                    let _ = write!(line, "9 1 {id} {} {name}", name.len());
                }
                TheoryTerm::Function(name, args) => {
                    let _ = write!(line, "9 2 {id} {}", name.0);
                    numbers(args, line);
                }
                TheoryTerm::Tuple(args) => {
                    let _ = write!(line, "9 2 {id} -1");
                    numbers(args, line);
                }
                TheoryTerm::Set(args) => {
                    let _ = write!(line, "9 2 {id} -2");
                    numbers(args, line);
                }
                TheoryTerm::List(args) => {
                    let _ = write!(line, "9 2 {id} -3");
                    numbers(args, line);
                }
            }
            flush(line)?;
        }
        for (id, element) in theory.elements.iter().enumerate().skip(self.written.theory.1) {
            let _ = write!(line, "9 4 {id}");
            numbers(&element.terms, line);
            push_literals(program.literals(element.condition), line);
            flush(line)?;
        }
        for a in since(&theory.atoms, self.written.theory.2) {
            let kind = if a.guard.is_some() { 6 } else { 5 };
            let atom = a.atom.map_or(0, number);
            let _ = write!(line, "9 {kind} {atom} {} {}", a.term.0, a.elements.len());
            a.elements.iter().for_each(|id| {
                let _ = write!(line, " {}", id.0);
            });
            if let Some((operator, term)) = a.guard {
                let _ = write!(line, " {} {}", operator.0, term.0);
            }
            flush(line)?;
        }
        Ok(())
    }
}

/// The number of a heuristic modifier in the format.
pub(super) fn modifier_number(modifier: HeuristicModifier) -> u8 {
    match modifier {
        HeuristicModifier::Level => 0,
        HeuristicModifier::Sign => 1,
        HeuristicModifier::Factor => 2,
        HeuristicModifier::Init => 3,
        HeuristicModifier::True => 4,
        HeuristicModifier::False => 5,
    }
}
