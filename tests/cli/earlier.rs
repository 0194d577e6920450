//! Earlier answers: `--start` begins at one, `--near` stays near it, in every form in which one is written. `--gap`, too.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use asp_base::rng::Rng;
use serde_json::Value;

use crate::support::spawn::{Run, answers, folder_with, run_in, words};

/// A roster, of which the first nurse is ill at the end of the week.
const ROSTER: &str = "nurse(1..4). day(1..5). 1 { w(N,D) : nurse(N) } 1 :- day(D).
    :- nurse(N), { w(N,D) : day(D) } > 2. :- ill(N), w(N,D), D > 2. ill(1).
    #minimize { N*D@1,N,D : w(N,D) }. #show w/2.";
const YESTERDAY: &str = "w(1,1). w(1,3). w(2,2). % the middle\nw(3,4).w(2,5).";

/// The last line of costs of a run.
fn costs(run: &Run) -> Vec<i64> {
    let line = run.stdout.lines().rev().find_map(|line| line.strip_prefix("Optimization : "));
    words(line.unwrap_or_else(|| panic!("{run:?}"))).map(|n| n.parse().expect("a number")).collect()
}

#[test]
fn answers_stay_near_an_earlier_one_on_the_level_asked_for() {
    let dir = folder_with(&[("roster.lp", ROSTER), ("yesterday.lp", YESTERDAY)]);
    let run = |argument: &str| run_in(dir.path(), ["roster.lp", argument], "");
    assert_eq!(costs(&run("--near=yesterday.lp")), [30, 6]);
    let first = run("--near=yesterday.lp@2");
    assert_eq!(costs(&first), [2, 36]);
    assert_eq!(
        answers(&first.stdout).last().unwrap().split(' ').filter(|w| YESTERDAY.contains(w)).count(),
        4
    );
    assert_eq!(costs(&run("--near=yesterday.lp@1")), [35], "one sum with the program's own");
}

/// Atoms count that answers do not show, and only constraints read.
#[test]
fn hidden_atoms_of_an_earlier_answer_count() {
    let program = "1 { a(1..3) } 1. p(X,Y) :- a(X), a(Y). :- p(X,Y), X < Y. #show a/1.";
    let dir = folder_with(&[("a.lp", program), ("earlier", "p(2,2). p(3,3).")]);
    for rewritings in ["none", "all", "eager"] {
        let run = run_in(dir.path(), ["a.lp", "--near=earlier", &format!("--rewrite={rewritings}")], "");
        assert!(matches!(answers(&run.stdout).last(), Some(&"a(2)" | &"a(3)")), "{run:?}");
        assert_eq!(costs(&run), [1], "{rewritings}");
    }
}

/// Terms that `#show` makes, under one condition or several, as answers print them.
#[test]
fn shown_terms_of_an_earlier_answer_count() {
    let program = "1 { at(X,1..3) } 1 :- X = 1..3. #show on(X,Y) : at(X,Y). #show level(Y) : at(_,Y).";
    let dir = folder_with(&[
        ("a.lp", program),
        ("on", "on(1,2). on(2,2). on(3,1)."),
        ("level", "level(3). level(4)."),
    ]);
    let on = run_in(dir.path(), ["a.lp", "--near=on"], "");
    assert!(answers(&on.stdout).last().unwrap().contains("on(1,2) on(2,2) on(3,1)"), "{on:?}");
    assert_eq!((costs(&on), on.stderr.as_str()), (vec![0], ""));
    let level = run_in(dir.path(), ["a.lp", "--near=level"], "");
    assert!(answers(&level.stdout).last().unwrap().contains("on(1,3) on(2,3) on(3,3) level(3)"), "{level:?}");
    assert_eq!(costs(&level), [0]);
    assert!(level.stderr.contains("1 atom of the answer cannot hold any more"), "{level:?}");
    let apart = run_in(dir.path(), ["a.lp", "--near=level", "-"], ":- at(2,3). :- at(3,3).");
    assert_eq!(costs(&apart), [1]);
}

