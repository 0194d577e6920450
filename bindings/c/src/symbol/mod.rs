//! Symbols: ground terms of the whole process as 64-bit handles, equal if and only if the terms are.
//!
//! Invariants: the table only grows, so names and arguments keep their addresses; reading an unknown handle is an
//! error, never a crash; reading takes no lock.

mod functions;
mod signature;
mod table;
mod text;

#[cfg(test)]
mod tests;

pub use signature::Signature;
pub use table::{Symbol, SymbolKind, intern_text, name_of};
pub use text::{parse, to_text};
