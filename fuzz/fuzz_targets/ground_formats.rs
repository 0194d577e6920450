//! Bytes as a ground program (aspif, smodels format, DIMACS, OPB): reading, writing and a short search.
#![no_main]
#![allow(dead_code)]

#[path = "../../tests/support/fuzzed.rs"]
mod fuzzed;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzed::ground_format(bytes));
