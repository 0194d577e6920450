//! Optimisation: better and better models, and the proof that none is left.
//!
//! Levels are optimised one by one, the most important first; costs of finished levels are fixed to their optima.
//! ([`lexicographic`] optimises all at once.)
//! Invariant: the best model is reported before anything can stop the search for a better one.

pub(crate) mod best;
pub(crate) mod bounds;
pub(crate) mod branch_and_bound;
pub mod combined;
pub(crate) mod core_guided;
pub(crate) mod lexicographic;
pub(crate) mod loop_cuts;
pub(crate) mod neighbours;
pub(crate) mod progress;
pub(crate) mod relaxed;
pub(crate) mod shrink;
pub(crate) mod soft;
pub(crate) mod start;
pub(crate) mod turns;

use std::sync::Arc;

use crate::call::SolveCall;
use crate::call::drive::{Driver, Milestone};
use crate::call::search::Slice;
use crate::optimize::best::{Best, SharedBest};
use crate::optimize::branch_and_bound::BranchAndBound;
use crate::optimize::core_guided::Cores;
use crate::optimize::lexicographic::Lexicographic;
use crate::optimize::progress::{FIRST_SLICE, Progress};
use crate::optimize::start::begins_at;
use crate::optimize::turns::Turns;
use crate::options::OptMode;
use asp_base::interrupt::StopReason;
use asp_engine::Outcome;
use asp_engine::parameters::OptStrategy;
use asp_engine::store::literal::Lit;

/// How a level is optimised.
enum Approach {
    /// All levels at once.
    AtOnce(Lexicographic),
    /// By bounds alone.
    Bounds(Box<BranchAndBound>),
    /// By cores alone.
    Cores(Box<Cores>),
    /// A search for a model, within a slice of work, before turns begin.
    FirstModel(Slice),
    /// By bounds and by cores, alternately.
    Turns(Box<Turns>),
}

/// Threads that compete for an optimum.
pub(crate) struct Competition {
    /// The best model of all threads.
    pub(crate) best: Arc<SharedBest>,
    /// Whether to use another strategy than the default.
    pub(crate) alternate_strategy: bool,
}

/// The state of branch and bound or of cores over the solve calls of one objective.
pub(crate) struct Optimisation {
    best: Best,
    alternate_strategy: bool,
    /// Number of assumptions of the call.
    base: usize,
    level: usize,
    approach: Approach,
    /// Literals that hold in all models with the optimal costs of the finished levels.
    implied: Vec<Lit>,
    /// Literals of an earlier answer: the first model is to keep as many as still hold.
    start: Vec<Lit>,
    /// Whether the last step left a model in place.
    at_model: bool,
    /// Whether a proof knows that costs are demanded.
    is_demanded: bool,
    is_proven: bool,
}

impl Optimisation {
    /// The optimisation before the first model.
    pub(crate) fn new(call: &mut SolveCall<'_>, competition: Option<Competition>) -> Self {
        let base = call.assumptions.len();
        call.limit_costs();
        let (shared, alternate_strategy) =
            competition.map_or((None, false), |c| (Some(c.best), c.alternate_strategy));
        let best = Best::new(call, shared);
        if call.options.solver.optimize.cheap_signs {
            prefer_cheap(call);
        }
        let level = call.proven_level();
        let by_levels = level.is_some() || call.options.opt_gap.is_wanted();
        let at_once = !by_levels && call.options.solver.optimize.strategy == OptStrategy::Linear;
        let approach = if at_once && call.levels.len() > 1 {
            Approach::AtOnce(Lexicographic::new(call))
        } else {
            begin_level(call, level.unwrap_or(0), alternate_strategy)
        };
        Self {
            best,
            alternate_strategy,
            base,
            level: level.unwrap_or(0),
            approach,
            implied: Vec::new(),
            start: if call.t.engine.proof.is_some() { Vec::new() } else { call.start() },
            at_model: false,
            is_demanded: false,
            is_proven: false,
        }
    }

    /// After the proof of the optimum, restricts the search to optimal models if they are to be enumerated. Returns
    /// whether they are.
    pub(crate) fn keep_optimal(&mut self, call: &mut SolveCall<'_>) -> bool {
        let proven = self.is_proven && call.options.opt_mode == OptMode::OptN;
        let Some(costs) = self.best.costs.as_ref().filter(|_| proven) else { return false };
        let guard = call.guard();
        match call.proven_level().and_then(|level| Some((level, self.best.of(level)?))) {
            Some((level, cost)) => {
                let rest = cost - i128::from(call.constant(level));
                call.add_bound(guard, &call.terms(level), rest);
                if let Some(proof) = &mut call.t.engine.proof {
                    proof.models.clear();
                }
            }
            None => {
                for (level, &cost) in costs.iter().enumerate() {
                    call.bound_level(guard, level, cost);
                }
            }
        }
        for &lit in &self.implied {
            call.t.engine.add_clause(&[!guard, lit]);
        }
        call.wants(call.options.models.unwrap_or(0));
        call.result.exhausted = false;
        true
    }

