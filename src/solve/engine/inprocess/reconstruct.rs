//! Eliminated variables: what is needed to give them values in a model, and to take an elimination back.
//!
//! The clauses of an eliminated variable are kept. A total assignment of the other variables is extended backwards, the
//! variable that was eliminated last first: it is true if one of its clauses needs that, else false. Since resolution
//! adds only what follows, an elimination can be taken back at any time by adding its clauses again, with those of
//! the variables in them that were eliminated later; whatever was learned stays valid.
//! Invariant: outside of a model eliminated variables are free, in no clause and never decided; values that extend a model
//! are last on the trail and gone when the search goes on.
//! Source: Järvisalo and Biere, *Reconstructing solutions after blocked clause elimination*, SAT 2010; Järvisalo, Heule
//! and Biere, *Inprocessing rules*, IJCAR 2012.

use crate::base::index_vec::Idx;
use crate::solve::engine::Engine;
use crate::solve::engine::store::assignment::Reason;
use crate::solve::engine::store::literal::{Lit, Var};

/// An eliminated variable with the range of its clauses; without one once it was taken back.
#[derive(Clone, Copy, Debug)]
struct Entry {
    var: Option<Var>,
    start: usize,
    end: usize,
}

/// Variables in order of elimination.
#[derive(Debug, Default)]
pub(crate) struct Eliminated {
    entries: Vec<Entry>,
    /// Their clauses, each ended by [`Lit::NONE`].
    clauses: Vec<Lit>,
    /// By variable: 1 + index of the entry, 0 for none. Not longer than needed.
    entry_of: Vec<u32>,
    count: usize,
}

impl Eliminated {
    /// How many variables are eliminated now.
    #[inline]
    pub(crate) fn count(&self) -> usize {
        self.count
    }
    /// Whether a variable is.
    #[inline]
    pub(crate) fn contains(&self, var: Var) -> bool {
        self.count > 0 && self.entry_of.get(var.index()).is_some_and(|&e| e != 0)
    }
    /// Notes a variable with its clauses.
    pub(crate) fn push<'a>(&mut self, var: Var, clauses: impl Iterator<Item = &'a [Lit]>) {
        let start = self.clauses.len();
        for clause in clauses {
            self.clauses.extend_from_slice(clause);
            self.clauses.push(Lit::NONE);
        }
        self.entries.push(Entry { var: Some(var), start, end: self.clauses.len() });
        if self.entry_of.len() <= var.index() {
            self.entry_of.resize(var.index() + 1, 0);
        }
        self.entry_of[var.index()] = self.entries.len() as u32;
        self.count += 1;
    }
    /// Forgets a variable and returns its clauses, each ended by [`Lit::NONE`].
    fn take(&mut self, var: Var) -> Vec<Lit> {
        let at = std::mem::take(&mut self.entry_of[var.index()]) as usize - 1;
        let Entry { start, end, .. } = self.entries[at];
        self.entries[at].var = None;
        self.count -= 1;
        self.clauses[start..end].to_vec()
    }
    /// The clauses of an entry.
    fn clauses(&self, entry: Entry) -> impl Iterator<Item = &[Lit]> {
        self.clauses[entry.start..entry.end].split(|&l| l == Lit::NONE).filter(|c| !c.is_empty())
    }
}

impl Engine {
    /// Whether a variable is eliminated.
    pub fn is_eliminated(&self, var: Var) -> bool {
        self.eliminated.contains(var)
    }
    /// Gives the eliminated variables values. Pre: all others have one, and the assignment is a model.
    pub(crate) fn extend_model(&mut self) {
        if self.eliminated.count == 0 || self.is_extended() {
            return;
        }
        // Nothing of this may stay at the root.
        if self.level() == 0 {
            self.assignment.open_level();
        }
        let Self { eliminated, assignment, .. } = self;
        for &entry in eliminated.entries.iter().rev() {
            let Some(var) = entry.var else { continue };
            let lit = Lit::pos(var);
            let needs = |clause: &[Lit]| {
                clause.contains(&lit) && clause.iter().all(|&l| l == lit || assignment.is_false(l))
            };
            let holds = eliminated.clauses(entry).any(needs);
            assignment.assign(if holds { lit } else { !lit }, Reason::NONE);
        }
        debug_assert!(
            eliminated
                .entries
                .iter()
                .filter(|e| e.var.is_some())
                .all(|&e| { eliminated.clauses(e).all(|c| c.iter().any(|&l| assignment.is_true(l))) })
        );
    }
    /// Whether the eliminated variables have values at the moment.
    fn is_extended(&self) -> bool {
        self.eliminated.count > 0 && self.assignment.trail.len() == self.num_vars()
    }
    /// Takes the values of eliminated variables back before the search goes on.
    pub(crate) fn retract_extension(&mut self) {
        if self.eliminated.count == 0 {
            return;
        }
        while let Some(&lit) = self.assignment.trail.last()
            && self.eliminated.contains(lit.var())
        {
            self.assignment.trail.pop();
            self.assignment.values[lit.code()] = 0;
            self.assignment.values[(!lit).code()] = 0;
        }
        self.head = self.head.min(self.assignment.trail.len());
    }
    /// Takes eliminations back so that these literals may be used again. If there are any, backtracks to the root.
    /// `false`: there is no model.
    #[inline]
    pub(crate) fn restore(&mut self, literals: &[Lit]) -> bool {
        if self.eliminated.count == 0 || !literals.iter().any(|l| self.eliminated.contains(l.var())) {
            return !self.unsat;
        }
        self.restore_vars(literals.iter().map(|l| l.var()).collect())
    }
    /// Takes all eliminations back.
    pub(crate) fn restore_all(&mut self) -> bool {
        if self.eliminated.count == 0 {
            return !self.unsat;
        }
        self.restore_vars(self.eliminated.entries.iter().filter_map(|e| e.var).collect())
    }
    fn restore_vars(&mut self, mut open: Vec<Var>) -> bool {
        debug_assert!(self.floor.is_none(), "an elimination is taken back during an enumeration");
        self.retract_extension();
        self.backtrack(0);
        let mut clauses = Vec::new();
        while let Some(var) = open.pop() {
            if !self.eliminated.contains(var) {
                continue;
            }
            let own = self.eliminated.take(var);
            open.extend(own.iter().filter(|&&l| l != Lit::NONE).map(|l| l.var()));
            clauses.extend(own);
            self.decide.revive(var);
        }
        self.assignment.absent = self.eliminated.count;
        self.stats.variables.1 = self.eliminated.count as u64;
        for clause in clauses.split(|&l| l == Lit::NONE).filter(|c| !c.is_empty()) {
            if !self.add_clause(clause) {
                return false;
            }
        }
        !self.unsat
    }
}
