//! What grounding reports about itself: the cost of each source rule, and what rewritings saved.
//!
//! Invariant: a grounder fills it only on request; only reports read it.

use asp_base::signature::Signature;
use asp_base::span::Span;

/// Cost of a source rule.
#[derive(Clone, Debug, Default)]
pub struct RuleCost {
    /// The statement that the rule comes from.
    pub span: Span,
    /// Instances of its bodies.
    pub instances: u64,
    /// Matches of single literals on the way to instances.
    pub matches: u64,
    /// Time in nanoseconds.
    pub nanoseconds: u64,
    /// Join orders, the first one of each rule that the statement became.
    pub orders: Vec<String>,
}

/// A number whose counting may have stopped early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// This many.
    Exactly(u64),
    /// More than this.
    MoreThan(u64),
}

/// A rewriting of a rule.
#[derive(Clone, Debug)]
pub struct Rewritten {
    /// The rewritings' names.
    pub name: String,
    /// The statement that the rule comes from.
    pub span: Span,
    /// The rule before.
    pub was: String,
    /// The rules after.
    pub became: Vec<String>,
    /// Instances of the original rule and of the rewritten one, unless they are the same.
    pub instances: Option<(Count, u64)>,
    /// The instances that the rule as it was was expected to have.
    pub expected: Option<u64>,
}

/// A rule that was expected to have many instances, after all rewritings.
#[derive(Clone, Debug)]
pub struct Large {
    /// The statement that the rule comes from.
    pub span: Span,
    /// The rule that ran.
    pub rule: String,
    /// The expected number of instances.
    pub expected: u64,
    /// How many there were, or had been when grounding was stopped.
    pub made: u64,
    /// Which rewriting would help, or why none applies.
    pub why: String,
}

/// A constraint that is kept for the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kept {
    /// The statement that it comes from.
    pub span: Span,
    /// The expected number of instances.
    pub expected: u64,
    /// How many the search has made.
    pub made: u64,
}

/// The journal of grounding.
#[derive(Clone, Debug, Default)]
pub struct Journal {
    /// By source rule, in order of the text.
    pub rules: Vec<RuleCost>,
    /// In the order in which they were done.
    pub rewritten: Vec<Rewritten>,
    /// In the order in which they ran.
    pub large: Vec<Large>,
    /// Predicates with facts although rules were to stay open, since external atoms depend on them.
    pub closed: Vec<Signature>,
    /// Time of all grounding, in nanoseconds.
    pub nanoseconds: u64,
}
