//! `asp generate`: instances have one answer set by the main command, clues cannot be left out where that is said, hints
//! need what is said, and the same seed gives the same bytes.
//!
//! `ASP_RANDOM_SEED=N` begins at another seed, `ASP_RANDOM_COUNT=K` takes K of them.

use std::path::Path;
use std::process::{Command, Output};

/// Each puzzle that says what a clue is, with small sizes.
const PUZZLES: [&str; 25] = [
    "futoshiki -c n=4",
    "sudoku -c box=2",
    "latin-square -c n=4",
    "skyscraper -c size=4",
    "minesweeper -c n=5",
    "light-up -c n=5",
    "slitherlink -c n=4",
    "masyu -c n=5",
    "queens -c n=6",
    "magic-square",
    "nonogram -c n=5",
    "hitori -c n=4",
    "numberlink -c n=4",
    "nurikabe -c n=4",
    "hashi -c n=5",
    "shikaku -c n=5",
    "kakuro -c n=4",
    "kenken -c n=4",
    "zebra -c n=3",
    "graph-colouring australia",
    "jigsaw-sudoku jigsaw4",
    "greater-than-sudoku",
    "killer-sudoku",
    "samurai-sudoku",
    "pi-day-sudoku pi-day-easy",
];

/// Those whose debug build takes seconds for an instance: only some clues are tried.
const SLOW: [&str; 4] = ["greater-than-sudoku", "killer-sudoku", "samurai-sudoku", "pi-day-sudoku"];
/// How many of theirs.
const SOME: usize = 3;

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }
    fn run(&self, arguments: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_asp"));
        command
            .current_dir(self.0.path())
            .args(arguments.split_whitespace())
            .output()
            .expect("the binary runs")
    }
    #[track_caller]
    fn out(&self, arguments: &str, code: i32) -> String {
        let output = self.run(arguments);
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{arguments}\n{out}\n{err}");
        out.into_owned()
    }
    #[track_caller]
    fn err(&self, arguments: &str, code: i32) -> String {
        let output = self.run(arguments);
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{arguments}\n{err}");
        err
    }
    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.path().join(name), text).expect("written");
    }
    /// How many answer sets there are, two at most, by the main command.
    fn models(&self, puzzle: &str, instance: &str) -> usize {
        self.write("x.lp", instance);
        let output = self.run(&format!("{puzzle} x.lp 2 -q2"));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let line = text.lines().find_map(|l| l.strip_prefix("Models")).expect("a summary");
        line.trim_start_matches([' ', ':']).trim_end_matches('+').parse().expect("a number")
    }
}

fn seeds() -> std::ops::Range<u64> {
    let number = |name, usual| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(usual);
    let first = number("ASP_RANDOM_SEED", 1);
    first..first + number("ASP_RANDOM_COUNT", 1)
}

/// The facts of an instance and the lines that are none.
fn facts(text: &str) -> (Vec<String>, String) {
    let (mut facts, mut rest) = (Vec::new(), String::new());
    for line in text.lines() {
        if line.starts_with(['%', '#']) {
            rest.push_str(&format!("{line}\n"));
        } else {
            facts.extend(line.split_inclusive(". ").map(|f| f.trim().to_string()).filter(|f| !f.is_empty()));
        }
    }
    (facts, rest)
}

/// The predicates of a puzzle's clues.
fn clues(puzzle: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs").join(format!("{puzzle}.lp"));
    let text = std::fs::read_to_string(path).expect("a program of the library");
    let comments = text.lines().filter_map(|l| l.strip_prefix("%@clue ").or(l.strip_prefix("%@or ")));
    comments.map(|c| c.split_once('(').expect("an atom").0.to_string()).collect()
}

#[test]
fn all_puzzles_with_comments_are_tested() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs");
    let mut untested = Vec::new();
    for entry in std::fs::read_dir(folder).expect("programs") {
        let path = entry.expect("a file").path();
        let text = std::fs::read_to_string(&path).expect("a text");
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let says = text.contains("\n%@clue ") || text.contains("\n%@keep ");
        let tested = PUZZLES.iter().any(|p| p.split(' ').next() == Some(&name));
        if says != tested {
            untested.push(name);
        }
    }
    assert!(untested.is_empty(), "{untested:?}");
}

