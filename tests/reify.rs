//! Reified programs mean what the programs mean: a meta-encoding over the facts of `--output=reify` has the same answer
//! sets and costs as the program itself. Where clingo is installed (`ASP_ORACLE_PYTHON`), its own reified output is
//! solved by the same encoding: atoms are numbered differently, the answer sets are the same.

#[path = "support/spawn.rs"]
mod spawn;

use std::path::PathBuf;
use std::process::{Command, Stdio};

const META: &str = "
    true(B) :- literal_tuple(B), hold(L) : literal_tuple(B,L), L > 0; not hold(L) : literal_tuple(B,-L), L > 0.
    body(normal(B)) :- rule(_,normal(B)), true(B).
    body(sum(B,G)) :- rule(_,sum(B,G)),
        #sum { W,L : hold(L), weighted_literal_tuple(B,L,W), L > 0;
               W,-L : not hold(L), weighted_literal_tuple(B,-L,W), L > 0 } >= G.
    { hold(A) : atom_tuple(H,A) } :- rule(choice(H),B), body(B).
    hold(A) : atom_tuple(H,A) :- rule(disjunction(H),B), body(B).
    hold(A) :- external(A,true).
    { hold(A) } :- external(A,free).
    :~ minimize(P,B), weighted_literal_tuple(B,L,W), L > 0, hold(L). [W@P,L,B]
    :~ minimize(P,B), weighted_literal_tuple(B,-L,W), L > 0, not hold(L). [W@P,-L,B]
    #show.
    #show T : output(T,B), true(B).";

const PROGRAMS: &[&str] = &[
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

fn asp(text: &str, arguments: &[&str]) -> String {
    spawn::run(arguments, text).stdout
}

/// The answer sets with their costs (all optimal ones if there is an objective, and without), sorted.
fn answer_sets(text: &str, mode: &str) -> Vec<(Vec<String>, String)> {
    let json: serde_json::Value =
        serde_json::from_str(&asp(text, &["0", "--outf=2", &format!("--opt-mode={mode}")])).unwrap();
    let empty = Vec::new();
    let witnesses = json["Call"][0]["Witnesses"].as_array().unwrap_or(&empty);
    let mut found: Vec<_> = witnesses
        .iter()
        // With an objective, models on the way to the optimum come first; their way is a matter of the search.
        .filter(|w| mode == "ignore" || w["Costs"] == json["Models"]["Costs"])
        .map(|w| {
            let mut atoms: Vec<String> =
                w["Value"].as_array().unwrap().iter().map(|a| a.as_str().unwrap().to_string()).collect();
            atoms.sort();
            (atoms, w["Costs"].to_string())
        })
        .collect();
    found.sort();
    found.dedup();
    found
}

#[track_caller]
fn compare(what: &str, program: &str, reified: &str) {
    let meta = format!("{reified}\n{META}");
    for mode in ["ignore", "optn"] {
        assert_eq!(answer_sets(&meta, mode), answer_sets(program, mode), "{what}, {mode}:\n{program}");
    }
}

#[test]
fn reified_programs_have_the_same_answer_sets() {
    let mut models = 0;
    for program in PROGRAMS {
        models += answer_sets(program, "ignore").len();
        compare("reified here", program, &asp(program, &["--output=reify"]));
    }
    assert!(models > 60, "{models}");
}

#[test]
fn so_do_those_that_clingo_reifies() {
    let Ok(python) = std::env::var("ASP_ORACLE_PYTHON") else {
        eprintln!("note: ASP_ORACLE_PYTHON is not set, clingo's reified output is not read");
        return;
    };
    let record: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests", "golden", "record.py"].iter().collect();
    let file = std::env::temp_dir().join(format!("asp-reify-{}.lp", std::process::id()));
    for program in PROGRAMS {
        std::fs::write(&file, program).unwrap();
        let run = Command::new(&python)
            .arg(&record)
            .arg("--become")
            .arg(&file)
            .arg("--output=reify")
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output()
            .unwrap();
        compare("reified by clingo", program, &String::from_utf8(run.stdout).unwrap());
    }
    let _ = std::fs::remove_file(file);
}
