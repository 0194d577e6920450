//! The numbers and costs that the programs of the library state, by clingo.

use crate::support::oracle::clingo;
use crate::support::stated::{folder, tests};
use crate::support::values::expanded;
use std::fs::read_to_string;

/// The value of a line `Key : value` of the summary.
fn summary<'a>(stdout: &'a str, key: &str) -> &'a str {
    let line = stdout.lines().find(|l| l.split(':').next().is_some_and(|k| k.trim() == key));
    line.and_then(|l| l.split_once(':')).map_or("none", |(_, value)| value.trim())
}

#[test]
#[ignore = "needs clingo"]
fn clingo_finds_what_the_programs_state() {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (program, text) in folder("programs") {
        for (words, expected) in tests(&text) {
            let (word, value) = expected.split_once(' ').unwrap_or((&expected, ""));
            let options: &[&str] = match word {
                "count" => &["-q", "--opt-mode=optN", "0"],
                "optimum" | "sat" | "unsat" | "steps" => &["-q"],
                _ => continue,
            };
            let mut arguments = vec![format!("programs/{program}")];
            arguments.extend(words.iter().map(|word| match word.strip_suffix(".lp") {
                Some(_) => format!("instances/{word}"),
                None => word.clone(),
            }));
            let mut arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            arguments.extend(options);
            let start = std::time::Instant::now();
            let is_own = text.lines().any(|line| line.contains('$') && !line.starts_with('%'));
            let stdout = if is_own {
                // Values of functions are not clingo's: it gets what they mean.
                let (files, others): (Vec<&str>, Vec<&str>) =
                    arguments.iter().copied().partition(|a| a.ends_with(".lp"));
                let texts = files.iter().map(|file| read_to_string(file).expect("a file of the library"));
                clingo(&others, &expanded(&texts.collect::<Vec<_>>().join("\n")))
            } else {
                clingo(&arguments, "")
            };
            eprintln!("{:.1} s: {arguments:?}", start.elapsed().as_secs_f64());
            let optima = summary(&stdout, "Optimal");
            let found = match word {
                "count" if optima != "none" => optima.to_string(),
                "count" => summary(&stdout, "Models").to_string(),
                "optimum" => summary(&stdout, "Optimization").to_string(),
                "steps" => {
                    summary(&stdout, "Calls").parse().map_or("none".into(), |n: u64| (n - 1).to_string())
                }
                _ => String::new(),
            };
            let status = stdout.lines().find(|l| l.ends_with("SATISFIABLE") || *l == "OPTIMUM FOUND");
            if found != value || (status == Some("UNSATISFIABLE")) != (word == "unsat") || status.is_none() {
                wrong.push(format!("{program} {arguments:?}: {expected}, found {found}, {status:?}"));
            }
            count += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 100, "{count} statements");
}
