//! Inputs that fuzzing once found, and every case of the corpora as an input of the same functions.

use crate::support::derive::Deriver;
use crate::support::grammar::Grammar;
use crate::support::{corpus, fuzzed};
use asp::Control;
use asp_base::rng::Rng;
use std::path::Path;

/// The kept inputs of a target.
fn kept(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz-found").join(target);
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = entries.map(|e| e.expect("readable").path()).collect();
    paths.sort();
    paths.iter().map(|p| std::fs::read(p).expect("readable")).collect()
}

#[test]
fn texts() {
    kept("text").iter().for_each(|bytes| fuzzed::text(bytes));
    for folder in ["corpus", "invalid"] {
        for path in corpus::files(folder, "lp") {
            corpus::read(&path).iter().for_each(|case| fuzzed::text(case.text.as_bytes()));
        }
    }
}

#[test]
fn derivations() {
    let grammar = Grammar::read();
    for wild in [false, true] {
        let deriver = Deriver::new(&grammar, wild);
        for bytes in kept("grammar") {
            fuzzed::program(&deriver.program_of(&bytes));
        }
        // Whatever the bytes, the derived program ends.
        for length in 0..200 {
            let bytes: Vec<u8> = (0..length).map(|i: u32| (i * i * 31 + length * 7) as u8).collect();
            assert!(deriver.program_of(&bytes).len() < 20_000);
        }
    }
}

#[test]
fn derivations_from_random_bytes() {
    let grammar = Grammar::read();
    let mut rng = Rng::new(20);
    for i in 0..3000 {
        let bytes: Vec<u8> = (0..200).map(|_| rng.below(256) as u8).collect();
        let program = Deriver::new(&grammar, i % 4 == 0).program_of(&bytes);
        if std::panic::catch_unwind(|| fuzzed::program(&program)).is_err() {
            panic!("this program, number {i}, ends in a panic:\n{program}");
        }
    }
}

#[test]
fn questions_about_derivations() {
    let grammar = Grammar::read();
    let deriver = Deriver::new(&grammar, false);
    kept("questions").iter().for_each(|bytes| fuzzed::questions(&deriver.program_of(bytes)));
}

#[test]
fn pools_that_multiply_are_refused() {
    let message = |text: &str| {
        let mut control = Control::new();
        control.add(text);
        assert_eq!(control.ground().is_err(), !text.starts_with("fine"), "{text}");
        control.take_diagnostics().iter().map(|d| d.message.clone()).collect::<Vec<_>>().join("\n")
    };
    let pool = "p(1;2;3;4;5;6;7;8;9)";
    let refused = "the pools of this statement expand to too many statements";
    let many = |n: usize| vec![pool; n].join(", ");
    assert_eq!(message(&format!("{pool}. :- {}.", many(30))), refused);
    assert_eq!(message(&format!("{pool}. {{ a : {} }}.", many(30))), refused);
    assert_eq!(message(&format!("{pool}. :~ {}. [1,{}]", many(4), vec!["(1;2)"; 40].join(","))), refused);
    assert_eq!(message(&format!("{pool}. a. #heuristic a : {}. [1,true]", many(30))), refused);
    assert_eq!(message(&format!("{pool}. #edge (1,2) : {}.", many(30))), refused);
    // Many pools that do not multiply are fine, and so is a long one.
    let long: Vec<String> = (0..100_000).map(|i| i.to_string()).collect();
    let edges: Vec<String> = (0..2000).map(|i| format!("{i},(1;2)")).collect();
    assert_eq!(message(&format!("fine. #edge ({}).", edges.join(";"))), "");
    assert_eq!(message(&format!("fine({}). {{ {} }}.", long.join(";"), vec![pool; 100].join("; "))), "");
}

#[test]
fn ground_formats() {
    kept("ground_formats").iter().for_each(|bytes| fuzzed::ground_format(bytes));
}

/// Lines of puzzles and tables in any order, and with characters changed.
#[test]
fn data_from_random_lines() {
    const LINES: [&str; 24] = [
        ". . 5 | . 1",
        "------+----",
        "53..7....",
        ". < . > .",
        "  ^",
        "v . v",
        "A B C",
        "given 1 2 3",
        "clue n 1 3",
        "% solution",
        "  2 1",
        "+--+",
        "# . #",
        "a;b;c",
        "1,2,3",
        "\"x,y\",z",
        "from\tto",
        "007,1,5",
        "[1, \"a\"]",
        "{\"a\": 1, \"b\": [2]}",
        "[[1,2],[3,4]]",
        "null",
        "é",
        "",
    ];
    kept("data").iter().for_each(|bytes| fuzzed::data(bytes));
    let mut rng = Rng::new(7);
    for i in 0..6000 {
        let mut bytes = vec![rng.below(256) as u8];
        let first = rng.below(24);
        for _ in 0..rng.below(7) {
            let at = if rng.chance(0.6) { first } else { rng.below(24) };
            bytes.extend_from_slice(LINES[at as usize].as_bytes());
            bytes.push(b'\n');
        }
        if rng.chance(0.4) {
            let at = rng.below(bytes.len() as u64) as usize;
            bytes[at] = b" .,;0-9\"[{\t<"[rng.below(12) as usize];
        }
        if std::panic::catch_unwind(|| fuzzed::data(&bytes)).is_err() {
            panic!("this input, number {i}, ends in a panic:\n{:?}", String::from_utf8_lossy(&bytes));
        }
    }
}

/// Lines of ground programs in any order, and with characters changed.
#[test]
fn ground_formats_from_random_lines() {
    const HEADS: [&str; 6] = [
        "asp 1 0 0",
        "asp 1 0 0 incremental",
        "p cnf 3 2",
        "p wcnf 3 2 9",
        "* #variable= 3 #constraint= 2",
        "1 2 0 0",
    ];
    const LINES: [&str; 22] = [
        "1 1 2 1 2 0 0",
        "1 0 1 3 0 1 -1",
        "4 1 a 1 1",
        "3 1 2",
        "2 0 1 1 1",
        "6 -1",
        "8 0 1 1 1",
        "7 0 1 1 1 0",
        "0",
        "1 -2 0",
        "3 -1 2 0",
        "h 1 2 0",
        "5 1 0",
        "+1 x1 -2 x2 >= 1 ;",
        "min: +1 x1 +2 x3 ;",
        "soft: 4 ;",
        "[2] +1 x1 >= 1 ;",
        "1 1 0 0",
        "2 a",
        "B+",
        "B-",
        "1",
    ];
    let mut rng = Rng::new(11);
    for i in 0..4000 {
        let mut bytes = format!("{}\n", HEADS[rng.below(6) as usize]).into_bytes();
        for _ in 0..rng.below(8) {
            bytes.extend_from_slice(LINES[rng.below(22) as usize].as_bytes());
            bytes.push(b'\n');
        }
        if rng.chance(0.7) {
            bytes.extend_from_slice(b"0\n");
        }
        if rng.chance(0.3) {
            let at = rng.below(bytes.len() as u64) as usize;
            bytes[at] = b" 0129-x;\n"[rng.below(9) as usize];
        }
        if std::panic::catch_unwind(|| fuzzed::ground_format(&bytes)).is_err() {
            panic!("this input, number {i}, ends in a panic:\n{}", String::from_utf8_lossy(&bytes));
        }
    }
}
