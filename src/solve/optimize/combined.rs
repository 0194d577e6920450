//! All levels as one sum, for proofs: each model must cost less than the one before.
//!
//! A level's weights are multiplied by more than the levels after it can cost together, so that costs compare as vectors do.
//! Then a single constraint, the one with the costs of the best model, is what the proof starts from.
//! Invariant: the sum of all weights fits 64 bits; see [`combined`].

use crate::program::{Literal, Program};
use crate::solve::call::SolveCall;
use crate::solve::constraint::sums::UpperBound;
use crate::solve::engine::proof::rules::FALSE;
use crate::solve::engine::store::literal::Lit;
use crate::solve::optimize::best::Best;
use crate::solve::optimize::progress::{Progress, seek_better};
use crate::solve::options::OptMode;
use crate::solve::translate::proof::name_of;

/// The objective as one sum: its weights, and its constant. `None` if they do not fit 64 bits.
pub(crate) fn combined(program: &Program) -> Option<(Vec<(Literal, i64)>, i128)> {
    let mut levels: Vec<_> = program.objectives.iter().collect();
    levels.sort_by_key(|o| o.priority);
    let (mut terms, mut constant, mut factor, mut total) = (Vec::new(), 0i128, 1i128, 0i128);
    for level in levels {
        let base = i128::from(level.constant).checked_mul(factor)?;
        constant = constant.checked_add(base)?;
        let mut range = base.checked_abs()?;
        for &(literal, weight) in &level.literals {
            let weight = i128::from(weight).checked_mul(factor)?;
            range = range.checked_add(weight.checked_abs()?)?;
            terms.push((literal, i64::try_from(weight).ok()?));
        }
        total = total.checked_add(range)?;
        i64::try_from(total.checked_add(1)?).ok()?;
        factor = total + 1;
    }
    Some((terms, constant))
}

/// A search for better models by the sum.
pub(crate) struct Combined {
    base: usize,
    terms: Vec<(Lit, i64)>,
    bound: Option<UpperBound>,
    /// The sum under the best model.
    least: Option<i64>,
    is_bounded: bool,
}

impl Combined {
    /// The search before the first model. `None`: the sum does not fit.
    pub(crate) fn new(call: &mut SolveCall<'_>) -> Option<Self> {
        let (sum, _) = combined(call.program)?;
        let terms = sum.iter().map(|&(l, w)| (call.t.lit(l), w)).collect();
        Some(Self { base: call.assumptions.len(), terms, bound: None, least: None, is_bounded: true })
    }

    /// Continues the search.
    pub(crate) fn next(&mut self, call: &mut SolveCall<'_>, best: &mut Best) -> Progress {
        loop {
            if !self.is_bounded {
                self.demand_better(call);
                self.is_bounded = true;
            }
            if let Some(progress) = seek_better(call, best, self.base, &mut self.is_bounded) {
                return progress;
            }
        }
    }

    /// Requires that the sum is less than under the model in the engine.
    fn demand_better(&mut self, call: &mut SolveCall<'_>) {
        let holding = self.terms.iter().filter(|t| call.t.engine.value(t.0) == Some(true));
        let least = holding.map(|t| t.1).sum::<i64>();
        self.least = Some(least);
        call.t.engine.reset_enumeration();
        match self.bound {
            Some(id) => call.t.engine.set_upper_bound(id, least - 1),
            None => {
                let guard = call.guard();
                if call.options.opt_mode != OptMode::OptN {
                    log_demand(call);
                } else if let Some(proof) = &mut call.t.engine.proof {
                    // The proof is about the optimal models: no clause that needs this bound is a step.
                    proof.name(guard, FALSE);
                }
                self.bound = Some(call.t.engine.add_upper_bound(Some(guard), &self.terms, Some(least - 1)));
            }
        }
    }

    /// Requires the costs of the best model under a guard. `false`: all models have the same costs.
    pub(crate) fn keep_optimal(&self, call: &mut SolveCall<'_>, guard: Lit) -> bool {
        let Some(least) = self.least else { return false };
        log_demand(call);
        if let Some(proof) = &mut call.t.engine.proof {
            proof.models.clear();
        }
        call.t.engine.add_upper_bound(Some(guard), &self.terms, Some(least));
        true
    }
}

/// There is a model, so that the proof demands costs: the sum with the engine's variables.
fn log_demand(call: &mut SolveCall<'_>) {
    if let (Some(proof), Some((sum, _))) = (&mut call.t.engine.proof, combined(call.program)) {
        proof.demand(sum.iter().map(|&(l, w)| (name_of(l), w.into())).collect());
    }
}
