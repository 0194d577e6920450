//! What `why`, `why-not` and `why-unsat` say where it could be said worse: values that do not reach, steps of programs that grow,
//! aggregates, what always holds, and long chains.

use super::Place;

/// What is said of a program under a question.
fn told(program: &str, words: &[&str], code: i32) -> String {
    let place = Place::with(&[("p.lp", program)]);
    place.out(&[words, &["p.lp", "-Wnone"]].concat(), code)
}

fn why_not(program: &str, atom: &str) -> String {
    told(program, &["why-not", atom], 0)
}

/// A head that has other values is a rule, and it is told which values they are.
#[test]
fn values_that_do_not_reach() {
    let wanted = "\
pick(7) holds in no answer set.
not pick(7): no rule derives it
`- 7 is not in 1..5  [p.lp:1]
";
    assert_eq!(why_not("{ pick(1..5) } = 2.\n", "pick(7)"), wanted);
    let out = why_not("n(1..2). { k(X) : n(X) }. q(X) :- k(X), n(X+1).\n", "q(7)");
    assert!(out.contains("there is no n(7)") || out.contains("there is no n(8)"), "{out}");
    // An empty interval has the values of its ends.
    let out = why_not("d(1..2).\np(X) :- d(Y), X = 2..Y, Y = 1.\n", "p(1)");
    assert!(out.ends_with("`- with Y = 1: 2..1 has no values: 2 > 1  [p.lp:2]\n"), "{out}");
}

/// What a sum in a head is tells of its parts; of other heads it is told which they are.
#[test]
fn heads_that_calculate() {
    let shifts = "task(a;b). time(0..3). dur(a,2). dur(b,3).\n{ start(T,S) : time(S) } = 1 :- task(T).\n\
                  end(T,S+D) :- start(T,S), dur(T,D).\n";
    let wanted = "\
end(a,9) holds in no answer set.
not end(a,9): no rule derives it
`- with D = 2, S = 7: no rule derives start(a,7)  [p.lp:3]
   `- there is no time(7)  [p.lp:2]
";
    assert_eq!(why_not(shifts, "end(a,9)"), wanted);
    let walk = "at(0). step(2). cell(0..9).\nat(X+D) :- at(X), step(D), cell(X+D).\n";
    let out = why_not(walk, "at(9)");
    assert!(out.contains("`- with D = 2, X = 7: no rule derives at(7)  [p.lp:2]"), "{out}");
    assert!(out.contains("no rule derives at(-1): argument 1 of at is never below 0"), "{out}");
    let out = why_not("a(1..2). z(0..1). h(X/Y) :- a(X), z(Y).\n", "h(7)");
    for line in [
        "`- no instance of `h(X/Y) :- a(X), z(Y).` derives it  [p.lp:1]",
        "|- with X = 1, Y = 0: 1/0 is undefined\n",
        "|- with X = 1, Y = 1: the head is h(1)\n",
        "`- ... and others\n",
    ] {
        assert!(out.contains(line), "{out}");
    }
    let out = why_not("p(1..3). m(-X) :- p(X). t(3*X) :- p(X).\n", "m(4)");
    assert!(out.contains("there is no p(-4)"), "{out}");
    assert!(why_not("p(1..3). t(3*X) :- p(X).\n", "t(12)").contains("there is no p(4)"));
}

/// In a program that grows, parameters have the values of their steps.
#[test]
fn steps_have_values() {
    let plan = "#include <incmode>.\n#program base.\nat(0,a). edge(a,b). edge(b,c).\n#program step(t).\n\
                { move(X,Y,t) : edge(X,Y) } 1.\nat(t,Y) :- at(t-1,X), move(X,Y,t).\n\
                at(t,X) :- at(t-1,X), not move(X,_,t).\n#program check(t).\n:- not at(t,c), query(t).\n";
    let out = why_not(plan, "at(1,c)");
    assert!(out.contains("|- with X = a: no rule derives move(a,c,1)  [p.lp:6]"), "{out}");
    assert!(out.contains("there is no edge(a,c)"), "{out}");
    let out = why_not(plan, "at(7,c)");
    assert!(out.contains("the head of this rule is at(t,Y), where t = 1 or t = 2  [p.lp:6]"), "{out}");
}

