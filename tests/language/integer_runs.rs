//! Programs with constraints over integers in every mode, against the definition: under random options (enumeration, projection,
//! consequences, objectives and their strategies, threads, limits, the binary), and over steps with assumptions.
//!
//! `ASP_RANDOM_SEED` and `ASP_RANDOM_COUNT` set the first seed and the number of programs. What is refused is counted.

use super::integers::{Tally, is_refusal};
use super::runs::{Kind, Set, wrong};
use crate::support::hunt::number;
use crate::support::integers::{Answer, Program, by_seed};
use crate::support::records::in_parallel;
use crate::support::wish::Wish;
use asp::Control;
use asp_base::rng::Rng;
use asp_solve::{OptMode, OptStrategy};
use std::collections::BTreeSet;

/// Programs with more answers are skipped.
const MOST: usize = 300;

/// What became of a program.
enum Outcome {
    Compared { satisfiable: bool, wide: bool },
    Refused,
    Skipped,
}

fn tally(what: &str, outcomes: impl IntoIterator<Item = (u64, Result<Outcome, String>)>) {
    let (mut tally, mut failures) = (Tally::default(), 0);
    for (seed, outcome) in outcomes {
        match outcome {
            Ok(Outcome::Compared { satisfiable, wide }) => {
                tally.compared += 1;
                tally.satisfiable += u64::from(satisfiable);
                tally.wide += u64::from(wide);
            }
            Ok(Outcome::Refused) => tally.refused += 1,
            Ok(Outcome::Skipped) => tally.skipped += 1,
            Err(message) => {
                eprintln!("== seed {seed}: {message}");
                failures += 1;
            }
        }
    }
    assert_eq!(failures, 0, "see above");
    tally.end(what);
}

/// The answers of a step, if they can be compared; whether the program is refused there if not.
fn expected(program: &Program, step: usize) -> Option<Vec<Answer>> {
    program.all(step, MOST).filter(|_| !program.may_be_refused && program.refused_from.is_none())
}

/// Whether a program is refused when it is prepared.
fn refusal(program: &str) -> Option<String> {
    let mut control = Control::new();
    control.add(program);
    control.ground().and_then(|()| control.lower()).err().map(|e| e.to_string())
}

fn run(seed: u64, program: &Program) -> Result<Outcome, String> {
    let Some(all) = expected(program, 0) else { return Ok(Outcome::Skipped) };
    match refusal(&program.text) {
        Some(message) if program.wide && is_refusal(&message) => return Ok(Outcome::Refused),
        Some(message) => return Err(format!("{message}\n{}", program.text)),
        None => {}
    }
    let set = |answer: &Answer| Set {
        items: answer.shown.iter().map(|s| (Kind::Atom, s.clone())).collect(),
        projected: program
            .projected
            .iter()
            .filter(|a| answer.atoms.contains(**a))
            .map(|a| (*a).into())
            .collect(),
        costs: answer.costs.clone(),
    };
    let all: Vec<Set> = all.iter().map(set).collect();
    let mut wish = Wish::random(&mut Rng::new(seed ^ 0x1a7e));
    wish.extra.clear();
    // Runs of the binary are slow to start.
    if !seed.is_multiple_of(4) {
        wish.command = None;
    }
    match wrong(&program.text, &wish, &all, true) {
        None => Ok(Outcome::Compared { satisfiable: !all.is_empty(), wide: program.wide }),
        Some(message) => Err(format!("{}\n{wish:?}\n{message}", program.text)),
    }
}

#[test]
fn programs_under_random_options_have_the_answers_of_the_definition() {
    let (first, count) = (number("ASP_RANDOM_SEED", 1000), number("ASP_RANDOM_COUNT", 200));
    let programs: Vec<(u64, Program)> = by_seed(first..first + count).collect();
    let outcomes = in_parallel(
        0..programs.len(),
        || (),
        |(), i| {
            let (seed, program) = &programs[i];
            Some((*seed, run(*seed, program)))
        },
    );
    tally("runs", outcomes.into_iter().flatten());
}

/// Answers as sets of what is printed, and costs.
type Found = Vec<(BTreeSet<String>, Vec<i64>)>;

