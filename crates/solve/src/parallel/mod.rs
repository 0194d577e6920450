//! Calls with several threads, which compete for one answer or divide the search space for many.
//!
//! The main thread, the caller's, searches as it would alone. Helpers wait until it has worked for a while, so that easy calls
//! cost nothing; then each translates the program for itself. Only the main thread reports, so each model is reported once.
//! Invariant: with one thread none of this runs; competing threads find the same in the same order in each run.

pub(crate) mod compete;
pub(crate) mod cubes;
pub(crate) mod exchange;
pub(crate) mod path_queue;
pub(crate) mod split;
pub(crate) mod threads;
pub mod worker;

use crate::event::{Event, Flow, SolveResult};
use crate::options::SolveOptions;
use crate::parallel::threads::Threads;
use crate::session::Session;
use asp_base::interrupt::Interrupt;
use asp_base::threads as system;
use asp_program::{Literal, Program};

impl Session {
    /// Searches for answer sets. `on_event` receives each one and may stop the search.
    pub fn solve(
        &mut self,
        program: &Program,
        options: &SolveOptions,
        assumptions: &[Literal],
        interrupt: &Interrupt,
        on_event: &mut dyn FnMut(Event<'_>) -> Flow,
    ) -> SolveResult {
        if !self.wants_threads(program, options) {
            return self.start(program, options, assumptions, interrupt).run(on_event);
        }
        let theories = self.theories();
        let splits = theories.is_none() && split::applies(program, options);
        let head_start = if splits { split::STEPS_ALONE } else { compete::TURNS_ALONE };
        let stages = self.stages();
        let (translation, options) = self.begin(program, options);
        let threads = Threads { program, options, assumptions, interrupt, theories, stages, head_start };
        let (result, helpers) = if splits {
            threads.divide(translation, on_event)
        } else {
            threads.compete(translation, on_event)
        };
        self.note_helpers(helpers);
        result
    }

    /// Whether a call uses several threads. User-defined propagators work in one thread only, and so do theories if several
    /// models are reported: they must not continue before a report is over.
    pub fn wants_threads(&mut self, program: &Program, options: &SolveOptions) -> bool {
        let competes = compete::applies(program, options);
        let applies = match self.theories() {
            None => split::applies(program, options) || competes,
            Some(host) => competes && !compete::optimises(program, options) && host.theories().forks(),
        };
        applies && !self.has_propagators() && system::can_start()
    }
}
