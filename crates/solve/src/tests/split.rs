//! Enumeration in several threads against brute force: each model once, none missing.

use crate::parallel::split::applies;
use crate::parallel::threads::Threads;
use crate::tests::session::{
    DISJUNCTIVE, OPTIMISING, Shape, World, add_objectives, add_shows, answer_sets, describe, random_program,
    shown,
};
use crate::translate::{Stages, Translation};
use crate::{Event, Flow, OptMode, Projection, SolveOptions, SolveResult, Statistics};
use asp_base::interrupt::{Interrupt, StopReason};
use asp_program::{AtomId, Literal, Program, RuleSource};

struct Got {
    worlds: Vec<World>,
    costs: Vec<Vec<i64>>,
    result: SolveResult,
    helpers: Vec<Statistics>,
}

fn run(program: &Program, options: &SolveOptions, stop_after: Option<u64>, interrupt: &Interrupt) -> Got {
    assert!(applies(program, options));
    let stages = Stages::default();
    let mut t = Translation::new(program, options, stages);
    let (mut worlds, mut costs) = (Vec::new(), Vec::new());
    let threads =
        Threads { program, options, assumptions: &[], interrupt, theories: None, stages, head_start: 0 };
    let (result, helpers) = threads.divide(&mut t, &mut |event| {
        if let Event::Model(m) = event {
            let atoms = program.atoms.ids().filter(|a| a.0 < 32 && m.contains(*a));
            worlds.push(atoms.map(|a| 1 << a.0).sum::<World>());
            costs.push(m.costs.to_vec());
            assert_eq!(m.number, worlds.len() as u64);
            if stop_after == Some(m.number) {
                return Flow::Stop;
            }
        }
        Flow::Continue
    });
    assert_eq!(result.models, worlds.len() as u64);
    Got { worlds, costs, result, helpers }
}

fn all(threads: u32) -> SolveOptions {
    SolveOptions { models: Some(0), threads, ..SolveOptions::default() }
}

#[test]
fn each_model_comes_once() {
    let choices = Shape { choice: true, atoms: 9, rules: 12, ..OPTIMISING };
    for (shape, count) in [(choices, 200), (OPTIMISING, 100), (DISJUNCTIVE, 100)] {
        for seed in 0..count {
            let program = random_program(seed, shape);
            let expected = answer_sets(&program, &[]);
            for threads in [2, 3] {
                let mut got = run(&program, &all(threads), None, &Interrupt::new());
                got.worlds.sort_unstable();
                assert_eq!(got.worlds, expected, "seed {seed}:\n{}", describe(&program));
                assert!(got.result.exhausted && got.result.stopped.is_none());
            }
        }
    }
}

#[test]
fn each_projection_comes_once() {
    for seed in 0..200 {
        let mut program = random_program(seed, OPTIMISING);
        add_shows(&mut program, seed);
        let project: Vec<AtomId> = (0..3).map(|i| AtomId(i * 2)).collect();
        program.project = Some(project.clone());
        let worlds = answer_sets(&program, &[]);
        for projection in [Projection::Show, Projection::Project] {
            let image = |w: World| -> Vec<bool> {
                match projection {
                    Projection::Project => project.iter().map(|a| w >> a.0 & 1 == 1).collect(),
                    _ => shown(&program, w),
                }
            };
            let mut expected: Vec<_> = worlds.iter().map(|&w| image(w)).collect();
            expected.sort();
            expected.dedup();
            let got = run(&program, &SolveOptions { projection, ..all(3) }, None, &Interrupt::new());
            let mut found: Vec<_> = got.worlds.iter().map(|&w| image(w)).collect();
            found.sort();
            assert_eq!(found, expected, "{projection:?} seed {seed}:\n{}", describe(&program));
        }
    }
}

#[test]
fn bounds_on_costs_hold_in_all_threads() {
    for seed in 0..200 {
        let mut program = random_program(seed, OPTIMISING);
        add_objectives(&mut program, seed);
        let costs = |w: World| crate::tests::session::costs(&program, w);
        let bounds = vec![4; program.objectives.len()];
        let worlds = answer_sets(&program, &[]).into_iter();
        let expected: Vec<World> = worlds.filter(|&w| costs(w) <= bounds).collect();
        let options = SolveOptions { opt_mode: OptMode::Enum, opt_bounds: bounds, ..all(2) };
        let mut got = run(&program, &options, None, &Interrupt::new());
        assert!(got.worlds.iter().zip(&got.costs).all(|(&w, c)| costs(w) == *c));
        got.worlds.sort_unstable();
        assert_eq!(got.worlds, expected, "seed {seed}:\n{}{:?}", describe(&program), program.objectives);
    }
}

/// Choices over 18 atoms that may not all hold together.
fn wide() -> Program {
    let mut program = Program::new();
    let atoms: Vec<AtomId> = (0..18).map(|_| program.atoms.add_aux()).collect();
    for &a in &atoms {
        program.rules.add(true, &[a], &[], RuleSource::NONE);
    }
    let body: Vec<Literal> = atoms.iter().map(|&a| Literal::pos(a)).collect();
    program.rules.add(false, &[], &body, RuleSource::NONE);
    program
}

#[test]
fn helpers_take_their_part_of_the_work() {
    let program = wide();
    let mut got = run(&program, &all(2), None, &Interrupt::new());
    got.worlds.sort_unstable();
    assert_eq!(got.worlds, (0..(1 << 18) - 1).collect::<Vec<World>>());
    assert!(got.helpers.iter().any(|h| h.search.choices > 1000), "{:?}", got.helpers);
}

#[test]
fn limits_and_interrupts_end_all_threads() {
    let program = wide();
    for wanted in [2, 3, 100] {
        let options = SolveOptions { models: Some(wanted), ..all(3) };
        let mut got = run(&program, &options, None, &Interrupt::new());
        got.worlds.sort_unstable();
        got.worlds.dedup();
        assert_eq!((got.worlds.len() as u64, got.result.exhausted), (wanted, false));
    }
    let got = run(&program, &all(3), Some(1000), &Interrupt::new());
    assert_eq!((got.worlds.len(), got.result.exhausted), (1000, false));
    let interrupt = Interrupt::new();
    interrupt.stop(StopReason::Interrupted);
    let got = run(&program, &all(2), None, &interrupt);
    assert_eq!((got.result.exhausted, got.result.stopped), (false, Some(StopReason::Interrupted)));
}

#[test]
fn one_model_by_splitting() {
    let options = |threads| SolveOptions { threads, split: true, ..SolveOptions::default() };
    for seed in 0..200 {
        let program = random_program(seed, OPTIMISING);
        let expected = answer_sets(&program, &[]);
        let got = run(&program, &options(2), None, &Interrupt::new());
        assert_eq!(got.worlds.len(), expected.len().min(1), "seed {seed}");
        assert!(got.worlds.iter().all(|w| expected.contains(w)), "seed {seed}");
        assert!(!expected.is_empty() || got.result.exhausted, "seed {seed}");
    }
}
