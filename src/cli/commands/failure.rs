//! Why a subcommand ends without what was asked, on standard error.

use crate::base::interrupt::StopReason;
use crate::cli::exit;
use crate::control::Error;

/// Prints why a stage did not finish and returns the exit code.
pub(crate) fn failed(error: &Error) -> u8 {
    eprintln!("*** ERROR: (asp): {}", error.summary());
    exit::of_error(error)
}

/// Says on standard error that the question stays open.
pub(crate) fn stopped(reason: StopReason) -> u8 {
    eprintln!("*** stopped: {reason}");
    exit::STOPPED
}
