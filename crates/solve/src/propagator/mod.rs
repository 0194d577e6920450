//! Constraints that are not clauses, behind the trait [`Propagator`].
//!
//! They work on solver literals and graphs of these; `translate` builds the graphs from a program.

pub(crate) mod acyclicity;
pub(crate) mod disjunctive;
pub(crate) mod domain_heuristic;
pub(crate) mod loop_graph;
mod sources;
pub(crate) mod unfounded;
