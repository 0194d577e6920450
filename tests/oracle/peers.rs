//! The ground formats between this system and others: what `gringo` writes is solved here, and what is written here is
//! solved by `clasp`, with the same answer sets. clingo's modes replace systems that are not installed.

use crate::support::exchange::{
    INCREMENTAL, OPTIMISING, PROGRAMS, STEPS, answers, asp, costs, ground, solved_here,
};
use crate::support::{oracle, spawn};
use std::process::Command;

/// What another system prints.
fn peer(name: &str, arguments: &[&str], input: &str) -> String {
    if Command::new(name).arg("--version").output().is_err() {
        return oracle::clingo(&[&[format!("--mode={name}").as_str()], arguments].concat(), input);
    }
    spawn::finish(spawn::piped(name).args(arguments), input).stdout
}

/// The output of `clasp` for a ground program, with all answer sets.
fn clasp(ground: &str) -> String {
    // Edges and heuristics are named atoms in smodels format, which clasp prints too.
    let printed = peer("clasp", &["0", "--parse-ext"], ground);
    let shown = |word: &&str| !word.starts_with("_edge(") && !word.starts_with("_heuristic(");
    let line = |line: &str| line.split(' ').filter(shown).collect::<Vec<_>>().join(" ") + "\n";
    printed.lines().map(line).collect()
}

#[test]
#[ignore = "needs clingo"]
fn what_gringo_writes_is_solved_here() {
    let texts: Vec<_> = ground().map(|program| (program, peer("gringo", &["-"], program))).collect();
    solved_here(&texts);
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
                // Smodels format cannot express everything.
                assert!(format == "smodels", "{program}");
                refused += 1;
                continue;
            }
            let output = clasp(&ground);
            let mut expected = expected.clone();
            if format == "smodels" {
                // There are no open externals there.
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
