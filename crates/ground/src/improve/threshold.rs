//! Which constraints are left to the search (`--ground=auto`): those of which it needs few instances, and those that are far too
//! many to be made.
//!
//! Invariant: without a limit (`--ground=lazy`) every constraint that can be kept is.

use super::CERTAIN;
use super::chase::share;
use super::lazy::{expected, flatten, keep};
use crate::instantiate::Instantiator;
use crate::state::Halt;
use asp_rewrite::improve::exclusion::Exclusion;
use asp_rewrite::improve::{Sizes, outlook};
use asp_rewrite::rule::{Literal, Rule};
use asp_syntax::ast::Sign;

/// What the search needs at most of a constraint that is worth keeping.
const FEW: f64 = 1.0 / 1000.0;
/// A constraint is wide if it has so many atoms that need not hold.
const WIDE: usize = 3;
/// What share of a predicate's atoms holds if no key says it.
const UNKNOWN_SHARE: f64 = 0.5;
/// With so many times the least number of instances expected, a constraint is kept even if the search may need many, ...
const FAR: f64 = 30.0;
/// ... once so many times the least number were made.
const MANY: u64 = 10;

/// From how many instances on a constraint is kept, of which `all` are expected; `None`: never.
pub(super) fn threshold(run: &mut Instantiator<'_>, rule: &Rule, all: f64) -> Option<u64> {
    let options = run.machine.state.options;
    let least = options.lazy?;
    if !options.lazy_where_few {
        return Some(least);
    }
    if all * CERTAIN >= least as f64 && needs_few(run, rule) {
        return Some(least);
    }
    (all >= FAR * least as f64).then(|| least.saturating_mul(MANY))
}

/// Whether the search will need few instances of all: one is found when all its atoms hold but one, and keys say how many
/// do at once; a count looks at tuples that hold.
fn needs_few(run: &mut Instantiator<'_>, rule: &Rule) -> bool {
    let (flat, counted) = flatten(rule);
    let mut shares: Vec<f64> = Vec::new();
    for literal in &flat.body {
        if let Literal::Atom(Sign::None, a) = literal
            && !run.machine.state.is_all_facts(a.pred)
        {
            shares.push(share(run, a.pred).unwrap_or(UNKNOWN_SHARE));
        }
    }
    shares.sort_unstable_by(f64::total_cmp);
    if counted.is_none() {
        // Of two atoms, each that holds needs all instances of its own.
        if shares.len() < WIDE {
            return false;
        }
        shares.pop();
    }
    shares.iter().product::<f64>() <= FEW
}

/// Keeps a constraint that would become groups, if their members are joins of too many instances.
pub(super) fn keep_in_place_of_groups(
    run: &mut Instantiator<'_>,
    rule: &Rule,
    groups: &[Exclusion],
) -> Result<bool, Halt> {
    let state = &mut run.machine.state;
    let Some(least) = state.options.lazy else { return Ok(false) };
    let is_join = |e: &Exclusion| e.body.iter().filter(|l| matches!(l, Literal::Atom(..))).count() > 1;
    let mut members = 0.0;
    for e in groups.iter().filter(|e| is_join(e)) {
        members += outlook::instances(&Rule { body: e.body.clone(), ..rule.clone() }, state);
    }
    if members < (least as f64).max(1.0) {
        return Ok(false);
    }
    let Some(all) = expected(rule, state) else { return Ok(false) };
    if threshold(run, rule, all) != Some(least) {
        return Ok(false);
    }
    keep(run, rule, all)
}
