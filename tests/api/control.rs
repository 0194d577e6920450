//! The library's interface: steps, constants, externals, assumptions, limits, from Rust.

use asp::Control;
use asp::Error;
use asp::StopReason;
use asp::backend::ExternalValue;
use asp_base::symbol::Sym;
use asp_program::Literal;
use asp_solve::{Event, Flow, OptMode, SolveOptions};

/// All answer sets, each as sorted text, sorted.
fn answers(control: &mut Control) -> Vec<String> {
    let mut all = Vec::new();
    control
        .solve(0, |answer| {
            let text = answer.to_string();
            let mut atoms: Vec<&str> = text.split(' ').collect();
            atoms.sort_unstable();
            all.push(atoms.join(" "));
            true
        })
        .unwrap();
    all.sort();
    all
}

#[test]
fn text_constants_and_answers() {
    let mut control = Control::new();
    control.add("#const n = 1. p(1..n).");
    control.set_const("n", "2");
    control.add("{ q(X) : p(X) }.");
    assert_eq!(
        answers(&mut control),
        ["p(1) p(2)", "p(1) p(2) q(1)", "p(1) p(2) q(1) q(2)", "p(1) p(2) q(2)"]
    );
}

#[test]
fn parts_are_grounded_one_by_one() {
    let mut control = Control::new();
    control.add("p(0). #program step(t). p(t) :- p(t-1). { q(t) }.");
    control.ground().unwrap();
    assert_eq!(answers(&mut control), ["p(0)"]);
    for step in 1..=2 {
        let t = control.number(step);
        control.ground_parts(&[("step", vec![t])]).unwrap();
        assert_eq!(answers(&mut control).len(), 1 << step);
    }
    assert!(answers(&mut control).contains(&"p(0) p(1) p(2) q(1) q(2)".to_string()));
}

/// As in clingo.
#[test]
fn a_constant_replaces_a_parameter_of_its_name() {
    for (text, replaced) in [("#const n = 1.", "p(1) q(1)"), ("#const k = 1.", "p(n) q(5)")] {
        let mut control = Control::new();
        control.add(&format!("{text} p(n). #program part(n). q(n)."));
        let five = control.number(5);
        control.ground_parts(&[("base", Vec::new()), ("part", vec![five])]).unwrap();
        assert_eq!(answers(&mut control), [replaced]);
        assert_eq!(control.take_diagnostics().len(), usize::from(replaced.ends_with("q(1)")));
    }
}

/// Whoever gives it a value.
#[test]
fn what_is_released_stays_released() {
    let mut control = Control::new();
    control.add("#external e. #program again. #external e. [true] z :- e.");
    control.ground().unwrap();
    let e = control.parse_term("e").unwrap();
    control.assign_external(e, true).unwrap();
    assert_eq!(answers(&mut control), ["e"]);
    control.release_external(e).unwrap();
    control.ground_parts(&[("again", Vec::new())]).unwrap();
    assert_eq!(answers(&mut control), [""]);
    {
        let mut backend = control.backend();
        let atom = backend.atom(e).unwrap();
        backend.external(atom, ExternalValue::True);
    }
    control.assign_external(e, true).unwrap();
    assert_eq!(answers(&mut control), [""]);
}

/// Whether or not the rules of the atom have been found to derive nothing.
#[test]
fn what_a_call_has_seen_becomes_external_no_more() {
    for text in ["a :- b, not b. { b }.", "a ; b. b. { c }.", "{ b }."] {
        let mut control = Control::new();
        control.add(text);
        control.add("#program next. #external a. [true]");
        control.ground().unwrap();
        let a = control.parse_term("a").unwrap();
        control.backend().atom(a).unwrap();
        let before = answers(&mut control);
        control.assign_external(a, true).unwrap();
        assert_eq!(answers(&mut control), before, "{text}");
        control.ground_parts(&[("next", Vec::new())]).unwrap();
        assert_eq!(answers(&mut control), before, "{text}");
    }
}

/// In a part, after constants have been replaced.
#[test]
fn parameters_replace_names_in_constants() {
    for (text, expected) in [
        ("#const m = k. q(m). q(m+1).", "q(3) q(4)"),
        ("#const m = f(k). q(m).", "q(f(3))"),
        ("#const k = 7. #const m = k. q(m).", "q(7)"),
    ] {
        let mut control = Control::new();
        control.add(&format!("#program step(k). {text}"));
        let three = control.number(3);
        control.ground_parts(&[("step", vec![three])]).unwrap();
        assert_eq!(answers(&mut control), [expected], "{text}");
    }
}

#[test]
fn copies_of_a_part_stay_in_the_order_of_the_call() {
    // With external atoms, grounding goes by statements.
    for text in ["more.", "#external more."] {
        let mut control = Control::new();
        control.add(&format!("{text} #program step(t). at(t) :- more. {{ on(t) }} :- more."));
        let parts: Vec<(&str, Vec<Sym>)> = std::iter::once(("base", Vec::new()))
            .chain((1..=3).map(|t| ("step", vec![control.number(t)])))
            .collect();
        control.ground_parts(&parts).unwrap();
        let all: Vec<String> = control.atoms("at", 1).iter().map(|a| a.term().to_string()).collect();
        assert_eq!(all, ["at(1)", "at(2)", "at(3)"], "{text}");
    }
}

#[test]
fn text_may_be_added_between_calls() {
    let mut control = Control::new();
    control.add("#const n = 3. a(n).");
    assert_eq!(answers(&mut control), ["a(3)"]);
    control.add("#program more. b(n) :- a(n).");
    control.ground_parts(&[("more", Vec::new())]).unwrap();
    assert_eq!(answers(&mut control), ["a(3) b(3)"]);
}

