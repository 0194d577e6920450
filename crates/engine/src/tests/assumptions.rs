//! Calls under assumptions that grow, shrink and change while models are excluded by flipping, with learning and without.

use super::search::{Constraint, engine, for_seeds, instance, literal, model_of, models};
use crate::Outcome;
use asp_base::interrupt::Interrupt;

/// An enumeration that was left says nothing of later calls, and what failed is enough to fail.
#[test]
fn assumptions_change_between_models() {
    for_seeds(6000, |rng| {
        let vars = 3 + rng.below(6);
        let constraints = instance(rng, vars, 2 * vars);
        let mut engine = engine(rng, vars);
        constraints.iter().all(|c| c.add(&mut engine));
        let mut assumptions = Vec::new();
        for _ in 0..6 {
            match rng.below(3) {
                0 if !assumptions.is_empty() => {
                    assumptions.truncate(rng.below(assumptions.len() as u64) as usize)
                }
                _ => assumptions.push(literal(rng, vars)),
            }
            let mut all = constraints.clone();
            all.extend(assumptions.iter().map(|&l| Constraint::Clause(vec![l])));
            let expected = models(&all, vars);
            let mut found = Vec::new();
            let wanted = rng.below(1 + expected.len() as u64) as usize;
            loop {
                let outcome = engine.solve(&assumptions, &Interrupt::new());
                if outcome != Outcome::Sat {
                    assert_eq!((outcome, found.len()), (Outcome::Unsat, expected.len()));
                    break;
                }
                found.push(model_of(&engine, vars) & ((1 << vars) - 1));
                if found.len() > wanted || !engine.backtrack_model() {
                    break;
                }
            }
            found.sort_unstable();
            found.dedup();
            assert!(found.iter().all(|m| expected.contains(m)) && found.len() >= wanted.min(expected.len()));
            if expected.is_empty() && !engine.is_unsat() {
                let failed = engine.failed_assumptions().iter().map(|&l| Constraint::Clause(vec![l]));
                assert!(
                    models(&constraints.iter().cloned().chain(failed).collect::<Vec<_>>(), vars).is_empty()
                );
            }
        }
    });
}
