//! Places that take no output: full disks, closed pipes, files that are somebody's own. Nothing but what could not be written is
//! lost.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::spawn::{folder_with, run_in, words};

/// A program with several answer sets and a warning, an instance, a puzzle.
const FILES: [(&str, &str); 3] =
    [("a.lp", "{ a; b }. c :- d. #minimize { 1 : a }.\n"), ("inst.lp", "p(1,1).\n"), ("wrong.lp", "p(X).\n")];

/// The shell's command, in a folder, with `$asp` for the binary.
fn shell(folder: &Path, command: &str) -> (Option<i32>, String, String) {
    let output = Command::new("bash")
        .args(["-c", command])
        .env("asp", env!("CARGO_BIN_EXE_asp"))
        .env("ASP_PYTHON", "no-such-python")
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("bash is there");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Lines without times.
fn timeless(text: &str) -> String {
    let times = [
        "Time ",
        "CPU ",
        "\"Start\"",
        "\"Stop\"",
        "\"Total\"",
        "\"Solve\"",
        "\"Model\"",
        "\"Unsat\"",
        "\"CPU\"",
    ];
    let has_none = |line: &&str| !times.iter().any(|time| line.trim_start().starts_with(time));
    text.lines().filter(has_none).map(without_time).collect()
}

fn without_time(line: &str) -> String {
    format!("{}\n", line.split(" (Time:").next().unwrap_or_default())
}

/// Every subcommand, with what it warns of, what it refuses and what it is not given.
const COMMANDS: [&str; 44] = [
    "a.lp 0",
    "a.lp 0 --outf=2 -q",
    "wrong.lp",
    "none.lp",
    "a.lp none.lp",
    "--no-such-option",
    "a.lp --eq=3 --stats",
    "a.lp --text",
    "a.lp --expand",
    "a.lp --profile --text",
    "a.lp --show-grid",
    "a.lp --ground-limit=1",
    "a.lp --proof=none/none",
    "help none",
    "new",
    "new none",
    "check a.lp",
    "check wrong.lp",
    "check a.lp --message-format=json",
    "lint a.lp",
    "lint wrong.lp",
    "fmt --check a.lp",
    "fmt wrong.lp",
    "fmt none.lp",
    "test a.lp",
    "test none.lp",
    "unique a.lp",
    "unique --no-such-option",
    "count a.lp",
    "sample a.lp",
    "diverse a.lp",
    "why-unsat a.lp",
    "cost a.lp",
    "why-cost a.lp",
    "why c a.lp",
    "why a.lp a.lp",
    "why-not c a.lp",
    "hint a.lp",
    "candidates a.lp",
    "generate",
    "generate a.lp",
    "cubes a.lp",
    "merge none.jsonl",
    "python --python none a.py",
];

#[test]
fn messages_that_cannot_be_written_cost_nothing_else() {
    let folder = folder_with(&FILES);
    for command in COMMANDS.iter().chain(&["watch none.lp", "serve none.lp", "lsp --no-such-option"]) {
        let told = shell(folder.path(), &format!("$asp {command}"));
        // All of them say something there.
        let full = shell(folder.path(), &format!("$asp {command} 2> /dev/full"));
        assert_eq!(full.0, told.0, "{command}: {}", told.2);
        assert_eq!(timeless(&full.1), timeless(&told.1), "{command}");
        // Nobody reads what is written to this pipe.
        let closed = shell(folder.path(), &format!("exec 3> >(exec true); sleep 0.05; $asp {command} 2>&3"));
        assert_eq!((closed.0, timeless(&closed.1)), (told.0, timeless(&told.1)), "{command}");
    }
}

#[test]
fn results_that_cannot_be_written_are_missed() {
    let folder = folder_with(&FILES);
    for command in [
        "a.lp 0",
        "a.lp --text",
        "a.lp --expand",
        "cubes a.lp",
        "count a.lp",
        "why-unsat a.lp",
        "--help",
        "--list",
        "check a.lp --message-format=json",
        "fmt - < a.lp",
    ] {
        let (code, _, told) = shell(folder.path(), &format!("$asp {command} > /dev/full"));
        assert_eq!(code, Some(74), "{command}: {told}");
        assert!(told.contains("standard output cannot be written"), "{command}: {told}");
        let both = shell(folder.path(), &format!("$asp {command} > /dev/full 2>&1"));
        assert_eq!(both.0, Some(74), "{command}");
    }
}

/// A file that is laid out anew is written as a whole or not at all.
#[test]
fn a_file_that_cannot_be_replaced_is_kept() {
    let long: String = (0..2000).map(|i| format!("p({i})  :-   q({i}).\n")).collect();
    let folder = folder_with(&[("long.lp", &long)]);
    let (code, _, told) = shell(folder.path(), "trap '' XFSZ; ulimit -f 1; $asp fmt long.lp");
    assert_eq!(code, Some(65), "{told}");
    assert_eq!(fs::read_to_string(folder.path().join("long.lp")).unwrap(), long);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    assert_eq!(shell(folder.path(), "$asp fmt long.lp").0, Some(0));
    assert_ne!(fs::read_to_string(folder.path().join("long.lp")).unwrap(), long);
}

#[test]
fn outputs_replace_no_inputs_and_no_files_of_another_kind() {
    let folder = folder_with(&FILES);
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("own")).unwrap();
    fs::write(path("own/program.aspif"), "asp 1 0 0\n1 0 1 1 0 0\n0\n").unwrap();
    fs::create_dir(path("claims")).unwrap();
    fs::write(path("claims/claim.txt"), "p.\n").unwrap();
    fs::write(path("given.lemmas"), "asp 1 0 0\n1 0 0 0 1 1\n0\n").unwrap();
    fs::write(path("table.csv"), "1,2\n").unwrap();
    fs::create_dir(path("sub")).unwrap();
    let all = || -> Vec<(String, Vec<u8>)> {
        let names = ["a.lp", "inst.lp", "own/program.aspif", "claims/claim.txt", "given.lemmas", "table.csv"];
        names.map(|name| (name.to_string(), fs::read(path(name)).unwrap())).into()
    };
    let before = all();
    for (command, code, instead) in [
        ("--html inst.lp", 1, "--html=inst.html inst.lp"),
        ("--html inst.lp a.lp", 1, "--html=inst.html inst.lp"),
        ("--svg=inst.lp inst.lp", 1, "--svg=inst.svg inst.lp"),
        ("--svg=sub/../a.lp a.lp", 1, "--svg=sub/../a.svg"),
        ("--lemma-out inst.lp a.lp", 1, "--lemma-out=inst.lemmas inst.lp"),
        ("--lemma-out=a.lp a.lp", 1, "--lemma-out=a.lemmas a.lp"),
        ("--lemma-in=given.lemmas --lemma-out=given.lemmas a.lp", 1, "--lemma-out="),
        ("--lemma-out=own/program.aspif a.lp --lemma-out-txt", 1, "--lemma-out="),
        ("--bound-file=inst.lp a.lp", 1, "--bound-file=inst.bounds"),
        ("--proof=own a.lp", 1, "--proof=own.proof"),
        ("--proof=own own/program.aspif", 1, "--proof=own.proof"),
        ("--proof=claims a.lp", 1, "--proof=claims.proof"),
        ("claims/claim.txt --proof=claims", 1, "--proof=claims.proof"),
        ("a.lp --proof=claims --modles=3", 1, "did you mean '--models'"),
        ("unique --certify=claims a.lp", 64, "--certify=claims.proof"),
        ("unique --certify=own a.lp", 64, "--certify=own.proof"),
        ("--csv=p=table.csv --html=table.csv a.lp", 1, "--html=table.html"),
        ("--html=new.html --svg=new.html a.lp", 1, "--svg=new.svg"),
        ("why --html a.lp a inst.lp", 64, "--html=a.html a.lp"),
        ("cost --html=a.lp a.lp", 64, "--html=a.html a.lp"),
        ("generate futoshiki -o inst.lp", 64, "--output=inst-new.lp"),
        ("generate futoshiki --format=html -o a.lp", 64, "--output=a.html"),
        ("generate futoshiki --html a.lp", 64, "--html=a.html"),
        ("watch --svg=a.lp a.lp", 64, "--svg=a.svg a.lp"),
    ] {
        let run = run_in(folder.path(), words(command), "");
        assert_eq!(run.code, Some(code), "{command}: {}", run.stderr);
        assert!(run.stderr.contains(instead), "{command}: {}", run.stderr);
        assert_eq!(run.stdout, "", "{command}");
        assert_eq!(all(), before, "{command}");
    }
    // What they wrote before may be written again.
    for command in [
        "inst.lp --html=out.html --svg=out.svg",
        "a.lp --lemma-out=out.lemmas --bound-file=out.bounds",
        "a.lp --lemma-out=text.lemmas --lemma-out-txt",
        "inst.lp --proof=out.proof",
        "why a a.lp --html=why.html",
        "generate futoshiki -c n=4 -o one.lp",
        "generate futoshiki -c n=4 -n 2 -o inst.lp",
    ] {
        for _ in 0..2 {
            let run = run_in(folder.path(), words(command), "");
            assert!(
                !matches!(run.code, Some(1 | 64)) && !run.stderr.contains("ERROR"),
                "{command}: {}",
                run.stderr
            );
        }
    }
    assert_eq!(all(), before);
}

