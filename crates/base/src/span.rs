//! Source texts and positions in them.
//!
//! All sources of a run share one range of byte positions, so a span is two 32-bit numbers; position 0 belongs to no file
//! and marks "no place".
//!
//! Facts read from a table or a grid form a source of their own, which users never see: a position in it is reported as the
//! position in the table.

use std::sync::{Arc, OnceLock};

/// A range of bytes in one of the [`Sources`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// First byte.
    pub lo: u32,
    /// One past the last byte.
    pub hi: u32,
}

impl Span {
    /// The span of nothing.
    pub const NONE: Span = Span { lo: 0, hi: 0 };
    /// A span from its ends.
    #[inline]
    pub fn new(lo: u32, hi: u32) -> Self {
        Self { lo, hi }
    }
    /// From the start of `self` to the end of `other`.
    #[inline]
    pub fn to(self, other: Span) -> Span {
        Span { lo: self.lo, hi: other.hi }
    }
    /// Whether it points nowhere.
    pub fn is_none(self) -> bool {
        self.hi == 0
    }
}

crate::define_index! {
    /// The source rule that a ground rule is an instance of: a row of the ground program's sources.
    pub struct RuleSource
}

impl RuleSource {
    /// For rules that come from no source rule.
    pub const NONE: RuleSource = RuleSource(u32::MAX);
}

/// The text that facts were made from: a table or a grid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Original {
    /// Its name as users know it.
    pub name: String,
    /// Its contents.
    pub text: String,
    /// For each fact its first byte, and the range of this text that it was made from; in ascending order.
    pub parts: Vec<(u32, u32, u32)>,
}

/// One source text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The name as users know it: a path, `<stdin>`, `<command line>`.
    pub name: String,
    /// Its contents.
    pub text: String,
    /// Position of the text's first byte.
    pub start: u32,
    /// For a text that is not available: the line and column of each position.
    pub places: Vec<(u32, u32)>,
    /// The text that this one was made from, and the position of its first byte.
    original: Option<(u32, Arc<Original>)>,
    /// Where its lines begin, once needed.
    lines: OnceLock<Vec<u32>>,
}

impl SourceFile {
    /// How many positions it has.
    fn size(&self) -> usize {
        self.text.len().max(self.places.len())
    }
    /// The line of a byte, from 1, and the line's first byte.
    pub fn line(&self, at: usize) -> (usize, usize) {
        let begins = self.lines.get_or_init(|| {
            let breaks = (1..).zip(self.text.bytes()).filter(|&(_, b)| b == b'\n');
            std::iter::once(0).chain(breaks.map(|(next, _)| next)).collect()
        });
        let line = begins.partition_point(|&begin| begin as usize <= at);
        (line, begins[line - 1] as usize)
    }
}

/// All source texts of a run.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

/// The sources hold more than 4 GiB of text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourcesFull;

impl Sources {
    /// No sources.
    pub fn new() -> Self {
        Self::default()
    }
    /// Adds a text and returns the position of its first byte. Errors if all texts together pass 4 GiB.
    pub fn add(&mut self, name: String, text: String) -> Result<u32, SourcesFull> {
        self.push(name, text, Vec::new())
    }
    /// Adds facts that were made from another text. Places in them are reported as places in that text.
    pub fn add_made(&mut self, text: String, original: &Arc<Original>) -> Result<u32, SourcesFull> {
        let Original { name, text: read, .. } = &**original;
        let known = self.files.iter().find(|f| f.name == *name && f.text == *read).map(|f| f.start);
        let from = known.map_or_else(|| self.add(name.clone(), read.clone()), Ok)?;
        let start = self.push(name.clone(), text, Vec::new())?;
        if let Some(file) = self.files.last_mut() {
            file.original = Some((from, original.clone()));
        }
        Ok(start)
    }
    /// Adds a text that is not available: its positions stand for lines and columns, starting at [`next`](Self::next).
    pub fn add_places(&mut self, name: String, places: Vec<(u32, u32)>) -> Result<u32, SourcesFull> {
        self.push(name, String::new(), places)
    }
    /// The first position of the next text.
    pub fn next(&self) -> u32 {
        u32::try_from(self.end()).unwrap_or(u32::MAX)
    }
    fn end(&self) -> usize {
        self.files.last().map_or(1, |f| f.start as usize + f.size() + 1)
    }
    fn push(&mut self, name: String, text: String, places: Vec<(u32, u32)>) -> Result<u32, SourcesFull> {
        let start = self.end();
        if start + text.len().max(places.len()) >= u32::MAX as usize {
            return Err(SourcesFull);
        }
        let start = start as u32;
        self.files.push(SourceFile { name, text, start, places, original: None, lines: OnceLock::new() });
        Ok(start)
    }
    /// The texts in order of arrival.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }
    /// The span as reported to users: for a fact made from a table, that of the table's row.
    pub fn home(&self, span: Span) -> Span {
        let Some((file, (start, original))) = self.holder(span).and_then(|f| Some((f, f.original.as_ref()?)))
        else {
            return span;
        };
        let at = span.lo - file.start;
        let next = original.parts.partition_point(|part| part.0 <= at);
        let part = next.checked_sub(1).and_then(|i| original.parts.get(i));
        part.map_or(span, |&(_, lo, hi)| Span::new(start.saturating_add(lo), start.saturating_add(hi)))
    }
    /// The file that a span starts in, as users know it; `None` for a span of nothing.
    pub fn file_of(&self, span: Span) -> Option<&SourceFile> {
        self.holder(self.home(span))
    }
    /// Whether the text at a place was made from another one, such as a table or grid.
    pub fn is_made(&self, span: Span) -> bool {
        self.holder(span).is_some_and(|f| f.original.is_some())
    }
    fn holder(&self, span: Span) -> Option<&SourceFile> {
        if span.is_none() {
            return None;
        }
        let i = self.files.partition_point(|f| f.start <= span.lo);
        self.files.get(i.checked_sub(1)?)
    }
    /// File, line and column (both from 1, columns in bytes) of a position.
    pub fn locate(&self, span: Span) -> Option<(&SourceFile, u32, u32)> {
        let span = self.home(span);
        let file = self.holder(span)?;
        let at = (span.lo - file.start) as usize;
        if let Some(&(line, column)) = file.places.get(at) {
            return Some((file, line, column));
        }
        let at = at.min(file.text.len());
        let (line, begin) = file.line(at);
        Some((file, line as u32, (at - begin) as u32 + 1))
    }
    /// The text under a span.
    pub fn text(&self, span: Span) -> &str {
        let span = self.home(span);
        self.holder(span)
            .and_then(|f| f.text.get((span.lo - f.start) as usize..(span.hi - f.start) as usize))
            .unwrap_or("")
    }
}
