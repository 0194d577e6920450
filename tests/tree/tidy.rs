//! Checks the shape of the source tree, which a single crate cannot enforce by itself.
//!
//! Modules depend downwards only, every file begins with a head, no file outgrows one algorithm, nothing unfinished or
//! specific to one machine is left in, and docs/ARCHITECTURE.md names only what exists.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use Uses::{EarlierBut, Only};

/// What each top-level module may use besides itself, `std` and dependencies.
const MAY_USE: [(&str, &[&str]); 15] = [
    ("base", &[]),
    ("syntax", &["base"]),
    ("rewrite", &["base", "syntax"]),
    ("program", &["base"]),
    ("ground", &["base", "syntax", "rewrite", "program"]),
    ("solve", &["base", "program"]),
    ("report", &["base", "syntax", "program", "solve"]),
    ("control", &["base", "syntax", "rewrite", "program", "ground", "solve", "report"]),
    ("data", &["base"]),
    ("picture", &["base"]),
    ("format", &["base", "syntax", "rewrite"]),
    ("analysis", &["base", "syntax", "format"]),
    ("explain", &["base", "syntax", "program", "ground", "solve", "control"]),
    ("questions", &["base", "program", "solve", "report", "control", "picture", "explain"]),
    (
        "cli",
        &[
            "base",
            "syntax",
            "rewrite",
            "program",
            "ground",
            "solve",
            "report",
            "control",
            "data",
            "picture",
            "format",
            "analysis",
            "explain",
            "questions",
        ],
    ),
];

/// Which other rooms of its module a room may use.
enum Uses {
    Only(&'static [&'static str]),
    /// All rooms listed before it, except these.
    EarlierBut(&'static [&'static str]),
}

/// The rooms of a module, files or folders in it.
type Rooms = &'static [(&'static str, Uses)];

const SOLVE: Rooms = &[
    ("engine", Only(&[])),
    ("options", Only(&["engine"])),
    ("statistics", Only(&["engine"])),
    ("event", Only(&["engine"])),
    ("constraint", Only(&["engine"])),
    ("propagator", Only(&["engine", "constraint"])),
    ("translate", EarlierBut(&["event"])),
    ("theory", Only(&["engine", "constraint", "translate"])),
    ("call", EarlierBut(&[])),
    ("optimize", EarlierBut(&["propagator", "theory"])),
    ("session", EarlierBut(&["constraint", "propagator", "theory"])),
    ("parallel", EarlierBut(&["constraint", "propagator", "theory"])),
];

const CLI: Rooms = &[
    ("exit", Only(&[])),
    ("cube", Only(&[])),
    ("terminal", Only(&[])),
    ("stdout", Only(&["exit"])),
    ("library", Only(&[])),
    ("watch", Only(&["exit"])),
    ("open", Only(&["library"])),
    ("mentions", Only(&[])),
    ("option", Only(&["exit", "cube"])),
    ("diagnostics", Only(&["terminal", "option"])),
    ("input", Only(&["library", "mentions", "option"])),
    ("picture", Only(&["terminal", "option"])),
    ("python", Only(&[])),
    ("help", Only(&["library", "option", "commands"])),
    ("run", EarlierBut(&["mentions", "help"])),
    ("commands", EarlierBut(&["help"])),
];

/// Modules with separate rooms. What is above the rooms of a module, its `mod.rs`, may use all of them.
const ROOMS: &[(&str, Rooms)] = &[("cli", CLI), ("solve", SOLVE)];

/// The folders of `src/solve/engine` in which no file uses, directly or through others, a file that uses it. In the
/// engine as a whole there is such a circle: it holds propagators, which are handed the engine.
const ENGINE_FOLDERS: [&str; 3] = ["inprocess", "parameters", "store"];

/// Lines past which a file is surely two algorithms; tests may have some more.
const MAX_LINES: usize = 600;
const MAX_LINES_OF_TESTS: usize = 800;

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

