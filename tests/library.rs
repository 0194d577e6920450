//! Counts the answer sets of the classic problems and puzzle families of `programs/` with the binary.
//!
//! `tests/puzzles.rs` compares whole grids; here a row states files, options and the number of answer sets, known from
//! the literature or from the reference system. `ASP_BIN=PROGRAM` asks another solver with the same command line.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Program, instance (or nothing), options, number of answer sets.
type Row = (&'static str, &'static str, &'static [&'static str], u64);

const COUNTS: [Row; 56] = [
    ("queens", "", &["-c", "n=4"], 2),
    ("queens", "", &["-c", "n=6"], 4),
    ("queens", "", &["-c", "n=8"], 92),
    ("zebra", "", &[], 1),
    ("send-more-money", "", &[], 1),
    ("graph-colouring", "australia", &[], 18),
    ("graph-colouring", "australia", &["-c", "colours=2"], 0),
    ("graph-colouring", "petersen", &[], 120),
    ("graph-colouring", "cube", &[], 114),
    ("hamiltonian-cycle", "petersen", &[], 0),
    ("hamiltonian-cycle", "cube", &[], 12),
    ("hamiltonian-cycle", "dodecahedron", &[], 60),
    ("knights-tour", "knight5x5", &[], 0),
    ("knights-tour", "knight5x6", &[], 16),
    ("knights-tour", "knight3x10", &[], 32),
    ("latin-square", "", &[], 576),
    ("latin-square", "", &["-c", "n=3"], 12),
    ("latin-square", "", &["-c", "n=5", "-c", "reduced=1"], 56),
    ("magic-series", "", &["-c", "n=4"], 2),
    ("magic-series", "", &["-c", "n=5"], 1),
    ("magic-series", "", &["-c", "n=6"], 0),
    ("magic-series", "", &["-c", "n=7"], 1),
    ("magic-series", "", &["-c", "n=10"], 1),
    ("hanoi", "hanoi3", &[], 1),
    ("hanoi", "hanoi4", &[], 1),
    ("hanoi", "hanoi5", &[], 1),
    ("hanoi", "hanoi4", &["-c", "steps=14"], 0),
    ("killer-sudoku", "killer9-easy", &[], 1),
    ("killer-sudoku", "killer9", &[], 1),
    ("killer-sudoku", "killer9-hard", &[], 1),
    ("kenken", "", &[], 576),
    ("kenken", "kenken4", &[], 1),
    ("kenken", "kenken6", &[], 1),
    ("kenken", "kenken8", &[], 1),
    ("kakuro", "kakuro4", &[], 1),
    ("kakuro", "kakuro6", &[], 1),
    ("kakuro", "kakuro8", &[], 1),
    ("nonogram", "heart", &[], 1),
    ("nonogram", "anchor", &[], 1),
    ("nonogram", "noise15", &[], 1),
    ("minesweeper", "mines-edge", &[], 1),
    ("minesweeper", "mines8", &[], 1),
    ("minesweeper", "mines12", &[], 2),
    ("light-up", "lamps5", &[], 1),
    ("light-up", "lamps7", &[], 1),
    ("light-up", "lamps10", &[], 1),
    ("hitori", "hitori4", &[], 1),
    ("hitori", "hitori6", &[], 1),
    ("hitori", "hitori8", &[], 1),
    ("slitherlink", "slither4", &[], 1),
    ("slitherlink", "slither6", &[], 1),
    ("slitherlink", "slither8", &[], 1),
    ("skyscraper", "", &[], 576),
    ("sudoku", "", &["-c", "box=2"], 288),
    ("magic-square", "", &[], 2),
    ("magic-square", "", &["-c", "complete=1"], 1),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Standard output and exit code of the binary on a row.
fn solve(program: &str, instance: &str, options: &[&str]) -> (String, Option<i32>) {
    let binary = std::env::var("ASP_BIN").unwrap_or_else(|_| env!("CARGO_BIN_EXE_asp").to_string());
    let mut command = Command::new(binary);
    command.current_dir(root()).arg(format!("programs/{program}.lp"));
    if !instance.is_empty() {
        command.arg(format!("instances/{instance}.lp"));
    }
    let output = command.args(options).output().expect("the binary runs");
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
}

/// The value of a line `Key : value` of the summary.
fn summary<'a>(stdout: &'a str, key: &str) -> &'a str {
    let line = stdout.lines().find(|l| l.split(':').next().is_some_and(|k| k.trim() == key));
    line.and_then(|l| l.split_once(':')).map_or("none", |(_, value)| value.trim())
}

#[test]
fn numbers_of_answer_sets() {
    let mut wrong = Vec::new();
    for (program, instance, options, number) in COUNTS {
        let (stdout, code) = solve(program, instance, &[options, &["-q", "0"]].concat());
        let models = summary(&stdout, "Models");
        let wanted = if number == 0 { 20 } else { 30 };
        if models != number.to_string() || code != Some(wanted) {
            wrong.push(format!(
                "{program} {instance} {options:?}: {models} answer sets, not {number}; exit {code:?}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The two directions of the one shortest round trip, and its length.
#[test]
fn shortest_round_trip() {
    let (stdout, code) = solve("tsp", "tsp6", &["-q", "--opt-mode=optN", "0"]);
    assert_eq!(code, Some(30), "{stdout}");
    assert_eq!((summary(&stdout, "Optimization"), summary(&stdout, "Optimal")), ("233", "2"), "{stdout}");
}

/// What the titles and comments of the library promise is found: `(use with X.lp)` names a program that exists.
#[test]
fn instances_name_their_programs() {
    let folder = |name: &str| -> BTreeSet<String> {
        let entries = std::fs::read_dir(root().join(name)).expect("a folder");
        entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
    };
    let programs = folder("programs");
    for name in folder("instances") {
        let text = std::fs::read_to_string(root().join("instances").join(&name)).expect("a file");
        let title = text.lines().next().unwrap_or("");
        let named: Vec<&str> = title.split([' ', '(', ')', ',']).filter(|w| w.ends_with(".lp")).collect();
        assert!(!named.is_empty(), "{name}: the title names no program");
        for program in named {
            assert!(programs.contains(program), "{name}: no program {program}");
        }
    }
}
