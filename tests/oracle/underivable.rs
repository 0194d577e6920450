//! What `why-not` claims of atoms that no rule derives is true, by the answer sets that clingo enumerates.
//!
//! `ASP_RANDOM_SEED` and `ASP_RANDOM_COUNT` set the first seed and the number of programs.

use crate::support::hunt::number;
use crate::support::oracle::Oracle;
use crate::support::outcome::Mode;
use crate::support::underivable::hunt;

/// The greatest number of answer sets of a program.
const SETS: usize = 500;

#[test]
#[ignore = "needs clingo"]
fn claims_about_underivable_atoms_are_true_by_clingo() {
    let mut oracle = Oracle::required();
    // Some are rejected, as their variables are unsafe.
    let mut answer_sets = |program: &str| oracle.solve_plainly(program, Mode::All, SETS).shown();
    let count = number("ASP_RANDOM_COUNT", 2000);
    let seen = hunt(number("ASP_RANDOM_SEED", 0), count, number("ASP_RANDOM_FAILURES", 5), &mut answer_sets);
    assert!(seen.programs * 3 > count, "{seen:?}");
}
