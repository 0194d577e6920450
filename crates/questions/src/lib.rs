//! Questions about a program, and what is told of them: as text, as JSON, as pages and pictures. The subcommands print it; those
//! who use the library from another language [`ask`].
//!
//! Invariant: nothing here prints, and what is claimed comes from `explain`.

#![warn(missing_docs)]

mod asked;
pub mod atoms;
pub mod candidates;
pub mod cost;
pub mod hint;
pub mod listing;
pub mod phrases;
pub mod portrait;
pub mod puzzle;
pub mod unique;
mod verdict;
pub mod why;
pub mod why_unsat;

pub use asked::{Failure, Question, Reply, Subject, ask};
pub use asp_explain::count::Effort;
pub use verdict::Verdict;
