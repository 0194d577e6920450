//! The binary under test, with a text on its standard input.
//!
//! Tests that need nothing else of this folder include this file alone.
#![allow(dead_code, unreachable_pub)]

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// What a run of the binary gave.
#[derive(Debug)]
pub struct Run {
    /// Its exit code, `None` if it was killed.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

/// The binary, with pipes for its input, output and messages.
pub fn command<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_asp"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Starts the binary on a text, which is all that it gets to read.
pub fn start(command: &mut Command, input: &str) -> Child {
    let mut child = command.spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_owned();
    // At once for the child's sake; in a thread, for its answer may fill a pipe before it has read everything. It may
    // also end before that.
    std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    child
}

fn end(child: Child) -> Run {
    let output = child.wait_with_output().expect("the binary ends");
    Run {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("output is UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("messages are UTF-8"),
    }
}

/// Runs the binary on a text.
pub fn run<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>, input: &str) -> Run {
    end(start(&mut command(arguments), input))
}

/// Runs the binary in a folder.
pub fn run_in<A: AsRef<OsStr>>(folder: &Path, arguments: impl IntoIterator<Item = A>, input: &str) -> Run {
    end(start(command(arguments).current_dir(folder), input))
}

/// The words of a command line.
pub fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(' ').filter(|a| !a.is_empty())
}
