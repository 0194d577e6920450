//! `hint` and `candidates`: what follows next, and why.

use super::{Place, SUDOKU};

use serde_json::Value;

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

/// Of atoms with two arguments, the values of each are on a line.
#[test]
fn candidates_of_two_arguments() {
    let text = "n(x;y). c(red;green;blue). 1 { v(N,C) : c(C) } 1 :- n(N). :- v(x,red). :- not v(y,blue). #show v/2.\n";
    let lone = "1 { p(a,1); p(b,2) } 1.\n";
    let place = Place::with(&[("two.lp", text), ("lone.lp", lone)]);
    assert_eq!(place.out(&["candidates", "two.lp"], 0), "v(x): blue green\nv(y): blue\n");
    assert_eq!(place.out(&["candidates", "lone.lp"], 0), "possible: p(a,1) p(b,2)\n");
}

/// What grounding made of an atom is not told beside the atom.
#[test]
fn nothing_holds_because_of_itself() {
    let out = Place::with(&[]).out(&["hint", "minesweeper.lp", "mines8.lp"], 0);
    assert!(out.contains("open(3,1,2): fact"), "{out}");
    for line in out.lines().filter(|line| line.contains(" holds if ")) {
        let (text, reason) = line.split_once(": ").expect("a reason");
        assert!(
            !reason.contains(&format!("holds if {}", text.trim_start_matches(['|', '`', '-', ' ']))),
            "{line}"
        );
    }
}

