//! `why-unsat`: minimal conflicts, told by the statements that they come from.

use super::Place;

use serde_json::Value;

/// The parts of a conflict as (kind, text of the statement).
fn parts(conflict: &Value) -> Vec<(String, String)> {
    let text = |v: &Value| v.as_str().unwrap_or("").to_string();
    let parts = conflict["parts"].as_array().expect("parts");
    parts.iter().map(|p| (text(&p["kind"]), text(&p["place"]["text"]))).collect()
}

/// Removes one part from the texts: a fact, constraint or comparison completely, of a choice only the bounds.
fn without(text: &str, kind: &str, statement: &str) -> String {
    assert!(text.contains(statement), "{statement} in {text}");
    let less = match kind {
        "choice" => {
            let (open, close) = (statement.find('{').expect("{"), statement.rfind('}').expect("}"));
            let tail = &statement[close + 1..];
            let end = tail.find(":-").or_else(|| tail.find('.')).expect("an end");
            format!("{}{}", &statement[open..=close], &tail[end..])
        }
        _ => String::new(),
    };
    text.replacen(statement, &less, 1)
}

/// Explains why a program has no answer set, and checks that the explanation is minimal by removing first all other
/// constraints, bounds and facts named in `all`, then each part in turn.
#[track_caller]
fn check_conflict(program: &str, expect: &[(&str, &str)]) {
    let place = Place::with(&[("p.lp", program)]);
    let conflict = place.json(&["why-unsat", "p.lp"], 0);
    assert_eq!(conflict["minimal"], true, "{conflict:#}");
    let found = parts(&conflict);
    let expect: Vec<(String, String)> = expect.iter().map(|(k, t)| (k.to_string(), t.to_string())).collect();
    assert_eq!(found, expect, "{conflict:#}");
    for (i, (kind, statement)) in found.iter().enumerate() {
        std::fs::write(place.0.path().join("q.lp"), without(program, kind, statement)).expect("a file");
        let restores = conflict["parts"][i]["restores"] == true;
        assert_eq!(place.is_satisfiable(&["q.lp"]), restores, "{statement}");
    }
}

#[test]
fn conflicts_are_minimal() {
    check_conflict(
        "{a;b;c}. :- a. :- b. :- not a, not b. :- c.\n",
        &[("constraint", ":- a."), ("constraint", ":- b."), ("constraint", ":- not a, not b.")],
    );
    check_conflict(
        "p(1). p(2). p(3). { q(X) : p(X) } = 1. :- q(X), X < 3. :- q(3).\n",
        &[("choice", "{ q(X) : p(X) } = 1."), ("constraint", ":- q(X), X < 3."), ("constraint", ":- q(3).")],
    );
    // A comparison as a head, a fact that clashes with it.
    check_conflict(
        "limit(3). size(5). other(1). S <= L :- size(S), limit(L).\n",
        &[("fact", "limit(3)."), ("fact", "size(5)."), ("comparison", "S <= L :- size(S), limit(L).")],
    );
    // Sums.
    check_conflict(
        "cost(a,3). cost(b,4). cost(c,5). { take(X) : cost(X,_) }.\n\
         :- #sum { C,X : take(X), cost(X,C) } > 6. :- #count { X : take(X) } < 2.\n",
        &[
            ("constraint", ":- #sum { C,X : take(X), cost(X,C) } > 6."),
            ("constraint", ":- #count { X : take(X) } < 2."),
        ],
    );
    // Positive recursion: nothing reaches 4.
    check_conflict(
        "edge(1,2). edge(2,3). edge(3,2). edge(4,3). reach(1). reach(Y) :- reach(X), edge(X,Y).\n\
         :- not reach(4). :- reach(2), edge(2,1).\n",
        &[("constraint", ":- not reach(4).")],
    );
    // Rules alone.
    check_conflict("{a}. b :- not b. :- a.\n", &[("rule", "b :- not b.")]);
    // Bounds of two choices over the same atoms.
    check_conflict(
        "{p(1..3)} >= 2. {p(X) : X = 1..3} <= 1. {z}.\n",
        &[("choice", "{p(1..3)} >= 2."), ("choice", "{p(X) : X = 1..3} <= 1.")],
    );
}

/// The kinds and texts of the parts of the conflict that a program has.
#[track_caller]
fn conflict_of(program: &str) -> Vec<(String, String)> {
    let place = Place::with(&[("p.lp", program)]);
    let conflict = place.json(&["why-unsat", "p.lp"], 0);
    assert_eq!(conflict["minimal"], true, "{conflict:#}");
    parts(&conflict)
}