/// So have constraints that hold in any case, in the step that they are told of.
#[test]
fn constraints_of_steps_have_values() {
    let grows = "#include <incmode>.\n#program step(t).\n{ at(t) }.\nseen(t).\n";
    let check = "#program check(t).\n:- not at(t), query(t).\n";
    for (constraint, words) in [
        (":- seen(t).", "contradiction: seen(1) must not hold, but always does  [p.lp:5]"),
        (":- not bar(t).", "contradiction: no rule can derive bar(1)  [p.lp:5]"),
        (":- seen(t), not foo(t+1).", "contradiction: seen(1) and not foo(2) must not hold together"),
    ] {
        let out = told(&format!("{grows}{constraint}\n{check}"), &["why-unsat", "--steps=2"], 0);
        assert!(out.contains(words), "{out}");
    }
}

/// Aggregates and conditional literals that cannot hold are told with what they come to.
#[test]
fn aggregates_have_values() {
    let sums = "q(1..3). { r; s(1..3) }.\np :- #count { X : q(X) } >= 4, r.\nt :- r, #sum { X : s(X) } > 7.\n\
                u :- #sum+ { X-2,X : q(X), not s(X) } > 1.\nv(X) :- q(X), s(Y) : q(Y), Y < 3; w(Y) : q(Y), Y > 2.\n{ w(1) }.\n\
                y :- #sum { X : s(X) } > 4.\n:- s(3).\n";
    let of = |atom: &str| why_not(sums, atom);
    assert!(of("p").ends_with("`- #count { X : q(X) } >= 4 cannot hold: the count is 3  [p.lp:2]\n"));
    assert!(
        of("t")
            .ends_with("#sum { X : s(X) } > 7 cannot hold: in any case the sum is from 0 to 6  [p.lp:3]\n")
    );
    assert!(of("u").contains("cannot hold: in any case the sum is from 0 to 1  [p.lp:4]"), "{}", of("u"));
    // In an answer set it has one value.
    let out = why_not("{ s(1..3) } = 2.\ny :- #sum { X : s(X) } > 4.\n", "y");
    assert!(out.contains(" > 4 (the sum is "), "{out}");
    let all = "n(1..3). { on(X) : n(X), X < 3 }.\nall :- on(X) : n(X).\n";
    assert!(why_not(all, "all").contains("`- not (on(1), on(2) and not n(3)): by its meaning  [p.lp:2]"));
}

/// Inside of the least and the greatest value, it is told which values there are.
#[test]
fn values_of_aggregates() {
    let of = |program: &str, atom: &str, words: &str| {
        let out = why_not(program, atom);
        assert!(out.contains(words), "{atom}\n{out}");
    };
    let some = "{ s(1); s(3); s(8) }. t(N) :- N = #sum { X : s(X) }. m(N) :- N = #max { X : s(X) }.\n\
                l(N) :- N = #min { X : s(X) }. q(2..4). g :- #max { X : q(X) } > 4.\n";
    of(
        some,
        "t(10)",
        "10 = #sum { X : s(X) } cannot hold: in any case the sum is 0, 1, 3, 4, 8, 9, 11 or 12  [p.lp:1]",
    );
    of(some, "t(13)", "cannot hold: in any case the sum is from 0 to 12  [p.lp:1]");
    of(some, "m(5)", "cannot hold: in any case the maximum is #inf (if nothing counts), 1, 3 or 8  [p.lp:1]");
    of(some, "m(9)", "cannot hold: in any case the maximum is from #inf (if nothing counts) to 8  [p.lp:1]");
    of(some, "l(2)", "cannot hold: in any case the minimum is 1, 3, 8 or #sup (if nothing counts)  [p.lp:2]");
    of(some, "g", "cannot hold: the maximum is 4  [p.lp:2]");
    let tens = "{ s(10*(1..9)) }. t(N) :- N = #sum { X : s(X) }.\n";
    of(tens, "t(34)", "cannot hold: the sum is never between 30 and 40  [p.lp:1]");
    // In an answer set it has one value.
    of("{ s(1..3) } = 2.\ny :- #max { X : s(X) } < 3.\n", "y", " < 3 (the maximum is 3) does not hold");
}

/// Elements are told as literals, each once, also where facts decide them.
#[test]
fn elements_of_aggregates() {
    let negated = "d(1..2). { a(1) }. n(X) :- d(X), not a(X). h :- { n(Y) : d(Y) } 1.\n";
    assert!(why_not(negated, "h").contains("at most 1 of { n(1); n(2) }"), "{}", why_not(negated, "h"));
    let twice =
        "d(1..2). { a(1..2) }. h :- { not not a(Y) : d(Y); a(Y) : d(Y) } 1. :- not a(1). :- not a(2).\n";
    let out = why_not(twice, "h");
    assert!(out.contains("{ not not a(1); not not a(2); a(1); a(2) }"), "{out}");
    let rows = "w(1,2). w(1,3). w(1,4). { a(1) }. t(S) :- S = #sum { 5,X : a(X), w(X,W) }.\n";
    assert!(why_not(rows, "t(5)").contains("#sum { 5,1: a(1) } = 5"), "{}", why_not(rows, "t(5)"));
}

