//! Checked options of a solve call.
//!
//! Invariant: every value is usable as it is; the defaults are those of a call without options.

use asp_engine::Limits;
use asp_engine::parameters::{Elimination, Forget, SharingParameters, SolverParameters};
use asp_program::Literal;
use asp_program::ground_program::HeuristicModifier;

/// Which learned nogoods are recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LemmaFilter {
    /// Those of at most this LBD ...
    pub lbd: u32,
    /// ... until there are this many.
    pub most: u64,
    /// Only those over shown atoms.
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

/// The treatment of the objective.
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

/// The projection that distinguishes answer sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Projection {
    /// Models are distinguished by all atoms.
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
    /// The modifier's value.
    pub bias: i32,
    /// Whether it applies to all atoms.
    pub all: bool,
    /// Whether it applies to shown atoms.
    pub shown: bool,
    /// Whether it applies to atoms of the objective.
    pub objective: bool,
}

/// Whether variables are eliminated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Eliminate {
    /// If the program consists of choices and constraints only, as when it was read from DIMACS.
    #[default]
    Auto,
    /// Never.
    No,
    /// For any program, if the call permits it.
    Within(Elimination),
}

/// Which sums become clauses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SumsAsClauses {
    /// Only those that are equivalent to clauses.
    #[default]
    None,
    /// Those with equal weights.
    Cardinalities,
    /// Those of constraints with equal weights.
    Constraints,
    /// Those of rules in a component.
    Recursive,
    /// Those that need few clauses.
    Small,
    /// All except those that need very many.
    All,
}

/// How a program is translated. It is the same for all threads of a call, since they number variables alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TranslateOptions {
    /// Whether atoms may support each other: supported models instead of answer sets.
    pub supported: bool,
    /// Whether equivalent atoms and bodies become one variable.
    pub equivalences: bool,
    /// Which sums become clauses.
    pub sums: SumsAsClauses,
    /// Whether to derive constraints by counting over exactly-one and at-most-one groups.
    pub value_sets: bool,
    /// Whether exactly-one groups whose values exclude each other in order become chains.
    pub chains: bool,
    /// Whether to eliminate variables that only clauses use.
    pub elimination: Eliminate,
}

impl Default for TranslateOptions {
    fn default() -> Self {
        Self {
            supported: false,
            equivalences: true,
            sums: SumsAsClauses::None,
            value_sets: true,
            chains: true,
            elimination: Eliminate::Auto,
        }
    }
}

/// How close to the optimum costs are close enough; either is sufficient. A gap is that of the first level whose optimum is
/// not proven.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Gap {
    /// In millionths of the costs.
    pub relative: Option<u64>,
    /// As a difference.
    pub absolute: Option<u64>,
}

impl Gap {
    /// Whether any is wanted.
    pub fn is_wanted(self) -> bool {
        self != Self::default()
    }

    /// Whether costs that are at least `lower` are close enough to it.
    pub(crate) fn admits(self, lower: i64, costs: i64) -> bool {
        let gap = i128::from(costs) - i128::from(lower);
        let part = |millionths: u64| gap * 1_000_000 <= i128::from(millionths) * i128::from(costs).abs();
        self.absolute.is_some_and(|most| gap <= most.into()) || self.relative.is_some_and(part)
    }
}

impl SolveOptions {
    /// Whether a show entry tells models apart under [`Projection::Show`].
    pub fn distinguishes(&self, entry: usize) -> bool {
        self.undistinguished.binary_search(&(entry as u32)).is_err()
    }
}

/// Checked options of a solve call.
#[derive(Clone, Debug, Default)]
pub struct SolveOptions {
    /// Models wanted; 0 means all, `None` the default (1, or all with an objective or consequences).
    pub models: Option<u64>,
    /// How to enumerate.
    pub enum_mode: EnumMode,
    /// The projection that distinguishes models.
    pub projection: Projection,
    /// Show entries that nevertheless do not distinguish models under [`Projection::Show`], in ascending order.
    pub undistinguished: Vec<u32>,
    /// The treatment of the objective.
    pub opt_mode: OptMode,
    /// Initial bounds, most important level first; only costs at most these are wanted.
    pub opt_bounds: Vec<i64>,
    /// Stop at the first model with costs at most these, most important level first. Empty: only at the optimum.
    pub opt_stop: Vec<i64>,
    /// Stop when the costs are proven to be this close to the optimum.
    pub opt_gap: Gap,
    /// Literals of an earlier answer: the search begins with them, and an optimisation with as many as still hold.
    pub start: Vec<Literal>,
    /// Do not search: the result is unknown, unless translation, propagation or the first conflict proves that there is no
    /// model.
    pub no_search: bool,
    /// Stop after this many conflicts; `None` for no limit.
    pub conflict_limit: Option<u64>,
    /// Stop after this many restarts; `None` for no limit.
    pub restart_limit: Option<u64>,
    /// How the program is translated.
    pub translate: TranslateOptions,
    /// Whether `#heuristic` directives influence decisions.
    pub domain_heuristic: bool,
    /// A modification for all atoms of a kind, in addition to `#heuristic` directives.
    pub domain_default: Option<DomainDefault>,
    /// Parameters of the search.
    pub solver: SolverParameters,
    /// Parameters of stability tests for disjunctive programs.
    pub tester: SolverParameters,
    /// Number of threads, at least 1 (0 counts as 1).
    pub threads: u32,
    /// Whether threads divide the search space even for one model, instead of competing. For many models they always
    /// divide it.
    pub split: bool,
    /// The parameters of each thread, starting with the caller's own, and repeated if there are more threads. If empty,
    /// helpers vary the parameters automatically.
    pub portfolio: Vec<SolverParameters>,
    /// Which clauses threads share.
    pub sharing: SharingParameters,
    /// Whether clauses may be added at models (`SolveHandle::add_clause`): then
    /// nothing is done that relies on the program alone, such as breaking its symmetries.
    pub takes_clauses: bool,
    /// What is forgotten between calls.
    pub forget: Forget,
    /// Which learned nogoods are recorded, for `Control::take_lemmas`.
    pub lemmas: Option<LemmaFilter>,
}

impl SolveOptions {
    /// Whether conflicts or restarts are limited. Then threads neither compete nor divide the search, symmetries are
    /// not broken and no approach to an optimum is tried for a while.
    pub(crate) fn limits_search(&self) -> bool {
        self.limits() != Limits::default()
    }

    /// When the engine stops.
    pub(crate) fn limits(&self) -> Limits {
        let conflicts = if self.no_search { Some(1) } else { self.conflict_limit };
        Limits { conflicts, restarts: self.restart_limit, steps: None }
    }
}
