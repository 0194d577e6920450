//! Ground formats of other systems: what `gringo` writes is solved here, with the same answer sets as the program that
//! it was made from. In `tests/oracle/peers.rs`, `clasp` solves what is written here.

use crate::support::exchange::{INCREMENTAL, STEPS, answers, asp, ground, recorded, solved_here};
use std::collections::BTreeSet;

#[test]
fn what_gringo_writes_is_solved_here() {
    solved_here(&recorded("gringo.txt", ground()));
}

#[test]
fn each_step_of_an_incremental_program_is_solved() {
    let here = answers(&asp(&["--mode=clasp", "0"], STEPS));
    let set = |texts: &[&str]| texts.iter().map(|t| t.to_string()).collect::<BTreeSet<_>>();
    let expected = [set(&["", "a"]), set(&["a x", "b x", "a b x"]), set(&["b"]), set(&["a", "b"])];
    assert_eq!(here, (expected.to_vec(), "SATISFIABLE".to_string()));
    // Writing an incremental program gives the same program again.
    let written = asp(&["--mode=clasp", "--output=intermediate"], STEPS);
    assert_eq!(written.lines().filter(|l| *l == "0").count(), 4, "{written}");
    assert_eq!(answers(&asp(&["--mode=clasp", "0"], &written)), here);
}

#[test]
fn steps_of_the_incremental_mode_are_written() {
    let here = answers(&asp(&["0"], INCREMENTAL));
    assert_eq!(here.0.len(), 4);
    let ground = asp(&["--output=intermediate"], INCREMENTAL);
    assert!(ground.starts_with("asp 1 0 0 incremental"), "{ground}");
    assert_eq!(answers(&asp(&["--mode=clasp", "0"], &ground)), here);
}
