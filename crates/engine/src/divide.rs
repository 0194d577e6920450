//! Dividing the search space: one side of the first decision is given away.
//!
//! Invariant: the part that is kept and the part that is given away are disjoint, and together are the whole.

use crate::Engine;
use crate::store::assignment::Reason;
use crate::store::literal::{Lit, Var};

impl Engine {
    /// Assumes the first decision that is not an assumption yet, and gives the other side away: returns its assumptions
    /// beyond the first `base`. `None` if other threads do not know the literals, or if models that are equal under
    /// projection would be divided.
    pub fn split(&mut self, base: usize, shared: u32, projected: Option<&[Var]>) -> Option<Vec<Lit>> {
        let level = self.call.assumptions.len() as u32;
        if self.level() <= level || self.level() <= self.floor_level() && self.floor_level() <= level {
            return None;
        }
        let decision = self.assignment.decision(level + 1)?;
        if projected.is_some_and(|vars| !vars.contains(&decision.var())) {
            return None;
        }
        let mut path: Vec<Lit> = self.call.assumptions[base..].to_vec();
        let (from, to) = (self.assignment.level_start(1), self.assignment.level_start(level + 1));
        let flipped = self.assignment.trail[from as usize..to as usize].iter().copied();
        path.extend(flipped.filter(|&l| self.assignment.reason_of(l) == Reason::NONE));
        path.push(!decision);
        if path.iter().any(|l| l.var().0 >= shared) {
            return None;
        }
        self.call.assumptions.push(decision);
        Some(path)
    }

    /// Assumes one more literal, at a level of its own, and propagates. `false`: it cannot hold here.
    pub fn assume_next(&mut self, lit: Lit) -> bool {
        if self.assignment.is_false(lit) {
            return false;
        }
        self.assignment.open_level();
        if self.assignment.is_free(lit) {
            self.assignment.assign(lit, Reason::DECISION);
        }
        self.propagate().is_ok()
    }

    /// How many variables have no value.
    pub fn num_free(&self) -> usize {
        self.num_vars() - self.assignment.trail.len()
    }

    /// The current assumptions.
    pub fn assumed(&self) -> &[Lit] {
        &self.call.assumptions
    }
}
