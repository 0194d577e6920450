//! Parameters of decisions: which variable, its value, and lookahead.
//!
//! Invariant: as for all solver parameters, the defaults are those of a run without options.

/// A decay of activities that gradually approaches the usual one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DecayProgress {
    /// The first decay.
    pub first: f64,
    /// What is added to the decay.
    pub step: f64,
    /// Conflicts between two additions.
    pub interval: u64,
}

/// Searches with random decisions at the beginning.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RandomStart {
    /// How many.
    pub searches: u64,
    /// Conflicts of each.
    pub conflicts: u64,
}

/// Which variable is decided.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HeuristicParameters {
    /// Frequency of random decisions, 0 to 1.
    pub random_frequency: f64,
    /// Random decisions at the beginning.
    pub random_start: RandomStart,
    /// Decay of activities.
    pub decay: f64,
    /// See [`DecayProgress`].
    pub decay_progress: Option<DecayProgress>,
    /// Whether the activity of a rewarded variable becomes the mean of its old value and the number of conflicts (Biere
    /// and Fröhlich, *Evaluating CDCL variable scoring schemes*, SAT 2015).
    pub average_activity: bool,
    /// Whether the initial activity is that of Jeroslow and Wang: variables in many short clauses come first, until
    /// conflicts change the order. `None`: only if the program has no objective.
    pub initial_activity: Option<bool>,
    /// Whether to reward also variables that implied literals of learned clauses.
    pub bump_reasons: bool,
    /// Whether variables that learned clauses of smaller LBD implied are rewarded twice (Audemard and Simon, *Predicting
    /// learnt clauses quality*, IJCAI 2009).
    pub reward_lbd: bool,
    /// The greatest number of variables that a conflict moves to the front of the queue.
    pub moved: usize,
    /// Whether variables are decided in order of their numbers.
    pub in_order: bool,
}

impl Default for HeuristicParameters {
    fn default() -> Self {
        Self {
            random_frequency: 0.0,
            random_start: RandomStart::default(),
            decay: 0.95,
            decay_progress: None,
            average_activity: false,
            initial_activity: None,
            bump_reasons: true,
            reward_lbd: false,
            moved: usize::MAX,
            in_order: false,
        }
    }
}

/// Which phase a variable gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PhaseRule {
    /// Saved phases; with an objective, [`Turns`](Self::Turns).
    #[default]
    Auto,
    /// The variable's last value.
    Saved,
    /// Learned polarity: the value that occurs in more learned clauses.
    LearnedPolarity,
    /// Saved phases while the search may soon find a better model, learned polarity while it may have to prove that
    /// there is none.
    Turns,
}

/// The phase of a variable about which nothing is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sign {
    /// As its role in the program suggests; mostly false.
    #[default]
    Auto,
    /// True.
    Positive,
    /// False.
    Negative,
    /// At random.
    Random,
}

/// The value of decided variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PhaseParameters {
    /// Which phase a variable gets.
    pub rule: PhaseRule,
    /// The phase of variables about which neither the program nor the search knows anything.
    pub initial: bool,
    /// The sign of decisions about which nothing is known.
    pub sign: Sign,
    /// The same for atoms in heads of disjunctions, if it differs.
    pub disjunctive_sign: Option<Sign>,
    /// Whether all decisions have the initial sign.
    pub fixed: bool,
    /// Phases are saved only when more levels than this are undone at once.
    pub saved_beyond: u32,
    /// Follow, in stable phases, the values of the longest trail without conflict.
    pub target: bool,
    /// Conflicts between changes of the saved phases; `None` for never.
    pub rephase_interval: Option<u64>,
}

impl Default for PhaseParameters {
    fn default() -> Self {
        Self {
            rule: PhaseRule::Auto,
            initial: false,
            sign: Sign::Auto,
            disjunctive_sign: None,
            fixed: false,
            saved_beyond: 0,
            target: true,
            rephase_interval: Some(1000),
        }
    }
}

/// Which variables lookahead tries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Candidates {
    /// Those of atoms.
    Atoms,
    /// Those of bodies.
    Bodies,
    /// All.
    All,
}

/// Lookahead before decisions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LookaheadParameters {
    /// Which variables are tried; `None` for no lookahead.
    pub candidates: Option<Candidates>,
    /// The number of decisions with lookahead.
    pub rounds: u64,
    /// Whether the decision is then the literal that implies the most.
    pub decides: bool,
}

impl Default for LookaheadParameters {
    fn default() -> Self {
        Self { candidates: None, rounds: u64::MAX, decides: false }
    }
}
