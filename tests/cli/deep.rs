//! Terms as deep as memory allows, through every command and every format, on a small stack.
//!
//! Invariant: no recursion whose depth the input decides, so no run ends by a signal.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Kilobytes of stack: a test build that recursed over the nodes of such terms would overflow it.
const STACK: u32 = 1024;

/// Runs a command line in a folder on a small stack; it must exit normally, with one of the known codes.
#[track_caller]
fn ends(folder: &Path, arguments: &str) -> String {
    let line = format!("ulimit -s {STACK}; exec '{}' {arguments}", env!("CARGO_BIN_EXE_asp"));
    let run = Command::new("sh")
        .args(["-c", &line])
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("a shell runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).chars().take(2000).collect::<String>();
    let messages = text(&run.stderr);
    let code = run.status.code();
    assert!(
        code.is_some_and(|code| matches!(code, 0 | 1 | 2 | 3 | 10 | 20 | 30 | 65)),
        "asp {arguments}: {code:?}: {messages}"
    );
    assert!(!messages.contains("overflow") && !messages.contains("panicked"), "asp {arguments}: {messages}");
    messages + &text(&run.stdout)
}

/// A term of functions of one, two or no name around `nil`.
fn nested(open: &str, close: &str, depth: usize) -> String {
    format!("{}nil{}", open.repeat(depth), close.repeat(depth))
}

const FORMATS: &[&str] = &[
    "0",
    "0 --outf=1",
    "0 --outf=2",
    "0 --outf=3",
    "0 --outf=jsonl",
    "0 -e brave",
    "0 -e cautious --outf=jsonl",
    "0 -t 2",
    "0 --stats=2",
    "0 --profile",
    "0 --explain-rewrites",
    "0 --show-grid",
    "0 --svg out.svg",
    "0 --html out.html",
    "--text",
    "--mode=gringo",
    "--mode=gringo --output=reify --reify-sccs",
    "--mode=gringo --output=smodels",
];

const COMMANDS: &[&str] = &[
    "check",
    "lint",
    "lint --fix",
    "fmt --check",
    "test",
    "unique",
    "count",
    "sample",
    "diverse",
    "why-unsat",
    "why a",
    "why-not a",
    "why b",
    "why-not b",
    "hint",
    "candidates",
];

/// All formats and commands on a program.
#[track_caller]
fn everywhere(program: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("deep.lp");
    fs::write(&file, program).expect("a program is written");
    for arguments in FORMATS {
        ends(folder.path(), &format!("{arguments} deep.lp"));
    }
    for command in COMMANDS {
        ends(folder.path(), &format!("{command} deep.lp"));
    }
    ends(folder.path(), "fmt deep.lp");
}

#[test]
fn a_long_list() {
    let list = nested("cons(1,", ")", 60_000);
    everywhere(&format!(
        "#const nil = end. p({list}). p(nil). {{ q(X) : p(X) }} = 1. b :- q(X), p(Y), X < Y. {{ a }}.\n\
         s(M) :- M = #max {{ X : p(X) }}. r(X) :- q(cons(1,X)). #minimize {{ 1,X : q(X) }}.\n\
         #show. #show q/1. #show X : r(X). #show a/0.\n"
    ));
}

#[test]
fn nested_tuples_without_an_answer_set() {
    let tuple = nested("(1,", ",2)", 20_000);
    everywhere(&format!("p({tuple}). a :- p(X), not b. b :- p(X), not a. :- p(X), a. :- p(X), b.\n"));
}

#[test]
fn edges_theory_atoms_and_cells() {
    let term = nested("f(", ")", 20_000);
    everywhere(&format!(
        "#theory t {{ x {{ - : 1, unary }}; &dom/0 : x, any }}.\n\
         p({term}). edge({term},1). cell(1,2,{term}). {{ b }}. a :- b.\n\
         &dom {{ X : p(X) }} :- p(X), b. #edge (X,1) : p(X), b. #heuristic b : p(X). [1,true]\n"
    ));
}

#[test]
fn an_even_longer_list() {
    let folder = tempfile::tempdir().expect("a folder");
    let list = nested("cons(1,", ")", 300_000);
    fs::write(folder.path().join("deep.lp"), format!("p({list}). :- p(X), not a. {{ a }}."))
        .expect("written");
    for arguments in ["0 --outf=jsonl", "--text", "why-unsat", "why a", "hint", "fmt"] {
        ends(folder.path(), &format!("{arguments} deep.lp"));
    }
}

/// What the parser reads as a fact, and what it reads as a rule, with a limit that the message names.
#[test]
fn where_rules_have_a_limit_a_message_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let deep = 60_000;
    let programs = [
        format!("p({}) :- a.", nested("f(", ")", deep)),
        format!("p({}).", nested("- ", "", deep)),
        format!("p(X) :- q({}X{}).", "|", "|".to_string() + &"+1".repeat(deep)),
        format!("p({}).", nested("@f(", ")", deep)),
        format!("p({};1).", nested("f(", ")", deep)),
        format!("&a {{ {} }}.", nested("f(", ")", deep)),
        format!("&a {{ {} }}.", nested("[", "]", deep)),
        format!("&a {{ {} }}.", nested("- ", "", deep)),
        format!("#const c = {}.", nested("f(", ")", deep)),
        format!("p({}.", "f(".repeat(deep)),
    ];
    for program in programs {
        fs::write(folder.path().join("deep.lp"), &program).expect("written");
        for command in ["0", "check", "lint --fix", "fmt --check", "why a", "hint"] {
            let said = ends(folder.path(), &format!("{command} deep.lp"));
            let is_message = said.contains("deep") || said.contains("error");
            assert!(is_message, "{command}: {}: {said}", &program[..20]);
        }
    }
}

