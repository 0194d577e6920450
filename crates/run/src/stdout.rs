//! Standard output outside of the reporters, and what happens when results cannot be written.
//!
//! Invariant: a reader that has gone is no error; any other write error is reported once, at the end, and decides the
//! exit code, so that partial results are never mistaken for complete ones.

use std::io::{self, Write as _};
use std::sync::OnceLock;

use super::exit;
use super::stderr::tell_error;
use super::terminal;
use asp_report::mask::mask;

static FAILURE: OnceLock<String> = OnceLock::new();

/// Prints a text, without its control characters if a terminal shows it.
pub fn print(text: &str) {
    print_bytes(if terminal::shows_results() { mask(text) } else { text.into() }.as_bytes());
}

/// Prints bytes as they are.
pub fn print_bytes(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    if let Err(error) = out.write_all(bytes).and_then(|()| out.flush()) {
        fail(&error);
    }
}

/// Records that standard output could not be written.
pub fn fail(error: &io::Error) {
    if error.kind() != io::ErrorKind::BrokenPipe {
        fail_with(format!("standard output cannot be written: {error}"));
    }
}

/// Records that requested output could not be written.
pub fn fail_with(message: String) {
    // Only the first failure is reported.
    let _ = FAILURE.set(message);
}

/// The exit code of the process: the given one, unless a failure was recorded.
pub fn exit_code(code: u8) -> u8 {
    match FAILURE.get() {
        None => code,
        Some(message) => {
            tell_error(message);
            exit::WRITE_ERROR
        }
    }
}
