//! Calls that are pulled, and calls whose models are only counted, against the same calls that report everything.

use crate::call::drive::Milestone;
use crate::session::Session;
use crate::tests::session::World;
use crate::translate::Stages;
use crate::{Event, Flow, SolveOptions};
use asp_base::interrupt::{Interrupt, StopReason};
use asp_program::{Literal, Program};

/// The same call, pulled step by step, with a stop before each step; and whether it was exhausted.
pub(crate) fn pull(
    program: &Program,
    options: &SolveOptions,
    stages: Stages,
    assumptions: &[Literal],
) -> (Vec<World>, Vec<Vec<i64>>, bool) {
    let (mut session, interrupt) = (Session::with_stages(stages), Interrupt::new());
    let mut solving = session.start(program, options, assumptions, &interrupt);
    let (mut worlds, mut costs) = (Vec::new(), Vec::new());
    let mut stopped_before = true;
    loop {
        if !std::mem::replace(&mut stopped_before, false) {
            interrupt.stop(StopReason::Interrupted);
        }
        let step = solving.advance();
        let stopped = interrupt.poll().is_some();
        interrupt.reset();
        if let Some(Event::Model(m)) = solving.event(step) {
            worlds.push(program.atoms.ids().filter(|&a| m.contains(a)).map(|a| 1 << a.0).sum());
            costs.push(m.costs.to_vec());
        }
        match step {
            Milestone::Stopped if stopped => stopped_before = true,
            Milestone::Stopped | Milestone::Done => break,
            Milestone::Model | Milestone::Optimum | Milestone::LowerBound => {}
        }
    }
    (worlds, costs, solving.finish().exhausted)
}

/// The same call with models that are only counted: how many there are, and whether it was exhausted. What is reported
/// nevertheless has the number of its place among the given models.
pub(crate) fn count(
    program: &Program,
    options: &SolveOptions,
    stages: Stages,
    assumptions: &[Literal],
    models: &[World],
) -> (u64, bool) {
    let mut session = Session::with_stages(stages);
    let mut phase = 0;
    let result = session.solve(program, options, assumptions, &Interrupt::new(), &mut |event| {
        match event {
            Event::Model(m) if !m.optimal => {
                let world: World = program.atoms.ids().filter(|&a| m.contains(a)).map(|a| 1 << a.0).sum();
                assert_eq!(models.get(m.number as usize - 1), Some(&world), "model {}", m.number);
            }
            Event::Model(_) => phase += 1,
            Event::Optimum | Event::LowerBound(_) => {}
        }
        Flow::Count
    });
    assert!(phase == result.optimal_models, "optimal models are reported");
    (result.models, result.exhausted)
}
