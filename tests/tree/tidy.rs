//! Checks the shape of the source tree, where the compiler cannot.
//!
//! Crates enforce what uses what; here it is checked which crates those that others build on pull in, that every file begins
//! with a head, no file outgrows one algorithm, nothing unfinished or specific to one machine is left in, and
//! docs/ARCHITECTURE.md names only what exists.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Lines past which a file is surely two algorithms; tests may have some more.
const MAX_LINES: usize = 600;
const MAX_LINES_OF_TESTS: usize = 800;

/// Folders with sources of Rust, `crates` with those of all crates.
const SOURCES: [&str; 2] = ["src", "crates"];

/// What a package is built from without features that it has by default, by name.
fn dependencies(package: &str) -> BTreeSet<String> {
    dependencies_within(package, 1000)
}

/// The same, up to a depth.
fn dependencies_within(package: &str, depth: usize) -> BTreeSet<String> {
    let tree = Command::new(env!("CARGO"))
        .args([
            "tree",
            "--offline",
            "-e",
            "normal",
            "--prefix",
            "none",
            "--no-default-features",
            "--depth",
            &depth.to_string(),
            "-p",
            package,
        ])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let text = String::from_utf8(tree.stdout).expect("names are UTF-8");
    text.lines().filter_map(|l| l.split(' ').next()).map(String::from).collect()
}

/// What only the command line needs: its arguments, editors, agents, the page's server.
const OF_THE_COMMAND_LINE: [&str; 8] =
    ["asp-cli", "asp-lsp", "asp-mcp", "asp-serve", "clap", "lsp-server", "lsp-types", "tiny_http"];

#[test]
fn libraries_do_without_the_command_line() {
    for package in ["asp", "asp-clingo", "asp-python"] {
        let pulled = dependencies(package);
        assert!(pulled.contains("asp-control"), "{package}: {pulled:?}");
        let strange: Vec<_> = OF_THE_COMMAND_LINE.into_iter().filter(|name| pulled.contains(*name)).collect();
        assert!(strange.is_empty(), "{package}: {strange:?}");
    }
    // Who is called by others leaves signals to them.
    for package in ["asp", "asp-python"] {
        let pulled = dependencies(package);
        assert!(!pulled.contains("signal-hook") && !pulled.contains("asp-run"), "{package}: {pulled:?}");
    }
}

#[test]
fn bindings_build_on_what_others_may_use() {
    for (package, expected) in [
        ("asp-clingo", vec!["asp", "asp-clingo", "asp-lua", "asp-options", "asp-run"]),
        ("asp-python", vec!["asp", "asp-options", "asp-python", "asp-questions"]),
    ] {
        let pulled = dependencies_within(package, 1);
        let ours: Vec<_> = pulled.iter().filter(|name| name.starts_with("asp")).collect();
        assert_eq!(ours, expected, "what they need is public in `asp`, and recorded by tests/tree/public.rs");
    }
}

#[test]
fn the_product_does_without_the_definitions_for_tests() {
    let pulled = dependencies("asp-cli");
    assert!(pulled.contains("asp-program") && !pulled.contains("asp-oracle"), "{pulled:?}");
}

#[test]
fn the_engine_knows_no_program() {
    let pulled = dependencies("asp-engine");
    let ours: Vec<_> = pulled.iter().filter(|name| name.starts_with("asp")).collect();
    assert_eq!(ours, ["asp-base", "asp-engine", "asp-lp"]);
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files below `folder` with one of the extensions, sorted, relative to the repository.
fn files(folder: &str, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![root().join(folder)];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|e| extensions.iter().any(|x| e == *x)) {
            found.push(path.strip_prefix(root()).unwrap().to_path_buf());
        }
    }
    found.sort();
    found
}

/// All sources of Rust, grammars included.
fn sources() -> Vec<PathBuf> {
    SOURCES.iter().flat_map(|folder| files(folder, &["rs", "lalrpop"])).collect()
}

