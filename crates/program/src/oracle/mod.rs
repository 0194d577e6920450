//! The definitions, followed to the letter: truth of every construct, a checker of answer sets, and all answer sets of
//! a tiny program by brute force.
//!
//! Invariant: nothing here is shared with lowering or solving, so that both can be tested against it.

pub mod brute_force;
pub mod check;
pub mod evaluate;
mod integers;
#[cfg(test)]
pub(super) mod random;
