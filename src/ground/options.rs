//! What the user may ask of grounding, and why grounding may end without a program.

use crate::base::interrupt::StopReason;
use crate::rewrite::improve::Rewritings;

/// Options of grounding.
#[derive(Clone, Debug, Default)]
pub struct GroundOptions {
    /// Keep facts in the ground program, for the writers of ground formats.
    pub keep_facts: bool,
    /// Atoms whose rules hold for certain are no facts: they stay open and keep their rules.
    pub open_rules: bool,
    /// The most instances that are made; 0 for no limit.
    pub instance_limit: u64,
    /// Which rewritings are done.
    pub rewritings: Rewritings,
    /// Write down what each statement costs.
    pub profile: bool,
    /// Write down what is rewritten, with the instances of the rules as they were (which costs time).
    pub explain: bool,
    /// Of a program with errors tell all else that can be told, too; of the program parts that are not grounded, the errors.
    pub review: bool,
}

/// Why grounding ended without a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GroundError {
    /// Errors are among the diagnostics.
    Invalid,
    /// A limit or a signal.
    Stopped(StopReason),
}
