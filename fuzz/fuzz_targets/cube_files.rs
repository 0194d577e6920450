//! Bytes as a file of cubes and results of runs on them, parted by bytes 0: what cannot be read counts as lost, and nothing is
//! called exact that rests on it.
#![no_main]
#![allow(dead_code)]

#[path = "../../crates/cli/src/cube/mod.rs"]
mod cube;

use asp_options::cube as file;
use cube::{merge::merge, result};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let mut parts = text.split('\0');
    let cubes = match file::parse(parts.next().unwrap_or_default()) {
        Ok(cubes) => cubes,
        Err((line, why)) => return assert!(line > 0 && !why.is_empty()),
    };
    assert_eq!(file::parse(&file::write(&cubes)), Ok(cubes.clone()));
    let results: Vec<_> = parts.filter_map(|text| result::parse("result", text).ok()).collect();
    let closed = |id: &str| {
        let of = |closed: &str| {
            results.iter().any(|r| r.is_closed && r.id == closed && r.program == cubes.head.program)
        };
        of(id)
    };
    if let Ok(merged) = merge(std::slice::from_ref(&cubes), &results, None) {
        let open = cubes.cubes.iter().filter(|cube| !closed(&cube.id)).count();
        assert!(!merged.is_exhausted || open == 0, "{merged:?}");
        assert!(!merged.is_optimal || merged.is_exhausted && merged.costs.is_some(), "{merged:?}");
    }
});
