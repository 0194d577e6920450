//! docs/options.md: every row of the first table is backed by recorded runs of clingo or by a test, and the second
//! table is generated from the table of options (`ASP_UPDATE=1` rewrites it).
//!
//! `tests/golden/readme.txt` names them: the row's first option, `||`, then cases of `cases.txt` (each of which uses an
//! option of the row) and tests as `cargo test` names them, after the binary: `cli::options::NAME`. What they expect is
//! checked by `golden.rs` and by those tests.

use crate::support::{spawn, update};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use asp_options::spec::{Standing, Takes};
use asp_options::table::{OPTIONS, find};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn page() -> String {
    fs::read_to_string(root().join("docs/options.md")).unwrap()
}

fn golden(file: &str) -> String {
    let path: PathBuf = root().join("tests/golden").join(file);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The options that each row names, as written there.
fn rows() -> Vec<Vec<String>> {
    let page = page();
    let section = page.split("\n## Used most\n").nth(1).and_then(|s| s.split("\n## ").next()).unwrap();
    let lines = section.lines().filter(|l| l.starts_with("| `"));
    let rows: Vec<Vec<String>> = lines
        .map(|line| {
            // The bar between words is escaped in a table.
            let cell = line.replace("\\|", "\u{1}");
            let cell = cell.split('|').nth(1).unwrap().to_string();
            cell.split('`').skip(1).step_by(2).map(|o| o.replace('\u{1}', "|")).collect()
        })
        .collect();
    assert!(rows.len() > 30, "{} rows", rows.len());
    rows
}

fn cases() -> BTreeMap<String, Vec<String>> {
    let text = golden("cases.txt");
    let lines = text.lines().filter(|l| !l.is_empty() && !l.starts_with('#'));
    lines
        .map(|line| {
            let parts: Vec<&str> = line.splitn(3, '|').map(str::trim).collect();
            (parts[0].to_string(), parts[2].split(' ').map(str::to_string).collect())
        })
        .collect()
}

fn backing() -> BTreeMap<String, Vec<String>> {
    let text = golden("readme.txt");
    let lines = text.lines().filter(|l| !l.starts_with('#'));
    lines
        .map(|line| {
            let (row, names) = line.split_once(" || ").unwrap_or_else(|| panic!("{line}"));
            (row.to_string(), names.split_whitespace().map(str::to_string).collect())
        })
        .collect()
}

/// `--outf=2` of `--outf=2`, `--opt-mode` of `--opt-mode=opt|enum`, `-V` of `-V0`, `-n` of `-n N`, `N` of `N`.
fn stem(option: &str) -> &str {
    if option.starts_with("--outf=") {
        return option;
    }
    if option.starts_with("--") {
        return option.split(['=', '[']).next().unwrap();
    }
    if option.starts_with('-') { &option[..option.len().min(2)] } else { option }
}

/// Whether an argument is an option that a row names.
fn is_use(argument: &str, option: &str) -> bool {
    let stem = stem(option);
    let plain = argument.strip_prefix("--no-").map_or(argument.to_string(), |rest| format!("--{rest}"));
    match stem {
        "N" => argument.parse::<i64>().is_ok(),
        "-" => argument == "-",
        _ => plain.starts_with(stem),
    }
}

/// Whether an argument is an option that is accepted without effect.
fn is_noted(argument: &str) -> bool {
    let name = argument.trim_start_matches('-').split('=').next().unwrap();
    find(name.strip_prefix("no-").unwrap_or(name)).is_some_and(|spec| spec.standing == Standing::Noted)
}

#[test]
fn every_row_is_backed() {
    let (cases, mut backing) = (cases(), backing());
    for row in rows() {
        let names = backing.remove(&row[0]);
        let names = names.unwrap_or_else(|| panic!("no line for `{}` in tests/golden/readme.txt", row[0]));
        for name in &names {
            if let Some((file, test)) = name.rsplit_once("::") {
                let path = format!("tests/{}.rs", file.replace("::", "/"));
                let text = fs::read_to_string(root().join(path)).unwrap();
                assert!(text.contains(&format!("#[test]\nfn {test}()")), "no test {name}");
                continue;
            }
            let arguments = cases.get(name).unwrap_or_else(|| panic!("no case {name}"));
            // One row stands for all options of the search that are merely accepted.
            let others = row[0] == "--restarts" && arguments.iter().any(|a| is_noted(a));
            let used = arguments.iter().any(|a| row.iter().any(|option| is_use(a, option)));
            assert!(used || others, "{name} uses none of {row:?}");
        }
        assert!(!names.is_empty(), "nothing backs {row:?}");
    }
    assert!(backing.is_empty(), "no such rows: {backing:?}");
}

#[test]
fn the_page_names_the_options_of_the_first_help() {
    let page = page();
    let (used_most, _) = page.split_once("\n## All\n").unwrap();
    let named: Vec<&str> = used_most.split('`').map(|o| o.split(['=', '[', ' ']).next().unwrap()).collect();
    for spec in OPTIONS.iter().filter(|o| o.standing == Standing::Works && o.level == 1) {
        let long = format!("--{}", spec.long);
        assert!(named.contains(&long.as_str()), "docs/options.md does not name {long}");
    }
}

/// Names of what stands for a value are in capitals; options of subcommands are not asked for.
#[test]
fn values_of_options_on_pages_are_accepted() {
    let pages = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let mut written = BTreeSet::new();
    for page in pages.filter(|p| p.extension().is_some_and(|e| e == "md")) {
        let text = fs::read_to_string(page).unwrap();
        let quoted = text
            .split('`')
            .skip(1)
            .step_by(2)
            .filter(|o| o.starts_with("--") && !o.contains([' ', '[', '|']));
        let valued =
            quoted.filter_map(|o| o.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned())));
        written.extend(valued.filter(|(_, value)| !value.contains(char::is_uppercase)));
    }
    let mut accepted = 0;
    for (name, value) in written {
        let run = spawn::run([&format!("{name}={value}")[..], "--version"], "");
        assert!(!run.stderr.contains("invalid value"), "{name}={value}: {}", run.stderr);
        accepted += u32::from(run.code == Some(0));
    }
    assert!(accepted > 20, "{accepted} accepted");
}

