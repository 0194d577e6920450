//! Calls that are pulled, to be compared with the same calls that report everything at once.

use crate::base::interrupt::{Interrupt, StopReason};
use crate::program::{Literal, Program};
use crate::solve::call::drive::Milestone;
use crate::solve::session::Session;
use crate::solve::tests::session::World;
use crate::solve::translate::Stages;
use crate::solve::{Event, SolveOptions};

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
        let step = solving.next();
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
