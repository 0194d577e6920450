//! What a user of the library sees: terms, atoms, assumptions, errors.

use asp::{Control, Error, TermKind};

fn control(text: &str) -> Control {
    let mut control = Control::new();
    control.add(text);
    control
}

#[test]
fn answers_are_terms() {
    let mut control =
        control("p(1,\"x\",(a,-b)). { q }. #show p/3. #show q/0. #show f(N) : N = 1..2. #show f(1) : q.");
    let mut answers = control.answers().start().unwrap();
    let mut sets = Vec::new();
    while let Some(answer) = answers.next().unwrap() {
        let mut terms: Vec<String> = answer.terms().map(|t| t.to_string()).collect();
        terms.sort();
        let mut printed: Vec<String> = answer.to_string().split(' ').map(String::from).collect();
        printed.sort();
        printed.dedup();
        assert_eq!(terms, printed);
        let p = answer.terms().find(|t| t.is("p", 3)).unwrap();
        let last = p.arguments().nth(2).unwrap();
        assert!(matches!(last.kind(), TermKind::Tuple(parts) if parts.len() == 2));
        assert_eq!(p.arguments().nth(1).and_then(asp::Term::string), Some("x"));
        assert!(last.arguments().nth(1).unwrap().is_negative());
        sets.push(terms.join(" "));
    }
    sets.sort();
    assert_eq!(sets, ["f(1) f(2) p(1,\"x\",(a,-b))", "f(1) f(2) p(1,\"x\",(a,-b)) q"]);
}

#[test]
fn answers_are_asked_for_atoms_shown_or_not() {
    let mut control = control("a. { b }. c :- b. d :- not b. #external e. #show.");
    control.ground().unwrap();
    let names = ["a", "b", "c", "d", "e", "f"];
    let symbols = names.map(|name| control.parse_term(name).unwrap());
    let mut seen = Vec::new();
    let mut answers = control.answers().start().unwrap();
    while let Some(answer) = answers.next().unwrap() {
        assert_eq!(answer.terms().count(), 0);
        seen.push(symbols.map(|s| answer.contains(s)));
    }
    seen.sort();
    let (with, without) = ([true, true, true, false, false, false], [true, false, false, true, false, false]);
    assert_eq!(seen, [without, with]);
}

#[test]
fn a_ground_program_is_asked_the_same_way() {
    let mut control = control("asp 1 0 0\n1 1 1 1 0 0\n4 1 a 1 1\n4 1 f 0\n0\n");
    control.ground().unwrap();
    let [a, f, g] = ["a", "f", "g"].map(|name| control.parse_term(name).unwrap());
    let mut seen = Vec::new();
    let mut answers = control.answers().start().unwrap();
    while let Some(answer) = answers.next().unwrap() {
        seen.push([a, f, g].map(|s| answer.contains(s)));
    }
    seen.sort();
    assert_eq!(seen, [[false, true, false], [true, true, false]]);
}

#[test]
fn assumptions_about_what_grounding_knows() {
    let mut control = control("a. { b }. :- b, c. { c }.");
    control.ground().unwrap();
    let [a, b, c, never] = ["a", "b", "c", "never"].map(|name| control.parse_term(name).unwrap());
    // (assumptions, answer sets, core)
    for (assumed, models, core) in [
        (vec![(a, true), (never, false)], 3, vec![]),
        (vec![(a, false), (b, true)], 0, vec![(a, false)]),
        (vec![(b, true), (never, true)], 0, vec![(never, true)]),
        (vec![(b, true), (c, true)], 0, vec![(b, true), (c, true)]),
        (vec![(b, true), (c, false)], 1, vec![]),
    ] {
        let mut call = control.answers();
        for (atom, holds) in &assumed {
            call = call.assume(*atom, *holds);
        }
        let mut answers = call.start().unwrap();
        let mut found = 0;
        while answers.next().unwrap().is_some() {
            found += 1;
        }
        let said: Vec<_> = answers.core().iter().map(|a| (a.atom, a.holds)).collect();
        assert_eq!((found, said), (models, core), "{assumed:?}");
        assert!(answers.finish().exhausted);
    }
}

#[test]
fn atoms_of_a_predicate() {
    let mut control = control("p(1..2). { p(3) }. -p(4). q(X) :- p(X).");
    control.ground().unwrap();
    let atoms = |name| -> Vec<(String, bool)> {
        control.atoms(name, 1).iter().map(|a| (a.term().to_string(), a.is_fact())).collect()
    };
    let named = |name: &str, n: i64, fact| (format!("{name}({n})"), fact);
    assert_eq!(atoms("p"), [named("p", 1, true), named("p", 2, true), named("p", 3, false)]);
    assert_eq!(atoms("q"), [named("q", 1, true), named("q", 2, true), named("q", 3, false)]);
    assert!(atoms("r").is_empty());
}

#[test]
fn errors_tell_where_and_what() {
    let error = control("p(X) :- not q(X).").ground().unwrap_err();
    assert!(matches!(error, Error::Ground(_)), "{error:?}");
    assert_eq!(error.diagnostics().len(), 1);
    let text = error.to_string();
    assert!(text.contains("unsafe") && text.contains("p(X) :- not q(X).") && text.contains('^'), "{text}");

    let mut program = control("a.");
    let unknown = program.parse_term("nobody(1)").unwrap();
    let error = program.assign_external(unknown, true).unwrap_err();
    assert_eq!(error.to_string(), "nobody(1) is not an external atom of the ground program");
    let error = program.parse_term("1+").unwrap_err();
    assert_eq!(error.to_string(), "`1+` is not a ground term");

    let text = "#minimize { 9223372036854775807,X : p(X) }. { p(1..3) }.";
    let error = control(text).solve(0, |_| true).unwrap_err();
    assert!(matches!(error, Error::Overflow(_)), "{error:?}");
    assert!(!error.to_string().contains('{'), "no debug text: {error}");
}

#[test]
fn better_and_better_answers() {
    let mut control = control("{ p(1..3) }. :~ not p(X), X = 1..3. [X@2,X]  :~ p(2). [1@1]");
    let mut costs = Vec::new();
    let mut answers = control.answers().start().unwrap();
    while let Some(answer) = answers.next().unwrap() {
        costs.push(answer.costs().to_vec());
    }
    assert!(costs.windows(2).all(|pair| pair[1] < pair[0]), "{costs:?}");
    assert_eq!(costs.last(), Some(&vec![0, 1]));
}
