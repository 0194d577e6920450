//! The summary of a call or a run, independent of the format.

use asp_base::interrupt::StopReason;

/// How it ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    /// There is a model.
    Satisfiable,
    /// There is none.
    Unsatisfiable,
    /// An optimal model is known.
    Optimum,
    /// Neither model nor proof.
    Unknown,
}

/// Seconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// From start to end of the run.
    pub total: f64,
    /// Reading and grounding.
    pub reading: f64,
    /// From the ground program to the start of the search.
    pub preprocessing: f64,
    /// From the start of the search to its end.
    pub solve: f64,
    /// From the start of the search to the first model.
    pub first_model: f64,
    /// From the last model to the proof that there are no more.
    pub unsat: f64,
    /// Processor time of all threads together.
    pub cpu: f64,
}

/// Which consequences were asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Consequences {
    /// The union of the models.
    Brave,
    /// The intersection of the models.
    Cautious,
}

/// The result of a call or a run.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Whether a model was found.
    pub satisfiable: bool,
    /// Whether the search space was exhausted.
    pub exhausted: bool,
    /// Whether the costs of the last model are proven optimal.
    pub optimum_proven: bool,
    /// Why it stopped early.
    pub stopped: Option<StopReason>,
    /// Models found.
    pub models: u64,
    /// Models known to be optimal.
    pub optimal: u64,
    /// Whether there is an objective that is not ignored.
    pub objective: bool,
    /// Whether the objective is optimised (not merely used as a bound).
    pub optimising: bool,
    /// Costs of the best model, most important first.
    pub costs: Option<Vec<i64>>,
    /// Proven lower bounds, most important first.
    pub lower: Vec<i64>,
    /// The least value of each level that its weights allow.
    pub floors: Vec<i64>,
    /// Whether a gap between costs and bounds was to end the search.
    pub wants_gap: bool,
    /// Whether the search ended because the costs are proven close enough to the optimum.
    pub is_close: bool,
    /// Which consequences were asked for.
    pub consequences: Option<Consequences>,
    /// The last estimate: the numbers of decided and of open atoms.
    pub estimate: Option<(u64, u64)>,
    /// Whether the consequences are answers to a query.
    pub query: bool,
    /// Solve calls.
    pub calls: u64,
    /// Times.
    pub times: Times,
    /// Threads of the search.
    pub threads: u32,
    /// Costs from elsewhere: only better answer sets were looked for since they were known.
    pub bound: Option<Vec<i64>>,
    /// The cube that the run kept to.
    pub cube: Option<CubeNote>,
}

/// The cube of a run, for its result.
#[derive(Clone, Debug)]
pub struct CubeNote {
    /// How `--cube` names it.
    pub id: String,
    /// The ground program.
    pub program: String,
    /// The mode of the call.
    pub mode: &'static str,
}

impl Summary {
    /// Begins a call: forgets the result of the previous one.
    pub fn open_call(&mut self) {
        *self = Self {
            models: self.models,
            consequences: self.consequences,
            query: self.query,
            calls: self.calls + 1,
            times: self.times,
            threads: self.threads,
            ..Self::default()
        };
    }
    /// How it ended.
    pub(crate) fn status(&self) -> Status {
        match (self.satisfiable, self.exhausted) {
            (true, _) if self.is_beaten() => Status::Satisfiable,
            (true, exhausted) if self.objective && (exhausted || self.optimum_proven) => Status::Optimum,
            (true, _) => Status::Satisfiable,
            (false, true) if !self.is_beaten() => Status::Unsatisfiable,
            (false, _) => Status::Unknown,
        }
    }
    /// Whether others found costs at least as good: then worse answer sets were not searched for.
    pub(crate) fn is_beaten(&self) -> bool {
        let worse = |bound: &Vec<i64>| self.costs.as_ref().is_none_or(|own| own >= bound);
        self.bound.as_ref().is_some_and(worse)
    }
    /// Whether all answer sets were searched, or all that are better than the best.
    pub fn is_complete(&self) -> bool {
        self.exhausted && !self.is_beaten()
    }
    /// Whether the query has an answer, if that is known. A program without answer sets has every consequence.
    pub(crate) fn query_holds(&self) -> Option<bool> {
        let brave = self.consequences == Some(Consequences::Brave);
        let found = self.estimate.is_some_and(|(decided, _)| decided > 0);
        match (found, self.exhausted) {
            _ if !self.query => None,
            (true, _) => Some(true),
            (false, true) => Some(!self.satisfiable && !brave),
            (false, false) => None,
        }
    }
    /// Whether costs may still improve.
    pub(crate) fn optimum_open(&self) -> bool {
        self.status() != Status::Optimum
    }
    /// Why it stopped, in the summary's words. Reaching the limit on conflicts is not an interruption.
    pub fn stop_word(&self) -> Option<&'static str> {
        match self.stopped? {
            StopReason::Interrupted => Some("INTERRUPTED"),
            StopReason::TimeLimit => Some("TIME LIMIT"),
            StopReason::MemoryLimit => Some("MEMORY LIMIT"),
            StopReason::StepLimit => None,
        }
    }
    /// The greatest distance of the costs from the optimum, in percent, at the first level where it is open.
    pub(crate) fn gap(&self) -> Option<f64> {
        let costs = self.costs.as_deref().filter(|_| self.bounds().is_some())?;
        gap(self.lower.iter().chain(self.floors.iter().skip(self.lower.len())), costs)
    }
    /// Lower and upper bound of each level whose lower bound is known, until the optimum is known.
    pub(crate) fn bounds(&self) -> Option<impl Iterator<Item = (i64, Option<i64>)> + '_> {
        let known = self.optimising && self.optimum_open() && !self.exhausted && !self.lower.is_empty();
        let upper = |i: usize| self.costs.as_ref().and_then(|c| c.get(i).copied());
        let rest = self.floors.iter().skip(self.lower.len());
        known.then(|| self.lower.iter().chain(rest).enumerate().map(move |(i, &low)| (low, upper(i))))
    }
}

/// The gap between lower bounds and costs in percent of the costs, at the first level with a gap. `None` for costs of 0.
pub(crate) fn gap<'a>(lower: impl Iterator<Item = &'a i64>, costs: &[i64]) -> Option<f64> {
    let (&low, &high) = lower.zip(costs).find(|(low, high)| low != high)?;
    (high != 0).then(|| 100.0 * (high as f64 - low as f64) / (high as f64).abs())
}
