//! What a search does only if it is asked to: other schedules, and techniques that do not pay by default.
//!
//! Invariant: the default changes nothing.
//! Source: Gebser, Kaufmann and Schaub, *Conflict-driven answer set solving*, AIJ 2012, for the options of clasp that most
//! of these go by; the techniques name their own papers where they are done.

use crate::solve::engine::lookahead::Candidates;
use crate::solve::engine::schedule::Schedule;

/// When to restart.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum RestartRule {
    /// By glue in focused phases, by reluctant doubling in stable ones.
    #[default]
    ByMode,
    /// By glue in all of them.
    Glue,
    /// By numbers of conflicts.
    Schedule(Schedule),
}

/// What a model does to the schedule of restarts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AfterModel {
    /// Nothing.
    #[default]
    GoOn,
    /// It begins anew.
    Repeat,
    /// There are no more restarts.
    Disable,
}

/// No restart by glue where the trail has become longer than usual.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Blocking {
    /// Conflicts that the usual length is the average of.
    pub window: u64,
    /// So many times as long.
    pub factor: f64,
    /// Not before so many conflicts.
    pub first: u64,
}

/// Deletion when there are too many learned clauses.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SizeLimit {
    /// The first limit is the number of constraints divided by this ...
    pub fraction: f64,
    /// ... but at least this, and at most so many more.
    pub range: (u64, u64),
    /// It grows by this factor ...
    pub growth: f64,
    /// ... until it is so many times as large (0: without end) ...
    pub stop: f64,
    /// ... each time that this has passed; `None`: at each restart.
    pub schedule: Option<Schedule>,
}

/// How the glue of learned clauses that take part in a conflict changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum UpdateGlue {
    /// To what it is now, if that is less.
    #[default]
    Less,
    /// To what it is now, if that is less by two at least.
    MuchLess,
    /// To one more than what it is now, if that is less.
    Pseudo,
    /// Not at all.
    Never,
}

/// Which literals of a new clause are watched first, if several may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FirstWatches {
    /// The first ones.
    #[default]
    First,
    /// Those with the shortest lists.
    Least,
    /// Any.
    Random,
}

/// Which reasons the minimisation of learned clauses follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Antecedents {
    /// All.
    #[default]
    All,
    /// Those of two or three literals.
    Short,
    /// Those of two.
    Binary,
}

/// What a search is asked for besides what it does by itself.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Extras {
    /// When to restart.
    pub restart: RestartRule,
    /// See [`Blocking`].
    pub blocking: Option<Blocking>,
    /// Whether conflicts between restarts are counted for each level by itself (Ryvchin and Strichman, *Local restarts*,
    /// SAT 2008).
    pub local_restarts: bool,
    /// At each restart of such a number, variables are rewarded by how many literals implied them, times so much (Sonobe,
    /// Inaba and Nagai, *Counter implication restart for parallel SAT solvers*, LION 2012).
    pub counter_restarts: Option<(u64, f64)>,
    /// What a model does to the schedule of restarts.
    pub after_model: AfterModel,
    /// Whether the search restarts after each model.
    pub restart_on_model: bool,
    /// The part of the candidates that is deleted.
    pub deleted_share: Option<f64>,
    /// Numbers of conflicts between deletions.
    pub deletions: Option<Schedule>,
    /// Whether deletions are a matter of size alone.
    pub no_deletion_by_conflicts: bool,
    /// See [`SizeLimit`].
    pub size_limit: Option<SizeLimit>,
    /// Learned clauses are never more, as far as they may be deleted.
    pub most_learned: Option<u64>,
    /// Glue up to which a learned clause is kept for good.
    pub kept_glue: Option<u32>,
    /// Whether those do not count as too many.
    pub kept_is_free: bool,
    /// The part of the candidates that is deleted at each restart.
    pub deleted_on_restart: f64,
    /// How glue changes.
    pub update_glue: UpdateGlue,
    /// Clauses whose glue became at most this survive the next deletion.
    pub protected_glue: u32,
    /// Phases are saved only where more levels than this are undone at once.
    pub saved_beyond: u32,
    /// Decisions have the initial sign.
    pub fixed_signs: bool,
    /// So many searches of so many conflicts with random decisions at the beginning.
    pub random_start: (u64, u64),
    /// The first decay of activities, what is added to it, and after how many conflicts each time, up to the usual one.
    pub decay_progress: Option<(f64, f64, u64)>,
    /// Variables that a conflict moves to the front of the queue, at most.
    pub moved: Option<usize>,
    /// Variables are decided in order.
    pub in_order: bool,
    /// What is tried before each decision, and before how many of them.
    pub lookahead: Option<(Candidates, u64)>,
    /// Whether the decision is what implies most then.
    pub decide_by_lookahead: bool,
    /// Nothing is learned: after a conflict the last decision is flipped.
    pub no_learning: bool,
    /// Which literals are watched first.
    pub watches: FirstWatches,
    /// Whether variables that learned clauses of less glue implied are rewarded twice (Audemard and Simon, *Predicting
    /// learnt clauses quality*, IJCAI 2009).
    pub reward_glue: bool,
    /// Whether minimisation looks at the reason of each literal alone.
    pub minimize_locally: bool,
    /// Which reasons it follows.
    pub antecedents: Antecedents,
    /// Whether the activity of a rewarded variable is the mean of what it was and the number of conflicts (Biere and
    /// Fröhlich, *Evaluating CDCL variable scoring schemes*, SAT 2015).
    pub average_scores: bool,
}

impl Extras {
    /// Whether there is a limit on the number of learned clauses.
    #[inline]
    pub(crate) fn limits_size(&self) -> bool {
        self.size_limit.is_some() || self.most_learned.is_some()
    }
}
