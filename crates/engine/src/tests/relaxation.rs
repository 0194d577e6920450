//! Relaxed objectives and cuts against brute force: no model costs less than they say, and none is cut off.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use crate::parameters::SolverParameters;
use crate::relaxation::bounding::Bounding;
use crate::relaxation::cuts::clique::merge;
use crate::relaxation::problem::{Problem, Subject};
use crate::relaxation::programme::Programme;
use crate::relaxation::{Objective, Relaxation};
use crate::store::literal::{Lit, Var};
use crate::tests::search::{engine, for_seeds, instance, is_true, literal, models};
use crate::{Engine, Outcome};
use asp_base::interrupt::Interrupt;

#[test]
fn no_model_costs_less_than_its_relaxation() {
    let (used, exact) = (AtomicU32::new(0), AtomicU32::new(0));
    for_seeds(8_000, |rng| {
        let vars = 4 + rng.below(8);
        let size = 1 + rng.below(vars);
        let constraints = instance(rng, vars, size);
        let terms: Vec<_> = (0..vars).map(|_| (literal(rng, vars), rng.below(29) as i64 - 8)).collect();
        let assumptions: Vec<_> = (0..rng.below(3)).map(|_| literal(rng, vars)).collect();
        let sum = |model: u32, terms: &[_]| -> i128 {
            terms.iter().filter(|&&(l, _)| is_true(model, l)).map(|&(_, w): &(_, i64)| i128::from(w)).sum()
        };
        let all = models(&constraints, vars);
        let models: Vec<u32> =
            all.into_iter().filter(|&m| assumptions.iter().all(|&l| is_true(m, l))).collect();
        let mut engine = engine(rng, vars);
        if models.is_empty() || !constraints.iter().all(|c| c.add(&mut engine)) || engine.propagate().is_err()
        {
            return;
        }
        let upper = sum(models[rng.below(models.len() as u64) as usize], &terms);
        let Some(mut relaxation) = Relaxation::new(&mut engine, &terms, &assumptions) else { return };
        let Some(relaxed) = relaxation.solve(upper, &mut |_| Vec::new(), &Interrupt::new()) else { return };
        if engine.num_vars() as u64 > vars {
            // What brute force does not know.
            return;
        }
        used.fetch_add(1, Relaxed);
        let least = models.iter().map(|&m| sum(m, &terms)).min().unwrap_or(0);
        assert!(relaxed.lower <= least, "{} exceeds {least}", relaxed.lower);
        exact.fetch_add(u32::from(relaxed.lower == least), Relaxed);
        for &m in &models {
            let goal = relaxed.goal(sum(m, &terms)).expect("small numbers");
            assert!(sum(m, &relaxed.terms) <= goal.into(), "model {m:b}");
        }
    });
    let (used, exact) = (used.into_inner(), exact.into_inner());
    assert!(used > 150 && exact > 30, "{used} relaxations, {exact} of them exact");
}

#[test]
fn no_model_is_cut_off() {
    let (cuts, closed) = (AtomicU32::new(0), AtomicU32::new(0));
    for_seeds(8_000, |rng| {
        let vars = 5 + rng.below(8);
        let size = 1 + rng.below(vars);
        let constraints = instance(rng, vars, size);
        let terms: Vec<_> = (0..vars).map(|_| (literal(rng, vars), rng.below(29) as i64 - 8)).collect();
        let models = models(&constraints, vars);
        let mut engine = engine(rng, vars);
        if models.is_empty() || !constraints.iter().all(|c| c.add(&mut engine)) || engine.propagate().is_err()
        {
            return;
        }
        let literals = terms.iter().map(|t| t.0);
        let Some(rows) = engine.linear_rows(literals, std::iter::empty(), &[], 100_000) else { return };
        let objective = Objective { lits: terms.clone(), ..Objective::default() };
        let Some(problem) = Problem::new(&objective, rows, engine.integers()) else { return };
        let known = problem.rows.len();
        let Some(mut programme) = Programme::new(problem) else { return };
        if engine.num_vars() as u64 > vars {
            return;
        }
        let sum =
            |m: u32| -> i128 { terms.iter().filter(|t| is_true(m, t.0)).map(|t| i128::from(t.1)).sum() };
        let least = models.iter().map(|&m| sum(m)).min().unwrap_or(0);
        programme.solve(least + 1 + rng.below(9) as i128, &mut |_| Vec::new(), &Interrupt::new());
        let problem = &programme.problem;
        for (k, (row, &bound)) in problem.rows.rows().zip(&problem.bounds).enumerate() {
            for &m in &models {
                let holds = |j: u32| match problem.subjects[j as usize] {
                    Subject::Var(var) => is_true(m, Lit::pos(var)),
                    Subject::Int(..) => false,
                };
                let sum: i64 = row.iter().filter(|t| holds(t.0)).map(|t| t.1).sum();
                assert!(sum >= bound, "model {m:b} is cut off by {row:?} >= {bound}");
            }
            cuts.fetch_add(u32::from(k >= known), Relaxed);
        }
        let lower = programme.relaxed().map(|r| r.lower);
        assert!(lower.is_none_or(|lower| lower <= least), "{lower:?} exceeds {least}");
        closed.fetch_add(u32::from(lower == Some(least)), Relaxed);
    });
    let (cuts, closed) = (cuts.into_inner(), closed.into_inner());
    assert!(cuts > 150 && closed > 150, "{cuts} cuts, {closed} gaps closed");
}

