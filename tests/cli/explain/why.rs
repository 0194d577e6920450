//! `why` and `why-not`: reasons of atoms, told by rules and facts where they stand.

use super::Place;
use crate::support::spawn::run_in;

#[test]
fn why_an_atom_holds() {
    let program = "edge(1,2). edge(2,3). {go(X,Y) : edge(X,Y)}. reached(1). reached(Y) :- reached(X), go(X,Y).\n\
                   :- not reached(3).\n";
    let place = Place::with(&[("p.lp", program), ("q.lp", "{a;b}. c :- a, not b. c :- b.\n")]);
    let why = place.json(&["why", "go(1,2)", "p.lp"], 0);
    assert_eq!(why["holds"], "always");
    let out = place.out(&["why", "reached(3)", "p.lp"], 0);
    assert!(out.contains("reached(3) holds in every answer set.") && out.contains("[p.lp:2]"), "{out}");
    let out = place.out(&["why", "c", "q.lp"], 0);
    assert!(out.contains("in some answer sets") && out.contains("chosen"), "{out}");
    let out = place.out(&["why-not", "c", "q.lp"], 0);
    assert!(out.contains("none of these derives it"), "{out}");
    place.out(&["why", "reached(9)", "p.lp"], 1);
    let out = place.out(&["why", "reachd(3)", "p.lp"], 3);
    assert!(out.contains("did you mean reached/1?"), "{out}");
    let out = place.out(&["why", "edge(1,2)", "p.lp"], 0);
    assert!(out.contains("edge(1,2): fact  [p.lp:1]"), "{out}");
}

#[test]
fn why_in_the_answer_set_that_is_given() {
    let program =
        "{ by(train); by(car) }.\nat(work) :- by(train).\nat(work) :- by(car).\n#show at/1. #show by/1.\n";
    let car =
        "asp 0.1\nReading from p.lp\nSolving...\nAnswer: 1\n\nAnswer: 2\nat(work) by(car)\nSATISFIABLE\n";
    let place = Place::with(&[
        ("p.lp", program),
        ("car.txt", car),
        ("train.lp", "at(work). by( train )."),
        ("none.txt", "at(work)"),
        ("bus.txt", "at(work) by(bus)"),
        ("at-home.txt", "Answer: 1\n\n"),
        ("wrong.txt", "at(work) by(X)"),
    ]);
    let out = place.out(&["why", "at(work)", "p.lp", "--in", "car.txt"], 0);
    assert!(
        out.contains("in the one that is given") && out.contains("`- by(car): chosen  [p.lp:1]"),
        "{out}"
    );
    let out = place.out(&["why", "--in=train.lp", "at(work)", "p.lp"], 0);
    assert!(out.contains("by(train): chosen") && !out.contains("car"), "{out}");
    assert_eq!(place.json(&["why", "at(work)", "p.lp", "--in", "car.txt"], 0)["here"], true);
    let out = place.out(&["why", "at(work)", "p.lp", "--in", "at-home.txt"], 1);
    assert!(out.contains("not in the one that is given") && out.contains("by(car) does not hold"), "{out}");
    let out = place.out(&["why-not", "at(work)", "p.lp", "--in", "at-home.txt"], 0);
    assert!(out.contains("none of these derives it"), "{out}");
    place.out(&["why-not", "at(work)", "p.lp", "--in", "car.txt"], 1);
    let out = place.out(&["why", "at(work)", "p.lp", "--in", "none.txt"], 20);
    assert_eq!(out, "No answer set shows exactly what is given.\n");
    let told = place.json(&["why", "at(work)", "p.lp", "--in", "bus.txt"], 20);
    assert_eq!(told["given"], "No answer set shows exactly what is given: no answer set shows by(bus).");
    place.out(&["why", "at(work)", "p.lp", "--in", "wrong.txt"], 65);
    place.out(&["why", "at(work)", "p.lp", "--in", "missing.txt"], 65);
}

#[test]
fn why_of_what_is_counted_shown_negated_or_external() {
    let program = "item(a). item(b). w(a,2). w(b,3). {q}.\n\
                   n(N) :- N = #count { X : item(X) }. s(S) :- S = #sum { W,X : w(X,W) }. r :- n(2), q.\n\
                   p(1..3). #show f(X) : p(X), X > 1. {x}. #show -g(X) : p(X), x.\n\
                   -c :- q. #external e. #external t. [true] d :- t.\n";
    let place = Place::with(&[("p.lp", program)]);
    let tree = |atom: &str, code: i32| place.out(&["why", atom, "p.lp"], code);
    // Through the aggregate, down to the facts.
    for atom in ["n(2)", "r"] {
        let out = tree(atom, 0);
        assert!(out.contains("item(a): fact  [p.lp:1]") && out.contains("item(b): fact"), "{out}");
    }
    assert!(tree("s(5)", 0).contains("w(b,3): fact  [p.lp:1]"));
    // Terms that are shown; not shown at all, misspelt.
    let out = tree("f(2)", 0);
    assert!(out.contains("f(2) holds in every answer set") && out.contains("p(2): fact  [p.lp:3]"), "{out}");
    assert!(tree("f(1)", 1).contains("no rule derives it\n`- 1 > 1 does not hold: X is 1  [p.lp:3]"));
    assert!(tree("-g(1)", 0).contains("x: chosen  [p.lp:3]"));
    assert!(place.out(&["why-not", "-g(1)", "p.lp"], 0).contains("x does not hold"));
    assert!(tree("f(2,3)", 3).contains("did you mean f/1?"));
    // Classical negation is part of the name.
    assert!(place.out(&["why", "--", "-c", "p.lp"], 0).contains("q: chosen"));
    assert!(tree("c", 3).contains("did you mean -c/0?"));
    // Externals.
    assert!(tree("d", 0).contains("t: given"));
    assert!(place.out(&["why-not", "e", "p.lp"], 0).contains("not e: given"));
}

