//! Cubes: what their runs come to together is what one run finds, whatever gets lost or comes twice on the way.
//!
//! `ASP_RANDOM_SEED` and `ASP_RANDOM_COUNT` replace the first seed and the number of programs.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use asp_base::rng::Rng;
use serde_json::Value;

use crate::support::hunt::number;
use crate::support::records::{profiles, subject};
use crate::support::spawn::{Run, run_in};

/// What is asked, and the options that ask it.
const QUESTIONS: &[(&str, &[&str])] = &[
    ("models", &["0"]),
    ("models", &["0", "--project=show"]),
    ("models", &["0", "--opt-mode=ignore"]),
    ("opt", &["0"]),
    ("opt", &["0", "--opt-strategy=usc"]),
    ("optN", &["0", "--opt-mode=optN"]),
    ("brave", &["--enum-mode=brave", "--opt-mode=ignore"]),
    ("cautious", &["--enum-mode=cautious", "--opt-mode=ignore"]),
];

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"))
}

/// How often each answer set was printed; of consequences the last one alone.
fn witnesses(witnesses: &Value, only_last: bool) -> BTreeMap<Vec<String>, u32> {
    let shown = |w: &Value| {
        let mut shown: Vec<String> = w["Value"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|t| t.as_str().map(String::from))
            .collect();
        shown.sort();
        shown
    };
    let all: Vec<&Value> =
        witnesses.as_array().into_iter().flatten().filter(|w| w.get("Lower").is_none()).collect();
    let mut counts = BTreeMap::new();
    for witness in all.iter().skip(if only_last { all.len().saturating_sub(1) } else { 0 }) {
        *counts.entry(shown(witness)).or_insert(0) += 1;
    }
    counts
}

struct Trial<'a> {
    folder: &'a Path,
    question: &'static str,
    options: &'a [&'static str],
    what: String,
}

impl Trial<'_> {
    fn run(&self, arguments: &[&str]) -> Run {
        let run = run_in(self.folder, arguments.iter().chain(["--warn=none"].iter()), "");
        assert!(!matches!(run.code, None | Some(101)), "{}\n{}", self.what, run.stderr);
        run
    }

    /// Cubes to a file; how many there are.
    fn split(&self, number: u64, cube: &[&str], to: &str) -> usize {
        let wanted = number.to_string();
        let run = self.run(&[&["cubes", "-n", &wanted, "p.lp"], self.options, cube].concat());
        let cubes = run.stdout.lines().count() - 1;
        assert_eq!(run.code, Some(if cubes == 0 { 20 } else { 0 }), "{}\n{}", self.what, run.stderr);
        assert!(cubes <= number as usize);
        fs::write(self.folder.join(to), run.stdout).unwrap();
        cubes
    }

    /// The result of a cube to a file.
    fn solve(&self, cube: &str, bounds: bool, to: &str) {
        let cube = format!("--cube={cube}");
        let bound = if bounds { &["--bound-file=bounds"][..] } else { &[] };
        let run = self.run(&[&["p.lp", "--outf=2", &cube], self.options, bound].concat());
        fs::write(self.folder.join(to), run.stdout).unwrap();
    }

    fn merge(&self, cubes: &[&str], results: &[String], bounds: bool) -> Value {
        let results: Vec<&str> = results.iter().map(String::as_str).collect();
        let bounds = if bounds { &["--bound-file=bounds"][..] } else { &[] };
        let run =
            self.run_alone(&[&["merge"], cubes, bounds, &["--format=json", "--results"], &results].concat());
        json(&run.stdout)
    }

    fn run_alone(&self, arguments: &[&str]) -> Run {
        let run = run_in(self.folder, arguments, "");
        assert!(matches!(run.code, Some(0 | 10 | 20 | 30)), "{}\n{}", self.what, run.stderr);
        run
    }

    /// Whether what was merged is what one run found.
    fn check(&self, merged: &Value, whole: &Value) {
        let what = format!("{}\nmerged: {merged:#}\nwhole: {whole:#}", self.what);
        assert_eq!(merged["Exact"], true, "{what}");
        assert_eq!(merged["Result"], whole["Result"], "{what}");
        if whole["Result"] == "UNSATISFIABLE" {
            return;
        }
        let calls = whole["Call"].as_array().unwrap();
        let found = &calls.last().unwrap()["Witnesses"];
        let only_last = self.question == "brave" || self.question == "cautious";
        match self.question {
            "models" | "brave" | "cautious" => {
                assert_eq!(witnesses(&merged["Witnesses"], false), witnesses(found, only_last), "{what}");
                if !only_last {
                    assert_eq!(merged["Models"], whole["Models"]["Number"], "{what}");
                }
            }
            _ => {
                assert_eq!(merged["Costs"], whole["Models"]["Costs"], "{what}");
                assert_eq!(merged["Lower"], Value::Null, "{what}");
                if self.question == "optN" && whole["Models"].get("Optimal").is_some() {
                    assert_eq!(merged["Models"], whole["Models"]["Optimal"], "{what}");
                }
            }
        }
    }
}

