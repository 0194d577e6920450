//! `asp python` and scripts in programs, with stand-ins for Python: what is asked of it, and what is said if it is not there.
//! With a real one: `bindings/python/tests/compare_runs.py`.

use crate::support::spawn;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

const SCRIPT: &str = "a.\n#script (python)\ndef f(x): return x\n#end.\nb(@f(1)).\n";

/// A program that stands for Python: what the check says, then what a run does.
fn python(folder: &Path, check: &str, run: &str) -> String {
    let path = folder.join("python");
    let text = format!(
        "#!/bin/sh\ncase \"$2$3\" in *find_spec*) {check};; esac\ncase \"$3\" in *clingo_main*) shift 3;; esac\n{run}\n"
    );
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_string()
}

#[track_caller]
fn run(python: &str, arguments: &[&str], input: &str) -> spawn::Run {
    spawn::finish(spawn::command(arguments).env("ASP_PYTHON", python), input)
}

#[test]
fn without_python_a_script_is_an_error_at_its_place() {
    let run = run("no-such-python", &["-"], SCRIPT);
    assert_eq!(run.code, Some(65));
    let expect = "error: this script cannot run: no Python was found: `no-such-python` cannot be run
 --> <stdin>:2:1
  |
2 | / #script (python)
3 | | def f(x): return x
4 | | #end.
  | |_____^
";
    assert!(run.stderr.starts_with(expect), "{}", run.stderr);
    assert!(run.stderr.contains("help: install Python 3"), "{}", run.stderr);
    assert!(run.stdout.starts_with("asp version"), "{}", run.stdout);
    assert!(run.stdout.contains("UNKNOWN"), "{}", run.stdout);
}

#[test]
fn what_is_missing_is_told_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    for (check, what, help) in [
        ("exit 103", "is older than", ""),
        ("exit 104", "has no package clingo", "pip install clingo"),
        ("exit 105", "there is no module _clingo", "install ./bindings/python"),
        ("exit 106", "its module _clingo is not asp's", "install ./bindings/python"),
        ("echo 'no symbol' >&2; exit 1", "cannot load asp's module _clingo: no symbol", ""),
    ] {
        let python = python(folder.path(), check, "echo ran");
        for (arguments, input) in [(&["-"][..], SCRIPT), (&["python", "x.py"][..], "")] {
            let run = run(&python, arguments, input);
            assert_eq!(run.code, Some(65), "{check}");
            assert!(run.stderr.contains(what) && run.stderr.contains(help), "{check}: {}", run.stderr);
            assert!(!run.stdout.contains("ran"), "{check}");
        }
    }
    let run = spawn::run(["python", "--python", "no-such-python", "x.py"], "");
    assert_eq!(run.code, Some(65));
    assert!(run.stderr.contains("no Python was found: `no-such-python`"), "{}", run.stderr);
}

#[test]
fn a_run_with_scripts_becomes_a_run_of_python() {
    let folder = tempfile::tempdir().unwrap();
    let python = python(folder.path(), "exit 0", "echo \"[$@]\"; cat; exit 42");
    fs::write(folder.path().join("script.lp"), SCRIPT).unwrap();
    fs::write(folder.path().join("include.lp"), "#include \"script.lp\".\n").unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_string();

    // Standard input, which has been read, comes again. Nothing else is printed.
    let run1 = run(&python, &["-", "0", "--outf=2"], SCRIPT);
    assert_eq!((run1.code, run1.stdout), (Some(42), format!("[- 0 --outf=2]\n{SCRIPT}")), "{}", run1.stderr);
    let include = file("include.lp");
    let run2 = run(&python, &[&include, "-q"], "not read");
    assert_eq!((run2.code, run2.stdout), (Some(42), format!("[{include} -q]\nnot read")));

    // Nothing is started for a comment, or for a program that does not parse.
    let run3 = run(&python, &["-", "-V0"], "% #script (python)\na.\n");
    assert_eq!((run3.code, run3.stdout.as_str()), (Some(30), "a\nSATISFIABLE\n"));
    let run4 = run(&python, &["-", "-V0"], &format!("{SCRIPT} c :- .. d."));
    assert_eq!((run4.code, run4.stdout.as_str()), (Some(65), "UNKNOWN\n"));
}

#[test]
fn python_gets_its_arguments_as_they_stand() {
    let folder = tempfile::tempdir().unwrap();
    let python = python(folder.path(), "exit 0", "echo \"[$@]\"; cat; exit 7");
    let run1 = run(&python, &["python", "-c", "x", "--python", "-h"], "in");
    assert_eq!((run1.code, run1.stdout.as_str()), (Some(7), "[-c x --python -h]\nin"), "{}", run1.stderr);
    let run2 = spawn::run(["python", "--python", &python, "x.py", "0"], "");
    assert_eq!((run2.code, run2.stdout.as_str()), (Some(7), "[x.py 0]\n"));
}

#[track_caller]
fn is_refused(language: &str, what: &str) {
    let run = spawn::run(["-"], &format!("#script ({language}) x #end."));
    assert_eq!(run.code, Some(65));
    assert!(run.stderr.contains(what), "{}", run.stderr);
}

#[test]
fn other_languages_are_errors_that_say_so() {
    is_refused("cobol", "cobol support not available");
}

#[test]
#[cfg(not(feature = "lua"))]
fn an_asp_without_lua_says_how_to_get_it() {
    is_refused("lua", "this asp was built without Lua: build it with `cargo build --release --features lua`");
}
