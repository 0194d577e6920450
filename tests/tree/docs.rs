//! Checks the documentation: the programs of docs/language.md, the commands of README.md, docs/tutorial.md and
//! docs/rosters.md, the pages of the site.
//!
//! `ASP_BIN=PROGRAM cargo test --test tree docs` runs the programs with another solver that has the same command line.

use crate::support::spawn::answers;
use crate::support::update;
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
    run_binary(env!("CARGO_BIN_EXE_asp"), folder, arguments)
}

fn run_binary(binary: &str, folder: &Path, arguments: &[&str]) -> Output {
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

/// What the binary has printed as sets of sets.
fn printed(stdout: &str) -> AnswerSets {
    answers(stdout).into_iter().map(|a| a.split_whitespace().map(String::from).collect()).collect()
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
        let binary = std::env::var("ASP_BIN").unwrap_or_else(|_| env!("CARGO_BIN_EXE_asp").to_string());
        let output = run_binary(&binary, folder.path(), &[&["program.lp"], options].concat());
        let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(30), "docs/language.md:{line}\n{stdout}\n{stderr}");
        assert_eq!(printed(&stdout), listed(wanted), "docs/language.md:{line}\n{stderr}");
    }
}

/// Seconds differ from run to run: numbers with a decimal point on lines about time become `_`.
fn without_times(text: &str) -> String {
    if text.starts_with("Profile of grounding") {
        return without_costs(text);
    }
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

/// A profile lists statements by time: without times and shares, and sorted.
fn without_costs(text: &str) -> String {
    let cost = |word: &str| {
        let number = word.trim_end_matches(['s', '%']);
        number.contains('.') && number.parse::<f64>().is_ok()
    };
    let masked = |line: &str| {
        let words = line.split_whitespace().map(|w| if cost(w) { "_" } else { w });
        words.collect::<Vec<_>>().join(" ")
    };
    let mut lines: Vec<String> = text.lines().map(masked).collect();
    lines.sort();
    lines.join("\n")
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

/// A block of a page: a file to write, or commands with what they print.
enum Block {
    File(String, String),
    Console(String),
}

/// The blocks opened by "```asp NAME", "```csv NAME" and "```console", in their order, each with the number of its first line.
fn steps(page: &str) -> Vec<(usize, Block)> {
    let mut found: Vec<(usize, Block)> =
        blocks(page, "console").into_iter().map(|(line, text)| (line, Block::Console(text))).collect();
    for (i, line) in page.lines().enumerate() {
        if let Some(name) = line.strip_prefix("```asp ").or_else(|| line.strip_prefix("```csv ")) {
            let body = page.lines().skip(i + 1).take_while(|l| !l.starts_with("```"));
            let text = body.map(|l| format!("{l}\n")).collect();
            found.push((i + 2, Block::File(name.trim().to_string(), text)));
        }
    }
    found.sort_by_key(|(line, _)| *line);
    found
}

/// The words of a command; single quotes keep blanks.
fn words(command: &str) -> Vec<String> {
    let quoted = command.split('\'').enumerate();
    quoted
        .flat_map(|(i, part)| match i % 2 {
            0 => part.split_whitespace().map(String::from).collect(),
            _ => vec![part.to_string()],
        })
        .collect()
}

/// A page shows what the binary prints. `ASP_UPDATE=1` rewrites the page.
#[track_caller]
fn commands_of(name: &str, least: usize) {
    let mut page = read(name);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let update = update::is_wanted();
    let mut number = 0;
    for (line, block) in steps(&page.clone()) {
        let block = match block {
            Block::File(file, text) => {
                std::fs::write(folder.path().join(file), text).expect("a file");
                continue;
            }
            Block::Console(block) => block,
        };
        for (command, shown) in commands(&block) {
            let words = words(&command);
            let mut words: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
            let into = words.iter().position(|w| *w == ">").map(|at| (words.split_off(at)[1]).to_string());
            let mut output = run(folder.path(), &words);
            if let Some(file) = into {
                std::fs::write(folder.path().join(file), std::mem::take(&mut output.stdout)).expect("a file");
            }
            let printed = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
            number += 1;
            if without_times(&printed) == without_times(&shown) {
                continue;
            }
            assert!(update, "{name}:{line}: {command}\nshown:\n{shown}\nprinted:\n{printed}");
            page = page.replacen(&format!("$ {command}\n{shown}"), &format!("$ {command}\n{printed}"), 1);
        }
    }
    assert!(number >= least, "only {number} commands");
    if update {
        update::write(root().join(name), page);
    }
}

#[test]
fn the_site_has_every_page() {
    let summary = read("release/site/SUMMARY.md");
    let linked = summary.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let mut linked: BTreeSet<String> = linked.map(String::from).collect();
    assert!(linked.remove("index.md"), "the README is the first page");
    let folder = std::fs::read_dir(root().join("docs")).expect("docs");
    let names = folder.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    assert_eq!(linked, names.filter(|name| name.ends_with(".md")).collect());
}

#[test]
fn commands_of_the_readme() {
    commands_of("README.md", 2);
}

/// README shows the rules of a program and counts programs and instances, as `--list` does.
#[test]
fn the_readme_knows_the_library() {
    let page = read("README.md");
    let shown = blocks(&page, "prolog").swap_remove(0).1;
    let program = read("programs/futoshiki.lp");
    // The page leaves out what is for pictures.
    let is_rule =
        |line: &&str| !line.is_empty() && !line.starts_with(['%', '#']) && !line.starts_with("render_");
    assert_eq!(
        shown.lines().filter(is_rule).collect::<Vec<_>>(),
        program.lines().filter(is_rule).collect::<Vec<_>>()
    );
    let number = |folder: &str| {
        let files = std::fs::read_dir(root().join(folder)).expect("a folder");
        files
            .filter(|entry| entry.as_ref().is_ok_and(|e| e.path().extension().is_some_and(|x| x == "lp")))
            .count()
    };
    let said =
        format!("[{} programs, mostly puzzles, and {} instances]", number("programs"), number("instances"));
    assert!(page.contains(&said), "{said}");
}

#[test]
fn commands_of_the_tutorial() {
    commands_of("docs/tutorial.md", 10);
}

#[test]
fn commands_of_the_rosters() {
    commands_of("docs/rosters.md", 7);
}
