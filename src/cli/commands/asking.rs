//! What the subcommands that ask about answer sets share: exit codes, printing answer sets, a status line.
//!
//! Invariant: the exit code says the answer: 0 yes, 1 no, 20 there is no answer set, 2 it could not be found out in the
//! time allowed.

use std::io::{IsTerminal as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::base::interrupt::{Interrupt, StopReason};
use crate::base::map::Set;
use crate::control::Control;
use crate::explain::cells;
use crate::report::progress::{self, Progress};

/// Exit code for a program without answer sets.
pub const NONE: u8 = 20;
/// Exit code for a question that could not be answered in the time allowed.
pub const STOPPED: u8 = 2;

/// The lines of help about exit codes.
pub const EXIT_CODES: &str =
    "Exit codes: 0 yes or done, 1 no, 2 stopped by the time limit or a signal, 20 no answer set, 65 errors.";

/// Says on standard error that the question stays open.
pub fn stopped(reason: StopReason) -> u8 {
    let why = match reason {
        StopReason::Interrupted => "interrupted",
        StopReason::TimeLimit => "the time limit has passed",
        StopReason::MemoryLimit => "the memory limit has passed",
        StopReason::StepLimit => "the limit on steps has passed",
    };
    eprintln!("*** stopped: {why}");
    STOPPED
}

/// Tells, once, that weak constraints play no role.
pub fn note_costs(control: &Control) {
    if !control.program().objectives.is_empty() {
        eprintln!("note: all answer sets are meant, whatever they cost");
    }
}

/// Writes lines to standard output; a reader that has gone is no error.
pub fn print(text: &str) {
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
}

/// Prints answer sets that are given by show entry.
pub struct Printer(Vec<String>);

impl Printer {
    /// A printer for what a ground program shows.
    pub fn new(control: &Control) -> Self {
        let (program, symbols) = (control.program(), control.symbols());
        Self(program.shows.iter().map(|s| cells::text(s.item, program, symbols)).collect())
    }

    /// The text of an answer set; a term that is shown for several reasons comes once.
    pub fn text(&self, shown: &[bool]) -> String {
        let mut seen: Set<&str> = Set::default();
        let holding = self.0.iter().zip(shown).filter(|&(text, &s)| s && seen.insert(text));
        holding.map(|(text, _)| text.as_str()).collect::<Vec<_>>().join(" ")
    }
}

/// A status line on a terminal while something runs.
pub struct Status {
    over: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Status {
    /// Shows what an interrupt has noted: answer sets and branches or conflicts.
    pub fn show(phase: &'static str, interrupt: &Interrupt) -> Self {
        let over = Arc::new(AtomicBool::new(false));
        if !std::io::stderr().is_terminal() {
            return Self { over, thread: None };
        }
        let (interrupt, ended, start) = (interrupt.clone(), over.clone(), Instant::now());
        let draw = move || {
            let mut drawn = Duration::ZERO;
            let mut any = false;
            while !ended.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(20));
                let elapsed = start.elapsed();
                if elapsed >= progress::DELAY && elapsed >= drawn + progress::PERIOD {
                    let (models, conflicts) = interrupt.noted();
                    let status = Progress { phase, models, conflicts, ..Progress::default() };
                    let rate = conflicts as f64 / elapsed.as_secs_f64();
                    eprint!("\r\x1b[K{}", status.line(elapsed, rate, 78));
                    (drawn, any) = (elapsed, true);
                }
            }
            if any {
                eprint!("\r\x1b[K");
            }
        };
        Self { over, thread: std::thread::Builder::new().name("status".into()).spawn(draw).ok() }
    }
}

impl Drop for Status {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // A thread that failed has drawn its last line.
            let _ = thread.join();
        }
    }
}
