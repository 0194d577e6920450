//! Messages about the input as text: the message, the source lines with carets, and advice.
//!
//! Invariant: however long a file or a line is, the renderer gets only the lines around the labels, and only the part
//! of a very long line around the label.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet, renderer::DecorStyle};

use super::mask::mask;
use asp_base::diagnostic::{Diagnostic, Label, Severity};
use asp_base::span::{SourceFile, Sources, Span};

/// A line longer than this is cut around the label.
const LONG_LINE: usize = 400;
/// Labels at most this many bytes apart share a snippet.
const NEAR: usize = 4000;

/// The text of a message, with a line break at its end. With colours, which only a terminal gets, control characters of the input
/// are masked.
pub fn render(d: &Diagnostic, sources: &Sources, color: bool) -> String {
    let mask = |text: &str| if color { mask(text).into_owned() } else { text.to_string() };
    let level = match d.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    let message = match d.kind {
        Some(kind) => format!("{} [{}]", mask(&d.message), kind.name()),
        None => mask(&d.message),
    };
    let mut group = Group::with_title(level.primary_title(message));
    let labels: Vec<Label> =
        d.labels.iter().map(|l| Label { span: sources.home(l.span), text: mask(&l.text) }).collect();
    let mut rest: Vec<&Label> = labels.iter().collect();
    let mut primary = true;
    while !rest.is_empty() {
        let first = rest.remove(0);
        let Some((file, line, column)) = sources.locate(first.span) else { continue };
        if !file.places.is_empty() {
            let place = Origin::path(mask(&file.name)).line(line as usize).char_column(column as usize);
            group = group.element(place);
            primary = false;
            continue;
        }
        let mut window = Window::new(file, first.span);
        let mut labels = vec![first];
        rest.retain(|label| {
            let near = window.takes(label.span);
            if near {
                labels.push(label);
            }
            !near
        });
        let mut snippet = Snippet::source(window.text).line_start(window.line);
        if window.cut {
            group = group.element(
                Origin::path(mask(&file.name)).line(window.line).char_column(window.column(first.span)),
            );
        } else {
            snippet = snippet.path(mask(&file.name));
        }
        for (i, label) in labels.iter().enumerate() {
            let kind = if primary && i == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
            let annotation = kind.span(window.range(label.span));
            snippet = snippet.annotation(match label.text.as_str() {
                "" => annotation,
                text => annotation.label(text),
            });
        }
        group = group.element(snippet);
        primary = false;
    }
    for help in &d.help {
        group = group.element(Level::HELP.message(mask(help)));
    }
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let report = [group];
    let text = renderer.decor_style(DecorStyle::Ascii).term_width(140).render(&report);
    let mut out = String::with_capacity(text.len() + 1);
    // The renderer opens a snippet that has an origin but no path of its own with an empty `:::`.
    for line in text.lines().filter(|line| !is_empty_origin(line)) {
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// Whether a line is `:::` apart from blanks and colours.
fn is_empty_origin(line: &str) -> bool {
    let mut visible = String::new();
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' {
            chars.by_ref().find(|c| c.is_ascii_alphabetic());
        } else if visible.len() < 8 && !c.is_whitespace() {
            visible.push(c);
        }
    }
    visible == ":::"
}

/// The lines of a file that a snippet shows.
struct Window<'a> {
    file: &'a SourceFile,
    /// The text's first byte in the file.
    from: usize,
    text: &'a str,
    /// Number of the text's first line.
    line: usize,
    /// Whether it is only a part of a line.
    cut: bool,
}

impl<'a> Window<'a> {
    fn new(file: &'a SourceFile, span: Span) -> Self {
        let bytes = file.text.as_bytes();
        let lo = ((span.lo - file.start) as usize).min(bytes.len());
        let hi = ((span.hi - file.start) as usize).clamp(lo, bytes.len());
        let (line, mut from) = file.line(lo);
        // Of a label over many lines, the first lines are shown.
        let hi = hi.min(lo + NEAR);
        let mut to = bytes[hi..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |i| hi + i);
        let cut = to - from > LONG_LINE && (lo - from > LONG_LINE / 2 || to - hi > LONG_LINE / 2);
        if cut {
            from = from.max(lo.saturating_sub(LONG_LINE / 8));
            to = to.min(hi.max(lo) + LONG_LINE / 8);
        }
        while !file.text.is_char_boundary(from) {
            from += 1;
        }
        while !file.text.is_char_boundary(to) {
            to += 1;
        }
        Self { file, from, text: &file.text[from..to], line, cut }
    }

    /// Whether a label can be shown in this window, which grows if possible.
    fn takes(&mut self, span: Span) -> bool {
        if span.lo < self.file.start || span.is_none() {
            return false;
        }
        let lo = (span.lo - self.file.start) as usize;
        let hi = (span.hi - self.file.start) as usize;
        if hi > self.file.text.len() {
            return false;
        }
        let to = self.from + self.text.len();
        if lo >= self.from && hi <= to {
            return true;
        }
        if self.cut || lo + NEAR < self.from || hi > to + NEAR {
            return false;
        }
        let other = Window::new(self.file, span);
        if other.cut {
            return false;
        }
        let to = to.max(other.from + other.text.len());
        if other.from < self.from {
            self.from = other.from;
            self.line = other.line;
        }
        self.text = &self.file.text[self.from..to];
        true
    }

    /// The byte of the text at a position.
    fn offset(&self, position: u32) -> usize {
        let at = ((position - self.file.start) as usize).saturating_sub(self.from).min(self.text.len());
        (0..=at).rev().find(|&i| self.text.is_char_boundary(i)).unwrap_or(0)
    }
    fn range(&self, span: Span) -> std::ops::Range<usize> {
        let lo = self.offset(span.lo);
        lo..self.offset(span.hi.max(span.lo)).max(lo)
    }
    /// Column in the file, from 1, in characters.
    fn column(&self, span: Span) -> usize {
        let at = ((span.lo - self.file.start) as usize).min(self.file.text.len());
        let line = self.file.text[..at].rfind('\n').map_or(0, |i| i + 1);
        self.file.text[line..at].chars().count() + 1
    }
}