/// What facts decide by an aggregate is told, and nothing else.
#[test]
fn aggregates_of_facts() {
    let sum = "w(a,10). w(b,7). w(c,13). s(S) :- S = #sum { W,X : w(X,W) }. h :- s(S), S > 100.\n";
    let told = why_not(sum, "h");
    assert!(told.contains("with S = 30: 30 > 100 does not hold") && !told.contains("S = 7"), "{told}");
    let degrees =
        "e(1,2). e(1,3). n(1..3). d(N,D) :- n(N), D = #count { M : e(N,M) }. big(N) :- d(N,D), D > 5.\n";
    let told = why_not(degrees, "big(1)");
    assert!(told.contains("with D = 2: 2 > 5") && !told.contains("D = 1"), "{told}");
}

/// Nothing is announced where there is nothing to tell: the bodies of its rules contradict themselves.
#[test]
fn rules_that_never_apply() {
    let program = "{ q(1..3) }.\nh :- 1 { q(X) } 2, not 1 { q(X) } 2.\n";
    let wanted = "\
h holds in no answer set.
not h: its rule can never apply
`- h holds if 1 to 2 of { q(1); q(2); q(3) } and not 1 to 2 of { q(1); q(2); q(3) }  [p.lp:2]
";
    assert_eq!(why_not(program, "h"), wanted);
    let out = why_not(&format!("{program}h :- q(1), #count {{ X : q(X) }} < 1, 2 {{ q(X) }}.\n"), "h");
    assert!(
        out.contains("not h: none of its rules can ever apply\n|- ") && out.lines().count() == 4,
        "{out}"
    );
}

/// What is compared is told with its values, and terms have no needless parentheses.
#[test]
fn comparisons_name_what_they_compare() {
    let program = "p(1..2). k(1). { r }. #const n = 4.\ns(X,Y) :- p(X), p(Y), X+1 = Y-1.\n\
                   t(Y) :- p(Y), p(X), 2*(X+1)-(Y-1) > n+3*X.\nu(X) :- p(X), k(2*X+1), r.\nv(X) :- k(X), X > 1, r.\n\
                   h((X+1)*2-(3-X)) :- p(X), r.\n";
    let of = |atom: &str, words: &str| {
        let out = why_not(program, atom);
        assert!(out.contains(words), "{atom}\n{out}");
    };
    of("s(1,2)", "`- 2 = 1 does not hold: X+1 is 2 and Y-1 is 1  [p.lp:2]");
    of("t(2)", "with X = 1: 3 > 7 does not hold: 2*(X+1)-(Y-1) is 3 and n+3*X is 7  [p.lp:3]");
    of("v(1)", "1 > 1 does not hold: X is 1  [p.lp:5]");
    of("h(a)", "the head of this rule is h((X+1)*2-(3-X))  [p.lp:6]");
    let out = why_not("n(1..3). { r }. p(X) :- n(X), r, 2*X+1 = Y, k(2*Y+1). k(1).\n", "p(1)");
    assert!(out.contains("with Y = 3: there is no k(7)"), "{out}");
}

/// Equal lines are one, which says how many there are.
#[test]
fn equal_lines_are_counted() {
    let out = why_not("q(1..3). { k }.\nu :- q(X), k, { z(X) } 1.\n{ z(1..3) }.\n", "u");
    assert!(out.contains("k does not hold (3 instances)  [p.lp:2]"), "{out}");
    let out = why_not("q(1..3). { k }.\nu :- q(X), k, z(X).\n{ z(1..3) }.\n", "u");
    assert!(out.contains("k and z(3) do not hold") && !out.contains("instances"), "{out}");
    // What differs only where `_` stands is one instance.
    let many = "q(1,1..100). n(1..3).\np(Z) :- q(Y,_), n(Z), Y > 1.\n";
    assert!(why_not(many, "p(1)").ends_with("it\n`- with Y = 1: 1 > 1 does not hold  [p.lp:2]\n"));
}

