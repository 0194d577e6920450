//! Bytes as choices in the derivation of a program from the grammar, and the questions about it within limits.
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
    fuzzed::questions(&Deriver::new(grammar, false).program_of(bytes));
});
