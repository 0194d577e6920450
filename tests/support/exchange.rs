//! Programs whose ground form is exchanged with other systems, and the recorded output of those.
//!
//! `tests/recorded/gringo.txt` and `reified.txt` have what clingo writes, one section per program; tests/README.md says
//! how they are remade.

use super::{corpus, spawn};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Programs that are compared by all their answer sets.
pub const PROGRAMS: [&str; 9] = [
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

/// Programs with an objective, which are compared by their optimal costs.
pub const OPTIMISING: [&str; 3] = [
    "{a(1..5)}. :- #count { X : a(X) } < 2. #minimize { X*X@2 : a(X); 3@1 : a(2), not a(3) }. #show a/1.",
    "1 { p(1..4) } 1. #maximize { X : p(X) }. :- p(4). #show p/1.",
    "{x; y; z}. :~ not x. [2@1] :~ not y, not z. [1@3] :~ x, y. [1@2]",
];

/// Programs to reify.
pub const REIFIED: &[&str] = &[
    "a. b :- a. {c; d}. e :- c, not d. :- not e, not d.",
    "a :- not b. b :- not a. c :- a. c :- b. #show c/0. #show a/0.",
    "1 { q(X,1..4) } 1 :- X = 1..4. 1 { q(1..4,Y) } 1 :- Y = 1..4. :- q(X,Y), q(X+D,Y+D), D = 1..3.
     :- q(X,Y), q(X+D,Y-D), D = 1..3.",
    "a :- b. b :- a. a :- c. {c}. b :- d. {d}.",
    "a | b | c. d | e :- a. :- c, not d. b :- d.",
    "a | b. a :- b. b :- a. {c}. :- c, not a.",
    "{a(1..5)}. :- #sum { X : a(X) } > 7. :- #count { X : a(X) } < 2. b :- #sum { X : a(X); -3,x : a(5) } >= 4.",
    "{a(1..4)}. b :- #max { X : a(X) } = 3. c :- #min { X : a(X) } > 1. d :- not b, not c.",
    "1 {a;b;c} 2. #minimize { 3@2 : a; 1@2 : b; 2@1 : c }. #maximize { 1@1 : b }.",
    "{a;b}. :~ a, not b. [2@1] :~ not a. [1@1] :~ b. [-1@3,x]",
    "node(1..4). edge(X,Y) :- node(X), node(Y), X != Y. 1 {in(X,Y) : edge(X,Y)} 1 :- node(X).
     1 {in(X,Y) : edge(X,Y)} 1 :- node(Y). r(1). r(Y) :- r(X), in(X,Y). :- node(X), not r(X). #show in/2.",
    "#external a. #external b. [true] #external c. [free] d :- a. e :- b. f :- c.",
    "{x(1..3)}. p(X) :- x(X), not x(X+1). #show f(X,\"s\") : p(X). #show -1 : not x(1).",
    "a :- not not a. b :- #sum { 1 : a; 1 : c } >= 2. c :- not not c. :- not b, a, c.",
    ":- not a. {a}. -b :- a. b :- not a. c(f(1,(2,3)),\"t\") :- -b.",
];

/// Three steps in the intermediate format: an atom, a second one and a constraint, an external that is released.
pub const STEPS: &str = "asp 1 0 0 incremental\n\
    1 1 1 1 0 0\n5 3 2\n1 0 1 4 0 1 3\n4 1 a 1 1\n4 1 x 1 4\n0\n\
    5 3 1\n1 1 1 5 0 0\n1 0 0 0 2 -1 -5\n4 1 b 1 5\n0\n\
    5 3 3\n6 1 -1\n0\n\
    1 0 0 0 2 1 5\n0\n";

/// A program of the incremental mode, which has exactly four steps.
pub const INCREMENTAL: &str = "#include <incmode>. #program base. p(0). #program step(t). {p(t)} :- p(t-1). \
    #program check(t). :- query(t), not p(t), t < 3. #show p/1. #const imin=4. #const imax=4.";

/// All Latin squares of order 5.
pub const LATIN: &str = "n(1..5). { c(R,C,V) : n(V) } = 1 :- n(R), n(C).\n\
    :- c(R,C,V), c(R,D,V), C < D. :- c(R,C,V), c(S,C,V), R < S. #show c/3.\n";

/// The programs for which gringo's output is recorded.
pub fn ground() -> impl Iterator<Item = &'static str> {
    PROGRAMS.into_iter().chain(OPTIMISING)
}

/// A file of recorded texts.
pub fn path(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "recorded", name].iter().collect()
}

/// A program in one line, as the header of its section has it.
pub fn title(program: &str) -> String {
    program.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The recorded texts of a file, each with its program.
pub fn recorded(name: &str, programs: impl IntoIterator<Item = &'static str>) -> Vec<(&'static str, String)> {
    let programs: Vec<&str> = programs.into_iter().collect();
    let (titles, texts): (Vec<_>, Vec<_>) = corpus::sections(&path(name)).into_iter().unzip();
    let wanted: Vec<String> = programs.iter().map(|p| title(p)).collect();
    assert_eq!(titles, wanted, "{name} is out of date: tests/README.md tells how to remake it");
    programs.into_iter().zip(texts).collect()
}

/// The answer sets of each call that `clasp` or `asp` prints, each as sorted text, and the status word.
pub fn answers(output: &str) -> (Vec<BTreeSet<String>>, String) {
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
pub fn costs(output: &str) -> Option<String> {
    output.lines().rfind(|l| l.starts_with("Optimization :")).map(str::to_string)
}

/// The output of the binary under test.
pub fn asp(arguments: &[&str], input: &str) -> String {
    spawn::run(arguments, input).stdout
}

/// Checks ground programs, each with its source, like those of [`ground`]: they are solved here with the same answer
/// sets.
pub fn solved_here(texts: &[(&str, String)]) {
    assert_eq!(texts.len(), PROGRAMS.len() + OPTIMISING.len());
    for (program, ground) in &texts[..PROGRAMS.len()] {
        let found = answers(&asp(&["--mode=clasp", "0"], ground));
        assert_eq!(found, answers(&asp(&["0"], program)), "{program}\n{ground}");
        // Read and written again.
        let again = asp(&["--mode=clasp", "--output=intermediate"], ground);
        assert_eq!(answers(&asp(&["--mode=clasp", "0"], &again)), found, "{program}\n{again}");
    }
    for (program, ground) in &texts[PROGRAMS.len()..] {
        let found = costs(&asp(&["--mode=clasp", "0"], ground));
        assert!(found.is_some());
        assert_eq!(found, costs(&asp(&["0"], program)), "{program}\n{ground}");
    }
}
