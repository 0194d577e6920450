//! What `why-not` claims of atoms that no rule derives is true, by the answer sets that the library enumerates.
//!
//! `ASP_RANDOM_SEED` and `ASP_RANDOM_COUNT` set the first seed and the number of programs.

use crate::support::hunt::number;
use crate::support::library::solve;
use crate::support::outcome::{Mode, Outcome};
use crate::support::underivable::hunt;

/// The greatest number of answer sets of a program.
const SETS: usize = 500;

#[test]
fn claims_about_underivable_atoms_are_true() {
    let mut answer_sets = |program: &str| match solve(program, Mode::All, SETS) {
        // Such as variables that are unsafe.
        Outcome::Rejected(why) => {
            assert!(!why.contains("PANIC"), "{program}");
            None
        }
        outcome => outcome.shown(),
    };
    let count = number("ASP_RANDOM_COUNT", 300);
    let seen = hunt(number("ASP_RANDOM_SEED", 0), count, number("ASP_RANDOM_FAILURES", 5), &mut answer_sets);
    assert!(seen.programs * 3 > count, "{seen:?}");
    let kinds = ["cannot hold", "value", "head", "other head", "undefined", "no values"];
    assert!(count < 300 || kinds.iter().all(|kind| seen.by_kind.contains_key(kind)), "{seen:?}");
}
