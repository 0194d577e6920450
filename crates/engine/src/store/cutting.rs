//! Buffers of cutting planes, and when they take turns.
//!
//! Where inequalities say more than clauses, conflicts come after fewer decisions. So turns of both alternate, and the
//! average level of conflicts in the latter half of a turn decides whether the next turn of cutting planes is longer, or
//! later. Where nearly all they learn are clauses, they add nothing and wait longest. Invariant: turns depend on numbers of
//! conflicts and of what was learned from them, never on time.

use crate::parameters::CuttingPlanes;
use crate::store::literal::{Lit, Var};
use crate::store::resolvent::Resolvent;

/// Conflicts of the first turn of cutting planes.
const FIRST: u64 = 200;
/// Conflicts of clauses between two turns at first.
const FIRST_WAIT: u64 = 1_000;
/// If conflicts come at levels below this part of those with clauses, inequalities say more.
const BETTER: f64 = 0.75;
/// Fewer inequalities than one in this many conflicts say nothing.
const TOO_FEW: u64 = 10;

/// Levels of conflicts in the latter half of a turn.
#[derive(Clone, Copy, Debug, Default)]
struct Levels {
    sum: u64,
    count: u64,
}

impl Levels {
    fn average(self) -> f64 {
        self.sum as f64 / self.count.max(1) as f64
    }
}

/// Turns of clauses and of inequalities.
#[derive(Debug)]
struct Turns {
    is_cutting: bool,
    /// Conflicts of the turn, and how many are left.
    length: u64,
    left: u64,
    /// Conflicts of the next turns of each.
    next_cutting: u64,
    wait: u64,
    now: Levels,
    /// Of the last turn of cutting planes, with the inequalities learned then.
    cutting: Levels,
    before: u64,
    is_idle: bool,
}

impl Default for Turns {
    fn default() -> Self {
        Self {
            is_cutting: true,
            length: FIRST,
            left: FIRST,
            next_cutting: FIRST,
            wait: FIRST_WAIT,
            now: Levels::default(),
            cutting: Levels::default(),
            before: 0,
            is_idle: false,
        }
    }
}

/// The state of cutting planes.
#[derive(Debug, Default)]
pub(crate) struct Learning {
    pub(crate) resolvent: Resolvent,
    pub(crate) terms: Vec<(Lit, i64)>,
    /// Variables that were resolved on.
    pub(crate) touched: Vec<Var>,
    /// Terms examined in this conflict.
    pub(crate) visits: usize,
    /// How many inequalities were learned.
    pub(crate) inequalities: u64,
    turns: Turns,
}

impl Learning {
    /// Whether the next conflict, at a level above that of assumptions, is theirs.
    pub(crate) fn is_turn(&mut self, when: CuttingPlanes, level: u32) -> bool {
        match when {
            CuttingPlanes::Never => false,
            CuttingPlanes::Always => true,
            CuttingPlanes::Turns => self.turns.step(level, self.inequalities),
        }
    }
}

impl Turns {
    /// Counts a conflict; returns whether it is one of cutting planes.
    fn step(&mut self, level: u32, inequalities: u64) -> bool {
        if self.left == 0 {
            self.change(inequalities);
        }
        self.left -= 1;
        if self.left < self.length / 2 {
            self.now.sum += u64::from(level);
            self.now.count += 1;
        }
        self.is_cutting
    }
    fn change(&mut self, inequalities: u64) {
        let levels = std::mem::take(&mut self.now);
        if self.is_cutting {
            self.cutting = levels;
            self.is_idle = (inequalities - self.before) * TOO_FEW < self.length;
            self.length = if self.is_idle { 4 * self.wait } else { self.wait };
        } else {
            self.before = inequalities;
            if !self.is_idle && self.cutting.average() < BETTER * levels.average() {
                self.next_cutting *= 2;
            } else {
                self.next_cutting = FIRST.max(self.next_cutting / 2);
                self.wait *= 2;
            }
            self.length = self.next_cutting;
        }
        self.is_cutting = !self.is_cutting;
        self.left = self.length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(inequalities: u64, levels: (u32, u32)) -> u64 {
        let mut learning = Learning::default();
        let mut last = true;
        let turns = (0..100_000).filter(|_| {
            let level = if last { levels.0 } else { levels.1 };
            last = learning.is_turn(CuttingPlanes::Turns, level);
            learning.inequalities += if last { inequalities } else { 0 };
            last
        });
        turns.count() as u64
    }

    #[test]
    fn turns_follow_what_helps() {
        // Conflicts after fewer decisions.
        assert!(share(1, (5, 20)) > 50_000);
        assert!(share(1, (20, 20)) < 3_000);
        // Only clauses are learned.
        assert!(share(0, (5, 20)) < 1_500);
    }
}
