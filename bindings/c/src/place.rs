//! Places in program texts as clingo counts them: lines and columns from 1, the end after the last character.

use asp::message::{Sources, Span};

/// A place in a text.
pub struct Place<'a> {
    /// The name of the text.
    pub file: &'a str,
    /// Line and column of the first character.
    pub begin: (u32, u32),
    /// Line and column after the last character.
    pub end: (u32, u32),
}

impl<'a> Place<'a> {
    /// The place of a span; `None` if it points nowhere.
    pub fn of(span: Span, sources: &'a Sources) -> Option<Self> {
        let span = sources.home(span);
        let (file, line, column) = sources.locate(span)?;
        let last = Span::new(span.hi.max(span.lo), span.hi.max(1));
        let end = match sources.locate(last) {
            Some((other, line, column)) if other.start == file.start => (line, column),
            _ => (line, column),
        };
        Some(Self { file: &file.name, begin: (line, column), end })
    }
}
