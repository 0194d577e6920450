//! Questions about a program, and what is told of them: as text, as JSON, as pages and pictures. The subcommands print it; those
//! who use the library from another language [`ask`].
//!
//! Invariant: nothing here prints, and what is claimed comes from `explain`.

mod asked;
pub(crate) mod atoms;
pub(crate) mod candidates;
pub(crate) mod hint;
pub(crate) mod listing;
pub mod portrait;
pub(crate) mod unique;
pub(crate) mod why;
pub(crate) mod why_unsat;

pub use asked::{Failure, Question, Reply, Subject, ask};

use crate::explain::tree::Node;

/// What is said where there is no answer set to speak of.
pub(crate) const NO_ANSWER_SET: &str = "No answer set: `asp why-unsat` explains that.\n";

/// How many lines of a tree are told.
const LINES: usize = 40;

/// The text of a tree, shortened unless all of it is wanted.
fn tree_text(tree: &Node, full: bool) -> String {
    if full { tree.to_text() } else { tree.to_text_within(LINES) }
}
