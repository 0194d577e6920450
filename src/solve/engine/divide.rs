//! Dividing the search space: what one side of the first decision leaves is given away.
//!
//! Invariant: what is kept and what is given away exclude each other and together are what there was.

use crate::solve::engine::Engine;
use crate::solve::engine::store::assignment::Reason;
use crate::solve::engine::store::literal::{Lit, Var};

impl Engine {
    /// Assumes the first decision that is not assumed yet and gives the other side away: what is to be assumed there behind
    /// the first `base` assumptions. `None` if that cannot be told to other threads, or would divide models that are the
    /// same under projection.
    pub(crate) fn split(&mut self, base: usize, shared: u32, projected: Option<&[Var]>) -> Option<Vec<Lit>> {
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

    /// What is assumed.
    pub(crate) fn assumed(&self) -> &[Lit] {
        &self.call.assumptions
    }
}
