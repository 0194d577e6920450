//! The subcommands that ask about answer sets, on puzzles, on other programs and on bad input; and docs/explain.md.

use crate::support::spawn::folder_with;
use crate::support::update;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// A folder with some files, in which commands run.
struct Place(tempfile::TempDir);

impl Place {
    fn with(files: &[(&str, &str)]) -> Self {
        Self(folder_with(files))
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_asp"));
        command.current_dir(self.0.path()).args(arguments).output().expect("the binary runs")
    }

    /// Standard output, with the exit code checked.
    #[track_caller]
    fn out(&self, arguments: &[&str], code: i32) -> String {
        let output = self.run(arguments);
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{out}\n{err}");
        out.into_owned()
    }

    #[track_caller]
    fn json(&self, arguments: &[&str], code: i32) -> Value {
        let out = self.out(&[arguments, &["--format=json"]].concat(), code);
        serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}"))
    }

    /// All answer sets.
    #[track_caller]
    fn answer_sets(&self, files: &[&str]) -> Vec<String> {
        let output = self.run(&[files, &["0"]].concat());
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let lines: Vec<&str> = text.lines().collect();
        lines.windows(2).filter(|w| w[0].starts_with("Answer: ")).map(|w| w[1].to_string()).collect()
    }

    #[track_caller]
    fn is_satisfiable(&self, files: &[&str]) -> bool {
        match self.run(&[files, &["1"]].concat()).status.code() {
            Some(10 | 30) => true,
            Some(20) => false,
            code => panic!("{code:?}"),
        }
    }
}

/// A 4x4 Sudoku with one solution; each clue is needed.
const SUDOKU: &str = "#const box = 2. [override]\ngiven(1,3,2). given(1,4,3). given(4,1,3). given(4,2,4).\n";

#[test]
fn unique_or_two_that_differ() {
    let fewer = SUDOKU.replace("given(4,2,4).", "");
    let place = Place::with(&[("all.lp", SUDOKU), ("fewer.lp", &fewer), ("wrong.lp", "given(1,1,2).\n")]);
    let out = place.out(&["unique", "sudoku.lp", "all.lp"], 0);
    assert!(out.starts_with("Unique.\ncell_has_number(1,1,"), "{out}");
    let out = place.out(&["unique", "sudoku.lp", "fewer.lp"], 1);
    assert!(out.starts_with("Not unique.\n\n") && out.contains('['), "{out}");
    let only = |which: &str| {
        let line =
            out.lines().find_map(|l| l.strip_prefix(&format!("only in the {which}:"))).expect("a line");
        line.split_whitespace().map(String::from).collect::<BTreeSet<_>>()
    };
    let (first, second) = (only("first"), only("second"));
    assert!(!first.is_empty() && first.len() == second.len() && first.is_disjoint(&second));
    // Both are answer sets: whatever only one of them contains holds in some answer set.
    let sets = place.answer_sets(&["sudoku.lp", "fewer.lp"]);
    for side in [first, second] {
        assert!(sets.iter().any(|s| side.iter().all(|a| s.split(' ').any(|b| a == b))));
    }
    assert_eq!(place.out(&["unique", "sudoku.lp", "all.lp", "wrong.lp"], 20), "No answer set.\n");
}

#[test]
fn unique_goes_by_what_is_shown() {
    let place = Place::with(&[("p.lp", "{a;b}. :- not a. #show a/0.\n"), ("q.lp", "{a;b}. :- not a.\n")]);
    assert_eq!(place.out(&["unique", "p.lp"], 0), "Unique.\na\n");
    let out = place.out(&["unique", "q.lp"], 1);
    assert!(out.contains("Answer: 2\na b\nonly in the second: b\nin both:            1 more\n"), "{out}");
}

