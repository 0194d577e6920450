//! The state shared by the main thread and the watcher: the output, the reporter, and the results so far.
//!
//! Invariant: whoever holds the lock may finish the run; [`State::finished`] says whether that has happened.

use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::Instant;

use super::earlier::Earlier;
use crate::album::{Album, Shown};
use crate::exit;
use crate::stderr::tell;
use crate::stdout;
use asp_base::interrupt::StopReason;
use asp_base::symbol::Symbols;
use asp_options::raw::Options;
use asp_program::Program;
use asp_report::answer_set::AnswerTable;
use asp_report::output::Output;
use asp_report::progress::Progress;
use asp_report::summary::{Consequences, Summary};
use asp_report::{FoundModel, Reporter, Style, reporter};
use asp_solve::{EnumMode, Flow, Model, Statistics};

/// Where results go, and as what.
pub(super) struct Printer {
    pub(super) out: Output,
    pub(super) reporter: Box<dyn Reporter>,
    /// Pictures of the answer sets, if they are wanted.
    pub(super) album: Option<Album>,
    /// Whether results are printed at all (not with ground output).
    pub(super) reporting: bool,
    /// The files as given, for the head of the results, until it has been printed.
    head: Option<Vec<String>>,
}

impl Printer {
    /// Prints the head of the results, once. Whether that was now.
    fn begin(&mut self) -> bool {
        let Some(inputs) = self.head.take() else { return false };
        if self.reporting {
            self.reporter.start(&mut self.out, &inputs);
            self.out.flush();
        }
        true
    }
}

/// How far the call is that the summary tells of.
pub(super) enum CallState {
    /// There is none, or it has ended.
    Ended,
    /// Its program is made.
    Open,
    /// It has been searching since then.
    Searching(Instant),
}

/// The state shared by the main thread and the watcher.
pub(super) struct State {
    pub(super) printer: Printer,
    /// How messages name the program.
    pub(super) name: String,
    /// Whether a stop may wait until whoever runs the calls comes back.
    pub(super) is_patient: bool,
    pub(super) call: CallState,
    pub(super) summary: Summary,
    pub(super) start: Instant,
    /// Whether the summary has been printed.
    pub(super) finished: bool,
    pub(super) progress: Progress,
    /// Number of the last model in its phase.
    pub(super) number: u64,
    /// The directory for a proof of which nothing has been said yet.
    pub(super) unproven: Option<String>,
    /// Earlier answers that the options name.
    pub(super) earlier: Earlier,
}

impl State {
    pub(super) fn new(options: &Options, start: Instant) -> Self {
        let solve = &options.solve;
        let summary = Summary {
            threads: solve.threads.max(1),
            consequences: match solve.enum_mode {
                EnumMode::Brave => Some(Consequences::Brave),
                EnumMode::Cautious | EnumMode::Query => Some(Consequences::Cautious),
                _ => None,
            },
            ..Summary::default()
        };
        Self {
            printer: Printer {
                out: Output::stdout(),
                reporter: reporter(&options.style),
                album: Album::new(&options.pictures, &options.style),
                reporting: options.ground_format.is_none() && options.cubes.is_none() && !options.expand,
                head: Some(options.files.clone()),
            },
            name: "asp".into(),
            is_patient: false,
            call: CallState::Ended,
            earlier: Earlier::default(),
            summary,
            start,
            finished: false,
            progress: Progress { phase: "Reading", ..Progress::default() },
            number: 0,
            unproven: options.proof.clone(),
        }
    }

    /// Prints the head of the results, once. Whether that was now.
    pub(super) fn begin(&mut self) -> bool {
        self.printer.begin()
    }

    /// Changes the style of the results. Pre: nothing has been printed.
    pub(super) fn set_style(&mut self, style: &Style) {
        self.printer.reporter = reporter(style);
    }

    /// Flushes the output if another program prints to standard output, too.
    pub(super) fn flush_if_shared(&mut self) {
        if self.is_patient {
            self.printer.out.flush();
        }
    }

    /// Prints a message to standard error.
    pub(super) fn message(&mut self, text: &str) {
        self.printer.out.wipe_status();
        match text.split_once(" (asp): ").filter(|(kind, _)| kind.starts_with("*** ")) {
            Some((kind, rest)) => tell(&format!("{kind} ({}): {rest}", self.name)),
            None => tell(text),
        }
    }

