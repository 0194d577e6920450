//! Integer variables that have the same value in all answer sets.
//!
//! Invariant: the solver has shown that no other value is possible.

use super::inquiry::{Inquiry, Oracle, Verdict};
use asp_base::interrupt::StopReason;
use asp_base::symbol::Sym;
use asp_program::integers::state::Known;

/// What is known of the variables that are shown and that `&dom` leaves several values.
pub(crate) enum Values {
    /// Names with the only value, and how many others have several.
    Known(Vec<(Sym, i64)>, usize),
    NoAnswerSet,
    Stopped(StopReason),
}

/// Finds the values that are certain.
pub(crate) fn certain(inquiry: &Inquiry, oracle: &mut Oracle) -> Values {
    let variables = &inquiry.program().integers.variables;
    let is_open = |known: &&Known| known.domain.bounds().is_some_and(|(a, b)| a < b);
    let shown = || variables.iter().filter(|known| known.shown);
    // Before the search, constraints have left one value.
    let decided = shown().filter(|known| known.is_narrowed && !is_open(known));
    let mut same: Vec<(Sym, i64)> =
        decided.filter_map(|known| Some((known.name, known.domain.bounds()?.0))).collect();
    same.sort_by(|a, b| inquiry.symbols().cmp(a.0, b.0));
    let mut open: Vec<&Known> = shown().filter(is_open).collect();
    if open.is_empty() {
        return Values::Known(same, 0);
    }
    open.sort_by(|a, b| inquiry.symbols().cmp(a.name, b.name));
    let assumptions = inquiry.assumptions();
    let first = match oracle.ask(&assumptions) {
        Verdict::Found(model) => model,
        Verdict::None(_) => return Values::NoAnswerSet,
        Verdict::Stopped(reason) => return Values::Stopped(reason),
    };
    let value = |known: &Known, model: &[bool]| {
        known.value(|l| model.get(l.atom().0 as usize).copied().unwrap_or(false) != l.is_neg())
    };
    let mut differs = vec![false; open.len()];
    for (at, known) in open.iter().enumerate() {
        for literal in value(known, &first).map_or(Vec::new(), |value| known.literals(value)) {
            if differs[at] {
                break;
            }
            match oracle.ask(&[&assumptions[..], &[!literal]].concat()) {
                Verdict::Found(other) => {
                    let different = |known: &&Known| value(known, &other) != value(known, &first);
                    differs.iter_mut().zip(&open).for_each(|(d, known)| *d |= different(known));
                }
                Verdict::None(_) => {}
                Verdict::Stopped(reason) => return Values::Stopped(reason),
            }
        }
    }
    let found = open.iter().zip(&differs).filter(|(_, differs)| !**differs);
    same.extend(found.filter_map(|(known, _)| Some((known.name, value(known, &first)?))));
    Values::Known(same, differs.iter().filter(|d| **d).count())
}