#[test]
fn why_of_numbers_tuples_and_values_that_are_shown() {
    let program = "p(1..2). {q(a)}. r(X) :- p(X).\n#show 3*X : r(X). #show (X,a) : p(X), q(a). #show X : q(X). #show \"s\".\n";
    let place = Place::with(&[("p.lp", program)]);
    let tree = |what: &str, code: i32| place.out(&["why", what, "p.lp"], code);
    let out = tree("6", 0);
    assert!(out.contains("6 holds in every") && out.contains("r(2) holds if p(2)  [p.lp:1]"), "{out}");
    assert!(tree("(2,a)", 0).contains("q(a): chosen  [p.lp:1]"));
    assert!(tree("a", 0).contains("a: by this rule  [p.lp:2]"));
    tree("\"s\"", 0);
    let out = tree("7", 1);
    assert!(out.contains("no rule derives it") && !out.contains("|- \n"), "{out}");
    assert!(place.out(&["why-not", "a", "p.lp"], 0).contains("q(a) does not hold"));
    // Renderer about atoms stay as they are.
    assert!(tree("rr(1)", 3).contains("did you mean r/1?"));
    let place = Place::with(&[("p.lp", "a.\n")]);
    assert!(place.out(&["why", "7", "p.lp"], 3).contains("no statement shows such a term"));
}

#[test]
fn why_of_disjunctions_whose_atoms_rest_on_each_other() {
    let place = Place::with(&[("p.lp", "{x}. a | b :- x. a :- b. b :- a. c :- a.\n")]);
    let out = place.out(&["why", "c", "p.lp"], 0);
    assert!(out.contains("a: by this rule, with others of its head") && out.contains("x: chosen"), "{out}");
    assert!(!out.contains("outside"), "{out}");
}

