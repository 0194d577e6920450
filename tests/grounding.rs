//! Random programs through the stages up to the ground program, which must have the answer sets of the source: as text,
//! read by the reference system, and, where it is small, by definition, before and after lowering.
//!
//! Takes the variables of `random.rs`.

mod support;

use support::generator::{Profile, generate};
use support::oracle::Oracle;
use support::outcome::{Mode, Outcome};
use support::stages;
use support::tree::{Tree, render, shrink};

const MOST_MODELS: usize = 2000;
/// Atoms up to which all worlds are tried.
const FEW_ATOMS: usize = 14;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

/// The stage that goes wrong, with what it gives and what it should give.
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
    let actual = oracle.solve(&text, mode, MOST_MODELS);
    if !actual.agrees(&expected) {
        eprintln!("text:\n{text}");
        return Some(("text", expected, actual));
    }
    for (stage, lowered) in [("definition", false), ("lowering", true)] {
        let Some(actual) = stages::by_definition(&program, lowered, FEW_ATOMS) else { continue };
        if !actual.agrees(&expected) {
            return Some((stage, expected, actual));
        }
    }
    None
}

fn compare(profile: &Profile, count: u64) {
    let Some(mut oracle) = Oracle::start() else { return };
    let first = number("ASP_RANDOM_SEED", 1_000_000);
    let count = number("ASP_RANDOM_COUNT", count);
    eprintln!("{count} programs of profile {} from seed {first}", profile.name);
    let mut failures = 0;
    for seed in first..first + count {
        let statements = generate(profile, seed).statements;
        let Some((stage, expected, actual)) = mismatch(&statements, &mut oracle) else { continue };
        let rejected = |o: &Outcome| matches!(o, Outcome::Rejected(_));
        let kind = (stage, rejected(&expected), rejected(&actual));
        let small = shrink(statements, 2000, &mut |s| {
            mismatch(s, &mut oracle).is_some_and(|(stage, e, a)| (stage, rejected(&e), rejected(&a)) == kind)
        });
        let (stage, expected, actual) = mismatch(&small, &mut oracle).unwrap_or((stage, expected, actual));
        eprintln!(
            "== seed {seed}, profile {}: {stage}\n{}-- expected: {expected}-- actual: {actual}",
            profile.name,
            render(&small)
        );
        failures += 1;
        if failures == number("ASP_RANDOM_FAILURES", 5) {
            break;
        }
    }
    assert_eq!(failures, 0, "mismatches, see above");
}

#[test]
fn grounding_by_hand() {
    let Ok(name) = std::env::var("ASP_RANDOM_PROFILE") else { return };
    compare(&Profile::named(&name).expect("a profile's name"), 1000);
}
