//! Optima with bounds from linear relaxations: random knapsacks, assignments, covers and tours, solved again and again
//! under changing assumptions and strategies, against all answer sets.
//!
//! `ASP_RANDOM_SEED` and `ASP_RANDOM_COUNT` choose other programs.

use crate::support::hunt::number;
use asp::Control;
use asp_base::rng::Rng;
use asp_engine::parameters::OptStrategy;
use asp_program::Literal;
use asp_solve::{Event, Flow, OptMode, SolveOptions};
use std::fmt::Write as _;

/// A random sum over some of the literals; what follows each weight is given.
fn sum(rng: &mut Rng, literals: &[String], scale: i64, level: &str) -> String {
    let mut terms = Vec::new();
    for (i, literal) in literals.iter().enumerate() {
        if rng.chance(0.2) {
            continue;
        }
        let weight = (rng.below(30) as i64 - if rng.chance(0.2) { 20 } else { 0 }) * scale;
        let sign = if rng.chance(0.15) { "not " } else { "" };
        terms.push(format!("{weight}{level},{i} : {sign}{literal}"));
    }
    terms.join("; ")
}

/// A program, and the atoms that it chooses from.
fn random(rng: &mut Rng) -> (String, Vec<String>) {
    let mut text = String::new();
    let mut atoms: Vec<String> = Vec::new();
    let shape = rng.below(4);
    let (rows, columns) = (2 + rng.below(2), 2 + rng.below(3));
    match shape {
        0 => {
            atoms.extend((1..=6 + rng.below(5)).map(|i| format!("t({i})")));
            let _ = writeln!(text, "{{ {} }}.", atoms.join("; "));
        }
        1 | 2 => {
            for i in 1..=rows {
                let row: Vec<String> = (1..=columns).map(|j| format!("a({i},{j})")).collect();
                let most = ["1", "1", "1", "2"][rng.below(4) as usize];
                let least = ["1", "1", "0"][rng.below(3) as usize];
                let _ = writeln!(text, "{least} {{ {} }} {most}.", row.join("; "));
                atoms.extend(row);
            }
            if rng.chance(0.6) {
                let _ = writeln!(text, ":- J = 1..{columns}, 2 {{ a(I,J) : I = 1..{rows} }}.");
            }
            if rng.chance(0.5) {
                let _ = writeln!(text, "open(J) :- a(_,J).");
            }
        }
        _ => {
            let towns = 3 + rng.below(2);
            let _ = writeln!(text, "v(1..{towns}). 1 {{ a(X,Y) : v(Y), X != Y }} 1 :- v(X).");
            let _ = writeln!(text, ":- v(Y), not 1 {{ a(X,Y) : v(X), X != Y }} 1.");
            let _ = writeln!(text, "r(1). r(Y) :- r(X), a(X,Y). :- v(X), not r(X).");
            let pairs = (1..=towns).flat_map(|x| (1..=towns).map(move |y| (x, y)));
            atoms.extend(pairs.filter(|(x, y)| x != y).map(|(x, y)| format!("a({x},{y})")));
        }
    }
    if shape < 3 {
        for _ in 0..rng.below(3) {
            let relation = [">", ">", "<", "!="][rng.below(4) as usize];
            let bound = rng.below(90) as i64;
            let _ = writeln!(text, ":- #sum {{ {} }} {relation} {bound}.", sum(rng, &atoms, 1, ""));
        }
        for _ in 0..rng.below(4) {
            let some: Vec<String> = (0..2 + rng.below(3))
                .map(|_| format!("not {}", atoms[rng.below(atoms.len() as u64) as usize]))
                .collect();
            let _ = writeln!(text, ":- {}.", some.join(", "));
        }
        if rng.chance(0.3) {
            let _ = writeln!(text, "d :- #sum {{ {} }} >= {}.", sum(rng, &atoms, 1, ""), rng.below(60));
            let _ = writeln!(text, "#minimize {{ {} : d }}.", rng.below(20) as i64 - 5);
        }
        if text.contains("open(J)") {
            let _ = writeln!(text, "#minimize {{ {},o,J : open(J) }}.", 1 + rng.below(20));
        }
    }
    for priority in 1..=1 + rng.below(2) {
        let scale = [1, 1, 1, 1 << 20, 1 << 40][rng.below(5) as usize];
        let how = ["minimize", "maximize"][rng.below(2) as usize];
        let terms = sum(rng, &atoms, scale, &format!("@{priority}"));
        let _ = writeln!(text, "#{how} {{ {terms} }}.");
    }
    (text, atoms)
}

