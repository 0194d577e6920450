//! Search for answer sets of a lowered ground program by conflict-driven nogood learning.
//!
//! Invariant: nothing here sees a variable, a text or a file. The entry point is [`Session`](session::Session): it takes a
//! lowered [`Program`](asp_program::Program) (more rules may be added between calls) and reports [`Event`]s.

#![warn(missing_docs)]

pub mod call;
mod event;
pub(crate) mod lazy;
pub mod optimize;
pub mod options;
pub mod parallel;
pub(crate) mod propagator;
pub mod session;
mod statistics;
pub mod theory;
pub mod translate;

pub use asp_engine::parameters::*;
pub use event::*;
pub use options::*;
pub use statistics::{RuleKinds, Statistics};
pub use translate::groups::hall_set::value_sets;
pub use translate::lemmas::Lemma;

#[cfg(test)]
mod tests;
