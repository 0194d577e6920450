//! Bytes as a puzzle, a CSV or a JSON table: what is read becomes facts that parse, everything else is told with its place.
#![no_main]
#![allow(dead_code)]

#[path = "../../tests/support/fuzzed.rs"]
mod fuzzed;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzed::data(bytes));
