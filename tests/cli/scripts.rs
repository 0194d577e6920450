//! Typical uses: shell loops over exit codes, `grep` on the text output, Python that reads the JSON, pipes of ground
//! programs. Each line would work with clingo in place of `asp`.

use crate::support::exchange::LATIN;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("a.lp", "{ a; b }. c :- a.\n"),
        ("one.lp", "p(1). q(\"x y\",f(2)) :- p(1).\n"),
        ("unsat.lp", "a. :- a.\n"),
        ("bad.lp", "a :- \n"),
        ("cost.lp", "1 { pick(1..4) }. #minimize { X,X : pick(X) }.\n"),
        ("facts.lp", "edge(1,2). edge(2,3). edge(3,1).\n"),
        ("path.lp", "path(X,Y) :- edge(X,Y). path(X,Z) :- path(X,Y), edge(Y,Z). #show path/2.\n"),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// Runs a script with the binary's folder first in the path.
fn run(program: &str, arguments: &[&str], folder: &Path) -> Output {
    let binary = Path::new(env!("CARGO_BIN_EXE_asp"));
    let path = format!("{}:{}", binary.parent().unwrap().display(), std::env::var("PATH").unwrap());
    Command::new(program).args(arguments).env("PATH", path).current_dir(folder).output().unwrap()
}

#[track_caller]
fn check_shell(script: &str, expect: &str) {
    check_shell_in(folder().path(), script, expect);
}

#[track_caller]
fn check_shell_in(folder: &Path, script: &str, expect: &str) {
    let output = run("sh", &["-c", script], folder);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text, expect, "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_loop_over_exit_codes() {
    check_shell(
        "for f in a one unsat bad missing; do asp $f.lp >/dev/null 2>&1; echo $f $?; done; asp a.lp 0 >/dev/null; echo $?",
        "a 10\none 30\nunsat 20\nbad 65\nmissing 65\n30\n",
    );
}

#[test]
fn the_line_after_answer() {
    check_shell("asp one.lp | grep -A1 ^Answer | tail -n 1", "p(1) q(\"x y\",f(2))\n");
    check_shell("asp cost.lp -q1 | sed -n 's/^Optimization : //p'", "1\n");
    check_shell("asp a.lp 0 | awk '/^Models/ { print $3 }'", "4\n");
    check_shell("asp a.lp 0 -V0 | sort", "\nSATISFIABLE\na b c\na c\nb\n");
}

#[test]
fn standard_input_in_its_spellings() {
    for script in [
        "cat facts.lp path.lp | asp -V0",
        "cat facts.lp path.lp | asp - -V0 0",
        "cat facts.lp | asp -V0 - path.lp",
        "cat facts.lp path.lp | asp --verbose=0",
    ] {
        let sorted = format!("{script} | head -n 1 | tr ' ' '\\n' | sort | tr '\\n' ' '");
        check_shell(
            &sorted,
            "path(1,1) path(1,2) path(1,3) path(2,1) path(2,2) path(2,3) path(3,1) path(3,2) path(3,3) ",
        );
    }
}

#[test]
fn ground_programs_in_pipes() {
    check_shell("asp --text facts.lp path.lp | asp -q | grep -c SATISFIABLE", "1\n");
    check_shell(
        "asp --mode=gringo cost.lp | asp --mode=clasp -q1 -V0",
        "pick(1)\nOptimization: 1\nOPTIMUM FOUND\n",
    );
    check_shell(
        "asp --output=smodels a.lp | asp --mode=clasp 0 -V0 | sort",
        "\nSATISFIABLE\na b c\na c\nb\n",
    );
    check_shell("asp --output=intermediate unsat.lp | asp --mode=clasp -V0", "UNSATISFIABLE\n");
    check_shell("printf 'p cnf 2 2\\n1 2 0\\n-1 0\\n' | asp --mode=clasp -V0 -q", "s SATISFIABLE\n");
}

/// How callers of subprocesses read results.
const PYTHON: &str = r#"
import json, subprocess, sys
def solve(*arguments):
    run = subprocess.run(["asp", "--outf=2", *arguments], capture_output=True, text=True)
    result = json.loads(run.stdout)
    witnesses = [w for call in result["Call"] for w in call.get("Witnesses", [])]
    return run.returncode, result, witnesses
