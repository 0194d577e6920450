//! Optimisation of a level by bounds and by cores alternately, each using the other's findings.
//!
//! Cores come first, as long as every few conflicts close a part of the gap; then the level is [relaxed](super::relaxed). A
//! tight relaxation gives bounds a turn before more of the first cores, any other one a short turn. Then both sides take turns
//! by their share of the work so far: cores that would close the gap soon, at the rate of the latter half of their work, get
//! most of it, others a part. In between, [neighbourhoods](super::neighbours) of the best model are searched. Both keep their
//! state between turns; the bound on better models is not in force during core extraction, so that learned clauses hold for all
//! models. Invariant: each side gets at least a fixed part of the work, so both finish eventually.

use crate::call::SolveCall;
use crate::call::search::Slice;
use crate::optimize::best::Best;
use crate::optimize::branch_and_bound::BranchAndBound;
use crate::optimize::core_guided::Cores;
use crate::optimize::neighbours::Neighbours;
use crate::optimize::progress::{FIRST_SLICE, Progress};
use crate::optimize::relaxed::{gather, solve};
use asp_engine::relaxation::Relaxation;

/// Conflicts and steps of the first cores, before the first slice: if cores are the better way, they need few. They go on
/// in slices of the same size: with slices that double, a tour of 14 towns takes 13,054 conflicts instead of 7,683, a
/// knapsack of 26 things 20,319 instead of 17,067 (medians of four seeds).
const TRIAL: (u64, u64) = if cfg!(test) { (2, 300) } else { (500, 10_000_000) };
/// Those of cores before the level is relaxed.
const GLANCE: (u64, u64) = if cfg!(test) { (1, 200) } else { (100, 2_000_000) };
/// Conflicts and steps of bounds with a tight relaxation before more of the first cores, ...
const RELAXED: (u64, u64) = if cfg!(test) { (2, 200) } else { (2000, 20_000_000) };
/// ... and with another one, for its first dive.
const DIVE: (u64, u64) = if cfg!(test) { (2, 200) } else { (150, 20_000_000) };
/// The part of the gap at first that a relaxation must close to be tight.
const TIGHT: f64 = 0.25;
/// If the first cores close less than one part in this many of the gap in a slice, others take a turn; ...
const WORTHWHILE: i128 = 4;
/// ... in a slice before the level is relaxed.
const PROMISING: i128 = 16;
/// Steps of the first turns after that; later ones are ...
const FIRST_TURN: u64 = if cfg!(test) { 50 } else { 1_000_000 };
/// ... one part in this many of all work so far.
const TURNS: u64 = 8;
/// The share of work of cores at least, ...
const LEAST_SHARE: f64 = 0.3;
/// ... while their bound is below the relaxation's, ...
const INFERIOR_SHARE: f64 = 0.15;
/// ... and at most.
const GREATEST_SHARE: f64 = 0.65;
/// The share of work of neighbourhood search after it has found a better model, ...
const NEAR_SHARE: f64 = 0.2;
/// ... at least.
const LEAST_NEAR_SHARE: f64 = 0.01;

/// Steps of their first turns; later ones are ...
const FIRST_NEAR: u64 = if cfg!(test) { 50 } else { 500_000 };
/// ... one part in this many of all other work so far.
const NEAR_TURNS: u64 = 16;

/// How far the first turns have come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Opening {
    /// Cores, before the level is relaxed.
    Cores,
    /// Bounds with a tight relaxation.
    Relaxed,
    /// All of them.
    Over,
}

/// The current turn.
#[derive(Clone, Copy, Debug)]
enum Turn {
    /// The first cores are to begin.
    BeginTrial,
    /// The first cores, with the gap before.
    Trial(Slice, i128),
    /// A turn of the side that has had less than its share is to begin.
    Begin,
    Bounds(Slice),
    Cores(Slice),
    /// Bounds near the best model, with its cost before.
    Near(Slice, Option<i128>),
}

/// The state of alternating turns.
pub(crate) struct Turns {
    level: usize,
    /// Number of assumptions of the call before the cores.
    base: usize,
    cores: Cores,
    bounds: Box<BranchAndBound>,
    /// The level's relaxation, without the counters of cores.
    relaxation: Option<Relaxation>,
    /// The lower bound of the relaxation.
    known: i128,
    opening: Opening,
    /// The neighbourhood search, except during its turns; `None` before the first one.
    near: Option<Neighbours>,
    /// The share of the work that they get.
    near_share: f64,
    /// Steps that each side has taken, and the engine's when the turn began.
    spent: [u64; 3],
    began: u64,
    /// The least weight.
    least: i128,
    /// The lower bound at first, and with the steps so far after each turn of cores.
    first: i128,
    past: Vec<(u64, i128)>,
    turn: Turn,
}

