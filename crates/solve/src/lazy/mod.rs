//! Constraints that are instantiated as the search needs them.
//!
//! [`propagator`] is told which atoms have become true, and has [`matcher`] join them with those that were true before,
//! by the plans that came with the [constraints](asp_program::lazy). What is found is a conflict, or, if one literal is
//! open, implies that it does not hold. Before a model leaves, all constraints are joined over what has become true since
//! the last one.
//!
//! Invariant: no model violates a constraint; every clause and every reason is an instance of one.
//! Sources: Cuteri, Dodaro, Ricca and Schüller, *Constraints, lazy constraints, or propagators in ASP solving*, TPLP 2017;
//! Mazzotta, Ricca and Dodaro, *Compilation of aggregates in ASP systems*, AAAI 2022.

mod counter;
mod matcher;
pub(crate) mod propagator;
mod reasons;
