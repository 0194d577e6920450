//! Compares recorded runs of clingo with the binary: all of standard output and the exit code.
//!
//! `tests/golden/cases.txt` lists the invocations, `tests/golden/record.py` records them. Times and the program's name
//! are masked; atoms of one answer set are compared as a set, and the flags of a case say what else may differ. Cases
//! marked `own` use options that clingo does not have: their output is kept in `own.txt`, which `ASP_UPDATE=1 cargo
//! test --test cli golden` rewrites.

use crate::support::update;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

fn folder() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "golden"].iter().collect()
}

struct Case {
    name: String,
    flags: String,
    arguments: Vec<String>,
}

impl Case {
    fn has(&self, flag: &str) -> bool {
        self.flags.split(' ').any(|f| f == flag)
    }

    fn run(&self) -> Output {
        let child = Command::new(env!("CARGO_BIN_EXE_asp"))
            .args(&self.arguments)
            .current_dir(folder().join("programs"))
            .env_remove("ASP_PATH")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        if self.has("int") {
            std::thread::sleep(std::time::Duration::from_millis(700));
            let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
            assert!(status.success());
        }
        child.wait_with_output().unwrap()
    }
}

fn cases() -> Vec<Case> {
    let text = fs::read_to_string(folder().join("cases.txt")).unwrap();
    let lines = text.lines().filter(|l| !l.is_empty() && !l.starts_with('#'));
    lines
        .map(|line| {
            let parts: Vec<&str> = line.splitn(3, '|').map(str::trim).collect();
            Case {
                name: parts[0].to_string(),
                flags: parts[1].to_string(),
                arguments: parts[2].split(' ').map(str::to_string).collect(),
            }
        })
        // Windows has no such signal.
        .filter(|case| cfg!(unix) || !case.has("int"))
        .collect()
}

/// Exit code and standard output of a recorded case.
fn recorded(case: &Case) -> (i32, String) {
    let name = &case.name;
    let file = if case.has("own") { "own.txt" } else { "recorded.txt" };
    let text = fs::read_to_string(folder().join(file)).unwrap_or_default();
    let mark = format!("=== {name}: exit ");
    let start = text.find(&mark).unwrap_or_else(|| panic!("{name} is not in {file}"));
    let rest = &text[start + mark.len()..];
    let rest = &rest[..rest.find("\n=== ").map_or(rest.len(), |i| i + 1)];
    let (code, output) = rest.split_once('\n').unwrap();
    (code.parse().unwrap(), output.to_string())
}

/// Replaces every number with two or three decimals by `T`.
fn mask_times(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::new();
    let mut i = 0;
    let digits = |mut i: usize| {
        let start = i;
        while bytes.get(i).is_some_and(u8::is_ascii_digit) {
            i += 1;
        }
        i - start
    };
    while i < bytes.len() {
        let whole = digits(i);
        if whole > 0 {
            let fraction = if bytes.get(i + whole) == Some(&b'.') { digits(i + whole + 1) } else { 0 };
            if fraction == 2 || fraction == 3 {
                out.push('T');
                i += whole + 1 + fraction;
            } else {
                out.push_str(&text[i..i + whole]);
                i += whole;
            }
        } else {
            let c = text[i..].chars().next().unwrap();
            out.push(c);
            i += c.len_utf8();
        }
    }
    out
}

/// A line with its blank-separated parts sorted (blanks inside strings do not matter: both sides are treated alike).
fn sorted_words(line: &str, separator: &str) -> String {
    let mut words: Vec<&str> = line.split(separator).collect();
    words.sort_unstable();
    words.join(separator)
}

