//! Relaxed objectives against brute force: no model costs less than they say.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use crate::lagrangian::relax;
use crate::tests::search::{engine, for_seeds, instance, is_true, literal, models};

#[test]
fn no_model_costs_less_than_its_relaxation() {
    let (used, exact) = (AtomicU32::new(0), AtomicU32::new(0));
    for_seeds(24_000, |rng| {
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
        let Some(relaxed) = relax(&mut engine, &terms, upper, &assumptions) else { return };
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
    assert!(used > 500 && exact > 100, "{used} relaxations, {exact} of them exact");
}
