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
use crate::base::map::Map;
use crate::base::symbol::{Sym, Symbols};

/// Writes a program that may grow; each call writes one step.
#[derive(Clone, Debug, Default)]
pub struct AspifWriter {
    incremental: bool,
    steps: usize,
    rules: usize,
    shows: usize,
    project: usize,
    externals: usize,
    heuristics: usize,
    edges: usize,
    assumptions: usize,
    theory: (usize, usize, usize),
    /// The objective at the end of the last step, by priority.
    objective: BTreeMap<i64, (i64, Map<Literal, i64>)>,
    nodes: Map<Sym, usize>,
    /// An atom that only the output has, true in every answer set.
    truth: Option<u32>,
}

/// The whole program as one step.
#[cfg(test)]
pub(crate) fn to_aspif(program: &Program, symbols: &Symbols) -> String {
    let mut out = Vec::new();
    // Writing to memory cannot fail.
    let _ = AspifWriter::new(false).write(program, symbols, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

fn atom(atom: AtomId) -> u64 {
    u64::from(atom.0) + 1
}

fn literal(literal: Literal) -> i64 {
    let number = i64::from(literal.atom().0) + 1;
    if literal.is_neg() { -number } else { number }
}

fn push_atoms(atoms: &[AtomId], line: &mut String) {
    let _ = write!(line, " {}", atoms.len());
    for &a in atoms {
        let _ = write!(line, " {}", atom(a));
    }
}

fn push_literals(literals: &[Literal], line: &mut String) {
    let _ = write!(line, " {}", literals.len());
    for &l in literals {
        let _ = write!(line, " {}", literal(l));
    }
}

impl AspifWriter {
    /// A writer; `incremental` if there may be several steps.
    pub fn new(incremental: bool) -> Self {
        Self { incremental, ..Self::default() }
    }

    /// Writes as a step what is new in a lowered program. Errors if `out` does.
    pub fn write(&mut self, program: &Program, symbols: &Symbols, out: &mut dyn io::Write) -> io::Result<()> {
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
        for rule in program.rules.iter().skip(self.rules) {
            let choice = matches!(rule.head, Head::Choice(_));
            let _ = write!(line, "1 {}", u8::from(choice));
            push_atoms(rule.head.atoms(), &mut line);
            match rule.body {
                Body::Normal(literals) => {
                    line.push_str(" 0");
                    push_literals(literals, &mut line);
                }
                Body::Weight { bound, literals, weights } => {
                    let _ = write!(line, " 1 {bound} {}", literals.len());
                    for (&l, w) in literals.iter().zip(weights) {
                        let _ = write!(line, " {} {w}", literal(l));
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
                        // Greater than all atoms that later steps may add.
                        let truth =
                            if self.incremental { (1 << 31) - 1 } else { program.atoms.len() as u32 + 1 };
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
                let _ = write!(line, " {} {weight}", literal(l));
            }
            flush(&mut line)?;
        }
        if let Some(atoms) = &program.project {
            if self.project < atoms.len() || self.project == 0 {
                line.push('3');
                push_atoms(since(atoms, self.project), &mut line);
                flush(&mut line)?;
            }
        }
        let mut text = String::new();
        for show in since(&program.shows, self.shows) {
            text.clear();
            match show.item {
                ShowItem::Atom(atom) => program.atoms.write(atom, symbols, &mut text),
                ShowItem::Term(term) => symbols.write(term, &mut text),
            }
            let _ = write!(line, "4 {} {text}", text.len());
            push_literals(program.literals(show.condition), &mut line);
            flush(&mut line)?;
        }
        for &(a, value) in since(&program.externals, self.externals) {
            let value = match value {
                ExternalValue::Free => 0,
                ExternalValue::True => 1,
                ExternalValue::False => 2,
                ExternalValue::Release => 3,
            };
            let _ = write!(line, "5 {} {value}", atom(a));
            flush(&mut line)?;
        }
        if self.assumptions < program.assumptions.len() {
            line.push('6');
            push_literals(since(&program.assumptions, self.assumptions), &mut line);
            flush(&mut line)?;
        }
        for heuristic in since(&program.heuristics, self.heuristics) {
            let (modifier, a) = (modifier_number(heuristic.modifier), atom(heuristic.atom));
            let _ = write!(line, "7 {modifier} {a} {} {}", heuristic.bias, heuristic.priority);
            push_literals(program.literals(heuristic.condition), &mut line);
            flush(&mut line)?;
        }
        for edge in since(&program.edges, self.edges) {
            let [from, to] = [edge.from, edge.to].map(|node| {
                let next = self.nodes.len();
                *self.nodes.entry(node).or_insert(next)
            });
            let _ = write!(line, "8 {from} {to}");
            push_literals(program.literals(edge.condition), &mut line);
            flush(&mut line)?;
        }
        self.theory(program, symbols, &mut line, &mut flush)?;
        line.push('0');
        flush(&mut line)?;
        self.rules = program.rules.len();
        self.shows = program.shows.len();
        self.project = program.project.as_ref().map_or(0, Vec::len);
        self.externals = program.externals.len();
        self.assumptions = program.assumptions.len();
        self.heuristics = program.heuristics.len();
        self.edges = program.edges.len();
        Ok(())
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
        for (id, term) in theory.terms.iter().enumerate().skip(self.theory.0) {
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
        for (id, element) in theory.elements.iter().enumerate().skip(self.theory.1) {
            let _ = write!(line, "9 4 {id}");
            numbers(&element.terms, line);
            push_literals(program.literals(element.condition), line);
            flush(line)?;
        }
        for a in since(&theory.atoms, self.theory.2) {
            let kind = if a.guard.is_some() { 6 } else { 5 };
            let number = a.atom.map_or(0, atom);
            let _ = write!(line, "9 {kind} {number} {} {}", a.term.0, a.elements.len());
            a.elements.iter().for_each(|id| {
                let _ = write!(line, " {}", id.0);
            });
            if let Some((operator, term)) = a.guard {
                let _ = write!(line, " {} {}", operator.0, term.0);
            }
            flush(line)?;
        }
        self.theory = (theory.terms.len(), theory.elements.len(), theory.atoms.len());
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
