//! Questions about a program, and what is told of them: as text, as JSON, as pages and pictures. The subcommands print it; those
//! who use the library from another language [`ask`].
//!
//! Invariant: nothing here prints, and what is claimed comes from `explain`.

mod asked;
pub(crate) mod atoms;
pub(crate) mod candidates;
pub(crate) mod cost;
pub(crate) mod hint;
pub(crate) mod listing;
pub(crate) mod phrases;
pub mod portrait;
pub(crate) mod puzzle;
pub(crate) mod unique;
pub(crate) mod why;
pub(crate) mod why_unsat;

pub use asked::{Failure, Question, Reply, Subject, ask};