    /// Prints the summary and returns the exit code.
    pub(super) fn finish(&mut self, stopped: Option<StopReason>, statistics: Option<&Statistics>) -> u8 {
        let seconds = self.start.elapsed().as_secs_f64();
        self.finished = true;
        self.summary.stopped = stopped.filter(|_| !self.summary.exhausted);
        if let Some(word) = self.summary.stop_word() {
            self.message(&match word {
                "INTERRUPTED" => "*** Info : (asp): INTERRUPTED by signal!".to_string(),
                word => format!("*** Info : (asp): {word} reached!"),
            });
        }
        if let Some(dir) = self.unproven.take() {
            self.message(&format!("*** Warn : (asp): no proof was written to {dir}: the search did not end"));
        }
        // The search of a call that did not end.
        if let CallState::Searching(start) = std::mem::replace(&mut self.call, CallState::Ended) {
            self.summary.times.solve += start.elapsed().as_secs_f64();
        }
        self.summary.times.total = seconds;
        self.summary.times.cpu = cpu_seconds();
        self.printer.out.wipe_status();
        if let Printer { out, album: Some(album), .. } = &mut self.printer {
            album.flush(out);
        }
        let written = self.printer.album.as_mut().map_or(Ok(Vec::new()), |album| album.write_files(seconds));
        self.begin();
        if self.printer.reporting {
            self.printer.reporter.finish(&mut self.printer.out, &self.summary, statistics);
        }
        self.printer.out.flush();
        self.note_failure();
        match written {
            Ok(notes) => notes.iter().for_each(|note| self.message(&format!("*** Info : (asp): {note}"))),
            Err(error) => {
                self.message(&format!("*** ERROR: (asp): {error}"));
                return exit::WRITE_ERROR;
            }
        }
        exit::of_summary(&self.summary)
    }

    /// Records for the exit code that results could not be written.
    pub(super) fn note_failure(&self) {
        if let Some(error) = self.printer.out.failure() {
            stdout::fail(error);
        }
    }

    /// Draws a model if wanted; returns whether the picture replaces its atoms.
    pub(super) fn picture(&mut self, model: &Model<'_>, program: &Program, symbols: &Symbols) -> bool {
        let number = self.number + 1;
        let Printer { out, album: Some(album), .. } = &mut self.printer else { return false };
        let optimising = self.summary.optimising;
        let shown = album.found(out, model, number, optimising, program, symbols);
        let is_drawn = matches!(shown, Shown::AsPicture(_));
        let (Shown::AsPicture(message) | Shown::AsAtoms(message)) = shown;
        if let Some(message) = message {
            self.message(&message);
        }
        is_drawn
    }

    pub(super) fn found(&mut self, model: Model<'_>, table: &AnswerTable, as_atoms: bool) -> Flow {
        self.number += 1;
        self.progress.models += 1;
        let summary = &mut self.summary;
        summary.satisfiable = true;
        summary.models += 1;
        summary.optimal += u64::from(model.optimal);
        if !model.costs.is_empty() {
            let costs = summary.costs.get_or_insert_default();
            costs.clear();
            costs.extend_from_slice(model.costs);
            self.progress.costs.get_or_insert_default().clone_from(costs);
        }
        summary.estimate = model.consequences;
        let seconds = model.found.duration_since(self.start).as_secs_f64();
        if let (Some(album), true) = (&mut self.printer.album, summary.optimising) {
            album.note_bounds(summary.costs.as_deref(), &[], seconds);
        }
        let found = FoundModel { number: self.number, seconds, model, table };
        if as_atoms {
            self.printer.reporter.found(&mut self.printer.out, &found);
        }
        self.printer.out.flush_if_due(model.found);
        if self.printer.out.is_closed() { Flow::Stop } else { Flow::Continue }
    }
}

/// The state, even if a thread panicked while holding it.
pub(super) fn lock(shared: &Mutex<State>) -> MutexGuard<'_, State> {
    shared.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// The state, if nobody holds it.
pub(super) fn try_lock(shared: &Mutex<State>) -> Option<MutexGuard<'_, State>> {
    match shared.try_lock() {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// Processor time of all threads of the process, in seconds.
#[cfg(unix)]
pub(super) fn cpu_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Not told by this system.
#[cfg(not(unix))]
pub(super) fn cpu_seconds() -> f64 {
    0.0
}
