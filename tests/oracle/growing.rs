//! Growing programs as aspif: clasp takes every step and finds the same answer sets.
//!
//! `ASP_RANDOM_SEED` and `ASP_RANDOM_COUNT` choose others.

use crate::support::growing::{Step, steps};
use crate::support::hunt::number;
use crate::support::oracle::clingo;
use crate::support::spawn;
use asp::{Control, GroundFormat};

/// What is written of a program's steps as aspif, read by clasp and by asp: what they print of each step, sorted.
fn written(steps: &[Step]) -> [Vec<Vec<String>>; 2] {
    let (mut control, mut bytes) = (Control::new(), Vec::new());
    let mut writer = control.ground_writer(GroundFormat::Aspif);
    for (number, step) in steps.iter().enumerate() {
        control.add(&format!("#program s{number}.\n{}\n", step.rules.join("\n")));
        control.ground_parts(&[(&format!("s{number}"), Vec::new())]).expect("a valid program");
        control.write_ground(&mut writer, &mut bytes).expect("memory");
    }
    let text = String::from_utf8(bytes).expect("text");
    let text = text.replacen("asp 1 0 0", "asp 1 0 0 incremental", 1);
    let clasp = clingo(&["--mode=clasp", "0", "-V1", "--eq=0"], &text);
    [clasp, spawn::run(["0", "-V1"], &text).stdout].map(|printed| {
        let calls = printed.split("Solving...\n").skip(1);
        let sorted = |call: &str| {
            let (mut answers, mut lines) = (Vec::new(), call.lines());
            while let Some(line) = lines.next() {
                if line.starts_with("Answer:") {
                    let mut atoms: Vec<&str> = lines.next().unwrap_or_default().split(' ').collect();
                    atoms.sort_unstable();
                    answers.push(atoms.join(" "));
                }
            }
            answers.sort_unstable();
            // Without preprocessing, clasp finds some answer sets of programs with disjunctions twice.
            answers.dedup();
            answers
        };
        calls.map(sorted).collect()
    })
}

/// Clasp takes what is written of a growing program.
#[test]
#[ignore = "needs clingo"]
fn clasp_reads_what_is_written_of_steps() {
    let (first, count) = (number("ASP_RANDOM_SEED", 0), number("ASP_RANDOM_COUNT", 200));
    let mut answers = 0;
    for seed in first..first + count {
        let steps = steps(seed, false);
        // To clasp an atom stays external if a constraint that was read before denies it or the bodies of its rules.
        let denies = steps.iter().flat_map(|step| &step.rules).any(|rule| {
            let (head, body) = rule.split_once(" :- ").unwrap_or_default();
            head.is_empty() || body.contains(&format!("not {head}"))
        });
        if denies && steps.iter().any(|step| !step.again.is_empty()) {
            continue;
        }
        // Atoms that get rules in two steps are an error, unless their value is known.
        let mut again: Vec<&String> = steps.iter().flat_map(|step| &step.again).collect();
        again.sort_unstable();
        if again.windows(2).any(|pair| pair[0] == pair[1]) {
            continue;
        }
        let [clasp, mut own] = written(&steps);
        // Clasp ends with a step that leaves no answer set to later ones.
        if clasp.last().is_some_and(Vec::is_empty) {
            own.truncate(clasp.len());
        }
        assert_eq!(clasp, own, "seed {seed}: {steps:#?}");
        assert!(!own.is_empty(), "seed {seed}");
        answers += own.iter().map(Vec::len).sum::<usize>();
    }
    assert!(answers as u64 > count, "{answers}");
}