#[test]
fn rules_alone_contradict() {
    let rule = |text: &str| ("rule".to_string(), text.to_string());
    assert_eq!(conflict_of("a :- not a. :- not b.\n"), [rule("a :- not a.")]);
    // What certainly holds has a rule, too.
    assert_eq!(
        conflict_of("b :- not z. a :- not a, b. :- c.\n"),
        [rule("b :- not z."), rule("a :- not a, b.")]
    );
    assert_eq!(conflict_of("a :- not z. -a :- not y.\n"), [rule("a :- not z."), rule("-a :- not y.")]);
    let disjunction = conflict_of("x : y | z : y. {y} >= 1. x :- z. z :- x. w :- x, not w. :- not b.\n");
    let kinds: Vec<&str> = disjunction.iter().map(|p| p.0.as_str()).collect();
    assert_eq!(kinds, ["disjunction", "rule", "rule"], "{disjunction:?}");
    let place = Place::with(&[("p.lp", "a :- not a. b.\n")]);
    let out = place.out(&["why-unsat", "p.lp"], 0);
    assert!(
        out.contains("no answer set, because of this rule alone") && out.contains("giving it up restores")
    );
}

#[test]
fn every_place_of_a_fact_is_told() {
    let place = Place::with(&[("p.lp", "p.\nq. p.\n"), ("r.lp", "p. :- p, q.\n")]);
    let out = place.out(&["why-unsat", "p.lp", "r.lp"], 0);
    assert!(out.contains("these 3 contradict") && out.contains("this fact, stated 3 times"), "{out}");
    assert_eq!(out.matches("the same fact").count(), 2, "{out}");
    let conflict = place.json(&["why-unsat", "p.lp", "r.lp"], 0);
    let places: Vec<_> =
        conflict["parts"].as_array().expect("parts").iter().map(|p| p["places"].clone()).collect();
    assert_eq!(places.iter().filter_map(|p| Some(p.as_array()?.len())).collect::<Vec<_>>(), [3]);
}

#[test]
fn edges_are_part_of_conflicts() {
    let found = conflict_of("{e(1,2)} >= 1. e(2,1). #edge (X,Y) : e(X,Y).\n");
    let kinds: Vec<&str> = found.iter().map(|p| p.0.as_str()).collect();
    assert_eq!(kinds, ["fact", "choice", "edge"]);
    let found = conflict_of("#edge (1,2). #edge (2,1). #edge (1,3).\n");
    assert_eq!(found.iter().map(|p| p.1.as_str()).collect::<Vec<_>>(), ["#edge (1,2).", "#edge (2,1)."]);
    let place = Place::with(&[("p.lp", "#edge (a,b). {x}. #edge (b,a) : x. :- not x.\n")]);
    let out = place.out(&["why-unsat", "p.lp"], 0);
    assert!(out.contains("the edge from b to a if x must not lie on a cycle"), "{out}");
}

#[test]
fn facts_with_intervals_pools_and_sums_are_culprits() {
    let place = Place::with(&[
        ("interval.lp", "day(1..8). :- day(X), X > 7.\n"),
        ("pool.lp", "edge(a,(b;c;d)). out(X) :- edge(X,b), edge(X,c). :- out(a).\n"),
        ("count.lp", "item(a). item(b). item(c).\nn(N) :- N = #count { X : item(X) }.\n:- n(N), N > 2.\n"),
        ("sum.lp", "w(a,2). w(b,3). v(c,9). s(S) :- S = #sum { W,X : w(X,W) }. :- s(5).\n"),
        ("board.lp", "line(1..3). {q(X) : line(X)} = 2. :- q(X), line(X). #show q/1.\n"),
        ("clue.lp", "row(1..3). clue(2,7). :- row(X), clue(X,Y), Y > 3.\n"),
    ]);
    let facts = |file: &str| -> Vec<String> {
        let conflict = place.json(&["why-unsat", file], 0);
        let parts = conflict["parts"].as_array().expect("parts").iter().filter(|p| p["kind"] == "fact");
        let atoms = parts.flat_map(|p| p["instances"].as_array().expect("atoms").clone());
        atoms.map(|a| a.as_str().expect("a text").to_string()).collect()
    };
    assert_eq!(facts("interval.lp"), ["day(8)"]);
    assert_eq!(facts("pool.lp"), ["edge(a,b)", "edge(a,c)"]);
    assert_eq!(facts("count.lp"), ["item(a)", "item(b)", "item(c)"]);
    assert_eq!(facts("sum.lp"), ["w(a,2)", "w(b,3)"]);
    // Giving up lines does not help. If another fact is involved, those
    assert_eq!(facts("board.lp"), [""; 0]);
    // that describe what exists are not reported.
    assert_eq!(facts("clue.lp"), ["clue(2,7)"]);
    let out = place.out(&["why-unsat", "pool.lp"], 0);
    assert!(out.contains("these 2 contradict") && out.contains("this fact, in 2 instances"), "{out}");
    assert!(out.contains("edge(a,b) and edge(a,c): facts"), "{out}");
}

