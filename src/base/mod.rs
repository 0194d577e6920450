//! Values everybody shares: symbols, signatures, spans, typed indices, maps, random numbers.
//!
//! Invariant: this module has no algorithm of the system's own and imports nothing of ours.

pub mod aggregate;
pub mod diagnostic;
pub mod index_vec;
pub mod interrupt;
pub mod map;
pub mod rng;
pub mod signature;
pub mod span;
pub mod symbol;
