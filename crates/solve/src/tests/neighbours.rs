//! Parts of a program's choices around the best model.

use crate::call::SolveCall;
use crate::optimize::best::Best;
use crate::optimize::neighbours::Neighbours;
use crate::session::Session;
use crate::tests::session::{Built, by, run};
use crate::translate::Stages;
use crate::{CoreTactics, OptStrategy, SolveOptions};
use asp_base::interrupt::Interrupt;
use asp_base::rng::Rng;
use asp_engine::Outcome;
use asp_program::ground_program::Objective;
use asp_program::{AtomId, Literal};

/// Choices of the random programs.
const CHOICES: usize = 12;

#[test]
fn what_is_freed_lies_close_together_and_the_rest_stays() {
    let mut built = Built::new(40);
    for atom in 0..40 {
        built.rule(true, &[atom], &[]);
    }
    for atom in 1..40 {
        built.rule(false, &[], &[atom, atom + 1]);
    }
    let literals = (0..40).map(|atom| (Literal::pos(AtomId(atom)), -1)).collect();
    built.program.objectives.push(Objective { priority: 0, constant: 0, literals });
    let (program, options) = (&built.program, SolveOptions::default());
    let mut session = Session::new();
    session.translate(program, &options);
    let translation = session.translation_mut().expect("a translation");
    let mut call = SolveCall::new(translation, program, &options, &[], &Interrupt::new());
    let mut best = Best::new(&mut call, None);
    assert_eq!(call.search(&[]), Outcome::Sat);
    assert!(best.improve(&mut call));
    let mut near = Neighbours::new(&call, 0, &[]);
    for _ in 0..100 {
        let fixed = near.fixed(&call, &best);
        let lit = |atom: u32| call.t.lit(Literal::pos(AtomId(atom)));
        let is_fixed = |atom: &u32| fixed.iter().any(|l| l.var() == lit(*atom).var());
        let free: Vec<u32> = (0..40).filter(|atom| !is_fixed(atom)).collect();
        assert_eq!(free.len(), 4, "{free:?}");
        assert_eq!(free[3] - free[0], 3, "{free:?}");
        for atom in (0..40).filter(is_fixed) {
            assert_eq!(fixed.contains(&lit(atom)), best.holds(AtomId(atom)), "{atom}");
        }
    }
}

/// Twelve choices, clauses over three of them, and an objective over all: optima are those of all assignments.
#[test]
fn optima_of_random_clauses() {
    let count = std::env::var("ASP_RANDOM_COUNT").map_or(300, |n| n.parse().expect("a number"));
    for seed in 0..count {
        let mut rng = Rng::new(seed);
        let mut built = Built::new(CHOICES);
        for atom in 0..CHOICES as u32 {
            built.rule(true, &[atom], &[]);
        }
        let mut clauses = Vec::new();
        for _ in 0..10 + rng.below(20) {
            let mut literal =
                || (1 + rng.below(CHOICES as u64) as i32) * if rng.chance(0.3) { -1 } else { 1 };
            let clause = [literal(), literal(), literal()];
            built.rule(false, &[], &clause.map(|l| -l));
            clauses.push(clause);
        }
        let weights: Vec<i64> = (0..CHOICES).map(|_| 1 + rng.below(4) as i64).collect();
        let literals = (0..).map(|atom| Literal::pos(AtomId(atom))).zip(weights.iter().copied()).collect();
        built.program.objectives.push(Objective { priority: 0, constant: 0, literals });
        let holds = |world: u32, l: i32| (world >> (l.unsigned_abs() - 1) & 1 == 1) == (l > 0);
        let is_model = |world: &u32| clauses.iter().all(|c| c.iter().any(|&l| holds(*world, l)));
        let cost = |world: u32| -> i64 { (0..CHOICES).map(|a| i64::from(world >> a & 1) * weights[a]).sum() };
        let best = (0..1 << CHOICES).filter(is_model).map(cost).min();
        for technique in 0..4 {
            let mut options = by(OptStrategy::Auto, CoreTactics::default());
            options.solver.optimize.relax = technique & 1 == 1;
            options.solver.optimize.cores.disjoint = technique & 2 == 2;
            let got = run(&built.program, &options, Stages::default(), &[]);
            assert_eq!(
                got.result.costs.map(|c| c[0]),
                best,
                "seed {seed}, {technique}: {clauses:?} {weights:?}"
            );
            assert!(got.result.exhausted);
        }
    }
}