#[test]
fn bounds_that_are_read_by_what_is_certain() {
    // The guards of a head's #sum+ with negative weights say less if b is a fact.
    let place = Place::with(&[("p.lp", "b. #sum+ { -1 : a; 2 : b } >= 2. :- not a.\n")]);
    assert!(place.is_satisfiable(&["p.lp"]));
    assert!(place.out(&["why-unsat", "p.lp"], 1).contains("there is no contradiction"));
    assert_eq!(conflict_of("b. #sum+ { -1 : a; 2 : b } >= 2. :- not a. :- a.\n").len(), 2);
}

#[test]
fn planted_contradictions() {
    let grid = "cell_has_number(4,4,2).\n\ngreater_than(1,2,1,1).\ngreater_than(1,2,1,3).\ngreater_than(3,3,2,3).\n\
                greater_than(3,1,4,1).\ngreater_than(4,2,4,3).\n";
    // A reversed sign, against the one that is there.
    let place = Place::with(&[("bad.lp", &format!("{grid}greater_than(1,1,1,2).\n"))]);
    let conflict = place.json(&["why-unsat", "futoshiki.lp", "bad.lp"], 0);
    let kinds: Vec<(String, String)> = parts(&conflict);
    assert_eq!(kinds[0], ("fact".into(), "greater_than(1,2,1,1).".into()));
    assert_eq!(kinds[1], ("fact".into(), "greater_than(1,1,1,2).".into()));
    assert_eq!(kinds[2].0, "choice");
    assert!(kinds[3].1.starts_with("N1 > N2 :- greater_than"), "{conflict:#}");
    assert_eq!(kinds.len(), 4);
    // Of the facts, only the wrong one restores an answer set alone; the text beside it says so.
    let place = Place::with(&[("bad.lp", "cell_has_number(1,1,2).\n")]);
    let files = ["why-unsat", "futoshiki.lp", "grid9.lp", "bad.lp"];
    let conflict = place.json(&files, 0);
    let to_blame = conflict["parts"].as_array().expect("parts").iter();
    let to_blame = to_blame.filter(|p| p["kind"] == "fact" && p["restores"] == true);
    assert_eq!(to_blame.map(|p| p["place"]["text"].clone()).collect::<Vec<_>>(), ["cell_has_number(1,1,2)."]);
    let out = place.out(&files, 0);
    assert!(out.contains("this fact; giving it up alone restores an answer set"), "{out}");
    // A second number in a cell.
    let place = Place::with(&[("bad.lp", &format!("{grid}cell_has_number(4,4,3).\n"))]);
    let conflict = place.json(&["why-unsat", "futoshiki.lp", "bad.lp"], 0);
    let kinds = parts(&conflict);
    assert_eq!(kinds.len(), 3, "{conflict:#}");
    assert_eq!(kinds[1].1, "cell_has_number(4,4,3).");
    assert_eq!(conflict["parts"][2]["instances"].as_array().map(Vec::len), Some(1));
    // Only facts of one file may be given up.
    let place = Place::with(&[("bad.lp", grid), ("more.lp", "cell_has_number(4,4,3).\n")]);
    let conflict = place.json(&["why-unsat", "--facts", "more.lp", "futoshiki.lp", "bad.lp", "more.lp"], 0);
    let facts: Vec<String> = parts(&conflict).into_iter().filter(|p| p.0 == "fact").map(|p| p.1).collect();
    assert_eq!(facts, ["cell_has_number(4,4,3)."]);
}

#[test]
fn nothing_to_explain() {
    let place = Place::with(&[("p.lp", "{a}.\n"), ("bad.lp", "a :- .b\n")]);
    assert_eq!(place.out(&["why-unsat", "p.lp"], 1), "There is an answer set: there is no contradiction.\n");
    assert_eq!(place.json(&["why-unsat", "p.lp"], 1)["satisfiable"], true);
    for command in ["why-unsat", "unique", "count", "sample", "diverse", "hint", "candidates"] {
        place.out(&[command, "bad.lp"], 65);
        place.out(&[command, "missing.lp"], 65);
    }
    place.out(&["why", "a", "bad.lp"], 65);
    place.out(&["why", "a(X", "p.lp"], 65);
    place.out(&["why", "a(X)", "p.lp"], 65);
}

