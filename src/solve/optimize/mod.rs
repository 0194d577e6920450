//! Optimisation over levels by branch and bound, and bounds on costs.
//!
//! Levels are optimised one by one, the most important first; costs of finished levels are fixed to their optima. (All at
//! once is the business of [`lexicographic`](crate::solve::optimize::lexicographic).)
//! Hierarchical: each model must be better than the one before. Increasing and decreasing: the step doubles with success, or
//! starts at half of what is open and halves with failure; a step too far proves a lower bound.
//! Invariant: the bounds of a level hold under a guard that is retired when they are given up, so nothing learned from a
//! bound outlives it.

pub(crate) mod core_guided;
pub(crate) mod lexicographic;
pub(crate) mod shrink;

use crate::base::interrupt::StopReason;
use crate::solve::engine::Outcome;
use crate::solve::engine::store::literal::{Lit, Var};
use crate::solve::optimize::core_guided::Cores;
use crate::solve::session::consequences::Running;
use crate::solve::session::run::{Run, Slice};
use crate::solve::{OptMode, OptStrategy};

/// How a level's search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ended {
    /// The best cost is proven optimal.
    Optimal,
    /// There is no model at all within the bounds.
    Infeasible,
    /// Stopped by a limit or the receiver of events.
    Stopped,
    /// The slice of work is used up.
    Paused,
}

/// Conflicts and steps of the first slice of branch and bound. A slice that ends by its conflicts goes on: in knapsacks and
/// tours of some twenty places, cores cost two to five times the work. One that ends by its steps has few conflicts
/// and many costly models, as package selections do, where cores are better by far: 17 s instead of a timeout at 120 s.
const FIRST_SLICE: (u64, u64) = (30_000, 100_000_000);
/// Conflicts and steps of the first cores, before the first slice: where they are the way, they need few.
const TRIAL: (u64, u64) = (500, 10_000_000);
/// Cores that close less than this part of the gap in a slice ...
const WORTHWHILE: i128 = 4;
/// ... get only this part of the work in the next.
const STALLED_SHARE: u64 = 8;

/// The best costs so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Best {
    /// Most important level first; `None` before the first model.
    pub(crate) costs: Option<Vec<i64>>,
}

/// What is open between a level's best cost and what cores have proven.
fn gap(level: usize, best: &Best, cores: &Cores) -> i128 {
    best.costs.as_ref().map_or(i128::MAX, |c| i128::from(c[level]).saturating_sub(cores.lower()))
}

