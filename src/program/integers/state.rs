//! What is known of the integers of a program: variables, and how their constraints were encoded.
//!
//! Invariant: nothing here knows the program, which holds it.

use std::collections::BTreeMap;
use std::ops::Range;

use super::super::atom_table::{AtomId, Literal};
use super::column::Column;
use super::constraint::{Sum, Variable};
use super::domain::Domain;
use crate::base::diagnostic::Diagnostic;
use crate::base::map::Map;
use crate::base::span::Span;
use crate::base::symbol::{StrId, Sym, SymView, Symbols};

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

/// A condition that rules can express.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Formula {
    Is(bool),
    Literal(Literal),
}

/// What is known of a variable.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) name: Sym,
    /// An atom that mentions it.
    pub(super) span: Span,
    pub(super) domain: Domain,
    /// Whether its values are shown.
    pub(super) shown: bool,
    /// Its values with their literals, once it is encoded.
    pub(crate) column: Option<Column>,
}

/// All integers of a program.
#[derive(Clone, Debug, Default)]
pub struct Integers {
    pub(crate) variables: Vec<Known>,
    pub(super) of_name: Map<Sym, Variable>,
    /// The symbols that theory terms stand for, by number; `None` if there is none.
    pub(super) terms: Vec<Option<Sym>>,
    /// How many theory atoms and rules have been read.
    pub(super) atoms: usize,
    pub(super) rules: usize,
    /// Theory atoms that certainly hold, or do not.
    pub(super) certain: Map<AtomId, bool>,
    /// Literals for sums that are greater than 0.
    pub(super) positive: Map<Sum, Formula>,
    /// Columns of products and sums.
    pub(super) columns: Map<Sum, Column>,
    /// Signatures and terms of `&show`.
    pub(super) signatures: Option<Vec<(StrId, usize)>>,
    pub(super) named: Vec<Sym>,
    /// Entries of the program's shows that are values, each with its variable.
    pub(crate) shown: Vec<Range<u32>>,
    /// Costs of any answer set and of values, by level of the objective.
    pub(crate) objectives: BTreeMap<i64, (i64, Vec<(Literal, i64)>)>,
    /// Literals of rules so far.
    pub(super) size: usize,
    /// Why the program was refused.
    pub(super) refused: Option<Box<Diagnostic>>,
}

impl Integers {
    /// The variable of a name; a new one may have any value.
    pub(super) fn variable(&mut self, name: Sym, span: Span, limits: Limits) -> Variable {
        let next = Variable(self.variables.len() as u32);
        let variable = *self.of_name.entry(name).or_insert(next);
        if variable == next {
            let domain = Domain::of(limits.least, limits.greatest);
            self.variables.push(Known { name, span, domain, shown: false, column: None });
        }
        variable
    }

    /// Whether there is anything to print.
    pub(crate) fn is_empty(&self) -> bool {
        self.variables.is_empty()
    }

    /// The symbol that the theory term of a number stands for, if it is one that was read.
    pub(crate) fn symbol(&self, term: usize) -> Option<Sym> {
        self.terms.get(term).copied().flatten()
    }

    /// Whether a variable is to be shown.
    pub(super) fn shows(&self, name: Sym, symbols: &Symbols) -> bool {
        let Some(signatures) = &self.signatures else { return true };
        let of_signature = match symbols.view(name) {
            SymView::Fun { name, args, negative: false } => signatures.contains(&(name, args.len())),
            _ => false,
        };
        of_signature || self.named.contains(&name)
    }
}