#[test]
fn externals_are_assigned_and_released() {
    let mut control = Control::new();
    control.add("#external e. a :- e. b :- not e.");
    control.ground().unwrap();
    let e: Sym = control.function("e", &[]);
    assert_eq!(answers(&mut control), ["b"]);
    control.assign_external(e, true).unwrap();
    assert_eq!(answers(&mut control), ["a e"]);
    control.assign_external(e, false).unwrap();
    assert_eq!(answers(&mut control), ["b"]);
    control.release_external(e).unwrap();
    assert_eq!(answers(&mut control), ["b"]);
    // Once released it stays false.
    control.assign_external(e, true).unwrap();
    control.free_external(e).unwrap();
    assert_eq!(answers(&mut control), ["b"]);
    control.add("#program again. #external e. [true]");
    control.ground_parts(&[("again", Vec::new())]).unwrap();
    assert_eq!(answers(&mut control), ["b"]);
}

#[test]
fn an_atom_of_an_earlier_step_gets_no_rules() {
    let mut control = Control::new();
    control.add("{ p }. #external e. #program first. e :- p. #program second. p. #program third. e.");
    assert_eq!(answers(&mut control), ["", "p"]);
    control.ground_parts(&[("first", Vec::new())]).unwrap();
    assert_eq!(answers(&mut control), ["", "e p"]);
    for part in ["second", "third"] {
        control.ground_parts(&[(part, Vec::new())]).unwrap();
        for _ in 0..2 {
            let error = control.solve(0, |_| true).unwrap_err();
            assert!(error.to_string().contains("redefinition of atom p"), "{error}");
        }
    }
}

#[test]
fn assumptions_and_their_core() {
    let mut control = Control::new();
    control.add("{ a; b; c }. :- a, b.");
    control.ground().unwrap();
    control.lower().unwrap();
    let [a, b, c] = ["a", "b", "c"].map(|name| {
        let term = control.function(name, &[]);
        Literal::pos(control.find_atom(term).unwrap())
    });
    let options = SolveOptions { models: Some(0), ..SolveOptions::default() };
    let mut models = 0;
    let result = control
        .solve_events(&options, &[a], &mut |event, _, _| {
            models += u64::from(matches!(event, Event::Model(_)));
            Flow::Continue
        })
        .unwrap();
    assert!(result.satisfiable && result.exhausted && models == 2);
    let result = control.solve_events(&options, &[c, a, b], &mut |_, _, _| Flow::Continue).unwrap();
    assert!(!result.satisfiable && result.exhausted);
    let mut core = result.core;
    core.sort();
    assert_eq!(core, [a, b]);
}

#[test]
fn the_best_answer_set() {
    let mut control = Control::new();
    control.add("1 { pick(1..4) }. #minimize { X : pick(X) }. #show pick/1.");
    control.settings.solve.opt_mode = OptMode::OptN;
    let mut last = String::new();
    let result = control
        .solve(0, |answer| {
            last = answer.to_string();
            true
        })
        .unwrap();
    assert_eq!((last.as_str(), result.costs), ("pick(1)", Some(vec![1])));
}

#[test]
fn errors_leave_messages() {
    let mut control = Control::new();
    control.add("a :- b(X.");
    assert!(matches!(control.ground(), Err(Error::Parse(_))));
    assert_eq!(control.take_diagnostics().len(), 1);
    let mut control = Control::new();
    control.add("a(X) :- not b(X).");
    assert!(matches!(control.ground(), Err(Error::Ground(_))));
    assert!(control.take_diagnostics()[0].message.contains('X'));
}

#[test]
fn limits_and_interrupts() {
    let mut control = Control::new();
    control.settings.ground.instance_limit = Some(1000);
    control.add("p(0). p(X+1) :- p(X).");
    assert!(matches!(control.ground(), Err(Error::Stopped(StopReason::StepLimit))));
    let mut control = Control::new();
    control.interrupt().stop(StopReason::Interrupted);
    control.add("p(0). p(X+1) :- p(X).");
    assert!(matches!(control.ground(), Err(Error::Stopped(StopReason::Interrupted))));
    let mut control = Control::new();
    control.add("{ a(1..50) }.");
    let result = control.solve(0, |answer| answer.number() < 3).unwrap();
    assert_eq!((result.models, result.exhausted), (3, false));
}

/// A search begins at an earlier answer, and answers stay near it: each difference of its predicates costs 1.
#[test]
fn calls_begin_at_earlier_answers_and_stay_near_them() {
    let mut control = Control::new();
    control.add("2 { on(1..6) } 4. { off }. #minimize { X@2,X : on(X) }.");
    control.ground().unwrap();
    let answer: Vec<_> =
        ["on(2)", "on(5)", "on(9)"].iter().map(|atom| control.parse_term(atom).unwrap()).collect();
    let mut call =
        control.answers().options(|o| o.opt_mode = OptMode::Enum).start_from(&answer).start().unwrap();
    let first = call.next().unwrap().unwrap();
    let holds: Vec<String> = first.terms().map(|t| t.to_string()).collect();
    assert!(holds.iter().filter(|t| t.starts_with("on")).eq(["on(2)", "on(5)"].iter()), "{holds:?}");
    drop(call);
    assert_eq!(control.stay_near(&answer, Some(3)), 1);
    let mut call = control.answers().start().unwrap();
    let mut costs = Vec::new();
    while let Some(answer) = call.next().unwrap() {
        costs = answer.costs().to_vec();
    }
    assert_eq!(costs, [0, 7]);
}