#[test]
fn counts_of_the_library_agree_with_enumeration() {
    let place = Place::with(&[]);
    for files in [
        &["latin-square.lp"][..],
        &["queens.lp"],
        &["graph-colouring.lp", "australia.lp"],
        &["graph-colouring.lp", "petersen.lp"],
        &["magic-square.lp", "-c", "complete=1"],
        &["hamiltonian-cycle.lp", "dodecahedron.lp"],
        &["slitherlink.lp", "slither4.lp"],
        &["sudoku.lp", "-c", "box=2"],
        &["light-up.lp", "lamps5.lp"],
        &["minesweeper.lp", "mines8.lp"],
        &["zebra.lp", "zebra5.lp"],
        &["knights-tour.lp", "-c", "n=3"],
    ] {
        let sets = place.answer_sets(files);
        let code = if sets.is_empty() { 20 } else { 0 };
        let counted = place.out(&[&["count"], files].concat(), code);
        assert_eq!(counted.trim(), sets.len().to_string(), "{files:?}");
        let shown: BTreeSet<&String> = sets.iter().collect();
        let projected = place.out(&[&["count", "--project"], files].concat(), code);
        assert_eq!(projected.trim(), shown.len().to_string(), "{files:?}");
    }
}

#[test]
fn huge_counts_are_exact() {
    let place = Place::with(&[("p.lp", "{p(1..200)}. 1 {q(X,1..3)} 1 :- X = 1..50.\n")]);
    let counted = place.out(&["count", "p.lp"], 0);
    // 2^200 * 3^50
    let mut digits: Vec<u32> = vec![1];
    for factor in std::iter::repeat_n(2, 200).chain(std::iter::repeat_n(3, 50)) {
        let mut carry = 0;
        for d in &mut digits {
            let value = *d * factor + carry;
            (*d, carry) = (value % 10, value / 10);
        }
        if carry > 0 {
            digits.push(carry);
        }
    }
    let expected: String = digits.iter().rev().map(|d| char::from(b'0' + *d as u8)).collect();
    assert_eq!(counted.trim(), expected);
}

#[test]
fn a_count_that_is_stopped_says_how_many_there_are_at_least() {
    let roster = "3 { works(1..20,D,S) } 6 :- D = 1..14, S = 1..3. :- P = 1..20, 9 { works(P,_,_) }.\n";
    let place = Place::with(&[("roster.lp", roster)]);
    let output = place.run(&["count", "--time-limit=3", "roster.lp"]);
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(2), "{out}{err}");
    let number = out.strip_prefix("at least ").and_then(|n| n.trim_end().parse::<u64>().ok());
    assert!(number.is_some_and(|n| n >= 1), "{out}{err}");
    assert!(err.contains("stopped before this was known: the time limit was reached"), "{err}");
}

#[test]
fn samples_are_answer_sets_and_depend_on_the_seed_alone() {
    let place = Place::with(&[("loop.lp", "{e(1..6)}. r(X) :- s(X). s(X) :- r(X). r(X) :- e(X), X > 2.\n")]);
    for files in [&["graph-colouring.lp", "australia.lp"][..], &["loop.lp"], &["latin-square.lp"]] {
        let draw = |seed: &str| place.out(&[&["sample", "-n", "20", "--seed", seed], files].concat(), 0);
        let drawn = draw("1");
        assert_eq!(drawn, draw("1"));
        assert_ne!(drawn, draw("2"));
        let sorted = |line: &str| {
            let mut atoms: Vec<&str> = line.split_whitespace().collect();
            atoms.sort_unstable();
            atoms.join(" ")
        };
        let sets: BTreeSet<String> = place.answer_sets(files).iter().map(|s| sorted(s)).collect();
        let lines: Vec<&str> = drawn.lines().filter(|l| !l.starts_with("Answer: ")).collect();
        assert_eq!(lines.len(), 20);
        for line in lines {
            assert!(sets.contains(&sorted(line)), "{line}");
        }
    }
}

