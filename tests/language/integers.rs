//! Constraints over integers: random programs against all assignments tried one by one, and what programs mean.

use crate::support::hunt::number;
use crate::support::integers::{Answers, Program};
use asp::Control;
use asp::unstable::program::check;
use asp::unstable::solve::OptMode;

/// The answers of a program, each once, and the costs of the last.
fn solve(text: &str, threads: u32) -> Result<(Answers, Vec<i64>), String> {
    let mut control = Control::new();
    control.add(text);
    control.settings.solve.opt_mode = OptMode::OptN;
    control.settings.solve.threads = threads;
    let (mut found, mut costs, mut number) = (Answers::new(), Vec::new(), 0);
    let mut wrong = None;
    let result = control.solve(0, |answer| {
        let candidate: Vec<bool> =
            answer.program().atoms.ids().map(|atom| answer.model().contains(atom)).collect();
        if let Err(violation) = check::check(answer.program(), answer.symbols(), &candidate) {
            wrong = Some(format!("{violation:?}"));
        }
        if !answer.costs().is_empty() && !answer.is_optimal() {
            return true;
        }
        costs = answer.costs().to_vec();
        let (mut shown, mut assignment) = (Vec::new(), Vec::new());
        for term in answer.terms() {
            match (term.name(), term.to_string()) {
                (Some("__csp"), _) => {
                    let mut args = term.arguments().map(|a| a.to_string());
                    let name = args.next().unwrap();
                    assignment.push(format!("{name}={}", args.next().unwrap()));
                }
                (_, text) => shown.push(text),
            }
        }
        shown.sort();
        assignment.sort();
        number += 1;
        found.insert((shown, assignment));
        true
    });
    result.map_err(|e| e.to_string())?;
    match wrong {
        Some(wrong) => Err(wrong),
        None if number > found.len() => Err(format!("{number} answers, {} different ones", found.len())),
        None => Ok((found, costs)),
    }
}

/// `ASP_RANDOM_SEED` and `ASP_RANDOM_COUNT` choose others.
#[test]
fn random_programs_have_the_answers_of_the_definition() {
    let (first, count) = (number("ASP_RANDOM_SEED", 0), number("ASP_RANDOM_COUNT", 300));
    let mut satisfiable = 0;
    for seed in first..first + count {
        let program = Program::random(seed, true);
        let (expected, costs) = program.answers();
        let threads = if seed % 16 == 0 { 2 } else { 1 };
        let (found, found_costs) =
            solve(&program.text, threads).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{}", program.text));
        assert!(
            found == expected,
            "seed {seed}\n{}missing: {:?}\ntoo many: {:?}",
            program.text,
            expected.difference(&found).take(3).collect::<Vec<_>>(),
            found.difference(&expected).take(3).collect::<Vec<_>>()
        );
        if let Some(costs) = costs {
            assert_eq!(found_costs, costs.into_values().collect::<Vec<_>>(), "seed {seed}\n{}", program.text);
        }
        satisfiable += u64::from(!expected.is_empty());
    }
    assert!(satisfiable * 4 > count, "only {satisfiable} of {count} programs have answers");
}