/// Text output with permitted differences masked.
fn normalize_text(text: &str, flags: &str, verbose: bool) -> Vec<String> {
    if flags.contains("lines") {
        let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
        lines.sort();
        return lines;
    }
    let mut lines: Vec<String> = Vec::new();
    let mut answers: Vec<String> = Vec::new();
    let mut input = text.lines().peekable();
    let mut place = None;
    let mut counters = false;
    while let Some(line) = input.next() {
        let plain = line.trim_start_matches("% ");
        if flags.contains("table") && is_of_table(line) {
            continue;
        }
        if counters && plain.contains(':') {
            let key = plain.split(':').next().unwrap_or_default().trim_end();
            if !["  Choice", "Disjunctions", "Equivalences"].contains(&key) {
                lines.push(key.to_string());
            }
            continue;
        }
        counters |= flags.contains("stats") && plain.starts_with("CPU Time");
        if verbose && plain.starts_with("Answer: ") {
            let comment = input.peek().is_some_and(|l| *l == "ANSWER");
            let mut block = vec![if flags.contains("steps") || flags.contains("set") {
                "Answer: N (Time: T)".to_string()
            } else {
                line.to_string()
            }];
            if comment {
                block.push(input.next().unwrap().to_string());
            }
            let bare = |l: &str| {
                ["Consequences", "% Consequences", "Optimization", "COST", "Answer: "]
                    .iter()
                    .any(|k| l.starts_with(k))
            };
            if input.peek().is_some_and(|l| !bare(l)) {
                block.push(sorted_words(input.next().unwrap(), " "));
            }
            while input.peek().is_some_and(|l| bare(l) && !l.starts_with("Answer: ")) {
                let line = input.next().unwrap();
                let steps = flags.contains("steps") && line.contains("Consequences");
                block.push(if steps { "Consequences".to_string() } else { line.to_string() });
            }
            place.get_or_insert(lines.len());
            answers.push(block.join("\n"));
        } else if flags.contains("steps")
            && (plain.starts_with("Models ") || plain.starts_with("Progression"))
        {
            if plain.starts_with("Models ") {
                lines.push("Models: N".to_string());
            }
        } else if !verbose {
            answers.push(sorted_words(line, " "));
            place = Some(0);
        } else {
            lines.push(line.to_string());
        }
    }
    if flags.contains("set") {
        answers.sort();
    }
    let place = place.unwrap_or(0);
    lines.splice(place..place, answers);
    lines
}

/// Whether a line belongs to the table of its search that clingo prints with `-V3`.
fn is_of_table(line: &str) -> bool {
    ["-----", "ID:T ", "       #free", " 0:"].iter().any(|start| line.starts_with(start))
}

/// JSON output with permitted differences masked.
fn normalize_json(text: &str, flags: &str) -> Vec<String> {
    let mut value: serde_json::Value = serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}:\n{text}"));
    mask_json(&mut value, flags);
    let text = serde_json::to_string_pretty(&value).unwrap();
    text.lines().map(str::to_string).collect()
}

fn mask_json(value: &mut serde_json::Value, flags: &str) {
    use serde_json::Value;
    match value {
        Value::Object(members) => {
            for (key, member) in members.iter_mut() {
                match key.as_str() {
                    "Start" | "Stop" | "Total" | "Solve" | "Model" | "Unsat" | "CPU" => {
                        *member = Value::from("T")
                    }
                    "Winner" | "seconds" => *member = Value::from("N"),
                    "Stats" if flags.contains("stats") => mask_counters(member),
                    "Time" if member.is_number() => *member = Value::from("T"),
                    "Number" | "Open" | "True" if flags.contains("steps") => *member = Value::from("N"),
                    "Value" => {
                        if let Value::Array(atoms) = member {
                            atoms.sort_by_key(ToString::to_string);
                        }
                    }
                    "Witnesses" => {
                        mask_json(member, flags);
                        if let (Value::Array(all), true) = (&mut *member, flags.contains("set")) {
                            all.sort_by_key(ToString::to_string);
                        }
                    }
                    _ => mask_json(member, flags),
                }
            }
        }
        Value::Array(members) => members.iter_mut().for_each(|m| mask_json(m, flags)),
        _ => {}
    }
}