#[test]
fn nodes_are_left_only_if_no_model_is_cheap_enough() {
    let (cheap, left) = (AtomicU32::new(0), AtomicU32::new(0));
    for_seeds(8_000, |rng| {
        let vars = 5 + rng.below(8);
        let size = 1 + rng.below(vars);
        let constraints = instance(rng, vars, size);
        let terms: Vec<_> = (0..vars).map(|_| (literal(rng, vars), rng.below(29) as i64 - 8)).collect();
        let models = models(&constraints, vars);
        let mut engine = engine(rng, vars);
        if models.is_empty() || !constraints.iter().all(|c| c.add(&mut engine)) || engine.propagate().is_err()
        {
            return;
        }
        let sum = |m: u32| -> i64 { terms.iter().filter(|t| is_true(m, t.0)).map(|t| t.1).sum() };
        let costs: Vec<i64> = models.iter().map(|&m| sum(m)).collect();
        let upper = costs[rng.below(costs.len() as u64) as usize];
        let Some(mut relaxation) = Relaxation::new(&mut engine, &terms, &[]) else { return };
        relaxation.solve(upper.into(), &mut |_| Vec::new(), &Interrupt::new());
        let id = relaxation.install(&mut engine, None, 100);
        for _ in 0..4 {
            let goal = upper - 1 - rng.below(9) as i64;
            let guard = Lit::pos(engine.new_var());
            engine.freeze(guard.var());
            engine.with_propagator(id, |bounding: &mut Bounding, _| bounding.demand(guard, goal.into()));
            let sums = rng.chance(0.5);
            if sums {
                engine.add_upper_bound(Some(guard), &terms, Some(goal));
            }
            let assumptions = [literal(rng, vars), guard];
            let fits = |i: usize| is_true(models[i], assumptions[0]) && costs[i] <= goal;
            let expected = (0..models.len()).any(fits);
            let conflicts = engine.conflicts();
            match engine.solve(&assumptions, &Interrupt::new()) {
                Outcome::Sat => assert!(expected || !sums, "there is no such model"),
                _ => assert!(!expected, "there is a model that costs {goal} at most"),
            }
            cheap.fetch_add(u32::from(expected), Relaxed);
            left.fetch_add(u32::from(!sums && !expected && engine.conflicts() > conflicts), Relaxed);
            engine.reset_enumeration();
            engine.add_clause(&[!guard]);
        }
    });
    let (cheap, left) = (cheap.into_inner(), left.into_inner());
    assert!(cheap > 300 && left > 100, "{cheap} cheap models, {left} searches ended by bounds");
}

#[test]
fn what_excludes_all_of_a_group_is_added_to_it() {
    let mut problem = Problem::default();
    problem.subjects = (0..5).map(|j| Subject::Var(Var(j))).collect();
    problem.sizes = vec![1; 5];
    problem.cost = vec![1, 1, 1, -1, -1];
    problem.groups.push_row(&[(0, false), (1, false), (2, false)]);
    problem.exact.push(false);
    // Column 3 is needed by each of the group, column 4 by two of them.
    for (j, k) in [(0, 3), (1, 3), (2, 3), (0, 4), (1, 4)] {
        problem.rows.push_row(&[(j, -1), (k, 1)]);
        problem.bounds.push(0);
    }
    merge(&mut problem);
    let rows: Vec<_> = problem.rows.rows().map(<[_]>::to_vec).zip(problem.bounds.iter().copied()).collect();
    let all = (vec![(0, -1), (1, -1), (2, -1), (3, 1)], 0);
    let two = (vec![(0, -1), (1, -1), (4, 1)], 0);
    assert_eq!(rows, [all, two]);
}

