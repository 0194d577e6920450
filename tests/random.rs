//! Random programs: the answers of the system are compared with those of the reference system, where it is installed.
//!
//! `ASP_RANDOM_COUNT` and `ASP_RANDOM_SEED` set the number of programs of each profile and the first seed,
//! `ASP_RANDOM_PROFILE` the profile of `random_programs_by_hand`, `ASP_RANDOM_REWRITE` the rewritings (`eager`). A failure
//! names the seed, and the program is shrunk before it is printed.

mod support;

use asp::unstable::base::rng::Rng;
use support::derive::Deriver;
use support::generator::{Case, Profile, generate};
use support::grammar::Grammar;
use support::hunt::{self, Failure, number};
use support::library;
use support::oracle::Oracle;
use support::outcome::{Mode, Outcome};
use support::tree::{Tree, render, shrink, text};

/// Programs with more answer sets are passed over.
const MOST_MODELS: usize = 2000;

/// Both results, if they can be compared and are different.
fn mismatch(statements: &[Tree], mode: Mode, oracle: &mut Oracle) -> Option<(Outcome, Outcome)> {
    let program = render(statements);
    let expected = oracle.solve(&program, mode, MOST_MODELS);
    let gave_up = matches!(&expected, Outcome::Rejected(m) if m.contains("Term::simplify must be called"));
    if gave_up || matches!(expected, Outcome::TooMany | Outcome::Unfinished) {
        return None;
    }
    let actual = library::solve(&program, mode, MOST_MODELS);
    if matches!(&actual, Outcome::Rejected(message) if message.contains("64 bits")) {
        // The reference system wraps.
        return None;
    }
    if let Outcome::Models(models) = &actual {
        let digits = |s: &String| s.split(|c: char| !c.is_ascii_digit()).any(|n| n.len() > 9);
        if models.iter().flat_map(|m| &m.shown).any(digits) {
            return None;
        }
    }
    let same = |expected: &Outcome| {
        actual.agrees(expected)
            // How often an answer set comes depends on which theory atoms are left when all is simplified.
            || program.contains("#theory") && actual.clone().once().agrees(&expected.clone().once())
    };
    if same(&expected) || same(&oracle.solve_plainly(&program, mode, MOST_MODELS)) {
        return None;
    }
    // Where heads depend on themselves it loses instances, depending on the order of bodies; and it treats `1/0` and
    // `1/X` differently.
    let turned: String = program.lines().map(turned).collect();
    if turned != program.replace('\n', "") && same(&oracle.solve(&turned, mode, MOST_MODELS)) {
        return None;
    }
    Some((expected, actual))
}

/// A rule as the grammar derives it with its binders first and no division by a constant zero, which says the same.
fn turned(line: &str) -> String {
    let parts =
        line.rsplit_once(":- ").and_then(|(head, rest)| Some((head, rest.strip_suffix("e(X), e(Y) .")?)));
    let Some((head, body)) = parts else { return format!("{line}\n") };
    let zero = |text: &str| text.replace("/ 0 ", "/ Zero ").replace("\\ 0 ", "\\ Zero ");
    let (head, body) = (zero(head), zero(body.trim_end().trim_end_matches(';')));
    let separator = if body.trim().is_empty() { "" } else { "; " };
    format!("{head}:- e(X), e(Y), Zero = 0{separator}{body} .\n")
}

/// Compares `count` programs; reports all mismatches, each shrunk, and fails if there are any.
fn compare(profile: &Profile, count: u64) {
    let Some(mut oracle) = Oracle::start() else { return };
    let failures = hunt::hunt(profile, 0, count, &mut |case| {
        let (expected, actual) = mismatch(&case.statements, case.mode, &mut oracle)?;
        Some(Failure { stage: "answers", expected, actual })
    });
    assert_eq!(failures, 0, "mismatches, see above");
}

#[test]
fn basic_programs() {
    compare(&Profile::basic(), 2000);
}

#[test]
fn programs_with_aggregates() {
    compare(&Profile::aggregates(), 1500);
}

#[test]
fn disjunctive_programs() {
    compare(&Profile::disjunctive(), 1500);
}

#[test]
fn optimisation_programs() {
    compare(&Profile::optimise(), 1500);
}

#[test]
fn programs_of_all_kinds() {
    compare(&Profile::all(), 5000);
}

