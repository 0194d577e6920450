//! The first model from an earlier answer: as much of it as still holds.
//!
//! Its literals are assumed; conflicting ones are dropped until the others hold together, within a limit. Invariant: such a
//! model is an ordinary model of the call.

use crate::call::SolveCall;
use crate::optimize::best::Best;
use crate::optimize::shrink::failed_among;
use asp_engine::Outcome;
use asp_engine::store::literal::Lit;

/// Conflicts and steps of each attempt.
const ATTEMPT: (u64, u64) = (200, 20_000_000);
const MAX_ATTEMPTS: usize = 100;

impl SolveCall<'_> {
    /// The undecided literals of the options' earlier answer.
    pub(crate) fn start(&self) -> Vec<Lit> {
        let literals = self.options.start.iter().map(|&literal| self.t.lit(literal));
        literals.filter(|&lit| self.t.engine.fixed(lit).is_none()).collect()
    }
}

/// Searches once for a model with as many of the literals as possible, which are taken. Returns whether there is one.
pub(crate) fn begins_at(call: &mut SolveCall<'_>, best: &mut Best, start: &mut Vec<Lit>) -> bool {
    let mut wanted = std::mem::take(start);
    for _ in 0..MAX_ATTEMPTS {
        if wanted.is_empty() || best.costs.is_some() {
            return false;
        }
        match call.search_within(&wanted, Some(call.slice(ATTEMPT.0, ATTEMPT.1))) {
            Outcome::Sat => return best.improve(call),
            Outcome::Unsat => {
                let failed = failed_among(call, &wanted);
                if failed.is_empty() {
                    return false;
                }
                wanted.retain(|lit| !failed.contains(lit));
            }
            Outcome::Unknown(_) => return false,
        }
    }
    false
}
