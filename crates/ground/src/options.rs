//! Options of grounding, and reasons to end without a program.

use asp_base::interrupt::StopReason;
use asp_rewrite::improve::Rewritings;

#[derive(Clone, Debug, Default)]
pub struct GroundOptions {
    /// Statements, and ties in a body, come in gringo's order, for readers of the ground program: from the last to the first,
    /// before each those that it reads.
    pub gringo_order: bool,
    /// Keep facts in the ground program, for printing it.
    pub keep_facts: bool,
    /// Atoms of rules that certainly hold do not become facts: they stay open and keep their rules. Those that determine which
    /// atoms are external are excepted, also from `open_bounds`; see the journal.
    pub open_rules: bool,
    /// Atoms of choices whose bounds cannot be met stay possible.
    pub open_bounds: bool,
    /// The greatest number of instances that are made.
    pub instance_limit: Option<u64>,
    /// Which rewritings are applied.
    pub rewritings: Rewritings,
    /// Nothing is added after grounding, and only shown atoms matter: the rewriting `demand` may leave out others.
    pub answers_only: bool,
    /// Functions of at least this many values that only `$p(X)` reads are integers without atoms, except in answer sets. For
    /// programs that are grounded once, and calls that look for answer sets.
    #[doc(hidden)] // For the other crates, not for users.
    pub values: Option<u64>,
    /// Constraints with at least this many expected instances are not instantiated: the search makes those that it needs. For
    /// programs that only the search reads.
    #[doc(hidden)] // For the other crates, not for users.
    pub lazy: Option<u64>,
    /// Only if the search is expected to need few of them, or there are far more than that.
    #[doc(hidden)] // For the other crates, not for users.
    pub lazy_where_few: bool,
    /// Record what each statement costs.
    pub profile: bool,
    /// Record rewritings, with the number of instances of the original rules (which takes time to count).
    pub explain: bool,
    /// Go on after errors to report as much as possible, also about parts that are not grounded; nothing is instantiated then.
    pub review: bool,
}

/// Why grounding ended without a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GroundError {
    /// There are errors among the diagnostics.
    Invalid,
    /// A limit or a signal.
    Stopped(StopReason),
}