fn read(path: &Path) -> String {
    // Some inputs of tests are not UTF-8 on purpose.
    let bytes = fs::read(root().join(path)).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Rust text without its comments and the contents of its string and character literals; lines stay where they are.
fn code_only(text: &str) -> String {
    let bytes: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let at = |i: usize| bytes.get(i).copied().unwrap_or('\0');
    let mut i = 0;
    while i < bytes.len() {
        match at(i) {
            '/' if at(i + 1) == '/' => {
                while i < bytes.len() && at(i) != '\n' {
                    i += 1;
                }
            }
            '/' if at(i + 1) == '*' => {
                let mut depth = 0;
                while i < bytes.len() {
                    if at(i) == '/' && at(i + 1) == '*' {
                        depth += 1;
                        i += 2;
                    } else if at(i) == '*' && at(i + 1) == '/' {
                        depth -= 1;
                        i += 2;
                    } else {
                        if at(i) == '\n' {
                            out.push('\n');
                        }
                        i += 1;
                    }
                    if depth == 0 {
                        break;
                    }
                }
            }
            'r' if is_raw_string(&bytes, i) => {
                let hashes = bytes[i + 1..].iter().take_while(|c| **c == '#').count();
                i += hashes + 2;
                while i < bytes.len() && !(at(i) == '"' && (1..=hashes).all(|k| at(i + k) == '#')) {
                    if at(i) == '\n' {
                        out.push('\n');
                    }
                    i += 1;
                }
                i += hashes + 1;
                out.push_str("\"\"");
            }
            '"' => {
                i += 1;
                while i < bytes.len() && at(i) != '"' {
                    if at(i) == '\\' {
                        i += 1;
                    }
                    if at(i) == '\n' {
                        out.push('\n');
                    }
                    i += 1;
                }
                i += 1;
                out.push_str("\"\"");
            }
            // A character literal, not a lifetime.
            '\'' if at(i + 1) == '\\' || at(i + 2) == '\'' => {
                i += if at(i + 1) == '\\' { 3 } else { 2 };
                while i < bytes.len() && at(i) != '\'' {
                    i += 1;
                }
                i += 1;
                out.push_str("' '");
            }
            c => {
                out.push(c);
                i += 1;
            }
        }
    }
    out
}

/// Whether an `r` at `i` opens a raw string.
fn is_raw_string(text: &[char], i: usize) -> bool {
    let starts_word = i == 0 || !(text[i - 1].is_alphanumeric() || text[i - 1] == '_') || text[i - 1] == 'b';
    starts_word && text[i + 1..].iter().find(|c| **c != '#') == Some(&'"')
}

/// The top-level modules named after each `crate::` in code, grouped imports included, with their line.
fn crate_paths(code: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        // `$crate::` counts; `some_crate::` does not.
        if code[..at].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let line = code[..at].matches('\n').count() + 1;
        let rest = code[at + "crate::".len()..].trim_start();
        if let Some(group) = rest.strip_prefix('{') {
            let (mut depth, mut item) = (0, String::new());
            for c in group.chars() {
                match c {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' if depth == 0 => found.push((line, first_name(&std::mem::take(&mut item)))),
                    _ if depth == 0 => item.push(c),
                    _ => {}
                }
            }
            found.push((line, first_name(&item)));
        } else {
            found.push((line, first_name(rest)));
        }
    }
    found.retain(|(_, name)| !name.is_empty());
    found
}

