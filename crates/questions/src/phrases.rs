//! Sentences that several replies share, and how much of a tree they show.
//!
//! Invariant: a tree that is shortened says so.

use asp_explain::tree::Node;

/// The reply where there is no answer set.
pub const NO_ANSWER_SET: &str = "No answer set: `asp why-unsat` explains that.\n";

/// The reply where nothing explains a contradiction.
pub const CONSISTENT: &str = "There is an answer set: there is no contradiction.\n";

/// How many lines of a tree are shown.
const LINES: usize = 40;

/// The text of a tree, shortened unless all of it is wanted.
pub(super) fn tree_text(tree: &Node, full: bool) -> String {
    if full {
        return tree.to_text();
    }
    match tree.to_text_within(LINES) {
        (text, 0) => text,
        (text, 1) => format!("{text}(1 more line; `--full` shows it)\n"),
        (text, more) => format!("{text}({more} more lines; `--full` shows them)\n"),
    }
}

/// The text after all answer sets, if there are fewer than requested.
pub fn no_others(number: usize) -> String {
    format!("There are no others: {number} in all.\n")
}