#[test]
fn diverse_answer_sets() {
    let place = Place::with(&[("p.lp", "{p(1..4)}.\n"), ("none.lp", ":- not a.\n")]);
    let out = place.out(&["diverse", "-n", "2", "p.lp"], 0);
    assert!(out.contains("Answer: 2 (distance 4)\n"), "{out}");
    let out = place.out(&["diverse", "-n", "99", "graph-colouring.lp", "australia.lp"], 0);
    assert!(out.ends_with("There are no others: 18 in all.\n"), "{out}");
    assert_eq!(place.out(&["diverse", "none.lp"], 20), "No answer set.\n");
}

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
    assert!(tree("f(1)", 1).contains("no instance of these derives it"));
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
    assert!(out.contains("no instance of these derives it") && !out.contains("|- \n"), "{out}");
    assert!(place.out(&["why-not", "a", "p.lp"], 0).contains("q(a) does not hold"));
    // Words about atoms stay as they are.
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
        " --> t.csv:2:1\n  |\n2 | 1,x\n  | ^^^ `x` is a constant\n",
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

#[test]
fn hints_hold_in_the_solution() {
    let place = Place::with(&[("s.lp", SUDOKU)]);
    for files in
        [&["sudoku.lp", "s.lp"][..], &["futoshiki.lp", "grid4.lp"], &["skyscraper.lp", "skyscraper4.lp"]]
    {
        let solution = place.answer_sets(files).remove(0);
        let hints = place.json(&[&["hint", "-n", "0"], files].concat(), 0);
        assert_eq!(hints["open"], 0, "{files:?}");
        let hints = hints["hints"].as_array().expect("hints");
        for hint in hints {
            let atom = hint["atom"].as_str().expect("an atom");
            assert!(solution.split(' ').any(|a| a == atom), "{atom}");
        }
        let marks = place.out(&[&["candidates"], files].concat(), 0);
        let digits = marks.chars().filter(char::is_ascii_digit).count();
        assert!(digits >= 16, "{marks}");
    }
    // What is given is not a hint.
    let hints = place.json(&["hint", "-n", "0", "sudoku.lp", "s.lp"], 0);
    assert_eq!(hints["hints"].as_array().map(Vec::len), Some(12));
    // Easiest first: what follows by inference comes before what takes trials.
    let hints = place.json(&["hint", "-n", "0", "skyscraper.lp", "skyscraper4.lp"], 0);
    let levels: Vec<&str> =
        hints["hints"].as_array().expect("hints").iter().filter_map(|h| h["level"].as_str()).collect();
    assert!(levels.iter().all(|l| ["inference", "trial", "search"].contains(l)));
}

#[test]
fn hints_for_programs_that_are_no_puzzles() {
    let place = Place::with(&[
        ("open.lp", "{a;b}.\n"),
        ("all.lp", "{a;b}. :- not a. b :- a.\n"),
        ("trial.lp", "{a;b;c}. :- not a, b. :- not a, not b.\n"),
        ("none.lp", "{a}. :- a. :- not a.\n"),
    ]);
    assert_eq!(place.out(&["hint", "open.lp"], 1), "2 atoms are open: they hold in some answer sets.\n");
    let out = place.out(&["hint", "all.lp"], 0);
    assert!(out.contains("Hint 1 (1 step)") && out.contains("Everything is decided."), "{out}");
    let out = place.out(&["hint", "trial.lp"], 0);
    assert!(out.contains("by trying"), "{out}");
    place.out(&["hint", "none.lp"], 20);
    place.out(&["candidates", "none.lp"], 20);
    assert_eq!(place.json(&["hint", "none.lp"], 20)["hints"].as_array().map(Vec::len), Some(0));
    assert_eq!(place.json(&["why", "a", "none.lp"], 20)["holds"], "no answer set");
    assert_eq!(place.out(&["candidates", "all.lp"], 0), "possible: a b\n");
}

