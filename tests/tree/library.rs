//! The library: every program states the expected results for its instances in `%@test` comments, and they are right.
//!
//! The numbers of answer sets are known from the literature or from clingo, with which `tests/oracle/library.rs`
//! compares them again. `puzzles.rs` compares whole grids.

use crate::support::stated::{folder, root, tests};
use std::collections::BTreeSet;
use std::process::Command;

/// `asp test programs/` passes.
#[test]
fn what_the_programs_state() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_asp"));
    let output = command.current_dir(root()).args(["test", "-q", "programs"]).output().expect("it runs");
    let stdout = String::from_utf8_lossy(&output.stdout);
    let wanted: usize = folder("programs").values().map(|text| tests(text).len()).sum();
    assert!(output.status.success(), "{stdout}{}", String::from_utf8_lossy(&output.stderr));
    assert!(stdout.contains(&format!("{wanted} passed, 0 failed")), "{stdout}");
}

/// There are no lints, and the programs are in the style of `asp fmt` (see `format.rs`).
#[test]
fn the_programs_are_free_of_lints() {
    for program in folder("programs").keys() {
        let mut command = Command::new(env!("CARGO_BIN_EXE_asp"));
        let program = format!("programs/{program}");
        let output = command.current_dir(root()).args(["lint", &program]).output().expect("it runs");
        assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// Each family has at least three instances, and every instance is in a test of a program.
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

/// A program begins with a comment for learners: a title, how to run it, and more.
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

/// What the titles of the instances promise exists: `(use with X.lp)` names a program.
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

/// What programs say to pictures is in no answer set that is printed, here or by clingo.
#[test]
fn words_for_pictures_are_hidden() {
    let mut speak = 0;
    for (program, text) in folder("programs") {
        let words = text.lines().filter(|line| line.starts_with("render_")).count();
        let shows: Vec<&str> = text.lines().filter(|line| line.starts_with("#show ")).collect();
        assert!(words == 0 || !shows.is_empty(), "{program} shows all atoms");
        assert!(shows.iter().all(|show| !show.contains("render_")), "{program}: {shows:?}");
        speak += usize::from(words > 0);
    }
    assert!(speak >= 25, "only {speak} programs");
    let mut command = Command::new(env!("CARGO_BIN_EXE_asp"));
    let arguments = ["futoshiki.lp", "grid4.lp", "0"];
    let output = command.current_dir(root()).args(arguments).output().expect("it runs");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(stdout.contains("cell_has_number(1,1,2)") && !stdout.contains("render_"), "{stdout}");
}
