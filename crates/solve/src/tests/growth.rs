//! Programs that grow between calls: answer sets step by step against the definition, and what a session keeps.

use crate::session::Session;
use crate::tests::session::{Built, all, answer_sets, compare};
use crate::translate::Stages;
use crate::{Event, Flow, SolveOptions};
use asp_base::interrupt::Interrupt;
use asp_base::rng::Rng;
use asp_program::defined::derived_since;
use asp_program::ground_program::ExternalValue;
use asp_program::{AtomId, Literal, Program, RuleSource};

/// Adds a rule whose heads are among some atoms and whose body is over others.
fn add_rule(program: &mut Program, rng: &mut Rng, heads: &[u32], body: &[u32]) {
    let pick = |rng: &mut Rng, from: &[u32]| AtomId(from[rng.below(from.len() as u64) as usize]);
    let body: Vec<Literal> =
        (0..rng.below(4)).map(|_| Literal::new(pick(rng, body), rng.chance(0.4))).collect();
    let head: Vec<AtomId> = match rng.below(8) {
        0 => Vec::new(),
        1 | 2 => (0..2).map(|_| pick(rng, heads)).collect(),
        _ => vec![pick(rng, heads)],
    };
    let choice = !head.is_empty() && rng.chance(0.3);
    if rng.chance(0.2) && !body.is_empty() {
        let body: Vec<(Literal, i64)> = body.iter().map(|&l| (l, 1 + rng.below(3) as i64)).collect();
        let total: i64 = body.iter().map(|b| b.1).sum();
        program.rules.add_weight(choice, &head, 1 + rng.below(total as u64) as i64, &body, RuleSource::NONE);
    } else {
        program.rules.add(choice, &head, &body, RuleSource::NONE);
    }
}

#[test]
fn programs_grow_part_by_part() {
    let (mut kept, mut anew) = (0, 0);
    for seed in 0..1500 {
        let mut rng = Rng::new(seed);
        let mut program = Program::new();
        let stages = Stages { extension: seed % 5 > 0, ..Stages::default() };
        let mut session = Session::with_stages(stages);
        for step in 0..3u32 {
            // Three atoms per step, the last one external until the next step, which may define it; rules may also use,
            // and sometimes define, earlier atoms.
            for _ in 0..3 {
                program.atoms.add_aux();
            }
            let first = 3 * step;
            let mut heads = vec![first, first + 1];
            if step > 0 && rng.chance(0.5) {
                heads.push(first - 1);
            }
            if step > 0 && rng.chance(0.1) {
                heads.push(first - 2);
            }
            let body: Vec<u32> = (0..first + 3).collect();
            for _ in 0..2 + rng.below(6) {
                add_rule(&mut program, &mut rng, &heads, &body);
            }
            let value =
                [ExternalValue::True, ExternalValue::False, ExternalValue::Free, ExternalValue::Release];
            for external in (0..=step).map(|s| AtomId(3 * s + 2)) {
                if external.0 > first || rng.chance(0.5) {
                    program.externals.push(external, value[rng.below(4) as usize]);
                }
            }
            let is_defined = |a: AtomId| derived_since(&program, 0).any(|h| h == a);
            let last = |a: AtomId| {
                let value = program.externals.iter().rev().find(|e| e.0 == a).map(|e| e.1);
                value.filter(|_| !is_defined(a))
            };
            let open: Vec<AtomId> = program
                .atoms
                .ids()
                .filter(|&a| matches!(last(a), Some(ExternalValue::True | ExternalValue::Free)))
                .collect();
            let mut expected = answer_sets(&program, &open);
            expected
                .retain(|w| open.iter().all(|&a| last(a) != Some(ExternalValue::True) || w >> a.0 & 1 == 1));
            let before = session.rebuilt();
            let mut found = Vec::new();
            session.solve(&program, &all(), &[], &Interrupt::new(), &mut |event| {
                if let Event::Model(m) = event {
                    found.push(program.atoms.ids().filter(|&a| m.contains(a)).map(|a| 1 << a.0).sum());
                }
                Flow::Continue
            });
            let what = format!("step {step}, {:?}", program.externals);
            compare(&what, seed, &program, found, &expected);
            if step > 0 && stages.extension {
                *if session.rebuilt() == before { &mut kept } else { &mut anew } += 1;
            }
        }
    }
    assert!(kept > 500 && anew > 100, "{kept} {anew}");
}

/// Pigeons in too few holes, with more and more other atoms beside them.
#[test]
fn what_was_learned_stays_when_a_program_grows() {
    let conflicts = |extension| {
        let mut b = Built::new(0);
        let (pigeons, holes) = (6u32, 5u32);
        for _ in 0..pigeons * holes {
            b.program.atoms.add_aux();
        }
        let place = |p: u32, h: u32| (p * holes + h) as i32 + 1;
        b.rule(true, &(0..pigeons * holes).collect::<Vec<_>>(), &[]);
        for p in 0..pigeons {
            b.rule(false, &[], &(0..holes).map(|h| -place(p, h)).collect::<Vec<_>>());
        }
        for h in 0..holes {
            for p in 0..pigeons {
                for q in 0..p {
                    // An alternative: the step's own atom.
                    b.rule(false, &[], &[place(p, h), place(q, h), -(pigeons as i32 * holes as i32 + 1)]);
                }
            }
        }
        let exit = b.program.atoms.add_aux();
        b.rule(true, &[exit.0], &[]);
        let stages = Stages { extension, ..Stages::default() };
        let mut session = Session::with_stages(stages);
        let one = SolveOptions::default();
        for _ in 0..4 {
            let new = b.program.atoms.add_aux();
            b.rule(true, &[new.0], &[exit.0 as i32 + 1]);
            let assumed = [Literal::neg(exit)];
            let result =
                session.solve(&b.program, &one, &assumed, &Interrupt::new(), &mut |_| Flow::Continue);
            assert!(!result.satisfiable && result.exhausted && result.core == assumed);
            let result = session.solve(&b.program, &one, &[], &Interrupt::new(), &mut |_| Flow::Continue);
            assert!(result.satisfiable);
        }
        session.statistics().search.conflicts
    };
    let (with, without) = (conflicts(true), conflicts(false));
    assert!(2 * with < without, "{with} {without}");
}
