//! Explanations name all that they need, by clingo: what is named forces what is claimed.
//!
//! `ASP_RANDOM_SEED` and `ASP_RANDOM_COUNT` set the first seed and the number of questions.

use crate::support::hunt::number;
use crate::support::named::hunt;
use crate::support::oracle::Oracle;
use crate::support::outcome::{Mode, Outcome};

/// The greatest number of answer sets of a program.
const SETS: usize = 5000;

#[test]
#[ignore = "needs clingo"]
fn what_is_named_forces_what_is_claimed_by_clingo() {
    let mut oracle = Oracle::required();
    let mut answer_sets = |program: &str| match oracle.solve_plainly(program, Mode::All, SETS) {
        Outcome::Rejected(why) => panic!("{why}: {program}"),
        outcome => outcome.shown(),
    };
    let count = number("ASP_RANDOM_COUNT", 3000);
    let asked = hunt(number("ASP_RANDOM_SEED", 0), count, number("ASP_RANDOM_FAILURES", 5), &mut answer_sets);
    assert!(asked.forced * 5 > count, "{asked:?}");
}
