//! The time for many answer sets, compared with clingo's.

use crate::support::exchange::LATIN;
use crate::support::oracle::python;
use std::process::Command;

/// At most a fifth of clingo's time, even in a debug build.
#[test]
#[ignore = "needs clingo"]
fn printing_latin_squares_takes_a_fifth_of_the_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("latin.lp");
    std::fs::write(&path, LATIN).unwrap();
    let seconds = |command: &str| {
        let script =
            format!("TIMEFORMAT='%U %S'; time {command} {} 0 2>/dev/null | cat >/dev/null", path.display());
        let output = Command::new("bash").args(["-c", &script]).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        text.split_whitespace().map(|n| n.replace(',', ".").parse::<f64>().unwrap()).sum::<f64>()
    };
    let ours = seconds(env!("CARGO_BIN_EXE_asp"));
    let record = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/record.py");
    let theirs = seconds(&format!("{} {record} --become", python()));
    eprintln!("161,280 answer sets into a pipe: {ours:.2} s, clingo {theirs:.2} s");
    assert!(theirs > 5.0 * ours, "{ours:.2} s, clingo {theirs:.2} s");
}
