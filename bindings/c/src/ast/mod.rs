//! Abstract syntax trees: parsed, built, changed and printed.
//!
//! A tree of its own, apart from the parser's: nodes with a type and attributes ([`node`]), whose shapes are a table ([`schema`]).
//! Start with [`node`]; [`functions`] is what C sees.

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
mod unpool;
mod write;

pub use builder::Building;
