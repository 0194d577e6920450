//! Checked options of a solve call.
//!
//! Invariant: every value is usable as it is; the default is what a call without options does.

use crate::program::ground_program::HeuristicModifier;
use crate::solve::engine;
use crate::solve::engine::inprocess::eliminate::Elimination;
use crate::solve::propagator::unfounded::LoopNogoods;
use crate::solve::session::lemmas::LemmaFilter;

/// How models are enumerated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EnumMode {
    /// By backtracking where possible.
    #[default]
    Auto,
    /// By backtracking, without recording nogoods.
    Backtrack,
    /// By recording a nogood per model.
    Record,
    /// By recording decisions of the domain heuristic.
    DomainRecord,
    /// The union of all models.
    Brave,
    /// The intersection of all models.
    Cautious,
    /// Cautious consequences by testing each candidate.
    Query,
    /// No enumeration beyond the first model of each call.
    User,
}

/// What to do with the objective.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OptMode {
    /// Find an optimal model.
    #[default]
    Opt,
    /// Enumerate models within the given bounds.
    Enum,
    /// Find the optimum, then enumerate optimal models.
    OptN,
    /// Ignore the objective.
    Ignore,
}

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

/// What projection keeps apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Projection {
    /// Models are told apart by all atoms.
    #[default]
    None,
    /// By what is shown.
    Show,
    /// By `#project` atoms.
    Project,
}

/// A modification of the domain heuristic for many atoms at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DomainDefault {
    /// How they are treated.
    pub modifier: HeuristicModifier,
    /// The value that goes with it.
    pub bias: i32,
    /// Whether all atoms are meant.
    pub all: bool,
    /// Whether atoms that are shown are meant.
    pub shown: bool,
    /// Whether atoms of the objective are meant.
    pub objective: bool,
}

/// What is forgotten between calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Forget {
    /// How active variables were.
    pub scores: bool,
    /// What variables were.
    pub signs: bool,
    /// How good learned clauses were.
    pub lemma_scores: bool,
    /// Learned clauses.
    pub lemmas: bool,
}

/// From whom a thread takes clauses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Topology {
    /// From all others.
    #[default]
    All,
    /// From those before and after it.
    Ring,
    /// From those whose numbers differ in one bit.
    Cube,
    /// From those, and from the one whose number differs in all bits.
    CubeAcross,
}

/// Which clauses threads share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sharing {
    /// The longest one; 0 for none at all.
    pub length: usize,
    /// The worst glue, for those of more than two literals.
    pub glue: u32,
    /// Who takes them.
    pub topology: Topology,
    /// Whether only those are taken that exclude something at once.
    pub only_unit: bool,
    /// Whether those are left that are true at the moment.
    pub only_open: bool,
}

impl Default for Sharing {
    fn default() -> Self {
        Self { length: 8, glue: 2, topology: Topology::All, only_unit: false, only_open: false }
    }
}

/// How the literals of a core are paid for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Relaxation {
    /// A counter over the core, whose outputs come one at a time as further cores ask for them.
    #[default]
    Oll,
    /// A counter over the core with all its outputs.
    One,
    /// A chain of counters over so many literals each; `None`: by the size of the core.
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

/// Whether variables are eliminated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Eliminate {
    /// If the program is nothing but choices and constraints, as one that was read from DIMACS is.
    #[default]
    Auto,
    /// Never.
    No,
    /// Whatever the program, where the call permits it.
    Within(Elimination),
}

/// Techniques that run between restarts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Inprocessing {
    /// Failed literals are found.
    pub probe: bool,
    /// Equivalent literals become one in long clauses.
    pub substitute: bool,
    /// Subsumed clauses go, and others lose literals.
    pub subsume: bool,
    /// Clauses are shortened by propagation.
    pub vivify: bool,
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
    pub settle: bool,
}

impl Default for CoreTactics {
    fn default() -> Self {
        Self {
            relaxation: Relaxation::Oll,
            disjoint: true,
            stratify: true,
            shrink: Some(Shrink::Minimal),
            shrink_conflicts: None,
            settle: true,
        }
    }
}

