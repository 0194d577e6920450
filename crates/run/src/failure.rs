//! A subcommand's output on standard error besides messages about the program: notes, and why it ends without an answer.
//!
//! Invariant: whatever stage a stop interrupts, its message and exit code are chosen here.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::exit;
use crate::stderr::{tell, tell_error};
use asp_base::interrupt::StopReason;
use asp_control::Error;

/// Whether only results and errors are printed.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Suppresses notes from now on.
pub fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Whether notes are suppressed.
pub fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Prints a note, something that the user may want to know.
pub fn note(text: &str) {
    if !is_quiet() {
        tell(&format!("note: {text}"));
    }
}

/// Prints why a stage failed and returns the exit code.
pub fn failed(error: &Error) -> u8 {
    if let Error::Stopped(reason) = error {
        return stopped(*reason);
    }
    tell_error(&error.summary());
    exit::INPUT_ERROR
}

/// Prints that there is no answer to the question, and returns the exit code.
pub fn stopped(reason: StopReason) -> u8 {
    tell(&format!("*** Info : (asp): stopped before this was known: {reason}"));
    match reason {
        StopReason::Interrupted | StopReason::TimeLimit => exit::STOPPED,
        StopReason::MemoryLimit | StopReason::StepLimit => exit::OUT_OF_MEMORY,
    }
}
