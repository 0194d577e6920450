//! Programs as written: each statement with its tokens, for those who also want to know how it is laid out.
//!
//! Invariants: pieces come in the order of the text, and together cover it; facts are statements like all others; an
//! included text comes where it is included. Parsing is the same as without a watcher, except that nothing is kept.

use std::ops::Range;

use super::ast::Statement;
use super::token::{Token, block_comment_end};
use asp_base::span::SourceFile;
use asp_base::symbol::Symbols;

/// Takes a piece, and the table for its names; says whether to go on.
pub(crate) type Watch<'a> = &'a mut dyn FnMut(Piece<'_>, &Symbols) -> bool;

/// A piece of a program.
pub enum Piece<'a> {
    /// A text begins, or goes on after one that it includes: the program part is `base`.
    Begin {
        /// The text that begins or goes on.
        file: &'a SourceFile,
    },
    /// A statement, or the rest of a text after the last one.
    Statement {
        /// The text that the statement stands in.
        file: &'a SourceFile,
        /// From the end of the last piece to the end of this one: bytes in the text.
        range: Range<usize>,
        /// Its tokens, each with its first position and the one after its last.
        tokens: &'a [(u32, Token, u32)],
        /// Its trees: none if it is wrong or an include, several for `#minimize` and the like.
        statements: Vec<Statement>,
    },
}

/// The comments in a range of a text that holds no tokens, as ranges: those to the end of a line without the line break.
pub fn comments(text: &str, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut at = range.start;
    std::iter::from_fn(move || {
        let from = at + text.get(at..range.end)?.find('%')?;
        let rest = &text[from..];
        at = match rest.strip_prefix("%*").and_then(block_comment_end) {
            Some(length) => from + 2 + length,
            None => from + rest.find('\n').unwrap_or(rest.len()),
        };
        Some(from..at)
    })
}
