//! Free atoms: derived by choices without a lower bound, and required by no constraint, objective or aggregate. The search
//! leaves such atoms false until something implies them, so few are expected to hold.
//!
//! Invariant: this decides how a constraint is instantiated, never its meaning.

use crate::instantiate::Instantiator;
use crate::state::State;
use asp_rewrite::dependency;
use asp_rewrite::improve::Sizes;
use asp_rewrite::predicate::PredId;
use asp_rewrite::rule::{Head, Literal, Rule};
use asp_syntax::ast::{Relation, Sign};

/// At most one in this many atoms may be a fact.
const MOST_FACTS: u32 = 10;

/// Whether all atoms of a constraint that need not hold are chosen freely.
pub(super) fn is_free(run: &mut Instantiator<'_>, rule: &Rule) -> bool {
    let (state, rules) = (&run.machine.state, run.readers.rules);
    if !state.options.answers_only || state.first_atom.0 > 0 {
        return false;
    }
    let mut any = false;
    let mut known: Vec<PredId> = Vec::new();
    rule.body.iter().all(|l| match l {
        Literal::Atom(Sign::None, a) if !state.is_all_facts(a.pred) => {
            any = true;
            is_chosen(a.pred, rules, state, &mut known)
        }
        _ => true,
    }) && any
        && rules.iter().all(|r| !asks(r, &known))
}

/// Whether choices without a lower bound derive all but few atoms of a predicate; `known` are those already found or assumed to
/// be such, including those below.
fn is_chosen(pred: PredId, rules: &[Rule], state: &State<'_>, known: &mut Vec<PredId>) -> bool {
    if known.contains(&pred) {
        return true;
    }
    let before = known.len();
    known.push(pred);
    let domain = &state.domains[pred];
    let facts = (0..domain.len()).filter(|&row| domain.is_fact(row)).count() as u32;
    if facts.saturating_mul(MOST_FACTS) > domain.len() {
        known.truncate(before);
        return false;
    }
    let derived = rules.iter().all(|r| {
        if !r.head.derives(|a| a.pred == pred) {
            return true;
        }
        match &r.head {
            Head::Aggregate { guards, .. } => {
                guards.iter().all(|g| matches!(g.0, Relation::Less | Relation::LessEqual))
            }
            Head::Atom(_) => {
                let is_fact = |l: &Literal| match l {
                    Literal::Atom(Sign::None, a) => state.is_all_facts(a.pred),
                    Literal::Compare(..) | Literal::Range(..) => true,
                    _ => false,
                };
                let mut above = r.body.iter().filter_map(|l| match l {
                    Literal::Atom(Sign::None, a) if !state.is_all_facts(a.pred) => Some(a.pred),
                    _ => None,
                });
                r.body.iter().all(is_fact) || above.any(|p| is_chosen(p, rules, state, known))
            }
            _ => false,
        }
    });
    if !derived {
        known.truncate(before);
    }
    derived
}

/// Whether a rule may ask for an atom of some predicates to hold.
fn asks(rule: &Rule, preds: &[PredId]) -> bool {
    let is_one = |l: &Literal, sign: &dyn Fn(Sign) -> bool| matches!(l, Literal::Atom(s, a) if sign(*s) && preds.contains(&a.pred));
    let nested = rule.body.iter().any(|l| {
        matches!(l, Literal::Aggregate(_) | Literal::Conditional(_) | Literal::Theory(..))
            && any_read(l, preds)
    });
    let any = |sign: &dyn Fn(Sign) -> bool| rule.body.iter().any(|l| is_one(l, sign));
    match rule.head {
        Head::Constraint => nested || any(&|s| s != Sign::None) && !any(&|s| s == Sign::None),
        Head::Minimize { .. } => nested || any(&|_| true),
        _ => false,
    }
}

fn any_read(l: &Literal, preds: &[PredId]) -> bool {
    let mut any = false;
    dependency::reads(l, &mut |p, _| any |= preds.contains(&p));
    any
}
