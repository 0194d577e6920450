//! Questions about a program: is its answer set unique, why does an atom hold or not, why is there no answer set, what
//! can be concluded next.
//!
//! Invariant: whatever is claimed has been shown by the solver under assumptions, never guessed from the text.

pub mod cells;
pub mod count;
pub mod diverse;
