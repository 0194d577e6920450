//! Rules that only their own head stops: `a(X) :- p(X), not a(X).` becomes `:- p(X).` if all rules for `a` are such.
//!
//! Proof: let B be the rest of the body. A pair (H,T) of sets of atoms, H within T, satisfies the rule in the logic of
//! here-and-there if and only if it satisfies `:- B, not a(X)`: where `a(X)` is in T, `not a(X)` does not hold and both
//! do; elsewhere the head is in neither, and what holds at H holds at T, so both say that T does not satisfy B. So rule and
//! constraint are strongly equivalent, whatever else there is. What no head derives any more is false, and `not a(X)` can
//! go. Source: Lifschitz, Pearce and Valverde, *Strongly equivalent logic programs*, TOCL 2001.
//!
//! Invariant: a predicate with atoms from outside (facts, earlier calls, externals) stays, so that an atom that becomes a rule's
//! head remains one; so does one that determines which atoms are external.

use super::exchange::same_term;
use crate::predicate::PredId;
use crate::rule::{Atom, Head, Literal, Rule, Term};
use asp_base::map::Set;
use asp_syntax::ast::Sign;

/// Turns the rules of predicates that have no other rules into constraints. Calls `f` with each rule before and after.
pub fn apply(rules: &mut [Rule], stays: impl Fn(PredId) -> bool, mut f: impl FnMut(&Rule, &Rule)) {
    let mut derived: Set<PredId> = Set::default();
    let mut denied: Set<PredId> = Set::default();
    for rule in rules.iter() {
        // An objective over an atom that is always false is told all the same.
        if matches!(rule.head, Head::Minimize { .. }) {
            derived.extend(rule.body.iter().filter_map(|l| match l {
                Literal::Atom(_, a) => Some(a.pred),
                _ => None,
            }));
        }
        match &rule.head {
            Head::Atom(a) if rule.body.iter().any(|l| denies(l, a)) => {
                denied.insert(a.pred);
            }
            head => head.for_each_atom(&mut |a| {
                derived.insert(a.pred);
            }),
        }
    }
    for rule in rules {
        let Head::Atom(a) = &rule.head else { continue };
        if !denied.contains(&a.pred) || derived.contains(&a.pred) || stays(a.pred) {
            continue;
        }
        let body = rule.body.iter().filter(|l| !denies(l, a)).cloned().collect();
        let constraint = Rule { head: Head::Constraint, body, ..rule.clone() };
        f(rule, &constraint);
        *rule = constraint;
    }
}

/// Whether a literal is the negation of an atom that has a value in each instance: without one there is no constraint, either.
fn denies(literal: &Literal, atom: &Atom) -> bool {
    let Literal::Atom(Sign::Not, a) = literal else { return false };
    a.pred == atom.pred
        && atom.args.iter().all(Term::is_total)
        && a.args.iter().zip(&atom.args).all(|(s, t)| same_term(s, t))
}
