//! What is known of the terminal: whether there is one, how wide it is, whether to colour.
//!
//! Invariant: without a terminal nothing is coloured and no status line is drawn.

use std::io::{IsTerminal as _, stderr, stdin, stdout};

/// The width where nobody says another one.
const USUAL_WIDTH: usize = 80;
/// A width up to this one is not believed.
const TOO_NARROW: usize = 10;

/// Whether results are read on a terminal.
pub(crate) fn shows_results() -> bool {
    stdout().is_terminal()
}

/// Whether messages are read on a terminal.
pub(crate) fn shows_messages() -> bool {
    stderr().is_terminal()
}

/// Whether standard input is typed on a terminal.
pub(crate) fn types_input() -> bool {
    stdin().is_terminal()
}

/// Whether results are coloured.
pub(crate) fn colors_results() -> bool {
    shows_results() && colors_allowed()
}

/// Whether messages are coloured.
pub(crate) fn colors_messages() -> bool {
    shows_messages() && colors_allowed()
}

fn colors_allowed() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
}

/// Width of the page for results: as `COLUMNS` says, or the terminal, or the usual one.
pub(crate) fn page_width() -> usize {
    let given = std::env::var("COLUMNS").ok().and_then(|c| c.parse::<usize>().ok());
    let asked = || {
        let size = rustix::termios::tcgetwinsize(stdout()).ok()?;
        (size.ws_col > 0).then_some(usize::from(size.ws_col))
    };
    given.filter(|&c| c > TOO_NARROW).or_else(asked).unwrap_or(USUAL_WIDTH)
}

/// Width of a status line: that of the terminal, or the usual one, less one for the cursor.
pub(crate) fn status_width() -> usize {
    let size = rustix::termios::tcgetwinsize(stderr());
    size.map(|s| usize::from(s.ws_col)).ok().filter(|&c| c > TOO_NARROW).unwrap_or(USUAL_WIDTH) - 1
}
