//! What all crates share: symbols, signatures, spans, typed indices, maps, lists by row, components of graphs,
//! weighted sums, random numbers, nearest names, threads.
//!
//! Invariant: it depends on no other crate of ours.

#![warn(missing_docs)]

pub mod aggregate;
pub mod csr;
pub mod diagnostic;
pub mod index_vec;
pub mod interrupt;
pub mod interval;
pub mod map;
pub mod nearest;
pub mod rng;
pub mod scc;
pub mod signature;
pub mod span;
pub mod symbol;
pub mod term;
pub mod threads;
pub mod weight;
