//! Questions about a program, and the replies: as text, as JSON, as pages and pictures. Subcommands print them;
//! bindings for other languages call [`ask`].
//!
//! Invariant: nothing here prints, and every claim comes from `asp-explain`.

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
pub use asp_explain::generate::{Difficulty, Wish};
pub use verdict::Verdict;
