//! What an engine stores: literals, the assignment, clauses, constraints that propagate on an assignment, and the state of
//! decisions, schedules and analysis.
//!
//! Invariant: nothing here knows the engine.

pub(crate) mod analyzer;
pub(crate) mod arena;
pub(crate) mod assignment;
pub(crate) mod at_most_one;
pub(crate) mod bound_chain;
pub(crate) mod call;
pub(crate) mod clause_db;
pub(crate) mod constraints;
pub(crate) mod control;
pub(crate) mod cuts;
pub(crate) mod cutting;
pub(crate) mod decisions;
pub(crate) mod eliminated;
pub mod literal;
pub(crate) mod literal_lists;
pub(crate) mod resolvent;
pub(crate) mod watch;
pub(crate) mod weight;
pub(crate) mod weight_explain;
pub(crate) mod weight_linear;