/// A number in a program is no reason to make room for so many.
#[test]
fn numbers_alone_take_no_memory() {
    let folder = folder_with(&[]);
    for text in [
        "#defined p/4294967295.",
        "#defined -p/4294967295. p(1) :- q(1).",
        "#show p/4294967295. #defined p/4294967295. #project p/4294967294. a :- p(1), p(2).",
        "asp 1 0 0\n1 0 1 2147483647 0 1 -2147483646\n0\n",
        "asp 1 0 0\n9 0 4294967295 5\n9 4 4294967294 0 0\n0\n",
        "p cnf 5 4000000000\n1 0\n",
        "* no header\n+1 x111111111 >= 1 ;\n",
    ] {
        fs::write(folder.path().join("t"), text).unwrap();
        for command in ["t", "t --text", "check t", "count t", "why-unsat t"] {
            let run = format!("ulimit -v 1000000; timeout 60 $asp {command} --time-limit=20");
            let (code, _, told) = shell(folder.path(), &run);
            let known = code.is_some_and(|code| code < 124 && code != 101 && code != 33);
            assert!(known, "{command} of {text}: {code:?} {told}");
        }
    }
}

/// Memory that the system refuses is a limit like that of `--memory-limit`.
#[cfg(target_os = "linux")]
#[test]
fn a_limit_of_the_system_is_a_limit_of_the_run() {
    let grow = "n(1..4000).\n{ p(X,Y) } :- n(X), n(Y).\n";
    let steps = "#include <incmode>. #const istop = \"UNSAT\". { a(1..3) }. #program step(t).\n\
                 n(t,1..4000) :- t > 1. { p(t,X,Y) } :- n(t,X), n(t,Y).\n";
    let folder = folder_with(&[("grow.lp", grow), ("steps.lp", steps), ("small.lp", "{ a }.")]);
    for limit in ["-v 400000", "-v 900000", "-d 300000"] {
        let (code, out, told) = shell(folder.path(), &format!("ulimit {limit}; $asp grow.lp"));
        assert_eq!(code, Some(33), "{limit}: {told}");
        assert!(out.contains("MEMORY LIMIT : 1"), "{limit}: {out} {told}");
        assert!(
            told.contains("this was being instantiated") && told.contains("grow.lp:2:1"),
            "{limit}: {told}"
        );
        let (code, _, told) = shell(folder.path(), &format!("ulimit {limit}; $asp count grow.lp"));
        assert_eq!(code, Some(33), "{limit}: {told}");
        assert!(told.contains("this was being instantiated"), "{limit}: {told}");
    }
    // A header alone may say too much.
    let (code, _, told) =
        shell(folder.path(), "ulimit -v 900000; echo p cnf 268435456 0 | $asp --mode=clasp");
    assert_eq!(code, Some(33), "{told}");
    assert!(told.contains("memory"), "{told}");
    // A small program needs no more than a small limit leaves.
    let (code, _, told) = shell(folder.path(), "ulimit -v 150000; $asp small.lp 0");
    assert_eq!(code, Some(30), "{told}");
    // What was found before stays.
    let (code, out, told) = shell(folder.path(), "ulimit -v 900000; $asp steps.lp");
    assert_eq!(code, Some(33), "{told}");
    assert!(
        out.contains("Answer: 1") && out.contains("MEMORY LIMIT : 1") && told.contains("steps.lp:2:"),
        "{out}{told}"
    );
}
