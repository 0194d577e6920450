//! Marks and buffers of conflict analysis.
//!
//! Invariant: between conflicts no variable is marked and no level counted.

use std::num::NonZeroU32;

use crate::store::arena::ClauseRef;
use crate::store::assignment::Assignment;
use crate::store::cutting::Learning;
use crate::store::literal::{Lit, Var};
use asp_base::index_vec::IndexVec;

/// The variable was visited in the analysis; if its level is below the conflict's, it is in the learned clause.
pub(crate) const SEEN: u8 = 1;
/// Its literal is implied by others of the clause.
pub(crate) const REMOVABLE: u8 = 2;
/// Its literal is known not to be implied by others of the clause.
pub(crate) const POISON: u8 = 4;
/// The variable is of the level that is being shrunk, and was reached there.
pub(crate) const SHRINKABLE: u8 = 16;

/// When reasons are rewarded.
#[derive(Debug, Default)]
pub(crate) struct Reasons {
    /// Conflicts to skip now, and after the next failure.
    pub(crate) wait: u64,
    pub(crate) next_wait: u64,
}

/// How often a level occurs in the clause, and its earliest literal there.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LevelCount {
    pub(crate) count: u32,
    pub(crate) earliest: u32,
    pub(crate) stamp: u64,
}

/// The literals of the clause that implied a literal, wherever they are stored.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Antecedent {
    One(Lit),
    Clause(ClauseRef, u32),
    Buffer(u32, u32),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) lit: Lit,
    pub(crate) antecedent: Antecedent,
    pub(crate) next: u32,
}

/// Counters by level.
#[derive(Debug, Default)]
pub(crate) struct Levels {
    pub(crate) counts: Vec<LevelCount>,
    /// The levels of which literals have been counted.
    pub(crate) used: Vec<u32>,
    stamp: u64,
}

impl Levels {
    /// How many different levels there are among these.
    pub(crate) fn distinct(&mut self, levels: impl Iterator<Item = u32>) -> u32 {
        self.stamp += 1;
        let mut distinct = 0;
        for level in levels {
            let level = level as usize;
            if level >= self.counts.len() {
                self.counts.resize(level + 1, LevelCount::default());
            }
            let entry = &mut self.counts[level];
            if entry.stamp != self.stamp {
                entry.stamp = self.stamp;
                distinct += 1;
            }
        }
        distinct
    }
}

/// Explanations made for a conflict, each of them once.
#[derive(Debug, Default)]
pub(crate) struct Explanations {
    pub(crate) literals: Vec<Lit>,
    /// The variables that have been explained, and the range of each one's literals.
    ranges: Vec<(Var, u32, u32)>,
    /// By variable: one more than its place in `ranges`.
    of: IndexVec<Var, Option<NonZeroU32>>,
}

impl Explanations {
    /// The range of a variable's explanation, if it has been explained.
    pub(crate) fn find(&self, var: Var) -> Option<(u32, u32)> {
        let (_, start, end) = self.ranges[self.of[var]?.get() as usize - 1];
        Some((start, end))
    }
    /// The literals from `start` on explain a variable; their range.
    pub(crate) fn note(&mut self, var: Var, start: usize) -> (u32, u32) {
        let (start, end) = (start as u32, self.literals.len() as u32);
        self.ranges.push((var, start, end));
        self.of[var] = NonZeroU32::new(self.ranges.len() as u32);
        (start, end)
    }
    fn clear(&mut self) {
        for (var, ..) in self.ranges.drain(..) {
            self.of[var] = None;
        }
        self.literals.clear();
    }
}

/// Marks and buffers of the analysis.
#[derive(Debug, Default)]
pub(crate) struct Analyzer {
    pub(crate) marks: IndexVec<Var, u8>,
    /// Variables visited on the way to the implication point, to be bumped.
    pub(crate) analyzed: Vec<Var>,
    /// Variables marked by minimisation.
    pub(crate) minimized: Vec<Var>,
    /// The learned clause, the asserting literal first, one of the highest other level second.
    pub(crate) learned: Vec<Lit>,
    pub(crate) levels: Levels,
    pub(crate) explanations: Explanations,
    pub(crate) stack: Vec<Frame>,
    pub(crate) cutting: Learning,
    pub(crate) reasons: Reasons,
    /// The false clause of a conflict that is not in the arena.
    pub(crate) conflict: Vec<Lit>,
    /// Level and position of each literal of the clause but the first.
    pub(crate) places: Vec<(u32, u32, Lit)>,
    /// Variables marked by shrinking.
    pub(crate) shrinkable: Vec<Var>,
    /// A vector for temporary use.
    pub(crate) scratch: Vec<Lit>,
}

impl Analyzer {
    pub(crate) fn new_var(&mut self) {
        self.marks.push(0);
        self.explanations.of.push(None);
    }
    /// LBD: the number of levels in the learned clause.
    pub(crate) fn count_levels(&mut self, assignment: &Assignment) -> u32 {
        self.levels.distinct(self.learned.iter().map(|&lit| assignment.level_of(lit)))
    }
    /// The work spent on the conflict, in steps.
    pub(crate) fn work(&self) -> u64 {
        let (marked, explained) =
            (self.analyzed.len() + self.minimized.len(), self.explanations.literals.len());
        (marked / 2 + explained) as u64
    }
    /// Clears everything about the conflict except what was learned.
    pub(crate) fn clear(&mut self) {
        for var in self.analyzed.drain(..).chain(self.minimized.drain(..)) {
            self.marks[var] = 0;
        }
        for level in self.levels.used.drain(..) {
            self.levels.counts[level as usize].count = 0;
        }
        self.explanations.clear();
    }
}
