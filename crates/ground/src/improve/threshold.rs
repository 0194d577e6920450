//! Which constraints are left to the search (`--ground=auto`): those of which it needs few instances, and those with far too
//! many.
//!
//! Invariant: without a limit (`--ground=lazy`) every constraint that can be kept is.

use super::CERTAIN;
use super::chase::share;
use super::free::is_free;
use super::lazy::{expected, flatten, keep};
use crate::instantiate::Instantiator;
use crate::state::{Halt, State};
use asp_rewrite::improve::exclusion::Exclusion;
use asp_rewrite::improve::{Sizes, outlook};
use asp_rewrite::rule::{Literal, Rule, literal_vars};
use asp_syntax::ast::Sign;

/// The greatest share of its instances that the search needs of a constraint worth keeping.
const FEW: f64 = 1.0 / 1000.0;
/// A constraint with this many atoms that need not hold is wide.
const WIDE: usize = 3;
/// The share of a predicate's atoms that holds, if no key tells.
const UNKNOWN_SHARE: f64 = 0.5;
/// With this many times the threshold expected, a constraint is kept even if the search may need many instances, ...
const FAR: f64 = 30.0;
/// ... once this many times the threshold were made. With two atoms, instances are binary clauses, which suit the search best:
/// this many times the threshold are made then, too.
const MANY: u64 = 10;
/// This many times the threshold must be expected if only the search makes the atoms true.
const FREE: f64 = 4.0;

/// Why a constraint is kept.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Why {
    /// Every constraint that can be is.
    Asked,
    /// Of all instances, so large a part is needed at once, as keys say.
    Few(f64),
    /// Choices derive its atoms, and nothing asks for them.
    Free,
    /// There are far too many instances.
    Far,
    /// It would become this many sums, none of which propagates before all others are decided; and the search needs few
    /// instances.
    Sums(usize),
}

impl Why {
    /// For a report.
    pub(crate) fn text(self) -> String {
        match self {
            Why::Asked => "`--ground=lazy`".into(),
            Why::Few(share) => format!("the search needs one in {:.0} at a time, as keys say", 1.0 / share),
            Why::Free => "its atoms are chosen freely, so few are expected to hold at a time".into(),
            Why::Far => "they are far too many to be made".into(),
            Why::Sums(n) => format!(
                "as {n} sums (`equations`) it would imply nothing before all but one of them are decided, and the search \
                 needs few instances at a time"
            ),
        }
    }
}

/// The number of instances from which a constraint is kept, if `all` are expected, and why; `None`: never.
pub(super) fn threshold(run: &mut Instantiator<'_>, rule: &Rule, all: f64) -> Option<(u64, Why)> {
    let options = run.machine.state.options;
    let least = options.lazy?;
    if !options.lazy_where_few {
        return Some((least, Why::Asked));
    }
    let many = least.saturating_mul(MANY);
    // Facts that only test may say the same, and then the estimate is far too small.
    if (all * CERTAIN >= least as f64 || untested(rule, &mut run.machine.state) >= least as f64)
        && let Some((share, is_wide)) = needs(run, rule).filter(|n| n.0 <= FEW)
    {
        return Some((if is_wide { least } else { many }, Why::Few(share)));
    }
    if all >= FREE * least as f64 && is_free(run, rule) {
        return Some((least, Why::Free));
    }
    (all >= FAR * least as f64).then_some((many, Why::Far))
}

/// Whether a constraint that would become several sums is kept instead: the same, for any number of atoms.
pub(super) fn in_place_of_sums(run: &mut Instantiator<'_>, rule: &Rule, sums: usize) -> Option<Why> {
    let options = run.machine.state.options;
    let least = options.lazy? as f64;
    if !options.lazy_where_few || sums < 2 || expected(rule, &mut run.machine.state)? < least {
        return None;
    }
    needs(run, rule).filter(|n| n.0 <= FEW).map(|_| Why::Sums(sums))
}

/// How many instances there would be if the facts that only test were not there.
fn untested(rule: &Rule, state: &mut State<'_>) -> f64 {
    let is_open = |l: &Literal| matches!(l, Literal::Atom(Sign::None, a) if !state.is_all_facts(a.pred));
    let mut bound = vec![false; rule.vars.len()];
    for l in rule.body.iter().filter(|l| is_open(l)) {
        literal_vars(l, &mut |v| bound[v.0 as usize] = true);
    }
    let stays = |l: &&Literal| {
        let mut tests = matches!(l, Literal::Atom(Sign::None, _)) && !is_open(l);
        literal_vars(l, &mut |v| tests &= bound[v.0 as usize]);
        !tests
    };
    let body = rule.body.iter().filter(stays).cloned().collect();
    outlook::instances(&Rule { body, ..rule.clone() }, state)
}

/// The part of all instances that the search needs, and whether the constraint is wide: an instance is found when all its atoms
/// but one hold, and keys limit how many do at once; a count looks at tuples that hold.
fn needs(run: &mut Instantiator<'_>, rule: &Rule) -> Option<(f64, bool)> {
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
    let is_wide = counted.is_some() || shares.len() >= WIDE;
    match (counted.is_some(), is_wide) {
        (true, _) => {}
        (false, true) => drop(shares.pop()),
        // Of two atoms, each that holds needs all instances of its own.
        (false, false) if shares.len() == 2 => drop(shares.remove(0)),
        (false, false) => return None,
    }
    Some((shares.iter().product(), is_wide))
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
    match threshold(run, rule, all) {
        Some((from, why)) if from == least => keep(run, rule, all, why),
        _ => Ok(false),
    }
}
