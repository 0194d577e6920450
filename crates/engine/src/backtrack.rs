//! Backtracking: levels are undone, and implications missed at lower ones are asserted again.
//!
//! Invariant: afterwards, every part is as it was when the level was opened, except for what was learned.

use crate::Engine;

impl Engine {
    /// Unassigns everything above a level, then asserts what was missed at lower levels.
    pub fn backtrack(&mut self, level: u32) {
        if level >= self.assignment.level() {
            return;
        }
        if self.propagators.are_following() {
            self.leave_levels(level);
        }
        let len = self.assignment.level_start(level + 1) as usize;
        self.constraints.weights.undo(&self.assignment.trail, len, level);
        self.constraints.cuts.undo(&self.assignment.trail, len, level);
        if !self.constraints.integers.is_empty() {
            self.undo_bounds(len);
        }
        let saves = !self.decisions.is_looking
            && self.assignment.level() - level > self.parameters.phase.saved_beyond;
        for i in (len..self.assignment.trail.len()).rev() {
            let lit = self.assignment.trail[i];
            self.assignment.values[lit.code()] = 0;
            self.assignment.values[(!lit).code()] = 0;
            if saves {
                self.decisions.phases.save(lit);
            }
            self.decisions.order.unassigned(lit.var());
        }
        self.assignment.trail.truncate(len);
        self.assignment.control.truncate(level as usize);
        self.assignment.head = self.assignment.head.min(len);
        if !self.propagators.is_empty() {
            self.propagators.undo(len, level, &self.assignment);
        }
        if !self.clauses.missed.is_empty() {
            self.assert_missed();
        }
    }

    /// Checks every invariant from scratch. Pre: propagation is at a fixpoint without conflict.
    #[cfg(debug_assertions)]
    pub(crate) fn check_invariants(&self) {
        self.assignment.check_trail();
        self.check_watches();
        self.constraints.at_most_one.check(&self.assignment);
        self.constraints.weights.check(&self.assignment);
        self.constraints.cuts.check(&self.assignment);
        self.decisions.order.check(&self.assignment);
    }
}