#[test]
fn cubes_come_to_what_one_run_finds() {
    let (first, count) = (number("ASP_RANDOM_SEED", 0), number("ASP_RANDOM_COUNT", 60));
    let profiles = profiles();
    let folder = tempfile::tempdir().unwrap();
    let mut compared = 0;
    for seed in first..first + count {
        let mut rng = Rng::new(seed);
        let profile = &profiles[rng.below(profiles.len() as u64) as usize].0;
        let program = subject(profile, seed).program;
        let (question, options) = QUESTIONS[rng.below(QUESTIONS.len() as u64) as usize];
        let folder = folder.path();
        fs::write(folder.join("p.lp"), &program).unwrap();
        let what = format!("seed {seed}, {options:?}:\n{program}");
        let mut trial = Trial { folder, question, options, what };
        // Programs that are refused, and those with too many answer sets, have no place here.
        let probe = trial.run(&[&["p.lp", "--outf=2", "--time-limit=5"], options].concat());
        let Ok(whole) = serde_json::from_str::<Value>(&probe.stdout) else { continue };
        let many = whole["Models"]["Number"].as_u64().is_none_or(|n| n > 2000);
        if probe.code == Some(65) || probe.code.is_some_and(|c| c & 1 == 1) || many {
            continue;
        }
        // Without an objective, `opt` finds answer sets.
        let has_costs = whole["Models"].get("Costs").is_some();
        trial.question = match question {
            "models" if has_costs => "opt",
            // Without an objective, these find answer sets.
            "opt" | "optN" if !has_costs && whole["Result"] != "UNSATISFIABLE" => "models",
            _ => question,
        };
        let question = trial.question;
        compared += 1;
        let _ = fs::remove_file(folder.join("bounds"));
        let asks_for_one = !options.contains(&"--opt-mode=optN") && !options.contains(&"--opt-mode=ignore");
        let bounds = question == "opt" && asks_for_one && rng.chance(0.5);
        let cubes = trial.split(1 + rng.below(7), &[], "cubes");
        let mut results = Vec::new();
        let mut lost = None;
        for id in 1..=cubes {
            let to = format!("{id}.json");
            trial.solve(&format!("{id}@cubes"), bounds, &to);
            match rng.below(6) {
                // Lost, or cut off while it was written.
                0 if lost.is_none() => lost = Some(id),
                1 if lost.is_none() => {
                    let text = fs::read(folder.join(&to)).unwrap();
                    fs::write(folder.join("cut.json"), &text[..text.len() / 2]).unwrap();
                    results.push("cut.json".to_string());
                    lost = Some(id);
                }
                // Twice.
                2 => {
                    trial.solve(&format!("{id}@cubes"), bounds, &format!("{id}-again.json"));
                    results.extend([to, format!("{id}-again.json")]);
                }
                _ => results.push(to),
            }
        }
        let Some(lost) = lost else {
            trial.check(&trial.merge(&["cubes"], &results, bounds), &whole);
            continue;
        };
        let merged = trial.merge(&["cubes"], &results, bounds);
        let what = format!("{}\n{merged:#}", trial.what);
        assert_eq!(merged["Exact"], false, "{what}");
        assert_ne!(merged["Result"], "UNSATISFIABLE", "{what}");
        assert_ne!(merged["Result"], "OPTIMUM FOUND", "{what}");
        assert_eq!(merged["Cubes"]["Open"][0], lost.to_string(), "{what}");
        if question == "models" {
            assert!(merged["Models"].as_u64() <= whole["Models"]["Number"].as_u64(), "{what}");
        }
        // What was lost is split again.
        let cube = format!("--cube={lost}@cubes");
        let parts = trial.split(1 + rng.below(4), &[&cube], "parts");
        for part in 1..=parts {
            let to = format!("{lost}.{part}.json");
            trial.solve(&format!("{lost}.{part}@parts"), bounds, &to);
            results.push(to);
        }
        trial.check(&trial.merge(&["cubes", "parts"], &results, bounds), &whole);
    }
    eprintln!("cubes: {compared} of {count} random programs compared");
    assert!(2 * compared >= count, "{compared} of {count}");
}
