//! Questions about a program: is its answer set unique, why does an atom hold or not, why is there no answer set, what
//! can be concluded next.
//!
//! Invariant: whatever is claimed has been shown by the solver under assumptions, never guessed from the text.

pub mod cells;
pub mod chain;
pub mod conflict;
pub mod cores;
pub mod count;
pub mod diverse;
pub mod formula;
pub mod hint;
pub mod infer;
pub mod inquiry;
pub mod items;
pub mod recursion;
pub mod relax;
pub mod relaxed_facts;
pub mod story;
pub mod together;
pub mod tree;
pub mod why;
pub mod words;
