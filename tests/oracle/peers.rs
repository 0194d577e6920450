//! The ground formats that are written here, solved by `clasp` (where it is not installed, by clingo in its mode), with
//! the same answer sets; what is read here is in `tests/language/peers.rs`.

use crate::support::exchange::{INCREMENTAL, OPTIMISING, PROGRAMS, STEPS, answers, costs};
use crate::support::oracle::clingo;
use crate::support::spawn;
use std::process::Command;

fn asp(arguments: &[&str], input: &str) -> String {
    spawn::run(arguments, input).stdout
}

/// What `clasp` says of a ground program, with all answer sets.
fn clasp(ground: &str) -> String {
    let mut command = Command::new("clasp");
    command.arg("0").stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    match command.spawn() {
        Ok(mut child) => {
            let mut stdin = child.stdin.take().expect("a pipe");
            std::io::Write::write_all(&mut stdin, ground.as_bytes()).expect("clasp reads its input");
            drop(stdin);
            let output = child.wait_with_output().expect("clasp ends");
            String::from_utf8(output.stdout).expect("output is UTF-8")
        }
        Err(_) => clingo(&["--mode=clasp", "0"], ground),
    }
}

#[test]
#[ignore = "needs clingo"]
fn clasp_solves_what_is_written_here() {
    let mut refused = 0;
    for program in PROGRAMS {
        let expected = answers(&asp(&["0"], program));
        for format in ["intermediate", "smodels"] {
            let ground = asp(&["--output", format], program);
            if ground.is_empty() {
                // Smodels format has no edges; it is refused.
                assert!(format == "smodels", "{program}");
                refused += 1;
                continue;
            }
            let output = clasp(&ground);
            let mut expected = expected.clone();
            if format == "smodels" {
                // Nothing external is left open there.
                expected.1.clone_from(&answers(&output).1);
            }
            assert_eq!(answers(&output), expected, "{format} of {program}\n{ground}");
        }
    }
    assert!(refused < 3, "{refused} programs are not written");
    for program in OPTIMISING {
        let ground = asp(&["--output=intermediate"], program);
        let output = clasp(&ground);
        assert!(costs(&output).is_some());
        assert_eq!(costs(&output), costs(&asp(&["0"], program)), "{program}\n{ground}");
    }
}

#[test]
#[ignore = "needs clingo"]
fn clasp_solves_each_step() {
    assert_eq!(answers(&clasp(STEPS)), answers(&asp(&["--mode=clasp", "0"], STEPS)));
    let ground = asp(&["--output=intermediate"], INCREMENTAL);
    assert_eq!(answers(&clasp(&ground)), answers(&asp(&["0"], INCREMENTAL)), "{ground}");
}