/// Edges and cycles are also counted above the number of answer sets that are enumerated.
#[test]
fn counts_of_edges_and_cycles() {
    let place = Place::with(&[
        ("edge.lp", "{ x(1..14) }. #edge (1,1) : x(1).\n"),
        ("cycle.lp", "{ s(1..30) }. p(X) :- q(X). q(X) :- p(X). p(X) :- s(X), X > 10.\n"),
    ]);
    assert_eq!(place.out(&["count", "edge.lp"], 0), "8192\n");
    let out = place.out(&["sample", "-n", "20", "edge.lp"], 0);
    assert!(!out.contains("x(1) "), "{out}");
    assert_eq!(place.out(&["count", "cycle.lp"], 0), "1073741824\n");
    let output = place.run(&["sample", "-n", "4", "cycle.lp"]);
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    let sets: BTreeSet<&str> = out.lines().filter(|l| !l.starts_with("Answer")).collect();
    assert_eq!((sets.len(), output.stderr.len()), (4, 0), "{out}");
    for set in sets {
        let has = |name: &str| set.matches(name).count();
        assert!(has("p(") == has("q(") && has("s(") > 5, "{set}");
    }
}

/// A term may be computed, as in the program.
#[test]
fn atoms_with_computed_terms() {
    let place = Place::with(&[("p.lp", "dom(-x). { q(-X) } :- dom(X).\n")]);
    assert!(place.out(&["why", "dom(-x)", "p.lp"], 0).starts_with("dom(-x) holds in every answer set."));
    assert!(place.out(&["why", "q(x)", "p.lp"], 0).starts_with("q(x) holds in some answer sets"));
    place.out(&["why", "q(1..2)", "p.lp"], 65);
}

/// Each answer set decides the size of its own grid, and cells are compared by position.
#[test]
fn pictures_that_say_their_size() {
    let place = Place::with(&[(
        "p.lp",
        "{ render_size(3,2); render_size(300,300) } 1. :- render_size(300,300).\n\
         render_cell(1,1,x). render_cell(1,2,y) :- not render_size(3,2).\n",
    )]);
    let out = place.out(&["unique", "p.lp"], 1);
    let grids: Vec<&str> = out.lines().filter(|l| l.contains(['│', '┌'])).collect();
    let drawn = [
        "┌─────────┐    ┌───────┐",
        "│   x [y] │    │  x [] │",
        "└─────────┘    │  .  . │",
        "               │  .  . │",
    ];
    assert_eq!(grids, drawn, "{out}");
}

/// Atoms of one disjunction that derive each other are reasons for each other; forced atoms are no hints if there is no
/// answer set.
#[test]
fn facts_decide_which_atoms_are_external() {
    // Relaxed, such a fact would leave an external atom where there is none.
    let place = Place::with(&[
        ("not.lp", "d(1). #external x : not d(1). [free]\n"),
        ("count.lp", "d(1). #external x(1) : Y = #count { : not d(1) }; d(Y). [true]\n"),
        ("below.lp", "d(1). p :- not d(1). q :- p. #external x : q. [true]\n"),
    ]);
    for file in ["not.lp", "count.lp", "below.lp"] {
        let out = place.out(&["hint", file], 1);
        assert!(out.starts_with("Nothing is left to decide"), "{file}: {out}");
    }
}

#[test]
fn hints_on_disjunctions_in_a_positive_cycle() {
    let place = Place::with(&[
        ("both.lp", "a | b. a :- b. b :- a.\n"),
        ("open.lp", "tx | fx. a | b. a :- b. b :- a. a :- fx.\n"),
        ("cycle.lp", "{x}. :- not x. #edge (1,1) : x.\n"),
    ]);
    let hints = |file: &str, code: i32| -> (Vec<String>, Value) {
        let mut found = place.json(&["hint", "-n", "0", file], code);
        let atoms = found["hints"].as_array().expect("hints").iter();
        (atoms.filter_map(|h| h["atom"].as_str().map(String::from)).collect(), found["open"].take())
    };
    assert_eq!(hints("both.lp", 0), (vec!["a".into(), "b".into()], 0.into()));
    assert_eq!(hints("open.lp", 0), (vec!["a".into(), "b".into()], 2.into()));
    assert_eq!(hints("cycle.lp", 20).0.len(), 0);
    assert_eq!(place.out(&["candidates", "--by-inference", "both.lp"], 0), "possible: a b\n");
}

