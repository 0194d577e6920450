//! Every question ends soon after `--time-limit`, whatever phase it is in, and says so if it has no answer; `ASP_LATENESS` is how many
//! milliseconds late it may be (what a shared machine takes of it comes on top of what is promised).

use super::Place;
use crate::support::hunt::number;

use std::time::{Duration, Instant};

/// The limit, in seconds.
const LIMIT: f64 = 0.5;

/// Search that does not end.
const SEARCH: &str = "p(1..13). h(1..12). 1 { in(P,H) : h(H) } 1 :- p(P). :- in(P,H), in(Q,H), P < Q. y :- in(1,1).\n\
     #minimize { 1,P,H : in(P,H), H > P }.\n";
/// Instances without an end.
const GROUNDING: &str = "d(1..1000). { q(X) } :- d(X). p(X,Y,Z) :- d(X), d(Y), d(Z), not q(X). y :- p(1,1,1).\n\
     :~ q(X). [X,X]\n";
/// Many constraints, so that translation and inference take long.
const WIDE: &str = "{ x(1..1200) }. :- x(X), x(Y), X < Y, (X*Y) \\ 7 = 3. :- not x(1), not x(2). y :- x(1). y :- x(2).\n\
     :- #count { X : x(X) } < 100. #minimize { 1,X : x(X) }.\n";
/// Sums of which every look takes long.
const SUMS: &str = "{ x(1..6000) }. :- #sum { X : x(X) } < 9000000. :- #sum { X : x(X) } > 13500000. :- x(3000).\n\
     y :- #sum { X : x(X) } > 1000. #minimize { X : x(X) }.\n";
/// Atoms that may support each other.
const CYCLES: &str = "n(1..3000). { e(X,X+1) } :- n(X). { e(X+1,X) } :- n(X). r(X) :- r(Y), e(Y,X). r(3000) :- s. { s }.\n\
     y :- r(1). :- not r(1500). :- s, not r(1). :- not s. #minimize { 1,X : r(X) }.\n";

/// Integers of which it takes long to find out which constraints are needed for the least cost.
const COSTS: &str = "&dom { 0..1000 } = x. &dom { 0..1000 } = y. &dom { 0..1000 } = z. &dom { 0..1000 } = w. &dom { 0..1000 } = u. \
     { p(1..5) }. :- #count { I : p(I) } < 2. \
     &sum { 2*x; 1*y; 2*z; -1*w; 1*u } >= 1417 :- p(1). \
     &sum { 5*x; 2*y; 2*z; 5*w } >= 1950. \
     &sum { 2*y; -1*z; 1*w; 2*u } >= 3640 :- not p(2). \
     &sum { -1*y; 3*z; 2*w; 2*u } >= 2509 :- not p(2). \
     &sum { -1*x; 7*y; 2*z; 3*w; 1*u } >= 2494 :- not p(2). \
     &minimize { 28*x; 13*y; 10*z; 28*w; 15*u }. \
     :~ p(I). [I,I]";

#[track_caller]
fn check(question: &str) {
    let programs =
        [("search", SEARCH), ("grounding", GROUNDING), ("wide", WIDE), ("sums", SUMS), ("cycles", CYCLES)];
    let late = Duration::from_millis(number("ASP_LATENESS", 2500));
    for (name, program) in programs {
        let place = Place::with(&[("p.lp", program)]);
        let limit = format!("--time-limit={LIMIT}");
        let arguments: Vec<&str> = question.split(' ').chain(["-q", &limit, "p.lp"]).collect();
        let start = Instant::now();
        let output = place.run(&arguments);
        let time = start.elapsed();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(time < Duration::from_secs_f64(LIMIT) + late, "{question} of {name}: {time:?}");
        let says = told.contains("the time limit was reached");
        assert!(
            output.status.code() == Some(2) && says
                || output.status.code().is_some_and(|c| [0, 1, 20].contains(&c)),
            "{question} of {name}: {:?} {told}",
            output.status.code()
        );
    }
}

#[test]
fn explanations_end() {
    ["why y", "why-not y", "why-unsat"].into_iter().for_each(check);
}

#[test]
fn costs_end() {
    ["cost", "why-cost"].into_iter().for_each(check);
}

#[test]
fn hints_and_candidates_end() {
    ["hint", "hint -n 0", "candidates", "candidates --by-inference"].into_iter().for_each(check);
}

#[test]
fn counts_end() {
    ["unique", "count", "count --project", "sample -n 50", "diverse -n 4"].into_iter().for_each(check);
}

#[test]
fn generation_ends() {
    let place = Place::with(&[]);
    let start = Instant::now();
    let output = place.run(&["generate", "-n", "10000", "sudoku.lp", "--time-limit=0.5", "-q"]);
    let late = Duration::from_millis(number("ASP_LATENESS", 2500));
    assert!(start.elapsed() < Duration::from_secs_f64(0.5) + late, "{:?}", start.elapsed());
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && told.contains("the time limit was reached"), "{told}");
}

/// Without a limit it takes a second, and says that perhaps less is needed; before, it took ten.
#[test]
fn why_cost_of_integers_ends_by_itself() {
    let place = Place::with(&[("p.lp", COSTS)]);
    let start = Instant::now();
    let out = place.out(&["why-cost", "-q", "p.lp"], 0);
    let time = start.elapsed();
    assert!(time < Duration::from_millis(1000 + number("ASP_LATENESS", 2500)), "{time:?}");
    assert!(
        out.contains("no answer set costs less") && out.contains("perhaps not all of them are needed"),
        "{out}"
    );
}
