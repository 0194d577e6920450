//! `asp-check DIR`: checks a proof that `asp --proof=DIR` wrote.

use std::path::Path;
use std::process::ExitCode;

use asp_check::{Files, check};

const USAGE: &str = "Usage: asp-check DIR

Checks the proof that `asp --proof=DIR` wrote, and says what it certifies about the
ground program DIR/program.aspif. Whether that is the ground program of the text from
which it was made is not checked.

Exit codes: 0 certified, 1 rejected, 64 wrong usage.";

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [dir] = arguments.as_slice() else {
        eprintln!("{USAGE}");
        return ExitCode::from(64);
    };
    if dir == "--help" || dir == "-h" {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    match Files::read(Path::new(dir)).and_then(|files| check(&files)) {
        Ok(certified) => {
            println!("{certified}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            println!("Not certified: {why}");
            ExitCode::from(1)
        }
    }
}
