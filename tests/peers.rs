//! The ground formats between this system and its peers: what `gringo` writes is solved here, and what is written here
//! is solved by `clasp`, with the same answer sets. Where a peer is not installed its half is skipped, and says so.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

const PROGRAMS: [&str; 9] = [
    "{a; b; c}. :- a, b. d :- not c. #show d/0. #show a/0. #show b/0.",
    "1 { at(X) : X = 1..4 } 2. :- at(X), at(X+1). #show at/1.",
    "node(1..4). edge(1,2). edge(2,3). edge(3,4). edge(4,1). edge(1,3). 1 { c(X,(r;g;b)) } 1 :- node(X). \
     :- edge(X,Y), c(X,C), c(Y,C). #show c/2.",
    "{e(1,2); e(2,1); e(2,3)}. r(1). r(Y) :- r(X), e(X,Y). :- not r(3). p :- q. q :- p. #show r/1. #show e/2.",
    "a | b :- not c. {c}. b | d :- a. a :- d. d :- a. #show.  #show x(a) : a. #show x(b) : b. #show c/0.",
    "{p(1..5)}. s(S) :- S = #sum { X : p(X) }, S > 6. :- not s(_). :- #count { X : p(X) } > 3. #show s/1. #show p/1.",
    "#external e. {a} :- e. b :- not e. #show a/0. #show b/0.",
    "f(1..3). g(X) :- f(X), not h(X). {h(X)} :- f(X). :- #sum { X,X : g(X) } < 2. -k :- h(1). #show g/1. #show -k/0.",
    "{x(1..3)}. #edge (X,Y) : x(X), Y = X \\ 3 + 1. #show x/1.",
];

/// The best costs of these are compared.
const OPTIMISING: [&str; 3] = [
    "{a(1..5)}. :- #count { X : a(X) } < 2. #minimize { X*X@2 : a(X); 3@1 : a(2), not a(3) }. #show a/1.",
    "1 { p(1..4) } 1. #maximize { X : p(X) }. :- p(4). #show p/1.",
    "{x; y; z}. :~ not x. [2@1] :~ not y, not z. [1@3] :~ x, y. [1@2]",
];

/// Runs a command on a text; `None` if there is no such command.
fn run(program: &str, args: &[&str], input: &str) -> Option<String> {
    let child = Command::new(program)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(_) => {
            eprintln!("skipped: `{program}` is not installed");
            return None;
        }
    };
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input.as_bytes()).expect("the process reads its input");
    drop(stdin);
    let output = child.wait_with_output().expect("the process ends");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn asp(args: &[&str], input: &str) -> String {
    run(env!("CARGO_BIN_EXE_asp"), args, input).expect("the binary under test")
}

/// The answer sets of each call, each as sorted text, and the status word.
fn answers(output: &str) -> (Vec<BTreeSet<String>>, String) {
    let mut calls = Vec::new();
    let mut status = String::new();
    let mut lines = output.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("Solving...") {
            calls.push(BTreeSet::new());
        } else if line.starts_with("Answer:") {
            let mut atoms: Vec<&str> = lines.next().unwrap_or_default().split_whitespace().collect();
            atoms.sort_unstable();
            calls.last_mut().expect("a call").insert(atoms.join(" "));
        } else if ["SATISFIABLE", "UNSATISFIABLE", "OPTIMUM FOUND"].contains(&line) {
            status = line.to_string();
        }
    }
    (calls, status)
}

/// The costs of the best answer set.
fn costs(output: &str) -> Option<String> {
    output.lines().rfind(|l| l.starts_with("Optimization :")).map(str::to_string)
}

