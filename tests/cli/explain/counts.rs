//! `unique`, `count`, `sample` and `diverse`: which answer sets there are, and how many.

use super::{Place, SUDOKU};
use std::collections::BTreeSet;

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

/// Where the answer sets themselves are drawn as a graph.
#[test]
fn cells_are_drawn_as_in_pictures() {
    let text = "{p(R,C,V) : V=1..2} = 1 :- R=1..2, C=1..2. :- p(1,C,2). :- p(2,1,2). edge(1,2). edge(2,1).\n\
                render_node(1..2). render_edge(1,2).\n";
    let place = Place::with(&[("p.lp", text)]);
    let out = place.out(&["unique", "p.lp"], 1);
    let [first, second] = ["[1]", "[2]"]
        .map(|v| ["┌─────────┐", "│   1   1 │", &format!("│   1 {v} │"), "└─────────┘"].map(String::from));
    let beside = |a: &[String; 4], b: &[String; 4]| {
        (0..4).map(|i| format!("{}    {}\n", a[i], b[i])).collect::<String>()
    };
    assert!(out.contains(&beside(&first, &second)) || out.contains(&beside(&second, &first)), "{out}");
    let out = place.out(&["candidates", "p.lp"], 0);
    assert!(out.starts_with("┌───────┐\n│  1  1 │\n│  1 12 │\n└───────┘\n\npossible:"), "{out}");
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

/// A round robin of six teams, each pair at the home of one: 720 schedules, in each of which 15 homes are open.
#[test]
fn a_tournament_is_counted_and_drawn_from() {
    let text = "team(1..6). round(1..5).\n\
                { plays(H,G,R) : round(R), H = A, G = B; plays(H,G,R) : round(R), H = B, G = A } = 1 :- team(A), team(B), A < B.\n\
                :- team(T), round(R), { plays(T,_,R); plays(_,T,R) } != 1.\n#show plays/3.\n";
    let place = Place::with(&[("p.lp", text)]);
    assert_eq!(place.out(&["count", "p.lp"], 0).trim(), (720u64 << 15).to_string());
    let drawn = place.run(&["sample", "-n", "2", "p.lp"]);
    assert_eq!(drawn.status.code(), Some(0));
    // Each answer set was as likely as any other: nothing is said of walks.
    assert_eq!(String::from_utf8_lossy(&drawn.stderr), "");
    assert_eq!(String::from_utf8_lossy(&drawn.stdout).matches("plays(").count(), 30);
}