#[test]
fn ground_formats() {
    let folder = tempfile::tempdir().expect("a folder");
    let term = nested("f(", ")", 60_000);
    let mut theory = String::from("asp 1 0 0\n9 1 0 1 f\n9 0 1 7\n9 1 2 1 a\n");
    for i in 3..60_003 {
        theory.push_str(&format!("9 2 {i} 0 1 {}\n", if i == 3 { 1 } else { i - 1 }));
    }
    theory.push_str("9 4 0 1 60002 0\n9 5 1 2 1 0\n1 0 1 1 0 1 1\n0\n");
    let texts = [
        format!("asp 1 0 0\n1 1 1 1 0 0\n4 {} p({term}) 1 1\n4 {} {term} 0\n0\n", term.len() + 3, term.len()),
        format!("3 1 2 0 0\n0\n2 p({term})\n0\nB+\n0\nB-\n1\n0\n1\n"),
        theory,
    ];
    for text in texts {
        fs::write(folder.path().join("deep.ground"), &text).expect("written");
        for arguments in ["0", "0 --outf=2", "0 --outf=jsonl", "--text", "--output=reify", "--output=smodels"]
        {
            ends(folder.path(), &format!("--mode=clasp {arguments} deep.ground"));
        }
    }
}

#[test]
fn data() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: String| fs::write(folder.path().join(name), text).expect("written");
    write("arrays.json", format!("{}{}", "[".repeat(60_000), "]".repeat(60_000)));
    write("objects.json", format!("{}1{}", "{\"a\":".repeat(60_000), "}".repeat(60_000)));
    write("short.json", format!("{}1{}", "[".repeat(100), "]".repeat(100)));
    write("table.csv", format!("a,b\n1,\"{}\"\n", nested("f(", ")", 60_000)));
    for arguments in ["--json p=arrays.json", "--json p=objects.json"] {
        let said = ends(folder.path(), arguments);
        assert!(said.contains("nested more than 127 deep"), "{said}");
    }
    for arguments in ["--json p=short.json", "--csv p=table.csv", "--csv p=table.csv --outf=jsonl"] {
        ends(folder.path(), arguments);
    }
}
