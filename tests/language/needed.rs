//! What `asp why` and `asp why-not` say of random propositional programs: the statements that are named suffice, whatever else of
//! the program there is, and where it is claimed that none of them can be left out, each is needed.
//!
//! The twin is the definition: programs of some of the statements are solved one by one. `ASP_RANDOM_SEED` and
//! `ASP_RANDOM_COUNT` choose other programs.

use crate::support::hunt::number;
use crate::support::library;
use crate::support::outcome::{Mode, Outcome};
use crate::support::spawn;
use asp_base::rng::Rng;
use serde_json::Value;
use std::collections::BTreeSet;

const ATOMS: [&str; 4] = ["a", "b", "c", "d"];

fn one<'a>(of: &[&'a str], rng: &mut Rng) -> &'a str {
    of[rng.below(of.len() as u64) as usize]
}

fn body(least: u64, rng: &mut Rng) -> String {
    let literals: Vec<String> = (0..least + rng.below(3 - least))
        .map(|_| format!("{}{}", one(&["", "", "", "not ", "not ", "not not "], rng), one(&ATOMS, rng)))
        .collect();
    if literals.is_empty() { String::new() } else { format!(" :- {}", literals.join(", ")) }
}

fn statement(rng: &mut Rng) -> String {
    let (x, y) = (one(&ATOMS, rng), one(&ATOMS, rng));
    match rng.below(11) {
        0 => format!("{x}."),
        1 | 2 => format!("{{ {x}; {y} }}{}.", body(0, rng)),
        3 => format!("{} {{ {x}; {y} }} {}{}.", rng.below(2), 1 + rng.below(2), body(0, rng)),
        4 if x != y => format!("{x} | {y}{}.", body(0, rng)),
        5 => format!(":- {} #count {{ 1 : {x}; 2 : {y} }} > {}.", one(&["", "not "], rng), rng.below(2)),
        6..8 => format!("{}.", body(1, rng).trim_start()),
        _ => format!("{x}{}.", body(1, rng)),
    }
}

/// What is left of a statement that is given up: of a choice, that it is one.
fn given_up(statement: &str) -> String {
    let (head, body) = statement.split_once(" :- ").unwrap_or((statement.trim_end_matches('.'), ""));
    match (head.find('{'), head.find('}')) {
        (Some(from), Some(to)) if !statement.starts_with(":-") => {
            let body = if body.is_empty() { ".".into() } else { format!(" :- {body}") };
            format!("{}{body}", &head[from..=to])
        }
        _ => String::new(),
    }
}

/// Whether the claim that an atom holds, or does not, is true in all answer sets of these statements.
fn follows(statements: &[String], atom: &str, holds: bool) -> bool {
    match library::solve(&statements.join("\n"), Mode::All, 100) {
        Outcome::Models(models) => {
            models.iter().all(|model| model.shown.iter().any(|other| other == atom) == holds)
        }
        other => panic!("{other:?}: {statements:?}"),
    }
}

/// The lines that a tree names.
fn lines(node: &Value, found: &mut BTreeSet<usize>) {
    found.extend(node["place"]["line"].as_u64().map(|line| line as usize - 1));
    node["because"].as_array().into_iter().flatten().for_each(|inner| lines(inner, found));
}

/// All choices of the other statements, each kept or given up, beside those that are kept.
fn any_follows_not(
    statements: &[String],
    kept: &BTreeSet<usize>,
    without: Option<usize>,
    claim: (&str, bool),
) -> bool {
    let others: Vec<usize> = (0..statements.len()).filter(|i| !kept.contains(i)).collect();
    (0..1_u32 << others.len()).any(|chosen| {
        let is_there = |i: usize| {
            Some(i) != without && others.iter().position(|&o| o == i).is_none_or(|at| chosen >> at & 1 == 1)
        };
        let all = statements.iter().enumerate();
        let program: Vec<String> =
            all.map(|(i, s)| if is_there(i) { s.clone() } else { given_up(s) }).collect();
        !follows(&program, claim.0, claim.1)
    })
}

#[test]
fn what_is_named_suffices_and_is_needed() {
    let (first, count) = (number("ASP_RANDOM_SEED", 0), number("ASP_RANDOM_COUNT", 150));
    let (mut sufficient, mut minimal) = (0, 0);
    for seed in first..first + count {
        let mut rng = Rng::new(seed);
        let statements: Vec<String> = (0..3 + rng.below(5)).map(|_| statement(&mut rng)).collect();
        let folder = spawn::folder_with(&[("p.lp", &format!("{}\n", statements.join("\n")))]);
        for atom in ATOMS {
            let question = one(&["why", "why-not"], &mut rng);
            let run = spawn::run_in(folder.path(), [question, atom, "p.lp", "--format=json", "-Wnone"], "");
            let told: Value = serde_json::from_str(&run.stdout).unwrap_or_default();
            let holds = match told["holds"].as_str() {
                Some("always") => true,
                Some("never") => false,
                _ => continue,
            };
            if told["rules"].is_null() {
                continue;
            }
            let mut named = BTreeSet::new();
            lines(&told["why"], &mut named);
            let case = || format!("seed {seed}: asp {question} {atom}\n{}\n{told:#}", statements.join("\n"));
            assert!(!any_follows_not(&statements, &named, None, (atom, holds)), "more is needed: {}", case());
            sufficient += 1;
            let parts = told["rules"].as_u64().unwrap_or(0) + told["facts"].as_u64().unwrap_or(0);
            if told["minimal"] != true || parts < 2 {
                continue;
            }
            let needed = named.iter().filter(|&&i| {
                let rest: BTreeSet<usize> = named.iter().copied().filter(|&other| other != i).collect();
                let kept: BTreeSet<usize> = rest.iter().copied().chain([i]).collect();
                any_follows_not(&statements, &kept, Some(i), (atom, holds))
            });
            assert!(needed.count() as u64 >= parts, "not all of it is needed: {}", case());
            minimal += 1;
        }
    }
    eprintln!("{sufficient} claims, of {minimal} of which nothing can be left out");
    assert!(2 * sufficient >= count && 10 * minimal >= count, "{sufficient} {minimal}");
}