/// A bound that must not hold is told by the opposite one, without what the facts decide.
#[test]
fn clues_are_told_as_bounds() {
    let out = Place::with(&[]).out(&["hint", "-n", "1", "minesweeper.lp", "mines8.lp"], 0);
    let clue = "exactly 1 of { mine in R3C1; mine in R3C2; mine in R4C2; mine in R5C1; mine in R5C2 }: must hold if open(4,1,1)";
    assert!(out.contains("mine in R4C2: no other way is left") && out.contains(clue), "{out}");
    for (bound, told) in
        [("> 1", "at most 1 of { a; b; c }: must hold"), ("< 3", "at least 3 of { a; b; c }: must hold")]
    {
        let program = format!("{{ a; b; c }}. :- {{ a; b; c }} {bound}. :- not a, not b. :- b, not c.\n");
        let out = Place::with(&[("p.lp", &program)]).out(&["hint", "-n", "0", "p.lp"], 0);
        assert!(out.contains(told), "{out}");
    }
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
fn an_external_atom_that_only_rests_on_itself_stays_external() {
    for (value, open, hint, possible) in [
        ("free", 2, None, "possible: a b"),
        ("true", 1, Some("a"), "possible: a b"),
        ("false", 1, None, "possible: b"),
    ] {
        let place = Place::with(&[("p.lp", &format!("a :- a. {{ b }}.\n#external a. [{value}]\n"))]);
        let json = place.json(&["hint", "-n", "0", "p.lp"], i32::from(hint.is_none()));
        assert_eq!(json["open"], open, "{value}");
        let found: Vec<&str> =
            json["hints"].as_array().expect("hints").iter().filter_map(|h| h["atom"].as_str()).collect();
        assert_eq!(found, hint.into_iter().collect::<Vec<_>>(), "{value}");
        let out = place.out(&["candidates", "--by-inference", "p.lp"], 0);
        assert_eq!(out.trim_end(), possible, "{value}");
    }
}

/// Questions leave grounding as it is where it decides whether an external atom has a rule.
#[test]
fn external_atoms_with_rules_that_grounding_drops() {
    for (program, holds, open, has_hints) in [
        ("{ c } :- e : d(3). #external c. [true] d(3).", true, 0, true),
        ("c | d :- a. d. {a}. #external c. [true]", true, 1, true),
        ("{e}. -1 > #count { 1 : a } :- not e. #external c. [free] { c : not q } :- a. {q}.", false, 2, true),
        ("#external c : y. [true] y | z :- a. z. {a}.", true, 1, true),
        ("{e}. -1 > #count { 1 : a } :- not e. #external c : a. [true]", false, 0, true),
    ] {
        let place = Place::with(&[("p.lp", program)]);
        let json = place.json(&["hint", "-n", "0", "p.lp"], i32::from(!has_hints));
        assert_eq!(json["open"], open, "{program}");
        let hints = json["hints"].as_array().expect("hints");
        assert_eq!(hints.iter().any(|hint| hint["atom"] == "c"), holds, "{program}");
    }
}

#[test]
fn facts_that_decide_about_external_atoms_are_not_named() {
    let place = Place::with(&[("p.lp", "#external x. x :- not c. c. d.\n{p; c} = 1 :- d. :- not p.\n")]);
    let run = place.run(&["why-unsat", "p.lp"]);
    let caveat =
        "facts of `c`, `d` stay as they are and are not named: they decide which rules external atoms have";
    let [out, told] = [run.stdout, run.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(told.contains(caveat), "{told}");
    assert!(out.contains("exactly 1 must hold of p, c "), "{out}");
}

#[test]
fn values_that_constraints_leave_are_told() {
    let program = "&dom { 0..2 } = x. &dom { 0..1 } = y. &dom { 4 } = z. &sum { y; -2*x } = 1.\n";
    let json = Place::with(&[("p.lp", program)]).json(&["hint", "-n", "0", "p.lp"], 0);
    let found: Vec<&str> =
        json["hints"].as_array().expect("hints").iter().filter_map(|h| h["atom"].as_str()).collect();
    assert_eq!(found, ["x = 0", "y = 1"]);
}

#[test]
fn cells_come_first_and_other_atoms_are_not_forgotten() {
    let place = Place::with(&[
        ("facts.lp", "edge(0..1,1). r((X,X),1) :- edge(X,_). { a }.\n"),
        (
            "grid.lp",
            "{ v(1..2,1..2,1..2) }. :- not v(R,C,R), R = 1..2, C = 1..2. :- v(R,C,3-R). b. c :- b, v(1,1,1). { a }.\n",
        ),
    ]);
    assert_eq!(
        place.out(&["hint", "-n", "0", "facts.lp"], 1),
        "One atom is open: it holds in some answer sets.\n"
    );
    let json = place.json(&["hint", "-n", "0", "grid.lp"], 0);
    let atoms: Vec<&str> =
        json["hints"].as_array().expect("hints").iter().filter_map(|h| h["atom"].as_str()).collect();
    assert_eq!(atoms, ["v(1,1,1)", "v(1,2,1)", "v(2,1,2)", "v(2,2,2)", "c"]);
    assert_eq!(json["open"], 1);
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

/// Hints speak of the cells that the picture shows, by the shape of atoms or by what the program says to draw; marks are told
/// where they cannot be, too, and what cannot hold is counted.
#[test]
fn hints_in_the_words_of_the_picture() {
    let place = Place::with(&[
        ("s.lp", SUDOKU),
        (
            "own.lp",
            "{ tent(1..2,1..2) } = 1. :- tent(1,X). :- tent(2,1).\nspot(R,C) :- tent(R,C). render_size(2,2). render_cell(R,C,\"T\") :- tent(R,C). #show tent/2.\n",
        ),
        ("pairs.lp", "{ at(X,1..3) } = 1 :- X = (a;b). :- at(a,1). #show at/2.\n"),
    ]);
    let hint = place.out(&["hint", "-n", "1", "sudoku.lp", "s.lp"], 0);
    let line = hint.lines().nth(1).expect("a hint");
    assert!(line.starts_with('R') && line.contains(" is ") && line.contains(": "), "{hint}");
    assert!(!hint.contains("cell_has_number("), "{hint}");
    let json = place.json(&["hint", "-n", "1", "sudoku.lp", "s.lp"], 0);
    let (atom, says) = (&json["hints"][0]["atom"], &json["hints"][0]["says"]);
    assert!(atom.as_str().is_some_and(|a| a.starts_with("cell_has_number(")), "{json:#}");
    assert!(says.as_str().is_some_and(|s| line.starts_with(s)), "{json:#}");
    let mines = place.out(&["hint", "-n", "0", "minesweeper.lp", "mines-edge.lp"], 0);
    assert!(mines.contains("\nmine in R2C3: ") && mines.contains("\nno mine in R2C1: "), "{mines}");
    // What no clue leaves is given.
    assert!(!mines.contains("\nno mine in R1C1: "), "{mines}");
    let own = place.out(&["hint", "-n", "0", "own.lp"], 0);
    assert!(own.contains("\nR2C2 is T: "), "{own}");
    let pairs = place.out(&["hint", "pairs.lp"], 1);
    assert_eq!(pairs, "5 atoms are open: they hold in some answer sets; one other cannot hold.\n");
}

/// Marks of cells are drawn as candidates in the grid, unless it is wide.
#[test]
fn candidates_that_mark_cells() {
    let queens = "{ q(R,1..4) } = 1 :- R = 1..4. :- q(R,C), q(S,C), R < S. :- q(R,C), q(S,D), R < S, S-R = |C-D|.\n#show q/2.\n";
    let jobs =
        "{ start(J,0..30) } = 1 :- J = 1..2. :- start(1,S), S > 3. :- start(2,S), S < 29. #show start/2.\n";
    let place = Place::with(&[("queens.lp", queens), ("jobs.lp", jobs)]);
    let drawn = "┌─────────┐\n│ . Q Q . │\n│ Q . . Q │\n│ Q . . Q │\n│ . Q Q . │\n└─────────┘\n";
    assert_eq!(place.out(&["candidates", "queens.lp"], 0), drawn);
    assert_eq!(place.out(&["candidates", "jobs.lp"], 0), "start(1): 0..3\nstart(2): 29..30\n");
}

/// Cells may be pairs.
#[test]
fn candidates_of_pairs_are_a_grid() {
    let program = "1 { v((R,C),1..3) } 1 :- R = 1..3, C = 1..3. :- v((R,C),V), v((R,D),V), C < D.
        :- v((R,C),V), v((Q,C),V), R < Q. v((1,1),2). #show v/2.";
    let out = crate::support::spawn::run(["candidates", "-"], program).stdout;
    assert!(out.contains("│   2'  13   13 │\n│  13  123  123 │"), "{out}");
}

/// A table of facts is no grid to be filled.
#[test]
fn hints_beside_a_table_of_facts() {
    let program = "c(1,1,3). c(1,2,4). c(2,1,4). c(2,2,0). {a(1,2)}. {b}. :- not b.";
    let out = crate::support::spawn::run(["hint", "-"], program).stdout;
    assert!(out.contains("b: must hold") && out.contains("One atom is open"), "{out}");
}

/// Terms are hinted as atoms are, in steps and where nothing else is shown, but for those written as an atom is.
#[test]
fn hints_of_shown_terms() {
    let choice = "n(1..2). 1 { v(X,Y) : n(Y) } 1 :- n(X). :- v(1,1). { free }.";
    let program = |rest: &str| format!("{choice} {rest}");
    let hint = |text: &str| crate::support::spawn::run(["hint", "-n", "0", "-"], text).stdout;
    let only = hint(&program("#show at(Y) : v(1,Y). #show (a,Y) : v(1,Y). #show Y : free, v(1,Y). #show."));
    assert!(only.contains("\nat(2): ") && only.contains("\n(a,2): ") && !only.contains("v in"), "{only}");
    assert!(only.contains("\nOne atom is open"), "{only}");
    // What is shown of atoms stays.
    let both = hint(&program("#show at(Y) : v(1,Y)."));
    assert!(
        both.contains("\nat(2): ") && both.contains("v in R1C2") && both.contains("3 atoms are open"),
        "{both}"
    );
    let parts = hint(
        "#program base. {a}. :- not a. #show t(1) : a. #show. #program step(k). b(k). #show u(k) : b(k).",
    );
    assert!(parts.contains("\nt(1): ") && !parts.contains("\na: "), "{parts}");
    let alike = hint(&program("#show n(5) : free. #show free/0. :- not free."));
    assert!(
        alike.contains("\nfree: ")
            && alike.ends_with("One shown term looks like an atom of the program; nothing is said of it.\n"),
        "{alike}"
    );
}

/// Where rules that derive atoms leave no choice, these are named.
#[test]
fn hints_by_rules_alone() {
    let out = crate::support::spawn::run(["hint", "-"], "d; b :- not b. #show d/0.").stdout;
    assert!(out.contains("d: these together leave no other way\n`- b or d holds if not b"), "{out}");
}
