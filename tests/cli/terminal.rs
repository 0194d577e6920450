//! What a run draws on a terminal: the status line and its end, colour. Uses pseudo-terminals, which need Python.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

/// Runs `sys.argv[3:]` in the folder `sys.argv[2]`; standard error (and, with `both`, standard output, with `typed`, standard
/// input) is a terminal.
/// Prints everything that was written to it, and its contents at the end, after a separating line.
const PYTHON: &str = r#"
import os, pty, re, subprocess, sys
master, slave = pty.openpty()
both = sys.argv[1] == "both"
typed = sys.argv[1] == "typed"
p = subprocess.Popen(sys.argv[3:], cwd=sys.argv[2], stdin=slave if typed else subprocess.DEVNULL, stderr=slave,
                     stdout=slave if both else subprocess.DEVNULL)
os.close(slave)
if typed:
    os.write(master, b"a.\n\x04")
data = b""
while True:
    try:
        chunk = os.read(master, 65536)
    except OSError:
        break
    if not chunk:
        break
    data += chunk
p.wait()
text = data.decode()
lines, at = [""], 0
for part in re.findall(r"\x1b\[[0-9;]*[A-Za-z]|.", text, re.S):
    if part == "\r":
        at = 0
    elif part == "\n":
        lines.append("")
        at = 0
    elif part == "\x1b[K":
        lines[-1] = lines[-1][:at]
    elif part[0] != "\x1b":
        lines[-1] = lines[-1][:at].ljust(at) + part + lines[-1][at + 1:]
        at += 1
sys.stdout.write(text + "\n=====\n" + "\n".join(lines))
"#;

/// Everything that was written to the terminal, and its contents at the end.
fn on_terminal(which: &str, arguments: &[&str], variables: &[(&str, &str)]) -> (String, String) {
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests", "golden", "programs"].iter().collect();
    let mut command = Command::new("python3");
    command.args(["-c", PYTHON, which]).arg(folder).arg(env!("CARGO_BIN_EXE_asp")).args(arguments);
    command.env_remove("NO_COLOR").envs(variables.iter().copied());
    let output = command.output().expect("python3 is there");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let (all, end) = text.split_once("\n=====\n").unwrap();
    (all.to_string(), end.to_string())
}

#[test]
fn without_files_a_terminal_is_told_what_to_type() {
    let (all, _) = on_terminal("typed", &[], &[]);
    assert!(all.contains("type a program and end it with Ctrl-D, or give a file: asp FILE"), "{all}");
    let (all, _) = on_terminal("typed", &["-"], &[]);
    assert!(!all.contains("type a program"), "{all}");
}

#[test]
fn a_status_line_on_a_terminal_only() {
    let (all, end) = on_terminal("stderr", &["hard.lp", "--time-limit=2"], &[]);
    assert!(all.contains("Solving 1.") && all.contains(" conflicts ("), "{all:?}");
    assert_eq!(end, "*** Info : (asp): TIME LIMIT reached!\n", "{all:?}");
    let (all, _) = on_terminal("stderr", &["hard.lp", "--time-limit=2", "--progress=never"], &[]);
    assert!(!all.contains('\x1b'), "{all:?}");
    let (all, end) = on_terminal("stderr", &["endless.lp", "--time-limit=2"], &[]);
    assert!(all.contains("Grounding 1.") && all.contains(" instances"), "{all:?}");
    assert_eq!(end, "*** Info : (asp): TIME LIMIT reached!\n", "{all:?}");
}

#[test]
fn the_status_line_tells_bounds_and_models() {
    let (all, _) = on_terminal("stderr", &["hard-cost.lp", "--time-limit=2", "--opt-strategy=usc"], &[]);
    assert!(all.contains(" 1 model · best 1 1 in [0;1], gap 100.0%"), "{all:?}");
}

/// Twenty persons, two weeks of three shifts: far too many answer sets to count. The line goes on while it is tried.
#[test]
fn counting_and_drawing_move_a_status_line() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let roster = "person(1..20). day(1..14). shift(1..3).\n\
                  3 { works(P,D,S) : person(P) } 6 :- day(D), shift(S).\n\
                  :- person(P), 9 { works(P,_,_) }.\n\
                  :- person(P), day(D), 2 { works(P,D,_) }.\n";
    std::fs::write(file.path(), roster).unwrap();
    let file = file.path().to_str().unwrap();
    for (command, word) in [("count", "Counting"), ("sample", "Drawing")] {
        let (all, end) = on_terminal("stderr", &[command, "--time-limit=3", file], &[]);
        let lines: BTreeSet<&str> = all.split("\r\x1b[K").filter(|l| l.starts_with(word)).collect();
        assert!(lines.len() >= 3 && lines.iter().any(|l| l.contains(" models")), "{command}: {all:?}");
        let told = "*** Info : (asp): stopped before this was known: the time limit was reached\n";
        assert_eq!(end, told, "{command}: {all:?}");
    }
}

