//! What strategies tell each other: what each came to, and how much work the first of them does.

use crate::solve::call::SolveCall;
use crate::solve::call::drive::Milestone;

/// What a strategy came to.
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

/// Conflicts and steps of the first slice of branch and bound. A slice that ends by its conflicts goes on: in knapsacks and
/// tours of some twenty places, cores cost two to five times the work. One that ends by its steps has few conflicts
/// and many costly models, as package selections do, where cores are better by far: 17 s instead of a timeout at 120 s.
pub(crate) const FIRST_SLICE: (u64, u64) = (30_000, 100_000_000);

/// Whether no more work was done than what the default strategy begins with.
pub(crate) fn is_within_first_slice(call: &SolveCall<'_>) -> bool {
    let engine = &call.t.engine;
    engine.conflicts() < FIRST_SLICE.0 && engine.steps() < FIRST_SLICE.1
}
