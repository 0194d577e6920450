//! Random programs through the stages up to the ground program, which must have the answer sets of the source: as text,
//! read by clingo, and if it is small, by the definition, before and after lowering.
//!
//! Uses the variables of `random.rs`.

use crate::support::compare::{MOST_MODELS, comparable};
use crate::support::generator::Profile;
use crate::support::hunt::{self, Failure};
use crate::support::oracle::Oracle;
use crate::support::outcome::{Mode, Outcome};
use crate::support::stages;
use crate::support::tree::{Tree, render};

/// The number of atoms up to which all worlds are tried.
const FEW_ATOMS: usize = 14;

/// The stage that is wrong, with its result and the expected one.
fn mismatch(statements: &[Tree], oracle: &mut Oracle) -> Option<(&'static str, Outcome, Outcome)> {
    let program = render(statements);
    let mode = if program.contains("imize") || program.contains(":~") { Mode::OptEnum } else { Mode::All };
    let expected = oracle.solve(&program, mode, MOST_MODELS);
    if matches!(expected, Outcome::TooMany | Outcome::Unfinished) {
        return None;
    }
    let text = match stages::ground_text(&program) {
        Ok(text) => text,
        Err(message) => {
            let actual = Outcome::Rejected(message);
            return (!actual.agrees(&expected)).then_some(("grounding", expected, actual));
        }
    };
    let same = |actual: &Outcome| {
        comparable(&program, actual.clone()).agrees(&comparable(&program, expected.clone()))
    };
    // Definitions of theories are not part of a ground program.
    let theories = program.lines().filter(|l| l.starts_with("#theory")).map(|l| format!("{l}\n"));
    let text = theories.collect::<String>() + &text;
    let actual = oracle.solve(&text, mode, MOST_MODELS);
    if !same(&actual) {
        eprintln!("text:\n{text}");
        return Some(("text", expected, actual));
    }
    for (stage, lowered) in [("definition", false), ("lowering", true)] {
        let Some(actual) = stages::by_definition(&program, lowered, FEW_ATOMS) else { continue };
        if !same(&actual) {
            return Some((stage, expected, actual));
        }
    }
    None
}

#[test]
#[ignore = "needs clingo"]
fn ground_programs_have_the_answer_sets_of_their_sources() {
    let mut oracle = Oracle::required();
    let name = std::env::var("ASP_RANDOM_PROFILE").unwrap_or_else(|_| "all".to_owned());
    let profile = Profile::named(&name).expect("a profile's name");
    let failures = hunt::hunt(&profile, 2_000_000, 500, &mut |case| {
        let (stage, expected, actual) = mismatch(&case.statements, &mut oracle)?;
        Some(Failure { stage, expected, actual })
    });
    assert_eq!(failures, 0, "mismatches, see above");
}
