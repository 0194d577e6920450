//! Objectives over integers and their relaxations against brute force: no value costs less than they say, none is cut off, and
//! searches that they bound find what there is.

use crate::integer::global;
use crate::integer::global::Global;
use crate::integer::global::distinct::Distinct;
use crate::integer::global::product::Product;
use crate::integer::store::Int;
use crate::parameters::SolverParameters;
use crate::relaxation::bounding::Bounding;
use crate::relaxation::problem::{Problem, Subject};
use crate::relaxation::programme::Programme;
use crate::relaxation::{Objective, Relaxation};
use crate::store::literal::Lit;
use crate::tests::integers::{self, restless};
use crate::{Engine, Outcome};
use asp_base::interrupt::Interrupt;
use asp_base::rng::Rng;

/// A random problem with an objective over its integers and atoms.
struct Case {
    engine: Engine,
    ints: Vec<Int>,
    /// Values of atoms and of integers.
    solutions: Vec<Vec<i64>>,
    /// What is minimised, as terms over literals.
    terms: Vec<(Lit, i64)>,
    /// By solution.
    costs: Vec<i64>,
}

fn random(seed: u64) -> Option<Case> {
    let rng = &mut Rng::new(seed);
    let problem = integers::random(rng, false);
    let parameters = if seed.is_multiple_of(2) {
        SolverParameters { seed, ..SolverParameters::default() }
    } else {
        restless(seed)
    };
    let mut solutions = problem.solutions();
    let (mut engine, ints) = problem.engine(&parameters);
    let int_of = |s: &[i64], i: usize| s[problem.atoms + i];
    let (a, b) = (rng.below(ints.len() as u64) as usize, rng.below(ints.len() as u64) as usize);
    let mut product = None;
    if rng.chance(0.4) {
        let corners = [problem.ranges[a], problem.ranges[b]];
        let values = [corners[0].0, corners[0].1].map(|x| [corners[1].0, corners[1].1].map(|y| x * y));
        let (mut low, high) = (*values.iter().flatten().min()?, *values.iter().flatten().max()?);
        low = if a == b { 0 } else { low };
        let int = engine.new_dependent_integer(low, high.max(low));
        let factors = [ints[a], ints[b]];
        engine.add_global(None, Global::Product(Product { product: int, factors }));
        product = Some(int);
    }
    if ints.len() > 2 && rng.chance(0.3) {
        let views = ints.iter().map(|&i| global::View::new(i, false, 0)).collect();
        engine.add_global(None, Global::Distinct(Distinct(views)));
        solutions.retain(|s| {
            let mut values = s[problem.atoms..].to_vec();
            values.sort_unstable();
            values.windows(2).all(|w| w[0] < w[1])
        });
    }
    // A name that a clause uses.
    let (low, high) = problem.ranges[a];
    let middle = low + (high - low) / 2;
    if let Ok(name) = engine.bound_literal(ints[a], middle + 1) {
        let atom = Lit::from_code(rng.below(2 * problem.atoms as u64) as usize);
        engine.add_clause(&[name, atom]);
        solutions.retain(|s| int_of(s, a) > middle || (s[atom.code() / 2] == 1) != atom.is_neg());
    }
    let mut terms = Vec::new();
    let mut costs = vec![0; solutions.len()];
    for (i, &(low, high)) in problem.ranges.iter().enumerate() {
        let factor = rng.below(9) as i64 - 4;
        let digits = engine.constraints.integers.digits_of(ints[i]);
        assert!(low == high || !digits.is_empty());
        terms.extend(digits.iter().enumerate().map(|(k, &lit)| (lit, factor << k)));
        solutions.iter().zip(&mut costs).for_each(|(s, cost)| *cost += factor * (int_of(s, i) - low));
    }
    for atom in 0..problem.atoms {
        let weight = rng.below(9) as i64 - 4;
        terms.push((Lit::from_code(2 * atom), weight));
        solutions.iter().zip(&mut costs).for_each(|(s, cost)| *cost += weight * s[atom]);
    }
    // What the product costs is told by a variable with digits that is at least as great.
    if let Some(product) = product {
        let (low, high) = engine.integers().root_bounds(product);
        let cost = engine.new_integer(low, high);
        let digits: Vec<Lit> =
            (0..).take_while(|k| (high - low) >> k > 0).map(|_| Lit::pos(engine.new_var())).collect();
        engine.add_digits(cost, low, &digits);
        engine.add_linear(None, &[(1, product), (-1, cost)], 0);
        terms.extend(digits.iter().enumerate().map(|(k, &lit)| (lit, 1 << k)));
        let value = |s: &[i64]| int_of(s, a) * int_of(s, b) - low;
        solutions.iter().zip(&mut costs).for_each(|(s, total)| *total += value(s));
    }
    terms.retain(|t| t.1 != 0);
    (!solutions.is_empty() && engine.propagate().is_ok()).then_some(Case {
        engine,
        ints,
        solutions,
        terms,
        costs,
    })
}

