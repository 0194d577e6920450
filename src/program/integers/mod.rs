//! Integers: constraints of theory atoms over variables with finite domains become plain rules over value atoms.
//!
//! `read` turns theory atoms into constraints, `bounds` narrows the domains by those that hold in any case, `encode` writes rules:
//! an atom for each value of each variable, exactly one of which holds, and weight rules over them. So whatever works for atoms
//! (enumeration, projection, consequences, threads, assumptions, explanations) works for integers. A trail of bounds can take the
//! place of `encode`: nothing else knows how a constraint is represented.
//!
//! Invariants: the answer sets of the program with these rules are the pairs of an answer set and an assignment of values; a
//! variable keeps the values that it had when it was first encoded, since later steps only add constraints. A program whose
//! variables have too many values is refused, never cut short.

mod bounds;
pub(crate) mod column;
pub(crate) mod constraint;
mod domain;
mod encode;
pub(crate) mod kept;
pub(crate) mod read;
pub(crate) mod state;

use super::ground_program::{Program, Show, ShowItem};
use super::rule::{Body, Head, RuleId};
use crate::base::diagnostic::Diagnostic;
use crate::base::symbol::{Sym, SymView, Symbols};
pub(crate) use state::Integers;
use constraint::Variable;
use state::Known;
pub use state::{GREATEST, Limits};

/// The variable and its value for an entry of a program's shows that is a value.
pub(crate) fn value(program: &Program, entry: usize, symbols: &Symbols) -> Option<(Sym, i64)> {
    let is_value = program.integers.shown.iter().any(|range| range.contains(&(entry as u32)));
    let ShowItem::Term(term) = program.shows.get(entry).filter(|_| is_value)?.item else { return None };
    match symbols.view(term) {
        SymView::Fun { args: &[name, value], .. } => Some((name, symbols.as_num(value)?)),
        _ => None,
    }
}

/// Whether all constraints over integers are rules.
pub(crate) fn is_lowered(program: &Program) -> bool {
    !program.theory.integers
        || program.integers.refused.is_none() && program.integers.atoms == program.theory.atoms.len()
}

/// Writes what is new as rules. An error is for the user; then it is one forever.
pub(crate) fn lower(
    program: &mut Program,
    symbols: &mut Symbols,
    limits: Limits,
) -> Result<(), Box<Diagnostic>> {
    if is_lowered(program) {
        return Ok(());
    }
    let mut integers = std::mem::take(&mut program.integers);
    let result = match integers.refused.take() {
        Some(refused) => Err(refused),
        None => integers.lower(program, symbols, limits),
    };
    integers.refused = result.clone().err();
    program.integers = integers;
    result
}

impl Integers {
    fn lower(
        &mut self,
        program: &mut Program,
        symbols: &mut Symbols,
        limits: Limits,
    ) -> Result<(), Box<Diagnostic>> {
        let first = self.variables.len();
        let read = self.read(program, symbols, limits)?;
        self.note_certain(program);
        bounds::narrow(self, first, &read);
        self.encode(program, symbols, first, read)?;
        self.show(program, symbols, first);
        Ok(())
    }

    /// Theory atoms that are facts, or that a constraint rules out.
    fn note_certain(&mut self, program: &Program) {
        for id in self.rules..program.rules.len() {
            let rule = program.rules.get(RuleId(id as u32));
            match (rule.head, rule.body) {
                (Head::Disjunction([atom]), Body::Normal([])) => {
                    self.certain.entry(*atom).or_insert(true);
                }
                (Head::Disjunction([]), Body::Normal([literal])) => {
                    self.certain.entry(literal.atom()).or_insert(literal.is_neg());
                }
                _ => {}
            }
        }
        self.rules = program.rules.len();
    }

    /// Shows the values of new variables, by name.
    fn show(&mut self, program: &mut Program, symbols: &mut Symbols, first: usize) {
        let start = program.shows.len() as u32;
        let name = symbols.intern("__csp");
        let mut new: Vec<&Known> = self.variables[first..].iter().collect();
        new.sort_by(|a, b| symbols.cmp(a.name, b.name));
        for known in new {
            if !self.shows(known.name, symbols) {
                continue;
            }
            for &(value, literal) in known.column.iter().flat_map(|c| &c.0) {
                let value = symbols.num(value);
                let item = ShowItem::Term(symbols.fun(name, &[known.name, value], false));
                let condition = program.push_literals(literal.as_slice());
                program.shows.push(Show { item, condition });
            }
        }
        let wide = (first..self.variables.len()).filter(|&v| {
            self.variables[v].digits.is_some() && self.shows(self.variables[v].name, symbols)
        });
        let wide: Vec<Variable> = wide.map(|v| Variable(v as u32)).collect();
        self.shown_wide.extend(wide);
        self.shown.push(start..program.shows.len() as u32);
    }
}
