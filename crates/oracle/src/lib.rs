//! The definitions, followed to the letter, for tests: truth of every construct (`evaluate`), a checker of answer sets
//! ([`check`]), all answer sets of a tiny program ([`brute_force`]), and random programs ([`random`]).
//!
//! Invariant: nothing here is shared with lowering or solving, so that both can be tested against it. No crate of the product uses
//! it.

pub mod brute_force;
pub mod check;
mod evaluate;
mod integers;
pub mod random;