#[test]
fn facts_of_tables_and_grids_are_told_where_they_stand() {
    let place = Place::with(&[
        ("p.lp", "a :- given(1,2,X), t(X,_), u(X,_).\n"),
        ("bad.lp", ":- given(R,C,V), t(V,W), u(V,W).\n"),
        ("g.txt", "% mine\n. 2\n. .\n"),
        ("t.csv", "k,v\n1,x\n\n2,y z\n"),
        ("u.json", "[{\"k\": 1, \"v\": \"z\"},\n {\"k\": 2, \"v\": \"y z\"}]\n"),
    ]);
    let data = ["--grid", "g.txt", "--csv", "t=t.csv", "--json", "u=u.json"];
    let why = place.out(&[&["why", "a", "p.lp"], &data[..]].concat(), 0);
    for line in [
        "given(1,2,2): fact  [g.txt:2:3]",
        "t(2,\"y z\"): fact  [t.csv:4]",
        "u(2,\"y z\"): fact  [u.json:2:2]",
    ] {
        assert!(why.contains(line), "{why}");
    }
    let conflict = place.out(&[&["why-unsat", "bad.lp"], &data[..]].concat(), 0);
    for lines in [
        " --> g.txt:2:3\n  |\n2 | . 2\n  |   ^ this fact (given(1,2,2))\n",
        " ::: t.csv:4:1\n  |\n4 | 2,y z\n  | ----- this fact (t(2,\"y z\"))\n",
        " ::: u.json:2:2\n  |\n2 |  {\"k\": 2, \"v\": \"y z\"}]\n  |  -------------------- this fact (u(2,\"y z\"))\n",
    ] {
        assert!(conflict.contains(lines), "{conflict}");
    }
    let conflict = place.json(&[&["why-unsat", "bad.lp"], &data[..]].concat(), 0).to_string();
    assert!(conflict.contains(r#"{"file":"u.json","line":2,"column":2,"text":"{\"k\": 2"#), "{conflict}");
    assert!(!(why + &conflict).contains("(facts)"));
    // A file may be read twice, as two predicates.
    let twice = ["why", "b", "b.lp", "--csv", "t=t.csv", "--csv", "s=t.csv"];
    let place = Place::with(&[("b.lp", "b :- t(1,X), s(2,_).\n"), ("t.csv", "k,v\n1,x\n2,y\n")]);
    let why = place.out(&twice, 0);
    assert!(why.contains("[t.csv:2]") && why.contains("[t.csv:3]"), "{why}");
}

#[test]
fn lints_of_facts_are_told_where_the_facts_stand() {
    let place = Place::with(&[("p.lp", "q(X) :- t(X,_).\n"), ("t.csv", "k,v\n1,x\n2,y z\n")]);
    let output = place.run(&["lint", "p.lp", "--csv", "t=t.csv"]);
    let lint = String::from_utf8_lossy(&output.stderr).into_owned();
    for lines in [
        " --> t.csv:2:1\n  |\n2 | 1,x\n  | ^^^ `x` is a name\n",
        "3 | 2,y z\n  | ----- `\"y z\"` is a string\n",
    ] {
        assert!(lint.contains(lines), "{lint}");
    }
}

#[test]
fn explanations_write_sums_as_the_program_does() {
    let program = "#sum+ { 1,X : p(X) : X = 1..3 } 2. :- not p(1). :- not p(2). :- not p(3).\n";
    let place = Place::with(&[("p.lp", program)]);
    let out = place.out(&["why-unsat", "p.lp"], 0);
    assert!(out.contains("#sum+ { 1,1: p(1)") && !out.contains("#sum {"), "{out}");
}

#[test]
fn why_not_says_a_line_once() {
    let place = Place::with(&[("p.lp", "p(1..3,1..3). q(X) :- p(X,Y), r. {r}.\n")]);
    let out = place.out(&["why-not", "q(1)", "p.lp"], 0);
    assert_eq!(out.matches("r does not hold").count(), 1, "{out}");
}

/// Many instances of a statement are one part, with a few of them as examples.
#[test]
fn instances_of_a_statement_are_told_once() {
    let program = "job(a,3;b,2;c,4). { start(J,0..9) } = 1 :- job(J,_).\n#disjoint { $start(J)@D : job(J,D) }.\n\
                   { end(0..12) } = 1. $start(J)+D <= $end :- job(J,D).\n";
    let place = Place::with(&[("jobs.lp", program)]);
    let out = place.out(&["why-not", "end(8)", "jobs.lp"], 0);
    assert!(out.contains(" instances of `#disjoint { $start(J)@D : job(J,D) }.`  [jobs.lp:2]"), "{out}");
    assert!(out.contains("and end(8) must not hold together") && out.contains("`- ... and "), "{out}");
    assert!(out.lines().count() < 25, "{out}");
}

#[test]
fn why_not_goes_by_the_rules_that_forbid() {
    let place = Place::with(&[("p.lp", "node(1..3). {on(X) : node(X)}. :- on(1). b :- c. c :- b.\n")]);
    let out = place.out(&["why-not", "on(1)", "p.lp"], 0);
    assert!(
        out.contains("holds in no answer set") && out.contains("not on(1): must not hold  [p.lp:1]"),
        "{out}"
    );
    place.out(&["why-not", "node(1)", "p.lp"], 1);
    let page = place.0.path().join("why.html");
    place.out(&["why-not", "--html", "why.html", "on(1)", "p.lp"], 0);
    assert!(std::fs::read_to_string(page).expect("a page").contains("<title>Why not on(1)?</title>"));
    let out = place.out(&["why", "on(1)", "p.lp"], 1);
    assert!(out.contains("must not hold"), "{out}");
}

/// A term may be computed, as in the program.
#[test]
fn atoms_with_computed_terms() {
    let place = Place::with(&[("p.lp", "dom(-x). { q(-X) } :- dom(X).\n")]);
    assert!(place.out(&["why", "dom(-x)", "p.lp"], 0).starts_with("dom(-x) holds in every answer set."));
    assert!(place.out(&["why", "q(x)", "p.lp"], 0).starts_with("q(x) holds in some answer sets"));
    place.out(&["why", "q(1..2)", "p.lp"], 65);
}

/// Whatever became of the rules for an atom: without an answer set nothing is told of it.
#[test]
fn nothing_is_told_without_an_answer_set() {
    let place = Place::with(&[("p.lp", "{ e }. :- e. :- not e. c :- d. f. g :- not h. i :- not g.\n")]);
    for atom in ["c", "d", "e", "f", "g", "h", "i", "nobody(1)"] {
        for question in ["why", "why-not"] {
            assert_eq!(place.json(&[question, atom, "p.lp"], 20)["holds"], "no answer set", "{atom}");
        }
    }
}

/// An explanation names every rule that it needs.
#[test]
fn rules_that_are_needed_are_named() {
    for (program, question, atom, wanted) in [
        ("{p}. q :- p. #edge (2,1) : p. #edge (1,2) : q.", "why-not", "p", "`- q :- p.  [p.lp:1]"),
        ("d :- not p.\n0 { d; c } 1.", "why-not", "c", "`- d :- not p.  [p.lp:1]"),
        ("{c}. :- c, d.\nd :- not e.", "why-not", "c", "`- d :- not e.  [p.lp:2]"),
        (
            "c :- not d.\nd :- not e.",
            "why-not",
            "c",
            "`- d: d holds if not e; no rule can derive e  [p.lp:2]",
        ),
        ("{ b } :- p.\n{ p; p } = 2 :- not x. {x}.", "why-not", "b", "[p.lp:2]"),
        (
            "{ -a; q(-3); p(-3) }. d :- q(-3); -a. q(f(1)).\n-a | d :- #sum { -3,1 : not not d } >= -1.",
            "why",
            "-a",
            "`- -a or d holds if #sum { -3,1: d } >= -1  [p.lp:2]",
        ),
    ] {
        let place = Place::with(&[("p.lp", program)]);
        let out = place.out(&[question, "-q", "--", atom, "p.lp"], 0);
        assert!(out.contains(wanted), "{program}\n{out}");
    }
}

#[test]
fn data_that_is_not_found_is_not_asked_about() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("p.lp"), "c(1).").unwrap();
    for command in [["why", "c(1)"], ["why-not", "c(2)"], ["hint", "--quiet"], ["why-unsat", "--quiet"]] {
        let run = run_in(dir.path(), [&command[..], &["p.lp", "--grid=nosuch"]].concat(), "");
        assert_eq!(run.code, Some(65), "{command:?}: {}{}", run.stdout, run.stderr);
        assert_eq!(run.stdout, "", "{command:?}");
    }
}

#[test]
fn options_are_not_taken_for_atoms() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("p.lp"), "-a. b.").unwrap();
    for (command, tip) in [
        ("why --modles a p.lp", "tip"),
        ("why-not --ful a p.lp", "'--full'"),
        ("why --ful -a p.lp", "'--full'"),
    ] {
        let run = run_in(dir.path(), command.split(' '), "");
        assert_eq!(run.code, Some(64), "{command}: {}{}", run.stdout, run.stderr);
        assert!(run.stderr.contains("unexpected argument") && run.stderr.contains(tip), "{}", run.stderr);
    }
    let run = run_in(dir.path(), ["why", "-a", "p.lp"], "");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

