//! Puzzles and tables as people type them, turned into facts: grids, CSV, JSON.
//!
//! Each reader gets a text and the position of its first byte among the sources, and returns facts as program text or
//! messages with places.
//!
//! Invariant: a text is read completely or not at all; a message about it gives file, line and column and what was
//! expected.

pub mod csv;
pub mod grid;
pub mod json;
pub mod lines;
pub mod puzzle;
pub mod request;
pub mod value;

use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;

/// The greatest size of a text, in bytes.
pub const MAX_BYTES: u64 = 1 << 30;
/// The greatest number of messages about one text.
pub const MAX_MESSAGES: usize = 20;

/// What is wrong with a text.
pub type Problems = Vec<Diagnostic>;

/// `1 field`, `2 fields`
fn fields(number: usize) -> String {
    format!("{number} field{}", if number == 1 { "" } else { "s" })
}

/// A text and where it stands among the sources.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    /// The text.
    pub text: &'a str,
    /// Position of its first byte.
    pub start: u32,
}

impl Text<'_> {
    /// The span of a range of bytes, at least one byte wide so that a caret can point at it.
    pub fn span(&self, from: usize, to: usize) -> Span {
        let at = |i: usize| self.start.saturating_add(u32::try_from(i).unwrap_or(u32::MAX));
        Span::new(at(from), at(to.max(from)))
    }
}
