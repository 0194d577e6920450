//! The best model so far, of this thread or received from others.
//!
//! Invariant: costs only get better, in lexicographic order; each better model is put in place once, for a report.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::call::SolveCall;
use crate::call::estimate::Estimate;
use crate::call::tally::ModelPlace;
use crate::optimize::combined::combined;
use crate::options::OptMode;
use asp_engine::parameters::OptStrategy;
use asp_engine::store::literal::{Lit, Var};
use asp_program::AtomId;

/// A model with its costs, most important level first.
#[derive(Clone, Debug)]
pub(crate) struct CostedModel {
    pub(crate) atoms: Vec<bool>,
    pub(crate) costs: Vec<i64>,
    /// The thread that has found it.
    pub(crate) thread: usize,
}

/// The best model of competing threads.
#[derive(Debug, Default)]
pub(crate) struct SharedBest(Mutex<Option<CostedModel>>);

impl SharedBest {
    fn lock(&self) -> MutexGuard<'_, Option<CostedModel>> {
        // The data is consistent even if a thread panicked while holding the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn offer(&self, model: &CostedModel) {
        let mut best = self.lock();
        if best.as_ref().is_none_or(|b| model.costs < b.costs) {
            *best = Some(model.clone());
        }
    }

    /// The best model, if it is better than these costs.
    pub(crate) fn better_than(&self, costs: Option<&[i64]>) -> Option<CostedModel> {
        self.lock().as_ref().filter(|b| costs.is_none_or(|c| b.costs.as_slice() < c)).cloned()
    }
}

/// The best costs that a call has found.
pub(crate) struct Best {
    /// Most important level first; `None` before the first model.
    pub(crate) costs: Option<Vec<i64>>,
    /// By atom: whether it holds in the best model, if that is asked for.
    atoms: Option<Vec<bool>>,
    /// The consequences of the models, if they are wanted.
    estimate: Option<Estimate>,
    shared: Option<Arc<SharedBest>>,
    /// By level: what it counts if all are one sum.
    factors: Vec<i128>,
}

impl Best {
    /// The state before the first model.
    pub(crate) fn new(call: &mut SolveCall<'_>, shared: Option<Arc<SharedBest>>) -> Self {
        let adds_up = call.wants_consequences() && call.options.opt_mode == OptMode::Opt;
        let one_sum = call.proven_level().and_then(|_| combined(call.program));
        let factors = one_sum.unwrap_or_default().factors;
        let is_asked =
            call.options.solver.optimize.strategy == OptStrategy::Auto && call.t.engine.proof.is_none();
        let atoms = is_asked.then(Vec::new);
        Self { costs: None, atoms, estimate: adds_up.then(|| Estimate::new(call)), shared, factors }
    }

    /// The best cost of a level; the level after the last one is all of them [as one sum](combined).
    pub(crate) fn of(&self, level: usize) -> Option<i128> {
        let one_sum = |costs: &[i64]| costs.iter().zip(&self.factors).map(|(&c, f)| i128::from(c) * f).sum();
        self.costs.as_ref().map(|c| c.get(level).map_or_else(|| one_sum(c), |&cost| cost.into()))
    }

    /// Whether an atom holds in the best model. Pre: there is one.
    pub(crate) fn holds(&self, atom: AtomId) -> bool {
        self.atoms.as_ref().is_some_and(|atoms| atoms[atom.0 as usize])
    }

    /// Whether it is known what [holds](Self::holds).
    pub(crate) fn knows_atoms(&self) -> bool {
        self.atoms.as_ref().is_some_and(|atoms| !atoms.is_empty())
    }

    /// Records the engine's model if it is better; returns whether it is.
    pub(crate) fn improve(&mut self, call: &mut SolveCall<'_>) -> bool {
        if !self.lower(call) {
            if let Some(proof) = &mut call.t.engine.proof {
                proof.models.pop();
            }
            return false;
        }
        if let Some(atoms) = &mut self.atoms {
            atoms.clear();
            atoms.extend(call.t.atoms.as_slice().iter().map(|&lit| call.t.engine.value(lit) == Some(true)));
        }
        if call.options.solver.optimize.follow_best {
            follow_model(call);
        }
        match &mut self.estimate {
            Some(estimate) => {
                call.result.costs = self.costs.clone();
                estimate.add_model(call, false);
            }
            None => call.note_model(false),
        }
        true
    }

    /// Takes over a better model of another thread; returns whether there is one.
    pub(crate) fn adopt(&mut self, call: &mut SolveCall<'_>) -> bool {
        let Some(shared) = &self.shared else { return false };
        let Some(found) = shared.better_than(self.costs.as_deref()) else { return false };
        call.costs = found.costs;
        self.lower(call);
        if let Some(atoms) = &mut self.atoms {
            atoms.clone_from(&found.atoms);
        }
        call.note_model_at(ModelPlace::Listed(found.atoms), false);
        true
    }

    fn lower(&mut self, call: &SolveCall<'_>) -> bool {
        let is_better = self.costs.as_ref().is_none_or(|c| call.costs < *c);
        if is_better {
            self.costs = Some(call.costs.clone());
        }
        is_better
    }
}

/// Makes decisions follow the last model from now on.
fn follow_model(call: &mut SolveCall<'_>) {
    let engine = &mut call.t.engine;
    for var in (0..engine.num_vars() as u32).map(Var) {
        if let Some(value) = engine.value(Lit::pos(var)) {
            engine.set_phase(var, value);
        }
    }
}
