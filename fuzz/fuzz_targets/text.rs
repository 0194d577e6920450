//! Any bytes as a program: parsing, messages, and printing of what was understood, which parses to the same again.
#![no_main]
#![allow(dead_code)]

#[path = "../../tests/support/fuzzed.rs"]
mod fuzzed;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzed::text(bytes));
