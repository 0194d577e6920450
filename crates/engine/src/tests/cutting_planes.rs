//! Learned inequalities against brute force, and what they are for.

use super::search::{Constraint, for_seeds, instance, literal, models};
use crate::parameters::{CuttingPlanes, SolverParameters};
use crate::store::literal::{Lit, Var};
use crate::{Engine, Outcome};
use asp_base::interrupt::Interrupt;
use asp_base::rng::Rng;

/// Everything that is learned from random clauses, groups and sums holds in all their models.
#[test]
fn learned_inequalities_follow() {
    let learned = std::sync::atomic::AtomicUsize::new(0);
    for_seeds(1500, |rng| {
        let vars = 10 + rng.below(3);
        let mut constraints = instance(rng, vars, 5);
        for _ in 0..4 + rng.below(6) {
            let weights: &[i64] = if rng.chance(0.5) { &[1, 2, 3, 4] } else { &[1, 2, 10, 30, 200] };
            let weight = |rng: &mut Rng| weights[rng.below(weights.len() as u64) as usize];
            let terms: Vec<_> = (0..6 + rng.below(6)).map(|_| (literal(rng, vars), weight(rng))).collect();
            let total: i64 = terms.iter().map(|t| t.1).sum();
            let reified = rng.chance(0.3).then(|| literal(rng, vars));
            constraints.push(Constraint::Weight(reified, terms, total / 2 + rng.below(3) as i64 - 1));
        }
        let mut p = SolverParameters { seed: rng.next_u64(), ..SolverParameters::default() };
        p.learning.cutting_planes = CuttingPlanes::Always;
        p.heuristic.random_frequency = 0.5;
        p.phase.initial = rng.chance(0.5);
        p.reduce.enabled = false;
        p.constraint.least_group = 3;
        let mut engine = Engine::new(&p);
        (0..vars).for_each(|_| _ = engine.new_var());
        constraints.iter().all(|c| c.add(&mut engine));
        let models = models(&constraints, vars);
        // All models, since the first one may take no conflict.
        let mut found = 0;
        while engine.solve(&[], &Interrupt::new()) == Outcome::Sat {
            found += 1;
            if !engine.backtrack_model() {
                break;
            }
        }
        assert!(found >= models.len());
        // The engine may have variables of its own, which have the value of another literal.
        let is_own = |l: &Lit| l.var().0 < vars as u32;
        for i in 0..engine.constraints.cuts.len() as u32 {
            let (terms, degree) = engine.constraints.cuts.get(i);
            if terms.iter().all(|t| is_own(&t.0)) {
                let cut = Constraint::Weight(None, terms.to_vec(), degree);
                assert!(models.iter().all(|&m| cut.holds(m)), "{cut:?} does not follow from {constraints:?}");
                learned.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            }
        }
    });
    let learned = learned.into_inner();
    assert!(learned > 100, "only {learned} inequalities");
}

fn conflicts(build: impl Fn(&mut Engine), cutting_planes: CuttingPlanes, most: u64) -> Option<u64> {
    let mut p = SolverParameters::default();
    p.learning.cutting_planes = cutting_planes;
    let mut engine = Engine::new(&p);
    build(&mut engine);
    engine.set_limits(crate::Limits { conflicts: Some(most), ..crate::Limits::default() });
    let outcome = engine.solve(&[], &Interrupt::new());
    assert_ne!(outcome, Outcome::Sat);
    (outcome == Outcome::Unsat).then(|| engine.conflicts())
}

/// Pigeons and holes as sums, and as groups, take few conflicts.
#[test]
fn pigeons_do_not_fit_by_sums() {
    let n = 20;
    for groups in [false, true] {
        let build = |engine: &mut Engine| {
            let lit = |p: usize, h: usize| Lit::pos(Var((p * n + h) as u32));
            (0..(n + 1) * n).for_each(|_| _ = engine.new_var());
            for p in 0..=n {
                engine.add_clause(&(0..n).map(|h| lit(p, h)).collect::<Vec<_>>());
            }
            for h in 0..n {
                let hole: Vec<Lit> = (0..=n).map(|p| lit(p, h)).collect();
                if groups {
                    engine.add_at_most_one(&hole);
                } else {
                    let terms: Vec<(Lit, i64)> = hole.iter().map(|&l| (l, -2)).collect();
                    engine.add_weight(None, &terms, -3);
                }
            }
        };
        let with = conflicts(build, CuttingPlanes::Turns, 20_000);
        assert!(with.is_some_and(|c| c < 1000), "{with:?} conflicts");
        assert_eq!(conflicts(build, CuttingPlanes::Never, 3_000), None);
    }
}
