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
use crate::base::diagnostic::{Diagnostic, WarningKind};
use crate::base::symbol::{Sym, SymView, Symbols};
pub(crate) use state::Integers;
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

/// Writes what is new as rules, or keeps it for the solver, and returns a warning about it, if there is one. An error is for the
/// user; then it is one forever.
pub(crate) fn lower(
    program: &mut Program,
    symbols: &mut Symbols,
    limits: Limits,
) -> Result<Option<Diagnostic>, Box<Diagnostic>> {
    if is_lowered(program) {
        return Ok(None);
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
    ) -> Result<Option<Diagnostic>, Box<Diagnostic>> {
        let first = self.variables.len();
        let read = self.read(program, symbols, limits)?;
        self.note_certain(program);
        bounds::narrow(self, first, &read);
        self.encode(program, symbols, first, read, limits.atoms)?;
        self.show(program, symbols, first);
        Ok(self.unbounded(symbols, first, limits))
    }

    /// A warning about new variables that nothing bounds.
    fn unbounded(&self, symbols: &Symbols, first: usize, limits: Limits) -> Option<Diagnostic> {
        let is_open = |known: &&Known| {
            known.domain.bounds().is_some_and(|(low, high)| low == limits.least || high == limits.greatest)
        };
        let mut open = self.variables[first..].iter().filter(|k| k.digits.is_some()).filter(is_open);
        let known = open.next()?;
        let others = match open.count() {
            0 => String::new(),
            1 => " (and one more)".into(),
            n => format!(" (and {n} more)"),
        };
        let name = symbols.display(known.name);
        let (low, high) = known.domain.bounds()?;
        let message = format!("nothing bounds the integer variable `{name}`{others}: it may be {low} to {high}");
        Some(
            Diagnostic::warning(WarningKind::Other, known.span, message)
                .caption("it is mentioned here")
                .help(format!("give it a domain: `&dom {{ a..b }} = {name}.`")),
        )
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
        self.shown.push(start..program.shows.len() as u32);
        let start = program.shows.len() as u32;
        let name = symbols.intern("__digit");
        for known in &self.variables[first..] {
            if !self.shows(known.name, symbols) {
                continue;
            }
            for (k, literal) in known.digits.iter().flat_map(|d| &d.literals).enumerate() {
                let worth = symbols.num(1 << k);
                let item = ShowItem::Term(symbols.fun(name, &[known.name, worth], false));
                let condition = program.push_literals(&[*literal]);
                program.shows.push(Show { item, condition });
            }
        }
        self.shown_digits.push(start..program.shows.len() as u32);
    }
}
