//! Bytes as a ground program (aspif, smodels format, DIMACS, OPB, WBO): reading, writing, a short search, printing.
#![no_main]
#![allow(dead_code)]

#[path = "../../tests/support/fuzzed.rs"]
mod fuzzed;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzed::ground_format(bytes));
