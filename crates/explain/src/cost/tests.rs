//! Costs of random programs, by brute force.

use std::collections::BTreeMap;

use super::*;
use crate::inquiry::Inquiry;
use crate::inquiry::relaxed_facts::Which;
use crate::random::{self, Role, Statement};
use crate::{count, diverse};
use asp_base::rng::Rng;
use asp_control::{Control, Source};
use asp_oracle::brute_force;

const ATOMS: [&str; 6] = ["a", "b", "c", "-a", "p(1)", "p(2)"];

/// A weak constraint: its text, and what remains when it is given up.
fn weak(rng: &mut Rng) -> (String, String) {
    let mut one = |of: &[&str]| of[rng.below(of.len() as u64) as usize].to_string();
    let sign = |one: &mut dyn FnMut(&[&str]) -> String| one(&["", "", "not "]);
    let (s, t) = (sign(&mut one), sign(&mut one));
    let (first, second) = (one(&ATOMS), one(&ATOMS));
    let weight = one(&["1", "1", "2", "3", "-1", "-2"]);
    let (priority, tuple) = (one(&["0", "0", "1"]), one(&["x", "y", "z", "u,1", "v"]));
    let tail = format!("[{weight}@{priority},{tuple}]");
    let body = if rng.chance(0.4) { format!("{s}{first}, {t}{second}") } else { format!("{s}{first}") };
    let off = if weight.starts_with('-') { format!(":~ . {tail}") } else { String::new() };
    (format!(":~ {body}. {tail}"), off)
}

fn open(text: &str) -> Inquiry {
    let nothing = Which { files: Some(Vec::new()), ..Which::default() };
    Inquiry::open(&[Source::new("t.lp", text)], &Control::new, &Control::ground, &nothing)
        .unwrap_or_else(|e| panic!("{:?}: {text}", e.0))
}

/// The costs of all answer sets, by priority, each with what it shows.
fn all(text: &str) -> Vec<(BTreeMap<i64, i64>, Vec<String>)> {
    let mut control = Control::new();
    control.add(text);
    control.ground().unwrap_or_else(|e| panic!("{e:?}: {text}"));
    let (program, symbols) = (control.program(), control.symbols());
    let mut priorities: Vec<i64> = program.minimize.iter().map(|e| e.priority).collect();
    priorities.sort_unstable_by(|a, b| b.cmp(a));
    priorities.dedup();
    let sets = brute_force::answer_sets(program, symbols);
    let costs = |s: &brute_force::AnswerSet| {
        let costs =
            if priorities.is_empty() { Vec::new() } else { s.costs(program, symbols).expect("small") };
        priorities.iter().copied().zip(costs).collect()
    };
    sets.iter().map(|s| (costs(s), s.shown(program, symbols))).collect()
}

/// Whether an answer set costs less on a level while the more important ones cost no more.
fn is_cheaper(costs: &BTreeMap<i64, i64>, levels: &[LevelCost], index: usize) -> bool {
    let cost = |level: &LevelCost| costs.get(&level.priority).copied().unwrap_or(0);
    levels[..index].iter().all(|l| cost(l) <= l.cost) && cost(&levels[index]) < levels[index].cost
}

/// Checks every claim about a program; returns how many cores there were.
fn check(statements: &[Statement], weak: &[(String, String)]) -> usize {
    let text = |rules: &[String], weak: &[String]| {
        rules.iter().chain(weak).map(|s| format!("{s}\n")).collect::<String>()
    };
    let on: Vec<String> = statements.iter().map(|s| s.text.clone()).collect();
    let costs: Vec<String> = weak.iter().map(|w| w.0.clone()).collect();
    let whole = text(&on, &costs);
    let inquiry = open(&whole);
    let sets = all(&whole);
    let found = best(&inquiry).unwrap_or_else(|e| panic!("{e:?}: {whole}"));
    let Some((best, levels)) = found else {
        assert!(sets.is_empty(), "{whole}");
        return 0;
    };
    let lexicographic = |s: &BTreeMap<i64, i64>| s.values().rev().copied().collect::<Vec<i64>>();
    let least = sets.iter().map(|s| lexicographic(&s.0)).min().expect("an answer set");
    // A level of which nothing can count may be told by one and not by the other.
    let told = |priorities: &[i64], costs: &[i64]| -> BTreeMap<i64, i64> {
        priorities.iter().copied().zip(costs.iter().copied()).filter(|level| level.1 != 0).collect()
    };
    let known: Vec<i64> = sets[0].0.keys().rev().copied().collect();
    let named: Vec<i64> = levels.iter().map(|level| level.priority).collect();
    assert_eq!(told(&named, &best.costs), told(&known, &least), "{whole}");
    questions(
        &whole,
        &sets.iter().filter(|s| lexicographic(&s.0) == least).map(|s| s.1.clone()).collect::<Vec<_>>(),
    );
    // What has no instances cannot be gained.
    let line = |span: Span| inquiry.sources().locate(span).expect("a place").1 as usize - 1;
    let instances: Vec<usize> =
        inquiry.program().minimize.iter().map(|e| line(inquiry.span(e.source))).collect();
    let mut cores = 0;
    for index in 0..levels.len() {
        let reason = why_not_less(&inquiry, &levels, index, false, &mut |_| {})
            .unwrap_or_else(|e| panic!("{e:?}: {whole}"));
        let Reason::Holds { holds, minimal } = reason else {
            // No selection of tuples costs less.
            let program = inquiry.program();
            let tuples: Set<(i64, Vec<Sym>)> = program
                .minimize
                .iter()
                .filter(|e| e.priority == levels[index].priority)
                .map(|e| (e.weight, program.terms(e.tuple).to_vec()))
                .collect();
            let least: i64 = tuples.iter().map(|t| t.0.min(0)).sum();
            assert_eq!(levels[index].cost, least, "{whole}");
            continue;
        };
        assert!(minimal, "{whole}");
        cores += 1;
        let lines: Vec<usize> =
            holds.iter().map(|h| inquiry.sources().locate(h.span).expect("a place").1 as usize - 1).collect();
        for (hold, &line) in holds.iter().zip(&lines) {
            assert_eq!(hold.weak, line >= statements.len(), "{whole}");
        }
        // In force: the lines of the core, but for one that is given up.
        let with = |given_up: Option<usize>| {
            let kept = |line: usize| lines.contains(&line) && given_up != Some(line);
            let rule = |(i, s): (usize, &Statement)| {
                if s.role == Role::Limit && !kept(i) { s.off.clone() } else { s.text.clone() }
            };
            let cost = |(i, w): (usize, &(String, String))| {
                if kept(statements.len() + i) {
                    w.0.clone()
                } else if instances.contains(&(statements.len() + i)) {
                    w.1.clone()
                } else {
                    String::new()
                }
            };
            let rules: Vec<String> = statements.iter().enumerate().map(rule).collect();
            text(&rules, &weak.iter().enumerate().map(cost).collect::<Vec<_>>())
        };
        let alone = with(None);
        assert!(!all(&alone).iter().any(|s| is_cheaper(&s.0, &levels, index)), "{whole}\n{lines:?}\n{alone}");
        for &line in &lines {
            let without = with(Some(line));
            assert!(
                all(&without).iter().any(|s| is_cheaper(&s.0, &levels, index)),
                "{whole}\n{lines:?}\n{without}"
            );
        }
    }
    cores
}