/// Keeps the names of counters that both systems have.
fn mask_counters(value: &mut serde_json::Value) {
    use serde_json::Value;
    match value {
        Value::Object(members) => {
            for key in ["Choice", "Disjunctions", "Equivalences", "NonHcfs", "NonHcfGammas"] {
                members.shift_remove(key);
            }
            members.values_mut().for_each(mask_counters);
        }
        Value::Array(members) => members.iter_mut().for_each(mask_counters),
        Value::Number(_) => *value = Value::from("N"),
        _ => {}
    }
}

/// JSON lines, each with permitted differences masked.
fn normalize_json_lines(text: &str, flags: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let mut value: serde_json::Value =
            serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        mask_json(&mut value, flags);
        if flags.contains("set") {
            value.as_object_mut().unwrap().shift_remove("number");
        }
        if let Some(atoms) = value.get_mut("atoms").and_then(serde_json::Value::as_array_mut) {
            atoms.sort_by_key(ToString::to_string);
        }
        lines.push(value.to_string());
    }
    if flags.contains("set") {
        lines.sort();
    }
    lines
}

fn normalize(output: &str, case: &Case) -> Vec<String> {
    let program = output.replace("clingo version 5.8.3", "PROGRAM");
    let program = program.replace(&format!("asp version {}", env!("CARGO_PKG_VERSION")), "PROGRAM");
    if program.starts_with('{') && case.arguments.iter().any(|a| a == "--outf=2") {
        return normalize_json(&program, &case.flags);
    }
    if case.arguments.iter().any(|a| a == "--outf=jsonl") {
        return normalize_json_lines(&program, &case.flags);
    }
    let verbose = !case.arguments.iter().any(|a| a == "-V0" || a == "--verbose=0");
    let mut program = mask_times(&program);
    if let Some(at) = program.find("(Winner: ") {
        program.replace_range(at + 9..at + 10, "N");
    }
    normalize_text(&program, &case.flags, verbose)
}

/// Runs a case; returns the difference from the record, if there is one.
fn difference(case: &Case) -> Option<String> {
    let (code, expected) = recorded(case);
    let run = case.run();
    let output = String::from_utf8(run.stdout).unwrap();
    let messages = String::from_utf8_lossy(&run.stderr);
    let (got, want) = (normalize(&output, case), normalize(&expected, case));
    if run.status.code() == Some(code) && got == want {
        let silent = (code == 1 || code == 65) && messages.is_empty();
        return silent.then(|| format!("--- {}: no message", case.name));
    }
    Some(format!(
        "--- {}: asp {}\nexit {:?}, should be {code}\n{}\n--- should be\n{}\n--- messages\n{messages}",
        case.name,
        case.arguments.join(" "),
        run.status.code(),
        got.join("\n"),
        want.join("\n"),
    ))
}

/// Records the output of our own cases.
fn update_own(cases: &[Case]) {
    let mut text = String::new();
    for case in cases.iter().filter(|c| c.has("own")) {
        let run = case.run();
        let code = run.status.code().unwrap();
        text.push_str(&format!("=== {}: exit {code}\n{}", case.name, String::from_utf8(run.stdout).unwrap()));
    }
    update::write(folder().join("own.txt"), text);
}

#[test]
fn recorded_runs_of_clingo() {
    let cases = cases();
    assert!(cases.len() >= 80, "{} cases", cases.len());
    if update::is_wanted() {
        update_own(&cases);
    }
    let only = std::env::var("GOLDEN_CASE").ok();
    let chosen: Vec<&Case> = cases.iter().filter(|c| only.as_ref().is_none_or(|o| *o == c.name)).collect();
    let failures = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    // Runs that wait for a limit or a signal do not delay the others.
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some(case) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Some(text) = difference(case) {
                        failures.lock().unwrap().push(text);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{} of {} differ\n{}", failures.len(), cases.len(), failures.join("\n\n"));
}
