//! Brave and cautious consequences over what is shown.
//!
//! Cautious: the intersection shrinks until every model contains all of it. Brave: the union grows until no model adds to it;
//! where variables have too many values for atoms, models that extend their ranges are sought first. Query: each candidate of
//! the intersection is tested by assuming its complement. Invariant: the reported estimate contains (cautious) or is contained
//! in (brave) the true consequences.

use crate::call::SolveCall;
use crate::call::drive::{Driver, Milestone};
use crate::call::estimate::Estimate;
use crate::options::EnumMode;
use asp_engine::Outcome;
use asp_engine::store::literal::Lit;

/// The next step.
#[derive(Clone, Copy)]
enum Stage {
    /// Searches for any model.
    First,
    /// Chooses the next search.
    Ask,
    /// Searches for models that change the estimate.
    Narrow,
    /// Searches for a model without a candidate.
    Test(Lit),
    /// Searches for a model that extends the values of a variable.
    Extend,
}

/// The computation of consequences.
pub(crate) struct Consequences {
    estimate: Estimate,
    /// Whether all models are known to be optimal.
    optimal: bool,
    stage: Stage,
    found: u64,
    /// The guard of its clauses.
    guard: Option<Lit>,
    /// Members before this position have been tested.
    tested: usize,
}

impl Consequences {
    /// The state before the first model, for the kind of consequences in the options.
    pub(crate) fn new(call: &mut SolveCall<'_>, optimal: bool) -> Self {
        let estimate = Estimate::new(call);
        Self { estimate, optimal, stage: Stage::First, found: 0, guard: None, tested: 0 }
    }
}

impl Driver for Consequences {
    fn next(&mut self, call: &mut SolveCall<'_>) -> Milestone {
        loop {
            let outcome = match self.stage {
                Stage::First | Stage::Narrow => call.search(&[]),
                Stage::Test(candidate) => call.search(&[!candidate]),
                Stage::Extend => match self.estimate.next_question() {
                    Some(_) if call.is_enough(self.found) => return Milestone::Done,
                    Some(question) => call.search(&question),
                    None => {
                        self.stage = Stage::Ask;
                        continue;
                    }
                },
                Stage::Ask if call.options.enum_mode == EnumMode::Query => {
                    let Some((at, lit)) = self.estimate.next_candidate(call, self.tested) else {
                        call.result.exhausted = true;
                        return Milestone::Done;
                    };
                    if call.is_enough(self.found) {
                        return Milestone::Done;
                    }
                    self.tested = at + 1;
                    self.stage = Stage::Test(lit);
                    continue;
                }
                Stage::Ask => {
                    let guard = *self.guard.get_or_insert_with(|| call.guard());
                    if call.is_enough(self.found) {
                        return Milestone::Done;
                    }
                    let clause: Vec<Lit> = std::iter::once(!guard).chain(self.estimate.changes()).collect();
                    if clause.len() == 1 {
                        call.result.exhausted = true;
                        return Milestone::Done;
                    }
                    call.t.engine.reset_enumeration();
                    call.t.engine.add_clause(&clause);
                    self.stage = Stage::Narrow;
                    continue;
                }
            };
            match (outcome, self.stage) {
                (Outcome::Sat, stage) => {
                    self.found += 1;
                    self.stage = match stage {
                        Stage::First | Stage::Extend => Stage::Extend,
                        _ => Stage::Ask,
                    };
                    self.estimate.add_model(call, self.optimal);
                    return Milestone::Model;
                }
                (Outcome::Unsat, Stage::Test(_)) => self.stage = Stage::Ask,
                (Outcome::Unsat, Stage::Extend) => self.estimate.settle(),
                (Outcome::Unsat, _) => {
                    call.result.exhausted = true;
                    return Milestone::Done;
                }
                (Outcome::Unknown(_), _) => return Milestone::Stopped,
            }
        }
    }
}