impl Run<'_> {
    /// The terms of a level over the engine's literals: literal, weight.
    pub(crate) fn terms(&self, level: usize) -> Vec<(Lit, i64)> {
        self.program.objectives[self.levels[level]]
            .literals
            .iter()
            .map(|&(l, w)| (self.t.lit(l), w))
            .collect()
    }

    pub(crate) fn constant(&self, level: usize) -> i64 {
        self.program.objectives[self.levels[level]].constant
    }

    /// Under the guard, the costs of a level are at most the bound.
    fn bound_level(&mut self, guard: Lit, level: usize, bound: i64) {
        let terms = self.terms(level);
        let rest = i128::from(bound) - i128::from(self.constant(level));
        self.add_bound(guard, &terms, rest);
    }

    /// Under the guard, the sum is at most the bound.
    pub(crate) fn add_bound(&mut self, guard: Lit, terms: &[(Lit, i64)], bound: i128) {
        match i64::try_from(bound) {
            Ok(bound) => {
                self.t.engine.add_upper_bound(Some(guard), terms, Some(bound));
            }
            // Sums of checked weights are in the range of 64 bits: such a bound says nothing or excludes all.
            Err(_) if bound > 0 => {}
            Err(_) => {
                self.t.engine.add_clause(&[!guard]);
            }
        }
    }

    /// Only models whose costs are lexicographically at most the given bounds are wanted.
    pub(crate) fn limit_costs(&mut self) {
        let bounds = self.options.opt_bounds.clone();
        if bounds.is_empty() {
            return;
        }
        let mut guard = self.guard();
        for (level, &bound) in bounds.iter().enumerate().take(self.levels.len()) {
            self.bound_level(guard, level, bound);
            // The next level only matters if this one meets its bound exactly.
            let terms = self.terms(level);
            let rest = i128::from(bound) - i128::from(self.constant(level));
            let meets = match i64::try_from(rest) {
                Ok(rest) => {
                    let meets = Lit::pos(self.t.engine.new_var());
                    self.t.engine.add_weight(Some(meets), &terms, rest);
                    meets
                }
                Err(_) => !self.t.atoms.truth,
            };
            let truth = self.t.atoms.truth;
            guard = crate::solve::translate::conjunction(&mut self.t.engine, truth, &mut vec![guard, meets]);
        }
    }

    /// Finds optimal models.
    pub(crate) fn optimise(&mut self) {
        let base = self.assumptions.len();
        self.limit_costs();
        let mut best = Best::default();
        if self.wants_consequences() && self.options.opt_mode == OptMode::Opt {
            self.running = Some(Running::new(self.shown_lits()));
        }
        if self.options.solver.optimize.cheap_signs {
            self.prefer_cheap();
        }
        // All levels at once, or one after the other.
        let at_once = self.options.solver.optimize.strategy == OptStrategy::Linear && self.levels.len() > 1;
        if at_once {
            match self.improve_all_levels(&mut best) {
                Ended::Stopped | Ended::Paused => return,
                Ended::Infeasible => self.result.exhausted = true,
                Ended::Optimal => self.result.lower_bounds = best.costs.clone().unwrap_or_default(),
            }
        }
        for level in 0..if at_once { 0 } else { self.levels.len() } {
            let known = self.settled.len();
            let ended = match self.options.solver.optimize.strategy {
                OptStrategy::Auto if self.contrary => self.by_cores(level, &mut best),
                OptStrategy::CoreGuided => self.by_cores(level, &mut best),
                OptStrategy::Auto if self.options.conflict_limit == 0 && self.options.restart_limit == 0 => {
                    self.alternate(level, &mut best)
                }
                _ => self.branch_and_bound(level, &mut best, i128::MIN, None),
            };
            match ended {
                Ended::Stopped | Ended::Paused => return,
                Ended::Infeasible => {
                    self.result.exhausted = true;
                    return;
                }
                Ended::Optimal => {}
            }
            let Some(costs) = best.costs.clone() else { return };
            self.result.lower_bounds = costs[..=level].to_vec();
            if level + 1 < self.levels.len() {
                let guard = self.guard();
                self.t.engine.reset_enumeration();
                self.bound_level(guard, level, costs[level]);
                self.impose_settled(guard, known);
            }
        }
        let Some(costs) = best.costs else { return };
        self.result.exhausted = true;
        self.result.costs = Some(costs.clone());
        self.retire(base);
        if self.options.opt_mode != OptMode::OptN {
            self.result.optimal_models = 0;
            let _ = self.report_optimum();
            return;
        }
        if !self.report_optimum() {
            return self.stop(StopReason::Interrupted);
        }
        let guard = self.guard();
        for (level, &cost) in costs.iter().enumerate() {
            self.bound_level(guard, level, cost);
        }
        self.impose_settled(guard, 0);
        self.wanted = self.options.models.unwrap_or(0);
        self.result.exhausted = false;
        self.optimum_known = true;
        if self.wants_consequences() { self.find_consequences() } else { self.enumerate(true) }
    }

    /// Literals of the objective are first decided to be what is cheap; the most important level has the last word.
    fn prefer_cheap(&mut self) {
        for level in (0..self.levels.len()).rev() {
            for (lit, weight) in self.terms(level) {
                self.t.engine.set_phase(lit.var(), lit.is_neg() == (weight > 0));
            }
        }
    }

    /// Decisions follow the last model from now on.
    fn follow_model(&mut self) {
        for var in (0..self.t.engine.num_vars() as u32).map(Var) {
            if let Some(value) = self.t.engine.value(Lit::pos(var)) {
                self.t.engine.set_phase(var, value);
            }
        }
    }

    /// Optimises a level by cores alone.
    fn by_cores(&mut self, level: usize, best: &mut Best) -> Ended {
        let mut cores = self.start_cores(level);
        let ended = self.core_guided_level(level, best, &mut cores, None);
        self.settle_level(level, best, ended, &mut cores);
        ended
    }

    /// Notes what follows from a level that is done.
    fn settle_level(&mut self, level: usize, best: &Best, ended: Ended, cores: &mut Cores) {
        if let (Ended::Optimal, Some(costs), true) =
            (ended, &best.costs, self.options.solver.optimize.cores.settle)
        {
            self.settle(cores, costs[level]);
        }
    }

    /// Under the guard, the settled literals from a place on hold.
    fn impose_settled(&mut self, guard: Lit, from: usize) {
        for i in from..self.settled.len() {
            self.t.engine.add_clause(&[!guard, self.settled[i]]);
        }
    }

    /// Whether no more work was done than what the default strategy begins with.
    pub(crate) fn is_within_first_slice(&self) -> bool {
        let engine = &self.t.engine;
        engine.conflicts() < FIRST_SLICE.0 && engine.steps() < FIRST_SLICE.1
    }

    /// Optimises a level by cores for a while, as long as they close the gap.
    fn try_cores(&mut self, level: usize, best: &mut Best, cores: &mut Cores) -> Ended {
        let (mut conflicts, mut steps) = TRIAL;
        loop {
            let before = gap(level, best, cores);
            if before <= 0 {
                return Ended::Optimal;
            }
            let slice = self.slice(conflicts, steps);
            let ended = self.core_guided_level(level, best, cores, Some(slice));
            if ended != Ended::Paused || before - gap(level, best, cores) < before / WORTHWHILE {
                return ended;
            }
            (conflicts, steps) = (2 * conflicts, 2 * steps);
        }
    }

    /// Optimises a level by bounds and by cores in turns, each with what the other has found: cores that get nowhere at
    /// first are left for the first turn of bounds, and then cost little more than an eighth.
    fn alternate(&mut self, level: usize, best: &mut Best) -> Ended {
        let base = self.assumptions.len();
        if best.costs.is_none() {
            let slice = self.slice(FIRST_SLICE.0, FIRST_SLICE.1);
            match self.search_within(&[], Some(slice)) {
                Outcome::Sat if !self.improve(best) => return Ended::Stopped,
                Outcome::Unsat => return Ended::Infeasible,
                Outcome::Unknown(_) if self.result.stopped.is_some() => return Ended::Stopped,
                Outcome::Sat | Outcome::Unknown(_) => {}
            }
        }
        let mut cores = self.start_cores(level);
        let ended = self.take_turns(level, best, &mut cores);
        self.retire(base);
        self.settle_level(level, best, ended, &mut cores);
        ended
    }

    /// The turns of [`alternate`](Self::alternate), once there was time to find a model.
    fn take_turns(&mut self, level: usize, best: &mut Best, cores: &mut Cores) -> Ended {
        if best.costs.is_some() {
            let ended = self.try_cores(level, best, cores);
            if ended != Ended::Paused {
                return ended;
            }
        }
        let (mut conflicts, mut steps) = FIRST_SLICE;
        let mut share = STALLED_SHARE;
        loop {
            let slice = self.slice(conflicts, steps);
            let ended = self.branch_and_bound(level, best, cores.lower(), Some(slice));
            if ended != Ended::Paused {
                return ended;
            }
            conflicts += conflicts / 2;
            steps += steps / 2;
            if self.has_conflicts_left(slice) {
                let before = gap(level, best, cores);
                let slice = self.slice(conflicts / share, steps / share);
                let ended = self.core_guided_level(level, best, cores, Some(slice));
                if ended != Ended::Paused {
                    return ended;
                }
                let closed = before.saturating_sub(gap(level, best, cores));
                share = if closed >= before / WORTHWHILE { 1 } else { STALLED_SHARE };
            }
        }
    }

    /// Reports the last model if it is better than the best. `false`: stop.
    pub(crate) fn improve(&mut self, best: &mut Best) -> bool {
        self.improve_by(best, None)
    }

    /// Takes over a better model of another thread. `false`: stop.
    pub(crate) fn adopt(&mut self, best: &mut Best) -> bool {
        let Some(exchange) = &self.exchange else { return true };
        let Some(found) = exchange.better_than(best.costs.as_deref()) else { return true };
        self.costs = found.costs;
        self.improve_by(best, Some(&found.atoms))
    }

    fn improve_by(&mut self, best: &mut Best, atoms: Option<&[bool]>) -> bool {
        if best.costs.as_ref().is_some_and(|c| self.costs >= *c) {
            return true;
        }
        best.costs = Some(self.costs.clone());
        if self.options.solver.optimize.follow_best && atoms.is_none() {
            self.follow_model();
        }
        let goes_on = match (atoms, self.running.take()) {
            (Some(atoms), _) => self.report_found(atoms),
            (None, None) => self.report(false),
            (None, Some(mut running)) => {
                self.result.costs = best.costs.clone();
                let goes_on = self.report_running(&mut running);
                self.running = Some(running);
                goes_on
            }
        };
        if goes_on {
            if self.wanted == 0 || self.result.models < self.wanted || self.options.opt_mode == OptMode::OptN
            {
                return true;
            }
        } else {
            self.result.stopped = self.result.stopped.or(None);
        }
        false
    }

    /// Optimises a level by bounds alone, knowing a lower bound, within a slice of work.
    fn branch_and_bound(
        &mut self,
        level: usize,
        best: &mut Best,
        known: i128,
        slice: Option<Slice>,
    ) -> Ended {
        let base = self.assumptions.len();
        let terms = self.terms(level);
        let constant = i128::from(self.constant(level));
        let least: i128 = constant + terms.iter().map(|t| i128::from(t.1.min(0))).sum::<i128>();
        // Nothing below this is possible.
        let mut lower = least.max(known);
        let mut step = 1i128;
        let strategy = self.options.solver.optimize.strategy;
        // The bound in force, with the constraint that says so, so that it can become tighter.
        let mut bound = None;
        loop {
            if !self.adopt(best) {
                return Ended::Stopped;
            }
            if let Some(costs) = &best.costs {
                let upper = i128::from(costs[level]);
                if upper <= lower {
                    self.retire(base);
                    return Ended::Optimal;
                }
                step = match strategy {
                    OptStrategy::Increasing | OptStrategy::Decreasing => step.clamp(1, upper - lower),
                    _ => 1,
                };
                let goal = upper - step - constant;
                self.t.engine.reset_enumeration();
                match (bound, i64::try_from(goal)) {
                    (None, _) | (_, Err(_)) => {
                        self.retire(base);
                        let guard = self.guard();
                        bound = i64::try_from(goal)
                            .ok()
                            .map(|g| self.t.engine.add_upper_bound(Some(guard), &terms, Some(g)));
                        if bound.is_none() {
                            self.add_bound(guard, &terms, goal);
                        }
                    }
                    (Some(id), Ok(goal)) => self.t.engine.set_upper_bound(id, goal),
                }
            }
            match self.search_within(&[], slice) {
                Outcome::Sat => {
                    let first = best.costs.is_none();
                    if !self.improve(best) {
                        return Ended::Stopped;
                    }
                    step = match strategy {
                        OptStrategy::Increasing if !first => step * 2,
                        OptStrategy::Decreasing => {
                            (best.costs.as_ref().map_or(0, |c| i128::from(c[level])) - lower) / 2
                        }
                        _ => 1,
                    };
                }
                Outcome::Unsat => {
                    let Some(costs) = &best.costs else { return Ended::Infeasible };
                    lower = i128::from(costs[level]) - step + 1;
                    self.retire(base);
                    bound = None;
                    step = if strategy == OptStrategy::Decreasing { step / 2 } else { 1 };
                    self.note_lower_bound(level, best, lower);
                    if !self.report_lower_bounds() {
                        return Ended::Stopped;
                    }
                }
                Outcome::Unknown(_) if self.result.stopped.is_none() => {
                    self.retire(base);
                    return Ended::Paused;
                }
                Outcome::Unknown(_) => return Ended::Stopped,
            }
        }
    }

    /// Puts a level's proven lower bound behind the costs of the levels before it.
    pub(crate) fn note_lower_bound(&mut self, level: usize, best: &Best, lower: i128) {
        let mut bounds = match &best.costs {
            Some(costs) => costs[..level].to_vec(),
            None => Vec::new(),
        };
        bounds.truncate(level);
        if bounds.len() == level {
            bounds.push(lower.clamp(i64::MIN.into(), i64::MAX.into()) as i64);
            self.result.lower_bounds = bounds;
        }
    }
}