/// The identifier that a path starts with.
fn first_name(path: &str) -> String {
    path.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// The top-level module of a file in `src/`: `src/solve/engine/search.rs` and `src/solve.rs` are both in `solve`.
fn module_of(path: &Path) -> String {
    let part = path.components().nth(1).unwrap().as_os_str().to_string_lossy().into_owned();
    part.trim_end_matches(".rs").trim_end_matches(".lalrpop").to_string()
}

/// Whether the code of `module` may name `crate::used`.
fn allowed(module: &str, used: &str) -> bool {
    module == used
        || MAY_USE.iter().all(|(m, _)| *m != used) // an item that lib.rs re-exports, a macro
        || MAY_USE.iter().any(|(m, uses)| *m == module && uses.contains(&used))
}

#[track_caller]
fn none(problems: Vec<String>, what: &str) {
    assert!(problems.is_empty(), "{what}:\n{}", problems.join("\n"));
}

#[test]
fn imports_point_downwards() {
    let mut problems = Vec::new();
    for path in files("src", &["rs", "lalrpop"]) {
        let module = module_of(&path);
        if module == "lib" || module == "main" {
            continue;
        }
        for (line, used) in crate_paths(&code_only(&read(&path))) {
            // A unit test may use anything: earlier stages make its input.
            let in_tests =
                path.file_name().is_some_and(|f| f == "tests.rs") || after_tests(&read(&path), line);
            if !in_tests && !allowed(&module, &used) {
                problems.push(format!("{}:{line}: {module} uses {used}", path.display()));
            }
        }
    }
    none(problems, "upward imports");
}

/// Whether a line stands after the `#[cfg(test)] mod` of a file.
fn after_tests(text: &str, line: usize) -> bool {
    let mut lines = text.lines();
    let mut number = 0;
    while let Some(l) = lines.next() {
        number += 1;
        if l.trim() == "#[cfg(test)]"
            && lines.clone().next().is_some_and(|l| l.trim_start().starts_with("mod "))
        {
            return line > number;
        }
    }
    false
}

/// All paths in code that start with one of `roots` (`crate`, `super`, a module), groups expanded, each as its names. Where
/// something is visible (`pub(in crate::a)`) is not among them.
fn paths(code: &str, roots: &[String]) -> Vec<Vec<String>> {
    let (mut found, mut read) = (Vec::new(), Vec::new());
    for root in roots {
        for (at, _) in code.match_indices(&format!("{root}::")) {
            let before = &code[..at];
            let starts = !before.ends_with(|c: char| c.is_alphanumeric() || "_:.".contains(c))
                && !before.ends_with("pub(in ");
            // A member of another path's group is not a path of its own.
            if starts && !read.iter().any(|r: &std::ops::Range<usize>| r.contains(&at)) {
                let rest = expand(&code[at..], &mut Vec::new(), &mut found);
                read.push(at..code.len() - rest.len());
            }
        }
    }
    found
}

/// Reads one path and what its groups hold; returns what follows it.
fn expand<'c>(mut code: &'c str, before: &mut Vec<String>, found: &mut Vec<Vec<String>>) -> &'c str {
    let depth = before.len();
    loop {
        code = code.trim_start();
        if let Some(mut group) = code.strip_prefix('{') {
            loop {
                group = expand(group, before, found).trim_start();
                let Some(rest) = group.strip_prefix(',') else { break };
                group = rest;
            }
            code = group.strip_prefix('}').unwrap_or(group);
            break;
        }
        let name = first_name(code);
        code = &code[name.len()..];
        if !name.is_empty() {
            before.push(name);
        }
        let Some(rest) = code.strip_prefix("::") else {
            found.push(before.clone());
            // Up to the end of this member: `a as b`, `*`.
            let end = code.find(|c: char| !(c.is_alphanumeric() || "_ *".contains(c))).unwrap_or(code.len());
            code = &code[end..];
            break;
        };
        code = rest;
    }
    before.truncate(depth);
    code
}

/// The modules that lead to a file: `src/solve/engine/mod.rs` is `solve`, `engine`.
fn modules_of(path: &Path) -> Vec<String> {
    let path = path.with_extension("");
    let names = path.components().skip(1).map(|c| c.as_os_str().to_string_lossy().into_owned());
    names.filter(|n| n != "mod").collect()
}

/// The other files that a file's code names, outside of its unit tests.
fn used_files<'s>(path: &Path, by_module: &'s BTreeMap<Vec<String>, PathBuf>) -> BTreeSet<&'s PathBuf> {
    let text = read(path);
    let tests = text.find("\n#[cfg(test)]\nmod ").or(text.find("\n#[cfg(test)]\npub(crate) mod "));
    let tests = tests.unwrap_or(text.len());
    let own = modules_of(path);
    let children = by_module.keys().filter(|m| m.len() == own.len() + 1 && m.starts_with(&own));
    let mut roots: Vec<String> = ["crate", "super", "self"].map(String::from).to_vec();
    roots.extend(children.filter_map(|m| m.last().cloned()));
    let mut used = BTreeSet::new();
    for names in paths(&code_only(&text[..tests]), &roots) {
        let mut place = own.clone();
        for name in names {
            match name.as_str() {
                "crate" => place.clear(),
                "self" => {}
                "super" => drop(place.pop()),
                _ => place.push(name),
            }
        }
        // The longest part of the path that is a file.
        while !place.is_empty() && !by_module.contains_key(&place) {
            place.pop();
        }
        used.extend(by_module.get(&place));
    }
    used.retain(|p| *p != path);
    used
}

/// The sources by the modules that lead to them.
fn sources_by_module() -> BTreeMap<Vec<String>, PathBuf> {
    files("src", &["rs"]).into_iter().map(|p| (modules_of(&p), p)).collect()
}

