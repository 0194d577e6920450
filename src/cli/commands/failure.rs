//! What a subcommand says on standard error besides its messages about the program: notes, and why it ends without what was
//! asked.
//!
//! Invariant: whatever a stop falls into, this place alone decides on its words and its exit code.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::base::interrupt::StopReason;
use crate::cli::exit;
use crate::control::Error;

/// Whether only results and errors are printed.
static QUIET: AtomicBool = AtomicBool::new(false);

/// From now on there are no notes.
pub(crate) fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Whether there are no notes.
pub(crate) fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Prints what the user may want to know.
pub(crate) fn note(text: &str) {
    if !is_quiet() {
        eprintln!("note: {text}");
    }
}

/// Prints why a stage did not finish and returns the exit code.
pub(crate) fn failed(error: &Error) -> u8 {
    if let Error::Stopped(reason) = error {
        return stopped(*reason);
    }
    eprintln!("*** ERROR: (asp): {}", error.summary());
    exit::INPUT_ERROR
}

/// Says that the question stays open, and returns the exit code.
pub(crate) fn stopped(reason: StopReason) -> u8 {
    eprintln!("*** Info : (asp): stopped before this was known: {reason}");
    match reason {
        StopReason::Interrupted | StopReason::TimeLimit => exit::STOPPED,
        StopReason::MemoryLimit | StopReason::StepLimit => exit::OUT_OF_MEMORY,
    }
}
