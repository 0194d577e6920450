//! The verdict of a reply: its outcome in a word.

use std::fmt;

use num_bigint::BigUint;

/// The outcome of a question. As text, for other languages, it is a word or two, or the requested number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// There is no answer set, or none like the one that is given.
    NoAnswerSet,
    /// The atom holds in all answer sets.
    Always,
    /// The atom holds in some answer sets, and in some it does not.
    Sometimes,
    /// The atom holds in no answer set.
    Never,
    /// The program knows no such atom.
    Unknown,
    /// There is an answer set: nothing is to be explained.
    Satisfiable,
    /// There is none, and that is explained.
    Unsatisfiable,
    /// Nothing costs anything.
    NoObjective,
    /// The costs of an optimal answer set are known.
    Optimal,
    /// As many as were asked for; there may be more.
    Some,
    /// All that there are.
    All,
    /// A brave consequence.
    Possible,
    /// There is exactly one answer set.
    Unique,
    /// There are several.
    Several,
    /// How many there are.
    Number(BigUint),
    /// Drawn uniformly.
    Uniform,
    /// Drawn by random walks.
    Walk,
    /// Not drawn: the walks would have to be too long.
    Refused,
    /// A new instance was made.
    Made,
    /// No solution that was drawn makes an instance that is as wanted.
    NoneFits,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::NoAnswerSet => "no answer set",
            Verdict::Always => "always",
            Verdict::Sometimes => "sometimes",
            Verdict::Never => "never",
            Verdict::Unknown => "unknown",
            Verdict::Satisfiable => "satisfiable",
            Verdict::Unsatisfiable => "unsatisfiable",
            Verdict::NoObjective => "no objective",
            Verdict::Optimal => "optimal",
            Verdict::Some => "some",
            Verdict::All => "all",
            Verdict::Possible => "possible",
            Verdict::Unique => "unique",
            Verdict::Several => "several",
            Verdict::Number(number) => return write!(f, "{number}"),
            Verdict::Uniform => "uniform",
            Verdict::Walk => "walk",
            Verdict::Refused => "refused",
            Verdict::Made => "made",
            Verdict::NoneFits => "none fits",
        })
    }
}
