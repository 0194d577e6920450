//! Branch and bound over all levels at once: each model must be lexicographically better than the one before.
//!
//! The costs of the first level are at most those of the best model; if they are the same, so are those of the second
//! level, and so on; those of the last level must be less. A bound becomes tighter in place; the levels behind it, whose
//! old bounds then no longer apply, get new ones.
//! Invariant: everything holds under one guard, so nothing learned from a bound outlives the call.

use crate::solve::constraint::sums::BoundId;
use crate::solve::engine::Outcome;
use crate::solve::engine::store::literal::Lit;
use crate::solve::optimize::{Best, Ended};
use crate::solve::session::run::Run;
use crate::solve::translate::conjunction;

/// The bound on a level.
struct Bounded {
    /// What it holds under.
    guard: Lit,
    bound: Option<BoundId>,
    cost: i64,
}

impl Run<'_> {
    /// Optimises all levels.
    pub(crate) fn improve_all_levels(&mut self, best: &mut Best) -> Ended {
        let base = self.assumptions.len();
        let mut chain: Vec<Bounded> = Vec::new();
        loop {
            if !self.adopt(best) {
                return Ended::Stopped;
            }
            if let Some(costs) = &best.costs {
                let costs = costs.clone();
                self.demand_better(&costs, &mut chain);
            }
            match self.search(&[]) {
                Outcome::Sat => {
                    if !self.improve(best) {
                        return Ended::Stopped;
                    }
                }
                Outcome::Unsat => {
                    self.retire(base);
                    return if best.costs.is_none() { Ended::Infeasible } else { Ended::Optimal };
                }
                Outcome::Unknown(_) => return Ended::Stopped,
            }
        }
    }

    /// Only models with lexicographically smaller costs are left.
    fn demand_better(&mut self, costs: &[i64], chain: &mut Vec<Bounded>) {
        self.t.engine.reset_enumeration();
        let last = costs.len() - 1;
        let first = chain.iter().zip(costs).take_while(|(c, cost)| c.cost == **cost).count().min(last);
        for (level, &cost) in costs.iter().enumerate().skip(first) {
            let goal = i128::from(cost) - i128::from(level == last);
            if level == first && chain.len() > level {
                chain.truncate(level + 1);
                self.tighten(level, &mut chain[level], goal);
            } else {
                chain.truncate(level);
                let guard = match chain.last() {
                    None => self.guard(),
                    Some(before) => {
                        let (before, cost) = (before.guard, before.cost);
                        self.meets(before, level - 1, cost)
                    }
                };
                let mut bounded = Bounded { guard, bound: None, cost };
                self.tighten(level, &mut bounded, goal);
                chain.push(bounded);
            }
            chain[level].cost = cost;
        }
    }

    /// A literal that holds if a guard does and a level costs at least so much.
    fn meets(&mut self, guard: Lit, level: usize, cost: i64) -> Lit {
        let truth = self.t.atoms.truth;
        let terms = self.terms(level);
        let meets = match cost.checked_sub(self.constant(level)) {
            Some(cost) => {
                let meets = Lit::pos(self.t.engine.new_var());
                self.t.engine.add_weight(Some(meets), &terms, cost);
                meets
            }
            // The costs of a model are in the range of 64 bits with and without the constant.
            None => truth,
        };
        conjunction(&mut self.t.engine, truth, &mut vec![guard, meets])
    }

    fn tighten(&mut self, level: usize, bounded: &mut Bounded, goal: i128) {
        let terms = self.terms(level);
        let rest = goal - i128::from(self.constant(level));
        let least: i128 = terms.iter().map(|t| i128::from(t.1.min(0))).sum();
        match (bounded.bound, i64::try_from(rest)) {
            (_, Ok(rest)) if i128::from(rest) < least => {
                self.t.engine.add_clause(&[!bounded.guard]);
            }
            (Some(id), Ok(rest)) => self.t.engine.set_upper_bound(id, rest),
            (None, Ok(rest)) if bounded.guard != self.t.atoms.truth => {
                bounded.bound = Some(self.t.engine.add_upper_bound(Some(bounded.guard), &terms, Some(rest)));
            }
            _ => self.add_bound(bounded.guard, &terms, rest),
        }
    }
}
