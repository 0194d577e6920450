//! Signals, limits and closed pipes: the run ends in time, with a summary, the best model and the right exit code.

use crate::support::spawn;
use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Output};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// Random clauses of three literals at the threshold, with too many variables to be solved during a test.
fn hard() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let mut state: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut next = |n: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state % n
        };
        let mut text = String::from("{ x(1..700) }. #show x/1.\n");
        for _ in 0..2980 {
            let mut literal = || format!("{} x({})", ["", "not"][next(2) as usize], next(700) + 1);
            text.push_str(&format!(":- {}, {}, {}.\n", literal(), literal(), literal()));
        }
        text
    });
    &TEXT
}
/// Grounds for a long time.
const LONG_GROUNDING: &str = "p(0). p(X+1) :- p(X), X < 300000000. { a }.\n";
/// Takes long to ground, with an empty result.
const LONG_JOIN: &str = "n(1..4000). :- n(X), n(Y), n(Z), X*Y*Z = 64000000001. { a }.\n";
/// The first model is found at once, and there are very many.
const MANY: &str = "{ a(1..60) }.\n";
/// The first model is found at once, the best one not during a test.
const COSTLY: &str = "n(1..60). { in(X) } :- n(X). #minimize { 1@2 }.\n\
    { e(X,Y) } :- n(X), n(Y), X < Y. :- e(X,Y), e(Y,Z), e(X,Z). c(X,Y,(X*X*7+Y*31*X+Y*Y*13)\\47-20) :- n(X), n(Y), X < Y.\n\
    #minimize { C@1,X,Y : e(X,Y), c(X,Y,C) }. :- #count { Y : e(X,Y) } > 7, n(X). #show.\n";

struct Run {
    child: Child,
    started: Instant,
}

fn start(program: &str, arguments: &[&str]) -> Run {
    let child = spawn::start(&mut spawn::command(arguments), program);
    Run { child, started: Instant::now() }
}

impl Run {
    fn signal(&self, name: &str) {
        let status =
            Command::new("kill").args([&format!("-{name}"), &self.child.id().to_string()]).status().unwrap();
        assert!(status.success());
    }

