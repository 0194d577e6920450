//! Random programs: their outcomes are compared with those recorded from clingo, so that clingo need not be installed.
//!
//! If it is (`ASP_ORACLE_PYTHON`), new programs are compared, too: `ASP_RANDOM_COUNT` and `ASP_RANDOM_SEED` set the
//! number of programs per profile and the first seed, which is printed. A failure names the seed; with clingo, the
//! program is shrunk before it is printed. `tests/oracle/random.rs` has more comparisons that need clingo.

use crate::support::compare;
use crate::support::generator::{Case, Profile, generate};
use crate::support::hunt;
use crate::support::oracle::Oracle;
use crate::support::outcome::{Model, Outcome};
use crate::support::records::{self, Reason, Record, in_parallel, subject};
use crate::support::tree::{Tree, render, shrink};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;

/// The least number of programs that must be compared.
const LEAST: usize = 19_000;

/// New programs per profile, if clingo is installed.
const FRESH: u64 = 200;

/// Prints a text even if the test passes.
pub(super) fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// The result for one seed.
enum Found {
    Agrees,
    LeftOut(Reason),
    Differs(String),
}

#[test]
fn outcomes_are_those_that_are_recorded() {
    let sections = records::read();
    let names: Vec<(&str, usize)> = sections.iter().map(|s| (s.profile.name, s.records.len())).collect();
    let wanted = records::profiles().map(|(p, count)| (p.name, count as usize));
    assert_eq!(names, wanted, "tests/recorded/outcomes.txt is out of date");
    let (mut compared, mut left_out, mut failures) = (0, BTreeMap::new(), Vec::new());
    for section in &sections {
        let results = in_parallel(
            0..section.records.len(),
            || (),
            |(), i| {
                let subject = subject(&section.profile, i as u64);
                let found = match section.records[i] {
                    Record::LeftOut(reason) => Found::LeftOut(reason),
                    Record::Outcome(hash) => {
                        let outcome = subject.solve();
                        if subject.hash(&outcome) == Some(hash) {
                            Found::Agrees
                        } else {
                            Found::Differs(format!(
                                "== seed {i}, profile {}, {:?}\n{}-- actual: {outcome}",
                                section.profile.name, subject.mode, subject.program
                            ))
                        }
                    }
                };
                (subject.digest(i as u64), found)
            },
        );
        let digest = results.iter().fold(0u64, |sum, r| sum.wrapping_add(r.0));
        assert_eq!(
            digest, section.digest,
            "the generator makes other programs of profile {} than those recorded: tests/README.md tells how to \
             remake the records",
            section.profile.name
        );
        for (_, found) in results {
            match found {
                Found::Agrees => compared += 1,
                Found::LeftOut(reason) => *left_out.entry(reason).or_insert(0) += 1,
                Found::Differs(text) => failures.push(text),
            }
        }
    }
    say(&format!("random programs: {compared} agree with the records, left out: {left_out:?}"));
    let mut text = String::new();
    failures.iter().take(5).for_each(|failure| text.push_str(failure));
    let _ = writeln!(text, "{} differ; see tests/README.md about shrinking them", failures.len());
    assert!(failures.is_empty(), "{text}");
    assert!(compared >= LEAST, "only {compared} programs were compared");
    fresh();
}

/// Programs of seeds that depend on the commit.
fn fresh() {
    let Some(mut oracle) = Oracle::start() else { return };
    let first = hunt::number("ASP_RANDOM_SEED", hunt::seed_of_commit());
    say(&format!("random programs: clingo is asked about fresh ones, ASP_RANDOM_SEED={first}"));
    for (profile, _) in records::profiles() {
        let failures = hunt::hunt(&profile, first, FRESH, &mut |case| compare::failure(case, &mut oracle));
        assert_eq!(failures, 0, "mismatches, see above");
    }
}