/// With `--optimal`, the answer sets of least cost are meant, and what they cost is a reason.
#[test]
fn why_in_the_optimal_answer_sets() {
    let program = "{ take(X) : item(X,_,_) }.\nitem(a,3,4). item(b,4,5). item(c,2,3).\n\
                   :- #sum { W,X : take(X), item(X,W,_) } > 6.\n#maximize { V,X : take(X), item(X,_,V) }.\n#show take/1.\n";
    let levels = "1 { a; b; c } 2.\n:~ a. [2@2]\n:~ b. [1@2]\n:~ c. [1@2]\n:~ c. [3@1]\n:~ b. [1@1]\n";
    let place = Place::with(&[
        ("p.lp", program),
        ("l.lp", levels),
        ("n.lp", "{ a }.\n"),
        ("u.lp", "{ a }. :- a. :- not a. :~ a. [1]\n"),
    ]);
    assert!(place.out(&["why", "take(b)", "p.lp"], 0).starts_with("take(b) holds in some answer sets"));
    let out = place.out(&["why", "take(b)", "--optimal", "p.lp"], 0);
    assert!(out.starts_with("take(b) holds in every optimal answer set."), "{out}");
    assert!(out.contains("an optimal answer set costs -8"), "{out}");
    let out = place.out(&["why-not", "take(a)", "--optimal", "p.lp"], 0);
    assert!(out.starts_with("take(a) holds in no optimal answer set.") && out.contains("[p.lp:3]"), "{out}");
    let out = place.out(&["why-not", "take(b)", "--optimal", "p.lp"], 1);
    assert!(out.starts_with("take(b) holds in every optimal answer set."), "{out}");
    let out = place.out(&["why-not", "c", "--optimal", "l.lp"], 0);
    assert!(out.contains("an optimal answer set costs 1 at priority 2, 1 at priority 1"), "{out}");
    let run = run_in(place.0.path(), ["why", "a", "--optimal", "n.lp"], "");
    assert!(run.code == Some(0) && run.stderr.contains("--optimal plays no role"), "{}", run.stderr);
    place.out(&["why", "a", "--optimal", "u.lp"], 20);
    // Hints and candidates know them, too.
    assert!(place.out(&["hint", "p.lp"], 1).starts_with("3 atoms are open"));
    assert_eq!(place.out(&["candidates", "p.lp"], 0).split_whitespace().count(), 4);
    assert!(place.out(&["hint", "--optimal", "p.lp"], 0).contains("\ntake(b)"));
    for inference in [&[][..], &["--by-inference"]] {
        let arguments = [&["candidates", "--optimal", "p.lp"], inference].concat();
        assert_eq!(place.out(&arguments, 0).trim_end(), "possible: take(b) take(c)", "{inference:?}");
    }
}

/// Negated literals that grounding leaves out are said of the instance: a variable that is not known there stays as written.
#[test]
fn literals_that_grounding_leaves_out() {
    let told = |program: &str| {
        let place = Place::with(&[("p.lp", program)]);
        place.out(&["why-unsat", "p.lp"], 0)
    };
    let round = told("t(a;b). r(1..2). { p(T,R) : r(R) } = 1 :- t(T). :- t(T), r(R), not p(R,T).");
    assert!(round.contains("t(a) and not p(R,a) must not hold together"), "{round}");
    let constant = told("#const h = 3. o(x). at(T) :- s(T), go. s(0..1). { go }. :- o(X), not at(h).");
    let wanted = "o(x) and not at(3) must not hold together; no rule can derive at(3)";
    assert!(constant.contains(wanted), "{constant}");
    let two = "{p(1,2); p(2,3)}. {q(1)}. e(2). :- p(A,B), p(C,D), e(C), A<C, not q(C). :- not p(1,2). :- not p(2,3).";
    let out = told(two);
    assert!(out.contains("not q(") && !out.contains("not q(1)"), "{out}");
    let out = told("p(1) :- not z. {p(2)}. {q(2)}. :- p(X), p(Y), not q(X), X<Y. :- not p(2). :- not q(2).");
    assert!(!out.contains("and not q(2)"), "{out}");
    let out =
        told("{p(1..3)}. {q(3)}. h :- p(A), p(B), B=1, A>B+1, not q(B). :- not p(1). :- not p(3). :- h.");
    assert!(!out.contains("not q(3)"), "{out}");
    let out = told(
        "#const c=foo. {p(foo,1)}. {q(foo)}. :- p(c,X), not q(c), not q(X). :- not p(foo,1). :- q(foo).",
    );
    assert_eq!(out.matches("not q(c)").count(), 1, "only where the constraint is quoted: {out}");
    let own = "{p(1)}. g(1). {c(1,1)}. :- p(A), p(B), g(A), not c(A,B), not c(B,5). :- not p(1). :- c(1,1).";
    assert!(told(own).contains("not c(1,5)"));
}

/// What could be chosen is held against the other choices of the answer set.
#[test]
fn what_denies_a_choice() {
    let program = "g(a;b). t(1..2). { s(G,T) : t(T) } = 1 :- g(G).\n:- s(a,T), s(b,T).\n:- s(a,2).\n{ z }.\n#show s/2. #show z/0.\n";
    let place = Place::with(&[("p.lp", program), ("in.txt", "s(a,1) s(b,2)")]);
    let out = place.out(&["why-not", "s(b,1)", "p.lp", "--in", "in.txt"], 0);
    assert!(out.starts_with("s(b,1) holds in no answer set."), "{out}");
    let open = program.replace(":- s(a,2).", "");
    let place = Place::with(&[("p.lp", &open), ("in.txt", "s(a,1) s(b,2)")]);
    let out = place.out(&["why-not", "s(b,1)", "p.lp", "--in", "in.txt"], 0);
    assert!(
        out.contains("it could be chosen here, but with the other choices as they are, these deny it"),
        "{out}"
    );
    assert!(
        out.contains("s(a,1): as it is here") && out.contains("s(a,1) and s(b,1) must not hold together"),
        "{out}"
    );
    let out = place.out(&["why-not", "z", "p.lp", "--in", "in.txt"], 0);
    assert!(out.contains("it could be chosen here, but is not"), "{out}");
}

