//! `asp-check DIR`: checks a proof that `asp --proof=DIR` wrote.

#![deny(clippy::print_stderr, clippy::print_stdout)]

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use asp_check::{Files, check};

const USAGE: &str = "Usage: asp-check DIR

Checks the proof that `asp --proof=DIR` wrote, and says what it certifies about the
ground program DIR/program.aspif. Whether that is the ground program of the text from
which it was made is not checked.

Exit codes: 0 certified, 1 rejected, 64 wrong usage, 74 this could not be printed.";

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [dir] = arguments.as_slice() else {
        // There is nobody left to tell.
        let _ = writeln!(std::io::stderr(), "{USAGE}");
        return ExitCode::from(64);
    };
    if dir == "--help" || dir == "-h" {
        return print(USAGE, ExitCode::SUCCESS);
    }
    match Files::read(Path::new(dir)).and_then(|files| check(&files)) {
        Ok(certified) => print(&certified.to_string(), ExitCode::SUCCESS),
        Err(why) => print(&format!("Not certified: {why}"), ExitCode::from(1)),
    }
}

/// Prints the outcome; a reader that has gone is no error.
fn print(text: &str, code: ExitCode) -> ExitCode {
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(why) if why.kind() != std::io::ErrorKind::BrokenPipe => ExitCode::from(74),
        _ => code,
    }
}
