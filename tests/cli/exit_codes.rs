//! Every exit code, one by one.

use crate::support::spawn;
use std::fs;

/// Random clauses that take a long search.
const HARD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/programs/hard.lp");
const HARD_COST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/programs/hard-cost.lp");
const ENDLESS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/programs/endless.lp");

/// Runs a program from standard input and checks the exit code and whether there is a message.
#[track_caller]
fn check(program: &str, arguments: &str, code: i32) {
    let run = spawn::run(spawn::words(arguments), program);
    let messages = run.stderr;
    assert_eq!(run.code, Some(code), "{program} {arguments}: {messages}");
    if matches!(code, 1 | 11 | 33 | 65) {
        assert!(!messages.is_empty(), "{program} {arguments}: no message");
    }
}

#[test]
fn code_10_satisfiable_and_more_may_follow() {
    check("{a}.", "", 10);
    check("{a; b}.", "2", 10);
    check("{a}. #minimize { 1 : a }.", "--opt-mode=ignore", 10);
    check("1 {a; b} 1. #minimize { 1 : a; 2 : b }.", "--opt-stop=2", 10);
    check("1 {a; b} 1. #minimize { 1 : a; 2 : b }.", "--gap=100", 10);
    check("{a}.", "-e brave 1", 10);
}

#[test]
fn code_20_unsatisfiable() {
    check("a. :- a.", "", 20);
    check("{a}. :- a. :- not a.", "0", 20);
    check("a. #minimize { 3 : a }.", "--opt-mode=enum,2", 20);
    check("a :- not a.", "-e cautious", 20);
    check("a :- not a.", "--outf=2", 20);
}

#[test]
fn code_30_all_found_or_optimum_proven() {
    check("a.", "", 30);
    check("{a}.", "0", 30);
    check("{a}.", "3", 30);
    check("{a}. #minimize { 1 : a }.", "", 30);
    check("{a}. #minimize { 1 : a }.", "--opt-mode=optN 0", 30);
    check("{a}.", "-e brave", 30);
    check("{a}.", "-e cautious", 30);
    check("{a}.", "0 --outf=3", 30);
    // Non-termination is only a guess.
    check("p(0) :- #false. p(X+1) :- p(X).", "--warn=error", 30);
}

#[test]
fn code_0_nothing_known_or_nothing_to_solve() {
    check("{a}.", "--solve-limit=0", 0);
    check("", &format!("{HARD} --solve-limit=20"), 0);
    for arguments in ["--text", "--mode=gringo", "--output=smodels", "--pre", "--help", "--version", "--list"]
    {
        check("a.", arguments, 0);
    }
    check("a.", "--warn=help", 0);
    check("a.", "--generate=man", 0);
}

#[test]
fn code_1_stopped_without_a_model_or_wrong_option() {
    check("", &format!("{HARD} --time-limit=1"), 1);
    for arguments in ["--foo", "-n x", "--outf=9x", "--opt-mode=best", "-Wfoo", "--time-limit", "-z", "1 2"] {
        check("a.", arguments, 1);
    }
}

#[test]
fn code_64_wrong_arguments_of_a_subcommand() {
    for arguments in
        ["why", "unique --foo", "count -t x", "cubes --foo", "new", "test", "check --message-format=x"]
    {
        let run = spawn::run(spawn::words(arguments), "");
        assert_eq!(run.code, Some(64), "{arguments}: {}", run.stderr);
        assert!(!run.stderr.is_empty(), "{arguments}");
    }
    for arguments in ["why --help", "count --help"] {
        assert_eq!(spawn::run(spawn::words(arguments), "").code, Some(0), "{arguments}");
    }
}

#[test]
fn code_11_stopped_with_a_model() {
    check("", &format!("{HARD_COST} --time-limit=1"), 11);
    check("{a(1..99)}.", "0 --time-limit=1 -q", 11);
}

#[test]
fn code_33_out_of_memory() {
    check("", &format!("{ENDLESS} --memory-limit=40"), 33);
    check("", &format!("{ENDLESS} --ground-limit=1000"), 33);
}

#[test]
fn code_65_any_error_in_the_input() {
    for (program, arguments) in [
        ("a :- b(", ""),
        ("a(X).", ""),
        ("a.", "no-such-file.lp"),
        ("#include \"no-such-file.lp\".", ""),
        ("a(9223372036854775807+1).", ""),
        ("a.", "-c n=X"),
        ("a :- ", "--text"),
        ("a(X).", "--outf=2"),
        ("nonsense", "--mode=clasp"),
        ("#script (python) pass #end.", ""),
    ] {
        check(program, arguments, 65);
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("b.lp"), [0xff, 0xfe, b'a', b'.']).unwrap();
    let file = folder.path().join("b.lp");
    check("", file.to_str().unwrap(), 65);
    // A folder is not a program.
    check("", folder.path().to_str().unwrap(), 65);
}
