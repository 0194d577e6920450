//! Linear programmes: a bounded dual simplex that goes on from its basis when rows are added or bounds change.
//!
//! [`simplex`] is the algorithm, `factor` what it solves systems with. All of it computes with floating point, without a clock
//! or a hash order, so that runs repeat exactly; what is found is as good as the numbers are. Whoever claims something from it
//! takes only the multipliers of rows, rounds them, and adds up in whole numbers.
//! Invariant: variables have two finite bounds, so that a basis is made dual feasible by moving variables to the other bound,
//! and no first phase is needed.

#![warn(missing_docs)]

pub(crate) mod factor;
pub(crate) mod removal;
pub mod simplex;

pub use simplex::{Outcome, Simplex};

#[cfg(test)]
mod tests;