fn control(program: &str) -> Option<Control> {
    let mut control = Control::new();
    control.add(program);
    control.ground().and_then(|()| control.lower()).ok()?;
    Some(control)
}

fn options(rng: &mut Rng) -> SolveOptions {
    let mut options = SolveOptions { opt_mode: OptMode::OptN, models: Some(0), ..SolveOptions::default() };
    let strategies = OptStrategy::ALL;
    options.solver.optimize.strategy = if rng.chance(0.4) {
        OptStrategy::Auto
    } else {
        strategies[rng.below(strategies.len() as u64) as usize]
    };
    options.solver.optimize.relax = rng.chance(0.9);
    options.solver.optimize.relax_nodes = [0, 30, 100, 100][rng.below(4) as usize];
    options.solver.seed = rng.next_u64();
    options
}

/// The conflicts and models of branch and bound until an optimum is proven, with or without relaxations.
fn work(program: &str, relax: bool) -> (u64, u64) {
    let mut options = SolveOptions::default();
    options.solver.optimize.strategy = OptStrategy::Hierarchical;
    options.solver.optimize.relax = relax;
    let mut control = control(program).expect("it was grounded before");
    let result = control.solve_events(&options, &[], &mut |_, _, _| Flow::Continue).expect("it runs");
    (control.statistics().search.conflicts, result.models)
}

#[test]
fn optima_are_those_of_all_answer_sets() {
    let (first, count) = (number("ASP_RANDOM_SEED", 0), number("ASP_RANDOM_COUNT", 300));
    let (mut compared, mut optimal, mut changed) = (0, 0, 0);
    for seed in first..first + count {
        let rng = &mut Rng::new(seed);
        let (program, names) = random(rng);
        let Some(mut session) = control(&program) else { continue };
        let atoms: Vec<_> = names.iter().filter_map(|name| session.parse_term(name).ok()).collect();
        let atoms: Vec<_> = atoms.into_iter().filter_map(|term| session.find_atom(term)).collect();
        let mut all: Vec<(Vec<bool>, Vec<i64>)> = Vec::new();
        let every = SolveOptions { opt_mode: OptMode::Enum, models: Some(0), ..SolveOptions::default() };
        session
            .solve_events(&every, &[], &mut |event, _, _| {
                if let Event::Model(model) = event {
                    let values = atoms.iter().map(|&a| model.contains(a)).collect();
                    all.push((values, model.costs.to_vec()));
                }
                Flow::Continue
            })
            .expect("it runs");
        if all.iter().any(|m| m.1.is_empty()) {
            // There is no objective.
            continue;
        }
        changed += u64::from(work(&program, true) != work(&program, false));
        for _ in 0..4 {
            let mut assumed: Vec<(usize, bool)> = Vec::new();
            for _ in 0..rng.below(3) {
                assumed.push((rng.below(atoms.len() as u64) as usize, rng.chance(0.5)));
            }
            let fits = |m: &&(Vec<bool>, Vec<i64>)| assumed.iter().all(|&(i, value)| m.0[i] == value);
            let least = all.iter().filter(fits).map(|m| &m.1).min();
            let cheapest = all.iter().filter(fits).filter(|m| Some(&m.1) == least).count() as u64;
            let literals: Vec<Literal> = assumed
                .iter()
                .map(|&(i, value)| if value { Literal::pos(atoms[i]) } else { Literal::neg(atoms[i]) })
                .collect();
            let options = options(rng);
            let mut found = 0;
            let result = session
                .solve_events(&options, &literals, &mut |event, _, _| {
                    found += u64::from(matches!(event, Event::Model(model) if model.optimal));
                    Flow::Continue
                })
                .expect("it runs");
            let told = format!("seed {seed}, {assumed:?}, {:?}\n{program}", options.solver.optimize.strategy);
            assert!(result.exhausted, "{told}");
            assert_eq!(result.costs.as_ref(), least, "{told}");
            assert_eq!(found, cheapest, "{told}");
            compared += 1;
            optimal += u64::from(least.is_some());
        }
    }
    println!("{compared} optima compared, {optimal} exist; {changed} searches changed by relaxations");
    assert!(count < 100 || 2 * optimal > count && 10 * changed > count, "{optimal} and {changed} of {count}");
}

