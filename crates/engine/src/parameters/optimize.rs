//! Parameters of optimisation.
//!
//! Invariant: as for all solver parameters, the defaults are those of a run without options.

/// How the optimum is approached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OptStrategy {
    /// By cores as long as they make progress, then alternately by bounds level by level and by cores.
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

/// How a core is relaxed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Relaxation {
    /// A counter over the core, whose outputs are added one at a time as further cores need them.
    #[default]
    Oll,
    /// A counter over the core with all its outputs.
    One,
    /// A chain of counters over this many literals each; `None`: depending on the size of the core.
    Bounded(Option<u32>),
    /// A chain of pairs.
    Pmres,
}

/// How cores are made smaller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shrink {
    /// By trying to leave out each literal.
    Minimal,
    /// By the shortest prefix that is a core, trying short ones first.
    Forward,
    /// By shorter and shorter prefixes, as long as they are cores.
    Backward,
    /// By prefixes, with binary search.
    Binary,
    /// By prefixes whose lengths grow in doubling steps, restarted repeatedly.
    Geometric,
    /// By prefixes whose lengths double.
    Exponential,
}

/// Tactics of core-guided optimisation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CoreTactics {
    /// How a core is relaxed.
    pub relaxation: Relaxation,
    /// Whether cores are searched for with the remaining weights, and relaxed only when there are no more.
    pub disjoint: bool,
    /// Whether a little search is spent on how many literals of a core hold.
    pub exhaust: bool,
    /// Whether the literals with the highest costs come first.
    pub stratify: bool,
    /// How cores are made smaller; `None`: not at all.
    pub shrink: Option<Shrink>,
    /// Conflicts that each attempt at that may take, 0 for no limit; `None`: few.
    pub shrink_conflicts: Option<u64>,
    /// Whether literals excluded by an optimised level stay excluded for the levels after it.
    pub keep_implied: bool,
}

impl Default for CoreTactics {
    fn default() -> Self {
        Self {
            relaxation: Relaxation::Oll,
            disjoint: true,
            exhaust: true,
            stratify: true,
            shrink: Some(Shrink::Minimal),
            shrink_conflicts: None,
            keep_implied: true,
        }
    }
}

/// How the optimum is approached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptimizeParameters {
    /// Branch and bound, or unsatisfiable cores.
    pub strategy: OptStrategy,
    /// How cores are found.
    pub cores: CoreTactics,
    /// Whether literals of the objective are first decided to their cheaper value.
    pub cheap_signs: bool,
    /// Whether decisions follow the best model so far.
    pub follow_best: bool,
    /// Whether branch and bound uses the linear relaxation of an objective.
    pub relax: bool,
    /// The initial share of the work for the relaxation at nodes of the search, in percent; 100: it is solved at each.
    pub relax_nodes: u32,
}

impl Default for OptimizeParameters {
    fn default() -> Self {
        Self {
            strategy: OptStrategy::default(),
            cores: CoreTactics::default(),
            cheap_signs: false,
            follow_best: false,
            relax: true,
            relax_nodes: 30,
        }
    }
}