/// What an answer set shows may be a term that is no function.
#[test]
fn numbers_that_are_shown() {
    let place = Place::with(&[
        ("p.lp", "p. #external p. #show 7 : p. p :- p. q :- r.\n"),
        ("an.txt", "7 p\n"),
        ("e.lp", "b. {d} <= 0 :- b.\n"),
    ]);
    let out = place.out(&["why-not", "q", "p.lp", "--in", "an.txt"], 0);
    assert!(!out.contains("No answer set"), "{out}");
    // Without the fact there is no rule for `d`.
    let out = place.out(&["why-not", "d", "e.lp"], 0);
    assert!(out.contains("perhaps not all of them are needed"), "{out}");
}

/// Rules beside external atoms are named as elsewhere, but for those on which it depends what is external; the reply says which.
#[test]
fn rules_beside_external_atoms() {
    let place = Place::with(&[
        ("beside.lp", "f :- not a.\nh :- f, not k.\n{k}.\n:- k.\n#external g.\n{g}.\n"),
        ("below.lp", "b :- not a.\n#external e : not b. [true]\nh :- not e.\n"),
        ("unsat.lp", "f :- not a.\n:- f.\n{g}.\n#external g. [false]\n"),
    ]);
    let out = place.out(&["why", "h", "beside.lp", "-Wnone"], 0);
    assert!(out.starts_with("h holds in every answer set. 3 rules force that; none of them"), "{out}");
    assert!(out.contains("f :- not a.  [beside.lp:1]"), "{out}");
    let out = place.out(&["why-unsat", "unsat.lp", "-Wnone"], 0);
    assert!(out.contains("By these rules, too:\nf :- not a.  [unsat.lp:1]"), "{out}");
    // As a rule of its own, `b` would be open, and `e` external.
    let run = run_in(place.0.path(), ["why", "h", "below.lp", "-Wnone"], "");
    assert!(run.stdout.starts_with("h holds in every answer set."), "{}", run.stdout);
    let caveat =
        "rules of `b` stay as they are and are not named: they decide which rules external atoms have";
    assert!(run.stderr.contains(caveat), "{}", run.stderr);
    let json = place.out(&["why", "h", "below.lp", "--format=json", "-Wnone"], 0);
    assert!(json.contains(caveat), "{json}");
}

/// Rules that nobody wrote are not counted, and what derives atoms may be superfluous, too.
#[test]
fn rules_that_are_counted() {
    let told = |program: &str, words: &[&str]| {
        let place = Place::with(&[("p.lp", program)]);
        let words: Vec<&str> = words.iter().copied().chain(["p.lp", "-Wnone"]).collect();
        place.out(&words, 0)
    };
    assert!(told("{c}. :- c; not not c.", &["why-not", "c"]).contains("1 rule forces that"));
    for (program, atom) in
        [("{a}. b :- not b, not a. a :- b.", "a"), ("{b}. a :- not a. a :- b. b :- a.", "b")]
    {
        let out = told(program, &["why", atom]);
        assert!(out.contains("perhaps not all of them are needed"), "{out}");
    }
}

/// Where grounding leaves no rule for an atom: the literals that nothing matches, and so on below them.
#[test]
fn why_grounding_leaves_no_rule() {
    let told = |program: &str, atom: &str| {
        let place = Place::with(&[("p.lp", program)]);
        let out = place.run(&["why-not", atom, "p.lp", "-Wnone"]).stdout;
        String::from_utf8_lossy(&out).into_owned()
    };
    let reach = "edge(1,2). edge(2,3). edge(4,5). edge(5,6). reach(1).\nreach(Y) :- reach(X), edge(X,Y).\n";
    let wanted = "\
reach(6) holds in no answer set.
not reach(6): no rule derives it
`- with X = 5: no rule derives reach(5)  [p.lp:2]
   `- with X = 4: no rule derives reach(4)  [p.lp:2]
      `- there is no edge(X,4)  [p.lp:2]
";
    assert_eq!(told(reach, "reach(6)"), wanted);
    assert!(told(reach, "edge(7,7)").contains("not edge(7,7): no rule or fact has such a head"));
    // In a circle, through choices, arithmetic and constants.
    let out = told(&format!("{reach}edge(6,5).\n"), "reach(6)");
    assert!(out.contains("with X = 6: no rule derives reach(6): this goes in a circle"), "{out}");
    let plan = "#const h = 3. s(0..1). at(0). at(T+1) :- at(T), go(T).\n{ go(T) } :- s(T), T < h.\n";
    let out = told(plan, "at(4)");
    assert!(
        out.contains("no rule derives go(3)")
            && out.contains("3 < 3 does not hold: T is 3 and h is 3  [p.lp:2]"),
        "{out}"
    );
    let out = told("p(1..2). q(X,Y) :- p(X), p(Y), X < Y.\n", "q(2,1)");
    assert!(out.contains("`- 2 < 1 does not hold"), "{out}");
    let out = told("p(1..3). r(X*2) :- p(X), k(X). { k(7) }.\n", "r(4)");
    assert!(out.contains("no rule derives k(2)"), "{out}");
    let out = told("p(1..2,1..3). q(X) :- p(X,Y), r(Y).\n{ r(4..5) }.\n", "q(1)");
    assert!(out.contains("|- with Y = 4: there is no p(1,4)") && out.contains("`- with Y = 5:"), "{out}");
    // What is not looked into: the rule alone.
    let out = told("p(1). q(X) :- p(X), @f(X) = 3.\n", "q(1)");
    assert!(out.contains("no instance of `q(X) :- p(X), @f(X) = 3.` derives it"), "{out}");
    // It is told without an answer set, too.
    let place = Place::with(&[("p.lp", &format!("{reach}:- not reach(6).\n"))]);
    let out = place.out(&["why-not", "reach(6)", "p.lp"], 20);
    assert!(
        out.starts_with("No answer set: `asp why-unsat` explains that.\nGrounding alone tells this:\n"),
        "{out}"
    );
    assert!(out.contains("there is no edge(X,4)"), "{out}");
    let json = place.json(&["why-not", "reach(6)", "p.lp"], 20);
    assert_eq!(json["why"]["because"][0]["text"], "with X = 5: no rule derives reach(5)");
}

