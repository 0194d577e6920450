//! All levels as one sum, for proofs: each model must cost less than the one before.
//!
//! A level's weights are multiplied by more than the levels after it can cost together, so that sums compare as cost vectors do.
//! Then a proof starts from a single constraint, with the costs of the best model. The sum is the level after the last one.
//! Invariant: the sum of all weights fits 64 bits; see [`combined`].

use crate::call::SolveCall;
use crate::translate::proof::name_of;
use asp_engine::proof::rules::TRUE;
use asp_engine::store::literal::Lit;
use asp_program::{Literal, Program};

/// The objective as one sum.
#[derive(Default)]
pub struct Combined {
    /// Literals and their weights.
    pub terms: Vec<(Literal, i64)>,
    /// The constant.
    pub constant: i128,
    /// By level, the most important first.
    pub(crate) factors: Vec<i128>,
}

/// The objective as one sum. `None` if its weights do not fit 64 bits.
pub fn combined(program: &Program) -> Option<Combined> {
    let mut levels: Vec<_> = program.objectives.iter().collect();
    levels.sort_by_key(|o| o.priority);
    let (mut sum, mut factor, mut total) = (Combined::default(), 1i128, 0i128);
    for level in levels {
        let base = i128::from(level.constant).checked_mul(factor)?;
        sum.constant = sum.constant.checked_add(base)?;
        let mut range = base.checked_abs()?;
        for &(literal, weight) in &level.literals {
            let weight = i128::from(weight).checked_mul(factor)?;
            range = range.checked_add(weight.checked_abs()?)?;
            sum.terms.push((literal, i64::try_from(weight).ok()?));
        }
        total = total.checked_add(range)?;
        i64::try_from(total.checked_add(1)?).ok()?;
        sum.factors.insert(0, factor);
        factor = total + 1;
    }
    Some(sum)
}

impl SolveCall<'_> {
    /// The level that is optimised for a proof; `None` if there is no log of one.
    pub(crate) fn proven_level(&self) -> Option<usize> {
        let levels = self.levels.len();
        self.t.engine.proof.as_ref().map(|_| if levels > 1 { levels } else { 0 })
    }

    /// Logs the demanded costs, once there is a model: the sum with the engine's variables.
    pub(crate) fn log_demand(&mut self) {
        if let (Some(proof), Some(sum)) = (&mut self.t.engine.proof, combined(self.program)) {
            proof.demand(sum.terms.iter().map(|&(l, w)| (name_of(l), w.into())).collect());
        }
    }

    /// Logs that the guard demands less than the best model costs. In a proof about all optimal models, that is about still
    /// cheaper ones.
    pub(crate) fn log_better(&mut self, guard: Lit) {
        if let Some(proof) = &mut self.t.engine.proof {
            proof.name(guard, proof.rules.cheaper.unwrap_or(TRUE));
        }
    }
}