#[test]
fn rooms_use_what_they_may() {
    let by_module = sources_by_module();
    let mut problems = Vec::new();
    for (module, rooms) in ROOMS {
        let room = |path: &Path| match modules_of(path).as_slice() {
            [m, room, ..] if m == module => Some(room.clone()),
            _ => None,
        };
        let tests = format!("src/{module}/tests");
        for path in by_module.values().filter(|p| !p.ends_with("tests.rs") && !p.starts_with(&tests)) {
            let Some(own) = room(path) else { continue };
            let Some(place) = rooms.iter().position(|(name, _)| *name == own) else {
                problems.push(format!("{}: {module} has no such room", path.display()));
                continue;
            };
            let may_use = |room: &str| match rooms[place].1 {
                Only(rooms) => rooms.contains(&room),
                EarlierBut(others) => rooms[..place].iter().any(|r| r.0 == room) && !others.contains(&room),
            };
            for other in used_files(path, &by_module) {
                let other_room = room(other);
                if modules_of(other) == [*module] {
                    problems.push(format!("{}: uses what stands above it, {module}", path.display()));
                } else if other_room.is_some_and(|r| r != own && !may_use(&r)) {
                    problems.push(format!("{}: {own} uses {}", path.display(), other.display()));
                }
            }
        }
    }
    none(problems, "rooms that use others against the grain");
}

#[test]
fn no_file_uses_itself_through_others() {
    let by_module = sources_by_module();
    let mut problems = Vec::new();
    let folders = MAY_USE.iter().flat_map(|(module, _)| match ROOMS.iter().find(|(m, _)| m == module) {
        Some((_, rooms)) => rooms.iter().map(|(room, _)| format!("src/{module}/{room}")).collect(),
        None => vec![format!("src/{module}")],
    });
    let engine = ENGINE_FOLDERS.map(|folder| format!("src/solve/engine/{folder}"));
    for folder in folders.filter(|f| f != "src/solve/engine").chain(engine) {
        let inside = |path: &&PathBuf| path.starts_with(&folder) && !path.ends_with("tests.rs");
        let mut uses: BTreeMap<&PathBuf, BTreeSet<&PathBuf>> = BTreeMap::new();
        for path in by_module.values().filter(inside) {
            uses.insert(path, used_files(path, &by_module).into_iter().filter(|p| inside(p)).collect());
        }
        // Removing files that use no others, or are used by no others, leaves the files on cycles or between them.
        loop {
            let before = uses.len();
            let used: BTreeSet<&PathBuf> = uses.values().flatten().copied().collect();
            uses.retain(|path, others| !others.is_empty() && used.contains(path));
            let left: BTreeSet<&PathBuf> = uses.keys().copied().collect();
            uses.values_mut().for_each(|others| others.retain(|p| left.contains(p)));
            if uses.len() == before {
                break;
            }
        }
        for (path, others) in uses {
            let others: Vec<String> = others.iter().map(|p| p.display().to_string()).collect();
            problems.push(format!("{} uses {}", path.display(), others.join(", ")));
        }
    }
    none(problems, "files on circles");
}

#[test]
fn every_top_level_module_has_its_place() {
    let known: BTreeSet<String> = MAY_USE.iter().map(|(m, _)| m.to_string()).collect();
    let found: BTreeSet<String> = files("src", &["rs"]).iter().map(|p| module_of(p)).collect();
    let strangers: Vec<String> =
        found.into_iter().filter(|m| m != "lib" && m != "main" && !known.contains(m)).collect();
    none(strangers, "modules that the table of dependencies does not know");
}

#[test]
fn every_file_opens_with_a_head() {
    let mut headless = Vec::new();
    for folder in ["src", "tests", "benches"] {
        if root().join(folder).is_dir() {
            headless.extend(files(folder, &["rs"]).into_iter().filter(|p| !read(p).starts_with("//! ")));
        }
    }
    none(headless.iter().map(|p| p.display().to_string()).collect(), "files without a //! head");
}

