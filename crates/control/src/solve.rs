//! Solve calls: answer by answer, by events, and for minimal cores.

use super::handle::Runner;
use super::{Answer, Control, Error, SolveHandle, callbacks};
use asp_base::interrupt::Interrupt;
use asp_base::symbol::Symbols;
use asp_program::{Literal, Program};
use asp_rewrite::improve::Rewriting;
use asp_solve::parallel::worker::Worker;
use asp_solve::{Event, Flow, SolveOptions, SolveResult};

impl Control {
    /// Finds at most `models` answer sets (0: all) of the base program and whatever else has been grounded. The
    /// receiver returns whether to continue. An error if a stage before the search fails.
    pub fn solve(
        &mut self,
        models: u64,
        mut receive: impl FnMut(&Answer<'_>) -> bool,
    ) -> Result<SolveResult, Error> {
        let mut handle = self.answers().limit(models).start()?;
        loop {
            match handle.next() {
                Ok(Some(answer)) if receive(&answer) => {}
                // The result says that it was stopped.
                Ok(_) | Err(Error::Stopped(_)) => break,
                Err(error) => return Err(error),
            }
        }
        Ok(handle.finish())
    }

    /// Begins a call with options, under assumptions about atoms that the search decides.
    pub fn start_with(
        &mut self,
        options: &SolveOptions,
        assumptions: &[Literal],
    ) -> Result<SolveHandle<'_>, Error> {
        let (options, assumptions) = self.prepare(options, assumptions)?;
        let Self { session, program, interrupt, symbols, grounder, callbacks, .. } = self;
        let search = if session.wants_threads(program, &options) {
            Runner::Threads(Box::new(Worker::start(session, program, &options, &assumptions, interrupt)))
        } else {
            let solving = session.start(program, &options, &assumptions, interrupt);
            Runner::Alone { program, solving: Box::new(solving) }
        };
        let mut handle = SolveHandle::new(search, symbols, grounder.as_ref());
        handle.takes_clauses = options.takes_clauses;
        handle.theories = callbacks.theories.clone();
        Ok(handle)
    }

    /// Forgets what calls have learned: the next one searches as if it were the first.
    pub fn forget_search(&mut self) {
        self.session.forget();
    }

    /// Prepares a call that needs no search: theories are initialised.
    pub fn prepare_call(&mut self, options: &SolveOptions) -> Result<(), Error> {
        self.prepare(options, &[]).map(|_| ())
    }

    /// Solves under assumptions and passes on all events, until an interrupt stops it.
    pub fn solve_until(
        &mut self,
        options: &SolveOptions,
        assumptions: &[Literal],
        interrupt: &Interrupt,
        receive: &mut dyn FnMut(Event<'_>, &Program, &Symbols) -> Flow,
    ) -> Result<SolveResult, Error> {
        let (options, assumptions) = self.prepare(options, assumptions)?;
        let (program, symbols) = (&self.program, &self.symbols);
        let result = self
            .session
            .solve(program, &options, &assumptions, interrupt, &mut |event| receive(event, program, symbols));
        callbacks::failure(self.callbacks.theories.as_ref()).map_or(Ok(result), Err)
    }

    /// Solves under assumptions and passes on all events.
    #[doc(hidden)] // For the other crates, not for users.
    pub fn solve_events(
        &mut self,
        options: &SolveOptions,
        assumptions: &[Literal],
        receive: &mut dyn FnMut(Event<'_>, &Program, &Symbols) -> Flow,
    ) -> Result<SolveResult, Error> {
        let interrupt = self.interrupt();
        self.solve_until(options, assumptions, &interrupt, receive)
    }

    /// At most `wanted` sets of literals such that each answer set satisfies exactly one of them; fewer, if there is less
    /// to split at. Pre: the program is grounded.
    pub fn cubes(&mut self, options: &SolveOptions, wanted: usize) -> Result<Vec<Vec<Literal>>, Error> {
        let (options, _) = self.prepare(options, &[])?;
        Ok(self.session.cubes(&self.program, &options, wanted, &self.interrupt))
    }

    /// Prepares a solve call; returns its options and all its assumptions.
    fn prepare(
        &mut self,
        options: &SolveOptions,
        assumptions: &[Literal],
    ) -> Result<(SolveOptions, Vec<Literal>), Error> {
        self.take_in_named()?;
        self.lower()?;
        self.check_step()?;
        self.translate(options);
        let set_up = self.set_up_theories(options);
        self.end_theory_step();
        set_up?;
        Ok((self.call_options(options), [assumptions, &self.program.assumptions].concat()))
    }

    /// The options of a solve call, adjusted to the other settings.
    pub(super) fn call_options(&self, options: &SolveOptions) -> SolveOptions {
        let mut options = options.clone();
        options.translate.value_sets = self.settings.ground.rewritings.has(Rewriting::ValueSets);
        options.translate.chains = self.settings.ground.rewritings.has(Rewriting::Chains);
        options
    }
}