fn calls(seed: u64, program: &Program) -> Result<Outcome, String> {
    if std::env::var_os("ASP_RANDOM_VERBOSE").is_some() {
        eprintln!("{seed}: {}", program.text);
    }
    let mut rng = Rng::new(seed ^ 0x57e9);
    let mut control = Control::new();
    control.add(&program.text);
    let mut outcome = Outcome::Skipped;
    for step in 0..=program.steps() {
        let Some(all) = expected(program, step) else { return Ok(outcome) };
        let complain = |what: &str| Err(format!("step {step}: {what}\n{}", program.text));
        let name = format!("step{step}");
        let grounded = control.ground_parts(&[if step == 0 { ("base", vec![]) } else { (&name, vec![]) }]);
        if let Err(error) = grounded {
            return complain(&error.to_string());
        }
        for _ in 0..2 {
            // Assumptions contradict themselves, or what is so.
            let mut assumed: Vec<(&str, bool)> = Vec::new();
            for atom in ["a", "b", "c", "d", "p(1)"] {
                if rng.chance(0.2) {
                    assumed.push((atom, rng.chance(0.5)));
                }
            }
            let has = |a: &Answer, (atom, holds): (&str, bool)| a.atoms.contains(atom) == holds;
            let kept: Vec<&Answer> = all.iter().filter(|a| assumed.iter().all(|&l| has(a, l))).collect();
            let best = kept.iter().map(|a| &a.costs).min();
            let mut wanted: Found = (kept.iter().filter(|a| Some(&a.costs) == best))
                .map(|a| (a.shown.clone(), a.costs.clone()))
                .collect();
            let terms: Vec<_> = assumed
                .iter()
                .map(|(atom, holds)| control.parse_term(atom).map(|t| (t, *holds)))
                .collect::<Result<_, _>>()
                .map_err(|e| e.to_string())?;
            let optimises = program.has_objective(step);
            let strategy = OptStrategy::ALL[rng.below(OptStrategy::ALL.len() as u64) as usize];
            let threads = if rng.chance(0.1) { 2 } else { 1 };
            let mut call = control.answers().options(|o| {
                (o.opt_mode, o.threads, o.solver.optimize.strategy) = (OptMode::OptN, threads, strategy);
            });
            for &(atom, holds) in &terms {
                call = call.assume(atom, holds);
            }
            let mut handle = match call.start() {
                Ok(handle) => handle,
                Err(error) if program.wide && is_refusal(&error.to_string()) => {
                    return Ok(Outcome::Refused);
                }
                Err(error) => return complain(&error.to_string()),
            };
            let mut found: Found = Vec::new();
            while let Some(answer) = handle.next().map_err(|e| e.to_string())? {
                if found.len() > MOST {
                    return complain("too many answers");
                }
                if answer.is_optimal() || !optimises {
                    found.push((answer.terms().map(|t| t.to_string()).collect(), answer.costs().to_vec()));
                }
            }
            let core = handle.core();
            let result = handle.finish();
            found.sort();
            wanted.sort();
            if found != wanted || !result.exhausted {
                return complain(&format!("{assumed:?}\nfound {found:#?}\nexpected {wanted:#?}"));
            }
            if kept.is_empty() {
                let core: Vec<(&str, bool)> = (assumed.iter().zip(&terms))
                    .filter(|(_, (term, holds))| core.iter().any(|c| c.atom == *term && c.holds == *holds))
                    .map(|(&literal, _)| literal)
                    .collect();
                if all.iter().any(|a| core.iter().all(|&l| has(a, l))) {
                    return complain(&format!("{assumed:?}: the core {core:?} has answers"));
                }
            }
        }
        outcome = Outcome::Compared { satisfiable: !all.is_empty(), wide: program.wide };
    }
    Ok(outcome)
}

#[test]
fn steps_and_assumptions_have_the_answers_of_the_definition() {
    let (first, count) = (number("ASP_RANDOM_SEED", 5000), number("ASP_RANDOM_COUNT", 200));
    // Sums of digits that came late lost what they had implied, and the search did not end.
    let seeds = by_seed(first..first + count).chain(by_seed(422_339..422_340));
    tally("steps", seeds.map(|(seed, program)| (seed, calls(seed, &program))));
}
