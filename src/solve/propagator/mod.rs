//! Constraints that are not clauses, behind the trait [`Propagator`].
//!
//! They know solver literals and graphs of them; what these stand for in a program is known to `translate`, which builds
//! the graphs.

pub(crate) mod acyclicity;
pub(crate) mod disjunctive;
pub(crate) mod domain_heuristic;
pub(crate) mod loop_graph;
pub(crate) mod unfounded;

pub use crate::solve::engine::propagator::*;