/// Each wrong outcome has another hash than the right one: an answer set missing or repeated, an atom missing or added,
/// another cost, a rejection, none at all.
#[test]
fn wrong_outcomes_differ_from_the_records() {
    let section = records::read().pop().expect("the profile of all kinds");
    let mut perturbed = 0;
    for (seed, record) in section.records.iter().enumerate().take(300) {
        let Record::Outcome(hash) = *record else { continue };
        let subject = subject(&section.profile, seed as u64);
        let outcome = subject.solve();
        assert_eq!(subject.hash(&outcome), Some(hash), "seed {seed}");
        for (what, wrong) in perturbations(&outcome) {
            // Repetitions do not count where there are theory atoms.
            if what == "twice" && subject.program.contains("#theory") {
                continue;
            }
            assert_ne!(subject.hash(&wrong), Some(hash), "seed {seed}, {what}: {wrong}");
            perturbed += 1;
        }
    }
    assert!(perturbed > 1000, "{perturbed} wrong outcomes");
}

fn perturbations(outcome: &Outcome) -> Vec<(&'static str, Outcome)> {
    let Outcome::Models(models) = outcome else {
        return vec![("accepted", Outcome::Models(Vec::new()))];
    };
    let mut wrong = vec![("rejected", Outcome::Rejected(String::new()))];
    let mut change = |what, change: &dyn Fn(&mut Vec<Model>)| {
        let mut models = models.clone();
        change(&mut models);
        models.sort_unstable();
        wrong.push((what, Outcome::Models(models)));
    };
    let new = Model { shown: vec!["new".into()], costs: Vec::new(), optimal: false };
    change("more", &|models| models.push(new.clone()));
    // The first, the last, and one between.
    let places = [0, models.len() / 2, models.len().wrapping_sub(1)];
    for at in places.into_iter().filter(|&at| at < models.len()) {
        change("less", &|models| {
            let gone = models.remove(at);
            models.retain(|m| *m != gone);
        });
        change("twice", &|models| models.push(models[at].clone()));
        change("atom more", &|models| models[at].shown.push("new".into()));
        if !models[at].shown.is_empty() {
            change("atom less", &|models| drop(models[at].shown.pop()));
        }
        if !models[at].costs.is_empty() {
            change("cost", &|models| models[at].costs[0] += 1);
        }
    }
    wrong
}

/// The file is read back as it was written, and no line is skipped.
#[test]
fn records_are_read_as_written() {
    let sections = records::read();
    let lines: usize = sections.iter().map(|s| s.records.len() + 1).sum();
    let text = records::text(&sections);
    assert_eq!(text.lines().count(), lines + 1);
    let path = crate::support::exchange::path("outcomes.txt");
    assert_eq!(text, std::fs::read_to_string(path).expect("the records"));
}

/// The generator meets its specification: nearly every program is safe, small, and grounds quickly.
#[test]
fn generated_programs_are_valid() {
    for (profile, _) in records::profiles().into_iter().filter(|(p, _)| !p.comparisons) {
        let useful = (0..200).filter(|&seed| matches!(subject(&profile, seed).solve(), Outcome::Models(_)));
        let useful = useful.count();
        assert!(useful >= 190, "{useful} of 200 programs of profile {} are useful", profile.name);
    }
}

/// The shrinker keeps what the failure needs and nothing else.
#[test]
fn shrinking_ends_at_a_small_program() {
    let Case { statements, .. } = generate(&Profile::all(), 7);
    let has_choice = |s: &[Tree]| render(s).contains('{');
    assert!(has_choice(&statements));
    let small = shrink(statements, 3000, &mut |s| has_choice(s));
    assert_eq!(small.len(), 1, "{}", render(&small));
}

/// The same seed gives the same program, and another seed gives another one.
#[test]
fn generation_is_deterministic() {
    let texts: Vec<String> = (0..50).map(|seed| subject(&Profile::all(), seed).program).collect();
    for (seed, text) in texts.iter().enumerate() {
        assert_eq!(*text, subject(&Profile::all(), seed as u64).program);
        assert!(!texts[..seed].contains(text), "seed {seed}");
    }
}