/// Factors, what their sum is at most, and when that is so: always, or if an atom is true, or false.
type AtMost = (Vec<i64>, i64, Option<(usize, bool)>);

/// A random objective over integers with many values, sums of them and two atoms; and the least cost, by trying all values.
fn random_integers(rng: &mut Rng) -> (String, Option<i64>) {
    let number = 2 + rng.below(2) as usize;
    let mut text = String::from("{ a; b }.\n");
    let domains: Vec<(i64, i64)> = (0..number)
        .map(|_| {
            let low = rng.below(13) as i64 - 6;
            (low, low + 11 + rng.below(20) as i64)
        })
        .collect();
    for (i, (low, high)) in domains.iter().enumerate() {
        let _ = writeln!(text, "&dom {{ {low}..{high} }} = x({i}).");
    }
    let factors = |rng: &mut Rng| -> Vec<i64> { (0..number).map(|_| rng.below(11) as i64 - 5).collect() };
    let sum = |factors: &[i64]| {
        let terms = factors.iter().enumerate().map(|(i, factor)| format!("{factor}*x({i})"));
        terms.collect::<Vec<_>>().join("; ")
    };
    let constraints: Vec<AtMost> = (0..1 + rng.below(5))
        .map(|_| {
            let when = rng.chance(0.4).then(|| (rng.below(2) as usize, rng.chance(0.5)));
            (factors(rng), rng.below(90) as i64 - 30, when)
        })
        .collect();
    for (factors, bound, when) in &constraints {
        let when = when.map_or(String::new(), |(atom, value)| {
            format!(" :- {}{}", if value { "" } else { "not " }, ["a", "b"][atom])
        });
        let _ = writeln!(text, "&sum {{ {} }} <= {bound}{when}.", sum(factors));
    }
    let objective = factors(rng);
    let weights = [rng.below(15) as i64 - 7, rng.below(15) as i64 - 7];
    let _ = writeln!(
        text,
        "&minimize {{ {} }}. #minimize {{ {},a : a; {},b : b }}.",
        sum(&objective),
        weights[0],
        weights[1]
    );
    let all: i64 = domains.iter().map(|(low, high)| high - low + 1).product();
    let mut least: Option<i64> = None;
    for number in 0..4 * all {
        let (atoms, mut rest) = ([number % 2, number / 2 % 2], number / 4);
        let mut values = Vec::with_capacity(domains.len());
        for (low, high) in &domains {
            values.push(low + rest % (high - low + 1));
            rest /= high - low + 1;
        }
        let total = |factors: &[i64]| factors.iter().zip(&values).map(|(f, v)| f * v).sum::<i64>();
        let holds = constraints.iter().all(|(factors, bound, when)| {
            when.is_some_and(|(atom, value)| (atoms[atom] == 1) != value) || total(factors) <= *bound
        });
        if holds {
            let cost = total(&objective) + atoms[0] * weights[0] + atoms[1] * weights[1];
            least = Some(least.map_or(cost, |known| known.min(cost)));
        }
    }
    (text, least)
}

#[test]
fn optima_of_integers_are_those_of_all_values() {
    let (first, count) = (number("ASP_RANDOM_SEED", 0), number("ASP_RANDOM_COUNT", 150));
    let mut optimal = 0;
    for seed in first..first + count {
        let rng = &mut Rng::new(seed);
        let (program, least) = random_integers(rng);
        for _ in 0..4 {
            let mut session = control(&program).expect("it can be grounded");
            let options = SolveOptions { opt_mode: OptMode::Opt, ..options(rng) };
            let result = session.solve_events(&options, &[], &mut |_, _, _| Flow::Continue).expect("it runs");
            let told = format!("seed {seed}, {:?}\n{program}", options.solver.optimize.strategy);
            assert!(result.exhausted, "{told}");
            assert_eq!(result.costs.as_ref().map(|costs| costs[0]), least, "{told}");
            optimal += u64::from(least.is_some());
        }
    }
    assert!(count < 100 || optimal > count, "{optimal} of {count}");
}