#[test]
fn random_programs_by_hand() {
    let Ok(name) = std::env::var("ASP_RANDOM_PROFILE") else { return };
    let profile = Profile::named(&name).expect("a profile's name");
    compare(&profile, 1000);
}

/// The generator keeps its promises: nearly every program is safe, small, and grounds quickly.
#[test]
fn generated_programs_are_valid() {
    let Some(mut oracle) = Oracle::start() else { return };
    for profile in
        ["basic", "aggregates", "disjunctive", "optimise", "all"].map(|n| Profile::named(n).expect("known"))
    {
        let useful = (0..200).filter(|&seed| {
            let case = generate(&profile, seed);
            matches!(oracle.solve(&render(&case.statements), case.mode, MOST_MODELS), Outcome::Models(_))
        });
        let useful = useful.count();
        assert!(useful >= 190, "{useful} of 200 programs of profile {} are useful", profile.name);
    }
}

/// The shrinker leaves what the failure needs and nothing else.
#[test]
fn shrinking_ends_at_a_small_program() {
    let Case { statements, .. } = generate(&Profile::all(), 7);
    let has_choice = |s: &[Tree]| render(s).contains('{');
    assert!(has_choice(&statements));
    let small = shrink(statements, 3000, &mut |s| has_choice(s));
    assert_eq!(small.len(), 1, "{}", render(&small));
}

/// The same seed gives the same program, and the generator's versions can be told apart by this text.
#[test]
fn generation_is_deterministic() {
    for seed in 0..50 {
        let one = render(&generate(&Profile::all(), seed).statements);
        assert_eq!(one, render(&generate(&Profile::all(), seed).statements));
    }
}

/// Whether we reject a constant without a value, or an unsafe variable where the reference system drops the place that it stands in first, as one that
/// says nothing or has no value.
fn stricter((expected, actual): &(Outcome, Outcome), program: &str) -> bool {
    let (Outcome::Models(_), Outcome::Rejected(message)) = (expected, actual) else { return false };
    let empty = ["@", "<", ">", "=", "\\", "#true", "#false", "#inf", "#sup", "_"];
    message.contains("cyclic constant")
        || message.contains("unsafe variable") && empty.iter().any(|w| program.contains(w))
}

/// Programs derived from the grammar are accepted and rejected alike, and have the same answer sets.
fn compare_derived(count: u64) {
    let Some(mut oracle) = Oracle::start() else { return };
    let grammar = Grammar::read();
    let deriver = Deriver::new(&grammar, false);
    let first = number("ASP_RANDOM_SEED", 0);
    let count = number("ASP_RANDOM_COUNT", count);
    let (mut failures, mut accepted) = (0, 0);
    for seed in first..first + count {
        let mut rng = Rng::new(seed);
        let (statements, depth) = (1 + rng.below(4) as usize, 22 + rng.below(16) as usize);
        let program = deriver.program(statements, depth, &mut |n| rng.below(n as u64) as usize);
        if std::env::var_os("ASP_RANDOM_SHOW").is_some() {
            eprintln!("== seed {seed}\n{program}");
        }
        let objective = [":~", "#minimi", "#maximi"].iter().any(|w| program.contains(w));
        let mode = if objective { Mode::OptEnum } else { Mode::All };
        let statements: Vec<Tree> = program.lines().map(text).collect();
        let Some((expected, actual)) =
            mismatch(&statements, mode, &mut oracle).filter(|m| !stricter(m, &program))
        else {
            accepted += 1;
            continue;
        };
        let rejected = |o: &Outcome| matches!(o, Outcome::Rejected(_));
        let kinds = (rejected(&expected), rejected(&actual));
        let small = shrink(statements, 300, &mut |s| {
            mismatch(s, mode, &mut oracle)
                .is_some_and(|m| (rejected(&m.0), rejected(&m.1)) == kinds && !stricter(&m, &render(s)))
        });
        let (expected, actual) = mismatch(&small, mode, &mut oracle).unwrap_or((expected, actual));
        eprintln!("== seed {seed}\n{}-- expected: {expected}-- actual: {actual}", render(&small));
        failures += 1;
        if failures == number("ASP_RANDOM_FAILURES", 5) {
            break;
        }
    }
    eprintln!("{accepted} agree");
    assert_eq!(failures, 0, "mismatches, see above");
}

#[test]
fn programs_derived_from_the_grammar() {
    compare_derived(500);
}
