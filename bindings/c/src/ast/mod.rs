//! Abstract syntax trees: parsed, built, changed and printed.
//!
//! These trees are separate from the parser's: nodes with a type and attributes ([`node`]), whose shapes are in a table
//! ([`schema`]). Start with [`node`]; [`functions`] is the interface for C.

mod builder;
mod functions;
mod handle;
mod make;
mod node;
mod order;
mod parse;
mod print;
mod read;
mod schema;
#[cfg(test)]
mod tests;
mod trees;
mod unpool;
pub mod wording;
mod write;

pub use builder::Building;
pub use node::Ast;
pub use trees::{Ends, Trees, ends_of};
