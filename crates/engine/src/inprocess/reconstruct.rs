//! Eliminated variables: giving them values in a model, and undoing eliminations.
//!
//! The clauses of an eliminated variable are kept. A total assignment of the other variables is extended in reverse
//! order of elimination: a variable is true if one of its clauses requires that, otherwise false. Since resolution adds
//! only implied clauses, an elimination can be undone at any time by adding its clauses again, with those of the
//! variables in them that were eliminated later; learned clauses stay valid. Invariant: outside a model, eliminated
//! variables are free, in no clause and never decided; values that extend a model are last on the trail, and are
//! removed before the search continues.
//! Source: Järvisalo and Biere, *Reconstructing solutions after blocked clause elimination*, SAT 2010; Järvisalo, Heule
//! and Biere, *Inprocessing rules*, IJCAR 2012.

use crate::Engine;
use crate::store::assignment::Reason;
use crate::store::clause_db::ClauseDb;
use crate::store::literal::{Lit, Var};

impl Engine {
    /// Whether a variable is eliminated.
    pub fn is_eliminated(&self, var: Var) -> bool {
        self.clauses.eliminated.contains(var)
    }
    /// Gives values to the eliminated variables. Pre: all others have values, and the assignment is a model.
    pub(crate) fn extend_model(&mut self) {
        if self.clauses.eliminated.count == 0 || self.is_extended() {
            return;
        }
        // None of these values may remain at the root.
        if self.level() == 0 {
            self.assignment.open_level();
        }
        let Self { clauses: ClauseDb { eliminated, .. }, assignment, .. } = self;
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
    /// Whether the eliminated variables currently have values.
    fn is_extended(&self) -> bool {
        self.clauses.eliminated.count > 0 && self.assignment.trail.len() == self.num_vars()
    }
    /// Removes the values of eliminated variables before the search continues.
    pub(crate) fn retract_extension(&mut self) {
        if self.clauses.eliminated.count == 0 {
            return;
        }
        while let Some(&lit) = self.assignment.trail.last()
            && self.clauses.eliminated.contains(lit.var())
        {
            self.assignment.trail.pop();
            self.assignment.values[lit.code()] = 0;
            self.assignment.values[(!lit).code()] = 0;
        }
        self.assignment.head = self.assignment.head.min(self.assignment.trail.len());
    }
    /// Undoes eliminations so that these literals may be used again. If there are any, backtracks to the root. `false`:
    /// there is no model.
    #[inline]
    pub fn restore(&mut self, literals: &[Lit]) -> bool {
        if self.clauses.eliminated.count == 0
            || !literals.iter().any(|l| self.clauses.eliminated.contains(l.var()))
        {
            return !self.clauses.unsat;
        }
        self.restore_vars(literals.iter().map(|l| l.var()).collect())
    }
    /// Undoes all eliminations.
    pub fn restore_all(&mut self) -> bool {
        if self.clauses.eliminated.count == 0 {
            return !self.clauses.unsat;
        }
        self.restore_vars(self.clauses.eliminated.entries.iter().filter_map(|e| e.var).collect())
    }
    fn restore_vars(&mut self, mut open: Vec<Var>) -> bool {
        debug_assert!(self.call.floor.is_none(), "an elimination is taken back during an enumeration");
        self.retract_extension();
        self.backtrack(0);
        let mut clauses = Vec::new();
        while let Some(var) = open.pop() {
            if !self.clauses.eliminated.contains(var) {
                continue;
            }
            let own = self.clauses.eliminated.take(var);
            open.extend(own.iter().filter(|&&l| l != Lit::NONE).map(|l| l.var()));
            clauses.extend(own);
            self.decisions.order.revive(var);
        }
        self.assignment.absent = self.clauses.eliminated.count + self.constraints.integers.names.pool.len();
        self.stats.variables.1 = self.clauses.eliminated.count as u64;
        for clause in clauses.split(|&l| l == Lit::NONE).filter(|c| !c.is_empty()) {
            if !self.add_clause(clause) {
                return false;
            }
        }
        !self.clauses.unsat
    }
}
