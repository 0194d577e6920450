//! Atoms with many bodies of two literals, against the definition, with their common literals taken out and not.
//!
//! `ASP_FACTORS` is the number of programs (default 400).

use crate::tests::session::{all, answer_sets, compare, run};
use crate::translate::body_table::BodyId;
use crate::translate::groups::factor;
use crate::translate::preprocess::{Previous, preprocess};
use crate::translate::stages::Passes;
use crate::translate::{Stages, dependency};
use asp_base::rng::Rng;
use asp_program::{AtomId, Literal, Program, RuleSource};

/// Five or six atoms to choose from, and others, which hold by bodies of two literals of two sides, or of any.
fn program(rng: &mut Rng) -> Program {
    let mut program = Program::new();
    let free = 5 + rng.below(2) as u32;
    let heads = 1 + rng.below(3) as u32;
    (0..free + heads).for_each(|_| {
        program.atoms.add_aux();
    });
    let choice: Vec<AtomId> = (0..free).map(AtomId).collect();
    program.rules.add(true, &choice, &[], RuleSource::NONE);
    let cut = 1 + rng.below(u64::from(free) - 2) as u32;
    let sides = rng.chance(0.8);
    let negated = rng.chance(0.4);
    for head in free..free + heads {
        for _ in 0..5 + rng.below(8) {
            let mut one = |from: u32, to: u32| {
                let atom = AtomId(from + rng.below(u64::from(to - from)) as u32);
                Literal::new(atom, negated && rng.chance(0.3))
            };
            let body = if sides {
                [one(0, cut), one(cut, free)]
            } else {
                // Shared bodies, and loops through the heads.
                [one(0, free + heads), one(0, free)]
            };
            let also = if rng.chance(0.05) { AtomId(free) } else { AtomId(head) };
            program.rules.add(rng.chance(0.03), &[also], &body, RuleSource::NONE);
            if rng.chance(0.05) {
                program.rules.add(false, &[], &body, RuleSource::NONE);
            }
        }
    }
    for _ in 0..rng.below(3) {
        let mut any = || Literal::new(AtomId(rng.below(u64::from(free + heads)) as u32), rng.chance(0.5));
        let body = [any(), any()];
        program.rules.add(false, &[], &body, RuleSource::NONE);
    }
    program
}

#[test]
fn common_literals_of_bodies_change_no_answer_set() {
    let count = std::env::var("ASP_FACTORS").ok().and_then(|n| n.parse().ok()).unwrap_or(400);
    let mut found = 0;
    for seed in 0..count {
        let program = program(&mut Rng::new(seed));
        let expected = answer_sets(&program, &[]);
        let p = preprocess(&program, &Previous { rules: 0, values: Vec::new() }, Passes::default());
        let factors = factor::find(&p, &dependency::components(&p), 0);
        assert_eq!(factors.atoms.is_empty(), !(0..p.bodies.len()).any(|b| factors.has(BodyId(b as u32))));
        found += usize::from(!factors.atoms.is_empty());
        for factors in [true, false] {
            let got = run(&program, &all(), Stages { factors, ..Stages::default() }, &[]);
            compare("factors", seed, &program, got.worlds, &expected);
        }
    }
    assert!(found > count as usize / 8, "{found} of {count}");
}
