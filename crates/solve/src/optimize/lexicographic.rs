//! Branch and bound over all levels at once: each model must be lexicographically better than the previous one.
//!
//! The costs of the first level are at most those of the best model; if they are equal, so are those of the second
//! level, and so on; those of the last level must be less. A bound is tightened in place; the levels after it, whose
//! old bounds no longer apply, get new ones. Invariant: everything holds under one guard, so nothing learned from a
//! bound outlives the call.

use crate::call::SolveCall;
use crate::call::drive::Milestone;
use crate::optimize::best::Best;
use crate::optimize::progress::{Progress, seek_better};
use crate::translate::atom_lits::conjunction;
use asp_engine::constraint::sums::UpperBound;
use asp_engine::store::literal::Lit;

/// The bound on a level.
struct Bounded {
    /// The guard under which it holds.
    guard: Lit,
    bound: Option<UpperBound>,
    cost: i64,
}

/// A search for better models over all levels.
pub(crate) struct Lexicographic {
    /// Number of assumptions of the call before the guard.
    base: usize,
    chain: Vec<Bounded>,
    /// Whether the bounds in force are those of the best model.
    is_bounded: bool,
}

impl Lexicographic {
    /// The search before the first model.
    pub(crate) fn new(call: &SolveCall<'_>) -> Self {
        Self { base: call.assumptions.len(), chain: Vec::new(), is_bounded: false }
    }

    /// Continues the search.
    pub(crate) fn next(&mut self, call: &mut SolveCall<'_>, best: &mut Best) -> Progress {
        loop {
            if !self.is_bounded {
                if best.adopt(call) {
                    return Progress::Report(Milestone::Model);
                }
                if let Some(costs) = &best.costs {
                    self.demand_better(call, costs);
                }
                self.is_bounded = true;
            }
            if let Some(progress) = seek_better(call, best, self.base, &mut self.is_bounded) {
                return progress;
            }
        }
    }

    /// Requires lexicographically smaller costs.
    fn demand_better(&mut self, call: &mut SolveCall<'_>, costs: &[i64]) {
        call.t.engine.reset_enumeration();
        let chain = &mut self.chain;
        let last = costs.len() - 1;
        let first = chain.iter().zip(costs).take_while(|(c, cost)| c.cost == **cost).count().min(last);
        for (level, &cost) in costs.iter().enumerate().skip(first) {
            let goal = i128::from(cost) - i128::from(level == last);
            if level == first && chain.len() > level {
                chain.truncate(level + 1);
                tighten(call, level, &mut chain[level], goal);
            } else {
                chain.truncate(level);
                let guard = match chain.last() {
                    None => call.guard(),
                    Some(before) => {
                        let (before, cost) = (before.guard, before.cost);
                        meets(call, before, level - 1, cost)
                    }
                };
                let mut bounded = Bounded { guard, bound: None, cost };
                tighten(call, level, &mut bounded, goal);
                chain.push(bounded);
            }
            chain[level].cost = cost;
        }
    }
}

/// A literal that holds if a guard does and a level costs at least this much.
fn meets(call: &mut SolveCall<'_>, guard: Lit, level: usize, cost: i64) -> Lit {
    let truth = call.t.atoms.truth;
    let terms = call.terms(level);
    let meets = match cost.checked_sub(call.constant(level)) {
        Some(cost) => {
            let meets = Lit::pos(call.t.engine.new_var());
            call.t.engine.add_weight(Some(meets), &terms, cost);
            meets
        }
        // The costs of a model fit 64 bits with and without the constant.
        None => truth,
    };
    conjunction(&mut call.t.engine, truth, &mut vec![guard, meets])
}

fn tighten(call: &mut SolveCall<'_>, level: usize, bounded: &mut Bounded, goal: i128) {
    let terms = call.terms(level);
    let rest = goal - i128::from(call.constant(level));
    let least: i128 = terms.iter().map(|t| i128::from(t.1.min(0))).sum();
    match (bounded.bound, i64::try_from(rest)) {
        (_, Ok(rest)) if i128::from(rest) < least => {
            call.t.engine.add_clause(&[!bounded.guard]);
        }
        (Some(id), Ok(rest)) => call.t.engine.set_upper_bound(id, rest),
        (None, Ok(rest)) if bounded.guard != call.t.atoms.truth => {
            bounded.bound = Some(call.t.engine.add_upper_bound(Some(bounded.guard), &terms, Some(rest)));
        }
        _ => call.add_bound(bounded.guard, &terms, rest),
    }
}