fn read(path: &Path) -> String {
    // Some inputs of tests are not UTF-8 on purpose.
    let bytes = fs::read(root().join(path)).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    String::from_utf8_lossy(&bytes).into_owned()
}

#[track_caller]
fn none(problems: Vec<String>, what: &str) {
    assert!(problems.is_empty(), "{what}:\n{}", problems.join("\n"));
}

#[test]
fn every_file_opens_with_a_head() {
    let mut headless = Vec::new();
    for folder in ["src", "crates", "tests", "benches"] {
        if root().join(folder).is_dir() {
            headless.extend(files(folder, &["rs"]).into_iter().filter(|p| !read(p).starts_with("//! ")));
        }
    }
    none(headless.iter().map(|p| p.display().to_string()).collect(), "files without a //! head");
}

#[test]
fn no_file_outgrows_one_algorithm() {
    let long = sources().into_iter().map(|p| (read(&p).lines().count(), p));
    let is_test = |p: &Path| p.ends_with("tests.rs") || p.iter().any(|part| part == "tests");
    let most = |p: &Path| if is_test(p) { MAX_LINES_OF_TESTS } else { MAX_LINES };
    let long = long.filter(|(lines, p)| *lines > most(p));
    none(
        long.map(|(lines, p)| format!("{}: {lines} lines", p.display())).collect(),
        "files that are too long",
    );
}

#[test]
fn nothing_is_left_unfinished() {
    let marks = ["todo!", "unimplemented!", "FIXME", "TODO", "XXX"];
    let mut problems = Vec::new();
    for path in [sources(), files("tests", &["rs"])].concat() {
        if path.ends_with("tidy.rs") {
            continue;
        }
        for (number, line) in read(&path).lines().enumerate() {
            if let Some(mark) = marks.iter().find(|mark| line.contains(**mark)) {
                problems.push(format!("{}:{}: {mark}", path.display(), number + 1));
            }
        }
    }
    none(problems, "unfinished work");
}

/// The test binaries, each a folder with a `main.rs`; linking more of them would take long.
const TEST_BINARIES: [&str; 5] = ["api", "cli", "language", "oracle", "tree"];

#[test]
fn tests_are_in_few_binaries() {
    let all = files("tests", &["rs"]);
    let binaries: Vec<String> = all
        .iter()
        .filter(|p| p.components().count() == 2 || p.components().count() == 3 && p.ends_with("main.rs"))
        .map(|p| p.components().nth(1).unwrap().as_os_str().to_string_lossy().into_owned())
        .collect();
    assert_eq!(binaries, TEST_BINARIES);
}

/// A test that finds nothing to compare with must not pass: tests that need clingo are in `tests/oracle/`, where all
/// are marked, and `.ci/steps/tests.sh` runs them. No other test may be ignored.
#[test]
fn tests_are_left_out_only_where_they_need_clingo() {
    let mark = ["#[test]", "#[ignore = \"needs clingo\"]"].join("\n");
    let mut problems = Vec::new();
    for path in files("tests", &["rs"]).into_iter().chain(sources()) {
        if path.ends_with("tidy.rs") {
            continue;
        }
        let text = read(&path);
        let (tests, ignored) = (text.matches("#[test]").count(), text.matches("#[ignore").count());
        let wanted = if path.starts_with("tests/oracle") { tests } else { 0 };
        if ignored != wanted || text.matches(&mark).count() != wanted {
            problems.push(format!("{}: {ignored} of {tests} tests are ignored", path.display()));
        }
    }
    none(problems, "tests that are left out, or that are not though they need clingo");
    assert!(read(Path::new(".ci/steps/tests.sh")).contains("cargo test --test oracle -- --ignored"));
}

