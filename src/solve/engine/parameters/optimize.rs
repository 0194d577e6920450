//! Parameters of optimisation.
//!
//! Invariant: as for all solver parameters, the default is what a run does by itself.

/// How the optimum is approached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OptStrategy {
    /// By cores as long as they get on, then by bounds level by level and by cores in turns.
    #[default]
    Auto,
    /// Branch and bound over all levels at once.
    Linear,
    /// Branch and bound, level by level.
    Hierarchical,
    /// Branch and bound with growing steps.
    Increasing,
    /// Branch and bound with shrinking steps.
    Decreasing,
    /// Core-guided (OLL).
    CoreGuided,
}

impl OptStrategy {
    /// All of them.
    pub const ALL: [Self; 6] = {
        use OptStrategy::*;
        [Auto, Linear, Hierarchical, Increasing, Decreasing, CoreGuided]
    };
}

/// How the literals of a core are paid for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Relaxation {
    /// A counter over the core, whose outputs come one at a time as further cores ask for them.
    #[default]
    Oll,
    /// A counter over the core with all its outputs.
    One,
    /// A chain of counters over this many literals each; `None`: by the size of the core.
    Bounded(Option<u32>),
    /// A chain of pairs.
    Pmres,
}

/// How cores are made smaller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shrink {
    /// Each literal is tried to be left out.
    Minimal,
    /// By the shortest prefix that is a core, from short ones on.
    Forward,
    /// By shorter prefixes as long as they are cores.
    Backward,
    /// By prefixes in binary search.
    Binary,
    /// By prefixes whose lengths grow in steps that double, again and again.
    Geometric,
    /// By prefixes whose lengths double.
    Exponential,
}

/// Tactics of core-guided optimisation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CoreTactics {
    /// How cores are paid for.
    pub relaxation: Relaxation,
    /// Cores are found without literals of those before, and paid for only when there is none left.
    pub disjoint: bool,
    /// The heaviest costs come first.
    pub stratify: bool,
    /// How cores are made smaller, if they are.
    pub shrink: Option<Shrink>,
    /// Conflicts that each attempt to do so may take, 0 for any number; `None`: few.
    pub shrink_conflicts: Option<u64>,
    /// The levels that follow a finished one know which of its literals cannot hold any more.
    pub keep_implied: bool,
}

impl Default for CoreTactics {
    fn default() -> Self {
        Self {
            relaxation: Relaxation::Oll,
            disjoint: true,
            stratify: true,
            shrink: Some(Shrink::Minimal),
            shrink_conflicts: None,
            keep_implied: true,
        }
    }
}

/// How the optimum is approached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OptimizeParameters {
    /// The algorithm.
    pub strategy: OptStrategy,
    /// How cores are found.
    pub cores: CoreTactics,
    /// Whether literals of the objective are first decided to be what is cheap.
    pub cheap_signs: bool,
    /// Whether decisions follow the best model so far.
    pub follow_best: bool,
}
