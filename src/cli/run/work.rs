//! A run in progress: its options, the state shared with the watcher, messages, and how it ends.
//!
//! Invariant: a stage that fails ends the run through [`Run::fail`], every other run ends through [`Run::end`]; both
//! print the summary.

use std::sync::Mutex;
use std::time::Instant;

use super::lemmas;
use super::state::{State, cpu_seconds, lock};
use crate::base::interrupt::{Interrupt, StopReason};
use crate::cli::diagnostics::Diagnostics;
use crate::cli::exit;
use crate::cli::option::raw::Options;
use crate::cli::stdout;
use crate::control::{Control, Error};
use crate::report::summary::Summary;

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
pub(super) struct Run<'a> {
    pub(super) options: &'a Options,
    /// Names of the subcommands, to suggest one if a file is missing.
    pub(super) subcommands: &'a [&'a str],
    pub(super) shared: &'a Mutex<State>,
    pub(super) interrupt: Interrupt,
    pub(super) start: Instant,
    pub(super) diagnostics: Diagnostics,
}

impl Run<'_> {
    pub(super) fn note_options(&self) {
        if !self.options.noted.is_empty() {
            let names: Vec<String> = self.options.noted.iter().map(|n| format!("--{n}")).collect();
            let s = if names.len() > 1 { "s" } else { "" };
            eprintln!("*** Info : (asp): option{s} without effect here: {}", names.join(", "));
        }
    }

    pub(super) fn phase(&self, phase: &'static str) {
        lock(self.shared).progress.phase = phase;
    }

    /// Prints messages about the input; returns whether there are errors among them.
    pub(super) fn report(&self, control: &mut Control) -> bool {
        let taken = self.diagnostics.take(control);
        if !taken.texts.is_empty() {
            let mut state = lock(self.shared);
            state.out.flush();
            taken.texts.iter().for_each(|text| state.message(text));
        }
        taken.errors
    }

    pub(super) fn stopped(&self) -> Result<(), Error> {
        self.interrupt.poll().map_or(Ok(()), |reason| Err(Error::Stopped(reason)))
    }

    /// Ends the run after an error or a limit before the search of a call.
    pub(super) fn fail(&self, error: &Error) -> u8 {
        let mut state = lock(self.shared);
        let stopped = match error {
            Error::Stopped(StopReason::StepLimit) => {
                state.message("*** ERROR: (asp): the limit on ground instances is reached");
                None
            }
            Error::Stopped(reason) => Some(*reason),
            error => {
                state.message(&format!("*** ERROR: (asp): {}", error.summary()));
                None
            }
        };
        if state.reporting && !state.finished {
            let seconds = self.start.elapsed().as_secs_f64();
            let State { out, reporter, summary, .. } = &mut *state;
            let mut call =
                Summary { stopped, satisfiable: false, exhausted: false, models: 0, ..summary.clone() };
            call.times.total = seconds;
            call.times.cpu = cpu_seconds();
            reporter.failed(out, &call, seconds);
        }
        let code = state.finish(stopped, None);
        if stopped.is_some() { code } else { exit::of_error(error) }
    }

    pub(super) fn end(&self, control: &mut Control) -> u8 {
        let statistics = (self.options.style.stats > 0).then(|| control.statistics());
        let lemmas = lemmas::write(&self.options.lemmas, control);
        let mut state = lock(self.shared);
        match lemmas {
            Ok(bytes) => state.out.buffer().extend_from_slice(&bytes),
            Err(message) => stdout::fail_with(message),
        }
        let stopped = self.interrupt.poll();
        state.finish(stopped, statistics.as_ref())
    }
}
