//! Eliminated variables with their clauses, and variables that must stay.
//!
//! Invariant: a frozen variable is not eliminated.

use std::num::NonZeroU32;

use crate::store::literal::{Lit, Var};
use asp_base::index_vec::{Idx, IndexVec};

/// An eliminated variable with the range of its clauses; no variable once the elimination was undone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) var: Option<Var>,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// Variables in order of elimination.
#[derive(Debug, Default)]
pub(crate) struct Eliminated {
    pub(crate) entries: Vec<Entry>,
    /// Their clauses, each ended by [`Lit::NONE`].
    clauses: Vec<Lit>,
    /// By variable: one more than the index of its entry. No longer than needed.
    entry_of: Vec<Option<NonZeroU32>>,
    pub(crate) count: usize,
    /// Variables that must not be eliminated.
    pub(crate) frozen: IndexVec<Var, bool>,
}

impl Eliminated {
    /// How many variables are eliminated now.
    #[inline]
    pub(crate) fn count(&self) -> usize {
        self.count
    }
    /// Whether a variable is eliminated.
    #[inline]
    pub(crate) fn contains(&self, var: Var) -> bool {
        self.count > 0 && self.entry_of.get(var.index()).is_some_and(Option::is_some)
    }
    /// Adds a variable with its clauses.
    pub(crate) fn push<'a>(&mut self, var: Var, clauses: impl Iterator<Item = &'a [Lit]>) {
        let start = self.clauses.len();
        for clause in clauses {
            self.clauses.extend_from_slice(clause);
            self.clauses.push(Lit::NONE);
        }
        self.entries.push(Entry { var: Some(var), start, end: self.clauses.len() });
        if self.entry_of.len() <= var.index() {
            self.entry_of.resize(var.index() + 1, None);
        }
        self.entry_of[var.index()] = NonZeroU32::new(self.entries.len() as u32);
        self.count += 1;
    }
    /// Removes a variable and returns its clauses, each ended by [`Lit::NONE`]. Pre: it is eliminated.
    pub(crate) fn take(&mut self, var: Var) -> Vec<Lit> {
        let Some(after) = self.entry_of[var.index()].take() else { return Vec::new() };
        let at = after.get() as usize - 1;
        let Entry { start, end, .. } = self.entries[at];
        self.entries[at].var = None;
        self.count -= 1;
        self.clauses[start..end].to_vec()
    }
    pub(crate) fn clauses(&self, entry: Entry) -> impl Iterator<Item = &[Lit]> {
        self.clauses[entry.start..entry.end].split(|&l| l == Lit::NONE).filter(|c| !c.is_empty())
    }
}