/// Indices of `spent`.
const CORES: usize = 0;
const BOUNDS: usize = 1;
const NEAR: usize = 2;

impl Turns {
    /// Turns, beginning with cores if there is a model.
    pub(crate) fn new(call: &mut SolveCall<'_>, best: &Best, level: usize) -> Self {
        let base = call.assumptions.len();
        let relaxation = gather(call, level, base);
        let cores = Cores::new(call, level);
        let (turn, opening) = if best.costs.is_some() && !is_one_value(call, level) {
            (Turn::BeginTrial, Opening::Cores)
        } else {
            (Turn::Bounds(call.slice(FIRST_SLICE.0, FIRST_SLICE.1)), Opening::Over)
        };
        let bounds = Box::new(BranchAndBound::new(call, level, cores.lower()));
        let least = call.terms(level).iter().map(|t| i128::from(t.1).abs()).min().unwrap_or(1);
        let first = cores.lower();
        let began = call.t.engine.steps();
        Self {
            level,
            base,
            cores,
            bounds,
            relaxation,
            known: i128::MIN,
            opening,
            near: None,
            near_share: NEAR_SHARE,
            spent: [0; 3],
            began,
            least,
            first,
            past: Vec::new(),
            turn,
        }
    }

    /// The state of the cores.
    pub(crate) fn cores(&mut self) -> &mut Cores {
        &mut self.cores
    }

    /// Continues.
    pub(crate) fn next(&mut self, call: &mut SolveCall<'_>, best: &mut Best) -> Progress {
        loop {
            let progress = match self.turn {
                Turn::BeginTrial => {
                    let gap = self.gap(best);
                    if gap <= 0 {
                        Progress::Optimal
                    } else {
                        let size = if self.opening == Opening::Cores { GLANCE } else { TRIAL };
                        self.turn = Turn::Trial(call.slice(size.0, size.1), gap);
                        continue;
                    }
                }
                Turn::Begin => {
                    self.turn = self.begin(call, best);
                    continue;
                }
                Turn::Bounds(slice) | Turn::Near(slice, _) => self.bounds.next(call, best, Some(slice)),
                Turn::Trial(slice, _) | Turn::Cores(slice) => self.cores.next(call, best, Some(slice)),
            };
            match progress {
                Progress::Report(_) => return progress,
                Progress::Paused => self.turn = self.next_turn(call, best),
                Progress::Optimal | Progress::Infeasible => {
                    self.bounds.resume(call, self.cores.lower());
                    call.retire(self.base);
                    return progress;
                }
            }
        }
    }

    /// The turn after a slice has been used up.
    fn next_turn(&mut self, call: &mut SolveCall<'_>, best: &Best) -> Turn {
        let side = match self.turn {
            Turn::Bounds(_) => BOUNDS,
            Turn::Near(..) => NEAR,
            _ => CORES,
        };
        let steps = call.t.engine.steps();
        let spent = steps - std::mem::replace(&mut self.began, steps);
        self.spent[side] += spent;
        if side == CORES {
            self.past.push((self.spent[CORES], self.cores.lower()));
        } else {
            self.bounds.pause(call);
        }
        match self.turn {
            Turn::Trial(_, before)
                if self.closed(before, best).saturating_mul(self.least_part()) >= before =>
            {
                Turn::BeginTrial
            }
            Turn::Trial(..) if self.opening == Opening::Cores => self.relax(call, best),
            Turn::Bounds(_) if self.opening == Opening::Relaxed => {
                self.opening = Opening::Over;
                Turn::BeginTrial
            }
            Turn::Near(_, before) => {
                self.near = self.bounds.search_near(None);
                let is_better = best.of(self.level) < before;
                let less = (self.near_share / 2.0).max(LEAST_NEAR_SHARE);
                self.near_share = if is_better { NEAR_SHARE } else { less };
                Turn::Begin
            }
            _ => Turn::Begin,
        }
    }

