//! Enumeration of models, by flipping decisions or by recording nogoods, with or without projection.
//!
//! Invariant: no two models reported in a call agree on all of the program's atoms or, with projection, on what is
//! projected on; without a limit all are found.

use crate::call::SolveCall;
use crate::call::drive::{Driver, Milestone};
use crate::options::EnumMode;
use crate::translate::heuristics;
use asp_engine::Outcome;
use asp_engine::store::literal::{Lit, Var};

/// Models that are counted without being reported, at most, and engine steps until the next one is reported: less than a
/// millisecond.
const PASSED_AT_ONCE: u64 = 255;
const PASSED_WITHIN: u64 = 10_000;

/// An enumeration in progress.
pub(crate) struct Enumeration {
    /// Whether all models are known to be optimal.
    optimal: bool,
    /// The variables that distinguish models under projection.
    projection: Option<Vec<Var>>,
    /// The preferences of the domain heuristic, if only they distinguish models: literals, each under a condition.
    preferred: Vec<(Lit, Vec<Lit>)>,
    /// The guard of recorded nogoods of models.
    guard: Option<Lit>,
    found: u64,
    /// Whether the engine may move from model to model alone: a model only requires flipping a decision.
    can_pass: bool,
    /// Whether the last step left a model in place.
    at_model: bool,
}

impl Enumeration {
    /// The enumeration before the first model; `optimal`: all of them are known to be optimal.
    pub(crate) fn new(call: &mut SolveCall<'_>, optimal: bool) -> Self {
        let projection = call.project();
        let (program, options) = (call.program, call.options);
        let preferred = match options.enum_mode {
            EnumMode::DomainRecord => heuristics::preferences(program, options, |l| call.t.lit(l)),
            _ => Vec::new(),
        };
        let record = matches!(options.enum_mode, EnumMode::Record | EnumMode::DomainRecord);
        let guard = record.then(|| call.guard());
        let can_pass = !record
            && projection.is_none()
            && call.levels.is_empty()
            && call.theory_guard().is_none()
            && call.t.decides_models()
            && !call.eliminated_atoms();
        Self { optimal, projection, preferred, guard, found: 0, can_pass, at_model: false }
    }

    /// How many models may follow the last one without being reported.
    #[inline]
    fn passable(&self, call: &SolveCall<'_>) -> u64 {
        if !(self.at_model && self.can_pass) {
            return 0;
        }
        PASSED_AT_ONCE.min(call.passable(self.found))
    }

    /// Excludes the last model so that it shows at once if there is no other. Returns whether there may be one.
    #[inline]
    fn leave_model(&self, call: &mut SolveCall<'_>, is_last: bool) -> bool {
        if call.options.enum_mode == EnumMode::User && is_last {
            return false;
        }
        let more = match (self.guard, &self.projection) {
            (Some(guard), _) if !self.preferred.is_empty() => self.demand_preferred(call, guard),
            (Some(guard), _) => self.record(call, guard),
            (None, Some(vars)) => call.t.engine.backtrack_projected(vars, call.theory_guard()),
            (None, None) => call.t.engine.backtrack_model(),
        };
        if !more {
            call.result.exhausted = !call.eliminated_atoms();
        }
        more
    }

    /// Requires that some preference holds that the last model does not satisfy: with decisions made by preference, the
    /// models are the best ones, none better than another. `false`: there is nothing to improve.
    fn demand_preferred(&self, call: &mut SolveCall<'_>, guard: Lit) -> bool {
        let mut clause = vec![!guard];
        let engine = &mut call.t.engine;
        for (lit, condition) in &self.preferred {
            let applies = condition.iter().all(|&l| engine.value(l) == Some(true));
            if applies && engine.value(*lit) == Some(false) && engine.fixed(*lit).is_none() {
                clause.push(*lit);
            }
        }
        if clause.len() == 1 {
            return false;
        }
        engine.reset_enumeration();
        engine.add_clause(&clause)
    }

    /// Excludes the last model, or its projection, by a nogood. `false`: there is no other.
    fn record(&self, call: &mut SolveCall<'_>, guard: Lit) -> bool {
        let mut clause = vec![!guard];
        let lits = match &self.projection {
            Some(vars) => vars.iter().map(|&v| Lit::pos(v)).collect(),
            None => call.t.atom_lits(),
        };
        let engine = &mut call.t.engine;
        let open = lits.into_iter().filter(|&lit| engine.fixed(lit).is_none());
        clause.extend(open.map(|lit| if engine.value(lit) == Some(true) { !lit } else { lit }));
        if let Some(proof) = &mut engine.proof {
            // It has fewer literals than the axiom that excludes the model.
            proof.rup(&clause);
        }
        if clause.len() == 1 {
            return false;
        }
        engine.reset_enumeration();
        engine.add_clause(&clause)
    }
}

impl Driver for Enumeration {
    #[inline]
    fn next(&mut self, call: &mut SolveCall<'_>) -> Milestone {
        let passable = self.passable(call);
        if std::mem::take(&mut self.at_model) {
            let is_last = call.is_enough(self.found);
            if !self.leave_model(call, is_last) || is_last {
                return Milestone::Done;
            }
        }
        call.t.engine.pass_models(passable, PASSED_WITHIN);
        let outcome = call.search(&[]);
        let passed = call.t.engine.passed_models();
        self.found += passed;
        call.note_passed(passed);
        match outcome {
            Outcome::Sat => {
                self.found += 1;
                self.at_model = true;
                call.note_model(self.optimal);
                Milestone::Model
            }
            Outcome::Unsat => {
                call.result.exhausted = true;
                Milestone::Done
            }
            Outcome::Unknown(_) => Milestone::Stopped,
        }
    }

    /// Only whether there are more models remains to be found out.
    fn halt(&mut self, call: &mut SolveCall<'_>) {
        if std::mem::take(&mut self.at_model) {
            self.leave_model(call, true);
        }
    }
}
