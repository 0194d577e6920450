//! Options of grounding, and why it may end without a program.

use asp_base::interrupt::StopReason;
use asp_rewrite::improve::Rewritings;

/// Options of grounding.
#[derive(Clone, Debug, Default)]
pub struct GroundOptions {
    /// Statements, and what is equal in a body, come in the order in which gringo takes them, for those who read the ground
    /// program: from the last to the first, before each those that it reads.
    pub gringo_order: bool,
    /// Keep facts in the ground program, for printing it.
    pub keep_facts: bool,
    /// Atoms of rules that certainly hold do not become facts: they stay open and keep their rules. Those on which it depends what is
    /// external are excepted, also from `open_bounds`; see the journal.
    pub open_rules: bool,
    /// Atoms of choices whose bounds cannot be met stay possible.
    pub open_bounds: bool,
    /// The greatest number of instances that are made.
    pub instance_limit: Option<u64>,
    /// Which rewritings are applied.
    pub rewritings: Rewritings,
    /// Nothing will be added once the program is grounded, and only what answers show is looked at: the rewriting `demand` may
    /// leave out other atoms.
    pub answers_only: bool,
    /// Functions of at least so many values, if only `$p(X)` reads them, are integers and have no atoms: in answer sets they do.
    /// For programs that are grounded once, and calls that look for answer sets.
    #[doc(hidden)] // For the other crates, not for users.
    pub values: Option<u64>,
    /// Constraints of which at least so many instances are expected are not instantiated: the search makes those that it needs.
    /// For programs that only the search reads.
    #[doc(hidden)] // For the other crates, not for users.
    pub lazy: Option<u64>,
    /// Only those of which the search is expected to need few, or which are far more than that.
    #[doc(hidden)] // For the other crates, not for users.
    pub lazy_where_few: bool,
    /// Record what each statement costs.
    pub profile: bool,
    /// Record rewritings, with the number of instances of the original rules (which takes time to count).
    pub explain: bool,
    /// Go on after errors, to tell all that can be told of the program, and the errors of parts that are not grounded; nothing is
    /// instantiated then.
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
