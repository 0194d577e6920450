//! Reified programs have the same meaning: a meta-encoding over the facts of `--output=reify` has the same answer sets
//! and costs as the program itself, and so have the recorded facts that clingo writes.

use crate::support::exchange::{REIFIED, recorded};
use crate::support::spawn;

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
        // With an objective, the models on the way to the optimum, which depend on the search, come first.
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
    for program in REIFIED {
        models += answer_sets(program, "ignore").len();
        compare("reified here", program, &asp(program, &["--output=reify"]));
    }
    assert!(models > 60, "{models}");
}

/// Clingo numbers atoms differently.
#[test]
fn so_do_those_that_clingo_reifies() {
    for (program, reified) in recorded("reified.txt", REIFIED.iter().copied()) {
        compare("reified by clingo", program, &reified);
    }
}

#[test]
fn each_condition_of_a_shown_term_is_written_once() {
    let text = asp("{ c(1..2) }. #show f((1;1)) : c(X).", &["--output=reify"]);
    let outputs = || text.lines().filter(|l| l.starts_with("output("));
    let different: std::collections::BTreeSet<&str> = outputs().collect();
    assert_eq!((outputs().count(), different.len()), (4, 4), "{text}");
}
