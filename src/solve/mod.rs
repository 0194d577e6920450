//! Search for answer sets of a lowered ground program by conflict-driven nogood learning.
//!
//! Invariant: nothing here sees a variable, a text or a file. The entry point is [`Session`]: it takes a
//! lowered [`Program`](crate::program::Program) (more rules may be added between calls) and reports [`Event`]s.

mod call;
pub mod constraint;
pub mod engine;
mod event;
mod optimize;
pub mod options;
pub(crate) mod parallel;
pub mod propagator;
pub mod session;
mod statistics;
mod translate;

pub use engine::counters::Counters;
pub use engine::parameters::*;
pub use event::*;
pub use options::*;
pub use session::Session;
pub use statistics::{RuleKinds, Statistics};
pub use translate::hall_set::{ValueSet, value_sets};
pub use translate::lemmas::Lemma;

#[cfg(test)]
mod tests;
