//! What grounding reports about itself: the cost of each source rule, and rewritings with what they saved.
//!
//! Invariant: a grounder fills it only on request; only reports read it.

use asp_base::span::Span;

/// Cost of a source rule.
#[derive(Clone, Debug, Default)]
pub struct RuleCost {
    /// The statement.
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
    /// The statement.
    pub span: Span,
    /// The rule before.
    pub was: String,
    /// The rules after.
    pub became: Vec<String>,
    /// Instances of the rule as it was, and of what it became, unless they are the same.
    pub instances: Option<(Count, u64)>,
}

/// What grounding reports about itself.
#[derive(Clone, Debug, Default)]
pub struct Journal {
    /// By source rule, in order of the text.
    pub rules: Vec<RuleCost>,
    /// In the order in which they were done.
    pub rewritten: Vec<Rewritten>,
    /// Time of all grounding, in nanoseconds.
    pub nanoseconds: u64,
}
