//! When to restart, and when to switch between focused search (fast restarts by LBD) and stable search (rare restarts
//! by reluctant doubling).
//!
//! Invariant: everything is counted in conflicts and ticks (memory accesses of propagation), never in time.
//! Source: Audemard and Simon, *Refining restarts strategies*, CP 2012; Biere and Fröhlich, *Evaluating CDCL restart
//! schemes*, POS 2015; Knuth, *The Art of Computer Programming* 7.2.2.2 (reluctant doubling).

use crate::parameters::{AfterModel, Blocking, RestartRule};
use crate::parameters::{SearchMode, SolverParameters};
use crate::schedule::{Growth, Schedule, Sequence};

/// Conflicts of the first stable phase.
const FIRST_STABLE: u64 = 100_000;
/// The same for a program that has grown since the last call. Most calls for such a program prove that there is no model
/// yet; those for a plan that takes few conflicts need no focused phase.
const FIRST_STABLE_GROWN: u64 = 2000;
/// Unit of reluctant doubling while activities say little, and the number of conflicts for which they do.
const EARLY_UNIT: u64 = 96;
const EARLY: u64 = 1_000;

/// An exponential moving average without bias at the start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Average {
    value: f64,
    biased: f64,
    alpha: f64,
    /// (1 - alpha) to the number of updates.
    weight: f64,
}

impl Average {
    pub(crate) fn new(window: f64) -> Self {
        Self { value: 0.0, biased: 0.0, alpha: 1.0 / window, weight: 1.0 }
    }
    pub(crate) fn update(&mut self, x: f64) {
        self.biased += self.alpha * (x - self.biased);
        self.weight *= 1.0 - self.alpha;
        self.value = self.biased / (1.0 - self.weight);
    }
    pub(crate) fn get(&self) -> f64 {
        self.value
    }
}

/// Reluctant doubling: the Luby sequence, one step a call.
#[derive(Clone, Copy, Debug)]
struct Reluctant {
    sequence: Sequence,
    left: u64,
}

impl Reluctant {
    fn new(period: u64) -> Self {
        let schedule = Schedule { first: period, growth: Growth::Luby, repeat: 0 };
        Self { sequence: Sequence::new(schedule), left: period }
    }
    fn tick(&mut self) {
        self.left = self.left.saturating_sub(1);
    }
    fn triggered(&mut self) -> bool {
        if self.left > 0 {
            return false;
        }
        self.sequence.advance();
        self.left = self.sequence.length();
        true
    }
    /// Starts again.
    fn rewind(&mut self) {
        self.sequence.rewind();
        self.left = self.sequence.length();
    }
}

/// Restarts by LBD: when that of recent clauses is high.
#[derive(Debug)]
struct ByLbd {
    fast: Average,
    slow: Average,
    margin: f64,
    /// The fewest conflicts between two restarts.
    interval: u64,
    /// The number of conflicts before which there is none.
    limit: u64,
}

impl ByLbd {
    fn new(margin: f64, interval: u64) -> Self {
        Self { fast: Average::new(33.0), slow: Average::new(1e5), margin, interval, limit: interval }
    }
    fn update(&mut self, lbd: u32) {
        self.fast.update(f64::from(lbd));
        self.slow.update(f64::from(lbd));
    }
    fn triggered(&self, conflicts: u64) -> bool {
        conflicts >= self.limit && self.fast.get() > self.margin * self.slow.get()
    }
    fn wait(&mut self, conflicts: u64, interval: u64) {
        self.limit = conflicts.saturating_add(interval);
    }
}

/// Phases of focused and of stable search.
#[derive(Debug)]
struct Modes {
    mode: SearchMode,
    stable: bool,
    switches: u64,
    /// The first switch is due at this number of conflicts, ...
    due_conflicts: u64,
    /// ... later ones at this number of ticks.
    due_ticks: u64,
    /// How long the first phase took.
    first_ticks: u64,
    start_ticks: u64,
}

