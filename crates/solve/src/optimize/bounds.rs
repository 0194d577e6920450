//! Bounds on the costs of levels.
//!
//! Invariant: a bound holds under a guard that is retired when the bound is given up, so nothing learned from it
//! outlives it.

use crate::call::SolveCall;
use crate::optimize::best::Best;
use crate::optimize::combined::combined;
use crate::optimize::progress::is_within_first_slice;
use crate::translate::atom_lits::conjunction;
use asp_engine::parameters::OptStrategy;
use asp_engine::store::literal::Lit;
use asp_program::Literal;

impl SolveCall<'_> {
    /// The terms of a level over the engine's literals: literal, weight. The level after the last one is all of them [as one
    /// sum](combined).
    pub(crate) fn terms(&self, level: usize) -> Vec<(Lit, i64)> {
        let of = |literals: &[(Literal, i64)]| literals.iter().map(|&(l, w)| (self.t.lit(l), w)).collect();
        match self.levels.get(level) {
            Some(&i) => of(&self.program.objectives[i].literals),
            None => of(&combined(self.program).unwrap_or_default().terms),
        }
    }

    /// The constant part of a level's costs.
    pub(crate) fn constant(&self, level: usize) -> i64 {
        match self.levels.get(level) {
            Some(&i) => self.program.objectives[i].constant,
            None => combined(self.program).map_or(0, |sum| sum.constant as i64),
        }
    }

    /// The least costs of a level that its weights allow.
    pub(crate) fn least_costs(&self, level: usize) -> i64 {
        let objective = &self.program.objectives[self.levels[level]];
        let weights = objective.literals.iter();
        weights.fold(objective.constant, |sum, &(_, weight)| sum.saturating_add(weight.min(0)))
    }

    /// Adds that, under the guard, the costs of a level are at most the bound.
    pub(crate) fn bound_level(&mut self, guard: Lit, level: usize, bound: i64) {
        let terms = self.terms(level);
        let rest = i128::from(bound) - i128::from(self.constant(level));
        self.add_bound(guard, &terms, rest);
    }

    /// Adds that, under the guard, the sum is at most the bound.
    pub(crate) fn add_bound(&mut self, guard: Lit, terms: &[(Lit, i64)], bound: i128) {
        match i64::try_from(bound) {
            Ok(bound) => {
                self.t.engine.add_upper_bound(Some(guard), terms, Some(bound));
            }
            // Sums of checked weights fit 64 bits: such a bound is trivial or excludes everything.
            Err(_) if bound > 0 => {}
            Err(_) => {
                self.t.engine.add_clause(&[!guard]);
            }
        }
    }

    /// Excludes models whose costs exceed the bounds of the options lexicographically.
    pub(crate) fn limit_costs(&mut self) {
        let bounds = &self.options.opt_bounds;
        if bounds.is_empty() {
            return;
        }
        let mut guard = self.guard();
        for (level, &bound) in bounds.iter().enumerate().take(self.levels.len()) {
            self.bound_level(guard, level, bound);
            // The next level matters only if this one meets its bound exactly.
            let terms = self.terms(level);
            let rest = i128::from(bound) - i128::from(self.constant(level));
            let meets = match i64::try_from(rest) {
                Ok(rest) => {
                    let meets = Lit::pos(self.t.engine.new_var());
                    self.t.engine.add_weight(Some(meets), &terms, rest);
                    meets
                }
                Err(_) => !self.t.atoms.truth,
            };
            let truth = self.t.atoms.truth;
            guard = conjunction(&mut self.t.engine, truth, &mut vec![guard, meets]);
        }
    }

    /// Records a level's proven lower bound, after the costs of the levels before it. Returns whether to report it: not if a
    /// better one is known, as for cores after a relaxation, and for the first cores only if cores were asked for.
    pub(crate) fn note_lower_bound(&mut self, level: usize, best: &Best, lower: i128) -> bool {
        if level == self.levels.len() {
            return false;
        }
        let mut bounds = best.costs.as_ref().map_or(Vec::new(), |costs| costs[..level].to_vec());
        if bounds.len() == level {
            bounds.push(lower.clamp(i64::MIN.into(), i64::MAX.into()) as i64);
            let known = &self.result.lower_bounds;
            if known.len() > level && known[..level] == bounds[..level] && known[level] > bounds[level] {
                return false;
            }
            self.result.lower_bounds = bounds;
        }
        let strategy = self.options.solver.optimize.strategy;
        strategy != OptStrategy::Auto || self.options.opt_gap.is_wanted() || !is_within_first_slice(self)
    }
}