/// What facts rule out is no element.
#[test]
fn elements_that_facts_rule_out() {
    let program = "d(1..3). p(1). { c(X) : d(X) }.\nx :- #count { X : c(X), not p(X) } >= 2.\n:- not x.\n";
    let out = told(program, &["why", "c(2)"], 0);
    assert!(out.contains("#count { 2: c(2); 3: c(3) } >= 2"), "{out}");
}

/// What always holds is told by its rule, and not by itself.
#[test]
fn what_always_holds_has_a_reason() {
    let program = "c :- not d.\nd :- not e.\n";
    let out = told(program, &["why", "d"], 0);
    assert!(out.ends_with("d: d holds if not e; no rule can derive e  [p.lp:2]\n"), "{out}");
    let out = told("d :- not e.\n:- d.\n", &["why-unsat"], 0);
    for line in [
        "error: no answer set, because of this and the rules below\n",
        "contradiction: d must not hold, but always does  [p.lp:2]\n",
        "By these rules, too:\nd :- not e.  [p.lp:1]\n",
    ] {
        assert!(out.contains(line), "{out}");
    }
    let out = told("p(1..3). cap(2).\n{ q(X) : p(X) } N :- cap(N).\nq(X) :- p(X).\n", &["why-unsat"], 0);
    assert!(out.contains("then at most 2 may hold of q(1), q(2), q(3)"), "{out}");
    assert!(out.contains("|- q(1): by this rule, whatever is chosen  [p.lp:3]"), "{out}");
}

/// A fact is not blamed alone where a rule contradicts it.
#[test]
fn facts_are_blamed_with_the_rules() {
    let out = told("p(1).\na :- p(X), not a.\n", &["why-unsat"], 0);
    assert!(
        out.starts_with("error: no answer set: this fact and the rules contradict each other\n"),
        "{out}"
    );
    assert!(out.contains("2 | a :- p(X), not a.\n  | ----------------- this rule\n"), "{out}");
    let out = told("p(1). q(1).\n-p(X) :- q(X).\n", &["why-unsat"], 0);
    assert!(out.contains("these 2 facts and the rules") && out.contains("- this rule\n"), "{out}");
}

/// Long chains are told whole where all is wanted, and it is said where more is to be had.
#[test]
fn long_chains() {
    let chain = "d(0..90). a(0). a(X+1) :- a(X), e(X). { e(X) : d(X), X != 0 }.\n";
    let out = why_not(chain, "a(70)");
    assert!(out.contains("... 25 more such steps") && out.ends_with("(`--full` shows more)\n"), "{out}");
    let out = told(chain, &["why-not", "a(70)", "--full"], 0);
    assert!(out.contains("no rule derives a(20): told below  [p.lp:1]"), "{out}");
    assert!(out.contains("\n`- no rule derives a(20)\n") && out.contains("0 != 0 does not hold"), "{out}");
    assert!(!out.contains("...") && !out.contains("--full"), "{out}");
}

/// What is too deep in the tree stands at its end.
#[test]
fn deep_derivations() {
    let chain = "d(0..200). a(0). a(X+1) :- a(X), d(X), not b(X). { b(X) : d(X) }.\n";
    for rest in ["", ":- b(X), X < 150.\n"] {
        let program = format!("{chain}{rest}");
        let out = told(&program, &["why", "a(140)"], 0);
        assert!(
            out.contains("`- told below:\n   `- ... and ") && out.ends_with("`--full` shows them)\n"),
            "{out}"
        );
        let out = told(&program, &["why", "a(140)", "--full"], 0);
        assert!(
            !out.contains("...") && out.contains("a(0): fact") && out.contains(": told below\n"),
            "{out}"
        );
        for n in 0..140 {
            assert!(out.contains(&format!("- a({n})")), "{n}\n{out}");
        }
    }
}

/// Atoms with variables are answered with what can be asked.
#[test]
fn questions_with_variables() {
    let colours = "node(1..2). col(r;g). { colour(N,C) : col(C) } = 1 :- node(N).\n";
    let place = Place::with(&[("p.lp", colours)]);
    let said = |atom: &str| {
        let output = place.run(&["why-not", atom, "p.lp"]);
        assert_eq!(output.status.code(), Some(65));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    for atom in ["colour(1,X)", "colour(1,_)"] {
        assert!(said(atom).contains("ask about one of its instances, such as colour(1,g), colour(1,r)"));
    }
    assert!(said("colour(9,X)").contains("no rule derives an instance of it"));
}
