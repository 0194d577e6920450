//! When the search *dives*: it follows the linear programme, solved at every node.
//!
//! There is one dive in any case, then others for a share of the work that depends on their success. A dive ends after some
//! conflicts, counted anew from each better model, or after some work without one.

/// Conflicts after which a dive has failed, ...
const CONFLICTS: u32 = 100;
/// ... or the work, without any better model.
const WORK: f64 = 8e6;
/// The share of all work that dives get after one has found a better model, ...
const SHARE: f64 = 0.2;
/// ... and at least: it is halved by each that has not.
const LEAST_SHARE: f64 = 0.01;

/// The dives of one objective. Work is in steps of the search, since the programme was installed.
pub(super) struct Dives {
    /// The conflicts that are left to the one under way.
    left: Option<u32>,
    /// Whether there is to be one in any case.
    is_wanted: bool,
    share: f64,
    /// The work in all that have ended.
    spent: f64,
    /// The work before the one under way.
    began: f64,
    /// Whether it has found a better model.
    is_better: bool,
}

impl Dives {
    /// None yet.
    pub(super) fn new() -> Self {
        Self { left: None, is_wanted: true, share: SHARE, spent: 0.0, began: 0.0, is_better: false }
    }

    pub(super) fn is_under_way(&self) -> bool {
        self.left.is_some()
    }

    /// The work in all that have ended.
    pub(super) fn spent(&self) -> f64 {
        self.spent
    }

    /// Begins one if there is to be one.
    pub(super) fn begin(&mut self, work: f64) {
        if self.left.is_none() && (self.is_wanted || self.spent <= self.share * work) {
            (self.left, self.began) = (Some(CONFLICTS), work);
            (self.is_wanted, self.is_better) = (false, false);
        }
    }

    /// Ends one that has failed.
    pub(super) fn end(&mut self, work: f64) {
        let is_vain = !self.is_better && work - self.began > WORK;
        if self.left.is_some_and(|left| left == 0 || is_vain) {
            self.left = None;
            self.spent += work - self.began;
            self.share = (self.share / 2.0).max(LEAST_SHARE);
        }
    }

    /// A better model prolongs the one under way.
    pub(super) fn extend(&mut self) {
        if let Some(left) = &mut self.left {
            *left = CONFLICTS;
            (self.is_better, self.share) = (true, SHARE);
        }
    }

    pub(super) fn count_conflict(&mut self) {
        self.left = self.left.map(|left| left.saturating_sub(1));
    }
}
