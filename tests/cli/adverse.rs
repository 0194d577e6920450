//! Every subcommand on a bad day: nothing can be written, readers have gone, a signal comes at a random moment.
//!
//! What is asked takes a moment, so most signals come before the work begins, within it, or while it ends. Whatever the day
//! is like, an exit code means what is documented, and results that are claimed are there. `ASP_RANDOM_SEED` and
//! `ASP_RANDOM_COUNT` replace the first seed and the number of signals for each subcommand.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use asp_base::rng::Rng;

use crate::support::hunt::number;
use crate::support::spawn;

const PROGRAM: &str = "%@test: count 92\n#const n=8.\n1 { queen(R,C) : C=1..n } 1 :- R=1..n.\n\
    :- queen(R,C), queen(S,C), R<S.\n:- queen(R,C), queen(S,D), R<S, |R-S|=|C-D|.\nsome :- queen(1,1).\n";
const NONE: &str = "{ a; b }. :- not a. :- a, not b. :- b.\n";
const BEST: &str = "{ in(1..6) }. :- X=1..5, not in(X), not in(X+1). :~ in(X). [X,X]\n";

/// What runs and each subcommand are asked, some in vain.
const CALLS: &[&str] = &[
    "queens.lp 0",
    "queens.lp 0 --outf=2",
    "best.lp --stats",
    "queens.lp --text",
    "queens.lp --mode=gringo",
    "nowhere.lp",
    "--no-such-option",
    "--help=3",
    "new futoshiki made",
    "explain atom-undefined",
    "check queens.lp nowhere.lp",
    "lint queens.lp none.lp",
    "fmt none.lp",
    "fmt --diff none.lp",
    "test queens.lp",
    "unique queens.lp",
    "count queens.lp",
    "sample -n 3 queens.lp",
    "diverse -n 3 queens.lp",
    "why-unsat none.lp",
    "cost best.lp",
    "why-cost best.lp",
    "why in(6) best.lp",
    "why-not in(1) best.lp",
    "hint queens.lp",
    "candidates queens.lp",
    "generate futoshiki -c n=4",
    "cubes -n 8 queens.lp",
    "tune --within=1 queens.lp",
    "merge cubes.jsonl --results 1.json",
    "python --python ./python program.py",
    "lsp --in-turn",
    "serve --page page queens.lp",
    "watch queens.lp",
    "mcp",
];

/// These go on until they are told to end.
fn is_endless(call: &str) -> bool {
    call.starts_with("serve") || call.starts_with("watch")
}

fn input(call: &str) -> String {
    if call == "mcp" {
        let asked = r#"{"name":"count","arguments":{"program":"{a}."}}"#;
        return format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{asked}}}"#);
    }
    if !call.starts_with("lsp") {
        return String::new();
    }
    let message = |text: &str| format!("Content-Length: {}\r\n\r\n{text}", text.len());
    [
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"shutdown","params":null}"#,
        r#"{"jsonrpc":"2.0","method":"exit","params":null}"#,
    ]
    .map(message)
    .concat()
}

/// The cubes of a program, and what was found in the first.
static CUBES: LazyLock<(String, String)> = LazyLock::new(|| {
    let folder = spawn::folder_with(&[("queens.lp", PROGRAM)]);
    let cubes = spawn::run_in(folder.path(), ["cubes", "-n", "4", "queens.lp"], "").stdout;
    fs::write(folder.path().join("cubes.jsonl"), &cubes).unwrap();
    let one = spawn::run_in(folder.path(), ["queens.lp", "0", "--outf=2", "--cube=1@cubes.jsonl"], "");
    (cubes, one.stdout)
});

