//! Optimisation of a level by bounds and by cores alternately, each using what the other has found.
//!
//! Cores come first, as long as every few conflicts close a part of the gap; those that make no progress at first wait for
//! the first turn of bounds, and then cost little more than an eighth. Invariant: after the first cores, each turn is
//! longer than the previous one of its kind, so both finish eventually.

use crate::call::SolveCall;
use crate::call::search::Slice;
use crate::optimize::best::Best;
use crate::optimize::branch_and_bound::BranchAndBound;
use crate::optimize::core_guided::Cores;
use crate::optimize::progress::{FIRST_SLICE, Progress};
use crate::optimize::relaxed::relax_level;
use asp_engine::lagrangian::Relaxed;

/// Conflicts and steps of the first cores, before the first slice: if cores are the better way, they need few. They go on
/// in slices of the same size: with slices that double, a tour of 14 towns takes 13,054 conflicts instead of 7,683, a
/// knapsack of 26 things 20,319 instead of 17,067 (medians of four seeds).
const TRIAL: (u64, u64) = (500, 10_000_000);
/// Conflicts and steps of the cores before bounds with a tight relaxation: some objectives need few.
const GLANCE: (u64, u64) = (100, 2_000_000);
/// Conflicts and steps of bounds with a tight relaxation before the first cores.
const RELAXED: (u64, u64) = (2000, 20_000_000);
/// The part of the gap that a relaxation must close for bounds to come before the first cores.
const TIGHT: f64 = 0.25;
/// If cores close less than one part in this many of the gap in a slice, ...
const WORTHWHILE: i128 = 4;
/// ... they get only one part in this many of the work in the next.
const STALLED_SHARE: u64 = 8;

/// What comes before the first cores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Opening {
    /// Nothing any more.
    Over,
    /// Few conflicts of cores, then bounds with a relaxation.
    Glance,
    /// Bounds with a relaxation.
    Relaxed,
}

/// The current turn.
enum Turn {
    /// The first cores are to begin.
    BeginTrial,
    /// The first cores, with the gap before.
    Trial(Slice, i128),
    /// Bounds are to begin.
    BeginBounds,
    Bounds(Slice, Box<BranchAndBound>),
    /// Cores, with the gap before.
    Cores(Slice, i128),
}

/// The state of alternating turns.
pub(crate) struct Turns {
    level: usize,
    /// Number of assumptions of the call before the cores.
    base: usize,
    cores: Cores,
    /// What the first bounds know of the objective.
    relaxed: Option<Relaxed>,
    /// The lower bound of the relaxation.
    known: i128,
    opening: Opening,
    /// Work of the next turn.
    conflicts: u64,
    steps: u64,
    /// The divisor of the work that cores get.
    share: u64,
    turn: Turn,
}

impl Turns {
    /// Turns, beginning with cores if there is a model.
    pub(crate) fn new(call: &mut SolveCall<'_>, best: &Best, level: usize) -> Self {
        let base = call.assumptions.len();
        let cores = Cores::new(call, level);
        let relaxed = best.of(level).and_then(|upper| relax_level(call, level, upper));
        let is_tight = |upper| relaxed.as_ref().is_some_and(|r| r.closes(TIGHT, upper));
        let is_tight = best.of(level).is_some_and(|upper| is_tight(upper - i128::from(call.constant(level))));
        let known = relaxed.as_ref().map_or(i128::MIN, |r| r.lower + i128::from(call.constant(level)));
        let opening = if is_tight { Opening::Glance } else { Opening::Over };
        let (turn, (conflicts, steps)) = if best.costs.is_some() && !is_one_value(call, level) {
            (Turn::BeginTrial, if is_tight { GLANCE } else { TRIAL })
        } else {
            (Turn::BeginBounds, FIRST_SLICE)
        };
        Self { level, base, cores, relaxed, known, opening, conflicts, steps, share: STALLED_SHARE, turn }
    }

    /// The state of the cores.
    pub(crate) fn cores(&mut self) -> &mut Cores {
        &mut self.cores
    }

    /// Continues.
    pub(crate) fn next(&mut self, call: &mut SolveCall<'_>, best: &mut Best) -> Progress {
        loop {
            let progress = match &mut self.turn {
                Turn::BeginTrial => {
                    let gap = self.gap(best);
                    if gap <= 0 {
                        Progress::Optimal
                    } else {
                        self.turn = Turn::Trial(call.slice(self.conflicts, self.steps), gap);
                        continue;
                    }
                }
                Turn::BeginBounds => {
                    let slice = call.slice(self.conflicts, self.steps);
                    let bounds = BranchAndBound::new(call, self.level, self.cores.lower());
                    let bounds = bounds.with_relaxation(self.relaxed.take());
                    self.turn = Turn::Bounds(slice, Box::new(bounds));
                    continue;
                }
                Turn::Bounds(slice, bounds) => bounds.next(call, best, Some(*slice)),
                Turn::Trial(slice, _) | Turn::Cores(slice, _) => self.cores.next(call, best, Some(*slice)),
            };
            match progress {
                Progress::Report(_) => return progress,
                Progress::Paused => self.turn = self.next_turn(call, best),
                Progress::Optimal | Progress::Infeasible => {
                    call.retire(self.base);
                    return progress;
                }
            }
        }
    }

    /// The turn after a slice has been used up.
    fn next_turn(&mut self, call: &SolveCall<'_>, best: &Best) -> Turn {
        match self.turn {
            Turn::BeginTrial | Turn::Trial(..) if self.opening == Opening::Glance => {
                self.opening = Opening::Relaxed;
                (self.conflicts, self.steps) = RELAXED;
                Turn::BeginBounds
            }
            Turn::Trial(_, before) if self.is_worthwhile(before, best) => Turn::BeginTrial,
            Turn::BeginTrial | Turn::Trial(..) => {
                (self.conflicts, self.steps) = FIRST_SLICE;
                Turn::BeginBounds
            }
            Turn::Bounds(..) if self.opening == Opening::Relaxed => {
                self.opening = Opening::Over;
                (self.conflicts, self.steps) = TRIAL;
                Turn::BeginTrial
            }
            Turn::Bounds(slice, _) => {
                self.conflicts += self.conflicts / 2;
                self.steps += self.steps / 2;
                if !call.has_conflicts_left(slice) {
                    return Turn::BeginBounds;
                }
                let slice = call.slice(self.conflicts / self.share, self.steps / self.share);
                Turn::Cores(slice, self.gap(best))
            }
            Turn::Cores(_, before) => {
                self.share = if self.is_worthwhile(before, best) { 1 } else { STALLED_SHARE };
                Turn::BeginBounds
            }
            Turn::BeginBounds => Turn::BeginBounds,
        }
    }

    /// Whether a slice of cores has closed enough of the gap before it.
    fn is_worthwhile(&self, before: i128, best: &Best) -> bool {
        before.saturating_sub(self.gap(best)).saturating_mul(WORTHWHILE) >= before
    }

    /// The gap between the best cost and the lower bound of cores or of the relaxation.
    fn gap(&self, best: &Best) -> i128 {
        let lower = self.cores.lower().max(self.known);
        best.of(self.level).map_or(i128::MAX, |cost| cost.saturating_sub(lower))
    }
}

/// Whether a level's costs are one of several values, of which at most one holds: then a core only says that the least
/// one is not, which bounds say of all that are too great at once.
fn is_one_value(call: &SolveCall<'_>, level: usize) -> bool {
    let literals: Vec<_> = call.terms(level).into_iter().map(|(lit, _)| lit).collect();
    call.t.engine.has_group(&literals)
}
