//! A run in progress: its options, the state shared with the watcher, messages, and how it ends.
//!
//! Invariant: a stage that fails ends the run through [`Run::fail`], every other run ends through [`Run::end`]; both
//! print the summary.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use super::lemmas;
use super::script::Scripts;
use super::state::{Printer, State, cpu_seconds, lock};
use crate::diagnostics::Diagnostics;
use crate::exit;
use crate::stderr::{tell, tell_coloured};
use crate::stdout;
use asp_base::interrupt::{Interrupt, StopReason};
use asp_control::{Control, Error};
use asp_options::raw::Options;
use asp_report::summary::Summary;

/// Why a run ends before its search.
pub(super) enum Failed {
    /// Everything has been reported; this is the exit code.
    Code(u8),
    /// An error or a limit.
    Error(Error),
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

/// A run in progress.
pub struct Run {
    pub(super) options: Box<Options>,
    /// Names of the subcommands, to suggest one if a file is missing.
    pub(super) subcommands: Vec<&'static str>,
    pub(super) shared: Arc<Mutex<State>>,
    pub(super) interrupt: Interrupt,
    pub(super) start: Instant,
    pub(super) diagnostics: Diagnostics,
    /// The interpreters of scripts; `None` if the run was itself started by Python for its scripts.
    pub(super) scripts: Option<Scripts>,
}

/// Prints rendered messages about the input, after all results so far.
pub(super) fn print(state: &mut State, texts: &[String]) {
    state.printer.out.flush();
    state.printer.out.wipe_status();
    texts.iter().for_each(|text| tell_coloured(text));
}

impl Run {
    /// Prints the head of the results, and which options do nothing.
    pub fn head(&self) {
        if !lock(&self.shared).begin() {
            return;
        }
        if !self.options.noted.is_empty() {
            let names: Vec<String> = self.options.noted.iter().map(|n| format!("--{n}")).collect();
            let s = if names.len() > 1 { "s" } else { "" };
            tell(&format!("*** Info : (asp): option{s} without effect here: {}", names.join(", ")));
        }
    }

    pub(super) fn phase(&self, phase: &'static str) {
        lock(&self.shared).progress.phase = phase;
    }

    /// Prints messages about the input; returns whether there are errors among them.
    pub fn report(&self, control: &mut Control) -> bool {
        let taken = self.diagnostics.take(control);
        if !taken.texts.is_empty() {
            print(&mut lock(&self.shared), &taken.texts);
        }
        taken.errors
    }

    pub(super) fn stopped(&self) -> Result<(), Error> {
        self.interrupt.poll().map_or(Ok(()), |reason| Err(Error::Stopped(reason)))
    }

    /// Ends the run after an error or a limit before the search of a call.
    pub fn fail(&self, error: &Error) -> u8 {
        let mut state = lock(&self.shared);
        let stopped = match error {
            Error::Stopped(StopReason::StepLimit) => {
                state.unproven = None;
                state.message("*** ERROR: (asp): the limit on ground instances is reached");
                None
            }
            Error::Stopped(reason) => Some(*reason),
            error => {
                state.unproven = None;
                state.message(&format!("*** ERROR: (asp): {}", error.summary()));
                None
            }
        };
        self.end_open_call(&mut state, stopped);
        let code = state.finish(stopped, None);
        if stopped.is_some() { code } else { exit::of_error(error) }
    }

    /// The call that is open ends before its search begins.
    pub(super) fn end_open_call(&self, state: &mut State, stopped: Option<StopReason>) {
        if state.printer.reporting && !state.finished {
            // A limit may come before the first text is read.
            state.begin();
            let seconds = self.start.elapsed().as_secs_f64();
            let State { printer: Printer { out, reporter, .. }, summary, .. } = state;
            let mut call =
                Summary { stopped, satisfiable: false, exhausted: false, models: 0, ..summary.clone() };
            call.times.total = seconds;
            call.times.cpu = cpu_seconds();
            reporter.failed(out, &call, seconds);
        }
    }

    /// The end of a run that went well.
    pub fn end(&self, control: &mut Control) -> u8 {
        let statistics = (self.options.style.stats > 0).then(|| control.statistics());
        let lemmas = lemmas::write(&self.options.lemmas, control);
        let mut state = lock(&self.shared);
        match lemmas {
            Ok(bytes) => state.printer.out.buffer().extend_from_slice(&bytes),
            Err(message) => stdout::fail_with(message),
        }
        let stopped = self.interrupt.poll();
        state.finish(stopped, statistics.as_ref())
    }
}
