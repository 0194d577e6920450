//! What an engine stores: literals, the assignment, clauses, watches, and constraints that propagate on an assignment.
//!
//! Invariant: nothing here knows the engine.

pub(crate) mod arena;
pub(crate) mod assignment;
pub(crate) mod at_most_one;
pub(crate) mod ladder;
pub mod literal;
pub(crate) mod literal_lists;
pub(crate) mod watch;
pub(crate) mod weight;
pub(crate) mod weight_explain;