/// A rule that grounding makes a fact is named where the contradiction needs it.
#[test]
fn rules_that_became_facts_are_named() {
    let place = Place::with(&[("p.lp", "d :- not p.\n:- d.\n")]);
    let out = place.out(&["why-unsat", "-q", "p.lp"], 0);
    assert!(out.ends_with("By these rules, too:\nd :- not p.  [p.lp:1]\n"), "{out}");
    let told = place.json(&["why-unsat", "-q", "p.lp"], 0);
    assert_eq!(told["rules"][0]["place"]["line"], 1, "{told}");
}

/// Of what always fails, one instance is named.
#[test]
fn what_always_fails_is_named() {
    let program = "team(1..3). { g(A,B) : team(B), A < B } = 1 :- team(A), A < 3.\n\
                   plays(A) :- g(A,_). :- T > 0, team(T), not plays(T).\n";
    let place = Place::with(&[("p.lp", program)]);
    let out = place.out(&["why-unsat", "p.lp"], 0);
    assert!(
        out.contains(
            "team(3) and not plays(3) must not hold together, but always do; no rule can derive plays(3)"
        ),
        "{out}"
    );
}

/// Messages beside a reply are those of the program with its facts as they are.
#[test]
fn messages_beside_a_reply() {
    let place = Place::with(&[
        ("idle.lp", "item(milk,2). { buy(I) : item(I,_) }.\n#minimize { V,I : buy(I), item(I,V) }.\n"),
        ("day.lp", "day(mon,tue). exam(m). { at(E,D) : day(D) } = 1 :- exam(E).\n"),
    ]);
    let notes = |arguments: &[&str]| String::from_utf8_lossy(&place.run(arguments).stderr).into_owned();
    let idle = notes(&["why-not", "--optimal", "buy(milk)", "idle.lp"]);
    assert!(idle.contains("no rule asks for atoms of `buy/1`") && !idle.contains("item/2"), "{idle}");
    let day = notes(&["why-unsat", "day.lp"]);
    assert!(day.contains("`day(mon;tue)`") && !day.contains("did you mean"), "{day}");
}

/// What conditional literals stand for is in parentheses beside other literals and under a negation.
#[test]
fn conditional_literals_are_in_parentheses() {
    let program = "e(1,1). e(1,2). {s(1)}. {s(2)}.\na(X) :- e(X,_), not s(Y) : e(X,Y).\n\
                   :- a(1).\ns(1) :- s(2).\ns(2) :- s(1).\n:- s(1).\n";
    let out = Place::with(&[("p.lp", program)]).out(&["why-unsat", "p.lp"], 0);
    let told = "`- not (not s(1) and not s(2)): a(1) holds if e(1,1) and (not s(1) and not s(2))  [p.lp:2]\n";
    assert!(out.contains(told), "{out}");
}

/// A fact stands once below statements that name it.
#[test]
fn facts_are_named_once() {
    let told = |program: &str| {
        let out = Place::with(&[("p.lp", program)]).out(&["why-unsat", "p.lp"], 0);
        out.split_once("Step by step:\n").map(|(_, steps)| steps.to_string()).unwrap_or_default()
    };
    let wanted = "\
contradiction: p(1) and c(1) must not hold together  [p.lp:1]
|- c(1): fact  [p.lp:1]
`- p(1): p(1) holds if c(1)  [p.lp:1]
";
    assert_eq!(told("c(1). p(1) :- c(1). :- p(1), c(1).\n"), wanted);
}

/// In full, all instances are told.
#[test]
fn all_instances_are_told_in_full() {
    let constraint = "c(1..12). { p(X) : c(X) } 11. :- c(X), not p(X).\n";
    let out = Place::with(&[("p.lp", constraint)]).out(&["why-unsat", "p.lp"], 0);
    let of_constraint = "|- c(3) and not p(3) must not hold together\n`- ... and 9 more\n";
    assert!(out.contains(of_constraint) && out.contains("`- ... and 9 more  [p.lp:1]\n"), "{out}");
    assert!(out.lines().count() < 40, "{out}");
    let out = Place::with(&[("p.lp", constraint)]).out(&["why-unsat", "--full", "p.lp"], 0);
    assert!(!out.contains("more"), "{out}");
}
