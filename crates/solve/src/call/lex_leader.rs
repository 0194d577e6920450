//! Symmetry breaking in calls that want one model: among models that symmetries map to each other, only the
//! lexicographically greatest ones are searched for.
//!
//! Symmetries are searched for only when a call turns out to be hard, so that easy ones pay nothing. The order of atoms
//! begins with the individualised ones. For each generator, atom by atom: as long as all earlier atoms equal their
//! images, the atom is at least its image. An individualised atom is at least everything that it can be mapped to while
//! those before it stay. Invariant: all of this holds under a guard that is assumed in this call alone; with an
//! objective, the best remaining model is as good as the best of all, since symmetries preserve costs.
//! Source: Crawford, Ginsberg, Luks and Roy, *Symmetry-breaking predicates for search problems*, KR 1996; Devriendt,
//! Bogaerts, Bruynooghe and Denecker, *Improved static symmetry breaking for SAT*, SAT 2016.

use crate::translate::Translation;
use crate::translate::symmetry::{self, Symmetries};
use asp_engine::store::literal::Lit;
use asp_program::{AtomId, Literal, Program};

/// A call waits for one more conflict per this many literals of the program's rules: the search for symmetries takes
/// longer in a large program.
const LITERALS_PER_CONFLICT: u64 = 32;
/// How many atoms of a generator are compared.
const MAX_COMPARED: usize = 100;

/// Additional conflicts to wait for, by the size of the program.
pub(super) fn more_conflicts(program: &Program) -> u64 {
    program.rules.literal_count() as u64 / LITERALS_PER_CONFLICT
}

/// The symmetries of a program that preserve a call's assumptions.
pub(super) fn find(program: &Program, given: &[Literal]) -> Symmetries {
    let externals = program.externals.iter().map(|&(a, _)| Literal::pos(a));
    let given = program.assumptions.iter().chain(given).copied();
    symmetry::find(program, &externals.chain(given).collect::<Vec<_>>())
}

/// Breaks symmetries under a guard. Pre: the engine is at the root.
pub(super) fn break_symmetries(t: &mut Translation, program: &Program, found: Symmetries, guard: Lit) {
    t.engine.note_symmetries(found.generators.len() as u64);
    let mut rank = vec![u32::MAX; program.atoms.len()];
    for (i, (atom, orbit)) in found.base.iter().enumerate() {
        rank[atom.0 as usize] = i as u32;
        for &other in orbit {
            let clause = [!guard, t.lit(Literal::pos(*atom)), !t.lit(Literal::pos(other))];
            t.engine.add_clause(&clause);
        }
    }
    for generator in found.generators {
        break_symmetry(t, guard, generator, &rank);
    }
}

