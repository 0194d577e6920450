//! The state of lowering between calls: how much of a program has been lowered, and under which atoms.
//!
//! Invariant: entries before one of the counts are covered by rules and objectives, and are never lowered again.

use super::atom_table::{AtomId, Literal};
use asp_base::map::Map;
use asp_base::symbol::Sym;

/// How much of a program is lowered.
#[derive(Clone, Debug, Default)]
pub(super) struct Lowered {
    /// The ranges of rules that lowering added, in order.
    pub(super) added: Vec<(usize, usize)>,
    /// Number of rules at the end of each step.
    pub(super) ends: Vec<usize>,
    /// Number of definitions.
    pub(super) definitions: usize,
    /// Number of head aggregates.
    pub(super) head_aggregates: usize,
    /// Number of disjunctions.
    pub(super) disjunctions: usize,
    /// Number of tuples to minimise.
    pub(super) minimize: usize,
    /// The auxiliary atom that means `not atom`.
    pub(super) negations: Map<AtomId, AtomId>,
    /// For each auxiliary atom that means `not atom`, the atom, a key of `negations`.
    pub(super) is_negation: Map<AtomId, AtomId>,
    /// The tuples of the objective so far.
    pub(super) tuples: Tuples,
}

impl Lowered {
    /// Whether lowering has added a rule.
    pub(super) fn has_added(&self, rule: usize) -> bool {
        let place = self.added.partition_point(|&(_, end)| end <= rule);
        self.added.get(place).is_some_and(|&(start, _)| start <= rule)
    }
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
    /// Holds if the tuple counts; `None` if it always does.
    pub(super) literal: Option<Literal>,
}