code, result, witnesses = solve("a.lp", "0")
assert code == 30 and result["Result"] == "SATISFIABLE" and result["Models"]["Number"] == 4
assert sorted(sorted(w["Value"]) for w in witnesses) == [[], ["a", "b", "c"], ["a", "c"], ["b"]]
assert result["Input"] == ["a.lp"] and result["Solver"].startswith("asp version ")
code, result, witnesses = solve("cost.lp")
assert code == 30 and result["Result"] == "OPTIMUM FOUND" and result["Models"]["Optimum"] == "yes"
assert witnesses[-1]["Costs"] == [1] == result["Models"]["Costs"] and witnesses[-1]["Value"] == ["pick(1)"]
code, result, witnesses = solve("unsat.lp")
assert code == 20 and result["Result"] == "UNSATISFIABLE" and witnesses == []
code, result, witnesses = solve("bad.lp")
assert code == 65 and result["Result"] == "UNKNOWN"
code, result, _ = solve("a.lp", "--stats")
assert result["Stats"]["Core"]["Choices"] >= 0 and result["Time"]["Total"] >= 0
lines = subprocess.run(["asp", "--outf=jsonl", "one.lp"], capture_output=True, text=True).stdout.splitlines()
first, last = map(json.loads, lines)
assert first["number"] == 1
assert {"name": "q", "args": ["x y", {"name": "f", "args": [2]}]} in first["atoms"], first
assert last["result"] == "SATISFIABLE" and last["models"] == 1 and last["more"] is False, last
lines = subprocess.run(["asp", "--outf=jsonl", "cost.lp"], capture_output=True, text=True).stdout.splitlines()
assert json.loads(lines[-2])["costs"] == [1] and json.loads(lines[-1])["costs"] == [1]
"#;

