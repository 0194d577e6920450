//! Search for answer sets of a lowered ground program by conflict-driven nogood learning.
//!
//! Invariant: nothing here sees a variable, a text or a file. The entry point is [`Session`]: it takes a
//! lowered [`Program`](crate::program::Program) (more rules may be added between calls) and reports [`Event`]s.

pub(crate) mod call;
pub(crate) mod constraint;
pub mod engine;
mod event;
pub(crate) mod optimize;
pub(crate) mod options;
pub(crate) mod parallel;
pub(crate) mod propagator;
pub(crate) mod session;
mod statistics;
pub(crate) mod theory;
pub(crate) mod translate;

pub use engine::parameters::*;
pub use event::*;
pub use options::*;
pub use statistics::{RuleKinds, Statistics};
pub(crate) use translate::hall_set::value_sets;
pub(crate) use translate::lemmas::Lemma;

#[cfg(test)]
mod tests;
