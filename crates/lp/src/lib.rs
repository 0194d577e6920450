//! Linear programmes: a bounded dual simplex that restarts from its basis when rows are added or bounds change.
//!
//! [`simplex`] is the algorithm, `factor` solves its linear systems. All of it uses floating point, without a clock or a hash
//! order, so that runs repeat exactly; results are only as exact as that. Claims are based on the multipliers of rows alone,
//! rounded and combined in integers. Invariant: variables have two finite bounds, so that a basis is made dual feasible by
//! moving variables to the other bound, and no first phase is needed.

#![warn(missing_docs)]

pub(crate) mod factor;
pub(crate) mod removal;
pub mod simplex;

pub use simplex::{Outcome, Simplex};

#[cfg(test)]
mod tests;