/// `tests/README.md` names every file of tests and no other.
#[test]
fn the_page_about_tests_names_all_of_them() {
    let page = read(Path::new("tests/README.md"));
    let rows = page.lines().filter_map(|l| l.strip_prefix("| `")?.split('`').next());
    let rows: BTreeSet<String> = rows.filter(|r| r.ends_with(".rs")).map(String::from).collect();
    let mut modules = BTreeSet::new();
    for binary in TEST_BINARIES {
        for path in files(&format!("tests/{binary}"), &["rs"]) {
            let name = path.strip_prefix("tests").unwrap().to_string_lossy().into_owned();
            if !name.ends_with("main.rs") {
                modules.insert(name);
            }
        }
    }
    assert_eq!(rows, modules);
}

#[test]
fn nothing_names_one_machine() {
    // Absolute paths of a developer's machine. Written in pieces, so that this file may be searched too.
    let roots: Vec<String> =
        ["work", "opt", "home", "root", "Users"].iter().map(|d| format!("/{d}/")).collect();
    let mut problems = Vec::new();
    let mut all = vec![];
    for name in ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "Cargo.toml", "build.rs", ".ci/run"] {
        if root().join(name).is_file() {
            all.push(PathBuf::from(name));
        }
    }
    for folder in ["src", "crates", "tests", "programs", "instances", "docs", "benches"] {
        if root().join(folder).is_dir() {
            all.extend(files(folder, &["rs", "lalrpop", "lp", "md", "py", "txt", "json", "sh"]));
        }
    }
    for path in all {
        for (number, line) in read(&path).lines().enumerate() {
            for r in &roots {
                // Only where a path starts: `a/opt/b` is a relative one.
                let starts =
                    |at: usize| !line[..at].ends_with(|c: char| c.is_alphanumeric() || "._-}~*".contains(c));
                if line.match_indices(r.as_str()).any(|(at, _)| starts(at)) {
                    problems.push(format!("{}:{}: {line}", path.display(), number + 1));
                }
            }
        }
    }
    none(problems, "absolute paths of one machine");
}

#[test]
fn the_architecture_page_names_what_exists() {
    let page = Path::new("docs/ARCHITECTURE.md");
    let sources = sources();
    let mut problems = Vec::new();
    for (number, line) in read(page).lines().enumerate() {
        // Names stand between backticks: `crates/engine/src/search.rs`, `search.rs`, `Engine::raise`.
        for name in line.split('`').skip(1).step_by(2) {
            let is_file = [
                "src/",
                "crates/",
                "tests/",
                "docs/",
                "benches/",
                "programs/",
                "instances/",
                "bindings/",
                "web/",
            ]
            .iter()
            .any(|f| name.starts_with(f))
                || (name.ends_with(".rs") && !name.contains(' '));
            let stale = if is_file {
                // A file or a folder; one without a folder may be anywhere.
                !root().join(name).exists() && !sources.iter().any(|s| s.ends_with(name))
            } else {
                // The last name of a path is declared somewhere.
                let is_path =
                    name.contains("::") && name.chars().all(|c| c.is_alphanumeric() || "_:".contains(c));
                let last = name.rsplit("::").next().unwrap_or(name);
                is_path && !sources.iter().any(|s| declares(&read(s), last))
            };
            if stale {
                problems.push(format!("{}:{}: {name}", page.display(), number + 1));
            }
        }
    }
    none(problems, "stale names");
}

/// Whether a text declares an item of that name.
fn declares(text: &str, name: &str) -> bool {
    let is_variant = |line: &str| {
        line.trim_start().strip_prefix(name).is_some_and(|rest| rest.starts_with([' ', ',', '(']))
    };
    if text.lines().any(is_variant) {
        return true;
    }
    ["fn", "struct", "enum", "trait", "type", "const", "static", "mod"].iter().any(|kind| {
        let head = format!("{kind} {name}");
        let ends =
            |at: usize| !text[at + head.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
        text.match_indices(&head).any(|(at, _)| ends(at))
    })
}

#[test]
fn the_checks_see_what_they_should() {
    assert!(declares("pub fn run(", "run") && !declares("fn runs(", "run"));
}
