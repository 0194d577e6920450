//! Questions about a program: is its answer set unique, why does an atom hold or not, why is there no answer set, what
//! can be concluded next.
//!
//! Invariant: every claim has been proven by the solver under assumptions, never guessed from the text.

pub mod atom;
pub mod cells;
pub(crate) mod chain;
pub mod conflict;
pub mod cost;
pub mod count;
pub(crate) mod decided;
pub mod derivation_tree;
pub mod diverse;
pub mod generate;
pub mod hint;
pub mod infer;
pub mod inquiry;
pub(crate) mod matching;
pub mod model_filter;
pub mod needed;
pub mod optimal;
#[cfg(test)]
mod random;
pub(crate) mod recursion;
pub mod renderer;
pub mod show_keys;
pub(crate) mod steps;
pub mod tree;
pub mod underivable;
pub(crate) mod unsat_core;
pub(crate) mod values;
pub mod why;
