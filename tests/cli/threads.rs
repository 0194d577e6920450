//! Two and three threads find the same as one: enumerations, projections, optima, consequences, also under limits.
//!
//! Helpers begin only when a call turns out to be long, so the programs here have many models or a long proof. Unit
//! tests, where helpers begin at once, compare the models of many small programs.

use crate::support::spawn;
const MODES: [&str; 5] = ["1", "2", "2,split", "3,compete", "3,split"];

const SUMS: &str = "{ a(1..17) }. :- #sum { X : a(X) } = 70. b(X) :- a(X), not a(X+1).";
const LOOPS: &str = "
    node(1..9). edge(X,Y) :- node(X), node(Y), X != Y, (X*7+Y*5) \\ 4 < 3.
    1 { in(X,Y) : edge(X,Y) } 1 :- node(X). 1 { in(X,Y) : edge(X,Y) } 1 :- node(Y).
    r(1). r(Y) :- r(X), in(X,Y). :- node(X), not r(X). #show in/2.";
const DISJUNCTIONS: &str = "
    a(X) | b(X) :- X = 1..15. c(X) :- a(X), b(X+1). a(X) :- c(X), not b(X+2). b(X) :- a(X), c(X-1).";
const PROJECTED: &str = "{ a(1..16); h(1..3) }. :- a(X), a(X+1), a(X+2). c :- h(1), h(2). #show a/1.";
const KNAPSACK: &str = "
    thing(1..18). { in(X) : thing(X) }. size(X,(X*37) \\ 19+3) :- thing(X). worth(X,(X*53) \\ 23+2) :- thing(X).
    :- #sum { S,X : in(X), size(X,S) } > 70. #maximize { W,X : in(X), worth(X,W) }.";
const PIGEONS: &str = "
    { at(P,H) : H = 1..8 } 1 :- P = 1..9. :- P = 1..9, not 1 { at(P,H) : H = 1..8 }.
    :- at(P,H), at(Q,H), P < Q, Q < 9. :- at(9,H), at(P,H), P < 9.";

struct Ran {
    code: Option<i32>,
    /// Shown atoms of each model, sorted.
    models: Vec<String>,
    /// Lines of the summary that do not depend on time.
    summary: Vec<String>,
}

fn run(text: &str, arguments: &str) -> Ran {
    let run = spawn::run(spawn::words(arguments), text);
    let mut models = Vec::new();
    let mut summary = Vec::new();
    let mut lines = run.stdout.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("Answer: ") {
            let mut atoms: Vec<&str> = lines.next().unwrap().split(' ').collect();
            atoms.sort_unstable();
            models.push(atoms.join(" "));
        } else if ["SAT", "UNSAT", "OPTIMUM", "UNKNOWN", "Models  ", "Optimization :", "Consequences :"]
            .iter()
            .any(|k| line.starts_with(k))
        {
            summary.push(line.to_string());
        }
    }
    models.sort();
    Ran { code: run.code, models, summary }
}

/// Compares models and summary in all modes. Returns the number of models.
#[track_caller]
fn same_models(text: &str, arguments: &str) -> usize {
    let one = run(text, arguments);
    let mut distinct = one.models.clone();
    distinct.dedup();
    assert_eq!(distinct.len(), one.models.len(), "{arguments}");
    for mode in &MODES[1..] {
        let many = run(text, &format!("{arguments} -t {mode}"));
        assert!(many.models == one.models, "{arguments} -t {mode}: {} models", many.models.len());
        assert_eq!((many.code, many.summary), (one.code, one.summary.clone()), "{arguments} -t {mode}");
    }
    one.models.len()
}

#[test]
fn enumerations_have_the_same_models() {
    assert!(same_models(SUMS, "0") > 100_000);
    assert!(same_models(LOOPS, "0") > 100);
    assert_eq!(same_models(DISJUNCTIONS, "0"), same_models(DISJUNCTIONS, "0 -e bt"));
}

#[test]
fn projections_have_the_same_models() {
    assert!(same_models(PROJECTED, "0 --project") > 5_000);
    let other = PROJECTED.replace("#show a/1.", "#project a(X) : X = 1..9. #project c.");
    assert_eq!(same_models(&other, "0 --project -q"), 0);
}

#[test]
fn consequences_are_the_same() {
    for mode in ["brave", "cautious", "query"] {
        let last = |threads: &str| run(SUMS, &format!("-e {mode} -q1 -t {threads}"));
        let one = last("1");
        for threads in &MODES[1..] {
            let many = last(threads);
            assert_eq!((many.code, many.models), (one.code, one.models.clone()), "{mode} -t {threads}");
        }
    }
}

#[test]
fn optima_are_the_same() {
    for strategy in ["", "--opt-strategy=bb,lin", "--opt-strategy=bb,dec", "--opt-strategy=usc"] {
        let summary = |threads: &str| {
            let mut ran = run(KNAPSACK, &format!("-q {strategy} -t {threads}"));
            ran.summary.retain(|l| !l.starts_with("Models"));
            (ran.code, ran.summary)
        };
        let one = summary("1");
        assert_eq!(one.0, Some(30));
        for threads in &MODES[1..] {
            assert_eq!(summary(threads), one, "{strategy} -t {threads}");
        }
    }
    let mut counts: Vec<_> =
        MODES.iter().map(|t| run(KNAPSACK, &format!("--opt-mode=optN -q -t {t}")).summary).collect();
    counts.iter_mut().for_each(|s| s.retain(|l| !l.starts_with("Models")));
    assert!(counts.windows(2).all(|w| w[0] == w[1]), "{counts:?}");
}

#[test]
fn a_proof_that_there_is_no_model_is_divided() {
    for mode in MODES {
        let ran = run(PIGEONS, &format!("-t {mode} --rewrite=no-value-sets"));
        assert_eq!((ran.code, ran.summary[0].as_str()), (Some(20), "UNSATISFIABLE"), "-t {mode}");
    }
}

#[test]
fn limits_hold_for_all_threads_together() {
    let all = run(SUMS, "0").models;
    for mode in MODES {
        for wanted in [1, 3, 70_000] {
            let ran = run(SUMS, &format!("{wanted} -t {mode}"));
            let mut distinct = ran.models.clone();
            distinct.dedup();
            assert_eq!((distinct.len(), ran.models.len()), (wanted, wanted), "{wanted} -t {mode}");
            assert_eq!(ran.summary.last().unwrap(), &format!("Models       : {wanted}+"), "-t {mode}");
            assert!(distinct.iter().all(|m| all.binary_search(m).is_ok()));
        }
        let more = SUMS.replace("17", "40").replace("70", "700");
        let ran = run(&more, &format!("0 -q --time-limit=1 -t {mode}"));
        assert_eq!((ran.code, ran.summary[0].as_str()), (Some(11), "SATISFIABLE"), "-t {mode}");
    }
}

/// The helper does a part of the work, and the counters are printed by thread.
#[test]
fn statistics_tell_the_threads_apart() {
    let run = spawn::run(["0", "-q", "-t", "2", "--stats=2", "--outf=2"], &SUMS.replace("17", "20"));
    let json: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let choices: Vec<u64> = json["Stats"]["Thread"]
        .as_array()
        .unwrap()
        .iter()
        .map(|thread| thread["Core"]["Choices"].as_u64().unwrap())
        .collect();
    assert_eq!(choices.len(), 2);
    assert_eq!(json["Stats"]["Core"]["Choices"].as_u64(), Some(choices.iter().sum()));
    assert!(choices.iter().all(|&c| c > 1000), "{choices:?}");
}
