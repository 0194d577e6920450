//! A run whose calls are made by a script: its control and its calls.
//!
//! Invariants: what is taken away for grounding or searching is put back, whatever the script does meanwhile; a call that is
//! over, or followed by another, has been reported to the run.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mlua::{Error, Result, Value};

use super::search::{Search, Step};
use crate::run::call::OpenCall;
use crate::run::work::Run;
use asp_base::interrupt::StopReason;
use asp_control::{Control, Error as ControlError, GroundWriter};
use asp_lua::Host;
use asp_options::raw::Options;
use asp_program::Literal;
use asp_solve::{Event, Flow, SolveOptions, SolveResult};

pub(super) enum Phase {
    Idle(Box<Control>),
    Searching(Search),
    /// It is lent out; the text says for what.
    Away(&'static str),
}

/// The mutable state of `main`.
pub(super) struct State {
    pub(super) phase: Phase,
    /// The call in progress, for what is printed.
    pub(super) call: Option<OpenCall>,
    /// Counts the calls.
    pub(super) calls: u64,
    /// Writes the ground program, if that is wanted instead of solving.
    pub(super) writer: Option<GroundWriter>,
    /// The options, as the script has changed them.
    pub(super) options: Box<Options>,
    pub(super) changes: Vec<(String, String)>,
    /// Why a call was stopped.
    pub(super) stopped: Option<StopReason>,
}

/// A run whose calls are made by a script.
pub(super) struct Session {
    pub(super) run: Arc<Run>,
    pub(super) host: Arc<Host>,
    state: Mutex<State>,
}

impl Session {
    pub(super) fn new(run: &Arc<Run>, host: &Arc<Host>, control: Control) -> Arc<Self> {
        let state = State {
            phase: Phase::Idle(Box::new(control)),
            call: None,
            calls: 0,
            writer: None,
            options: run.options.clone(),
            changes: Vec::new(),
            stopped: None,
        };
        Arc::new(Self { run: Arc::clone(run), host: Arc::clone(host), state: Mutex::new(state) })
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why the run was stopped, if it was.
    pub(super) fn stopped(&self) -> Option<StopReason> {
        self.lock().stopped.or_else(|| self.run.interrupt().poll())
    }

    /// Ends what is in progress, and gives the control back.
    pub(super) fn close(&self) -> Option<Control> {
        self.end_call();
        let mut state = self.lock();
        if let Some(reason) = state.stopped {
            self.run.interrupt().stop(reason);
        }
        match std::mem::replace(&mut state.phase, Phase::Away("used any more: the run is over")) {
            Phase::Idle(control) => Some(*control),
            _ => None,
        }
    }

    /// Takes the control away, does something with it, and brings it back.
    pub(super) fn take<T>(
        &self,
        why: &'static str,
        work: impl FnOnce(&mut Control) -> Result<T>,
    ) -> Result<T> {
        let mut control = self.control(why)?;
        let result = work(&mut control);
        self.lock().phase = Phase::Idle(control);
        result
    }

    /// Takes the control away.
    pub(super) fn control(&self, why: &'static str) -> Result<Box<Control>> {
        let mut state = self.lock();
        let doing = match &state.phase {
            Phase::Idle(_) => why,
            Phase::Searching(_) => "used while a solve call is open",
            Phase::Away(doing) => doing,
        };
        match std::mem::replace(&mut state.phase, Phase::Away(doing)) {
            Phase::Idle(control) => Ok(control),
            other => {
                state.phase = other;
                Err(Error::runtime(format!("the control cannot be {doing}")))
            }
        }
    }

    /// Begins a call; ends one that is open.
    pub(super) fn begin_call(&self, assumptions: &[(Value, bool)]) -> Result<u64> {
        self.end_call();
        let mut control = self.control("used while it begins a call")?;
        let begun = self.prepare(&mut control, assumptions);
        let prepared = match begun {
            Ok(prepared) => prepared,
            Err(error) => {
                self.lock().phase = Phase::Idle(control);
                return Err(error);
            }
        };
        let search = Search::begin(control, prepared);
        let mut state = self.lock();
        match search {
            Ok(search) => state.phase = Phase::Searching(search),
            Err((control, error)) => {
                state.phase = Phase::Idle(control);
                return Err(failed(&error));
            }
        }
        state.calls += 1;
        Ok(state.calls)
    }

    /// The next model, by its number in a call.
    pub(super) fn next_model(&self, call: u64) -> Result<Option<u64>> {
        loop {
            let mut search = {
                let mut state = self.lock();
                if state.calls != call {
                    return Ok(None);
                }
                match std::mem::replace(&mut state.phase, Phase::Away("used while it searches")) {
                    Phase::Searching(search) => search,
                    other => {
                        state.phase = other;
                        return Ok(None);
                    }
                }
            };
            let step = search.step();
            let mut state = self.lock();
            state.phase = Phase::Searching(search);
            let event = match &step {
                Ok(Step::Model(number)) => {
                    if let Some(open) = &mut state.call {
                        // Clauses added to the model before hold for that one.
                        self.run.add_terms(open, &[]);
                    }
                    return Ok(Some(*number));
                }
                Ok(Step::Over) | Err(ControlError::Stopped(_)) => return Ok(None),
                Err(error) => return Err(failed(error)),
                Ok(Step::Bounds(bounds)) => Event::LowerBound(bounds),
                Ok(Step::Optimum) => Event::Optimum,
            };
            let Some(mut open) = state.call.take() else { continue };
            let mut flow = Flow::Continue;
            if let Phase::Searching(search) = &state.phase {
                search.ground(|ground| {
                    flow = self.run.event(&mut open, event, ground.program(), ground.symbols());
                    Ok(())
                })?;
            }
            state.call = Some(open);
            if flow == Flow::Stop {
                return Ok(None);
            }
        }
    }

    /// Prints the model at which the search stands. Whether to go on.
    pub(super) fn print_model(&self) -> Result<bool> {
        let mut state = self.lock();
        let Some(mut open) = state.call.take() else { return Ok(true) };
        let mut flow = Flow::Continue;
        if let Phase::Searching(search) = &state.phase {
            search.at(|answer, _| {
                flow = self.run.event(
                    &mut open,
                    Event::Model(*answer.model()),
                    answer.program(),
                    answer.symbols(),
                );
                Ok(())
            })?;
        }
        state.call = Some(open);
        Ok(flow != Flow::Stop)
    }

    /// Ends the call in progress, if there is one.
    pub(super) fn end_call(&self) -> SolveResult {
        let mut state = self.lock();
        let search = match std::mem::replace(&mut state.phase, Phase::Away("used while a call ends")) {
            Phase::Searching(search) => search,
            other => {
                state.phase = other;
                return SolveResult::default();
            }
        };
        let (mut result, open_externals, control) = search.end();
        if let Some(reason) = result.interrupted() {
            state.stopped = Some(reason);
        }
        state.phase = Phase::Idle(control);
        if let Some(open) = state.call.take() {
            result = self.run.end_call(open, result, open_externals);
        }
        result
    }

    /// Options and assumptions of a call; none if the assumptions contradict grounding.
    fn prepare(
        &self,
        control: &mut Control,
        assumptions: &[(Value, bool)],
    ) -> Result<Option<(SolveOptions, Vec<Literal>)>> {
        let mut literals = Vec::new();
        let mut is_refuted = false;
        for (atom, holds) in assumptions {
            let atom = self.host.terms.read_into(atom, control.symbols_mut())?;
            let ground = control.as_ground();
            match control.find_atom(atom) {
                Some(atom) => literals.push(Literal::new(atom, !holds)),
                None => {
                    let known = ground.place(atom).and_then(|place| ground.atom(place));
                    is_refuted |= known.is_some_and(|known| known.is_fact) != *holds;
                }
            }
        }
        self.run.open_call();
        let options = self.run.options_of(&self.lock().options, control);
        let options = SolveOptions { takes_clauses: true, ..options };
        let open =
            self.run.begin_call(control, options, self.run.seconds()).map_err(|error| failed(&error))?;
        let options = open.options.clone();
        self.lock().call = Some(open);
        Ok((!is_refuted).then_some((options, literals)))
    }
}

/// An error of the control as one of Lua.
pub(super) fn failed(error: &asp_control::Error) -> Error {
    Error::runtime(error.to_string())
}
