//! The library: every program states what is expected of its instances in `%@test` comments, and it is so.
//!
//! The numbers of answer sets are known from the literature or from the reference system. `tests/puzzles.rs` compares
//! whole grids. `ASP_BIN=PROGRAM` asks another solver with the same command line about counts and optima.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// File names and texts of a folder.
fn folder(name: &str) -> BTreeMap<String, String> {
    let entries = std::fs::read_dir(root().join(name)).expect("a folder");
    let file = |path: std::path::PathBuf| {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        (name, std::fs::read_to_string(&path).expect("a text"))
    };
    entries.map(|e| file(e.expect("an entry").path())).collect()
}

/// A test comment: the words before its colon and what follows it.
type Test = (Vec<String>, String);

fn tests(text: &str) -> Vec<Test> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("%@test")?.split_once(':'));
    let words = |text: &str| text.split_whitespace().map(String::from).collect();
    lines.map(|(arguments, expected)| (words(arguments), expected.trim().to_string())).collect()
}

/// `asp test programs/` passes.
#[test]
fn what_the_programs_state() {
    if std::env::var_os("ASP_BIN").is_some() {
        return;
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_asp"));
    let output = command.current_dir(root()).args(["test", "-q", "programs"]).output().expect("it runs");
    let stdout = String::from_utf8_lossy(&output.stdout);
    let wanted: usize = folder("programs").values().map(|text| tests(text).len()).sum();
    assert!(output.status.success(), "{stdout}{}", String::from_utf8_lossy(&output.stderr));
    assert!(stdout.contains(&format!("{wanted} passed, 0 failed")), "{stdout}");
}

/// The value of a line `Key : value` of the summary.
fn summary<'a>(stdout: &'a str, key: &str) -> &'a str {
    let line = stdout.lines().find(|l| l.split(':').next().is_some_and(|k| k.trim() == key));
    line.and_then(|l| l.split_once(':')).map_or("none", |(_, value)| value.trim())
}

/// Another solver finds the same numbers and costs.
#[test]
fn what_another_solver_finds() {
    let Some(binary) = std::env::var_os("ASP_BIN") else { return };
    let mut wrong = Vec::new();
    for (program, text) in folder("programs") {
        for (arguments, expected) in tests(&text) {
            let file = |word: &String| match word.strip_suffix(".lp") {
                Some(_) => format!("instances/{word}"),
                None => word.clone(),
            };
            let arguments: Vec<String> = arguments.iter().map(file).collect();
            let (word, value) = expected.split_once(' ').unwrap_or((&expected, ""));
            let options: &[&str] = match word {
                "count" => &["-q", "--opt-mode=optN", "0"],
                "optimum" | "sat" | "unsat" | "steps" => &["-q"],
                _ => continue,
            };
            let output = Command::new(&binary)
                .current_dir(root())
                .arg(format!("programs/{program}"))
                .args(&arguments)
                .args(options)
                .output()
                .expect("it runs");
            let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
            let optima = summary(&stdout, "Optimal");
            let found = match word {
                "count" if optima != "none" => optima.to_string(),
                "count" => summary(&stdout, "Models").to_string(),
                "optimum" => summary(&stdout, "Optimization").to_string(),
                "steps" => {
                    summary(&stdout, "Calls").parse().map_or("none".into(), |n: u64| (n - 1).to_string())
                }
                _ => String::new(),
            };
            let code = output.status.code();
            let wanted_codes: &[i32] = if word == "unsat" { &[20] } else { &[10, 30] };
            if found != value || !code.is_some_and(|c| wanted_codes.contains(&c)) {
                wrong.push(format!("{program} {arguments:?}: {expected}, found {found}, exit {code:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Nothing to say against the programs, which are in the style of `asp fmt` (see `tests/format.rs`).
#[test]
fn the_programs_are_free_of_lints() {
    if std::env::var_os("ASP_BIN").is_some() {
        return;
    }
    for program in folder("programs").keys() {
        let mut command = Command::new(env!("CARGO_BIN_EXE_asp"));
        let program = format!("programs/{program}");
        let output = command.current_dir(root()).args(["lint", &program]).output().expect("it runs");
        assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// Each family has three instances at least, and every instance is in a test of a program.
#[test]
fn families_and_their_instances() {
    let (programs, instances) = (folder("programs"), folder("instances"));
    let mut used = BTreeSet::new();
    for (program, text) in &programs {
        let named: BTreeSet<String> =
            tests(text).into_iter().flat_map(|(words, _)| words).filter(|w| w.ends_with(".lp")).collect();
        for name in &named {
            assert!(instances.contains_key(name), "{program}: no instance {name}");
        }
        assert!(!tests(text).is_empty(), "{program} states no test");
        assert!(named.len() >= 3, "{program} has only {} instances in its tests", named.len());
        used.extend(named);
    }
    assert!(programs.len() >= 35, "only {} families", programs.len());
    let unused: Vec<&String> = instances.keys().filter(|name| !used.contains(*name)).collect();
    assert!(unused.is_empty(), "instances without a test: {unused:?}");
}

/// A program opens with a comment that teaches: a title, how to run it, and more.
#[test]
fn programs_open_with_a_comment_that_teaches() {
    for (program, text) in folder("programs") {
        let head: Vec<&str> = text.lines().take_while(|l| l.starts_with('%')).collect();
        assert!(head.len() >= 5, "{program}: only {} lines of comment", head.len());
        assert!(
            head.iter().any(|l| l.contains(&format!("asp {program}"))),
            "{program}: says not how to run it"
        );
        let title = head[0].trim_start_matches("% ");
        assert!(title.contains(':') && title.len() <= 90, "{program}: {title}");
    }
}

/// The files that the comments of the programs name exist.
#[test]
fn commands_in_comments_name_files_that_exist() {
    let (programs, instances) = (folder("programs"), folder("instances"));
    for (program, text) in &programs {
        for line in text.lines().filter(|l| l.starts_with("%   asp ")) {
            for word in line.split_whitespace().filter(|w| w.ends_with(".lp")) {
                let there = programs.contains_key(word) || instances.contains_key(word);
                assert!(there, "{program}: {word} does not exist");
            }
        }
    }
}

/// What the titles of the instances promise is found: `(use with X.lp)` names a program that exists.
#[test]
fn instances_name_their_programs() {
    let (programs, instances) = (folder("programs"), folder("instances"));
    for (name, text) in instances {
        let title = text.lines().next().unwrap_or("");
        let named: Vec<&str> = title.split([' ', '(', ')', ',']).filter(|w| w.ends_with(".lp")).collect();
        assert!(!named.is_empty(), "{name}: the title names no program");
        for program in named {
            assert!(programs.contains_key(program), "{name}: no program {program}");
        }
    }
}