/// Adds the lexicographic constraint for one generator.
fn break_symmetry(t: &mut Translation, guard: Lit, mut generator: Vec<(AtomId, AtomId)>, rank: &[u32]) {
    let key = |a: AtomId| (rank[a.0 as usize], a);
    generator.sort_by_key(|&(a, _)| key(a));
    // The later half of a swap adds nothing new.
    let swaps: Vec<(AtomId, AtomId)> = generator
        .iter()
        .copied()
        .filter(|&(a, b)| {
            let back = generator.binary_search_by_key(&key(b), |&(a, _)| key(a)).map(|i| generator[i].1);
            back != Ok(a) || key(a) < key(b)
        })
        .collect();
    // All pairs so far are equal.
    let mut equal = guard;
    let last = swaps.len().min(MAX_COMPARED);
    for (i, &(atom, image)) in swaps[..last].iter().enumerate() {
        let (x, y) = (t.lit(Literal::pos(atom)), t.lit(Literal::pos(image)));
        if x == y {
            continue;
        }
        t.engine.add_clause(&[!equal, x, !y]);
        if i + 1 < last {
            let next = Lit::pos(t.engine.new_var());
            t.engine.add_clause(&[!equal, x, next]);
            t.engine.add_clause(&[!equal, !y, next]);
            equal = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::session::Session;
    use crate::tests::session::{answer_sets, describe};
    use crate::translate::Stages;
    use crate::{Event, Flow, SolveOptions, SolveResult, Statistics};
    use asp_base::interrupt::Interrupt;
    use asp_base::rng::Rng;
    use asp_program::ground_program::Objective;
    use asp_program::{AtomId, Literal, Program, RuleSource};

    const COPIES: u32 = 3;
    const ATOMS: u32 = 3;

    /// The same random program over the atoms of each copy, and rules between each two copies.
    fn symmetric_program(rng: &mut Rng) -> Program {
        let mut program = Program::new();
        for _ in 0..COPIES * ATOMS {
            program.atoms.add_aux();
        }
        let at = |copy: u32, atom: u64| AtomId(copy * ATOMS + atom as u32);
        for _ in 0..2 + rng.below(5) {
            let choice = rng.below(2) == 0;
            let heads: Vec<u64> =
                (0..u64::from(choice) + rng.below(2)).map(|_| rng.below(ATOMS.into())).collect();
            let body: Vec<(u64, bool)> =
                (0..rng.below(3)).map(|_| (rng.below(ATOMS.into()), rng.below(2) == 0)).collect();
            let between = (rng.below(ATOMS.into()), rng.below(2) == 0);
            let crosses = rng.below(2) == 0;
            for copy in 0..COPIES {
                let head: Vec<AtomId> = heads.iter().map(|&h| at(copy, h)).collect();
                let mut literals: Vec<Literal> =
                    body.iter().map(|&(a, neg)| Literal::new(at(copy, a), neg)).collect();
                if !crosses {
                    program.rules.add(choice, &head, &literals, RuleSource::NONE);
                }
                for other in (0..COPIES).filter(|&other| crosses && other != copy) {
                    literals.push(Literal::new(at(other, between.0), between.1));
                    program.rules.add(choice, &head, &literals, RuleSource::NONE);
                    literals.pop();
                }
            }
        }
        program
    }

    fn solve(program: &Program, symmetry_after: Option<u64>) -> (SolveResult, Vec<u32>, Statistics) {
        let options = SolveOptions::default();
        let mut session = Session::with_stages(Stages { symmetry_after, ..Stages::default() });
        let mut worlds = Vec::new();
        let result = session.solve(program, &options, &[], &Interrupt::new(), &mut |event| {
            if let Event::Model(m) = event {
                worlds.push(program.atoms.ids().filter(|&a| m.contains(a)).map(|a| 1 << a.0).sum());
            }
            Flow::Continue
        });
        (result, worlds, session.statistics())
    }

    #[test]
    fn random_symmetric_programs_keep_a_model_and_their_optimum() {
        let mut generators = 0;
        for seed in 0..400 {
            let mut rng = Rng::new(seed);
            let mut program = symmetric_program(&mut rng);
            let expected = answer_sets(&program, &[]);
            let (result, worlds, stats) = solve(&program, Some(0));
            generators += stats.search.symmetries;
            assert_eq!(result.satisfiable, !expected.is_empty(), "seed {seed}:\n{}", describe(&program));
            assert!(worlds.iter().all(|w| expected.contains(w)), "seed {seed}:\n{}", describe(&program));
            let weights: Vec<i64> = (0..ATOMS).map(|_| rng.below(5) as i64 - 2).collect();
            let literals: Vec<(Literal, i64)> = program
                .atoms
                .ids()
                .map(|a| (Literal::pos(a), weights[(a.0 % ATOMS) as usize]))
                .filter(|&(_, w)| w != 0)
                .collect();
            let cost = |w: u32| literals.iter().filter(|(l, _)| w >> l.atom().0 & 1 == 1).map(|l| l.1).sum();
            let best: Option<i64> = expected.iter().map(|&w| cost(w)).min();
            program.objectives.push(Objective { priority: 0, constant: 0, literals: literals.clone() });
            let (result, ..) = solve(&program, Some(0));
            let found = result.costs.map(|c| c[0]);
            assert_eq!(found, best, "optimum, seed {seed}:\n{}", describe(&program));
        }
        assert!(generators > 400, "{generators} generators");
    }

    /// Four-chromatic without triangles, with three colours.
    #[test]
    fn interchangeable_colours_are_not_tried_again() {
        let mut program = Program::new();
        let col = |v: u32, c: u32| AtomId(3 * v + c);
        for _ in 0..33 {
            program.atoms.add_aux();
        }
        let mut edges: Vec<(u32, u32)> = Vec::new();
        for i in 0..5 {
            let next = (i + 1) % 5;
            edges.extend([(i, next), (i, 5 + next), (next, 5 + i), (5 + i, 10)]);
        }
        for v in 0..11 {
            let own: Vec<AtomId> = (0..3).map(|c| col(v, c)).collect();
            let missing: Vec<Literal> = own.iter().map(|&a| Literal::neg(a)).collect();
            program.rules.add(true, &own, &[], RuleSource::NONE);
            program.rules.add(false, &[], &missing, RuleSource::NONE);
        }
        for &(u, v) in &edges {
            for c in 0..3 {
                let both = [Literal::pos(col(u, c)), Literal::pos(col(v, c))];
                program.rules.add(false, &[], &both, RuleSource::NONE);
            }
        }
        let (with, _, stats) = solve(&program, Some(0));
        let (without, _, plain) = solve(&program, None);
        assert!(with.exhausted && !with.satisfiable && without.exhausted && !without.satisfiable);
        assert!(stats.search.symmetries >= 2 && plain.search.symmetries == 0);
        assert!(
            3 * stats.search.conflicts < 2 * plain.search.conflicts,
            "{} {}",
            stats.search.conflicts,
            plain.search.conflicts
        );
    }
}