/// What `asp why-not` says of a program.
fn why_not(program: &str, words: &[&str]) -> String {
    let place = Place::with(&[("p.lp", program)]);
    place.out(&[&["why-not"], words, &["p.lp", "-Wnone"]].concat(), 0)
}

/// Recursion ends where a number leaves what there is, where it comes back to a goal, or where there is no atom at all.
#[test]
fn why_not_of_recursion_ends() {
    let two = "p(0).\np(N) :- q(N-1), N < 30.\nq(N) :- p(N-1), N < 30.\n";
    let wanted = "\
p(-3) holds in no answer set.
not p(-3): no rule derives it
`- no rule derives q(-4)  [p.lp:2]
   `- no rule derives p(-5): argument 1 of p is never below 0  [p.lp:3]
";
    assert_eq!(why_not(two, &["p(-3)"]), wanted);
    let out = why_not("p(0).\np(M) :- p(N), M = N+1, M < 6.\n", &["p(-4)"]);
    assert!(
        out.ends_with("with N = -5: no rule derives p(-5): argument 1 of p is never below 0  [p.lp:2]\n"),
        "{out}"
    );
    let none = "p(N) :- q(N-1), N < 9.\nq(N) :- p(N-1), N < 9.\n{ p }.\n";
    assert!(why_not(none, &["p(3)"]).contains("no rule derives p(1): no p/1 holds in any answer set"));
    // Other values are above all numbers.
    let out = why_not("p(a). p(1).\np(X) :- p(1-X).\n", &["p(-2)"]);
    assert!(
        out.contains("no rule derives p(3): argument 1 of p is never a number above 1  [p.lp:2]"),
        "{out}"
    );
    // Many like steps, unless all are wanted.
    let wanted = "\
p(19) holds in no answer set.
not p(19): no rule derives it
`- no rule derives q(18)  [p.lp:2]
   `- no rule derives p(17)  [p.lp:3]
      `- no rule derives q(16)  [p.lp:2]
         `- ... 13 more such steps
            `- no rule derives q(2)  [p.lp:2]
               `- no rule derives p(1)  [p.lp:3]
                  `- no rule derives q(0): argument 1 of q is never below 1  [p.lp:2]
(`--full` shows more)
";
    assert_eq!(why_not(two, &["p(19)"]), wanted);
    assert_eq!(why_not(two, &["p(19)", "--full"]).lines().count(), 21);
    // Numbers that data alone determine go on to the data.
    let out = why_not("e(1,9). e(9,12). r(1). r(2). r(Y) :- r(X), X > 3, e(Y,X).\n", &["r(9)"]);
    assert!(
        out.contains("with X = 12: no rule derives r(12)") && out.contains("there is no e(12,X)"),
        "{out}"
    );
    // What is told elsewhere stands in one line.
    let graph = "e(8,2). e(9,2). e(8,3). e(9,3). e(2,4). e(3,4). r(21..29).\nr(Y) :- r(X), e(X,Y).\n";
    let out = why_not(graph, &["r(4)"]);
    assert!(out.contains("no rule derives r(8), r(9): told already  [p.lp:2]"), "{out}");
}

/// With `--full` all instances are told; an interval without integer ends has no values.
#[test]
fn why_not_tells_all_and_of_intervals() {
    let many = "d(1..90).\np(X) :- d(X), d(Y), X < Y - 90.\n";
    assert!(why_not(many, &["p(2)"]).ends_with("`- ... and others  [p.lp:2]\n(`--full` shows more)\n"));
    let out = why_not(many, &["p(2)", "--full"]);
    assert!(out.lines().count() == 92 && out.contains("with Y = 90: 2 < 0 does not hold"), "{out}");
    let ends = "s(a). l(b).\np(X) :- s(S), l(L), X = L..S.\nq(X) :- X = 1..n.\nr(1..n).\nt(X) :- s(S), X = 1..S+1.\n";
    let of = |atom: &str| why_not(ends, &[atom]);
    assert!(of("p(1)").contains("with S = a: L..a has no values: a is not an integer  [p.lp:2]"));
    assert!(of("q(1)").contains("1..n has no values: n is not an integer  [p.lp:3]"));
    assert!(of("r(1)").contains("`- 1..n has no values: n is not an integer  [p.lp:4]"));
    assert!(of("t(1)").contains("1..a+1 has no values: a+1 is undefined  [p.lp:5]"), "{}", of("t(1)"));
}

/// The same is told of what is negated in the rules of an explanation.
#[test]
fn why_nothing_derives_what_is_negated() {
    let stops = "stop(airport;centre;park). line(airprot,centre). line(centre,park). start(airport).\n\
                 reach(X,X) :- start(X).\nreach(X,Y) :- reach(X,Z), line(Z,Y).\n\
                 lost(S) :- stop(S), start(X), not reach(X,S).\n{ z }.\n:- z, lost(S), not reach(S,S).\n:- not z.\n";
    let place = Place::with(&[("p.lp", stops)]);
    let program = stops.replace(":- not z.\n", "");
    let open = Place::with(&[("p.lp", &program)]);
    let wanted = "`- with Z = airport: there is no line(airport,centre)  [p.lp:3]";
    let out = open.out(&["why", "lost(centre)", "p.lp"], 0);
    assert!(
        out.contains("`- not reach(airport,centre): no rule derives it") && out.contains(wanted),
        "{out}"
    );
    let out = place.out(&["why-unsat", "p.lp"], 0);
    assert!(out.contains("not reach(") && out.contains(": no rule derives it"), "{out}");
}

