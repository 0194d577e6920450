//! Positions, URIs and diagnostics in the types of the protocol.

use std::ops::Range;
use std::path::Path;
use std::str::FromStr as _;

use lsp_types::{
    Diagnostic as LspDiagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString,
    Position, Range as LspRange, TextEdit, Uri,
};

use asp_analysis::place::{self, Lines};
use asp_base::diagnostic::{Diagnostic, Severity};
use asp_run::look::is_unknown_input;

/// A place of the protocol.
pub(super) fn position(place: place::Position) -> Position {
    Position { line: place.line, character: place.character }
}

/// A range of the protocol.
pub(super) fn range(lines: &Lines, range: &Range<usize>) -> LspRange {
    let (start, end) = lines.range(range);
    LspRange { start: position(start), end: position(end) }
}

/// The byte that a place of the protocol means.
pub(super) fn offset(lines: &Lines, at: Position) -> usize {
    lines.offset(place::Position { line: at.line, character: at.character })
}

/// The bytes that a range of the protocol means.
pub(super) fn bytes(lines: &Lines, range: LspRange) -> Range<usize> {
    let (start, end) = (offset(lines, range.start), offset(lines, range.end));
    start..end.max(start)
}

/// An edit of the protocol.
pub(super) fn edit(lines: &Lines, at: &Range<usize>, text: impl Into<String>) -> TextEdit {
    TextEdit { range: range(lines, at), new_text: text.into() }
}

/// The name of the text that a URI means: a path, or the URI itself.
pub(super) fn name_of(uri: &Uri) -> String {
    let text = uri.as_str();
    let Some(rest) = text.strip_prefix("file://") else { return text.to_string() };
    // What stands before the path is the machine, this one.
    let path = rest.find('/').map_or(rest, |i| &rest[i..]);
    let mut bytes = Vec::with_capacity(path.len());
    let mut left = path.as_bytes();
    while let [first, rest @ ..] = left {
        let digits = rest.get(..2).filter(|_| *first == b'%').and_then(|d| std::str::from_utf8(d).ok());
        match digits.and_then(|d| u8::from_str_radix(d, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                left = &rest[2..];
            }
            None => {
                bytes.push(*first);
                left = rest;
            }
        }
    }
    let path = String::from_utf8_lossy(&bytes).into_owned();
    // `/C:/a.lp` is `C:/a.lp`.
    match path.as_bytes() {
        [b'/', drive, b':', ..] if drive.is_ascii_alphabetic() => path[1..].to_string(),
        _ => path,
    }
}

/// The URI of a file; none for a text that is no file.
pub(super) fn uri_of(name: &str) -> Option<Uri> {
    let path = Path::new(name);
    if !path.is_absolute() {
        return Uri::from_str(name).ok().filter(|_| name.contains(':') && !name.starts_with("embedded:"));
    }
    let mut text = String::from("file://");
    if !name.starts_with('/') {
        text.push('/');
    }
    for b in name.bytes() {
        match b {
            b'\\' if cfg!(windows) => text.push('/'),
            b if b.is_ascii_alphanumeric() || b"/-._~:".contains(&b) => text.push(b as char),
            b => text.push_str(&format!("%{b:02X}")),
        }
    }
    Uri::from_str(&text).ok()
}

/// A message as the protocol has it; `locate` finds places.
pub(super) fn diagnostic(
    message: &Diagnostic,
    at: LspRange,
    locate: impl Fn(asp_base::span::Span) -> Option<Location>,
) -> LspDiagnostic {
    let mut text = message.message.clone();
    if let Some(caption) = message.labels.first().map(|l| &l.text).filter(|t| !t.is_empty()) {
        text.push_str(&format!("\n{caption}"));
    }
    message.help.iter().for_each(|help| text.push_str(&format!("\nhelp: {help}")));
    if is_unknown_input(message) {
        text.push_str("\nhelp: an instance may state it; `#defined name/arity.` says that it may be absent");
    }
    let related = message.labels.iter().skip(1).filter_map(|label| {
        let message = if label.text.is_empty() { "here".to_string() } else { label.text.clone() };
        Some(DiagnosticRelatedInformation { location: locate(label.span)?, message })
    });
    let related: Vec<_> = related.collect();
    LspDiagnostic {
        range: at,
        severity: Some(match message.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Info if is_unknown_input(message) => DiagnosticSeverity::HINT,
            Severity::Info => DiagnosticSeverity::INFORMATION,
        }),
        code: message.kind.map(|kind| NumberOrString::String(kind.name().to_string())),
        source: Some("asp".into()),
        message: text,
        related_information: (!related.is_empty()).then_some(related),
        ..LspDiagnostic::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_their_uris() {
        for (name, text) in
            [("/a b/ü%.lp", "file:///a%20b/%C3%BC%25.lp"), ("untitled:Untitled-1", "untitled:Untitled-1")]
        {
            let uri = uri_of(name).expect("a URI");
            assert_eq!(uri.as_str(), text);
            assert_eq!(name_of(&uri), name);
        }
        assert_eq!(
            name_of(&Uri::from_str("file:///c%3A/x%2").unwrap_or_else(|_| uri_of("/").expect("one"))),
            "/"
        );
        assert!(uri_of("embedded:programs/sudoku.lp").is_none());
    }
}
