//! Properties of the terminal: whether there is one, its width, whether to use colours.
//!
//! Invariant: without a terminal nothing is coloured and no status line is drawn.

use std::io::{IsTerminal as _, stderr, stdin, stdout};

/// The width if none is known.
const USUAL_WIDTH: usize = 80;
/// Widths up to this one are ignored as implausible.
const TOO_NARROW: usize = 10;

/// Whether results go to a terminal.
pub fn shows_results() -> bool {
    stdout().is_terminal()
}

/// Whether messages go to a terminal.
pub fn shows_messages() -> bool {
    stderr().is_terminal()
}

/// Whether standard input comes from a terminal.
pub(crate) fn types_input() -> bool {
    stdin().is_terminal()
}

/// Whether results are coloured.
pub(crate) fn colors_results() -> bool {
    shows_results() && colors_allowed()
}

/// Whether messages are coloured.
pub fn colors_messages() -> bool {
    shows_messages() && colors_allowed()
}

fn colors_allowed() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
}

/// Width for results: `COLUMNS`, that of the terminal, or the default.
pub(crate) fn page_width() -> usize {
    given_width().unwrap_or(USUAL_WIDTH)
}

fn given_width() -> Option<usize> {
    let given = std::env::var("COLUMNS").ok().and_then(|c| c.parse::<usize>().ok());
    given.filter(|&c| c > TOO_NARROW).or_else(|| columns(stdout()).filter(|&c| c > 0))
}

/// Width for the help: `COLUMNS`, that of the terminal, or 100.
pub fn help_width() -> usize {
    given_width().unwrap_or(100)
}

/// Width of a status line: that of the terminal, or the default, minus one for the cursor.
pub fn status_width() -> usize {
    columns(stderr()).filter(|&c| c > TOO_NARROW).unwrap_or(USUAL_WIDTH) - 1
}

/// The width that the system tells of a terminal.
#[cfg(unix)]
fn columns(terminal: impl std::os::fd::AsFd) -> Option<usize> {
    rustix::termios::tcgetwinsize(terminal).ok().map(|size| usize::from(size.ws_col))
}

#[cfg(not(unix))]
fn columns<T>(_: T) -> Option<usize> {
    None
}
