//! Invalid programs: each is rejected on the line that clingo complains about, with a message under snapshot test.
//!
//! `tests/support/record.py` records the lines (`.lines`); `ASP_UPDATE=1` rewrites the snapshots (`.messages`).

use crate::support::{corpus, subject, update};
use std::time::Duration;

/// The line numbers of the errors in rendered messages: places look like `name:LINE:COLUMN`.
fn lines(messages: &str) -> Vec<u32> {
    let mut out = Vec::new();
    let mut error = false;
    for line in messages.lines() {
        if line.starts_with("error") {
            error = true;
        } else if line.starts_with("warning") || line.starts_with("info") || line.starts_with("note") {
            error = false;
        }
        let Some(place) = line.trim_start().strip_prefix("--> ") else { continue };
        let mut parts = place.rsplit(':');
        let (_column, number) = (parts.next(), parts.next().and_then(|n| n.parse().ok()));
        if let (true, Some(number)) = (error, number) {
            out.push(number);
        }
    }
    out
}

#[test]
fn invalid_programs_are_rejected_with_a_message() {
    let only = std::env::var("ASP_CASE").ok();
    let update = update::is_wanted();
    let (mut failures, mut count) = (0, 0);
    for path in corpus::files("invalid", "lp") {
        let expected_lines =
            std::fs::read_to_string(path.with_extension("lines")).expect("lines are recorded");
        let snapshot_path = path.with_extension("messages");
        let mut snapshot = String::new();
        for case in corpus::read(&path) {
            if only.as_ref().is_some_and(|o| !case.name.contains(o.as_str())) {
                continue;
            }
            count += 1;
            let arguments: Vec<&str> = case.arguments.iter().map(String::as_str).collect();
            let run = subject::run(&case.text, &arguments, Duration::from_secs(20));
            let mut fail = |what: &str| {
                failures += 1;
                eprintln!("== {}: {what}\n{}-- messages:\n{}", case.name, case.text, run.stderr);
            };
            if run.code != Some(65) {
                fail(&format!("exit {:?}, not 65", run.code));
                continue;
            }
            let expected = expected_lines.lines().find_map(|l| l.strip_prefix(&format!("{} ", case.name)));
            let first = expected.and_then(|l| l.split(' ').next()).and_then(|n| n.parse::<u32>().ok());
            let found = lines(&run.stderr);
            // What ends too early is better reported where it starts than at the end of the file.
            let last = case.text.lines().count() as u32;
            if found.is_empty() || first.is_some_and(|line| line <= last && !found.contains(&line)) {
                fail(&format!("error lines {found:?}, not {first:?}"));
            }
            snapshot.push_str(&format!("%%% {}\n{}", case.name, run.stderr));
        }
        if update && only.is_none() {
            update::write(&snapshot_path, &snapshot);
        } else if only.is_none() {
            let recorded = std::fs::read_to_string(&snapshot_path).unwrap_or_default();
            if let Some((old, new)) = recorded.lines().zip(snapshot.lines()).find(|(a, b)| a != b) {
                failures += 1;
                eprintln!("== {}: was\n{old}\nis\n{new}", snapshot_path.display());
            } else if recorded.len() != snapshot.len() {
                failures += 1;
                eprintln!("== {} has other cases (ASP_UPDATE=1 writes it anew)", snapshot_path.display());
            }
        }
    }
    assert_eq!(failures, 0, "of {count} cases");
    assert!(only.is_some() || count >= 150, "{count} cases");
}