    /// Continues with the next level under the optimum of this one, or ends with the proof.
    fn finish_level(&mut self, call: &mut SolveCall<'_>) -> Option<Milestone> {
        call.t.remove_relaxation();
        let Some(costs) = self.best.costs.clone() else { return Some(Milestone::Done) };
        let known = self.implied.len();
        let cores = match &mut self.approach {
            Approach::Cores(cores) => Some(&mut **cores),
            Approach::Turns(turns) => Some(turns.cores()),
            _ => None,
        };
        if let Some(proof) = &mut call.t.engine.proof {
            proof.close();
        }
        if let Some(cores) = cores.filter(|_| call.options.solver.optimize.cores.keep_implied) {
            self.implied.extend(cores.implied(call, self.best.of(self.level).unwrap_or(0)));
        }
        let last = call.levels.len() - 1;
        if matches!(self.approach, Approach::AtOnce(_)) || call.proven_level().is_some() {
            self.level = last;
        }
        call.result.lower_bounds = costs[..=self.level].to_vec();
        if self.level < last {
            let guard = call.guard();
            call.t.engine.reset_enumeration();
            call.bound_level(guard, self.level, costs[self.level]);
            for &lit in &self.implied[known..] {
                call.t.engine.add_clause(&[!guard, lit]);
            }
            self.level += 1;
            self.approach = begin_level(call, self.level, self.alternate_strategy);
            return None;
        }
        self.is_proven = true;
        call.result.exhausted = true;
        call.result.costs = Some(costs);
        call.retire(self.base);
        if call.options.opt_mode != OptMode::OptN {
            call.result.optimal_models = 0;
        }
        call.count_anew();
        Some(Milestone::Optimum)
    }
}

impl Driver for Optimisation {
    fn next(&mut self, call: &mut SolveCall<'_>) -> Milestone {
        let may_have_enough = std::mem::take(&mut self.at_model) && call.options.opt_mode != OptMode::OptN;
        if self.is_proven || may_have_enough && call.has_enough() {
            return Milestone::Done;
        }
        loop {
            let best = &mut self.best;
            let progress = match &mut self.approach {
                _ if begins_at(call, best, &mut self.start) => Progress::Report(Milestone::Model),
                Approach::AtOnce(all) => all.next(call, best),
                Approach::Bounds(bounds) => bounds.next(call, best, None),
                Approach::Cores(cores) => cores.next(call, best, None),
                Approach::FirstModel(slice) => find_first(call, best, *slice),
                Approach::Turns(turns) => turns.next(call, best),
            };
            match progress {
                Progress::Report(step) => {
                    self.at_model = step == Milestone::Model;
                    if self.at_model && !std::mem::replace(&mut self.is_demanded, true) {
                        call.log_demand();
                    }
                    return step;
                }
                Progress::Infeasible => {
                    call.result.exhausted = true;
                    return Milestone::Done;
                }
                Progress::Optimal => {
                    if let Some(step) = self.finish_level(call) {
                        return step;
                    }
                }
                Progress::Paused => {
                    self.approach = Approach::Turns(Box::new(Turns::new(call, best, self.level)))
                }
            }
        }
    }

    fn halt(&mut self, call: &mut SolveCall<'_>) {
        if self.is_proven && call.options.opt_mode == OptMode::OptN {
            call.stop(StopReason::Interrupted);
        }
    }
}

/// Chooses how to optimise a level.
fn begin_level(call: &mut SolveCall<'_>, level: usize, alternate_strategy: bool) -> Approach {
    let unlimited = !call.options.limits_search();
    match call.options.solver.optimize.strategy {
        OptStrategy::Auto if alternate_strategy => Approach::Cores(Box::new(Cores::new(call, level))),
        OptStrategy::CoreGuided => Approach::Cores(Box::new(Cores::new(call, level))),
        // Bounds say more of integers than cores of their digits.
        OptStrategy::Auto if call.t.engine.has_digits(&call.terms(level)) => {
            Approach::Bounds(Box::new(BranchAndBound::new(call, level, i128::MIN).over_integers(call)))
        }
        OptStrategy::Auto if unlimited => Approach::FirstModel(call.slice(FIRST_SLICE.0, FIRST_SLICE.1)),
        _ => Approach::Bounds(Box::new(BranchAndBound::new(call, level, i128::MIN))),
    }
}

/// Searches for a model if there is none, within a slice of work.
fn find_first(call: &mut SolveCall<'_>, best: &mut Best, slice: Slice) -> Progress {
    if best.costs.is_some() {
        return Progress::Paused;
    }
    match call.search_within(&[], Some(slice)) {
        Outcome::Sat if best.improve(call) => Progress::Report(Milestone::Model),
        Outcome::Unsat => Progress::Infeasible,
        Outcome::Unknown(_) if call.result.stopped.is_some() => Progress::Report(Milestone::Stopped),
        Outcome::Sat | Outcome::Unknown(_) => Progress::Paused,
    }
}

/// Sets the initial phase of the objective's literals to their cheaper value; the most important level takes
/// precedence.
fn prefer_cheap(call: &mut SolveCall<'_>) {
    for level in (0..call.levels.len()).rev() {
        for (lit, weight) in call.terms(level) {
            call.t.engine.set_phase(lit.var(), lit.is_neg() == (weight > 0));
        }
    }
}
