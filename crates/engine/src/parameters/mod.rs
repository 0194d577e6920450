//! Solver parameters: how one thread searches, grouped by technique as clasp groups its options.
//!
//! Invariant: every value is usable as it is; the defaults are those of a run without options, and options change
//! fields of them. Plain data: nothing here is read from the environment or the clock, or refers to a program. Source:
//! Gebser, Kaufmann and Schaub, *Conflict-driven answer set solving*, AIJ 2012, for most options; the techniques name
//! their own papers where they are implemented.

mod heuristic;
mod inprocess;
mod learning;
mod optimize;
mod reduce;
mod restart;
mod sharing;

pub use heuristic::{
    Candidates, DecayProgress, HeuristicParameters, LookaheadParameters, PhaseParameters, PhaseRule,
    RandomStart, Sign,
};
pub use inprocess::{Elimination, InprocessParameters};
pub use learning::CuttingPlanes;
pub use learning::{Antecedents, FirstWatches, Forget, LearningParameters, LoopNogoods};
pub use optimize::{CoreTactics, OptStrategy, OptimizeParameters, Relaxation, Shrink};
pub use reduce::{ReduceParameters, SizeLimit, UpdateLbd};
pub use restart::{AfterModel, Blocking, CounterRestarts, RestartParameters, RestartRule, SearchMode};
pub use sharing::{SharingParameters, Topology};

/// How one thread searches.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SolverParameters {
    /// Seed of all random choices.
    pub seed: u64,
    /// The search style.
    pub mode: SearchMode,
    /// When to restart.
    pub restart: RestartParameters,
    /// Which learned clauses are deleted, and when.
    pub reduce: ReduceParameters,
    /// Which variable is decided.
    pub heuristic: HeuristicParameters,
    /// The value of decided variables.
    pub phase: PhaseParameters,
    /// Lookahead before decisions.
    pub lookahead: LookaheadParameters,
    /// What is learned.
    pub learning: LearningParameters,
    /// How clauses are simplified between restarts.
    pub inprocess: InprocessParameters,
    /// How sums and at-most-one groups are represented.
    pub constraint: ConstraintParameters,
    /// How the optimum is approached.
    pub optimize: OptimizeParameters,
}

/// How sums and at-most-one groups are represented.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConstraintParameters {
    /// Whether to keep constraints on one sum together, with their literals ordered by bound.
    pub bound_chains: bool,
    /// At-most-one groups below this size become clauses, which elimination can work on.
    pub least_group: u64,
}

impl Default for ConstraintParameters {
    fn default() -> Self {
        Self { bound_chains: true, least_group: 3 }
    }
}