#[track_caller]
fn check_python(script: &str) {
    let folder = folder();
    let output = run("python3", &["-c", script], folder.path());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn python_reads_the_json() {
    check_python(PYTHON);
}

/// How wrappers read the text output: line by line from a process, splitting the line after each `Answer:` into atoms
/// by regular expressions, and then the statistics.
const WRAPPER: &str = r#"
import re, subprocess
ATOM = re.compile(r'(-?[a-z_][a-zA-Z0-9_]*)(?:\(((?:[^()"]|"(?:[^"\\]|\\.)*"|\([^()]*\))*)\))?')
def answers(files, *options, text=None):
    command = ["asp", *files, *options]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if text is not None:
        process.stdin.write(text)
    process.stdin.close()
    lines, statistics = iter(process.stdout), {}
    for line in lines:
        if line.startswith("Answer: "):
            found = frozenset((m.group(1), m.group(2)) for m in ATOM.finditer(next(lines)))
            yield found, None
        elif line.startswith("Optimization: "):
            yield None, tuple(map(int, line.split()[1:]))
        elif " : " in line:
            key, value = line.split(":", 1)
            statistics[key.strip()] = value.strip()
    process.wait()
    assert statistics["Calls"] == "1" and float(statistics["CPU Time"].rstrip("s")) >= 0, statistics
found = {a for a, _ in answers(["a.lp"], "-n", "0")}
assert found == {frozenset(), frozenset({("b", None)}), frozenset({("a", None), ("c", None)}),
                 frozenset({("a", None), ("b", None), ("c", None)})}, found
(only, _), = answers(["one.lp"], "0", "--warn=none")
assert only == {("p", "1"), ("q", '"x y",f(2)')}, only
(only, _), = answers([], "-", "-n0", text="a. -b(1). #show a/0. #show -b/1.")
assert only == {("a", None), ("-b", "1")}, only
costs = [c for _, c in answers(["cost.lp"], "--opt-mode=optN", "-n", "0", "--quiet=1,0") if c]
assert costs[-1] == (1,), costs
first = next(answers(["-"], "0", text="{a(1..80)}."))
assert first[0] is not None
"#;

#[test]
fn python_reads_the_text() {
    check_python(WRAPPER);
}

#[test]
fn shell_scripts_by_exit_code() {
    check_shell(
        "check() { asp \"$@\" >/dev/null 2>&1; case $? in 10|30) echo sat;; 20) echo unsat;; *) echo error;; esac; }
         check a.lp; check unsat.lp; check bad.lp; check a.lp unsat.lp; check cost.lp --opt-mode=ignore",
        "sat\nunsat\nerror\nunsat\nsat\n",
    );
    check_shell(
        "for n in 1 2 3; do asp -c n=$n - <<'END' | sed -n 's/^Models *: //p'\n#const n=9. 1 { p(1..n) } 1.\nEND\ndone",
        "1\n1+\n1+\n",
    );
    check_shell("if asp unsat.lp -q -V0 >/dev/null; then echo zero; else echo $?; fi", "20\n");
    check_shell("asp a.lp 0 -V0 | grep -v SATISFIABLE | grep -c .", "3\n");
    check_shell("asp --text facts.lp path.lp 2>&1 | grep -c '^path'", "9\n");
    check_shell("asp one.lp --out-ifs='\\n' -V0 | head -n 2", "p(1)\nq(\"x y\",f(2))\n");
}

/// All Latin squares of order 5, printed into a pipe: none is missing. `tests/oracle/scripts.rs` compares the time.
#[test]
fn printing_latin_squares() {
    let folder = folder();
    fs::write(folder.path().join("latin.lp"), LATIN).unwrap();
    check_shell_in(
        folder.path(),
        "asp latin.lp 0 -V0 | grep -v SATISFIABLE | tr ' ' '\\n' | grep -c .; asp latin.lp 0 -V0 | sort -u | wc -l",
        "4032000\n161281\n",
    );
}

#[test]
fn files_are_found_in_the_library() {
    let folder = folder();
    let place = folder.path();
    let asp = |arguments: &[&str], asp_path: Option<&Path>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_asp"));
        command.args(arguments).arg("-V0").current_dir(place).env_remove("ASP_PATH");
        if let Some(path) = asp_path {
            command.env("ASP_PATH", path);
        }
        let output = command.output().unwrap();
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    // Found nowhere: an error that says so.
    assert!(asp(&["lib.lp"], None).1.contains("lib.lp"));
    // A folder of ASP_PATH, then `programs/` of the working folder, then the working folder itself.
    let other = tempfile::tempdir().unwrap();
    fs::write(other.path().join("lib.lp"), "path.").unwrap();
    let (text, note) = asp(&["lib.lp"], Some(other.path()));
    assert!(text.starts_with("path\n") && note.contains("lib.lp is "), "{text}{note}");
    fs::create_dir(place.join("programs")).unwrap();
    fs::write(place.join("programs/lib.lp"), "programs.").unwrap();
    let (text, note) = asp(&["lib.lp"], Some(other.path()));
    assert!(text.starts_with("programs\n") && note.contains("programs/lib.lp"), "{text}{note}");
    fs::write(place.join("lib.lp"), "here.").unwrap();
    let (text, note) = asp(&["lib.lp"], Some(other.path()));
    assert_eq!((text.as_str(), note.as_str()), ("here\nSATISFIABLE\n", ""));
    // Embedded files are available in any folder.
    let (_, note) = asp(&["grid4.lp", "--text"], None);
    assert!(note.contains("of the embedded library"), "{note}");
}

#[test]
fn queries_of_the_standard() {
    let program = "{ p(1..3) }. :- not p(2). q(1) :- p(2). q(2) :- p(3).";
    let query = |query: &str, options: &str| {
        format!(
            "echo '{program} {query}' | asp -q {options} | sed -n 's/^Query  *: //p; s/^Consequences : //p' | tr '\\n' ' '"
        )
    };
    check_shell(&query("q(1)?", ""), "1 yes ");
    check_shell(&query("q(2)?", ""), "0 no ");
    check_shell(&query("q(2)?", "-e brave"), "1 yes ");
    check_shell(&query("q(X)?", "-e brave"), "2 yes ");
    check_shell(&query("q(7)?", "-e brave"), "0 no ");
    check_shell(&query("a. :- a. q(7)?", ""), "yes ");
}
