//! Constraints that are instantiated as the search needs them.
//!
//! [`propagator`] receives the atoms that became true, and lets [`matcher`] join them with earlier ones, by the plans of the
//! [constraints](asp_program::lazy). A match is a conflict or, if one literal is open, makes that literal false. Before a model
//! is accepted, all constraints are joined over what has become true since the last one.
//!
//! Invariant: no model violates a constraint; every clause and every reason is an instance of one.
//! Sources: Cuteri, Dodaro, Ricca and Schüller, *Constraints, lazy constraints, or propagators in ASP solving*, TPLP 2017;
//! Mazzotta, Ricca and Dodaro, *Compilation of aggregates in ASP systems*, AAAI 2022.

mod counter;
mod matcher;
pub(crate) mod propagator;
mod reasons;
