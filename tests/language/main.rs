//! The meaning of programs: each is a text whose answer sets, or the message that rejects it, are known.

#[path = "../support/mod.rs"]
mod support;

mod bounds;
mod corpus;
mod demand;
mod equations;
mod external_rules;
mod fuzzed;
mod great_numbers;
mod growing;
mod instances;
mod integer_runs;
mod integers;
mod invalid;
mod lazy;
mod marks;
mod mended;
mod named;
mod optimal;
mod partial_sums;
mod peers;
mod questions;
mod random;
mod recursion;
mod reify;
mod relaxed;
mod rewriting;
mod runs;
mod syntax;
mod underivable;
mod values;
mod why_values;
mod wide;