/// The commands in a page's console blocks, with the output that the page shows.
fn commands(page: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if let (true, Some(command)) = (inside, line.strip_prefix("$ ")) {
            found.push((command.to_string(), String::new()));
        } else if let (true, Some((_, output))) = (inside, found.last_mut()) {
            output.push_str(line);
            output.push('\n');
        }
    }
    found
}

/// A question about a program that grows in steps refers to its last step, or to the one that `--steps` names.
#[test]
fn programs_that_grow() {
    let place = Place::with(&[]);
    let plan = ["blocks-world.lp", "blocks3.lp"];
    let ask = |command: &[&str], code: i32| place.out(&[command, &plan].concat(), code);
    assert_eq!(ask(&["count"], 0), "1\n");
    assert_eq!(ask(&["unique"], 0), "Unique.\nmove(c,table,1) move(b,c,2) move(a,b,3)\n");
    assert_eq!(ask(&["count", "--steps=2"], 20), "0\n");
    assert!(ask(&["count", "--steps=4"], 0).trim().parse::<u64>().is_ok_and(|n| n > 1));
    assert!(ask(&["why-unsat"], 1).starts_with("There is an answer set"));
    let why = ask(&["why-unsat", "--steps", "2"], 0);
    assert!(why.contains("goal(b,c)") && why.contains("goal(a,b)"), "{why}");
    assert!(ask(&["why", "move(b,c,2)"], 0).starts_with("move(b,c,2) holds in every answer set."));
    assert!(ask(&["why-not", "move(b,c,1)"], 0).starts_with("move(b,c,1) holds in no answer set."));
    assert!(ask(&["hint", "-n", "1"], 0).starts_with("Hint 1 ("));
    let note = place.run(&["count", plan[0], plan[1]]).stderr;
    assert!(String::from_utf8_lossy(&note).contains("this is about step 3, the first with an answer set"));
}

/// A hint that takes search names rules and facts that force it together, few enough that each is needed.
#[test]
fn hints_by_search_have_reasons() {
    let place = Place::with(&[]);
    let found = place.json(&["hint", "-n", "2", "kakuro.lp", "kakuro6.lp"], 0);
    let hints = found["hints"].as_array().expect("hints");
    let searched: Vec<&Value> = hints.iter().filter(|h| h["level"] == "search").collect();
    for hint in &searched {
        let parts = hint["why"]["because"].as_array().expect("reasons");
        assert!((2..=40).contains(&parts.len()), "{hint:#}");
        assert!(parts.iter().all(|p| p["place"]["line"].is_number() || p["reason"] == "known"), "{hint:#}");
    }
    assert!(!searched.is_empty(), "{found:#}");
}

