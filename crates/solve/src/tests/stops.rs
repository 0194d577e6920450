//! Calls that end early on purpose: at costs that are good enough, or before any search. Each is pulled, too.

use crate::tests::session::{
    OPTIMISING, add_objectives, all, answer_sets, by, costs, describe, random_program, run,
};
use crate::translate::Stages;
use crate::{CoreTactics, EnumMode, Gap, OptMode, OptStrategy, SolveOptions};
use asp_base::interrupt::StopReason;
use asp_base::rng::Rng;
use asp_program::{AtomId, Literal};

#[test]
fn the_first_model_that_is_good_enough_is_the_last() {
    let (mut early, mut never) = (0, 0);
    for seed in 0..300 {
        let mut program = random_program(seed, OPTIMISING);
        add_objectives(&mut program, seed);
        let all: Vec<Vec<i64>> = answer_sets(&program, &[]).iter().map(|&w| costs(&program, w)).collect();
        let Some(best) = all.iter().min() else { continue };
        let mut rng = Rng::new(seed);
        // Costs of some answer set, perhaps of fewer levels, or better ones than there are.
        let mut bound = all[rng.below(all.len() as u64) as usize].clone();
        bound.truncate(1 + rng.below(bound.len() as u64) as usize);
        if rng.chance(0.2) {
            bound.clone_from(best);
            *bound.last_mut().expect("a level") -= 1;
        }
        let good = |costs: &[i64]| costs[..bound.len()] <= bound[..];
        for strategy in OptStrategy::ALL {
            for opt_mode in [OptMode::Opt, OptMode::OptN] {
                let options = SolveOptions {
                    opt_mode,
                    opt_stop: bound.clone(),
                    models: Some(0),
                    ..by(strategy, CoreTactics::default())
                };
                let got = run(&program, &options, Stages::default(), &[]);
                let what =
                    format!("{strategy:?}, {opt_mode:?}, {bound:?}, seed {seed}:\n{}", describe(&program));
                let first = got.costs.iter().position(|costs| good(costs));
                if good(best) {
                    assert_eq!(first, Some(got.costs.len() - 1), "{what}");
                    early += u64::from(!got.result.exhausted);
                } else {
                    assert_eq!((first, got.result.exhausted), (None, true), "{what}");
                    assert_eq!(got.result.costs.as_ref(), Some(best), "{what}");
                    never += 1;
                }
                assert_eq!(got.result.models, got.worlds.len() as u64, "{what}");
            }
        }
    }
    assert!(early > 500 && never > 100, "{early} {never}");
}

/// What is said of a gap holds: nothing costs less than the bound, and what was found is as close to it as wanted.
#[test]
fn a_search_ends_where_costs_are_close_to_what_is_proven() {
    let (mut early, mut exact) = (0, 0);
    for seed in 0..400 {
        let mut program = random_program(seed, OPTIMISING);
        add_objectives(&mut program, seed);
        let all: Vec<Vec<i64>> = answer_sets(&program, &[]).iter().map(|&w| costs(&program, w)).collect();
        let Some(best) = all.iter().min() else { continue };
        let mut rng = Rng::new(seed);
        let opt_gap = Gap {
            absolute: rng.chance(0.6).then(|| rng.below(5)),
            relative: rng.chance(0.6).then(|| rng.below(900_000)),
        };
        for strategy in OptStrategy::ALL {
            let options = SolveOptions { opt_gap, models: Some(0), ..by(strategy, CoreTactics::default()) };
            let got = run(&program, &options, Stages::default(), &[]).result;
            let what = format!("{strategy:?}, {opt_gap:?}, seed {seed}:\n{}", describe(&program));
            let found = got.costs.expect("costs");
            let proven = &got.lower_bounds;
            assert!(best[..proven.len()] >= proven[..], "{proven:?}, best {best:?}, {what}");
            assert_ne!(got.is_close, got.exhausted, "{what}");
            let first = (0..best.len()).find(|&level| found[level] != best[level]);
            let gap = first.map_or(0, |level| found[level] - best[level]);
            let size = first.map_or(0, |level| found[level].unsigned_abs());
            let most = opt_gap.relative.map_or(0, |part| size * part / 1_000_000);
            assert!(
                gap as u64 <= most.max(opt_gap.absolute.unwrap_or(0)),
                "{found:?}, best {best:?}, {what}"
            );
            assert!(got.is_close || found == *best, "{what}");
            early += u64::from(got.is_close);
            exact += u64::from(!got.is_close);
        }
    }
    assert!(early > 200 && exact > 200, "{early} {exact}");
}