/// A large table does not keep the reason waiting, and of many ways some are told.
#[test]
fn why_no_rule_is_left_for_an_atom_of_a_large_table() {
    let program =
        "edge(X,X+1) :- n(X).\nn(1..20000).\nto(X,0) :- n(X).\nreach(Y) :- from(X), to(X,Y).\nfrom(0).\n";
    let place = Place::with(&[("p.lp", program)]);
    let out = place.out(&["why-not", "reach(0)", "p.lp", "-Wnone"], 0);
    assert!(out.contains("no rule derives any to(0") || out.contains("there is no n(0)"), "{out}");
    assert!(out.lines().count() < 20, "{out}");
}

/// What is denied by the costs is said so, and which tuple would count.
#[test]
fn why_not_says_what_would_cost() {
    let place = Place::with(&[
        ("idle.lp", "item(milk,2). { buy(I) : item(I,_) }.\n#minimize { V,I : buy(I), item(I,V) }.\n"),
        (
            "exams.lp",
            "s(ida). takes(ida,(bio;math)). { at(E,(mon;tue)) } = 1 :- takes(_,E).\n\
             busy(P,D) :- s(P), D = (mon;tue), 2 { at(E,D) : takes(P,E) }.\n#minimize { 1,P,D : busy(P,D) }.\n",
        ),
    ]);
    let out = place.out(&["why-not", "--optimal", "buy(milk)", "idle.lp"], 0);
    assert!(out.contains("not buy(milk): 2 for milk counts if buy(milk) and item(milk,2)"), "{out}");
    assert!(out.contains("`- 2 for milk does not count: an optimal answer set costs 0"), "{out}");
    let out = place.out(&["why-not", "--optimal", "at(math,mon)", "exams.lp"], 0);
    assert!(out.contains("these deny it") && out.contains("an optimal answer set costs 0"), "{out}");
    let note = place.run(&["why-not", "at(math,mon)", "exams.lp"]).stderr;
    assert!(String::from_utf8_lossy(&note).contains("all answer sets are meant, whatever they cost"));
}

/// A negated literal that is left out has the values of its instance, also of what facts and equations bind, and `_`.
#[test]
fn values_of_negated_literals_that_are_left_out() {
    let places = [
        (
            "equation.lp",
            "n(1..3). { a(X) : n(X) }.\nb(X) :- a(X), n(Y), Y = X, not c(Y).\nc(X) :- n(X), X > 5.\n:- b(3).\n",
            "a(3)",
            "b(3) holds if a(3) and not c(3)",
        ),
        (
            "sum.lp",
            "n(1..3). { a(X) : n(X) }.\nb(X) :- a(X), not c(X+1).\nc(X) :- n(X), X > 5.\n:- b(3).\n",
            "a(3)",
            "b(3) holds if a(3) and not c(4)",
        ),
        (
            "any.lp",
            "n(1..3). { a(X) : n(X) }.\nb(X) :- a(X), not t(X,_).\nt(X,Y) :- n(X), n(Y), X > 5.\n:- b(2).\n",
            "a(2)",
            "b(2) holds if a(2) and not t(2,_)",
        ),
    ];
    let files: Vec<(&str, &str)> = places.iter().map(|p| (p.0, p.1)).collect();
    let place = Place::with(&files);
    for (file, _, atom, told) in places {
        let out = place.out(&["why-not", atom, file], 0);
        assert!(out.contains(told), "{out}");
    }
    let open =
        "n(1..3). { a(X) : n(X) }. { t(1,X) : n(X) }.\nb(X) :- a(X), not t(X,_).\n:- not t(1,2).\n:- b(1).\n";
    let out = Place::with(&[("p.lp", open)]).out(&["why-not", "b(1)", "p.lp"], 0);
    assert!(!out.contains("no rule can derive"), "{out}");
}

/// Why no rule derives an atom: by an aggregate, by comparisons before what nothing derives, in a part that is not grounded; what is
/// cut is marked, and recursion that facts end does not go on without them.
#[test]
fn why_no_rule_derives_an_atom() {
    let sums = "n(1..3). w(1,2). w(2,3). w(3,1). { p(X) : n(X) }.\n\
                q(X) :- n(X), #sum { W,Y : p(Y), w(Y,W), Y != X } > 3.\nr(X) :- n(X), 4 { p(Y) : n(Y) }.\n";
    let order = "e(1,2). e(1,1). n(1..3). big(X) :- n(X), X > 20.\nok(X) :- e(X,Y), big(Y), Y > 3.\n";
    let part = "n(1..3). p(X) :- n(X), X > 2.\n#program step(t).\np(t) :- n(t).\n";
    let chain = "r(0). r(X+1) :- r(X), X < 20, ok(X). ok(0..2). ok(4..20).\n";
    let endless = "d(1..3). e(3,3).\nq((Y;X)) :- d(Y); q(X+1); not d(_).\n{ q(X) : d(V) } :- d(Z); e(X,Z).\n";
    let place = Place::with(&[
        ("sums.lp", sums),
        ("order.lp", order),
        ("part.lp", part),
        ("chain.lp", chain),
        ("endless.lp", endless),
    ]);
    for (atom, file, told) in [
        (
            "q(2)",
            "sums.lp",
            "`- #sum { W,Y : p(Y), w(Y,W), Y != 2 } > 3 cannot hold: in any case the sum is from 0 to 3  [sums.lp:2]",
        ),
        (
            "r(1)",
            "sums.lp",
            "`- 4 { p(Y) : n(Y) } cannot hold: in any case the count is from 0 to 3  [sums.lp:3]",
        ),
        ("ok(1)", "order.lp", "`- with Y = 1: 1 > 3 does not hold  [order.lp:2]"),
        (
            "p(2)",
            "part.lp",
            "`- `p(t) :- n(t).` is in a part of the program that is not grounded  [part.lp:3]",
        ),
        ("r(19)", "chain.lp", "`- there is no ok(3)  [chain.lp:1]"),
        ("q(0)", "endless.lp", "`- there is no e(0,Z)  [endless.lp:3]"),
    ] {
        let out = place.out(&["why-not", atom, file, "-Wnone"], 0);
        assert!(out.contains(told), "{out}");
    }
}