#[test]
fn a_clause_is_the_lowest_step_of_a_sum() {
    let mut engine = Engine::new(&SolverParameters::default());
    let lits: Vec<Lit> = (0..7).map(|_| Lit::pos(engine.new_var())).collect();
    let terms: Vec<(Lit, i64)> = lits[..4].iter().map(|&l| (l, 1)).collect();
    engine.add_clause(&[lits[0], lits[1], lits[2], lits[3], !lits[4]]);
    engine.add_weight(Some(lits[5]), &terms, 2);
    engine.add_weight(Some(lits[6]), &terms, 3);
    let rows =
        engine.linear_rows(lits[4..].iter().copied(), std::iter::empty(), &[], 1000).expect("few rows");
    let mut expected: Vec<(Lit, i64)> =
        lits.iter().enumerate().map(|(i, &l)| (l, if i < 4 { 1 } else { -1 })).collect();
    expected.sort_unstable();
    // The sum is at least the number of its steps.
    let is_stair = |row: &[(Lit, i64)]| {
        let mut row = row.to_vec();
        row.sort_unstable();
        row == expected
    };
    let stairs: Vec<i128> =
        rows.terms.rows().zip(&rows.bounds).filter(|r| is_stair(r.0)).map(|r| *r.1).collect();
    assert_eq!(stairs, [0]);
}

#[test]
fn half_of_an_odd_cycle_is_rounded() {
    for length in [5, 7, 9, 15] {
        let mut engine = Engine::new(&SolverParameters::default());
        let literals: Vec<Lit> = (0..length).map(|_| Lit::pos(engine.new_var())).collect();
        for (k, &lit) in literals.iter().enumerate() {
            assert!(engine.add_clause(&[!lit, !literals[(k + 1) % literals.len()]]));
        }
        let terms: Vec<_> = literals.iter().map(|&l| (l, -1)).collect();
        let mut relaxation = Relaxation::new(&mut engine, &terms, &[]).expect("a programme");
        let relaxed = relaxation.solve(0, &mut |_| Vec::new(), &Interrupt::new()).expect("a bound");
        assert_eq!(relaxed.lower, -(length as i128) / 2);
    }
}

/// What solves the relaxation of an assignment is whole.
#[test]
fn a_dive_finds_the_best_assignment_at_once() {
    let found = AtomicU32::new(0);
    for_seeds(50, |rng| {
        let mut engine = Engine::new(&SolverParameters::default());
        let size = 12;
        let lits: Vec<Vec<Lit>> =
            (0..size).map(|_| (0..size).map(|_| Lit::pos(engine.new_var())).collect()).collect();
        for i in 0..size {
            let column: Vec<Lit> = lits.iter().map(|row| row[i]).collect();
            for group in [&lits[i], &column] {
                engine.add_clause(group);
                engine.add_at_most_one(group);
            }
        }
        let terms: Vec<_> = lits.iter().flatten().map(|&l| (l, 1 + rng.below(99) as i64)).collect();
        let mut relaxation = Relaxation::new(&mut engine, &terms, &[]).expect("a programme");
        let diagonal: i64 = (0..size).map(|i| terms[i * size + i].1).sum();
        let Some(relaxed) = relaxation.solve(diagonal.into(), &mut |_| Vec::new(), &Interrupt::new()) else {
            return;
        };
        let lower = relaxed.lower;
        found.fetch_add(1, Relaxed);
        let id = relaxation.install(&mut engine, None, 20);
        let guard = Lit::pos(engine.new_var());
        engine.freeze(guard.var());
        engine.with_propagator(id, |bounding: &mut Bounding, _| bounding.demand(guard, lower));
        assert_eq!(engine.solve(&[guard], &Interrupt::new()), Outcome::Sat);
        let cost: i64 = terms.iter().filter(|t| engine.value(t.0) == Some(true)).map(|t| t.1).sum();
        assert!(i128::from(cost) == lower && engine.conflicts() < 3);
    });
    assert!(found.into_inner() > 30);
}