    /// Waits; kills the process if it does not end.
    fn end(mut self, limit: Duration) -> (Output, Duration) {
        let stop = Instant::now() + limit + Duration::from_secs(5);
        // Read concurrently, so that a full pipe does not keep the child alive.
        let mut pipes = (self.child.stdout.take().unwrap(), self.child.stderr.take().unwrap());
        let out = std::thread::spawn(move || {
            let mut bytes = Vec::new();
            pipes.0.read_to_end(&mut bytes).unwrap();
            bytes
        });
        let err = std::thread::spawn(move || {
            let mut bytes = Vec::new();
            pipes.1.read_to_end(&mut bytes).unwrap();
            bytes
        });
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            if Instant::now() > stop {
                self.child.kill().unwrap();
                panic!("does not end");
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let took = self.started.elapsed();
        (Output { status, stdout: out.join().unwrap(), stderr: err.join().unwrap() }, took)
    }
}

/// Sends a signal to the run after a while; it has to end soon, with an exit code and with lines in the output.
#[track_caller]
fn check_signal(signal: &str, program: &str, arguments: &[&str], code: i32, lines: &[&str]) {
    let run = start(program, arguments);
    std::thread::sleep(Duration::from_millis(500));
    let sent = Instant::now();
    run.signal(signal);
    let (output, _) = run.end(Duration::from_secs(4));
    let took = sent.elapsed();
    let text = String::from_utf8(output.stdout).unwrap();
    let messages = String::from_utf8(output.stderr).unwrap();
    // Much more than is promised: the machine may be busy with other tests.
    assert!(took < Duration::from_millis(1500), "{took:?} after the signal\n{text}{messages}");
    assert_eq!(output.status.code(), Some(code), "{text}{messages}");
    for line in lines {
        assert!(text.contains(line), "no `{line}` in\n{text}{messages}");
    }
    assert!(messages.contains("INTERRUPTED"), "{messages}");
}

#[test]
fn signals_while_grounding() {
    let lines = ["UNKNOWN\n", "INTERRUPTED  : 1\n", "Models       : 0+\n"];
    check_signal("INT", LONG_GROUNDING, &[], 1, &lines);
    check_signal("TERM", LONG_GROUNDING, &[], 1, &lines);
}

#[test]
fn signals_while_searching() {
    check_signal("INT", hard(), &[], 1, &["UNKNOWN\n", "INTERRUPTED  : 1\n"]);
    check_signal("TERM", hard(), &["--outf=2"], 1, &["\"Result\": \"UNKNOWN\"", "\"INTERRUPTED\": 1"]);
}

#[test]
fn signals_while_enumerating() {
    check_signal("INT", MANY, &["0", "-q"], 11, &["SATISFIABLE\n", "INTERRUPTED  : 1\n"]);
    check_signal("TERM", MANY, &["0"], 11, &["SATISFIABLE\n", "INTERRUPTED  : 1\n", "Answer: 1 "]);
}

#[test]
fn signals_while_optimising_leave_the_best_model() {
    let lines =
        ["SATISFIABLE\n", "INTERRUPTED  : 1\n", "  Optimum    : unknown\n", "Optimization : 1 ", "Answer: "];
    check_signal("TERM", COSTLY, &["-q1"], 11, &lines);
    // The limit on CPU time that a shell sets.
    check_signal("XCPU", COSTLY, &["-q1"], 11, &lines);
}

/// A file that takes seconds to parse and nothing to ground.
fn long_text() -> &'static std::path::Path {
    static FILE: LazyLock<tempfile::NamedTempFile> = LazyLock::new(|| {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let mut text = String::new();
        for i in 0..1_000_000 {
            text.push_str(&format!("a({i},X) :- b(X,Y), not c(Y+{i}), X < Y.\n"));
        }
        file.write_all(text.as_bytes()).unwrap();
        file
    });
    FILE.path()
}
/// Many rules that are grounded at once, followed by preprocessing and an endless search.
const LARGE: &str = "{ a(1..40000) }. b(X) :- a(X), not c(X). c(X) :- not b(X), a(X). d(X) :- b(X), a(X+1).\n\
    e(X) :- d(X), not e(X+1). f(X) :- e(X), f(X+1). f(X) :- c(X).\n";

#[test]
fn signals_while_parsing() {
    let file = long_text().to_str().unwrap();
    for signal in ["INT", "TERM"] {
        check_signal(signal, "", &[file], 1, &["UNKNOWN\n", "INTERRUPTED  : 1\n", "Models       : 0+\n"]);
    }
}

#[test]
fn signals_at_any_moment_of_a_large_run() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), LARGE).unwrap();
    let name = file.path().to_str().unwrap();
    // From reading through grounding and preprocessing to the printing of large answer sets.
    let mut seen = [0; 2];
    let mut moment = 30;
    while seen[1] < 3 && moment < 10_000 {
        let run = start("", &[name, "0", "--outf=2"]);
        std::thread::sleep(Duration::from_millis(moment));
        let sent = Instant::now();
        run.signal(if (seen[0] + seen[1]) % 2 == 0 { "INT" } else { "TERM" });
        let (output, _) = run.end(Duration::from_secs(2));
        let took = sent.elapsed();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(took < Duration::from_millis(600), "moment {moment}: {took:?}");
        let value: serde_json::Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
        let found = value["Models"]["Number"].as_u64().unwrap();
        assert_eq!(output.status.code(), Some(if found > 0 { 11 } else { 1 }), "moment {moment}");
        assert_eq!(value["INTERRUPTED"], 1);
        seen[usize::from(found > 0)] += 1;
        moment += moment / 2;
    }
    assert!(seen[0] > 0 && seen[1] > 0, "{seen:?}");
}

