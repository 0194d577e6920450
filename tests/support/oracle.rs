//! Clingo behind a pipe, where it is installed (`ASP_ORACLE_PYTHON` names a Python that has it).

use super::outcome::{Mode, Outcome};
use super::spawn;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The Python that has clingo, for tests that cannot run without it.
pub fn python() -> String {
    std::env::var("ASP_ORACLE_PYTHON")
        .expect("this test needs clingo: ASP_ORACLE_PYTHON=PYTHON, a Python with clingo 5.8.3")
}

/// What clingo's own command line prints.
pub fn clingo(arguments: &[&str], input: &str) -> String {
    let record = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/record.py");
    let mut command = spawn::piped(&python());
    command.args([record, "--become"]).args(arguments);
    spawn::finish(&mut command, input).stdout
}

/// A running oracle.
pub struct Oracle {
    python: String,
    process: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Oracle {
    /// Starts the oracle if it is installed, for tests that also compare with something else.
    pub fn start() -> Option<Oracle> {
        std::env::var("ASP_ORACLE_PYTHON").ok().map(Oracle::spawn)
    }

    /// Starts the oracle, for tests that cannot run without it.
    pub fn required() -> Oracle {
        Oracle::spawn(python())
    }

    fn spawn(python: String) -> Oracle {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/oracle.py");
        let mut process = Command::new(&python)
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("ASP_ORACLE_PYTHON names a Python");
        let stdin = process.stdin.take().expect("piped");
        let stdout = BufReader::new(process.stdout.take().expect("piped"));
        Oracle { python, process, stdin, stdout }
    }

    /// clingo's outcome for a program.
    pub fn solve(&mut self, program: &str, mode: Mode, limit: usize) -> Outcome {
        self.ask(program, mode, mode.arguments(), limit)
    }

    /// The same without preprocessing, which is not always sound: among `c :- not b. {b}. d :- c.` and
    /// `{c} :- not 1 >= #min { 1 : not c }, X = #sum+ { 1 : d }.` it finds an unfounded answer set.
    pub fn solve_plainly(&mut self, program: &str, mode: Mode, limit: usize) -> Outcome {
        let arguments = [mode.arguments(), &["--eq=0", "--sat-prepro=0"]].concat();
        self.ask(program, mode, &arguments, limit)
    }

    fn ask(&mut self, program: &str, mode: Mode, arguments: &[&str], limit: usize) -> Outcome {
        let request = json!({ "args": arguments, "limit": limit });
        let sent = write!(self.stdin, "{} {}\n{}", program.len(), request, program)
            .and_then(|()| self.stdin.flush());
        let mut line = String::new();
        if sent.is_err() || !self.stdout.read_line(&mut line).is_ok_and(|n| n > 0) {
            // It ends by itself if a program takes too long.
            let _ = self.process.wait();
            *self = Oracle::spawn(self.python.clone());
            return Outcome::Unfinished;
        }
        let reply: Value = serde_json::from_str(&line).expect("the oracle writes JSON");
        match reply["status"].as_str() {
            Some("error") => Outcome::Rejected(reply["message"].as_str().unwrap_or_default().to_owned()),
            Some("many") => Outcome::TooMany,
            _ => {
                let models = reply["models"].as_array().expect("a list of models").iter();
                mode.select(models.map(|m| super::outcome::Model {
                    shown: strings(&m[0]),
                    costs:
                        m[1].as_array().map_or(Vec::new(), |c| c.iter().filter_map(Value::as_i64).collect()),
                    optimal: m[2].as_bool() == Some(true),
                }))
            }
        }
    }
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().map_or(Vec::new(), |a| a.iter().filter_map(Value::as_str).map(str::to_owned).collect())
}

impl Drop for Oracle {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