impl Modes {
    fn new(mode: SearchMode, first_stable: Option<u64>) -> Self {
        Self {
            mode,
            stable: mode != SearchMode::Focused,
            switches: 0,
            due_conflicts: first_stable.unwrap_or(FIRST_STABLE),
            due_ticks: u64::MAX,
            first_ticks: 0,
            start_ticks: 0,
        }
    }
    /// See [`Restart::should_switch`].
    #[inline]
    fn should_switch(&self, conflicts: u64, ticks: u64) -> bool {
        self.mode == SearchMode::Switching
            && if self.switches == 0 { conflicts >= self.due_conflicts } else { ticks >= self.due_ticks }
    }
    fn switch(&mut self, ticks: u64) {
        if self.switches == 0 {
            self.first_ticks = ticks - self.start_ticks;
        }
        self.switches += 1;
        let rounds = self.switches.div_ceil(2);
        self.due_ticks = ticks.saturating_add(self.first_ticks.max(1).saturating_mul(rounds * rounds));
        self.stable = !self.stable;
    }
}

/// Schedules of restarts and modes.
#[derive(Debug)]
pub(crate) struct Restart {
    modes: Modes,
    by_lbd: ByLbd,
    pub(crate) lbd_sum: u64,
    reluctant: Reluctant,
    /// Unit of reluctant doubling after the first conflicts; then `None`.
    later_unit: Option<u64>,
    /// If set, numbers of conflicts decide about restarts instead.
    sequence: Option<Sequence>,
    /// Whether LBD decides about restarts in stable phases, too.
    always_by_lbd: bool,
    /// Conflicts before the last restart.
    last: u64,
    blocking: Option<(Blocking, Average)>,
    /// For local restarts: the number of conflicts before each level was opened.
    opened: Option<Vec<u64>>,
    after_model: AfterModel,
    disabled: bool,
}