/// Counts, draws and distances of the optimal answer sets, given by what they show.
fn questions(text: &str, best: &[Vec<String>]) {
    let control = || {
        let mut control = Control::new();
        control.add(text);
        control.ground().expect("it grounds");
        optimal::keep_best(&mut control).expect("no limit").expect("an answer set");
        control
    };
    let shown = |control: &Control, shown: &[bool]| {
        let printer = crate::cells::text;
        let (program, symbols) = (control.program(), control.symbols());
        let mut texts: Vec<String> = program
            .shows
            .iter()
            .zip(shown)
            .filter(|s| *s.1)
            .map(|(s, _)| printer(s.item, program, symbols))
            .collect();
        texts.sort_unstable();
        texts.dedup();
        texts
    };
    let mut counted = control();
    let few = count::Effort { first: 1, ..count::Effort::default() };
    assert_eq!(count::count(&mut counted, false, few).expect("no limit"), best.len().into(), "{text}");
    let mut different = best.to_vec();
    different.sort();
    different.dedup();
    let (mut first, mut found) = (control(), Vec::new());
    let (sets, _) = count::first(&mut first, 2, true).expect("no limit");
    assert_eq!(sets.len(), different.len().min(2), "{text}");
    assert!(sets.iter().all(|s| best.contains(&shown(&first, s))), "{text}");
    let mut drawn = control();
    let mut sets = Vec::new();
    let effort = count::Effort::default();
    count::sample::sample(&mut drawn, 5, 1, false, effort, |s| sets.push(s.to_vec())).expect("no limit");
    assert!(sets.len() == 5 && sets.iter().all(|s| best.contains(&shown(&drawn, s))), "{text}");
    let apart = control();
    diverse::diverse(&apart, 3, |m| found.push(m.shown.clone())).expect("no limit");
    assert_eq!(found.len(), different.len().min(3), "{text}");
    assert!(found.iter().all(|s| best.contains(&shown(&apart, s))), "{text}");
}

#[test]
fn random_costs_agree_with_brute_force() {
    let number = |name: &str, usual| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(usual);
    let (first, count) = (number("ASP_RANDOM_SEED", 0u64), number("ASP_RANDOM_COUNT", 120u64));
    let mut cores = 0;
    for seed in first..first + count {
        let mut rng = Rng::new(seed ^ 0xc057);
        let mut statements = random::program(seed);
        // Choices make several answer sets; edges and disjunctions are tested elsewhere.
        statements.push(Statement {
            role: Role::Fixed,
            text: "{ a; b; c; p(1) }.".into(),
            off: "{ a; b; c; p(1) }.".into(),
        });
        let weak: Vec<(String, String)> = (0..1 + rng.below(4)).map(|_| weak(&mut rng)).collect();
        cores += check(&statements, &weak);
    }
    assert!(count < 120 || cores > 30, "{cores}");
}

#[test]
fn shares_add_up_and_name_what_counts_twice() {
    let inquiry =
        open("a. {b}. :- not b.\n:~ a. [2@1,x]\n:~ b. [2@1,x]\n#minimize { 3,y : b; -1,z : not b }.\n");
    let (best, levels) = best(&inquiry).expect("no limit").expect("an answer set");
    assert_eq!(best.costs, [2, 3]);
    assert_eq!(levels[0].shares.len(), 1);
    assert_eq!(levels[0].shares[0].also.len(), 1);
    assert_eq!(levels[1].shares.iter().map(|s| s.weight).collect::<Vec<_>>(), [3]);
}
