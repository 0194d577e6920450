//! Runs what the documentation shows: the programs of docs/language.md and the commands of README.md.
//!
//! `ASP_BIN=PROGRAM cargo test --test docs` asks another solver with the same command line about the programs.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(page: &str) -> String {
    std::fs::read_to_string(root().join(page)).unwrap_or_else(|e| panic!("{page}: {e}"))
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let binary = std::env::var("ASP_BIN").unwrap_or_else(|_| env!("CARGO_BIN_EXE_asp").to_string());
    Command::new(binary).current_dir(folder).args(arguments).output().expect("the binary runs")
}

/// The fenced blocks of a page in one language, each with the number of its first line.
fn blocks(page: &str, language: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut open: Option<(usize, String)> = None;
    let fence = format!("```{language}");
    for (number, line) in (1..).zip(page.lines()) {
        match &mut open {
            Some(_) if line.starts_with("```") => found.extend(open.take()),
            Some((_, text)) => {
                text.push_str(line);
                text.push('\n');
            }
            None if line == fence => open = Some((number + 1, String::new())),
            None => {}
        }
    }
    found
}

type AnswerSets = BTreeSet<BTreeSet<String>>;

/// `{a b} {}` as sets of sets.
fn listed(text: &str) -> AnswerSets {
    let sets = text.split('{').skip(1).map(|s| s.split('}').next().unwrap_or(""));
    sets.map(|s| s.split_whitespace().map(String::from).collect()).collect()
}

/// The lines after `Answer:` lines as sets of sets.
fn printed(stdout: &str) -> AnswerSets {
    let lines: Vec<&str> = stdout.lines().collect();
    let answers = lines.windows(2).filter(|w| w[0].starts_with("Answer: ")).map(|w| w[1]);
    answers.map(|a| a.split_whitespace().map(String::from).collect()).collect()
}

#[test]
fn programs_of_the_language_reference() {
    let page = read("docs/language.md");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let blocks = blocks(&page, "asp");
    assert!(blocks.len() >= 15, "only {} programs", blocks.len());
    for (line, program) in blocks {
        std::fs::write(folder.path().join("program.lp"), &program).expect("a file");
        let statement = |start: &str| program.lines().find_map(|l| l.strip_prefix(start));
        let (wanted, options): (_, &[&str]) = if let Some(sets) = statement("% answer sets:") {
            (sets, &["0"])
        } else if let Some(sets) = statement("% optimal:") {
            (sets, &["0", "--opt-mode=optN", "--quiet=1"])
        } else {
            panic!("docs/language.md:{line}: says nothing about its answer sets")
        };
        let output = run(folder.path(), &[&["program.lp"], options].concat());
        let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(30), "docs/language.md:{line}\n{stdout}\n{stderr}");
        assert_eq!(printed(&stdout), listed(wanted), "docs/language.md:{line}\n{stderr}");
    }
}

/// Seconds differ from run to run: numbers with a decimal point on lines about time become `_`.
fn without_times(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        if line.contains("Time") {
            let words: Vec<&str> = line.split(' ').map(|w| if is_seconds(w) { "_" } else { w }).collect();
            out.push_str(&words.join(" "));
        } else {
            out.push_str(line.trim_end());
        }
        out.push('\n');
    }
    out
}

/// `0.001s`, perhaps with a bracket.
fn is_seconds(word: &str) -> bool {
    let word = word.trim_end_matches(')');
    word.strip_suffix('s').is_some_and(|w| w.contains('.') && w.parse::<f64>().is_ok())
}

/// The commands `$ asp ...` of a console block, each with the output that the page shows.
fn commands(block: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for line in block.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            found.push((command.to_string(), String::new()));
        } else if let Some((_, output)) = found.last_mut() {
            output.push_str(line);
            output.push('\n');
        }
    }
    found.retain(|(command, _)| command.starts_with("asp "));
    found
}

/// What the README shows is what the binary prints. `ASP_UPDATE=1` writes the page anew.
#[test]
fn commands_of_the_readme() {
    if std::env::var_os("ASP_BIN").is_some() {
        return;
    }
    let mut page = read("README.md");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let update = std::env::var_os("ASP_UPDATE").is_some();
    let mut number = 0;
    for (line, block) in blocks(&page.clone(), "console") {
        for (command, shown) in commands(&block) {
            let words: Vec<&str> = command.split_whitespace().skip(1).collect();
            let output = run(folder.path(), &words);
            let printed = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
            number += 1;
            if update {
                page = page.replacen(&format!("$ {command}\n{shown}"), &format!("$ {command}\n{printed}"), 1);
            } else {
                assert_eq!(without_times(&printed), without_times(&shown), "README.md:{line}: {command}");
            }
        }
    }
    assert!(number >= 2, "only {number} commands");
    if update {
        std::fs::write(root().join("README.md"), page).expect("README.md");
    }
}