/// A folder with all that is asked about.
fn folder() -> tempfile::TempDir {
    let folder = spawn::folder_with(&[
        ("queens.lp", PROGRAM),
        ("none.lp", NONE),
        ("best.lp", BEST),
        ("python", "#!/bin/sh\necho \"$@\"\n"),
    ]);
    fs::set_permissions(folder.path().join("python"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::create_dir(folder.path().join("page")).unwrap();
    for name in ["index.html", "page.js", "style.css"] {
        fs::write(folder.path().join("page").join(name), "").unwrap();
    }
    let (cubes, result) = &*CUBES;
    fs::write(folder.path().join("cubes.jsonl"), cubes).unwrap();
    fs::write(folder.path().join("1.json"), result).unwrap();
    folder
}

fn command(folder: &Path, call: &str) -> Command {
    let mut command = spawn::command(spawn::words(call));
    command.current_dir(folder);
    command
}

/// How a run has ended.
#[derive(PartialEq, Eq, Debug)]
struct End {
    /// The exit code, or what killed it.
    code: Result<i32, i32>,
    /// Standard output without the lines that have times in them.
    out: String,
}

fn without_times(text: &str) -> String {
    // The version of the protocol is no time.
    let has_time = |line: &&str| {
        line.replace(r#""jsonrpc":"2.0""#, "")
            .as_bytes()
            .windows(3)
            .any(|w| w[0].is_ascii_digit() && w[1] == b'.' && w[2].is_ascii_digit())
    };
    text.lines().filter(|line| !has_time(line)).map(|line| format!("{line}\n")).collect()
}

/// Waits for the end. Nothing may panic, whatever the day is like.
#[track_caller]
fn end(child: Child, what: &str) -> End {
    let output = spawn::wait(child);
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(!messages.contains("panicked"), "{what}: {messages}");
    let code = output.status.code().ok_or_else(|| output.status.signal().unwrap());
    assert!(!matches!(code, Ok(101) | Err(6)), "{what}: {code:?}");
    End { code, out: without_times(&String::from_utf8(output.stdout).expect("output is UTF-8")) }
}

#[track_caller]
fn run(call: &str, change: impl FnOnce(&mut Command)) -> End {
    let folder = folder();
    let mut command = command(folder.path(), call);
    change(&mut command);
    end(spawn::start(&mut command, &input(call)), call)
}

/// Where nothing can be written.
fn full() -> Stdio {
    OpenOptions::new().write(true).open("/dev/full").unwrap().into()
}

/// What nobody reads from.
fn closed() -> Stdio {
    OwnedFd::from(UnixStream::pair().unwrap().0).into()
}

/// The calls that come to an end, and how.
fn calm() -> impl Iterator<Item = (&'static str, End)> {
    CALLS.iter().filter(|call| !is_endless(call)).map(|call| (*call, run(call, |_| ())))
}

#[test]
fn every_subcommand_is_asked() {
    let help = spawn::run(["--help=3"], "").stdout;
    let list = help.split("Subcommands").nth(1).and_then(|text| text.split("\n\n").next()).expect("a list");
    let names: BTreeSet<&str> =
        list.lines().filter_map(|line| line.strip_prefix("  asp ")?.split(' ').next()).collect();
    assert!(names.len() > 20, "{help}");
    for name in names {
        assert!(CALLS.iter().any(|call| call.split(' ').next() == Some(name)), "no call of `asp {name}`");
    }
}

#[test]
fn messages_that_cannot_be_written_cost_nothing() {
    for (call, calm) in calm() {
        assert_eq!(run(call, |c| _ = c.stderr(full())), calm, "{call} 2>/dev/full");
        assert_eq!(run(call, |c| _ = c.stderr(closed())), calm, "{call}, nobody reads the messages");
    }
}

#[test]
fn results_that_cannot_be_written_are_no_results() {
    for (call, calm) in calm() {
        let full = run(call, |c| _ = c.stdout(full()));
        let expect = match call {
            // A connection that ends; what Python ends with.
            _ if call.starts_with("lsp") || call.starts_with("python") => Ok(1),
            _ if calm.out.is_empty() => calm.code,
            _ => Ok(74),
        };
        assert_eq!(full.code, expect, "{call} >/dev/full");
        let both = run(call, |c| _ = c.stdout(self::full()).stderr(self::full()));
        assert_eq!(both.code, expect, "{call} >/dev/full 2>/dev/full");
    }
}

#[test]
fn readers_that_have_gone_are_no_error() {
    for (call, calm) in calm() {
        let gone = run(call, |c| _ = c.stdout(closed()));
        // A run that nobody reads need not go on to the last answer set.
        let early = gone.code == Ok(10) && calm.code == Ok(30);
        // Python ends as it does without asp.
        let by_signal = gone.code == Err(13) && call.starts_with("python");
        assert!(
            gone.code == calm.code || early || by_signal || call.starts_with("lsp"),
            "{call}: {:?}, not {:?}",
            gone.code,
            calm.code
        );
    }
}

/// The texts of all files in a folder.
fn files(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            found.insert(fs::read_to_string(path).unwrap());
        }
    }
    found
}

/// Whether programs that are started here begin with SIGINT ignored, as those in the background of a script.
fn interrupts_are_ignored() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask =
        status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    mask.is_some_and(|mask| mask & 1 << 1 != 0)
}

