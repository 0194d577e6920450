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
mod column;
mod constraint;
mod domain;
mod encode;
pub(crate) mod read;

use std::ops::Range;

use super::atom_table::{AtomId, Literal};
use super::ground_program::{Program, Show, ShowItem, TheoryTermId};
use crate::base::diagnostic::Diagnostic;
use crate::base::map::Map;
use crate::base::span::Span;
use crate::base::symbol::{StrId, Sym, Symbols};
use column::Column;
use constraint::{Sum, Variable};
use domain::Domain;

/// The greatest absolute value that a variable may have.
pub const GREATEST: i64 = (1 << 30) - 1;

/// The values that variables may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The least value.
    pub least: i64,
    /// The greatest value.
    pub greatest: i64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { least: -GREATEST, greatest: GREATEST }
    }
}

/// What is known of a variable.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) name: Sym,
    /// An atom that mentions it.
    span: Span,
    domain: Domain,
    /// Its values with their literals, once it is encoded.
    pub(crate) column: Option<Column>,
}

/// All integers of a program.
#[derive(Clone, Debug, Default)]
pub struct Integers {
    pub(crate) variables: Vec<Known>,
    of_name: Map<Sym, Variable>,
    /// The symbols that theory terms stand for, by number; `None` if there is none.
    terms: Vec<Option<Sym>>,
    /// How many theory atoms and rules have been read.
    atoms: usize,
    rules: usize,
    /// Theory atoms that certainly hold, or do not.
    certain: Map<AtomId, bool>,
    /// Literals for sums that are greater than 0.
    positive: Map<Sum, encode::Formula>,
    /// Columns of products and sums.
    columns: Map<Sum, Column>,
    /// Signatures and terms of `&show`.
    signatures: Option<Vec<(StrId, usize)>>,
    named: Vec<Sym>,
    /// Entries of the program's shows that are values, each with its variable.
    pub(crate) shown: Vec<Range<u32>>,
    /// Costs of values, and those of any answer set, if there is an objective.
    pub(crate) objective: Option<(i64, Vec<(Literal, i64)>)>,
    /// Literals of rules so far.
    size: usize,
    /// Why the program was refused.
    refused: Option<Box<Diagnostic>>,
}

impl Integers {
    /// The variable of a name; a new one may have any value.
    fn variable(&mut self, name: Sym, span: Span, limits: Limits) -> Variable {
        let next = Variable(self.variables.len() as u32);
        let variable = *self.of_name.entry(name).or_insert(next);
        if variable == next {
            let domain = Domain::of(limits.least, limits.greatest);
            self.variables.push(Known { name, span, domain, column: None });
        }
        variable
    }

    /// The variable and its value for an entry of the program's shows that is a value.
    pub(crate) fn value(&self, program: &Program, entry: usize, symbols: &Symbols) -> Option<(Sym, i64)> {
        let is_value = self.shown.iter().any(|range| range.contains(&(entry as u32)));
        let ShowItem::Term(term) = program.shows.get(entry).filter(|_| is_value)?.item else { return None };
        match symbols.view(term) {
            crate::base::symbol::SymView::Fun { args: &[name, value], .. } => {
                Some((name, symbols.as_num(value)?))
            }
            _ => None,
        }
    }

    /// Whether there is anything to print.
    pub(crate) fn is_empty(&self) -> bool {
        self.variables.is_empty()
    }

    /// The symbol that a theory term stands for, if it is one that was read.
    pub(crate) fn symbol(&self, term: TheoryTermId) -> Option<Sym> {
        self.terms.get(term.0 as usize).copied().flatten()
    }

    /// Whether a variable is to be shown.
    fn shows(&self, name: Sym, symbols: &Symbols) -> bool {
        use crate::base::symbol::SymView;
        let Some(signatures) = &self.signatures else { return true };
        let of_signature = match symbols.view(name) {
            SymView::Fun { name, args, negative: false } => signatures.contains(&(name, args.len())),
            _ => false,
        };
        of_signature || self.named.contains(&name)
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
        use super::rule::{Body, Head, RuleId};
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
    }
}