#[test]
fn signals_while_reading() {
    let mut child = spawn::command([""; 0]).spawn().unwrap();
    // The input stays open.
    let stdin = child.stdin.take();
    let run = Run { child, started: Instant::now() };
    std::thread::sleep(Duration::from_millis(300));
    run.signal("INT");
    let (output, took) = run.end(Duration::from_secs(2));
    drop(stdin);
    assert!(took < Duration::from_millis(800), "{took:?}");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stdout).unwrap().contains("INTERRUPTED  : 1\n"));
}

#[test]
fn signals_while_nobody_reads_the_output() {
    // The pipe is full, so the run is blocked in a write and cannot print its summary.
    let mut run = start(MANY, &["0"]);
    std::thread::sleep(Duration::from_millis(500));
    run.signal("INT");
    let stop = Instant::now() + Duration::from_millis(600);
    let status = loop {
        if let Some(status) = run.child.try_wait().unwrap() {
            break status;
        }
        assert!(Instant::now() < stop, "still running");
        std::thread::sleep(Duration::from_millis(5));
    };
    assert_eq!(status.code(), Some(1));
}

#[test]
fn a_second_signal_ends_the_run_at_once() {
    let large = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(large.path(), LARGE).unwrap();
    let large = large.path().to_str().unwrap();
    let text = long_text().to_str().unwrap();
    // While parsing, grounding, at several moments of a large run, searching, and in a write that nobody reads.
    for (program, arguments, after) in [
        ("", &[text][..], 300),
        (LONG_GROUNDING, &[], 500),
        ("", &[large, "0"], 100),
        ("", &[large, "0"], 400),
        ("", &[large, "0"], 800),
        (hard(), &[], 500),
        (MANY, &["0"], 500),
    ] {
        let mut run = start(program, arguments);
        std::thread::sleep(Duration::from_millis(after));
        run.signal("INT");
        run.signal("INT");
        let sent = Instant::now();
        let status = run.child.wait().unwrap();
        // It takes a millisecond; the machine may be busy.
        assert!(sent.elapsed() < Duration::from_millis(600), "{arguments:?} {after}: {:?}", sent.elapsed());
        // A run that is fast enough ends with the code of the first signal.
        assert!(matches!(status.code(), Some(1 | 11)), "{arguments:?} {after}: {status:?}");
    }
}

#[test]
fn the_json_output_is_valid_after_a_signal() {
    let run = start(MANY, &["0", "--outf=2"]);
    std::thread::sleep(Duration::from_millis(300));
    run.signal("TERM");
    let (output, _) = run.end(Duration::from_secs(2));
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["Result"], "SATISFIABLE");
    assert_eq!(value["Models"]["More"], "yes");
    let witnesses = value["Call"][0]["Witnesses"].as_array().unwrap().len() as u64;
    assert_eq!(value["Models"]["Number"].as_u64(), Some(witnesses));
}

#[test]
fn time_limits() {
    for (program, arguments, code, line) in [
        (hard(), &["--time-limit=1"][..], 1, "TIME LIMIT   : 1\n"),
        (LONG_GROUNDING, &["--time-limit=1"], 1, "TIME LIMIT   : 1\n"),
        (LONG_JOIN, &["--time-limit=1"], 1, "TIME LIMIT   : 1\n"),
        (MANY, &["--time-limit=1", "0", "-q"], 11, "TIME LIMIT   : 1\n"),
        (hard(), &["--time-limit=1", "--outf=2"], 1, "\"TIME LIMIT\": 1"),
        (hard(), &["--time-limit=1", "--outf=1"], 1, "% TIME LIMIT     : 1\n"),
        (hard(), &["--time-limit=0.96"], 1, "TIME LIMIT   : 1\n"),
    ] {
        let (output, took) = start(program, arguments).end(Duration::from_secs(3));
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
        assert!(text.contains(line), "{arguments:?}: {text}");
        assert!(
            took > Duration::from_millis(950) && took < Duration::from_millis(1500),
            "{arguments:?}: {took:?}"
        );
    }
}

