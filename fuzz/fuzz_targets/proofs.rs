//! Bytes as the files of a proof, parted by bytes 0: whatever they say, they are accepted or rejected with a reason. What is
//! accepted of a program is what the solver finds.
#![no_main]

use asp::Control;
use asp_check::{Files, check};

/// The most answer sets of a program whose number is compared.
const MAX_MODELS: u64 = 100;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut parts = bytes.split(|&byte| byte == 0).map(<[u8]>::to_vec);
    let mut next = || parts.next().unwrap_or_default();
    let files = Files { program: next(), claim: next(), formula: next(), witnesses: next(), steps: next() };
    match check(&files) {
        Ok(certified) => compare(&files, &certified),
        Err(why) => assert!(!why.0.is_empty()),
    }
});

/// The number of answer sets that is certified, if the claim is about all of them, is that of a search.
fn compare(files: &Files, certified: &str) {
    let Some(found) = found(&files.program) else { return };
    let claimed = if certified.contains("has no answer set") {
        0
    } else if certified.contains("exactly one answer set") {
        1
    } else if let Some(rest) = certified.strip_prefix("Certified: the ground program has exactly ") {
        match rest.split_once(" answer sets").map(|(number, _)| number.parse()) {
            Some(Ok(number)) => number,
            _ => return,
        }
    } else if certified.contains("has an answer set") || certified.contains("has at least") {
        assert!(found > 0, "{certified}");
        return;
    } else {
        return;
    };
    assert_eq!(found, claimed, "{certified}");
}

/// The answer sets of a program; `None` if there are many, or if it cannot be read.
fn found(program: &[u8]) -> Option<u64> {
    let mut control = Control::new();
    control.add_source(asp::Source::new("program.aspif", program));
    control.settings.solve.opt_mode = asp::options::OptMode::Ignore;
    control.parse().ok()?;
    if !control.is_ground_input() {
        return None;
    }
    let mut answers = control.answers().limit(MAX_MODELS).start().ok()?;
    let mut count = 0;
    while answers.next().ok()?.is_some() {
        count += 1;
    }
    (count < MAX_MODELS).then_some(count)
}
