//! The subcommands that ask about answer sets, on puzzles, on other programs and on bad input; and docs/explain.md.

mod conflicts;
mod counts;
mod hints;
mod integers;
mod limits;
mod why;
mod wording;

use crate::support::spawn::{answers, folder_with};
use crate::support::update;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// A folder with some files, in which commands run.
struct Place(tempfile::TempDir);

impl Place {
    fn with(files: &[(&str, &str)]) -> Self {
        Self(folder_with(files))
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_asp"));
        command.current_dir(self.0.path()).args(arguments).output().expect("the binary runs")
    }

    /// Standard output, with the exit code checked.
    #[track_caller]
    fn out(&self, arguments: &[&str], code: i32) -> String {
        let output = self.run(arguments);
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{out}\n{err}");
        out.into_owned()
    }

    #[track_caller]
    fn json(&self, arguments: &[&str], code: i32) -> Value {
        let out = self.out(&[arguments, &["--format=json"]].concat(), code);
        serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}"))
    }

    /// All answer sets.
    #[track_caller]
    fn answer_sets(&self, files: &[&str]) -> Vec<String> {
        let output = self.run(&[files, &["0"]].concat());
        answers(&String::from_utf8_lossy(&output.stdout)).into_iter().map(String::from).collect()
    }

    #[track_caller]
    fn is_satisfiable(&self, files: &[&str]) -> bool {
        match self.run(&[files, &["1"]].concat()).status.code() {
            Some(10 | 30) => true,
            Some(20) => false,
            code => panic!("{code:?}"),
        }
    }
}

/// A 4x4 Sudoku with one solution; each clue is needed.
const SUDOKU: &str = "#const box = 2. [override]\ngiven(1,3,2). given(1,4,3). given(4,1,3). given(4,2,4).\n";

/// Each answer set decides the size of its own grid, and cells are compared by position.
#[test]
fn pictures_that_say_their_size() {
    let place = Place::with(&[(
        "p.lp",
        "{ render_size(3,2); render_size(300,300) } 1. :- render_size(300,300).\n\
         render_cell(1,1,x). render_cell(1,2,y) :- not render_size(3,2).\n",
    )]);
    let out = place.out(&["unique", "p.lp"], 1);
    let grids: Vec<&str> = out.lines().filter(|l| l.contains(['│', '┌'])).collect();
    let drawn = [
        "┌─────────┐    ┌───────┐",
        "│   x [y] │    │  x [] │",
        "└─────────┘    │  .  . │",
        "               │  .  . │",
    ];
    assert_eq!(grids, drawn, "{out}");
}

/// The commands in a page's console blocks, with the output that the page shows.
fn commands(page: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if let (true, Some(command)) = (inside, line.strip_prefix("$ ")) {
            found.push((command.to_string(), String::new()));
        } else if let (true, Some((_, output))) = (inside, found.last_mut()) {
            output.push_str(line);
            output.push('\n');
        }
    }
    found
}

/// A question about a program that grows in steps refers to its last step, or to the one that `--steps` names.
#[test]
fn programs_that_grow() {
    let place = Place::with(&[]);
    let plan = ["blocks-world.lp", "blocks3.lp"];
    let ask = |command: &[&str], code: i32| place.out(&[command, &plan].concat(), code);
    assert_eq!(ask(&["count"], 0), "1\n");
    assert_eq!(ask(&["unique"], 0), "Unique.\nmove(c,table,1) move(b,c,2) move(a,b,3)\n");
    assert_eq!(ask(&["count", "--steps=2"], 20), "0\n");
    assert!(ask(&["count", "--steps=4"], 0).trim().parse::<u64>().is_ok_and(|n| n > 1));
    assert!(ask(&["why-unsat"], 1).starts_with("There is an answer set"));
    let why = ask(&["why-unsat", "--steps", "2"], 0);
    assert!(why.contains("goal(b,c)") && why.contains("goal(a,b)"), "{why}");
    assert!(ask(&["why", "move(b,c,2)"], 0).starts_with("move(b,c,2) holds in every answer set."));
    assert!(ask(&["why-not", "move(b,c,1)"], 0).starts_with("move(b,c,1) holds in no answer set."));
    assert!(ask(&["hint", "-n", "1"], 0).starts_with("Hint 1 ("));
    let note = place.run(&["count", plan[0], plan[1]]).stderr;
    assert!(String::from_utf8_lossy(&note).contains("this is about step 3, the first with an answer set"));
}