#[test]
fn no_file_outgrows_one_algorithm() {
    let long = files("src", &["rs"]).into_iter().map(|p| (read(&p).lines().count(), p));
    let is_test = |p: &Path| p.ends_with("tests.rs") || p.starts_with("src/solve/tests");
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
    for path in [files("src", &["rs", "lalrpop"]), files("tests", &["rs"])].concat() {
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
/// are marked, and `.ci/run` runs them. No other test may be ignored.
#[test]
fn tests_are_left_out_only_where_they_need_clingo() {
    let mark = ["#[test]", "#[ignore = \"needs clingo\"]"].join("\n");
    let mut problems = Vec::new();
    for path in files("tests", &["rs"]).into_iter().chain(files("src", &["rs"])) {
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
    assert!(read(Path::new(".ci/run")).contains("cargo test --test oracle -- --ignored"));
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
    for folder in ["src", "tests", "programs", "instances", "docs", "benches"] {
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
    let sources = files("src", &["rs", "lalrpop"]);
    let modules: BTreeSet<&str> = MAY_USE.iter().map(|(m, _)| *m).collect();
    let mut problems = Vec::new();
    for (number, line) in read(page).lines().enumerate() {
        // Names stand between backticks: `src/solve/engine/search.rs`, `solve/search`, `solve::search::Search`.
        for name in line.split('`').skip(1).step_by(2) {
            let stale = if ["src/", "tests/", "docs/", "benches/", "programs/", "instances/"]
                .iter()
                .any(|f| name.starts_with(f))
                || (name.ends_with(".rs") && !name.contains(' '))
            {
                // A file or a folder; one without a folder may be anywhere in src/.
                !root().join(name).exists() && !sources.iter().any(|s| s.ends_with(name))
            } else {
                let name = name.strip_prefix("asp::").or(name.strip_prefix("crate::")).unwrap_or(name);
                name.contains("::")
                    && modules.contains(first_name(name).as_str())
                    && !path_exists(name, &sources)
            };
            if stale {
                problems.push(format!("{}:{}: {name}", page.display(), number + 1));
            }
        }
    }
    none(problems, "stale names");
}

/// Whether `solve::search::Search::run` resolves: each part is a folder, a file, or a name declared in the part before.
fn path_exists(path: &str, sources: &[PathBuf]) -> bool {
    let mut place = PathBuf::from("src");
    let mut parts = path.split("::").map(first_name).peekable();
    while let Some(part) = parts.peek() {
        let next = place.join(part);
        if !sources.iter().any(|s| s.starts_with(&next) || *s == next.with_extension("rs")) {
            break;
        }
        place = next;
        parts.next();
    }
    let rest: Vec<String> = parts.filter(|p| !p.is_empty()).collect();
    let file = |f: &PathBuf| *f == place.with_extension("rs") || f.starts_with(&place);
    let text: String = sources.iter().filter(|f| file(f)).map(|f| read(f)).collect();
    rest.iter().all(|name| declares(&text, name))
}

/// Whether a text declares an item of that name.
fn declares(text: &str, name: &str) -> bool {
    ["fn", "struct", "enum", "trait", "type", "const", "static", "mod"].iter().any(|kind| {
        let head = format!("{kind} {name}");
        let ends =
            |at: usize| !text[at + head.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
        text.match_indices(&head).any(|(at, _)| ends(at))
    })
}

#[test]
fn the_checks_see_what_they_should() {
    let code = code_only(
        "use crate::{a, b::{c, d}, e};\n// crate::f\nlet s = \"crate::g\"; x::<'a>(); $crate::h!()",
    );
    let names: Vec<String> = crate_paths(&code).into_iter().map(|(_, n)| n).collect();
    assert_eq!(names, ["a", "b", "e", "h"]);
    assert_eq!(crate_paths(&code_only("r#\"\n\"#;\ncrate::a::b")), [(3, "a".to_string())]);
    let roots = ["crate", "super", "b"].map(String::from);
    let all =
        paths("use crate::{a, b::{c, d as e}, f::*};\nuse super::g; b::h(x::b::i) pub(in crate::k)", &roots);
    let all: Vec<String> = all.iter().map(|p| p.join("::")).collect();
    assert_eq!(all, ["crate::a", "crate::b::c", "crate::b::d", "crate::f", "super::g", "b::h"]);
    assert!(allowed("solve", "program") && allowed("solve", "solve") && !allowed("solve", "ground"));
    assert!(after_tests("a\n#[cfg(test)]\nmod tests {\n", 3) && !after_tests("a\n#[cfg(test)]\nuse x;\n", 3));
    assert!(declares("pub fn run(", "run") && !declares("fn runs(", "run"));
}
