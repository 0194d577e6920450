//! Branch and bound on one level.
//!
//! Each model must be better than the previous one. Increasing: the step doubles after each success; decreasing: it
//! starts at half of the gap and is halved after each failure. A step that is too large proves a lower bound. Leaps are
//! steps on trial: a search for a model that is much better, given up after a few conflicts. They double after each
//! success, so that a wide range of costs is not walked through one by one, and what is learned without them stays.
//! Invariant: there is no model whose cost is below the lower bound.

use crate::call::SolveCall;
use crate::call::drive::Milestone;
use crate::call::search::Slice;
use crate::optimize::best::Best;
use crate::optimize::neighbours::Neighbours;
use crate::optimize::progress::Progress;
use crate::optimize::relaxed::{guide, relax_level};
use asp_engine::Outcome;
use asp_engine::constraint::sums::UpperBound;
use asp_engine::parameters::OptStrategy;
use asp_engine::relaxation::Relaxed;
use asp_engine::store::literal::{Lit, Var};

/// Conflicts after which a leap is given up.
const LEAP_CONFLICTS: u64 = 64;

/// Conflicts and steps of an objective over integers before it is relaxed: many schedules need fewer.
const UNRELAXED: (u64, u64) = if cfg!(test) { (3, 300) } else { (1_000, 2_000_000) };

/// A leap in force.
struct Leap {
    by: i128,
    /// Number of assumptions before its guard.
    base: usize,
}

/// A search for better models of a level.
pub(crate) struct BranchAndBound {
    level: usize,
    /// Number of assumptions of the call before the guard.
    base: usize,
    terms: Vec<(Lit, i64)>,
    constant: i128,
    /// Nothing below this is possible.
    lower: i128,
    /// By how much the next model must be better.
    step: i128,
    /// The first improvement demanded by a leap; no leap if that is 1.
    next_leap: Option<i128>,
    leap: Option<Leap>,
    /// The constraint for the bound in force, so that it can be tightened.
    bound: Option<UpperBound>,
    /// The relaxation with its bound in force, if the level has one, computed under the first bound.
    relaxed: Option<(Relaxed, Option<UpperBound>)>,
    /// Whether the level has been relaxed under the bound in force.
    is_relaxed: bool,
    /// The search before there is a relaxation.
    unrelaxed: Option<Slice>,
    /// Whether the bound in force is that of the best model.
    is_bounded: bool,
    /// The guard of the bound during a pause.
    paused: Vec<Lit>,
    /// The parts that are searched for better models, if not everything is.
    near: Option<Neighbours>,
}

impl BranchAndBound {
    /// A search with a known lower bound.
    pub(crate) fn new(call: &SolveCall<'_>, level: usize, known: i128) -> Self {
        let terms = call.terms(level);
        let constant = i128::from(call.constant(level));
        let least: i128 = constant + terms.iter().map(|t| i128::from(t.1.min(0))).sum::<i128>();
        let base = call.assumptions.len();
        Self {
            level,
            base,
            terms,
            constant,
            lower: least.max(known),
            step: 1,
            next_leap: None,
            leap: None,
            bound: None,
            relaxed: None,
            is_relaxed: false,
            unrelaxed: None,
            is_bounded: false,
            paused: Vec::new(),
            near: None,
        }
    }

    /// Lifts the bound until the search is [resumed](Self::resume); what was learned under it stays.
    pub(crate) fn pause(&mut self, call: &mut SolveCall<'_>) {
        if call.t.engine.proof.is_some() {
            call.retire(self.base);
            self.bound = None;
            return;
        }
        call.t.engine.reset_enumeration();
        call.t.engine.return_to_root();
        self.paused = call.assumptions.split_off(self.base);
        // Decided true, as it was until now, the bound would be in force in all but name.
        for guard in &self.paused {
            call.t.engine.set_sign(guard.var(), Some(guard.is_neg()));
        }
        call.t.engine.forget_targets();
    }

