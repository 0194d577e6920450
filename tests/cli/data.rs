//! Puzzles and tables read by the binary: each file of tests/data/cases/ contains a command line and its output.
//!
//! The inputs are in tests/data/. `ASP_UPDATE=1` rewrites the cases.

use asp_base::rng::Rng;

use crate::support::update;
use std::path::Path;
use std::process::{Command, Stdio};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn asp(words: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_asp"));
    command.current_dir(folder).env("ASP_PATH", root()).env("COLUMNS", "80").args(words);
    command.stdin(Stdio::null());
    command
}

/// Exit code, messages and output of a command line.
fn run(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().skip(1).collect();
    let output = asp(&words, &root().join("tests/data")).output().expect("the binary runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    // Where files were found is not compared here.
    let messages = text(&output.stderr);
    let messages = messages.lines().filter(|l| !l.contains(".lp is "));
    let messages: String = messages.map(|l| format!("{l}\n")).collect();
    format!("[{}]\n{messages}{}", output.status.code().unwrap_or(-1), text(&output.stdout))
}

#[test]
fn cases() {
    let update = update::is_wanted();
    let folder = std::fs::read_dir(root().join("tests/data/cases")).expect("tests/data/cases");
    let mut files: Vec<_> = folder.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    assert!(files.len() >= 40, "only {} cases", files.len());
    let mut wrong = Vec::new();
    for path in files {
        let text = std::fs::read_to_string(&path).expect("a case");
        let (line, expected) = text.split_once('\n').expect("a command line");
        let printed = run(line.strip_prefix("$ ").expect("a command line"));
        if update {
            update::write(&path, format!("{line}\n{printed}"));
        } else if printed != expected {
            wrong.push(format!("{}:\n{line}\n{printed}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// All the ways to type one Sudoku mean the same.
#[test]
fn one_sudoku_in_many_spellings() {
    let facts = |file: &str| {
        let all = run(&format!("asp sudoku.lp --grid {file} --text"));
        let mut given: Vec<String> =
            all.lines().filter(|l| l.starts_with("given(")).map(String::from).collect();
        given.sort();
        given
    };
    let first = facts("sudoku-9-sas.txt");
    assert_eq!(first.len(), 24);
    for file in
        ["sudoku-line.txt", "sudoku-zeros.txt", "sudoku-bands.txt", "sudoku-groups.txt", "sudoku-box.txt"]
    {
        assert_eq!(facts(file), first, "{file}");
    }
}

/// `--grid` reads what `--show-grid` prints: the printed solution has itself as its only solution.
#[test]
fn printed_grids_can_be_read() {
    for (program, grid) in [
        ("sudoku.lp", "sudoku-9-sas.txt"),
        ("futoshiki.lp", "futoshiki-4.txt"),
        ("skyscraper.lp", "skyscraper-framed.txt"),
        ("sudoku.lp", "sudoku-16-b.txt"),
        ("greater-than-sudoku.lp", "greater-than-sudoku-9.signs.txt"),
    ] {
        let folder = root().join("tests/data");
        let print = |arguments: &[&str]| {
            let output = asp(arguments, &folder).output().expect("the binary runs");
            String::from_utf8(output.stdout).expect("text")
        };
        let printed = print(&[program, "--grid", grid, "0", "-V0", "--show-grid"]);
        let picture: Vec<&str> =
            printed.lines().filter(|l| !l.contains("SAT") && !l.contains("marks")).collect();
        let place = tempfile::tempdir().expect("a temporary folder");
        let file = place.path().join("printed.txt");
        std::fs::write(&file, picture.join("\n")).expect("written");
        let again = print(&[program, "--grid", &file.to_string_lossy(), "0", "-V0", "--show-grid"]);
        let without_marks = |text: &str| {
            let kept = text.lines().filter(|l| !l.contains("marks") && !l.contains('─'));
            kept.map(|l| l.replace('\'', " ").split_whitespace().collect::<Vec<_>>().join(" "))
                .collect::<Vec<_>>()
        };
        assert_eq!(without_marks(&again), without_marks(&printed), "{program} {grid}");
    }
}

#[test]
fn hostile_sizes_are_refused_with_a_message() {
    let place = tempfile::tempdir().expect("a temporary folder");
    let file = |name: &str, bytes: Vec<u8>| {
        let path = place.path().join(name);
        std::fs::write(&path, bytes).expect("written");
        path.to_string_lossy().into_owned()
    };
    let large = file("large.txt", vec![b'.'; 17 << 20]);
    let wide = file("wide.txt", format!("{}\n", ". ".repeat(1000)).repeat(1001).into_bytes());
    let nested = file("nested.json", "[".repeat(100_000).into_bytes());
    let deep = file("deep.json", format!("[{}{}]", "[".repeat(110), "]".repeat(110)).into_bytes());
    let folder = root().join("tests/data");
    for (arguments, expect) in [
        (vec!["empty.lp", "--grid", &large], "larger than 16 MB"),
        (vec!["empty.lp", "--grid", &wide], "more than 1000000 cells"),
        (vec!["empty.lp", "--json", &format!("p={nested}")], "nested more than 127 deep"),
    ] {
        let output = asp(&arguments, &folder).output().expect("the binary runs");
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(65), "{messages}");
        assert!(messages.contains(expect), "{messages}");
    }
    let output = asp(&["empty.lp", "--json", &format!("p={deep}"), "-q"], &folder).output().expect("it runs");
    assert_eq!(output.status.code(), Some(30));
}

/// Many small malformed texts: whatever they contain, there is an answer or a message, and no panic.
#[test]
fn mutilated_texts_do_no_harm() {
    let texts = [
        "futoshiki-typed.txt",
        "skyscraper-framed.txt",
        "jigsaw.txt",
        "sudoku-box.txt",
        "greater-than-sudoku-9.signs.txt",
        "futoshiki-4.txt",
    ];
    let mut rng = Rng::new(0x2545_f491_4f6c_dd1d);
    let mut next = |n: usize| rng.below(n.max(1) as u64) as usize;
    let pieces =
        ["<", ">", "^", "v", "\n", "|", ".", "+---+", "9", "A", "%", "# x", "界", "\t", "given 1 1 1\n", ""];
    for name in texts {
        let original = std::fs::read_to_string(root().join("tests/data").join(name)).expect("a puzzle");
        for _ in 0..300 {
            let mut text = original.clone();
            for _ in 0..=next(4) {
                let mut at = next(text.len());
                while !text.is_char_boundary(at) {
                    at -= 1;
                }
                let mut end = (at + next(6)).min(text.len());
                while !text.is_char_boundary(end) {
                    end += 1;
                }
                text.replace_range(at..end, pieces[next(pieces.len())]);
            }
            let read = asp_data::grid::read(asp_data::Text { text: &text, start: 1 }, next(2) == 0);
            match read {
                Err(problems) => assert!(!problems.is_empty()),
                Ok(puzzle) => {
                    let facts = puzzle.facts(&asp_data::puzzle::Names::default(), None).facts.text;
                    let mut control = asp::Control::new();
                    control.add(&facts);
                    assert!(control.ground().is_ok(), "{text}\n{facts}");
                }
            }
        }
    }
}