    /// The turn after the level has been relaxed.
    fn relax(&mut self, call: &mut SolveCall<'_>, best: &Best) -> Turn {
        self.opening = Opening::Over;
        let Some(upper) = best.of(self.level) else { return Turn::Begin };
        let constant = i128::from(call.constant(self.level));
        let relaxed =
            self.relaxation.take().and_then(|relaxation| solve(call, self.level, relaxation, upper));
        let Some(relaxed) = relaxed else { return Turn::Begin };
        self.known = (relaxed.lower + constant).min(upper);
        let closed = self.known - self.first;
        let is_tight =
            self.known > self.cores.lower() && closed as f64 >= TIGHT * (upper - self.first) as f64;
        self.bounds.set_relaxation(relaxed);
        if !is_tight {
            return self.begin_bounds(call, DIVE);
        }
        self.opening = Opening::Relaxed;
        self.begin_bounds(call, RELAXED)
    }

    /// Begins a turn of the side that has had less than its share.
    fn begin(&mut self, call: &mut SolveCall<'_>, best: &Best) -> Turn {
        let all = self.spent[CORES] + self.spent[BOUNDS];
        let size = (u64::MAX, FIRST_TURN.max(all / TURNS));
        if self.spent[NEAR] as f64 <= self.near_share * all as f64 && best.knows_atoms() {
            let near =
                self.near.take().unwrap_or_else(|| Neighbours::new(call, self.level, self.bounds.solution()));
            if near.is_empty() {
                self.near_share = -1.0;
            } else {
                self.bounds.search_near(Some(near));
                self.bounds.resume(call, self.cores.lower());
                return Turn::Near(
                    call.slice(u64::MAX, FIRST_NEAR.max(all / NEAR_TURNS)),
                    best.of(self.level),
                );
            }
        }
        if self.spent[CORES] as f64 > self.share(best) * all as f64 || best.costs.is_none() {
            return self.begin_bounds(call, size);
        }
        self.cores.harden(call, best.of(self.level).unwrap_or(i128::MAX));
        Turn::Cores(call.slice(size.0, size.1))
    }

    fn begin_bounds(&mut self, call: &mut SolveCall<'_>, size: (u64, u64)) -> Turn {
        self.bounds.resume(call, self.cores.lower());
        Turn::Bounds(call.slice(size.0, size.1))
    }

    /// The share of the work that cores get: the more, the sooner they would close the gap.
    fn share(&self, best: &Best) -> f64 {
        if self.cores.lower() < self.known {
            return INFERIOR_SHARE;
        }
        let all = (self.spent[CORES] + self.spent[BOUNDS]) as f64;
        (all / (all + self.rest(best))).clamp(LEAST_SHARE, GREATEST_SHARE)
    }

    /// Steps that cores need for the rest of the gap, at the rate of the latter half of their work.
    fn rest(&self, best: &Best) -> f64 {
        let half = self.past.iter().rev().find(|p| p.0 <= self.spent[CORES] / 2);
        let &(spent, lower) = half.unwrap_or(&(0, self.first));
        // The next core is to be expected after as much work as since the last one.
        let closed = self.cores.lower() - lower + self.least;
        let gap = best.of(self.level).map_or(i128::MAX, |cost| cost.saturating_sub(self.cores.lower()));
        gap as f64 * (self.spent[CORES] - spent) as f64 / closed.max(1) as f64
    }

    /// The first cores must close one part in this many of the gap.
    fn least_part(&self) -> i128 {
        if self.opening == Opening::Cores { PROMISING } else { WORTHWHILE }
    }

    /// How much of a gap is closed.
    fn closed(&self, before: i128, best: &Best) -> i128 {
        before.saturating_sub(self.gap(best))
    }

    /// The gap between the best cost and the lower bound of cores or of the relaxation.
    fn gap(&self, best: &Best) -> i128 {
        let lower = self.cores.lower().max(self.known);
        best.of(self.level).map_or(i128::MAX, |cost| cost.saturating_sub(lower))
    }
}

/// Whether a level's costs are one of several values, of which at most one holds: then a core only excludes the least one, while
/// a bound excludes all that are too great at once.
fn is_one_value(call: &SolveCall<'_>, level: usize) -> bool {
    let literals: Vec<_> = call.terms(level).into_iter().map(|(lit, _)| lit).collect();
    call.t.engine.has_group(&literals)
}