/// Of an explanation with many parts the first are told, and how many there are.
#[test]
fn many_parts_are_cut_and_counted() {
    let program = "n(1..500). {g}. a :- g. a :- not g. b(X) :- n(X), a. c :- b(X) : n(X).\n";
    let place = Place::with(&[("p.lp", program)]);
    let out = place.out(&["why", "c", "p.lp"], 0);
    assert!(out.lines().count() < 50 && out.contains("more lines; `--full` shows them)"), "{out}");
    assert!(place.out(&["why", "c", "p.lp", "--full"], 0).lines().count() > 500);
}

/// A disjunction says under which conditions its atoms are meant, and a tuple that costs something where it stands.
#[test]
fn conditions_of_disjunctions_and_places_of_tuples() {
    let disjunction = "n(1..3). { c(X) : n(X) } = 2.\na(X) : c(X) | b :- n(X), X < 3.\n:- b. :- c(3).\n";
    let costs = "item(milk,2).\n\n{ buy(I) : item(I,_) }.\n#minimize { V,I : buy(I), item(I,V) }.\n";
    let place = Place::with(&[("p.lp", disjunction), ("costs.lp", costs)]);
    let out = place.out(&["why", "a(1)", "p.lp"], 0);
    assert!(out.contains("a(1): a(1) (where c(1)) or b must hold"), "{out}");
    let out = place.out(&["why-not", "--optimal", "buy(milk)", "costs.lp"], 0);
    assert!(out.contains("counts if buy(milk) and item(milk,2)  [costs.lp:4]"), "{out}");
}

/// Facts are never said not to hold; what a head gives is used; a line names a literal once.
#[test]
fn what_replies_name_is_so() {
    let told = |program: &str, atom: &str| {
        let out = Place::with(&[("p.lp", program)]).run(&["why-not", atom, "p.lp", "-Wnone"]).stdout;
        String::from_utf8_lossy(&out).into_owned()
    };
    let cycle = "e(1,2). e(2,1). {s(X):e(X,_)}. :- s(2),s(1). s(Y) :- s(X), e(X,Y).\n";
    for atom in ["s(1)", "s(2)"] {
        let out = told(cycle, atom);
        assert!(
            !out.contains("not e(") && out.contains(": fact") && out.contains("perhaps not all"),
            "{out}"
        );
    }
    let open = "d(1..3). {s(2)}. e(X,Y) :- d(X), d(Y), X > 5. t(X,Y) :- s(X), d(Y), not e(X,Y). :- t(2,3).\n";
    let out = told(open, "s(2)");
    assert!(out.contains("t(2,3) holds if s(2) and not e(2,3)"), "{out}");
    let out = told("{a}. :- a, not c(1), not d, not c(1). c(X) :- X = 1, X > 5. d :- c(5).\n", "a");
    assert!(
        out.contains("must not hold together with not c(1) and not d; no rule can derive c(1) or d "),
        "{out}"
    );
    // Where no head fits, heads there are; a value outside of an interval; numbers that go on without an end.
    let heads = "{n(1..2)}. t(X,1) :- n(X). t(b,Y) :- n(Y).\n";
    let out = told(heads, "t(a,2)");
    assert!(out.contains("|- the head of this rule is t(X,1)  [p.lp:1]"), "{out}");
    assert!(told("n(1..50). q(X) :- X = 1..50, n(X).\n", "q(0)").contains("0 is not in 1..50"));
    let plan = "t(0..2). time(T) :- t(T). init(b). h(F,0) :- init(F). h(F,T+1) :- h(F,T), time(T).\n";
    let out = told(plan, "h(a,1)");
    assert!(!out.contains("h(a,-1)") && out.contains("there is no init(a)"), "{out}");
    let endless = "init(b). h(F,0) :- init(F). h(F,T+1) :- h(F,T), T < 2.\n";
    let out = told(endless, "h(a,1)");
    assert!(out.contains("h(a,-1): argument 2 of h is never below 0") && !out.contains("h(a,-2)"), "{out}");
    let negated = "-h(b,-1). h(c,-9). -h(F,T+1) :- -h(F,T), T < 2.\n";
    assert!(told(negated, "-h(a,0)").contains("argument 2 of -h is never below -1"));
    let text = "r(\"a = (b\"). q(X) :- r(X), X = 1..3.\n";
    assert!(told(text, "q(\"a = (b\")").contains("\"a = (b\" is not in 1..3"));
    // A constraint that a fact always satisfies is no reason.
    let out = told("{a;b}. f(1). b :- a, f(1). :- a, not f(1).\n", "a");
    assert!(!out.contains("not f(1)"), "{out}");
    let out = told("#external x. [false]\nx :- not e.\ne.\n", "x");
    assert!(out.contains("not x: given, as an external atom\n`- e always holds  [p.lp:2]"), "{out}");
}
