//! The inputs that fuzzing once failed on, and every case of the corpora as an input of the same functions.

mod support;

use asp::base::rng::Rng;
use std::path::Path;
use support::derive::Deriver;
use support::grammar::Grammar;
use support::{corpus, fuzzed};

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
        // Whatever the bytes, a program comes to an end.
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
fn ground_formats() {
    kept("ground_formats").iter().for_each(|bytes| fuzzed::ground_format(bytes));
}
