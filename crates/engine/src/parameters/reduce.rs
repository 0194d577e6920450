//! Parameters of the deletion of learned clauses.
//!
//! Invariant: as for all solver parameters, the defaults are those of a run without options.

use crate::schedule::{Growth, Schedule};

/// Deletion when there are too many learned clauses.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SizeLimit {
    /// The first limit is the number of constraints divided by this, between `least` and `least + span`.
    pub fraction: f64,
    /// The least first limit.
    pub least: u64,
    /// How much greater than `least` the first limit may be.
    pub span: u64,
    /// By what factor the limit grows.
    pub growth: f64,
    /// The limit stops growing at this many times the first one (0: never).
    pub stop: f64,
    /// After how many conflicts the limit grows; `None`: at each restart.
    pub schedule: Option<Schedule>,
}

impl Default for SizeLimit {
    fn default() -> Self {
        Self { fraction: 3.0, least: 10, span: u64::MAX, growth: 1.0, stop: 3.0, schedule: None }
    }
}

/// How the LBD of learned clauses that take part in a conflict changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum UpdateLbd {
    /// To its current value, if that is less.
    #[default]
    Less,
    /// To its current value, if that is less by at least two.
    MuchLess,
    /// To one more than its current value, if that is less.
    Pseudo,
    /// Not at all.
    Never,
}

/// Which learned clauses are deleted, and when.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ReduceParameters {
    /// Whether learned clauses are deleted at all.
    pub enabled: bool,
    /// Conflicts between deletions; `None`: only the limits on size matter. Measured with eight seeds on 14 programs of all
    /// kinds: 0.317 s, with 300 and 300 more each time 0.334 s, with 2,000 and 150 more 0.340 s (geometric means).
    pub schedule: Option<Schedule>,
    /// The most conflicts between deletions while models are excluded by flipped decisions: little of what was learned
    /// about a part of the search space helps in the next one. All 12 queens take 1.2 s instead of 4.3 s, and of 17
    /// programs none is slower by a tenth (geometric mean 0.38 s instead of 0.45 s; 0.40 s with 1,000).
    pub between_models: Option<u64>,
    /// The share of candidates that is deleted. Measured on colouring, random CNF, skyscrapers and planning, 26
    /// instances: 0.75 takes 8.4 s, 0.85 7.0 s, 0.9 7.1 s.
    pub share: f64,
    /// See [`SizeLimit`].
    pub size: Option<SizeLimit>,
    /// The greatest number of learned clauses, as far as they may be deleted.
    pub most: Option<u64>,
    /// LBD up to which a learned clause is kept for good.
    pub core_lbd: u32,
    /// Whether these are not counted towards the limits.
    pub core_is_free: bool,
    /// The share of candidates that is deleted at each restart.
    pub on_restart: f64,
    /// How the LBD of a clause changes.
    pub update_lbd: UpdateLbd,
    /// Clauses whose LBD became at most this survive the next deletion.
    pub protected_lbd: u32,
}

impl Default for ReduceParameters {
    fn default() -> Self {
        Self {
            enabled: true,
            schedule: Some(Schedule { first: 1000, growth: Growth::Summand(200), repeat: 0 }),
            between_models: Some(500),
            share: 0.85,
            size: None,
            most: None,
            core_lbd: 2,
            core_is_free: false,
            on_restart: 0.0,
            update_lbd: UpdateLbd::Less,
            protected_lbd: 0,
        }
    }
}

impl ReduceParameters {
    /// Whether there is a limit on the number of learned clauses.
    #[inline]
    pub(crate) fn limits_size(&self) -> bool {
        self.size.is_some() || self.most.is_some()
    }
}
