//! Random programs for the tests of explanations, opened for questions and solved by brute force.
//!
//! Invariant: what they say of a statement that is given up is what the explanations do to it.

mod statements;

use super::inquiry::Inquiry;
use super::inquiry::relaxed_facts::Which;
use asp_base::rng::Rng;
use asp_control::{Control, Source};
use asp_oracle::brute_force;
pub(super) use statements::{Role, Statement, text};

/// The random program of a seed.
pub(super) fn program(seed: u64) -> Vec<Statement> {
    let mut rng = Rng::new(seed);
    statements::program(&mut |below| rng.below(below))
}

/// A program opened for questions.
pub(super) fn open(text: &str, intervals: bool, rules: bool) -> Inquiry {
    let which = Which { intervals, sums: true, rules, ..Which::default() };
    Inquiry::open(&[Source::new("t.lp", text)], &Control::new, &Control::ground, &which)
        .unwrap_or_else(|e| panic!("{:?}: {text}", e.0))
}

/// Whether a program has an answer set, by brute force.
pub(super) fn is_satisfiable(text: &str) -> bool {
    let mut control = Control::new();
    control.add(text);
    control.ground().unwrap_or_else(|e| panic!("{e:?}: {text}"));
    !brute_force::answer_sets(control.program(), control.symbols()).is_empty()
}