/// All options by group, as a table each.
fn all_options() -> String {
    let mut text = String::new();
    let mut last = None;
    for spec in OPTIONS {
        if last != Some(spec.group) {
            last = Some(spec.group);
            let heading = spec.group.heading();
            text.push_str(&format!("\n### {heading}\n\n| option | level | meaning |\n|---|---|---|\n"));
        }
        let value = match spec.takes {
            Takes::Flag => String::new(),
            Takes::Required(_) => format!("={}", spec.metavar),
            Takes::Optional(_) => format!("[={}]", spec.metavar),
        };
        let short = spec.short.map(|c| format!("`-{c}`, ")).unwrap_or_default();
        let negation = if spec.negatable { format!(", `--no-{}`", spec.long) } else { String::new() };
        let noted = if spec.standing == Standing::Noted { " (accepted, no effect)" } else { "" };
        let row =
            format!("{short}`--{}{value}`{negation} | {} | {}{noted}", spec.long, spec.level, spec.help);
        let bars = row.replace(" | ", "\u{1}").replace('|', "\\|").replace('\u{1}', " | ");
        text.push_str(&format!("| {bars} |\n"));
    }
    text
}

#[test]
fn the_page_lists_all_options() {
    const MARK: &str = "<!-- options -->\n";
    let page = page();
    let (before, after) = page.split_once(MARK).unwrap();
    if update::is_wanted() {
        update::write(root().join("docs/options.md"), format!("{before}{MARK}{}", all_options()));
    } else {
        assert!(
            after == all_options(),
            "docs/options.md is stale: ASP_UPDATE=1 cargo test --test cli readme"
        );
    }
}

/// README.md counts what `--list` prints; `--help` fits two screens of fifty lines, the subcommands first.
#[test]
fn the_library_and_the_help_are_as_long_as_said() {
    let list = spawn::run(["--list"], "").stdout;
    let number = |folder: &str| list.lines().filter(|line| line.starts_with(folder)).count();
    let said =
        format!("{} programs, mostly puzzles, and {} instances", number("programs/"), number("instances/"));
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    assert!(readme.contains(&said), "{said}");
    let help = spawn::run(["--help"], "").stdout;
    let (subcommands, options) = (help.find("\nSubcommands"), help.find("\nBasic options"));
    assert!(help.lines().count() <= 100 && subcommands.is_some() && subcommands < options, "{help}");
}
