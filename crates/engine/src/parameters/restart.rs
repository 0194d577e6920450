//! Parameters of restarts and of the two search styles.
//!
//! Invariant: as for all solver parameters, the defaults are those of a run without options.

use crate::schedule::Schedule;

/// Which search style is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SearchMode {
    /// Stable and focused phases alternate.
    #[default]
    Switching,
    /// Fast restarts and the move-to-front queue only.
    Focused,
    /// Rare restarts and activities only.
    Stable,
}

/// What triggers a restart.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum RestartRule {
    /// LBD in focused phases, reluctant doubling in stable ones.
    #[default]
    ByMode,
    /// LBD in all phases.
    Lbd,
    /// A sequence of numbers of conflicts.
    Schedule(Schedule),
}

/// What a model does to the schedule of restarts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AfterModel {
    /// Nothing.
    #[default]
    GoOn,
    /// It starts again.
    Repeat,
    /// There are no more restarts.
    Disable,
}

/// Prevents restarts by LBD when the trail is longer than usual.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Blocking {
    /// The usual length is the average over this many conflicts.
    pub window: u64,
    /// The trail must be this many times as long.
    pub factor: f64,
    /// Nothing is blocked before this many conflicts.
    pub first: u64,
}

/// Restarts that reward variables by how many literals implied them (Sonobe, Inaba and Nagai, *Counter implication
/// restart for parallel SAT solvers*, LION 2012).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CounterRestarts {
    /// Restarts whose number is a multiple of this do so.
    pub every: u64,
    /// The reward per literal.
    pub factor: f64,
}

/// When to restart.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RestartParameters {
    /// Whether to restart at all.
    pub enabled: bool,
    /// What triggers a restart.
    pub rule: RestartRule,
    /// The least number of conflicts between restarts by LBD.
    pub interval: u64,
    /// A restart by LBD requires that the recent average is this many times the long-term one.
    pub margin: f64,
    /// Unit of the Luby sequence of stable phases.
    pub luby_unit: u64,
    /// Conflicts of the first stable phase; `None`: 100,000, or fewer if the program has an objective.
    pub first_stable: Option<u64>,
    /// Whether to keep levels that would be decided in the same way again.
    pub reuse_trail: bool,
    /// Whether conflicts between restarts are counted separately for each level (Ryvchin and Strichman, *Local
    /// restarts*, SAT 2008).
    pub local: bool,
    /// See [`Blocking`].
    pub blocking: Option<Blocking>,
    /// See [`CounterRestarts`].
    pub counter: Option<CounterRestarts>,
    /// What a model does to the schedule.
    pub after_model: AfterModel,
    /// Whether the search restarts after each model.
    pub on_model: bool,
}

impl Default for RestartParameters {
    fn default() -> Self {
        Self {
            enabled: true,
            rule: RestartRule::ByMode,
            interval: 2,
            margin: 1.1,
            luby_unit: 384,
            first_stable: None,
            reuse_trail: true,
            local: false,
            blocking: None,
            counter: None,
            after_model: AfterModel::GoOn,
            on_model: false,
        }
    }
}