/// Messages about mistyped questions are helpful.
#[test]
fn questions_that_are_typed_wrong() {
    let place = Place::with(&[("p.lp", "{a;b}. -e :- a. :- b. d :- not a.\n")]);
    let error = |arguments: &[&str], code: i32| {
        let output = place.run(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(error(&["why", "p.lp", "a"], 65).contains("the atom comes first: asp why 'p(1,a)' p.lp"));
    assert!(error(&["why", "not a", "p.lp"], 65).contains("`asp why-not 'a'`"));
    assert!(error(&["why", "p(X)", "p.lp"], 65).contains("not a ground atom"));
    assert!(error(&["why", " ", "p.lp"], 65).contains("expected an atom"));
    assert!(error(&["whynot", "a", "p.lp"], 128).contains("did you mean the subcommand `asp why-not`?"));
    assert!(error(&["help", "whynot"], 1).contains("did you mean `why-not`?"));
    assert!(error(&["count", "--steps=2", "p.lp"], 0).contains("--steps plays no role"));
    assert!(place.out(&["help", "why"], 0).contains("Usage: asp why "));
    assert!(place.out(&["help"], 0).contains("asp why-unsat"));
    // Classical negation is not an option.
    assert!(place.out(&["why", "-e", "p.lp"], 0).contains("\n-e: by this rule  [p.lp:1]"));
    assert!(place.out(&["why", "d", "p.lp"], 0).contains("`- a: does not hold"));
    assert!(place.out(&["why-not", "d", "p.lp"], 0).contains("`- a holds  [p.lp:1]"));
}

/// docs/explain.md shows what the binary prints; `$ cat FILE` shows a file that the commands use. `ASP_UPDATE=1`
/// rewrites the page.
#[test]
fn commands_of_the_page() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/explain.md");
    let mut page = std::fs::read_to_string(&path).expect("docs/explain.md");
    let place = Place::with(&[]);
    let update = update::is_wanted();
    let commands = commands(&page);
    assert!(commands.len() >= 10, "only {} commands", commands.len());
    for (command, shown) in commands {
        if let Some(name) = command.strip_prefix("cat ") {
            std::fs::write(place.0.path().join(name), &shown).expect("a file");
            continue;
        }
        let words: Vec<String> = command.split_whitespace().skip(1).map(|w| w.replace('\'', "")).collect();
        let output = place.run(&words.iter().map(String::as_str).collect::<Vec<_>>());
        let text = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
        let printed: String = text.lines().map(|l| format!("{}\n", l.trim_end())).collect();
        if update {
            page = page.replacen(&format!("$ {command}\n{shown}"), &format!("$ {command}\n{printed}"), 1);
        } else {
            assert_eq!(printed, shown, "{command}");
        }
    }
    if update {
        update::write(path, page);
    }
}

/// Answers use the user's own words, even if the grounder made auxiliary atoms.
#[test]
fn no_answer_names_auxiliary_atoms() {
    let folder = tempfile::tempdir().expect("a folder");
    let literals = [
        "p(X,_)",
        "not p(X,_)",
        "not p(_,X)",
        "not not p(_,X)",
        "2 { p(X,_) }",
        "#count { Y : p(Y,_) } < 2",
        "#sum { Y,Z : p(Y,Z) } > 4",
        "p(X,Y) : d(Y)",
        "not r(X)",
        "p(X,Y), p(X,Z), Y != Z",
        "p(_,X) : d(X)",
        "not 1 { p(X,_) : d(X) } 2",
        "-p(_,X)",
    ];
    let mut state = 20_261_121u64;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    for round in 0..12 {
        let mut program = String::from("d(1..2). { p(X,Y) : d(Y) } :- d(X). -p(1,2) :- not p(1,2), d(1).\n");
        for head in ["q(X)", "r(X)", "", "s", "{ t(X) }"] {
            let body: Vec<&str> = (0..1 + below(2)).map(|_| literals[below(literals.len())]).collect();
            program.push_str(&format!("{head} :- d(X); {}.\n", body.join("; ")));
        }
        std::fs::write(folder.path().join("p.lp"), &program).expect("a program is written");
        for question in [
            "why-unsat",
            "hint",
            "candidates",
            "unique",
            "why q(1)",
            "why-not q(2)",
            "why-not r(1)",
            "why-not s",
            "why r(2)",
            "why -p(1,2)",
            "hint --json",
            "why-not r(1) --json",
            "why-unsat --json",
        ] {
            let run = Command::new(env!("CARGO_BIN_EXE_asp"))
                .args(question.split(' '))
                .arg("p.lp")
                .current_dir(folder.path())
                .output()
                .expect("asp runs");
            let said = [run.stdout, run.stderr].concat();
            let said = String::from_utf8_lossy(&said);
            assert!(!said.contains("#aux") && !said.contains("#p"), "{round}: {question}\n{program}{said}");
        }
    }
}

#[test]
fn questions_about_integers() {
    let place = Place::with(&[
        ("never.lp", "&dom { 0..3 } = x.\nc :- &sum { x } > 4.\nd :- not c.\n"),
        ("none.lp", "{ a }. :- not a.\n&dom { 0..3 } = x.\n&sum { x } > 2 :- a.\n&sum { x } < 2 :- a.\n"),
        ("least.lp", "&dom { 1..3 } = x. &dom { 1..3 } = y.\n&sum { x; y } >= 4.\n&minimize { 2*x; y }.\n"),
    ]);
    let hints = place.out(&["hint", "never.lp"], 0);
    assert!(
        hints.contains("d holds if not c") && hints.contains("One integer variable has several values."),
        "{hints}"
    );
    assert!(hints.contains("not &sum { x } > 4"), "{hints}");
    assert!(place.out(&["why", "d", "never.lp"], 0).starts_with("d holds in every answer set."));
    let why = place.out(&["why-unsat", "none.lp"], 0);
    assert!(why.contains("these 3 contradict each other") && why.contains("&sum { x } > 2"), "{why}");
    assert_eq!(
        place.out(&["cost", "least.lp"], 0),
        "Least cost: 5.\n\n5 at priority 0\n`- 5 by &minimize { 2*x; y }  [least.lp:3]\n   |- 3: y = 3\n   `- 2: x = 1\n"
    );
}

/// What constraints force is explained by these constraints, whether their variables have few values or many.
#[test]
fn constraints_that_force_an_atom_or_a_value() {
    for (most, sum, half) in [(3, 5, 2), (1000, 1500, 700)] {
        let program = format!(
            "&dom {{ 0..{most} }} = x.\n&dom {{ 0..{most} }} = y.\n&sum {{ x; y }} >= {sum}.\n&sum {{ y }} <= {half}.\n\
             a :- &sum {{ x }} >= {}.\nb :- &sum {{ x }} >= {most}.\n",
            sum - half
        );
        let place = Place::with(&[("t.lp", &program), ("y.lp", &format!("&sum {{ y }} >= {half}.\n"))]);
        for question in [&["why", "a", "t.lp"][..], &["why", &format!("y={half}"), "t.lp", "y.lp"]] {
            let why = place.out(question, 0);
            let named = format!("&sum {{ y }} <= {half} holds  [t.lp:4]");
            assert!(
                why.contains("in every answer set.")
                    && why.contains("none of them can be left out")
                    && why.contains(&named),
                "{why}"
            );
        }
        let not = place.out(&["why-not", &format!("x={}", sum - half - 1), "t.lp"], 0);
        assert!(not.contains("[t.lp:3]") && not.contains("[t.lp:4]"), "{not}");
    }
    let place = Place::with(&[(
        "t.lp",
        "&dom { 0..900 } = x.\nb :- &sum { x } >= 450.\nc. &sum { x } <= 800 :- c.\n",
    )]);
    let why = place.out(&["why", "b", "t.lp"], 0);
    assert!(why.contains("`- &sum { x } >= 450: x = "), "{why}");
    assert!(place.out(&["why", "x = 7", "t.lp"], 0).contains("x = 7: other values are possible, too"));
    let not = place.out(&["why-not", "x = 7", "t.lp"], 0);
    assert!(!not.contains("x = 7: other") && not.contains(": other values are possible, too"), "{not}");
    assert!(place.out(&["why", "z=7", "t.lp"], 3).contains("z = 7 is not the value of an integer variable"));
}

/// Answer sets are told with values as a run prints them.
#[test]
fn answer_sets_with_integers() {
    for most in [3, 1000] {
        let program = format!(
            "&dom {{ 0..3 }} = x. &dom {{ 0..{most} }} = f(1). &sum {{ x; f(1) }} = 2*x. a :- &sum {{ x }} > 2.\n"
        );
        let place = Place::with(&[("t.lp", &program), ("one.lp", "&sum { x } = 3.\n")]);
        assert_eq!(place.out(&["unique", "t.lp", "one.lp"], 0), "Unique.\na x=3 f(1)=3\n");
        let two = place.out(&["unique", "t.lp"], 1);
        assert!(two.contains("\nonly in the first:  ") && !two.contains("__csp"), "{two}");
        for ask in ["sample", "diverse"] {
            assert_eq!(place.out(&[ask, "t.lp", "one.lp"], 0), "Answer: 1\na x=3 f(1)=3\n");
        }
    }
    let grid = "r(1..2). &dom { 1..2 } = v(R,C) :- r(R), r(C). &distinct { v(R,C) : r(C) } :- r(R). &distinct { v(R,C) : r(R) } :- r(C).\n";
    let two = Place::with(&[("t.lp", grid)]).out(&["unique", "t.lp"], 1);
    assert!(two.contains("│ [1] [2] │") && two.contains("v(1,1)=1"), "{two}");
}

/// Variables with too many values for atoms are told by their values.
#[test]
fn integers_are_told_by_values() {
    let place = Place::with(&[
        (
            "wide.lp",
            "&dom { 3..50000; 60000..100000 } = x. &dom { 0..60000 } = y. &dom { 0..5 } = z. { a }.\n\
             &sum { y } = 7. &sum { z } <= 2 :- a. &sum { x; z } >= 50002.\n",
        ),
        ("cost.lp", "&minimize { 2*x; y; z }. #minimize { 7 : not a; 2 : a }.\n"),
        ("dom.lp", "&dom { 0..9 } = x. &dom { 0..5 } = y.\n&sum { x; y } > 20.\nb. &sum { z } > 3.\n"),
        (
            "tasks.lp",
            "task(a,3). task(b,4). task(c,5). horizon(11).\n\
             &dom { 0..H-D } = start(T) :- task(T,D), horizon(H).\n\
             &disjoint { start(T)@D : task(T,D) }.\n",
        ),
    ]);
    let marks = "z: 0..5\nx in 49997..50000 60000..100000\n\npossible: a\n";
    let marks = marks.replace("z: 0..5\n", "y: 7\nz: 0..5\n");
    assert_eq!(place.out(&["candidates", "wide.lp"], 0), marks);
    let brave = place.out(&["wide.lp", "--enum-mode=brave", "-q1"], 30);
    assert!(brave.contains("x=49997..100000 y=7 z=0 z=1"), "{brave}");
    let cautious = place.out(&["wide.lp", "--enum-mode=cautious", "-q1", "--outf=2"], 30);
    assert!(cautious.contains("__csp(y,7)") && !cautious.contains("__csp(x"), "{cautious}");
    let cost = place.out(&["cost", "wide.lp", "cost.lp"], 0);
    assert!(cost.contains("100000: x = 50000") && cost.contains("2: z = 2"), "{cost}");
    assert!(place.out(&["hint", "-n", "0", "wide.lp", "cost.lp"], 1).contains("2 integer variables have"));
    let why = place.out(&["why-unsat", "dom.lp"], 0);
    assert!(why.contains("these 3 contradict each other") && !why.contains("z"), "{why}");
    let why = place.out(&["why-unsat", "tasks.lp"], 0);
    assert!(why.contains("this fact") && why.contains("&dom { 0..H-D } = start(a)"), "{why}");
    let why = place.out(&["why-cost", "wide.lp", "cost.lp"], 0);
    assert!(why.contains("if any one of them is given up"), "{why}");
}