/// The result of the previous call says nothing about a call that is being grounded.
#[test]
fn a_stop_between_two_calls_leaves_the_result_open() {
    let long = "#include <incmode>. #program step(t). p(X,t) :- t > 1, X = 1..400000000.";
    let unsatisfiable = format!("{long} #program check(t). :- query(t).");
    let satisfiable = format!("#const istop = \"UNSAT\". {long}");
    for (program, models) in [(&unsatisfiable, 0), (&satisfiable, 2)] {
        let lines =
            ["UNKNOWN\n", "INTERRUPTED  : 1\n", &format!("Models       : {models}+\nCalls        : 3\n")];
        check_signal("INT", program, &[], 1, &lines);
        let (output, _) = start(program, &["--outf=2", "--time-limit=1"]).end(Duration::from_secs(3));
        assert_eq!(output.status.code(), Some(1));
        let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&value["Result"], &value["TIME LIMIT"]), (&"UNKNOWN".into(), &1.into()), "{value}");
        let (output, _) = start(program, &["--ground-limit=1000"]).end(Duration::from_secs(3));
        assert_eq!(output.status.code(), Some(33));
        assert!(String::from_utf8(output.stdout).unwrap().contains("UNKNOWN\n"));
    }
}

/// Subcommands that answer questions about a program, with their arguments.
const QUESTIONS: [&str; 13] = [
    "unique",
    "count",
    "sample",
    "diverse",
    "why-unsat",
    "why a",
    "why-not a",
    "hint",
    "candidates",
    "candidates --by-inference",
    "check",
    "lint",
    "check --strict",
];

/// Whatever stage a stop interrupts, the message and the exit code are the same, and the code means nothing else.
#[test]
fn a_stop_leaves_questions_open() {
    let growing =
        format!("#include <incmode>. #program check(t). :- query(t). #program base. {LONG_GROUNDING}");
    let unfinished = |question: &str, program: &str, limit: &str, code: i32, words: &str| {
        let arguments: Vec<&str> = question.split(' ').chain(["-", limit]).collect();
        let (output, _) = start(program, &arguments).end(Duration::from_secs(20));
        let messages = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{question}: {messages}");
        let words = format!("*** Info : (asp): stopped before this was known: {words}\n");
        assert!(messages.ends_with(&words), "{question}: {messages}");
    };
    for question in QUESTIONS {
        // These look at a limited number of instances.
        if !question.starts_with("check") && question != "lint" {
            unfinished(question, LONG_GROUNDING, "--time-limit=0.2", 2, "the time limit was reached");
        }
        unfinished(question, LONG_JOIN, "--time-limit=0.2", 2, "the time limit was reached");
    }
    for question in ["count", "why-unsat", "hint"] {
        unfinished(question, &growing, "--time-limit=0.2", 2, "the time limit was reached");
        unfinished(question, hard(), "--time-limit=1", 2, "the time limit was reached");
        unfinished(question, LONG_GROUNDING, "--memory-limit=40", 33, "the memory limit was reached");
    }
    for question in ["unique", "why a", "lint"] {
        let run = start(LONG_JOIN, &question.split(' ').chain(["-"]).collect::<Vec<_>>());
        std::thread::sleep(Duration::from_millis(300));
        run.signal("INT");
        let (output, _) = run.end(Duration::from_secs(10));
        let messages = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{question}: {messages}");
        assert!(messages.contains("stopped before this was known: interrupted"), "{question}: {messages}");
    }
}

