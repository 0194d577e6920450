//! Constraints that are not clauses, behind the trait [`Propagator`].

pub(crate) mod acyclic_graph;
pub(crate) mod acyclicity;
pub(crate) mod disjunctive;
pub(crate) mod domain_heuristic;
pub(crate) mod loop_graph;
pub(crate) mod unfounded;

pub use crate::solve::engine::propagator::*;
