//! The search engine: a conflict-driven solver for clauses, at-most-one groups, weight constraints and propagators.
//!
//! Begin with [`state`], which defines what an [`Engine`] consists of, then read the main loop in [`search`] and follow
//! its calls; each file is one algorithm over that state. `store` holds the parts of the state, `parameters` what users
//! may change; neither contains an algorithm of the search.
//!
//! | file | what it does |
//! |---|---|
//! | `search` | the main loop: propagate, learn, restart, clean up, decide |
//! | `propagate`, `backtrack` | unit propagation to a fixpoint, and its undoing |
//! | `analyze`, `shrink`, `bump` | what is learned from a conflict, and which variables it rewards |
//! | `cutting_planes` | inequalities that are learned from conflicts of sums |
//! | `decide`, `phase`, `initial_activity`, `lookahead` | which variable is decided, and its value |
//! | `restart`, `schedule`, `reduce` | when to restart, and which learned clauses are deleted |
//! | `add_clause`, `install` | clauses at any level; groups and sums as constraints |
//! | `enumeration`, `divide` | models without recording; half of the search space for another thread |
//! | `relaxation` | constraints as linear inequalities; bounds on an objective from their relaxation |
//! | `integer` | integers with bounds on the trail, and linear constraints over them |
//! | `inprocess` | simplification between restarts, and elimination before the search |
//! | `propagator`, `dispatch` | the interface of constraints that are not built in; calling them |
//! | `proof` | a log of the search that others can check |
//! | `exchange`, `lemma_log`, `counters` | clauses to and from other threads; recording learned clauses; statistics |
//!
//! Invariant: outside calls the engine is at the root, or at a total model after a satisfiable
//! [`solve`](Engine::solve), or where the last call stopped.

#![warn(missing_docs)]

pub(crate) mod add_clause;
pub(crate) mod analyze;
pub(crate) mod backtrack;
pub(crate) mod bump;
pub mod constraint;
pub mod counters;
pub(crate) mod cutting_planes;
pub(crate) mod decide;
pub(crate) mod dispatch;
pub(crate) mod divide;
pub(crate) mod enumeration;
pub mod exchange;
pub(crate) mod initial_activity;
pub mod inprocess;
pub(crate) mod install;
pub mod integer;
pub mod lemma_log;
pub(crate) mod lookahead;
pub mod parameters;
pub(crate) mod phase;
pub mod proof;
pub(crate) mod propagate;
pub mod propagator;
pub(crate) mod reduce;
pub mod relaxation;
pub(crate) mod restart;
pub mod schedule;
pub(crate) mod search;
pub(crate) mod shrink;
pub(crate) mod state;
pub mod store;

pub use state::{Engine, Outcome};
pub use store::control::Limits;

#[cfg(test)]
mod tests;
