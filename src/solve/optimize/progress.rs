//! The common interface of strategies: the result of a slice of work, and the size of the first slice.

use crate::solve::call::SolveCall;
use crate::solve::call::drive::Milestone;

/// The result of a strategy's slice of work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Progress {
    /// Something to report.
    Report(Milestone),
    /// The best cost is proven optimal.
    Optimal,
    /// There is no model at all within the bounds.
    Infeasible,
    /// The slice of work is used up.
    Paused,
}

/// Conflicts and steps of the first slice of branch and bound. If the conflicts run out first, branch and bound
/// continues: in knapsacks and tours of some twenty places, cores take two to five times the work. If the steps run out
/// first, there are few conflicts and many costly models, as in package selections, where cores are far better: 17 s
/// instead of a timeout at 120 s.
pub(crate) const FIRST_SLICE: (u64, u64) = (30_000, 100_000_000);

/// Whether no more work was done than in the first slice of the default strategy.
pub(crate) fn is_within_first_slice(call: &SolveCall<'_>) -> bool {
    let engine = &call.t.engine;
    engine.conflicts() < FIRST_SLICE.0 && engine.steps() < FIRST_SLICE.1
}
