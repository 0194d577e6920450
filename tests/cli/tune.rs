//! `asp tune`: what a race is told, what it refuses, and that what it writes is what runs read. Who wins is tested without a clock, in
//! `crates/run/src/tune`.

use crate::support::spawn::{folder_with, run_in};

const QUEENS: &str = "1 { q(R,1..n) } 1 :- R = 1..n. :- q(R,C), q(S,C), R < S.
    :- q(R,C), q(S,D), R < S, |C-D| = S-R. #show q/2.";

#[test]
fn a_race_shows_each_candidate_and_writes_what_a_run_reads() {
    let dir = folder_with(&[("queens.lp", QUEENS), ("9.lp", "#const n = 9."), ("10.lp", "#const n = 10.")]);
    let run = run_in(
        dir.path(),
        ["tune", "queens.lp", "-n", "0", "--each", "9.lp", "--each=10.lp", "--within", "1", "--write=q.cfg"],
        "",
    );
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines[0], " ratio  runs  options", "{run:?}");
    // On a busy machine runs may be cut off.
    assert!(lines[1].starts_with("  1.00   2/2  the default: 9.lp "), "{run:?}");
    assert!(lines[1].contains(" s, 10.lp "), "{run:?}");
    assert!(lines[2].ends_with("/2  --heuristic=Vmtf"), "no objective: {run:?}");
    match run.code.unwrap_or(-1) {
        0 => {
            let written = std::fs::read_to_string(dir.path().join("q.cfg")).unwrap();
            assert!(
                written.starts_with("[tuned]") && run.stdout.ends_with(&format!("\n{written}")),
                "{run:?}"
            );
            let read = run_in(dir.path(), ["--configuration=q.cfg", "queens.lp", "10.lp", "0", "-q"], "");
            assert!(read.stdout.contains("Models       : 724"), "{read:?}");
        }
        1 => assert!(run.stdout.ends_with("\nThe default is the best that was found.\n"), "{run:?}"),
        _ => panic!("{run:?}"),
    }
}

/// What is cut off is compared by what it had found; programs in steps are grounded for each run.
#[test]
fn objectives_that_are_not_proven_and_steps_are_raced() {
    let knapsack = "{ x(1..60) }. :- #sum { (I*7919) \\ 101,I : x(I) } > 1000.
        :- #sum { 1,I : x(I), I \\ 3 = 0; -1,I : x(I), I \\ 5 = 0 } != 0.
        #maximize { (I*7907) \\ 97,I : x(I) }. #maximize { X*Y \\ 7,X,Y : x(X), x(Y), X < Y }.";
    let steps = "#include <incmode>. #program step(t). { at(t,1..3) } = 1. :- at(t,X), at(t-1,X).
        #program check(t). :- query(t), t < 50.";
    let dir = folder_with(&[("knapsack.lp", knapsack), ("steps.lp", steps)]);
    let run = run_in(dir.path(), ["tune", "--within=1.5", "knapsack.lp"], "");
    assert!(matches!(run.code, Some(0 | 1)) && run.stdout.contains("--opt-strategy=usc\n"), "{run:?}");
    let run = run_in(dir.path(), ["tune", "--within=0.5", "steps.lp"], "");
    assert!(matches!(run.code, Some(0 | 1)) && run.stdout.contains(" 1/1  the default: "), "{run:?}");
}

#[test]
fn what_takes_no_time_is_not_raced() {
    let dir = folder_with(&[("a.lp", "{a}.")]);
    let run = run_in(dir.path(), ["tune", "a.lp"], "");
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(
        run.stderr.contains("note: the default takes less than 0.01 s: there is nothing to gain"),
        "{run:?}"
    );
    assert_eq!(run.stdout.lines().count(), 4, "{run:?}");
}

#[test]
fn mistakes_are_told_before_anything_runs() {
    let dir = folder_with(&[("a.lp", "{a}."), ("bad.lp", "a :- b(."), ("plan.lp", "p.")]);
    for (words, code, text) in [
        ("", 64, "tune needs files: asp tune FILES"),
        ("a.lp --within=soon", 64, "'soon': --within is a number of seconds, 0.1 or more"),
        ("a.lp --within", 64, "'--within' needs a value"),
        ("a.lp --each=none.lp", 65, "file could not be opened: none.lp"),
        ("bad.lp", 65, "bad.lp:1:"),
        ("a.lp --sead=3", 64, "unknown option: 'sead'; did you mean '--seed'?"),
        ("a.lp --text", 64, "tune does not go with the options that print the ground program"),
        ("a.lp --write=plan.lp", 64, "plan.lp exists and is no configuration"),
        ("a.lp --write=a.lp", 64, "a.lp is already read"),
        ("a.lp -", 64, "tune reads files, not standard input"),
        ("a.lp --version", 64, "this option cannot be given with tune"),
    ] {
        let arguments: Vec<&str> = ["tune"].into_iter().chain(words.split_whitespace()).collect();
        let run = run_in(dir.path(), arguments, "");
        assert_eq!(run.code, Some(code), "{words}: {run:?}");
        assert!(run.stderr.contains(text), "{words}: {run:?}");
    }
    assert_eq!(std::fs::read_to_string(dir.path().join("plan.lp")).unwrap(), "p.");
}

#[test]
fn limits_and_signals_end_a_race() {
    let dir = folder_with(&[("queens.lp", QUEENS)]);
    let arguments = ["tune", "queens.lp", "-c", "n=18", "0", "--time-limit=1", "--within=1000"];
    let run = run_in(dir.path(), arguments, "");
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stderr.contains("the time limit was reached"), "{run:?}");
}
