//! Solves every puzzle of `programs/` and `instances/` with the binary: number of answer sets, and each cell.
//!
//! The expected grids are in `tests/expected/`. `ASP_BIN=PROGRAM cargo test --test tree puzzles` uses another solver
//! with the same command line instead.

use crate::support::spawn;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// A grid: the value of each cell by row and column, from 1.
type Grid = BTreeMap<(u32, u32), u32>;

/// What a run printed.
struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
    seconds: Duration,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The binary under test in a folder.
fn asp(folder: &Path, arguments: &[&str]) -> Run {
    run(env!("CARGO_BIN_EXE_asp"), folder, arguments)
}

fn run(binary: &str, folder: &Path, arguments: &[&str]) -> Run {
    let start = Instant::now();
    let output = Command::new(binary).current_dir(folder).args(arguments).output().expect("the binary runs");
    Run {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("output is UTF-8"),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        seconds: start.elapsed(),
    }
}

/// Runs a program on an instance, both from the repository's folders.
fn solve(program: &str, instance: &str, arguments: &[&str]) -> Run {
    let program = format!("programs/{program}.lp");
    let instance = format!("instances/{instance}.lp");
    let binary = std::env::var("ASP_BIN").unwrap_or_else(|_| env!("CARGO_BIN_EXE_asp").to_string());
    run(&binary, root(), &[&[program.as_str(), instance.as_str()], arguments].concat())
}

impl Run {
    /// The answer sets as printed.
    fn answers(&self) -> Vec<&str> {
        spawn::answers(&self.stdout)
    }

    /// The answer sets as grids.
    fn grids(&self) -> Vec<Grid> {
        self.answers().into_iter().map(grid).collect()
    }

    /// The number on the line `Models : N`.
    fn models(&self) -> &str {
        self.stdout.lines().find_map(|l| l.strip_prefix("Models       : ")).unwrap_or("none")
    }