#[test]
fn instances_have_one_answer_set_and_no_clue_too_many() {
    let place = Place::new();
    for arguments in PUZZLES {
        let puzzle = arguments.split(' ').next().expect("a name");
        for seed in seeds() {
            let text = place.out(&format!("generate {arguments} --seed {seed}"), 0);
            assert_eq!(place.models(puzzle, &text), 1, "{arguments} --seed {seed}\n{text}");
            if !text.contains("no clue can be left out") {
                continue;
            }
            let most = if SLOW.contains(&puzzle) { SOME } else { usize::MAX };
            let ((facts, rest), clues) = (facts(&text), clues(puzzle));
            let is_clue = |fact: &String| clues.iter().any(|c| fact.split('(').next() == Some(c));
            for (i, fact) in facts.iter().enumerate().filter(|(_, fact)| is_clue(fact)).take(most) {
                let others: Vec<&str> =
                    facts.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, f)| f.as_str()).collect();
                let fewer = format!("{rest}{}", others.join("\n"));
                assert_ne!(place.models(puzzle, &fewer), 1, "{arguments} --seed {seed}: {fact}\n{text}");
            }
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_instances() {
    let place = Place::new();
    for arguments in ["futoshiki -c n=4", "slitherlink -c n=4", "shikaku -c n=4"] {
        let first = place.out(&format!("generate {arguments} --seed 5"), 0);
        assert_eq!(first, place.out(&format!("generate {arguments} --seed 5"), 0));
        let two = place.out(&format!("generate {arguments} --seed 4 -n 2"), 0);
        assert!(two.ends_with(&first), "{two}");
        place.out(&format!("generate {arguments} --seed 4 -n 2 -o y.lp -q"), 0);
        let written = std::fs::read_to_string(place.0.path().join("y-2.lp")).expect("written");
        assert_eq!(written, first);
    }
}

#[test]
fn clues_lie_symmetrically_if_that_is_wanted() {
    let place = Place::new();
    for seed in seeds() {
        for (arguments, side) in [("sudoku -c box=2", 5), ("latin-square -c n=5", 6)] {
            let text = place.out(&format!("generate {arguments} --symmetric --seed {seed}"), 0);
            let cells: Vec<(i64, i64)> = facts(&text)
                .0
                .iter()
                .map(|f| {
                    let numbers: Vec<i64> =
                        f[6..f.len() - 2].split(',').map(|n| n.parse().expect("a number")).collect();
                    (numbers[0], numbers[1])
                })
                .collect();
            assert!(cells.iter().all(|(r, c)| cells.contains(&(side - r, side - c))), "{text}");
        }
    }
    assert!(place.err("generate zebra -c n=3 --symmetric", 64).contains("has a place in a grid"));
}

/// Every difficulty of an ordinary Sudoku is found, and soon.
#[test]
fn sudokus_of_every_difficulty() {
    let place = Place::new();
    for level in ["easy", "medium", "hard", "expert"] {
        for seed in 0..3 {
            let line = format!("generate sudoku --difficulty={level} --seed {seed} --draws=40");
            assert!(place.out(&line, 0).contains(&format!("% {level}: ")));
        }
    }
    assert!(
        place
            .err("generate sudoku --difficulty=evil", 64)
            .contains("[possible values: easy, medium, hard, expert]")
    );
}

#[test]
fn hints_need_what_was_said() {
    let place = Place::new();
    for seed in seeds() {
        for arguments in ["futoshiki -c n=4", "sudoku -c box=2", "skyscraper -c size=4", "light-up -c n=5"] {
            for level in ["easy", "medium", "hard", "expert"] {
                let output =
                    place.run(&format!("generate {arguments} --seed {seed} --difficulty={level} --draws=20"));
                if output.status.code() == Some(1) {
                    continue;
                }
                let text = String::from_utf8_lossy(&output.stdout).into_owned();
                place.write("x.lp", &text);
                let puzzle = arguments.split(' ').next().expect("a name");
                let hints = place.out(&format!("hint -n 0 {puzzle} x.lp"), 0);
                let heads: Vec<&str> = hints.lines().filter(|l| l.starts_with("Hint ")).collect();
                let search = heads.iter().any(|h| h.contains("by search"));
                let trial = heads.iter().any(|h| h.contains("by trying"));
                let needed = if search {
                    "by search"
                } else if trial {
                    "by trying"
                } else {
                    "by inference"
                };
                let right = match level {
                    "easy" => needed == "by inference",
                    "expert" => needed != "by inference",
                    _ => needed == "by trying",
                };
                assert!(right, "{arguments} --seed {seed} --difficulty={level}\n{text}{hints}");
                assert!(text.contains(&format!("% {level}: ")), "{text}");
            }
        }
    }
}

#[test]
fn pages_show_puzzles_and_their_solutions() {
    let place = Place::new();
    let page = place.out("generate futoshiki -c n=4 -n 2 --format=html", 0);
    assert_eq!(page.matches("<section>").count(), 4);
    assert_eq!(page.matches("<svg").count(), 4);
    assert!(page.contains("<h2>Solution of futoshiki, 2 of 2, ") && page.ends_with("</html>\n"));
    // The facts, and the page beside them.
    let facts = place.out("generate futoshiki -c n=4 -n 2 --html=page.html", 0);
    assert!(facts.starts_with("% futoshiki: ") && !facts.contains("<svg"), "{facts}");
    assert_eq!(std::fs::read_to_string(place.0.path().join("page.html")).expect("written"), page);
    let page = place.out("generate zebra -c n=3 --format=html", 0);
    assert!(page.contains("<pre>") && page.contains("at("), "{page}");
}

#[test]
fn own_puzzles_and_what_is_wrong_with_them() {
    let place = Place::new();
    let own = "{ a(1..4) }.\n%@clue given(X,Y) : a(X), Y = X*k\na(X) :- given(X,_).\n#const k = 2.\n:- not a(X) : X = 1..4.\n";
    place.write("own.lp", own);
    // An instance that leaves nothing of a layout leaves no empty lines either.
    let text = place.out("generate futoshiki grid4 -q", 0);
    assert!(!text.contains("\n\n\n"), "{text}");
    // What is not stated is chosen, so every number must be, and `given` is no part of the solution.
    let text = place.out("generate own.lp -c k=3", 0);
    assert!(text.contains("#const k = 3. [override]\n\ngiven("), "{text}");
    // A layout that cannot be read is not left out.
    for data in ["--grid=nosuch", "--csv=p=nosuch"] {
        let err = place.err(&format!("generate own.lp {data}"), 65);
        assert!(err.contains("file could not be opened: nosuch"), "{err}");
    }
    for (name, text, expect, code) in [
        ("none.lp", "a.\n", "does not say what a clue is", 65),
        ("bad.lp", "%@clue p(X\n", "bad.lp:1: `%@clue` takes an atom; a `)` is missing", 65),
        ("unsafe.lp", "{a}.\n%@clue p(X) : a\n", "unsafe", 65),
        ("syntax.lp", "{a}.\n%@draw b :-, c.\n%@clue a\n", "syntax.lp", 65),
        ("unsat.lp", "a. :- a.\n%@clue a\n", "no solution to draw", 20),
        ("nothing.lp", "a.\n%@clue b(X) : a, X = 1, X = 2\n", "make no fact", 65),
        (
            "wrong.lp",
            "{a}. :- given.\n#defined given/0.\n%@draw :- not a.\n%@keep given : a\n",
            "contradict the program",
            65,
        ),
        ("many.lp", "{a;b}.\n%@clue x(1) : not a\n%@clue x(2) : a\n", "none of 200 solutions", 1),
    ] {
        place.write(name, text);
        let err = place.err(&format!("generate {name}"), code);
        assert!(err.contains(expect), "{name}: {err}");
    }
    assert!(place.err("generate", 64).contains("futoshiki"));
    let err = place.err("generate sudokku", 65);
    assert!(err.contains("did you mean `sudoku`") && err.contains("  futoshiki, "), "{err}");
    assert!(place.err("generate tsp", 65).contains("does not say what a clue is"));
    assert!(place.err("generate futoshiki -c m=3", 65).contains("there are: n"));
    assert!(place.err("generate jigsaw-sudoku", 65).contains("name an instance"));
    assert!(place.err("generate sudoku -c box=5 --time-limit=1 -n 9", 2).contains("stopped"));
}
