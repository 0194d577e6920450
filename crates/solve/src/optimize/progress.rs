//! The common interface of strategies: the result of a slice of work, and the size of the first slice.

use crate::call::SolveCall;
use crate::call::drive::Milestone;
use crate::optimize::best::Best;
use asp_engine::Outcome;

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
/// instead of a timeout at 120 s. Tests have tiny slices, so that turns change in tiny programs.
pub(crate) const FIRST_SLICE: (u64, u64) = if cfg!(test) { (3, 300) } else { (30_000, 100_000_000) };

/// Whether no more work was done than in the first slice of the default strategy.
pub(crate) fn is_within_first_slice(call: &SolveCall<'_>) -> bool {
    let engine = &call.t.engine;
    engine.conflicts() < FIRST_SLICE.0 && engine.steps() < FIRST_SLICE.1
}

/// Searches for a model that is better than the best at all levels together. `None`: the one found is not better. After a
/// model the bounds in force are no longer those of the best one. `base` is the number of the call's own assumptions.
pub(crate) fn seek_better(
    call: &mut SolveCall<'_>,
    best: &mut Best,
    base: usize,
    is_bounded: &mut bool,
) -> Option<Progress> {
    match call.search(&[]) {
        Outcome::Sat => {
            *is_bounded = false;
            best.improve(call).then_some(Progress::Report(Milestone::Model))
        }
        Outcome::Unsat => {
            call.retire(base);
            Some(if best.costs.is_none() { Progress::Infeasible } else { Progress::Optimal })
        }
        Outcome::Unknown(_) => Some(Progress::Report(Milestone::Stopped)),
    }
}