    /// Continues after a pause, with what is known by now.
    pub(crate) fn resume(&mut self, call: &mut SolveCall<'_>, lower: i128) {
        call.t.engine.reset_enumeration();
        for guard in &self.paused {
            call.t.engine.set_sign(guard.var(), None);
        }
        call.t.engine.forget_targets();
        call.assumptions.append(&mut self.paused);
        self.lower = self.lower.max(lower);
        self.is_bounded = false;
    }

    /// Uses a relaxation of the level.
    pub(crate) fn set_relaxation(&mut self, relaxed: Relaxed) {
        self.relaxed = Some((relaxed, None));
    }

    /// The solution of the relaxation, if there is one.
    pub(crate) fn solution(&self) -> &[(Var, f32)] {
        self.relaxed.as_ref().map_or(&[], |(relaxed, _)| relaxed.solution())
    }

    /// From now on, searches near the best model, or everywhere again; returns the previous neighbourhood.
    pub(crate) fn search_near(&mut self, near: Option<Neighbours>) -> Option<Neighbours> {
        std::mem::replace(&mut self.near, near)
    }

    /// The same for an objective over integers: it leaps, and is relaxed later.
    pub(crate) fn over_integers(self, call: &SolveCall<'_>) -> Self {
        let unrelaxed = Some(call.slice(UNRELAXED.0, UNRELAXED.1));
        Self { next_leap: Some(1), unrelaxed, ..self }
    }

    /// Demands a leap beside the bound in force, if leaps are tried.
    fn demand_leap(&mut self, call: &mut SolveCall<'_>, upper: i128) {
        let Some(by) = self.next_leap.map(|leap| leap.min(upper - self.lower)).filter(|&leap| leap > 1)
        else {
            return;
        };
        let base = call.assumptions.len();
        let guard = call.guard();
        call.add_bound(guard, &self.terms, upper - by - self.constant);
        self.leap = Some(Leap { by, base });
    }

    /// Gives up the leap in force; the next one is the smallest, or twice as large.
    fn end_leap(&mut self, call: &mut SolveCall<'_>, has_succeeded: bool) {
        if let Some(Leap { by, base }) = self.leap.take() {
            call.retire(base);
            self.next_leap = Some(if has_succeeded { by.saturating_mul(2) } else { 1 });
        } else if has_succeeded {
            self.next_leap = self.next_leap.map(|leap| leap.saturating_mul(2));
        }
    }

    /// Continues within a slice of work.
    pub(crate) fn next(
        &mut self,
        call: &mut SolveCall<'_>,
        best: &mut Best,
        slice: Option<Slice>,
    ) -> Progress {
        let strategy = strategy(call);
        loop {
            if !self.is_bounded {
                self.end_leap(call, true);
                if best.adopt(call) {
                    return Progress::Report(Milestone::Model);
                }
                if let Some(upper) = best.of(self.level) {
                    if upper <= self.lower {
                        call.retire(self.base);
                        return Progress::Optimal;
                    }
                    let known = self.lower;
                    self.demand_better(call, upper);
                    self.demand_leap(call, upper);
                    self.is_bounded = true;
                    if self.is_news(call, best, known) {
                        return Progress::Report(Milestone::LowerBound);
                    }
                }
                self.is_bounded = true;
            }
            let outcome = match (&mut self.near, slice) {
                (Some(near), Some(slice)) => near.search(call, best, slice),
                _ => {
                    let trial = self.leap.is_some().then(|| call.slice(LEAP_CONFLICTS, u64::MAX));
                    call.search_within(&[], trial.or(self.unrelaxed).or(slice))
                }
            };
            match outcome {
                Outcome::Sat => {
                    let first = best.costs.is_none();
                    let improved = best.improve(call);
                    self.is_bounded = false;
                    self.step = match strategy {
                        OptStrategy::Increasing if !first => self.step * 2,
                        OptStrategy::Decreasing => (best.of(self.level).unwrap_or(0) - self.lower) / 2,
                        _ => 1,
                    };
                    if improved {
                        return Progress::Report(Milestone::Model);
                    }
                }
                Outcome::Unsat if self.leap.is_some() => {
                    let by = self.leap.as_ref().map_or(1, |leap| leap.by);
                    let known = self.lower;
                    self.lower = best.of(self.level).map_or(known, |upper| known.max(upper - by + 1));
                    self.end_leap(call, false);
                    if self.is_news(call, best, known) {
                        return Progress::Report(Milestone::LowerBound);
                    }
                }
                Outcome::Unknown(_) if self.leap.is_some() && call.result.stopped.is_none() => {
                    self.end_leap(call, false);
                }
                Outcome::Unsat => {
                    let Some(upper) = best.of(self.level) else { return Progress::Infeasible };
                    let known = self.lower;
                    self.lower = known.max(upper - self.step + 1);
                    call.retire(self.base);
                    self.bound = None;
                    self.is_bounded = false;
                    self.step = if strategy == OptStrategy::Decreasing { self.step / 2 } else { 1 };
                    if self.is_news(call, best, known) {
                        return Progress::Report(Milestone::LowerBound);
                    }
                }
                Outcome::Unknown(_) if call.result.stopped.is_none() && self.unrelaxed.is_some() => {
                    self.unrelaxed = None;
                    let known = self.lower;
                    if let Some(upper) = best.of(self.level) {
                        self.demand_better(call, upper);
                    }
                    if self.is_news(call, best, known) {
                        return Progress::Report(Milestone::LowerBound);
                    }
                }
                Outcome::Unknown(_) if call.result.stopped.is_none() => return Progress::Paused,
                Outcome::Unknown(_) => return Progress::Report(Milestone::Stopped),
            }
        }
    }

