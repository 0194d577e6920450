//! Puzzles and tables as people type them, turned into facts: grids, CSV, JSON.
//!
//! Each reader gets a text and the position of its first byte among the sources, and returns facts as program text, each with
//! the part of the text that it was made from, or messages with places.
//!
//! Invariant: a text is read completely or not at all; a message about it gives file, line and column and what was
//! expected.

pub mod columns;
pub mod csv;
pub mod grid;
pub mod json;
pub mod lines;
pub mod puzzle;
pub mod request;
pub mod value;

use asp_base::diagnostic::Diagnostic;
use asp_base::span::{Original, Span};

/// The greatest size of a text, in bytes.
pub const MAX_BYTES: u64 = 1 << 30;
/// The greatest number of messages about one text.
pub(crate) const MAX_MESSAGES: usize = 20;

/// The errors of a text.
pub(crate) type Problems = Vec<Diagnostic>;

/// `1 field`, `2 fields`
fn fields(number: usize) -> String {
    format!("{number} field{}", if number == 1 { "" } else { "s" })
}

/// A range of bytes in the text that is read.
pub(crate) type Bytes = (usize, usize);

/// Facts as program text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Facts {
    pub text: String,
    /// The first byte of each, and what it was made of.
    pub parts: Vec<(u32, u32, u32)>,
}

impl Facts {
    /// Begins a fact that is made of some bytes; the caller appends it to the text.
    pub(crate) fn begin(&mut self, (from, to): Bytes) {
        let short = |i: usize| u32::try_from(i).unwrap_or(u32::MAX);
        self.parts.push((short(self.text.len()), short(from), short(to)));
    }

    /// The facts, and the text that they were made of.
    pub fn made_of(self, name: String, text: String) -> (Original, String) {
        (Original { name, text, parts: self.parts }, self.text)
    }
}

/// The first line of a row, without blanks at its end.
fn first_line(text: &str, (from, to): Bytes) -> Bytes {
    let row = &text[from..to];
    let row = row.find(['\n', '\r']).map_or(row, |end| &row[..end]);
    (from, from + row.trim_end().len())
}

/// A text and where it stands among the sources.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
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
