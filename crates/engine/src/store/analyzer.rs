//! Marks and buffers of conflict analysis.
//!
//! Invariant: between conflicts no variable is marked and no level counted.

use crate::store::arena::ClauseRef;
use crate::store::assignment::Assignment;
use crate::store::literal::{Lit, Var};
use asp_base::index_vec::IndexVec;

/// The variable was visited in the analysis; if its level is below the conflict's, it is in the learned clause.
pub(crate) const SEEN: u8 = 1;
/// Its literal is implied by others of the clause.
pub(crate) const REMOVABLE: u8 = 2;
/// Its literal is known not to be implied by others of the clause.
pub(crate) const POISON: u8 = 4;

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
    pub(crate) levels: Vec<LevelCount>,
    pub(crate) used_levels: Vec<u32>,
    pub(crate) stamp: u64,
    /// Explanations made for this conflict, and the position of each variable's (1 + index of the antecedent; 0: none).
    pub(crate) explained: Vec<Lit>,
    pub(crate) explanations: Vec<(u32, u32)>,
    pub(crate) explanation_of: IndexVec<Var, u32>,
    pub(crate) explained_vars: Vec<Var>,
    pub(crate) stack: Vec<Frame>,
    pub(crate) reasons: Reasons,
    /// The false clause of a conflict that is not in the arena.
    pub(crate) conflict: Vec<Lit>,
    /// A vector for temporary use.
    pub(crate) scratch: Vec<Lit>,
}

impl Analyzer {
    pub(crate) fn new_var(&mut self) {
        self.marks.push(0);
        self.explanation_of.push(0);
    }
    /// LBD: the number of levels in the learned clause.
    pub(crate) fn count_levels(&mut self, assignment: &Assignment) -> u32 {
        self.stamp += 1;
        let Self { learned, levels, stamp, .. } = self;
        let mut lbd = 0;
        for &lit in learned.iter() {
            let level = &mut levels[assignment.vars[lit.var()].level as usize];
            if level.stamp != *stamp {
                level.stamp = *stamp;
                lbd += 1;
            }
        }
        lbd
    }
    /// Clears everything about the conflict except what was learned.
    pub(crate) fn clear(&mut self) {
        let Analyzer {
            marks,
            analyzed,
            minimized,
            levels,
            used_levels,
            explained,
            explanations,
            explanation_of,
            explained_vars,
            ..
        } = self;
        for var in analyzed.drain(..).chain(minimized.drain(..)) {
            marks[var] = 0;
        }
        for level in used_levels.drain(..) {
            levels[level as usize].count = 0;
        }
        for var in explained_vars.drain(..) {
            explanation_of[var] = 0;
        }
        explained.clear();
        explanations.clear();
    }
}