#[test]
fn a_signal_leaves_tests_open() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.lp");
    std::fs::write(&file, format!("{LONG_GROUNDING}%@test: sat\n")).unwrap();
    let run = start("", &["test", file.to_str().unwrap()]);
    std::thread::sleep(Duration::from_millis(300));
    run.signal("INT");
    let (output, _) = run.end(Duration::from_secs(10));
    let messages = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{messages}");
    assert!(messages.contains("stopped before this was known: interrupted"), "{messages}");
}

#[test]
fn a_solve_limit_is_no_interruption() {
    let (output, _) = start(hard(), &["--solve-limit=50"]).end(Duration::from_secs(5));
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("UNKNOWN\n") && !text.contains("INTERRUPTED"), "{text}");
}

#[test]
fn limits_on_memory_and_instances_exit_with_33() {
    let (output, _) = start(LONG_GROUNDING, &["--memory-limit=40"]).end(Duration::from_secs(10));
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(33), "{text}");
    assert!(text.contains("MEMORY LIMIT : 1\n"), "{text}");
    let (output, _) = start(LONG_GROUNDING, &["--ground-limit=100000"]).end(Duration::from_secs(10));
    assert_eq!(output.status.code(), Some(33));
    assert!(String::from_utf8(output.stderr).unwrap().contains("limit on ground instances"));
}

#[test]
fn a_closed_pipe_ends_the_run_quietly() {
    let mut run = start(MANY, &["0"]);
    let mut pipe = run.child.stdout.take().unwrap();
    let mut bytes = [0; 1000];
    pipe.read_exact(&mut bytes).unwrap();
    drop(pipe);
    let stop = Instant::now() + Duration::from_secs(5);
    let status = loop {
        if let Some(status) = run.child.try_wait().unwrap() {
            break status;
        }
        assert!(Instant::now() < stop, "still running");
        std::thread::sleep(Duration::from_millis(5));
    };
    let mut messages = String::new();
    run.child.stderr.take().unwrap().read_to_string(&mut messages).unwrap();
    assert_eq!(messages, "");
    assert_eq!(status.code(), Some(10));
}

#[test]
fn answers_do_not_wait_for_the_next_one() {
    // Without `hard` there is one answer, then a long search.
    let program = hard().replace(":- ", ":- hard, ")
        + "{ hard }. x(X) :- not hard, X = 1..700. :- not hard, not all. all :- not hard.\n";
    let mut run = start(&program, &["0", "-V0"]);
    let mut pipe = run.child.stdout.take().unwrap();
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    while !String::from_utf8_lossy(&bytes).contains("x(700)") {
        let n = pipe.read(&mut buffer).unwrap();
        assert!(n > 0);
        bytes.extend_from_slice(&buffer[..n]);
    }
    assert!(run.started.elapsed() < Duration::from_secs(2));
    run.child.kill().unwrap();
    run.child.wait().unwrap();
}

#[test]
fn the_status_line_comes_late_and_leaves_nothing() {
    let arguments = ["--time-limit=2", "--progress=always"];
    let (output, _) = start(hard(), &arguments).end(Duration::from_secs(4));
    let messages = String::from_utf8(output.stderr).unwrap();
    assert!(messages.contains("Solving ") && messages.contains("conflicts ("), "{messages:?}");
    // Whatever was drawn last is wiped before the message after it.
    let last = messages.rfind("\x1b[K").unwrap();
    assert!(messages[last..].starts_with("\x1b[K***"), "{messages:?}");
    let (output, _) = start(LONG_GROUNDING, &arguments).end(Duration::from_secs(4));
    let messages = String::from_utf8(output.stderr).unwrap();
    assert!(messages.contains("Grounding ") && messages.contains("instances"), "{messages:?}");
    // Never in a pipe, and never on a short run.
    let (output, _) = start(hard(), &["--time-limit=2"]).end(Duration::from_secs(4));
    assert!(!String::from_utf8(output.stderr).unwrap().contains("\x1b["));
    let (output, _) = start("a.", &["--progress=always"]).end(Duration::from_secs(4));
    assert_eq!(output.stderr, b"");
}
