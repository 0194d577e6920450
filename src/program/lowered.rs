//! What lowering remembers from call to call: how much of a program is lowered, and under which atoms.
//!
//! Invariant: what lies before one of the counts is said by rules and objectives, and is never lowered again.

use super::atom_table::{AtomId, Literal};
use crate::base::map::{Map, Set};
use crate::base::symbol::Sym;

/// How much of a program is lowered.
#[derive(Clone, Debug, Default)]
pub(super) struct Lowered {
    /// How many of the definitions.
    pub(super) definitions: usize,
    /// How many of the head aggregates.
    pub(super) head_aggregates: usize,
    /// How many of the disjunctions.
    pub(super) disjunctions: usize,
    /// How many of the tuples to minimise.
    pub(super) minimize: usize,
    /// The auxiliary atom that means `not atom`.
    pub(super) negations: Map<AtomId, AtomId>,
    /// The auxiliary atoms among the values of `negations`.
    pub(super) is_negation: Set<AtomId>,
    /// The tuples of the objective so far.
    pub(super) tuples: Tuples,
}

/// The tuples of the objective so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Tuples {
    /// The row of a tuple with its weight and priority.
    pub(super) places: Map<(i64, i64, Vec<Sym>), usize>,
    pub(super) rows: Vec<TupleRow>,
}

/// A tuple of the objective.
#[derive(Clone, Debug)]
pub(super) struct TupleRow {
    pub(super) weight: i64,
    pub(super) priority: i64,
    /// Says that the tuple counts; `None` if it always does.
    pub(super) literal: Option<Literal>,
}