/// A random problem, its objective's relaxation, and what one of its solutions costs.
fn relaxed(seed: u64) -> Option<(Case, Relaxation, i64)> {
    let mut case = random(seed)?;
    let upper = case.costs[seed as usize % case.costs.len()];
    let relaxation = Relaxation::new(&mut case.engine, &case.terms, &[])?;
    Some((case, relaxation, upper))
}

#[test]
fn no_value_costs_less_than_a_relaxation_says() {
    let (mut used, mut exact) = (0, 0);
    for seed in 0..6_000 {
        let Some((Case { mut engine, costs, .. }, mut relaxation, upper)) = relaxed(seed) else { continue };
        let Some(relaxed) = relaxation.solve(upper.into(), &mut |_| Vec::new(), &Interrupt::new()) else {
            continue;
        };
        let least = costs.iter().copied().min().unwrap_or(0);
        assert!(relaxed.lower <= least.into(), "seed {seed}: {} exceeds {least}", relaxed.lower);
        used += 1;
        exact += u32::from(relaxed.lower == least.into());
        // The sum that it leaves allows what is cheap enough.
        for goal in [least, least + 2] {
            let guard = Lit::pos(engine.new_var());
            engine.freeze(guard.var());
            let Some(most) = relaxed.goal(goal.into()) else { continue };
            assert!(engine.add_relaxed_bound(guard, &relaxed, most).is_some(), "seed {seed}");
            assert_eq!(engine.solve(&[guard], &Interrupt::new()), Outcome::Sat, "seed {seed}");
            engine.reset_enumeration();
        }
    }
    assert!(used > 500 && exact > 200, "{used} relaxations, {exact} of them exact");
}

#[test]
fn no_values_are_cut_off() {
    let mut cuts = 0;
    for seed in 0..6_000 {
        let Some(Case { mut engine, ints, solutions, terms, costs }) = random(seed) else { continue };
        let objective: Objective = engine.folded(&terms);
        let (lits, of_ints) = (objective.lits.iter().map(|t| t.0), objective.ints.iter().map(|t| t.1));
        let Some(rows) = engine.linear_rows(lits, of_ints, &[], 100_000) else { continue };
        let Some(problem) = Problem::new(&objective, rows, engine.integers()) else { continue };
        let known = problem.rows.len();
        let Some(mut programme) = Programme::new(problem) else { continue };
        let least = costs.iter().copied().min().unwrap_or(0);
        programme.solve(i128::from(least) + 3, &mut |_| Vec::new(), &Interrupt::new());
        let problem = &programme.problem;
        let atoms = solutions[0].len() - ints.len();
        for (k, (row, &bound)) in problem.rows.rows().zip(&problem.bounds).enumerate() {
            // Rows of what brute force knows.
            let value = |s: &[i64], j: u32| match problem.subjects[j as usize] {
                Subject::Var(var) => s[..atoms].get(var.0 as usize).copied(),
                Subject::Int(int, low) => Some(s[atoms + ints.iter().position(|&i| i == int)?] - low),
            };
            for s in &solutions {
                let terms = row.iter().map(|&(j, weight)| Some(weight * value(s, j)?));
                if let Some(sum) = terms.sum::<Option<i64>>() {
                    assert!(sum >= bound, "seed {seed}: {s:?} is cut off by {row:?} >= {bound}");
                    cuts += u32::from(k >= known);
                }
            }
        }
    }
    assert!(cuts > 1000, "{cuts} values and cuts");
}

#[test]
fn nodes_are_left_only_if_no_values_are_cheap_enough() {
    let (mut cheap, mut left) = (0, 0);
    for seed in 0..6_000 {
        let Some((case, mut relaxation, upper)) = relaxed(seed) else { continue };
        let Case { mut engine, terms, costs, .. } = case;
        relaxation.solve(upper.into(), &mut |_| Vec::new(), &Interrupt::new());
        let id = relaxation.install(&mut engine, None, 100);
        let least = costs.iter().copied().min().unwrap_or(0);
        for goal in [upper - 1, least + 1, least, least - 1] {
            let guard = Lit::pos(engine.new_var());
            engine.freeze(guard.var());
            engine.with_propagator(id, |bounding: &mut Bounding, _| bounding.demand(guard, goal.into()));
            engine.add_upper_bound(Some(guard), &terms, Some(goal));
            let expected = costs.iter().any(|&cost| cost <= goal);
            let conflicts = engine.conflicts();
            let found = engine.solve(&[guard], &Interrupt::new());
            assert_eq!(found == Outcome::Sat, expected, "seed {seed}: a cost of {goal} at most");
            cheap += u32::from(expected);
            left += u32::from(!expected && engine.conflicts() > conflicts);
            engine.reset_enumeration();
            engine.add_clause(&[!guard]);
        }
    }
    assert!(cheap > 1000 && left > 100, "{cheap} cheap values, {left} searches ended");
}
