//! The search engine: a conflict-driven solver for clauses, at-most-one groups, weight constraints and propagators.
//!
//! The parts are structs of their own (assignment, arena, watches, groups, weights, propagators, decisions, phases,
//! restarts, reduction, analysis); the algorithms that combine them are methods of [`Engine`], one file each.
//! Invariant: outside of calls the engine is backtracked to the root, or at a total model after a satisfiable
//! [`solve`](Engine::solve), or where the last call stopped.

pub(crate) mod analyze;
pub(crate) mod backtrack;
pub(crate) mod bump;
pub(crate) mod clauses;
pub mod counters;
pub(crate) mod decide;
pub(crate) mod divide;
pub(crate) mod exchange;
pub(crate) mod flip;
pub mod inprocess;
pub(crate) mod install;
pub(crate) mod lemma_log;
pub(crate) mod lookahead;
pub mod parameters;
pub(crate) mod phase;
pub(crate) mod propagate;
pub mod propagator;
pub(crate) mod reduce;
pub(crate) mod restart;
pub mod schedule;
pub(crate) mod scores;
pub(crate) mod search;
pub(crate) mod state;
pub mod store;

pub use state::{Engine, Outcome};
