//! Standard error: the one place that messages are written.
//!
//! Invariants: a message that cannot be written is lost, and nothing else is: no result, no exit code; on a terminal control
//! characters are masked.

use std::io::Write as _;

use super::terminal;
use asp_report::mask::{mask, mask_all_but_colours};

/// Prints a message, which gets a line break at its end.
pub fn tell(text: &str) {
    write(if terminal::shows_messages() { mask(text) } else { text.into() }.as_ref());
}

/// Prints a message that may be coloured. Pre: what others wrote was masked before.
pub fn tell_coloured(text: &str) {
    write(if terminal::shows_messages() { mask_all_but_colours(text) } else { text.into() }.as_ref());
}

/// Prints an error.
pub fn tell_error(text: &str) {
    tell(&format!("*** ERROR: (asp): {text}"));
}

/// One write for the whole line: lines of several threads or processes do not mix.
fn write(text: &str) {
    let line = format!("{text}\n");
    // There is nobody left to tell.
    let _ = std::io::stderr().lock().write_all(line.as_bytes());
}
