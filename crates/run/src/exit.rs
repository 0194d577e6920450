//! Exit codes of the binary: all of them, and how a result becomes one.
//!
//! A run ends as in clingo: 10 with answer sets, 20 if the search was exhausted, 30 for both; 1 more if it was
//! interrupted. Subcommands return 0 for yes or done, or one of the codes below.

use asp_base::interrupt::StopReason;
use asp_control::Error;
use asp_report::summary::Summary;

/// A subcommand got an argument that it does not take. Not the 1 of runs, which here means "no".
pub const WRONG_USAGE: u8 = 64;
/// A wrong option of a run, as in clingo.
pub const WRONG_OPTION: u8 = 1;
/// A run was interrupted by a signal or a time limit.
pub(crate) const INTERRUPTED: u8 = 1;
/// The answer is "no", or a check failed.
pub const NO: u8 = 1;
/// A question was not answered within the limits.
pub const STOPPED: u8 = 2;
/// A question about an atom that is in no head.
pub const UNKNOWN_ATOM: u8 = 3;
/// There is an answer set.
pub const SATISFIABLE: u8 = 10;
/// There is no answer set, or no further one.
pub const EXHAUSTED: u8 = 20;
/// A limit on memory or on ground instances was reached.
pub(crate) const OUT_OF_MEMORY: u8 = 33;
/// An error in the input.
pub const INPUT_ERROR: u8 = 65;
/// Results could not be written.
pub(crate) const WRITE_ERROR: u8 = 74;
/// A file is missing; found before anything ran.
pub(crate) const MISSING_FILE: u8 = 128;

/// The code of a run that printed its summary.
pub(crate) fn of_summary(summary: &Summary) -> u8 {
    if summary.stopped == Some(StopReason::MemoryLimit) {
        return OUT_OF_MEMORY;
    }
    let found = if summary.satisfiable { SATISFIABLE } else { 0 };
    let searched = if summary.is_complete() { EXHAUSTED } else { 0 };
    let interrupted = if summary.stop_word().is_some() { INTERRUPTED } else { 0 };
    found | searched | interrupted
}

/// The code of a run whose program could not be read or grounded.
pub(crate) fn of_error(error: &Error) -> u8 {
    match error {
        Error::Stopped(StopReason::StepLimit | StopReason::MemoryLimit) => OUT_OF_MEMORY,
        Error::Stopped(_) => INTERRUPTED,
        _ => INPUT_ERROR,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries() {
        let code = |satisfiable, exhausted, stopped| {
            of_summary(&Summary { satisfiable, exhausted, stopped, ..Summary::default() })
        };
        assert_eq!(code(true, false, None), 10);
        assert_eq!(code(true, true, None), 30);
        assert_eq!(code(false, true, None), 20);
        assert_eq!(code(false, false, None), 0);
        assert_eq!(code(false, false, Some(StopReason::StepLimit)), 0);
        assert_eq!(code(false, false, Some(StopReason::TimeLimit)), 1);
        assert_eq!(code(true, false, Some(StopReason::Interrupted)), 11);
        assert_eq!(code(true, false, Some(StopReason::MemoryLimit)), 33);
    }
}
