//! Values of functional predicates: clingo finds in what `--expand` prints what is found here in the program itself.

use crate::support::hunt::number;
use crate::support::library;
use crate::support::oracle::Oracle;
use crate::support::outcome::{Mode, Outcome};
use crate::support::values::{MOST_ANSWERS, Program, expanded};

/// `ASP_RANDOM_SEED` and `ASP_RANDOM_COUNT` choose others.
#[test]
#[ignore = "needs clingo"]
fn expansions_have_the_answer_sets_of_their_programs() {
    let mut oracle = Oracle::required();
    let (first, count) = (number("ASP_RANDOM_SEED", 0), number("ASP_RANDOM_COUNT", 1000));
    let (mut same, mut models) = (0, 0);
    for seed in first..first + count {
        let program = Program::random(seed);
        let found = library::solve(&program.text, Mode::OptEnum, MOST_ANSWERS).without_vacuous_levels();
        let plain = expanded(&program.text);
        let theirs = oracle.solve(&plain, Mode::OptEnum, MOST_ANSWERS).without_vacuous_levels();
        assert!(
            found == theirs,
            "ASP_RANDOM_SEED={seed}\n{}{plain}\nhere {found}\nclingo {theirs}",
            program.text
        );
        let Outcome::Models(all) = found else { panic!("ASP_RANDOM_SEED={seed}: {found}\n{}", program.text) };
        same += 1;
        models += all.len();
    }
    eprintln!("{same} programs from ASP_RANDOM_SEED={first} with {models} answer sets, as in clingo");
}