#[test]
fn output_and_status_line_on_one_terminal() {
    // Without `hard` there is one answer, then a long search; then the summary.
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests", "golden", "programs"].iter().collect();
    let file = tempfile::NamedTempFile::new().unwrap();
    let hard = std::fs::read_to_string(folder.join("hard-cost.lp")).unwrap();
    let hard = hard.lines().filter(|l| !l.starts_with('#')).collect::<Vec<_>>().join("\n");
    std::fs::write(file.path(), hard + "\n:- not g.\n#show g/0.\n").unwrap();
    let file = file.path().to_str().unwrap();
    let (all, end) = on_terminal("both", &[file, "--time-limit=2"], &[]);
    assert!(all.contains("Solving 1."), "{all:?}");
    let lines: Vec<&str> = end.lines().collect();
    assert_eq!(
        lines[2..6],
        ["Solving...", "*** Info : (asp): TIME LIMIT reached!", "UNKNOWN", ""],
        "{all:?}"
    );
}

/// Who sits at a terminal is told how to go on.
#[test]
fn a_terminal_is_told_how_to_ask_why_there_is_none() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "{ a }. :- a. :- not a.").unwrap();
    let file = file.path().to_str().unwrap();
    let told = format!("note: `asp why-unsat {file}` says why there is none");
    assert!(on_terminal("both", &[file], &[]).1.contains(&told));
    assert!(!on_terminal("stderr", &[file], &[]).1.contains("why-unsat"));
}

#[test]
fn colour_follows_the_terminal_and_no_color() {
    let arguments = ["syntax-error.lp"];
    let (all, end) = on_terminal("stderr", &arguments, &[]);
    assert!(all.contains("\x1b["), "{all:?}");
    let (plain, _) = on_terminal("stderr", &arguments, &[("NO_COLOR", "1")]);
    assert!(!plain.contains('\x1b'), "{plain:?}");
    assert_eq!(plain.replace('\r', ""), end);
    // An empty value is ignored.
    let (all, _) = on_terminal("stderr", &arguments, &[("NO_COLOR", "")]);
    assert!(all.contains("\x1b["), "{all:?}");
    // In a pipe there is none.
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests", "golden", "programs"].iter().collect();
    let run = Command::new(env!("CARGO_BIN_EXE_asp")).args(arguments).current_dir(folder).output().unwrap();
    assert!(!String::from_utf8(run.stderr).unwrap().contains('\x1b'));
}

/// Control characters in texts, names and messages are shown on a terminal, not obeyed; in a pipe they are as they were.
#[test]
fn control_characters_reach_no_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let evil = "\u{1b}]0;owned\u{7}\u{9b}2J\u{1b}[8m";
    let name = format!("{}/x\u{1b}[2J\u{9b}3J.lp", folder.path().display());
    let text =
        format!("p(1,\"{evil}\"). q :- p(1,X), \"{evil}\" < X. r :- s(\"{evil}\"). #show X : p(_,X).\n");
    std::fs::write(&name, &text).unwrap();
    let wrong = format!("{}/y\u{1b}[2J.lp", folder.path().display());
    std::fs::write(
        &wrong,
        format!("p(X) :- \"{evil}\" = \"{evil}\", not q(\"{evil}\").\np(1,1,\"{evil}\") q\n"),
    )
    .unwrap();
    let missing = format!("none{evil}.lp");
    let (name, wrong) = (name.as_str(), wrong.as_str());
    let atom = format!("p(1,\"{evil}\")");
    for arguments in [
        &[name, "0"][..],
        &[name, "--text"],
        &[name, "0", "--outf=2"],
        &[name, "--show-grid"],
        &["check", name],
        &["lint", name],
        &["why", &atom, name],
        &["why-not", &atom, name],
        &["hint", name],
        &["count", name],
        &["fmt", "--diff", name],
        &["candidates", name],
        &[wrong],
        &["check", wrong],
        &[&missing],
        &["check", &missing],
        &["unique", "--format", evil, name],
        &[&format!("--{evil}"), name],
    ] {
        for variables in [&[][..], &[("NO_COLOR", "1")]] {
            let (all, _) = on_terminal("both", arguments, variables);
            // What is left are the system's own colours and the status line.
            let rest = all.replace("\r\n", "\n").replace("\r\u{1b}[K", "");
            assert!(!rest.contains(['\u{9b}', '\u{7}', '\r']), "{arguments:?}: {rest:?}");
            for part in rest.split('\u{1b}').skip(1) {
                let end = part.trim_start_matches(|c: char| c == '[' || c == ';' || c.is_ascii_digit());
                assert!(part.starts_with('[') && end.starts_with('m'), "{arguments:?}: {rest:?}");
            }
            assert!(!rest.contains("\u{1b}[8m"), "{arguments:?}: {rest:?}");
        }
    }
    let output = Command::new(env!("CARGO_BIN_EXE_asp")).args([name, "-V0"]).output().unwrap();
    assert!(String::from_utf8(output.stdout).unwrap().contains(evil));
}