/// Messages about mistyped questions are helpful.
#[test]
fn questions_that_are_typed_wrong() {
    let place = Place::with(&[("p.lp", "{a;b}. -e :- a. :- b. d :- not a.\n")]);
    let error = |arguments: &[&str], code: i32| {
        let output = place.run(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(error(&["why", "p.lp", "a"], 65).contains("the atom comes first: asp why 'p(1,a)' p.lp"));
    assert!(error(&["why", "not a", "p.lp"], 65).contains("`asp why-not 'a'`"));
    assert!(error(&["why", "p(X)", "p.lp"], 65).contains("not a ground atom"));
    assert!(error(&["why", " ", "p.lp"], 65).contains("expected an atom"));
    assert!(error(&["whynot", "a", "p.lp"], 128).contains("did you mean the subcommand `asp why-not`?"));
    assert!(error(&["help", "whynot"], 1).contains("did you mean `why-not`?"));
    assert!(error(&["count", "--steps=2", "p.lp"], 0).contains("--steps plays no role"));
    assert!(place.out(&["help", "why"], 0).contains("Usage: asp why "));
    assert!(place.out(&["help"], 0).contains("asp why-unsat"));
    // Classical negation is not an option.
    assert!(place.out(&["why", "-e", "p.lp"], 0).contains("\n-e: by this rule  [p.lp:1]"));
    assert!(place.out(&["why", "d", "p.lp"], 0).contains("`- a: does not hold"));
    assert!(place.out(&["why-not", "d", "p.lp"], 0).contains("`- a holds  [p.lp:1]"));
}

/// docs/explain.md shows what the binary prints; `$ cat FILE` shows a file that the commands use. `ASP_UPDATE=1`
/// rewrites the page.
#[test]
fn commands_of_the_page() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/explain.md");
    let mut page = std::fs::read_to_string(&path).expect("docs/explain.md");
    let place = Place::with(&[]);
    let update = update::is_wanted();
    let commands = commands(&page);
    assert!(commands.len() >= 10, "only {} commands", commands.len());
    for (command, shown) in commands {
        if let Some(name) = command.strip_prefix("cat ") {
            std::fs::write(place.0.path().join(name), &shown).expect("a file");
            continue;
        }
        let words: Vec<String> = command.split_whitespace().skip(1).map(|w| w.replace('\'', "")).collect();
        let output = place.run(&words.iter().map(String::as_str).collect::<Vec<_>>());
        let text = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
        let printed: String = text.lines().map(|l| format!("{}\n", l.trim_end())).collect();
        if update {
            page = page.replacen(&format!("$ {command}\n{shown}"), &format!("$ {command}\n{printed}"), 1);
        } else {
            assert_eq!(printed, shown, "{command}");
        }
    }
    if update {
        update::write(path, page);
    }
}

/// Answers use the user's own words, even if the grounder made auxiliary atoms.
#[test]
fn no_answer_names_auxiliary_atoms() {
    let folder = tempfile::tempdir().expect("a folder");
    let literals = [
        "p(X,_)",
        "not p(X,_)",
        "not p(_,X)",
        "not not p(_,X)",
        "2 { p(X,_) }",
        "#count { Y : p(Y,_) } < 2",
        "#sum { Y,Z : p(Y,Z) } > 4",
        "p(X,Y) : d(Y)",
        "not r(X)",
        "p(X,Y), p(X,Z), Y != Z",
        "p(_,X) : d(X)",
        "not 1 { p(X,_) : d(X) } 2",
        "-p(_,X)",
    ];
    let mut state = 20_261_121u64;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    for round in 0..12 {
        let mut program = String::from("d(1..2). { p(X,Y) : d(Y) } :- d(X). -p(1,2) :- not p(1,2), d(1).\n");
        for head in ["q(X)", "r(X)", "", "s", "{ t(X) }"] {
            let body: Vec<&str> = (0..1 + below(2)).map(|_| literals[below(literals.len())]).collect();
            program.push_str(&format!("{head} :- d(X); {}.\n", body.join("; ")));
        }
        std::fs::write(folder.path().join("p.lp"), &program).expect("a program is written");
        for question in [
            "why-unsat",
            "hint",
            "candidates",
            "unique",
            "why q(1)",
            "why-not q(2)",
            "why-not r(1)",
            "why-not s",
            "why r(2)",
            "why -p(1,2)",
            "hint --json",
            "why-not r(1) --json",
            "why-unsat --json",
        ] {
            let run = Command::new(env!("CARGO_BIN_EXE_asp"))
                .args(question.split(' '))
                .arg("p.lp")
                .current_dir(folder.path())
                .output()
                .expect("asp runs");
            let said = [run.stdout, run.stderr].concat();
            let said = String::from_utf8_lossy(&said);
            assert!(!said.contains("#aux") && !said.contains("#p"), "{round}: {question}\n{program}{said}");
        }
    }
}