#[test]
fn an_answer_is_read_as_it_is_printed() {
    let dir = folder_with(&[("roster.lp", ROSTER)]);
    let run = |arguments: &[&str]| run_in(dir.path(), [&["roster.lp"], arguments].concat(), "");
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
    let plain = run(&[]);
    let best = answers(&plain.stdout).last().unwrap().to_string();
    write("plain", &plain.stdout);
    write("bare", &run(&["-V0"]).stdout);
    write("json", &run(&["--outf=2"]).stdout);
    write("lines", &run(&["--outf=jsonl"]).stdout);
    write("list", &format!("{:?}", best.split(' ').collect::<Vec<_>>()));

    write("terms", &best);
    for file in ["plain", "bare", "json", "lines", "list", "terms"] {
        let near = run(&[&format!("--near={file}")]);
        assert_eq!((answers(&near.stdout), costs(&near)), (vec![best.as_str()], vec![30, 0]), "{file}");
        let start = run(&[&format!("--start={file}")]);
        assert_eq!((answers(&start.stdout), costs(&start)), (vec![best.as_str()], vec![30]), "{file}");
    }
}

#[test]
fn terms_of_all_kinds_are_read() {
    let program = r#"{ p(("a. \"b\\\n",-1)); -p(f(#inf,(3,))); q }. #show p/1. #show -p/1."#;
    let dir = folder_with(&[("a.lp", program)]);
    let all = run_in(dir.path(), ["a.lp", "--outf=jsonl", "0"], "");
    for line in all.stdout.lines().filter(|line| line.starts_with("{\"number\"")) {
        std::fs::write(dir.path().join("one"), line).unwrap();
        let near = run_in(dir.path(), ["a.lp", "--near=one", "--outf=jsonl"], "");
        let last = near.stdout.lines().rev().nth(1).expect("an answer");
        let atoms = |line: &str| serde_json::from_str::<Value>(line).expect("JSON")["atoms"].clone();
        assert_eq!(atoms(last), atoms(line), "{}", near.stderr);
    }
    assert_eq!(all.stdout.lines().count(), 9, "{}", all.stdout);
}

#[test]
fn what_is_no_answer_is_told_with_its_place() {
    let refused = |text: &str, place: &str, why: &str| {
        let dir = folder_with(&[("a.lp", "{ a(1..3) }."), ("x", text)]);
        for option in ["--near=x", "--start=x"] {
            let run = run_in(dir.path(), ["a.lp", option], "");
            assert_eq!(run.code, Some(65), "{text}: {}", run.stderr);
            assert!(run.stderr.contains(why) && run.stderr.contains(place), "{text}: {}", run.stderr);
        }
    };
    refused("a(1).\n a(X).", "x:2:2", "`a(X)` is not an atom");
    refused("Answer: 1\na(1) a(2", "x:2:6", "`a(2` is not an atom");
    refused("{\"atoms\": [", "x:1:", "this is not JSON: EOF");
    refused("[\"a(1)\", \"a(\"]", "x:1:10", "`a(` is not an atom");
    refused("[\"a(1)\", null]", "x:1:10", "`null` is not an atom");
    refused("{\"Result\": \"UNKNOWN\"}", "x:1:1", "no answer");
    refused("a(1). \u{fffd}", "x:1:7", "is not an atom");
    let run = run_in(folder_with(&[("a.lp", "a.")]).path(), ["a.lp", "--start=y"], "");
    assert!(run.code == Some(65) && run.stderr.contains("could not be opened: y"), "{run:?}");
}

#[test]
fn what_cannot_be_compared_is_told() {
    let dir = folder_with(&[("a.lp", "{ a(1..3) }. b(1)."), ("x", "a(1) a(7) x=3 17 b(1)")]);
    let run = run_in(dir.path(), ["a.lp", "--near=x"], "");
    assert_eq!((answers(&run.stdout), costs(&run)), (vec!["a(1) b(1)"], vec![0]), "{run:?}");
    assert!(run.stderr.contains("x: 2 terms or values left out"), "{}", run.stderr);
    assert!(run.stderr.contains("x: 1 atom of the answer cannot hold any more"), "{}", run.stderr);
    let run = run_in(dir.path(), ["--near=x", "-"], "#include <incmode>. #program base. a(1).");
    assert!(run.code == Some(1) && run.stderr.contains("'near'"), "{run:?}");
}