impl Restart {
    pub(crate) fn new(p: &SolverParameters) -> Self {
        let r = &p.restart;
        Self {
            modes: Modes::new(p.mode, r.first_stable),
            by_lbd: ByLbd::new(r.margin, r.interval),
            lbd_sum: 0,
            reluctant: Reluctant::new(r.luby_unit.min(EARLY_UNIT)),
            later_unit: Some(r.luby_unit),
            sequence: match r.rule {
                RestartRule::Schedule(schedule) => Some(Sequence::new(schedule)),
                _ => None,
            },
            always_by_lbd: r.rule == RestartRule::Lbd,
            last: 0,
            blocking: r.blocking.map(|b| (b, Average::new(b.window.max(1) as f64))),
            opened: r.local.then(Vec::new),
            after_model: r.after_model,
            disabled: false,
        }
    }
    /// Whether the search is in a stable phase.
    #[inline]
    pub(crate) fn is_stable(&self) -> bool {
        self.modes.stable
    }
    /// Records that the program has grown since the last call.
    pub(crate) fn note_growth(&mut self) {
        self.modes.due_conflicts = self.modes.due_conflicts.min(FIRST_STABLE_GROWN);
    }
    /// Records a conflict and the LBD of the learned clause.
    pub(crate) fn conflict(&mut self, lbd: u32) {
        self.lbd_sum += u64::from(lbd);
        self.by_lbd.update(lbd);
        if self.modes.stable {
            self.reluctant.tick();
        }
    }
    /// Records the trail length at a conflict. If it is longer than usual, the trail should not be left: recent LBD is
    /// forgotten (Audemard and Simon, *Refining restarts strategies*, CP 2012).
    #[inline]
    pub(crate) fn note_trail(&mut self, length: usize, conflicts: u64) {
        let Some((blocking, average)) = &mut self.blocking else { return };
        let length = length as f64;
        if conflicts > blocking.first && length > blocking.factor * average.get() {
            self.by_lbd.fast = Average::new(33.0);
            self.by_lbd.wait(conflicts, self.by_lbd.interval.max(50));
        }
        average.update(length);
    }
    /// Records that a level is opened.
    #[inline]
    pub(crate) fn note_level(&mut self, level: u32, conflicts: u64) {
        if let Some(opened) = &mut self.opened {
            opened.truncate((level as usize).saturating_sub(1));
            opened.resize(level as usize, conflicts);
        }
    }
    /// Records a model.
    pub(crate) fn note_model(&mut self) {
        match (self.after_model, &mut self.sequence) {
            (AfterModel::GoOn, _) => {}
            (AfterModel::Repeat, Some(sequence)) => sequence.rewind(),
            (AfterModel::Repeat, None) => self.reluctant.rewind(),
            (AfterModel::Disable, _) => self.disabled = true,
        }
    }
    /// Whether a restart is due.
    #[inline]
    pub(crate) fn should_restart(&mut self, conflicts: u64, level: u32) -> bool {
        if self.disabled {
            return false;
        }
        if let Some(sequence) = &self.sequence {
            let since = match &self.opened {
                Some(opened) => opened.get(level as usize - 1).copied().unwrap_or(self.last),
                None => self.last,
            };
            conflicts - since >= sequence.length()
        } else if self.modes.stable && !self.always_by_lbd {
            if let Some(unit) = self.later_unit.take_if(|_| conflicts >= EARLY) {
                self.reluctant = Reluctant::new(unit);
                return true;
            }
            self.reluctant.triggered()
        } else {
            self.by_lbd.triggered(conflicts)
        }
    }
    /// Conflicts before the last restart.
    pub(crate) fn last(&self) -> u64 {
        self.last
    }
    /// Records a restart.
    pub(crate) fn restarted(&mut self, conflicts: u64) {
        self.by_lbd.wait(conflicts, self.by_lbd.interval);
        self.last = conflicts;
        if let Some(opened) = &mut self.opened {
            opened.fill(conflicts);
        }
        if let Some(sequence) = &mut self.sequence {
            sequence.advance();
        }
    }
    /// Whether the mode is due to change: the first phase is measured in conflicts; later ones last as many ticks as
    /// the first, times the square of their number.
    #[inline]
    pub(crate) fn should_switch(&self, conflicts: u64, ticks: u64) -> bool {
        self.modes.should_switch(conflicts, ticks)
    }
    /// Excludes ticks that do not belong to the search.
    pub(crate) fn skip_ticks(&mut self, ticks: u64) {
        self.modes.due_ticks = self.modes.due_ticks.saturating_add(ticks);
        self.modes.start_ticks += ticks;
    }
    /// Changes the mode.
    pub(crate) fn switch(&mut self, conflicts: u64, ticks: u64) {
        self.modes.switch(ticks);
        self.by_lbd = ByLbd::new(self.by_lbd.margin, self.by_lbd.interval);
        self.reluctant.rewind();
        self.by_lbd.wait(conflicts, self.by_lbd.interval);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reluctant_doubling_is_luby() {
        let mut r = Reluctant::new(1);
        let mut lengths = Vec::new();
        let mut length = 0;
        while lengths.len() < 15 {
            r.tick();
            length += 1;
            if r.triggered() {
                lengths.push(length);
                length = 0;
            }
        }
        assert_eq!(lengths, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }

    #[test]
    fn restarts_are_short_at_the_start() {
        let mut restart = Restart::new(&SolverParameters::default());
        let due: Vec<u64> = (1..=3_000)
            .filter(|&conflicts| {
                restart.conflict(2);
                restart.should_restart(conflicts, 1)
            })
            .collect();
        assert_eq!(due, [96, 192, 384, 480, 576, 768, 1_000, 1_384, 1_768, 2_536, 2_920]);
    }

    #[test]
    fn focused_search_begins_early_in_a_program_that_grows() {
        let mut restart = Restart::new(&SolverParameters::default());
        assert!(!restart.should_switch(FIRST_STABLE_GROWN, 0));
        restart.note_growth();
        assert!(!restart.should_switch(FIRST_STABLE_GROWN - 1, 0));
        assert!(restart.is_stable() && restart.should_switch(FIRST_STABLE_GROWN, 0));
    }

    #[test]
    fn average_has_no_bias() {
        let mut a = Average::new(100.0);
        a.update(7.0);
        assert!((a.get() - 7.0).abs() < 1e-9);
        a.update(7.0);
        assert!((a.get() - 7.0).abs() < 1e-9);
    }
}
