//! The binary under test, or another program, with a text on its standard input.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// The results of a run of the binary.
#[derive(Debug)]
pub struct Run {
    /// Its exit code, `None` if it was killed.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

/// A temporary folder with some files, by name and text.
pub fn folder_with(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    folder
}

/// The answer sets that the binary has printed: the lines after `Answer:` lines.
pub fn answers(stdout: &str) -> Vec<&str> {
    let lines: Vec<&str> = stdout.lines().collect();
    lines.windows(2).filter(|w| w[0].starts_with("Answer: ")).map(|w| w[1]).collect()
}

/// A program with pipes for its input, output and messages.
pub fn piped(program: &str) -> Command {
    let mut command = Command::new(program);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The binary, with pipes.
pub fn command<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Command {
    let mut command = piped(env!("CARGO_BIN_EXE_asp"));
    // No test depends on the Python of the machine.
    command.args(arguments).env("ASP_PYTHON", "no-such-python");
    command
}

/// Starts a program with a text as its whole input.
pub fn start(command: &mut Command, input: &str) -> Child {
    let mut child = command.spawn().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_owned();
    // In a thread, as the child's output may fill a pipe before it has read everything. It may also end before that.
    std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    child
}

/// After so long a program is killed: it hangs.
const HANGS: Duration = Duration::from_secs(400);

/// Waits for the end of a program, at most [`HANGS`].
pub fn wait(child: Child) -> Output {
    let id = child.id().to_string();
    let (ended, wait) = mpsc::channel::<()>();
    let watch = std::thread::spawn(move || {
        if wait.recv_timeout(HANGS) == Err(mpsc::RecvTimeoutError::Timeout) {
            eprintln!("process {id} is killed after {} s", HANGS.as_secs());
            let _ = Command::new("kill").args(["-9", &id]).status();
        }
    });
    let output = child.wait_with_output().expect("the program ends");
    drop(ended);
    let _ = watch.join();
    output
}

/// Runs a program on a text.
pub fn finish(command: &mut Command, input: &str) -> Run {
    let output = wait(start(command, input));
    Run {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("output is UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("messages are UTF-8"),
    }
}

/// Runs the binary on a text.
pub fn run<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>, input: &str) -> Run {
    finish(&mut command(arguments), input)
}

/// Runs the binary in a folder.
pub fn run_in<A: AsRef<OsStr>>(folder: &Path, arguments: impl IntoIterator<Item = A>, input: &str) -> Run {
    finish(command(arguments).current_dir(folder), input)
}

/// The words of a command line.
pub fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(' ').filter(|a| !a.is_empty())
}
