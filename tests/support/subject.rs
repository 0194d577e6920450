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
    let models = witnesses(&json);
    if mode.counts() && models.len() > limit {
        return Outcome::TooMany;
    }
    mode.select(models.into_iter())
}

/// What the binary reported, in either form of JSON.
pub struct Reported {
    /// Answer sets, or the steps towards consequences.
    pub models: Vec<Model>,
    /// The last lower bounds.
    pub lower: Vec<i64>,
    /// Whether nothing is left to be found.
    pub exhausted: bool,
    /// The word for the result.
    pub result: String,
}

/// The reports of a run on a program from standard input; the error is a run without a proper end.
pub fn reported(program: &str, arguments: &[String]) -> Result<Reported, String> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let run = run(program, &arguments, Duration::from_secs(60));
    let broken = |what: &str| format!("{what}: exit code {:?}\n{}{}", run.code, run.stdout, run.stderr);
    let json = |text: &str| serde_json::from_str::<Value>(text).map_err(|e| broken(&e.to_string()));
    let mut reported = if arguments.contains(&"--outf=jsonl") {
        let lines = run.stdout.lines().map(json).collect::<Result<Vec<Value>, String>>()?;
        let (end, lines) = lines.split_last().ok_or_else(|| broken("no summary"))?;
        let mut models: Vec<Model> = lines.iter().map(line_model).collect();
        // The optimal ones are numbered anew.
        let starts = lines.iter().enumerate().filter(|(_, l)| l["number"] == 1).map(|(i, _)| i);
        if let Some(first) = starts.skip(1).last() {
            models[first..].iter_mut().for_each(|m| m.optimal = true);
        }
        Reported {
            models,
            lower: integers(&end["lower"]),
            exhausted: end["more"] == false,
            result: word(&end["result"]),
        }
    } else {
        let json = json(&run.stdout)?;
        let (models, end) = (witnesses(&json), &json["Models"]);
        let lower = integers(&json["Bounds"]["Lower"]);
        Reported { models, lower, exhausted: end["More"] == "no", result: word(&json["Result"]) }
    };
    let found = match reported.result.as_str() {
        "SATISFIABLE" => 10,
        "OPTIMUM FOUND" => {
            reported.models.last_mut().ok_or_else(|| broken("an optimum without an answer set"))?.optimal =
                true;
            10
        }
        _ => 0,
    };
    // The lowest bit tells of an interruption.
    let code = found + if reported.exhausted { 20 } else { 0 };
    if run.code.is_none_or(|c| c & !1 != code) {
        return Err(broken("another exit code"));
    }
    Ok(reported)
}

fn word(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn integers(list: &Value) -> Vec<i64> {
    list.as_array().map_or(&[][..], Vec::as_slice).iter().filter_map(Value::as_i64).collect()
}

/// The answer set of a line.
fn line_model(line: &Value) -> Model {
    let atoms = line["atoms"].as_array().map_or(&[][..], Vec::as_slice);
    Model { shown: atoms.iter().map(term).collect(), costs: integers(&line["costs"]), optimal: false }
}

/// A structured term as text.
fn term(value: &Value) -> String {
    let Some(name) = value["name"].as_str() else { return value.to_string() };
    let args: Vec<String> =
        value["args"].as_array().map_or(&[][..], Vec::as_slice).iter().map(term).collect();
    let sign = if value["negative"] == true { "-" } else { "" };
    match args.as_slice() {
        [] if !name.is_empty() => format!("{sign}{name}"),
        [only] if name.is_empty() => format!("{sign}({only},)"),
        _ => format!("{sign}{name}({})", args.join(",")),
    }
}

/// The models of the last call; those that were known to be optimal come last.
fn witnesses(json: &Value) -> Vec<Model> {
    let call = json["Call"].as_array().and_then(|c| c.last());
    let list = call.and_then(|c| c["Witnesses"].as_array()).map_or(&[][..], Vec::as_slice);
    let strings = |v: &Value| {
        let list = v.as_array().map_or(&[][..], Vec::as_slice);
        list.iter().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    // A witness may be of a lower bound only.
    let list = list.iter().filter(|w| w["Lower"].is_null());
    let model =
        |w: &Value| Model { shown: strings(&w["Value"]), costs: integers(&w["Costs"]), optimal: false };
    let mut models: Vec<Model> = list.map(model).collect();
    if let Some(optimal) = json["Models"]["Optimal"].as_u64() {
        let first = models.len().saturating_sub(optimal as usize);
        models[first..].iter_mut().for_each(|m| m.optimal = true);
    }
    models
}
