//! Lowered programs against the structured ones: each answer set of one belongs to one of the other.

use asp_oracle::brute_force::{AnswerSet, answer_sets};
use asp_oracle::random::Random;
use asp_program::Program;
use asp_program::lower::lower;
use asp_program::text::to_text;

use crate::to_aspif;

/// The answer sets of the lowered program must extend those of the structured one, one to one.
fn compare(random: Random, seed: u64) {
    let Random { symbols, program, .. } = random;
    let expected = answer_sets(&program, &symbols);
    let mut lowered = program.clone();
    lower(&mut lowered, &symbols).unwrap();
    assert!(lowered.is_lowered());
    let sets = answer_sets(&lowered, &symbols);
    let cut = |s: &AnswerSet| AnswerSet::new(s.truth()[..program.atoms.len()].to_vec());
    let mut actual: Vec<AnswerSet> = sets.iter().map(cut).collect();
    actual.sort_unstable();
    if expected != actual {
        let print =
            |sets: &[AnswerSet]| -> Vec<_> { sets.iter().map(|s| s.atoms(&program, &symbols)).collect() };
        panic!(
            "seed {seed}:\nexpected {:?}\nlowered {:?}\n{}\n{}",
            print(&expected),
            print(&actual),
            to_text(&program, &symbols),
            to_aspif(&lowered, &symbols)
        );
    }
    for set in &sets {
        assert_eq!(set.costs(&program, &symbols), set.objective_costs(&lowered.objectives), "seed {seed}");
    }
}

#[test]
fn random_programs_keep_their_answer_sets() {
    for seed in 0..3000 {
        compare(Random::new(seed), seed);
    }
}

#[test]
fn lowering_in_two_steps_is_lowering_at_once() {
    for seed in 0..300 {
        let Random { symbols, mut program, .. } = Random::new(seed);
        let (minimize, heads) = (
            program.minimize.split_off(program.minimize.len() / 2),
            std::mem::take(&mut program.head_aggregates),
        );
        lower(&mut program, &symbols).unwrap();
        program.minimize.extend(minimize);
        program.head_aggregates = heads;
        lower(&mut program, &symbols).unwrap();
        assert!(program.is_lowered());
        for set in answer_sets(&program, &symbols) {
            assert_eq!(
                set.costs(&program, &symbols),
                set.objective_costs(&program.objectives),
                "seed {seed}"
            );
        }
        // Atoms above those of the program are auxiliary and differ.
        let Random { program: mut at_once, .. } = Random::new(seed);
        let len = at_once.atoms.len();
        lower(&mut at_once, &symbols).unwrap();
        let sets = |p: &Program| -> Vec<AnswerSet> {
            let mut sets: Vec<_> =
                answer_sets(p, &symbols).iter().map(|s| AnswerSet::new(s.truth()[..len].to_vec())).collect();
            sets.sort_unstable();
            sets
        };
        assert_eq!(sets(&program), sets(&at_once), "seed {seed}");
    }
}