    /// Asserts the exit code, with everything printed if it differs.
    #[track_caller]
    fn exits(&self, code: i32) -> &Run {
        assert_eq!(self.code, Some(code), "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }
}

/// The atoms `cell_has_number(R,C,N)` of a line; nothing else may be shown, no cell twice.
#[track_caller]
fn grid(line: &str) -> Grid {
    let mut cells = Grid::new();
    for atom in line.split_whitespace() {
        let inner = atom.strip_prefix("cell_has_number(").and_then(|a| a.strip_suffix(')'));
        let inner = inner.unwrap_or_else(|| panic!("unexpected atom {atom}"));
        let [r, c, n] = inner.split(',').map(|x| x.parse().expect("a number")).collect::<Vec<u32>>()[..]
        else {
            panic!("unexpected atom {atom}")
        };
        assert!(cells.insert((r, c), n).is_none(), "two numbers in row {r}, column {c}");
    }
    cells
}

/// The grid of a file: a row a line, values separated by blanks.
fn expected(name: &str) -> Grid {
    let path = root().join("tests/expected").join(format!("{name}.txt"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut cells = Grid::new();
    for (r, row) in (1..).zip(text.lines()) {
        for (c, value) in (1..).zip(row.split_whitespace()) {
            cells.insert((r, c), value.parse().expect("a number"));
        }
    }
    cells
}

#[track_caller]
fn assert_same(found: &Grid, wanted: &Grid) {
    for (cell, value) in wanted {
        assert_eq!(found.get(cell), Some(value), "row {}, column {}", cell.0, cell.1);
    }
    assert_eq!(found.len(), wanted.len(), "cells that the solution does not have");
}

/// The instance has exactly one answer set, the one in `tests/expected/`.
#[track_caller]
fn one_solution(program: &str, instance: &str) {
    let run = solve(program, instance, &["0"]);
    run.exits(30);
    assert_eq!(run.models(), "1");
    assert_eq!(run.grids().len(), 1);
    assert_same(&run.grids()[0], &expected(instance));
}

#[test]
fn futoshiki_4() {
    one_solution("futoshiki", "grid4");
}

#[test]
fn futoshiki_9() {
    one_solution("futoshiki", "grid9");
}

#[test]
fn greater_than_sudoku() {
    one_solution("greater-than-sudoku", "signs9");
}

#[test]
fn sudoku_4() {
    for instance in ["sudoku4-a", "sudoku4-b", "sudoku4-c"] {
        one_solution("sudoku", instance);
    }
}

#[test]
fn sudoku_9() {
    one_solution("sudoku", "sudoku9-gprolog");
    one_solution("sudoku", "sudoku9-sas");
}

#[test]
fn sudoku_16() {
    one_solution("sudoku", "sudoku16-a");
    one_solution("sudoku", "sudoku16-b");
}

#[test]
fn pi_day_sudoku() {
    one_solution("pi-day-sudoku", "pi-day-2008");
}

#[test]
fn skyscrapers() {
    for instance in ["skyscraper4", "skyscraper5", "skyscraper6", "skyscraper-sudoku6"] {
        one_solution("skyscraper", instance);
    }
}

/// A magic square under the symmetry breaking of the program, checked from the definition.
#[track_caller]
fn check_magic(square: &Grid, n: u32, complete: bool) {
    let numbers: BTreeSet<u32> = square.values().copied().collect();
    assert_eq!(square.len() as u32, n * n);
    assert_eq!(numbers, (1..=n * n).collect());
    let total = n * (n * n + 1) / 2;
    let at = |r, c| square[&(r, c)];
    for i in 1..=n {
        assert_eq!((1..=n).map(|c| at(i, c)).sum::<u32>(), total, "row {i}");
        assert_eq!((1..=n).map(|r| at(r, i)).sum::<u32>(), total, "column {i}");
    }
    assert_eq!((1..=n).map(|i| at(i, i)).sum::<u32>(), total, "diagonal");
    assert_eq!((1..=n).map(|i| at(i, n + 1 - i)).sum::<u32>(), total, "other diagonal");
    assert!(at(1, 1) < at(n, 1) && at(1, 1) < at(n, n) && at(1, n) < at(n, 1), "corners");
    assert!(!complete || at(1, 1) < at(1, n), "corners");
}

/// All magic squares of an order: their number, each valid, no duplicates.
#[track_caller]
fn all_magic(n: u32, complete: bool, number: usize) {
    let constant = format!("complete={}", u8::from(complete));
    let run = solve("magic-square", &format!("magic{n}"), &["-c", &constant, "0"]);
    run.exits(30);
    let squares = run.grids();
    assert_eq!((run.models(), squares.len()), (number.to_string().as_str(), number));
    squares.iter().for_each(|s| check_magic(s, n, complete));
    assert_eq!(squares.into_iter().collect::<BTreeSet<_>>().len(), number, "a square twice");
}

/// One magic square of an order, found in time.
#[track_caller]
fn one_magic(n: u32, seconds: u64) {
    let run = solve("magic-square", &format!("magic{n}"), &[]);
    run.exits(10);
    let squares = run.grids();
    assert_eq!(squares.len(), 1);
    check_magic(&squares[0], n, false);
    assert!(run.seconds < Duration::from_secs(seconds), "took {:?}", run.seconds);
}

#[test]
fn magic_square_3_all() {
    all_magic(3, false, 2);
    all_magic(3, true, 1);
}

#[test]
fn magic_square_4_all() {
    all_magic(4, false, 1388);
}

#[test]
fn magic_square_4_all_of_each_kind() {
    all_magic(4, true, 880);
}

#[test]
fn magic_square_one_of_3_4_5() {
    for n in 3..=5 {
        one_magic(n, 20);
    }
}

#[test]
fn magic_square_one_of_7() {
    one_magic(7, 60);
}

/// From an empty folder, names are found in the library embedded in the binary; one note says so.
#[test]
fn names_are_found_from_any_folder() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let run = asp(folder.path(), &["futoshiki.lp", "grid4.lp", "0"]);
    run.exits(30);
    assert_eq!(run.models(), "1");
    assert_same(&run.grids()[0], &expected("grid4"));
    assert_eq!(run.stderr.lines().count(), 1, "one note, not:\n{}", run.stderr);
    for name in ["futoshiki.lp", "grid4.lp"] {
        assert!(run.stderr.contains(name), "{}", run.stderr);
    }
}

/// A file in the working folder takes precedence over `programs/` and `instances/` there, and these over the embedded
/// library.
#[test]
fn nearer_files_win() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    };
    write("instances/grid4.lp", "from(instances).");
    assert_eq!(asp(folder.path(), &["grid4.lp", "0"]).exits(30).answers(), ["from(instances)"]);
    write("grid4.lp", "from(here).");
    assert_eq!(asp(folder.path(), &["grid4.lp", "0"]).exits(30).answers(), ["from(here)"]);
    write("programs/sudoku.lp", "from(programs).");
    assert_eq!(asp(folder.path(), &["sudoku.lp", "0"]).exits(30).answers(), ["from(programs)"]);
}

/// `asp --list` names every program and instance, with the title that its first comment gives.
#[test]
fn the_list_shows_what_is_embedded() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let run = asp(folder.path(), &["--list"]);
    run.exits(0);
    for path in library() {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("a file");
        let first = text.lines().next().unwrap_or("");
        let title = first.strip_prefix("% ").unwrap_or_else(|| panic!("{name} opens with no title")).trim();
        let line = run.stdout.lines().find(|l| l.split([' ', '/']).any(|w| w == name));
        let line = line.unwrap_or_else(|| panic!("{name} is not listed:\n{}", run.stdout));
        assert!(line.contains(title), "{line}\nshould say: {title}");
    }
}

/// All files of `programs/` and `instances/`.
fn library() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = ["programs", "instances"]
        .iter()
        .flat_map(|f| std::fs::read_dir(root().join(f)).expect("a folder"))
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    files
}

/// File names are unique: no two files in the library have the same one.
#[test]
fn library_names_are_unique() {
    let files = library();
    let names: BTreeSet<_> = files.iter().map(|f| f.file_name().expect("a name").to_owned()).collect();
    assert_eq!(names.len(), files.len());
    assert!(files.iter().all(|f| f.extension().is_some_and(|e| e == "lp")));
}
