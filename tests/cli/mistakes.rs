//! Ordinary mistakes in programs that can be read: what `asp` says of them unasked, and what only `asp check` says.

use crate::support::spawn::{Run, run};

/// What `asp` and `asp check` say on standard error.
fn told(program: &str) -> [Run; 2] {
    [run(["-", "0"], program), run(["check", "-"], program)]
}

/// A mistake is told by its code and in these words, unless the code is switched off, and the answers stay.
#[track_caller]
fn loud(program: &str, code: &str, words: &str) {
    for run in told(program) {
        assert!(run.stderr.contains(&format!("[{code}]")), "{program}\n{}", run.stderr);
        assert!(run.stderr.contains(words), "{program}\n{}", run.stderr);
    }
    let off = run(["-", "0", &format!("-Wno-{code}")], program);
    assert!(!off.stderr.contains(words) && off.stdout.contains("Models"), "{program}\n{}", off.stderr);
}

/// `asp` is silent about it, and `asp check` tells.
#[track_caller]
fn quiet(program: &str, code: &str, words: &str) {
    let [run, check] = told(program);
    assert_eq!(run.stderr, "", "{program}");
    assert!(check.stderr.contains(&format!("[{code}]")), "{program}\n{}", check.stderr);
    assert!(check.stderr.contains(words), "{program}\n{}", check.stderr);
}

/// Nothing is said.
#[track_caller]
fn right(program: &str) {
    let [run, check] = told(program);
    assert_eq!(
        (run.stderr.as_str(), check.stderr.as_str()),
        ("", "0 errors, 0 warnings, 0 notes\n"),
        "{program}"
    );
}

#[test]
fn ends_of_statements() {
    let missing = "perhaps a `.` is missing here";
    loud("q(1..3)\n:- q(3).", "missing-period", missing);
    loud("q(1..3)\n{ p(X) : q(X) } = 1.", "missing-period", missing);
    loud("{ a(X) : b(X) }\n:- a(X), c(X).\nb(1). c(1).", "missing-period", missing);
    loud("b(1..2). c(2). a(X) :- b(X), X < 3\n-c(1).\n-c(1).", "missing-period", missing);
    right("edge(1,2).\npath(X,Y)\n:- edge(X,Y).\ngoal\n:- path(1,2).\n#show goal/0.");
    right("b(1).\n{ a(X) : b(X) }\n  :- b(1).");
    loud("cell(R,C) : R=1..3, C=1..3.", "head-condition", "perhaps `:-` is meant here");
    right("q(1). p(X) : q(X) :- q(1). r(X) : q(X) ; s.");
}

#[test]
fn terms_for_values() {
    let program = |rest: &str| format!("job(a;b). {{ start(J,0..3) }} = 1 :- job(J). {rest}");
    for (rest, words) in [
        (":- start(a) < start(b).", "did you mean `$start(a) < $start(b)`?"),
        (":- start(a) != start(b).", "terms are compared by their names and arguments"),
        (":- start(a)+3 <= start(b).", "terms cannot be computed with"),
        (":- start(J) > 3, job(J).", "each number is less than any such term"),
        (":- start(J) = 3, job(J).", "a number is never equal to such a term"),
        (":- job(J), not 2 < start(J).", "did you mean `2 < $start(J)`?"),
        ("{ v(R,C) = 1..9 } :- R = 1, C = 2.", "did you mean `v(R,C,1..9)`? a choice is made of atoms"),
    ] {
        loud(&program(rest), "term-compared", words);
    }
    right(&program("at(T,A) :- start(J,T), A = start(J)."));
    right(&program(":- $start(a) < $start(b). #const total = 3. total(total). :- total > 4."));
}

#[test]
fn heads_without_readers() {
    let words = "nothing reads or shows `lonley/1`";
    quiet("q(1..3). lonley(X) :- q(X). #show q/1.", "unused-head", words);
    let program = "q(1..3). lonely(1). r :- lonely(1). lonley(X) :- q(X). #show q/1. #show r/0.";
    loud(program, "misspelt-head", "did you mean `lonely/1`?");
    loud("valu(3). value(2). big :- value(X), X > 2.", "misspelt-head", "did you mean `value/1`?");
    right("p(1..3). q(X) :- p(X). render_color(X,red) :- q(X). #show q/1.");
    right("edge(1,2). moved(1,2). move(X,Y) :- edge(X,Y). :- move(1,3). p1(1). p2(2). a :- p2(2).");
    right("reach(1). reached(X) :- reach(X).");
}

#[test]
fn atoms_that_never_hold() {
    loud(
        "c :- d. d :- c. a.",
        "unsupported",
        "`c/0`, `d/0` never hold: each rule for them needs one of them first",
    );
    loud("p(X) :- p(X). #show p/1.", "unsupported", "`p/1` never holds");
    right("e(1,2). p(1). p(Y) :- p(X), e(X,Y).");
    right("#external c. c :- d. d :- c.");
    right("a :- not b. b :- not a. c :- a, c2. c2 :- b. { d } :- a. #show c/0. #show d/0.");
    right(
        "#include <incmode>.\n#program base. at(0).\n#program step(t). at(t) :- at(t-1).\n#program check(t). :- query(t), not at(2).",
    );
}

#[test]
fn bounds_and_intervals() {
    loud("3 { a; b }.", "bounds-unmet", "at least 3 of 2 atoms never hold");
    loud("{ q(1..8) } = 9.", "bounds-unmet", "at least 9 of 8 atoms never hold");
    loud("{ a; b; c }. :- 3 { a; b } 2.", "bounds-unmet", "no number is at least 3 and at most 2");
    loud("p(5..1).", "empty-interval", "did you mean `1..5`?");
    right("#const n = 0. p(1..n). d(1). 3 { a(X) : d(X); b; c; e(1;2) }.");
    right("2 { a; b }. { q(1..8,1..8) } = 64.");
}
