//! The one table of command-line options: the rows of all groups. The parser, the help, the completions, the man page,
//! docs/options.md and the tests all read it.
//!
//! Invariant: names and letters are unique.

use super::rows::{basic, grounding, integers, lookback, output, preprocessing, search, solving};
use super::spec::OptionSpec;

const GROUPS: [&[OptionSpec]; 8] = [
    basic::ROWS,
    output::ROWS,
    solving::ROWS,
    grounding::ROWS,
    preprocessing::ROWS,
    search::ROWS,
    lookback::ROWS,
    integers::ROWS,
];

const COUNT: usize = {
    let (mut count, mut i) = (0, 0);
    while i < GROUPS.len() {
        count += GROUPS[i].len();
        i += 1;
    }
    count
};

const ALL: [OptionSpec; COUNT] = {
    let mut all = [GROUPS[0][0]; COUNT];
    let (mut at, mut group) = (0, 0);
    while group < GROUPS.len() {
        let mut i = 0;
        while i < GROUPS[group].len() {
            all[at] = GROUPS[group][i];
            at += 1;
            i += 1;
        }
        group += 1;
    }
    all
};

/// All options.
pub static OPTIONS: &[OptionSpec] = &ALL;

/// The option with a long name.
pub fn find(long: &str) -> Option<&'static OptionSpec> {
    OPTIONS.iter().find(|o| o.long == long)
}