/// An optimisation begins with an earlier answer if that still is one, and finds the optimum from wherever it begins, with each
/// technique alone and with all together.
#[test]
fn optima_are_found_from_any_start() {
    let count = std::env::var("ASP_RANDOM_COUNT").map_or(400, |n| n.parse().expect("a number"));
    let (mut begun, mut broken) = (0, 0);
    for seed in 0..count {
        let mut program = random_program(seed, OPTIMISING);
        add_objectives(&mut program, seed);
        let worlds = answer_sets(&program, &[]);
        let best = worlds.iter().map(|&w| costs(&program, w)).min();
        let mut rng = Rng::new(seed);
        let some = worlds.get(rng.below(worlds.len().max(1) as u64) as usize).copied().unwrap_or(0);
        let changed = if rng.chance(0.5) { some } else { some ^ 1 << rng.below(program.atoms.len() as u64) };
        let literal = |atom: AtomId| match changed >> atom.0 & 1 {
            1 => Literal::pos(atom),
            _ => Literal::neg(atom),
        };
        let start: Vec<Literal> = program.atoms.ids().filter(|_| rng.chance(0.9)).map(literal).collect();
        let is_whole = start.len() == program.atoms.len();
        let holds = is_whole && worlds.contains(&changed);
        for technique in 0..6 {
            let mut options = by(OptStrategy::ALL[rng.below(6) as usize], CoreTactics::default());
            let optimize = &mut options.solver.optimize;
            let has = |n| technique == n || technique == 5;
            if has(0) {
                optimize.strategy = OptStrategy::Auto;
            }
            optimize.relax = has(1);
            (optimize.cores.disjoint, optimize.cores.stratify) = (has(2), has(3));
            if has(4) {
                options.start.clone_from(&start);
            }
            let got = run(&program, &options, Stages::default(), &[]);
            let what = format!("{:?}, seed {seed}:\n{}", options.solver.optimize, describe(&program));
            assert_eq!(got.result.costs, best, "{what}");
            assert!(got.result.exhausted, "{what}");
            if has(4) && holds {
                assert_eq!(got.worlds.first(), Some(&changed), "{what}");
                begun += 1;
            }
            broken += u64::from(has(4) && is_whole && !holds && best.is_some());
        }
    }
    assert!(begun > count / 10 && broken > count / 10, "{begun} {broken}");
}

#[test]
fn without_search_no_model_is_found() {
    let (mut unknown, mut refuted) = (0, 0);
    for seed in 0..400 {
        let mut program = random_program(seed, OPTIMISING);
        if seed % 2 == 0 {
            add_objectives(&mut program, seed);
        }
        let expected = answer_sets(&program, &[]);
        for (enum_mode, threads) in [(EnumMode::Auto, 1), (EnumMode::Brave, 1), (EnumMode::Record, 3)] {
            let options = SolveOptions { no_search: true, enum_mode, threads, ..all() };
            let got = run(&program, &options, Stages::default(), &[]);
            let what = format!("{enum_mode:?}, seed {seed}:\n{}", describe(&program));
            assert_eq!(
                (got.result.satisfiable, got.result.models, got.worlds.len()),
                (false, 0, 0),
                "{what}"
            );
            if got.result.exhausted {
                assert!(expected.is_empty(), "{what}");
                refuted += 1;
            } else {
                assert_eq!(got.result.stopped, Some(StopReason::StepLimit), "{what}");
                assert_eq!(got.result.interrupted(), None, "{what}");
                unknown += 1;
            }
        }
    }
    assert!(unknown > 300 && refuted > 30, "{unknown} {refuted}");
}
