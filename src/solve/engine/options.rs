//! Options of the search engine and its stop conditions.
//!
//! Invariant: every value is usable as it is; nothing here is read from the environment or the clock.

use crate::solve::engine::extras::Extras;
use crate::solve::translate::counter::SumsAsClauses;

/// Which search style is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SearchMode {
    /// Stable and focused phases in turn.
    #[default]
    Switching,
    /// Fast restarts and the move-to-front queue only.
    Focused,
    /// Rare restarts and activities only.
    Stable,
}

/// Options of an [`Engine`](crate::solve::engine::Engine).
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// Seed of all random choices.
    pub seed: u64,
    /// Frequency of random decisions, 0 to 1.
    pub random_frequency: f64,
    /// Conflicts allowed per call (0: no limit).
    pub conflict_limit: u64,
    /// Restarts allowed per call (0: no limit).
    pub restart_limit: u64,
    /// Phase of variables that nothing else is known of.
    pub initial_phase: bool,
    /// Search style.
    pub mode: SearchMode,
    /// Whether to restart.
    pub restarts: bool,
    /// Conflicts between restarts of a focused phase, at least.
    pub restart_interval: u64,
    /// How much worse than its long average recent glue must be for a restart.
    pub restart_margin: f64,
    /// Unit of the Luby sequence of stable phases.
    pub luby_unit: u64,
    /// Conflicts of the first stable phase.
    pub switch_conflicts: u64,
    /// Keep levels at a restart that would be decided in the same way again.
    pub reuse_trail: bool,
    /// Decay of activities.
    pub decay: f64,
    /// What decisions make variables.
    pub phases: PhaseRule,
    /// Follow the values of the longest trail without conflict in stable phases.
    pub target_phases: bool,
    /// Conflicts between changes of the saved phases (0: never).
    pub rephase_interval: u64,
    /// Keep constraints on one sum together, with their literals ordered by bound.
    pub ladders: bool,
    /// Smaller at-most-one groups become clauses, which elimination can work on.
    pub least_group: u64,
    /// Decide variables of many short clauses first, until conflicts say otherwise.
    pub first_scores: bool,
    /// Reward also what implied the literals of learned clauses.
    pub bump_reasons: bool,
    /// Minimise learned clauses.
    pub minimize: bool,
    /// Strengthen learned clauses by binary clauses and at-most-one groups.
    pub strengthen: bool,
    /// Conflicts before the first inprocessing, and by how much the distance grows each time (0: none).
    pub inprocess_interval: u64,
    /// Find failed literals.
    pub probe: bool,
    /// Replace equivalent literals in long clauses.
    pub substitute: bool,
    /// Remove subsumed clauses and strengthen others. Off: over 36 programs of the search classes (planning, puzzles,
    /// colouring, random CNF, schedules) in two rounds, 446,000 conflicts and 15.3 s without, 527,000 and 19.5 s with.
    pub subsume: bool,
    /// Shorten clauses by propagation. On: over 64 programs of the search, optimisation, disjunctive and non-tight classes
    /// 1,043,000 conflicts and 20.4 s with, 1,088,000 and 20.9 s without; the geometric means of time are the same.
    pub vivify: bool,
    /// Delete learned clauses.
    pub reduce: bool,
    /// Conflicts between deletions, growing by as much each time.
    pub reduce_interval: u64,
    /// What is asked for besides.
    pub extras: Extras,
}

/// What variables are decided to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PhaseRule {
    /// What they were last.
    #[default]
    Saved,
    /// What more learned clauses ask for.
    Counted,
    /// The first while the search may find a better model soon, the second while it may have to prove that there is none.
    Turns,
}

/// What variables are decided to be when nothing is known of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sign {
    /// As their role in the program suggests; mostly false.
    #[default]
    Auto,
    /// True.
    Positive,
    /// False.
    Negative,
    /// By chance.
    Random,
}

/// What a user may change of how is searched; the default changes nothing.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Tuning {
    /// The one search style, if there is to be no other.
    pub mode: Option<SearchMode>,
    /// Never restart.
    pub no_restarts: bool,
    /// See [`SearchOptions::restart_interval`].
    pub restart_interval: Option<u64>,
    /// See [`SearchOptions::restart_margin`].
    pub restart_margin: Option<f64>,
    /// Never delete learned clauses.
    pub keep_learned: bool,
    /// The sign of decisions.
    pub sign: Sign,
    /// The sign of decisions on atoms in heads of disjunctions, if it is another one.
    pub disjunctive_sign: Option<Sign>,
    /// Whether saved phases are followed always or never.
    pub saved_phases: Option<bool>,
    /// See [`SearchOptions::decay`].
    pub decay: Option<f64>,
    /// See [`SearchOptions::first_scores`].
    pub first_scores: Option<bool>,
    /// Learned clauses stay as they are learned.
    pub no_minimization: bool,
    /// Equivalent atoms and bodies of a program stay apart.
    pub no_equivalences: bool,
    /// Which sums of a program become clauses.
    pub sums: SumsAsClauses,
    /// What is asked for besides.
    pub extras: Extras,
}

impl Tuning {
    /// Changes the options of a search.
    pub(crate) fn apply(&self, o: &mut SearchOptions) {
        o.mode = self.mode.unwrap_or(o.mode);
        o.restarts &= !self.no_restarts;
        o.restart_interval = self.restart_interval.unwrap_or(o.restart_interval);
        o.restart_margin = self.restart_margin.unwrap_or(o.restart_margin);
        o.decay = self.decay.unwrap_or(o.decay);
        o.extras = self.extras;
        o.first_scores = self.first_scores.unwrap_or(o.first_scores);
        o.phases = match self.saved_phases {
            Some(true) => PhaseRule::Saved,
            Some(false) => PhaseRule::Counted,
            None => o.phases,
        };
        o.reduce &= !self.keep_learned;
        o.minimize &= !self.no_minimization;
        o.strengthen &= !self.no_minimization;
    }
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            seed: 0,
            random_frequency: 0.0,
            conflict_limit: 0,
            restart_limit: 0,
            initial_phase: false,
            mode: SearchMode::Switching,
            restarts: true,
            restart_interval: 2,
            restart_margin: 1.1,
            luby_unit: 384,
            switch_conflicts: 100_000,
            reuse_trail: true,
            decay: 0.95,
            phases: PhaseRule::Saved,
            target_phases: true,
            rephase_interval: 1000,
            ladders: true,
            least_group: 3,
            first_scores: true,
            bump_reasons: true,
            minimize: true,
            strengthen: true,
            inprocess_interval: 2000,
            probe: true,
            substitute: true,
            subsume: false,
            vivify: true,
            reduce: true,
            reduce_interval: 300,
            extras: Extras::default(),
        }
    }
}
