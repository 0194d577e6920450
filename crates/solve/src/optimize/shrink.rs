//! Making cores smaller by a little search.
//!
//! Either each literal is tentatively left out, or prefixes of the core are tested for being cores themselves, with
//! lengths that grow, shrink, double or are bisected. Invariant: the result is a core.
//! Source: Alviano and Dodaro, *Anytime answer set optimization via unsatisfiable core shrinking*, TPLP 2016.

use crate::call::SolveCall;
use asp_engine::Limits;
use asp_engine::Outcome;
use asp_engine::parameters::Shrink;
use asp_engine::store::literal::Lit;

/// Conflicts that one attempt may take unless the options say otherwise.
const CONFLICTS: u64 = 100;
/// Steps that one attempt may take: per step of the search that found the core, and at least.
const STEPS: (u64, u64) = (1, 20_000);
/// Cores larger than this are not shrunk literal by literal.
const SIZE: usize = 64;

/// Those of the assumptions that failed.
pub(crate) fn failed_among(call: &SolveCall<'_>, active: &[Lit]) -> Vec<Lit> {
    let mut failed = call.t.engine.failed_assumptions().to_vec();
    failed.sort_unstable();
    active.iter().copied().filter(|l| failed.binary_search(l).is_ok()).collect()
}

/// Makes a core smaller; the search that found it took `steps` steps.
pub(crate) fn shrink(call: &mut SolveCall<'_>, core: &mut Vec<Lit>, how: Shrink, steps: u64) {
    let given = call.options.solver.optimize.cores.shrink_conflicts;
    // A given limit of 0 is none.
    let conflicts = Some(given.unwrap_or(CONFLICTS)).filter(|&n| n > 0);
    let steps = given.is_none().then(|| (STEPS.0 * steps).max(STEPS.1));
    call.t.engine.set_limits(Limits { conflicts, restarts: None, steps });
    match how {
        Shrink::Minimal if core.len() <= SIZE || given.is_some() => leave_out(call, core),
        Shrink::Minimal => {}
        _ => find_prefix(call, core, how),
    }
    call.t.engine.set_limits(call.options.limits());
}

/// A core among some literals of a core, in the same order. `None` if there is none, or if finding it takes too long.
fn core_within(call: &mut SolveCall<'_>, part: &[Lit]) -> Option<Vec<Lit>> {
    (call.probe(part) == Outcome::Unsat).then(|| failed_among(call, part))
}

fn leave_out(call: &mut SolveCall<'_>, core: &mut Vec<Lit>) {
    let mut i = 0;
    while i < core.len() && core.len() > 1 && call.result.stopped.is_none() {
        let mut rest = core.clone();
        rest.remove(i);
        match core_within(call, &rest) {
            // The constraints are contradictory without the objective.
            Some(smaller) if smaller.is_empty() => break,
            Some(smaller) => *core = smaller,
            None => i += 1,
        }
    }
}

fn find_prefix(call: &mut SolveCall<'_>, core: &mut Vec<Lit>, how: Shrink) {
    // The length of the longest prefix that is not known to contain a core.
    let (mut low, mut step) = (0, 1);
    while call.result.stopped.is_none() {
        let length = match how {
            Shrink::Forward | Shrink::Minimal => low + 1,
            Shrink::Backward => core.len() - 1,
            Shrink::Binary => (low + core.len()) / 2,
            Shrink::Geometric => low + step,
            Shrink::Exponential => (2 * low).max(1),
        };
        if length <= low {
            break;
        }
        if length >= core.len() {
            if how != Shrink::Geometric || step == 1 {
                break;
            }
            step = 1;
            continue;
        }
        match core_within(call, &core[..length]) {
            Some(smaller) if smaller.is_empty() => break,
            Some(smaller) => {
                low = core[..low].iter().filter(|l| smaller.contains(l)).count();
                *core = smaller;
                if !matches!(how, Shrink::Backward | Shrink::Binary) {
                    break;
                }
            }
            None if how == Shrink::Backward => break,
            None => (low, step) = (length, 2 * step),
        }
    }
}
