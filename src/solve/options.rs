//! Checked options of a solve call.
//!
//! Invariant: every value is usable as it is; the default is what a call without options does.

use crate::program::ground_program::HeuristicModifier;
use crate::solve::engine::parameters::{Elimination, Forget, SharingParameters, SolverParameters};

/// Which learned nogoods are written down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LemmaFilter {
    /// Those of at most this LBD ...
    pub lbd: u32,
    /// ... until there are so many.
    pub most: u64,
    /// Those of shown atoms only.
    pub shown: bool,
}

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

/// Which sums become clauses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SumsAsClauses {
    /// Those that are clauses anyway.
    #[default]
    None,
    /// Those whose weights are all the same.
    Cardinalities,
    /// Those of constraints whose weights are all the same.
    Constraints,
    /// Those of rules in a component.
    Recursive,
    /// Those that make few clauses.
    Small,
    /// All that do not make very many.
    All,
}

/// How a program is translated. Threads of one call agree on it, since they number variables alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TranslateOptions {
    /// Whether atoms may hold each other up: supported models instead of answer sets.
    pub supported: bool,
    /// Whether equivalent atoms and bodies become one variable.
    pub equivalences: bool,
    /// Which sums become clauses.
    pub sums: SumsAsClauses,
    /// Whether conclusions are drawn by counting over exactly-one and at-most-one groups.
    pub value_sets: bool,
    /// Whether variables are eliminated that nothing but clauses needs.
    pub elimination: Eliminate,
}

impl Default for TranslateOptions {
    fn default() -> Self {
        Self {
            supported: false,
            equivalences: true,
            sums: SumsAsClauses::None,
            value_sets: true,
            elimination: Eliminate::Auto,
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
    /// What tells models apart.
    pub projection: Projection,
    /// What to do with the objective.
    pub opt_mode: OptMode,
    /// Initial bounds, most important level first; only costs at most these are wanted.
    pub opt_bounds: Vec<i64>,
    /// Stop after this many conflicts (0: no limit).
    pub conflict_limit: u64,
    /// Stop after this many restarts (0: no limit).
    pub restart_limit: u64,
    /// How the program is translated.
    pub translate: TranslateOptions,
    /// Whether `#heuristic` directives steer decisions.
    pub domain_heuristic: bool,
    /// A modification that all atoms of a kind get besides what `#heuristic` directives say.
    pub domain_default: Option<DomainDefault>,
    /// How is searched.
    pub solver: SolverParameters,
    /// The same for the tests of stability of disjunctive programs.
    pub tester: SolverParameters,
    /// Number of threads, at least 1 (0 counts as 1).
    pub threads: u32,
    /// Whether threads divide the search space even for one model, instead of competing for it. For many models they
    /// always do.
    pub split: bool,
    /// How each thread searches, the caller's own first, and again from the start if there are more threads; if empty,
    /// helpers vary the parameters by themselves.
    pub portfolio: Vec<SolverParameters>,
    /// What threads tell each other.
    pub sharing: SharingParameters,
    /// Whether clauses may be added at models ([`SolveHandle::add_clause`](crate::SolveHandle::add_clause)): nothing is done
    /// then that only the program itself justifies, such as breaking its symmetries.
    pub takes_clauses: bool,
    /// What is forgotten from one call to the next.
    pub forget: Forget,
    /// Which learned nogoods are written down, for [`Control::take_lemmas`](crate::Control::take_lemmas).
    pub lemmas: Option<LemmaFilter>,
}
