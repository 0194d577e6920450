//! Constraints over integers: random programs against all assignments tried one by one, and what programs mean.

use crate::support::hunt::number;
use crate::support::integers::{Answers, Program};
use asp::Control;
use asp::unstable::program::check;
use asp::unstable::solve::OptMode;

/// The answers of a program, each once, and the costs of the last.
/// Variables with more values than `atoms` are kept by the solver.
fn solve(text: &str, threads: u32, atoms: u64) -> Result<(Answers, Vec<i64>), String> {
    let mut control = Control::new();
    control.settings.integers.atoms = atoms;
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
        let mut assignment: Vec<String> = answer.values().map(|(name, n)| format!("{name}={n}")).collect();
        let shown = answer.terms().filter(|term| term.name() != Some("__csp"));
        let mut shown: Vec<String> = shown.map(|term| term.to_string()).collect();
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
        let atoms = [10_000, 1, 3][seed as usize % 3];
        let (found, found_costs) =
            solve(&program.text, threads, atoms).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{}", program.text));
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

/// A program has these answers: atoms, then values.
#[track_caller]
fn check_answers(program: &str, expected: &[&str]) {
    let (found, _) = solve(program, 1, 10_000).unwrap();
    let found: Vec<String> =
        found.iter().map(|(a, v)| format!("{} | {}", a.join(" "), v.join(" "))).collect();
    let mut expected: Vec<&str> = expected.to_vec();
    expected.sort_unstable();
    let mut found: Vec<&str> = found.iter().map(|s| s.trim()).collect();
    found.sort_unstable();
    assert_eq!(found, expected, "{program}");
}

#[test]
fn heads_demand_and_bodies_tell() {
    check_answers("{ a }. &dom { 1..2 } = x. &sum { x } > 1 :- a.", &["a | x=2", "| x=1", "| x=2"]);
    check_answers("&dom { 1..2 } = x. a :- &sum { x } > 1.", &["a | x=2", "| x=1"]);
    check_answers("&dom { 1..2 } = x. a :- not &sum { x } > 1.", &["| x=2", "a | x=1"]);
    check_answers("&dom { 1..2 } = x. :- &sum { x } > 1.", &["| x=1"]);
    // The same atom on both sides.
    check_answers(
        "{ a }. &dom { 1..2 } = x. &sum { x } = 1 :- a. b :- &sum { x } = 1.",
        &["a b | x=1", "b | x=1", "| x=2"],
    );
}

#[test]
fn elements_are_a_multiset() {
    check_answers("&sum { x; x } = 4.", &["| x=2"]);
    check_answers("p(1..3). #show. &sum { 2 : p(_); 1 : p(X); X : p(X) } = x.", &["| x=11"]);
    check_answers("&dom { 1..2 } = x. &distinct { x; x }.", &[]);
}

#[test]
fn terms_are_multiplied_out() {
    check_answers("&sum { 2*(x+1)-x*3; 4/2; 7\\4; 2**3 } = 10.", &["| x=5"]);
    check_answers("&dom { 0..9 } = x. &nsum { (x+1)*(x-1) } = 8.", &["| x=3"]);
    check_answers(
        "&dom { (-2)..2 } = x. a :- &nsum { x**2*x } = x+6.",
        &["a | x=2", "| x=-2", "| x=-1", "| x=0", "| x=1"],
    );
    check_answers(
        "&sum { x } = 2*y-1. &sum { y } = 3. &sum { (1,\"s\",f(x)) } = 0.",
        &["| (1,\"s\",f(x))=0 x=5 y=3"],
    );
}

#[test]
fn domains_follow_from_constraints() {
    check_answers(
        "&dom { 8..9 } = x. &sum { x; y } = 10. :- not &sum { z } = y.",
        &["| x=8 y=2 z=2", "| x=9 y=1 z=1"],
    );
    check_answers("&dom { 1; 3..4; 9..8 } = x. &sum { x } != 3.", &["| x=1", "| x=4"]);
    check_answers("&dom { } = x.", &[]);
    check_answers("&dom { 1..2 } = x. &dom { 3 } = x. &sum { y } <= 0.", &[]);
}

#[test]
fn values_are_shown_and_minimised() {
    check_answers("&dom { 2 } = x. &dom { 5 } = f(1). &dom { 6 } = g(1). &show { f/1 }.", &["| f(1)=5"]);
    check_answers(
        "&dom { 1..2 } = x. &sum { y } = 7-x. &minimize { x; 2*y }. &show { x; y }.",
        &["| x=2 y=5"],
    );
    check_answers(
        "{ a }. &dom { 0..2 } = x. &sum { x } >= 1 :- not a. &maximize { -x }. #minimize { 2 : a }.",
        &["| x=1"],
    );
    check_answers(
        "{ a }. &dom { 0..2 } = x. &sum { x } >= 1 :- not a. &minimize { x }. #minimize { 2@1 : not a }.",
        &["a | x=0"],
    );
}

/// A definition of the program's own counts.
#[test]
fn own_theories_stay() {
    check_answers("#theory t { e { }; &sum/0 : e, { = }, e, any }. a :- &sum { x } = 1.", &["a |", "|"]);
    let beside = "#theory t { e { }; &p/0 : e, { = }, e, any }. a :- &p { x } = 1. &dom { 1 } = x.";
    check_answers(beside, &["a | x=1", "| x=1"]);
}

#[test]
fn what_cannot_be_solved_is_refused() {
    for (program, expected) in [
        ("&nsum { x*y } >= 0.", "may have 2147483647 values"),
        (
            "&dom { 0..2 } = x. { a }. &sum { x : a } = 1.",
            "conditions in constraints over integers must be facts",
        ),
        ("&sum { x,y } = 1.", "an element of a constraint over integers is one term"),
        ("&sum { x*x } = 1.", "only `&nsum` takes products of variables"),
        ("&sum { x/2 } = 1.", "this constraint has a term that is neither linear nor a variable"),
        ("&sum { x } = x/0.", "this constraint has a term that is neither linear nor a variable"),
        ("&diff { x } <= 1.", "a difference constraint is written `&diff { x-y } <= n`"),
        ("&disjoint { x@0 }.", "the length of an interval is an integer greater than 0"),
        ("&dom { 0..2000000000 } = x.", "a value lies outside of -1073741823..1073741823"),
        ("&dom { x } = y.", "a domain consists of integers and ranges of integers"),
        ("&dom { 1 } = 2.", "a domain belongs to a variable"),
        ("&show { x/y }.", "write `&show { x/n; f(1) }`"),
        ("&sum { 9223372036854775807*x; x } = 1.", "numbers in this constraint do not fit 64 bits"),
        (
            "&dom { 0..9 } = x. &dom { 0..9 } = y. { a }. &sum { 4611686018427387904*x; y } <= 1 :- a.",
            "do not fit 64 bits",
        ),
        ("&diff { x-y } >= 1.", "cannot start with `>=`"),
        ("a :- &dom { 1 } = x.", "cannot occur in a body"),
    ] {
        let message = solve(program, 1, 10_000).unwrap_err();
        assert!(message.contains(expected), "{program}\n{message}");
        if ["one term", "cannot"].iter().any(|of_grounding| expected.contains(of_grounding)) {
            continue;
        }
        // It does not depend on the call.
        let mut control = Control::new();
        control.add(program);
        assert!(control.solve(1, |_| true).is_err() && control.solve(1, |_| true).is_err(), "{program}");
    }
}

/// Later steps constrain variables of earlier ones.
#[test]
fn steps_add_constraints() {
    let mut control = Control::new();
    control.add("&dom { 1..4 } = x. #program more(n). &sum { x } != n. &sum { y(n) } = 2*x. &dom { 1..3 } = x :- n > 1.");
    let mut count = |parts: &[i64]| {
        let mut models = Vec::new();
        for &n in parts {
            let n = control.symbols_mut().num(n);
            control.ground_parts(&[("more", vec![n])]).unwrap();
        }
        if parts.is_empty() {
            control.ground().unwrap();
        }
        control
            .solve(0, |answer| {
                models.push(answer.to_string());
                true
            })
            .unwrap();
        models.sort();
        models
    };
    assert_eq!(count(&[]).len(), 4);
    assert_eq!(count(&[1]).len(), 3);
    assert_eq!(count(&[2]), ["\nAssignment:\nx=3 y(1)=6 y(2)=6"]);
}

/// Programs as they are written for clingcon: what they find is known.
#[test]
fn known_problems() {
    let number = |text: &str| solve(text, 1, 10_000).map(|(found, costs)| (found.len(), costs)).unwrap();
    assert_eq!(number(include_str!("../golden/programs/integers-magic.lp")), (8, vec![]));
    assert_eq!(number(include_str!("../golden/programs/integers-golomb.lp")).1, [11]);
    let (found, _) = solve(include_str!("../golden/programs/integers-send.lp"), 1, 10_000).unwrap();
    let values: Vec<String> = found.into_iter().flat_map(|(_, values)| values).collect();
    assert_eq!(values, ["d=7", "e=5", "m=1", "n=6", "o=0", "r=8", "s=9", "y=2"]);
    let mut control = Control::new();
    control.add(include_str!("../golden/programs/integers-jobs.lp"));
    assert_eq!(control.solve(0, |_| true).unwrap().costs, Some(vec![55]));
}