/// Checked options of a solve call.
#[derive(Clone, Debug, Default)]
pub struct SolveOptions {
    /// Models wanted; 0 means all, `None` the default (1, or all with an objective or consequences).
    pub models: Option<u64>,
    /// How to enumerate.
    pub enum_mode: EnumMode,
    /// What to do with the objective.
    pub opt_mode: OptMode,
    /// Initial bounds, most important level first; only costs at most these are wanted.
    pub opt_bounds: Vec<i64>,
    /// How to approach the optimum.
    pub opt_strategy: OptStrategy,
    /// How cores are found.
    pub cores: CoreTactics,
    /// Whether literals of the objective are first decided to be what is cheap.
    pub cheap_signs: bool,
    /// Whether decisions follow the best model so far.
    pub follow_best: bool,
    /// Changes of how is searched.
    pub tuning: engine::options::Tuning,
    /// The same for the tests of stability of disjunctive programs.
    pub tester: engine::options::Tuning,
    /// What is forgotten from one call to the next.
    pub forget: Forget,
    /// Which learned nogoods are written down, for [`crate::solve::Session::take_lemmas`].
    pub lemmas: Option<LemmaFilter>,
    /// What threads tell each other.
    pub sharing: Sharing,
    /// How threads search, the caller's own first, and again from the start if they are more; with none, each in a way of
    /// its own.
    pub portfolio: Vec<Way>,
    /// What tells models apart.
    pub projection: Projection,
    /// Whether atoms may hold each other up: supported models instead of answer sets.
    pub supported: bool,
    /// What is learned from unfounded sets.
    pub loops: LoopNogoods,
    /// Seed of the random number generator.
    pub seed: u64,
    /// Frequency of random decisions, 0 to 1.
    pub random_frequency: f64,
    /// Whether `#heuristic` directives steer decisions.
    pub domain_heuristic: bool,
    /// A modification that all atoms of a kind get besides what `#heuristic` directives say.
    pub domain_default: Option<DomainDefault>,
    /// Stop after this many conflicts (0: no limit).
    pub conflict_limit: u64,
    /// Stop after this many restarts (0: no limit).
    pub restart_limit: u64,
    /// Number of threads, at least 1 (0 counts as 1).
    pub threads: u32,
    /// Whether threads divide the search space even for one model, instead of competing for it. For many models they
    /// always do.
    pub split: bool,
    /// Whether variables are eliminated that nothing but clauses needs.
    pub elimination: Eliminate,
    /// How learned and given clauses are made simpler during the search; `None`: as the engine does by default.
    pub inprocessing: Option<Inprocessing>,
    /// Do not draw conclusions by counting over exactly-one and at-most-one groups.
    pub no_value_sets: bool,
}

/// How one of several threads searches.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Way {
    tuning: engine::options::Tuning,
    opt_strategy: OptStrategy,
    cores: CoreTactics,
    cheap_signs: bool,
    follow_best: bool,
    loops: LoopNogoods,
    seed: u64,
    random_frequency: f64,
}

impl Way {
    /// The way that options ask for.
    pub fn of(o: &SolveOptions) -> Self {
        Self {
            tuning: o.tuning,
            opt_strategy: o.opt_strategy,
            cores: o.cores,
            cheap_signs: o.cheap_signs,
            follow_best: o.follow_best,
            loops: o.loops,
            seed: o.seed,
            random_frequency: o.random_frequency,
        }
    }
    /// Options to search in this way. What decides on the variables stays, since threads number them alike.
    pub(crate) fn apply(&self, o: &mut SolveOptions) {
        let engine::options::Tuning { no_equivalences, sums, .. } = o.tuning;
        o.tuning = engine::options::Tuning { no_equivalences, sums, ..self.tuning };
        o.opt_strategy = self.opt_strategy;
        o.cores = self.cores;
        o.cheap_signs = self.cheap_signs;
        o.follow_best = self.follow_best;
        o.loops = self.loops;
        o.seed = self.seed;
        o.random_frequency = self.random_frequency;
    }
}
