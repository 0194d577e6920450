//! Bytes as choices in the derivation of a program from the grammar: parsing, grounding within limits, all ground formats
//! and a short search.
#![no_main]
#![allow(dead_code)]

#[path = "../../tests/support/derive.rs"]
mod derive;
#[path = "../../tests/support/fuzzed.rs"]
mod fuzzed;
#[path = "../../tests/support/grammar.rs"]
mod grammar;

use derive::Deriver;
use grammar::Grammar;
use std::sync::OnceLock;

static GRAMMAR: OnceLock<Grammar> = OnceLock::new();

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let grammar = GRAMMAR.get_or_init(Grammar::read);
    let wild = bytes.first().is_some_and(|b| b % 4 == 0);
    fuzzed::program(&Deriver::new(grammar, wild).program_of(bytes));
});
