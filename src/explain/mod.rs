//! Questions about a program: is its answer set unique, why does an atom hold or not, why is there no answer set, what
//! can be concluded next.
//!
//! Invariant: every claim has been proven by the solver under assumptions, never guessed from the text.

pub mod ask;
pub(crate) mod atom;
pub(crate) mod cells;
pub(crate) mod chain;
pub(crate) mod conflict;
pub(crate) mod cost;
pub(crate) mod count;
pub(crate) mod diverse;
pub(crate) mod generate;
pub(crate) mod given;
pub(crate) mod hint;
pub(crate) mod infer;
pub(crate) mod inquiry;
pub(crate) mod optimal;
#[cfg(test)]
mod random;
pub(crate) mod recursion;
pub(crate) mod story;
pub(crate) mod things;
pub(crate) mod together;
pub(crate) mod tree;
pub(crate) mod values;
pub(crate) mod why;
pub(crate) mod words;
