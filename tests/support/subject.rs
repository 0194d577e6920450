//! The system under test: the binary, with JSON output.

use super::outcome::{Mode, Model, Outcome};
use super::spawn::{self, Run};
use serde_json::Value;
use std::time::{Duration, Instant};

/// Runs the binary on a program from standard input, in the folder of the corpus; kills it after `limit`.
pub fn run(program: &str, arguments: &[&str], limit: Duration) -> Run {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus");
    let mut child = spawn::start(spawn::command(arguments).current_dir(folder), program);
    let (mut out, mut err) = (child.stdout.take().expect("piped"), child.stderr.take().expect("piped"));
    let stdout = std::thread::spawn(move || std::io::read_to_string(&mut out).unwrap_or_default());
    let stderr = std::thread::spawn(move || std::io::read_to_string(&mut err).unwrap_or_default());
    let start = Instant::now();
    let code = loop {
        if let Some(status) = child.try_wait().expect("the binary can be waited for") {
            break status.code();
        }
        if start.elapsed() > limit {
            let _ = child.kill();
            let _ = child.wait();
            break None;
        }
        std::thread::sleep(Duration::from_micros(300));
    };
    Run { code, stdout: stdout.join().expect("no panic"), stderr: stderr.join().expect("no panic") }
}

/// The binary's outcome for a program.
pub fn solve(program: &str, mode: Mode, limit: usize) -> Outcome {
    let count = (limit + 1).to_string();
    let mut arguments = vec!["--outf=2", "--warn=none"];
    arguments.extend(mode.arguments());
    if mode.arguments()[0] == "0" && mode.counts() {
        arguments.retain(|a| *a != "0");
        arguments.push(&count);
    }
    let run = run(program, &arguments, Duration::from_secs(20));
    let Some(code) = run.code else { return Outcome::Unfinished };
    if code == 65 {
        return Outcome::Rejected(run.stderr);
    }
    let Ok(json) = serde_json::from_str::<Value>(&run.stdout) else {
        return Outcome::Rejected(format!("exit code {code}, no JSON: {}{}", run.stdout, run.stderr));
    };
    let mut models = witnesses(&json);
    if mode.counts() && models.len() > limit {
        return Outcome::TooMany;
    }
    if let Some(optimal) = json["Models"]["Optimal"].as_u64() {
        let first = models.len().saturating_sub(optimal as usize);
        models[first..].iter_mut().for_each(|m| m.optimal = true);
    }
    mode.select(models.into_iter())
}

/// The models of the last call.
fn witnesses(json: &Value) -> Vec<Model> {
    let call = json["Call"].as_array().and_then(|c| c.last());
    let list = call.and_then(|c| c["Witnesses"].as_array()).map_or(&[][..], Vec::as_slice);
    let strings = |v: &Value| {
        let list = v.as_array().map_or(&[][..], Vec::as_slice);
        list.iter().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    list.iter()
        .map(|w| Model {
            shown: strings(&w["Value"]),
            costs: w["Costs"].as_array().map_or(Vec::new(), |c| c.iter().filter_map(Value::as_i64).collect()),
            optimal: false,
        })
        .collect()
}
