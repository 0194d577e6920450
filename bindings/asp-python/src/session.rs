//! A control, the call in progress, and who may use them.
//!
//! Invariants: one thread at a time works on a control, others wait; a new call ends the one before.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use asp::options::SolveOptions;
use asp::symbol::Signature;
use asp::{Error, Interrupt, SolveHandle, Source, StopReason, Symbol};
use asp_options::raw::Project;
use asp_options::warnings::Warnings;
use pyo3::prelude::*;
use self_cell::MutBorrow;

use crate::error;
use crate::functions::Functions;
use crate::hook::Hook;
use crate::shown::Table;

/// What a program was made of so far, to make it again when something is asked about it.
#[derive(Default)]
pub(crate) struct Recipe {
    pub(crate) sources: Vec<Source>,
    /// Program parts that were grounded, with their arguments; none: the base program.
    pub(crate) parts: Vec<(String, Vec<Box<[u8]>>)>,
    /// External atoms and their values, in the order in which they were given.
    pub(crate) externals: Vec<(Box<[u8]>, Option<bool>)>,
    pub(crate) functions: Option<Functions>,
    /// Facts without text: their program part, their name in messages, and the facts.
    pub(crate) facts: Vec<(String, String, Vec<Symbol>)>,
}

/// A control and what was said to it.
pub(crate) struct Core {
    pub(crate) control: asp::Control,
    pub(crate) recipe: Recipe,
    /// What models are told apart by, if a call does not say.
    pub(crate) project: Project,
    /// Which messages are kept.
    pub(crate) warnings: Warnings,
    pub(crate) is_grounded: bool,
    pub(crate) broken: bool,
    /// The predicates of tables that have not been compared with the program yet.
    pub(crate) tables: Vec<Signature>,
}

impl Core {
    pub(crate) fn add_facts(&mut self, part: &str, origin: String, facts: Vec<Symbol>) -> Result<(), Error> {
        self.control.add_facts(part, facts.iter().copied())?;
        self.recipe.facts.push((part.into(), origin, facts));
        self.is_grounded = self.is_grounded && part != "base";
        Ok(())
    }
}

pub(crate) type Handle<'a> = SolveHandle<'a>;

self_cell::self_cell!(
    /// A call in progress and the control that it is about.
    pub(crate) struct Running {
        owner: MutBorrow<Box<Core>>,
        #[not_covariant]
        dependent: Handle,
    }
);

/// What a control does.
pub(crate) enum Phase {
    Idle(Box<Core>),
    Running(Running),
    /// Between the two, and after a panic.
    Gone,
}

/// A control with all that share it.
pub(crate) struct State {
    pub(crate) phase: Phase,
    /// What answer sets may show, as far as it is known.
    pub(crate) table: Arc<Table>,
}

/// A control that may be asked from several threads, and what stops it.
pub(crate) struct Shared {
    state: Mutex<State>,
    pub(crate) hook: Hook,
    /// The number of the latest call.
    pub(crate) call: AtomicU64,
    /// What stops the questions that are being answered.
    asked: Mutex<Vec<(u64, Interrupt)>>,
}

/// A question that is being answered; dropped at its end.
pub(crate) struct Asked<'s>(&'s Shared, u64);

impl Drop for Asked<'_> {
    fn drop(&mut self) {
        self.0.asked().retain(|(number, _)| *number != self.1);
    }
}

impl Shared {
    pub(crate) fn new(state: State, hook: Hook) -> Self {
        Self { state: Mutex::new(state), hook, call: AtomicU64::new(0), asked: Mutex::default() }
    }

    fn asked(&self) -> MutexGuard<'_, Vec<(u64, Interrupt)>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on [`cancel`](Self::cancel) stops this as well.
    pub(crate) fn asks(&self, interrupt: Interrupt) -> Asked<'_> {
        let mut asked = self.asked();
        let number = asked.last().map_or(0, |last| last.0 + 1);
        asked.push((number, interrupt));
        Asked(self, number)
    }

    /// Stops what runs: the call or grounding, and all questions.
    pub(crate) fn cancel(&self) {
        self.hook.interrupt.stop(StopReason::Interrupted);
        for (_, interrupt) in self.asked().iter() {
            interrupt.stop(StopReason::Interrupted);
        }
    }

    /// Waits until nobody else works on the control.
    pub(crate) fn lock(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, State>> {
        loop {
            match self.state.try_lock() {
                Ok(state) => return Ok(state),
                Err(TryLockError::Poisoned(state)) => return Ok(state.into_inner()),
                Err(TryLockError::WouldBlock) if self.hook.runs_here() => {
                    return Err(error::usage(py, "the control is at work: what it calls cannot use it"));
                }
                Err(TryLockError::WouldBlock) => py.detach(|| drop(self.state.lock())),
            }
        }
    }

    /// Ends the call in progress, if there is one; the control is then idle.
    pub(crate) fn idle<'s>(&self, py: Python<'_>, state: &'s mut State) -> PyResult<&'s mut Core> {
        if let Phase::Running(_) = state.phase {
            self.call.fetch_add(1, Ordering::Relaxed);
            py.detach(|| state.halt());
        }
        match &mut state.phase {
            Phase::Idle(core) if core.broken => Err(error::usage(
                py,
                "the control is of no use any more, since its grounding did not end; make another one",
            )),
            Phase::Idle(core) => Ok(core),
            _ => Err(error::usage(py, "the control is of no use any more, since it failed inside")),
        }
    }
}

impl State {
    /// Ends the call in progress.
    pub(crate) fn halt(&mut self) {
        self.phase = match std::mem::replace(&mut self.phase, Phase::Gone) {
            Phase::Running(running) => Phase::Idle(running.into_owner().into_inner()),
            other => other,
        };
    }

    /// Begins a call.
    pub(crate) fn begin(
        &mut self,
        options: &SolveOptions,
        assumptions: &[(Symbol, bool)],
        earlier: &[Symbol],
    ) -> Result<(), Error> {
        let core = match std::mem::replace(&mut self.phase, Phase::Gone) {
            Phase::Idle(core) => core,
            other => {
                self.phase = other;
                return Ok(());
            }
        };
        let begun = Running::try_new_or_recover(MutBorrow::new(core), |core| {
            let core = core.borrow_mut();
            let options = options.clone();
            let mut call = core.control.answers().options(move |own| *own = options).start_from(earlier);
            for &(atom, holds) in assumptions {
                call = call.assume(atom, holds);
            }
            call.start()
        });
        match begun {
            Ok(running) => {
                running.with_dependent(|_, handle| {
                    let ground = handle.ground();
                    if ground.program().shows.len() > self.table.len() {
                        if Arc::get_mut(&mut self.table).is_none() {
                            self.table = Arc::new(self.table.copy());
                        }
                        if let Some(table) = Arc::get_mut(&mut self.table) {
                            table.extend(ground.program(), ground.symbols());
                            table.note_facts(ground);
                            table.note_predicates(ground);
                        }
                    }
                });
                self.phase = Phase::Running(running);
                Ok(())
            }
            Err((core, error)) => {
                self.phase = Phase::Idle(core.into_inner());
                Err(error)
            }
        }
    }
}