#[test]
fn signals_at_random_moments() {
    let signals = [if interrupts_are_ignored() { ("TERM", 15) } else { ("INT", 2) }, ("TERM", 15)];
    let (first, count) = (number("ASP_RANDOM_SEED", 1), number("ASP_RANDOM_COUNT", 8));
    for (number, call) in CALLS.iter().enumerate() {
        let started = Instant::now();
        let (before, after, calm) = {
            let folder = folder();
            let before = files(folder.path());
            let run = || spawn::start(&mut command(folder.path(), call), &input(call));
            let calm = (!is_endless(call)).then(|| end(run(), call));
            (before, files(folder.path()), calm)
        };
        let length = started.elapsed().max(Duration::from_millis(10)).min(Duration::from_millis(500));
        let mut rng = Rng::new(first + number as u64);
        for _ in 0..count {
            let (name, signal) = signals[rng.below(2) as usize];
            let folder = folder();
            let child = spawn::start(&mut command(folder.path(), call), &input(call));
            std::thread::sleep(length.mul_f64(rng.unit() * 1.2));
            // It may have ended by now.
            let _ = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status();
            let sent = Instant::now();
            let what = format!("{call}, SIG{name}");
            let end = end(child, &what);
            assert!(sent.elapsed() < Duration::from_secs(4), "{what}: {:?}", sent.elapsed());
            match (end.code, &calm) {
                // Before it watches for signals, or what ends by them anyway.
                (Err(by), _) => assert_eq!(by, signal, "{what}"),
                // A stop makes fewer cubes; a race shows times; an explanation that it has cut short says so.
                (Ok(code), Some(calm)) if Ok(code) == calm.code => {
                    let less = ["cubes", "tune"].iter().any(|c| call.starts_with(c))
                        || ["perhaps", "stopped before"].iter().any(|w| end.out.contains(w));
                    assert!(end.out == calm.out || less, "{what}: {}", end.out);
                }
                (Ok(0), None) => {}
                (Ok(code), _) => assert!([1, 2, 11].contains(&code), "{what}: exit code {code}"),
            }
            for text in files(folder.path()) {
                assert!(
                    before.contains(&text) || after.contains(&text),
                    "{what}: a file is left with\n{text}"
                );
            }
        }
    }
}

/// Programs of many statements, made by programs, take time in proportion to them: a second each, not a minute.
#[test]
fn many_statements_of_each_kind() {
    const MANY: usize = 20_000;
    type Statement = fn(usize) -> String;
    let shapes: [(&str, Statement); 10] = [
        ("{b(1..20000)}.", |i| format!("a({i}) :- b({i}), not b({}).", i + 1)),
        ("", |i| format!("{{p{i}}}. q{i} :- p{i}, not p{}.", i + 1)),
        ("{p0}.", |i| format!("p{} :- p{i}. p{i} :- p{}.", i + 1, i + 1)),
        ("", |i| format!("#external e({i}). a({i}) :- e({i}), not e({}).", i + 1)),
        ("", |i| format!("f{i}({i}).")),
        ("", |i| format!("a{i} :- u{i}, not v{i}.")),
        ("{b(1..20000)}.", |i| format!("#show t({i}) : b({i}).")),
        ("{b(1..20000)}. #minimize { X : b(X) }. #show b/1.", |i| format!("c{i}(X) :- b(X), X < 3.")),
        // Whichever way a chain runs, its bounds are known at once.
        ("", |i| format!("&diff {{ x({i}) - x({}) }} <= -1.", i + 1)),
        ("", |i| format!("&diff {{ x({}) - x({i}) }} <= -1.", i + 1)),
    ];
    for (first, statement) in shapes {
        let program: String = (0..MANY).map(|i| statement(i) + "\n").collect();
        let start = Instant::now();
        let run = spawn::run(["-", "-n1", "-q"], &format!("{first}\n{program}"));
        assert!(
            run.code.is_some_and(|code| [10, 20, 30].contains(&code)),
            "{}\n{}",
            statement(0),
            run.stderr
        );
        let seconds = start.elapsed().as_secs();
        assert!(seconds < 20, "{} takes {seconds} s", statement(0));
    }
}