/// The least difference, and an answer that has it, by all answers.
#[test]
fn nothing_differs_less() {
    let mut exact = 0;
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let mut program = "{ a(1..5); b(1..3) }.\n".to_string();
        for _ in 0..rng.below(6) {
            let mut body = Vec::new();
            for _ in 0..1 + rng.below(3) {
                let sign = if rng.chance(0.5) { "not " } else { "" };
                let (name, most) = if rng.chance(0.6) { ("a", 5) } else { ("b", 3) };
                body.push(format!("{sign}{name}({})", 1 + rng.below(most)));
            }
            let _ = writeln!(program, ":- {}.", body.join(", "));
        }
        let wanted: BTreeSet<String> =
            (1..=5).filter(|_| rng.chance(0.5)).map(|i| format!("a({i})")).chain(["a(1)".into()]).collect();
        let text: Vec<&str> = wanted.iter().map(String::as_str).collect();
        let dir = folder_with(&[("a.lp", &program), ("x", &text.join(" "))]);
        let all = run_in(dir.path(), ["a.lp", "0"], "");
        let difference = |answer: &str| {
            let found: BTreeSet<String> =
                words(answer).filter(|w| w.starts_with('a')).map(String::from).collect();
            found.symmetric_difference(&wanted).count() as i64
        };
        let Some(least) = answers(&all.stdout).iter().map(|answer| difference(answer)).min() else {
            continue;
        };
        for argument in ["-t1", "-t2", "--opt-strategy=usc"] {
            let near = run_in(dir.path(), ["a.lp", "--near=x", argument], "");
            assert_eq!(costs(&near), [least], "{program}{wanted:?}");
            assert_eq!(difference(answers(&near.stdout).last().unwrap()), least, "{program}{wanted:?}");
        }
        exact += u32::from(least == 0);
    }
    assert!(exact > 3, "{exact}");
}

#[test]
fn a_gap_that_is_close_enough_is_told() {
    let knapsack = "{ t(1..20) }. #maximize { (X*X*7)\\23+9,X : t(X) }.
        :- #sum { (X*X*5)\\19+7,X : t(X) } > 90. :- #sum { (X*X*3)\\17+5,X : t(X) } > 80.";
    let dir = folder_with(&[("a.lp", knapsack)]);
    let run = |arguments: &[&str]| run_in(dir.path(), [&["a.lp"], arguments].concat(), "");
    let best = costs(&run(&[]))[0];
    for option in ["--gap=30", "--gap-abs=60"] {
        let early = run(&[option]);
        assert_eq!(early.code, Some(10), "{early:?}");
        assert!(
            early.stdout.contains("\nSATISFIABLE\n") && early.stdout.contains("% (close enough)"),
            "{early:?}"
        );
        assert!(costs(&early)[0] - best <= 60, "{early:?}");
        let json: Value = serde_json::from_str(&run(&[option, "--outf=2"]).stdout).expect("JSON");
        let bounds = &json["Bounds"];
        assert_eq!(bounds["Close"], "yes", "{json}");
        let (lower, upper) = (&bounds["Lower"][0], &bounds["Upper"][0]);
        assert!(lower.as_i64() <= Some(best) && upper.as_i64() >= Some(best), "{json}");
        assert!(bounds["Gap"].as_f64().is_some_and(|gap| gap > 0.0 && gap <= 30.0), "{json}");
        let lines = run(&[option, "--outf=jsonl"]).stdout;
        let last: Value = serde_json::from_str(lines.lines().last().unwrap()).expect("JSON");
        assert_eq!((&last["close"], &last["lower"][0]), (&Value::Bool(true), lower), "{last}");
    }
    for option in ["--gap=0", "--gap-abs=0", "--gap=no"] {
        let whole = run(&[option]);
        assert_eq!((whole.code, costs(&whole)), (Some(30), vec![best]), "{option}");
    }
    for option in ["--gap=101", "--gap=-1", "--gap=x", "--gap-abs=1.5"] {
        assert_eq!(run(&[option]).code, Some(1), "{option}");
    }
}