#[test]
fn clasp_solves_what_is_written_here() {
    for program in PROGRAMS {
        let expected = answers(&asp(&["0"], program));
        for format in ["intermediate", "smodels"] {
            let ground = asp(&["--output", format], program);
            if ground.is_empty() {
                // Smodels format has no edges; it is refused.
                assert!(format == "smodels", "{program}");
                continue;
            }
            let Some(output) = run("clasp", &["0"], &ground) else { return };
            let mut expected = expected.clone();
            if format == "smodels" {
                // Nothing external is left open there.
                expected.1.clone_from(&answers(&output).1);
            }
            assert_eq!(answers(&output), expected, "{format} of {program}\n{ground}");
        }
    }
    for program in OPTIMISING {
        let ground = asp(&["--output=intermediate"], program);
        let Some(output) = run("clasp", &["0"], &ground) else { return };
        assert!(costs(&output).is_some());
        assert_eq!(costs(&output), costs(&asp(&["0"], program)), "{program}\n{ground}");
    }
}

#[test]
fn what_gringo_writes_is_solved_here() {
    for program in PROGRAMS {
        let Some(ground) = run("gringo", &["-"], program) else { return };
        let found = answers(&asp(&["--mode=clasp", "0"], &ground));
        assert_eq!(found, answers(&asp(&["0"], program)), "{program}\n{ground}");
        // Read and written again.
        let again = asp(&["--mode=clasp", "--output=intermediate"], &ground);
        assert_eq!(answers(&asp(&["--mode=clasp", "0"], &again)), found, "{program}\n{again}");
    }
    for program in OPTIMISING {
        let Some(ground) = run("gringo", &["-"], program) else { return };
        let found = costs(&asp(&["--mode=clasp", "0"], &ground));
        assert!(found.is_some());
        assert_eq!(found, costs(&asp(&["0"], program)), "{program}\n{ground}");
    }
}

/// Three steps: an atom, a second one and a constraint, an external that is released.
const STEPS: &str = "asp 1 0 0 incremental\n\
    1 1 1 1 0 0\n5 3 2\n1 0 1 4 0 1 3\n4 1 a 1 1\n4 1 x 1 4\n0\n\
    5 3 1\n1 1 1 5 0 0\n1 0 0 0 2 -1 -5\n4 1 b 1 5\n0\n\
    5 3 3\n6 1 -1\n0\n\
    1 0 0 0 2 1 5\n0\n";

#[test]
fn each_step_of_an_incremental_program_is_solved() {
    let here = answers(&asp(&["--mode=clasp", "0"], STEPS));
    let set = |texts: &[&str]| texts.iter().map(|t| t.to_string()).collect::<BTreeSet<_>>();
    let expected = [set(&["", "a"]), set(&["a x", "b x", "a b x"]), set(&["b"]), set(&["a", "b"])];
    assert_eq!(here, (expected.to_vec(), "SATISFIABLE".to_string()));
    if let Some(output) = run("clasp", &["0"], STEPS) {
        assert_eq!(answers(&output), here);
    }
    // What is written in steps is the same again.
    let written = asp(&["--mode=clasp", "--output=intermediate"], STEPS);
    assert_eq!(written.lines().filter(|l| *l == "0").count(), 4, "{written}");
    assert_eq!(answers(&asp(&["--mode=clasp", "0"], &written)), here);
}

#[test]
fn steps_of_the_incremental_mode_are_solved_by_clasp() {
    let program = "#include <incmode>. #program base. p(0). #program step(t). {p(t)} :- p(t-1). \
        #program check(t). :- query(t), not p(t), t < 3. #show p/1. #const imin=4. #const imax=4.";
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("peers_incmode.lp");
    std::fs::write(&path, program).expect("the folder for tests is writable");
    let path = path.display().to_string();
    let ground = asp(&["--output=intermediate", &path], "");
    let here = answers(&asp(&["0", &path], ""));
    assert!(ground.starts_with("asp 1 0 0 incremental"), "{ground}");
    assert_eq!(answers(&asp(&["--mode=clasp", "0"], &ground)), here);
    if let Some(output) = run("clasp", &["0"], &ground) {
        assert_eq!(answers(&output), here, "{ground}");
    }
}