    /// Records the lower bound if it is above the one known before. Returns whether to report it.
    fn is_news(&self, call: &mut SolveCall<'_>, best: &Best, known: i128) -> bool {
        self.lower > known && call.note_lower_bound(self.level, best, self.lower)
    }

    /// Requires the next model to be better by a step.
    fn demand_better(&mut self, call: &mut SolveCall<'_>, upper: i128) {
        self.step = match strategy(call) {
            OptStrategy::Increasing | OptStrategy::Decreasing => self.step.clamp(1, upper - self.lower),
            _ => 1,
        };
        let goal = upper - self.step - self.constant;
        call.t.engine.reset_enumeration();
        match (self.bound, i64::try_from(goal)) {
            (None, _) | (_, Err(_)) => {
                call.retire(self.base);
                let guard = call.guard();
                call.log_better(guard);
                self.is_relaxed = false;
                self.relax(call, upper);
                self.bound = i64::try_from(goal)
                    .ok()
                    .map(|g| call.t.engine.add_upper_bound(Some(guard), &self.terms, Some(g)));
                if self.bound.is_none() {
                    call.add_bound(guard, &self.terms, goal);
                }
            }
            (Some(id), Ok(goal)) => call.t.engine.set_upper_bound(id, goal),
        }
        self.relax(call, upper);
        if self.relaxed.is_some() {
            call.t.demand_goal(call.assumptions[self.base], goal);
        }
        if let Some((relaxed, bound)) = &mut self.relaxed
            && let Some(goal) = relaxed.goal(goal)
        {
            match bound {
                Some(id) => call.t.engine.set_upper_bound(*id, goal),
                None => *bound = call.t.engine.add_relaxed_bound(call.assumptions[self.base], relaxed, goal),
            }
        }
    }

    /// Relaxes the level, unless that was done or is too early; of a relaxation under a former bound, only the bound goes.
    fn relax(&mut self, call: &mut SolveCall<'_>, upper: i128) {
        if self.unrelaxed.is_some() || std::mem::replace(&mut self.is_relaxed, true) {
            return;
        }
        let base = self.base;
        let known = self.relaxed.take().map(|r| r.0).or_else(|| relax_level(call, self.level, base, upper));
        self.relaxed = known.map(|relaxed| {
            // The models excluded as costing more than the best one may have been all.
            self.lower = self.lower.max((relaxed.lower + self.constant).min(upper));
            guide(call, &relaxed);
            (relaxed, None)
        });
    }
}

/// The strategy. A proof demands no more than that each model is better.
fn strategy(call: &SolveCall<'_>) -> OptStrategy {
    match call.proven_level() {
        Some(_) => OptStrategy::Linear,
        None => call.options.solver.optimize.strategy,
    }
}
