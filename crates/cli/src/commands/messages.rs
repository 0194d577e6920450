//! Messages of the subcommands that examine programs: as text for people, as JSON for editors; and their number.
//!
//! Invariant: with JSON, each line of standard output is one object, and nothing else is printed there.

use serde::Serialize;

use asp_base::diagnostic::{Diagnostic, Severity};
use asp_base::span::{Sources, Span};
use asp_report::diagnostic;
use asp_run::stderr::tell_coloured;
use asp_run::stdout;

/// How messages are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    /// With source lines and carets, on standard error.
    Text,
    /// One JSON object per line, on standard output.
    Json,
}

/// Prints messages and counts them.
pub(crate) struct Messages {
    format: Format,
    color: bool,
    /// How many errors there were.
    pub(crate) errors: usize,
    /// How many warnings.
    pub(crate) warnings: usize,
    /// How many notes and lints.
    pub(crate) notes: usize,
}

#[derive(Serialize)]
struct JsonMessage<'d> {
    severity: &'static str,
    code: Option<&'static str>,
    message: &'d str,
    spans: Vec<JsonSpan<'d>>,
    help: &'d [String],
}

#[derive(Serialize)]
struct JsonSpan<'d> {
    file: &'d str,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    start_byte: usize,
    end_byte: usize,
    label: &'d str,
    primary: bool,
}

impl Messages {
    /// A printer that has printed nothing.
    pub(crate) fn new(format: Format, color: bool) -> Self {
        Self { format, color, errors: 0, warnings: 0, notes: 0 }
    }

    pub(crate) fn print(&mut self, message: &Diagnostic, sources: &Sources) {
        match message.severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
            Severity::Info => self.notes += 1,
        }
        match self.format {
            Format::Text => {
                let text = diagnostic::render(message, sources, self.color);
                tell_coloured(text.trim_end_matches('\n'));
            }
            Format::Json => {
                stdout::print(&format!("{}\n", json(message, sources)));
            }
        }
    }

    /// The numbers in words, for people.
    pub(crate) fn summary(&self) -> String {
        let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        let (errors, warnings, notes) = (self.errors, self.warnings, self.notes);
        format!("{}, {}, {}", count(errors, "error"), count(warnings, "warning"), count(notes, "note"))
    }
}

/// A message as a JSON object on one line. Lines and columns count from 1, columns in characters; bytes count from 0 in
/// the file.
fn json(message: &Diagnostic, sources: &Sources) -> String {
    let labels = message.labels.iter().enumerate();
    let spans = labels.filter_map(|(i, label)| span(label.span, &label.text, i == 0, sources)).collect();
    let object = JsonMessage {
        severity: match message.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
        },
        code: message.kind.map(|kind| kind.name()),
        message: &message.message,
        spans,
        help: &message.help,
    };
    serde_json::to_string(&object).unwrap_or_default()
}

fn span<'d>(span: Span, label: &'d str, primary: bool, sources: &'d Sources) -> Option<JsonSpan<'d>> {
    let span = sources.home(span);
    let file = sources.file_of(span)?;
    let text = file.text.as_str();
    let offset = |position: u32| {
        let at = (position.saturating_sub(file.start) as usize).min(text.len());
        (0..=at).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0)
    };
    let (start, end) = (offset(span.lo), offset(span.hi.max(span.lo)));
    let place = |at: usize| {
        let line = text[..at].rfind('\n').map_or(0, |n| n + 1);
        (text[..at].matches('\n').count() + 1, text[line..at].chars().count() + 1)
    };
    let ((line, column), (end_line, end_column)) = (place(start), place(end));
    Some(JsonSpan {
        file: &file.name,
        line,
        column,
        end_line,
        end_column,
        start_byte: start,
        end_byte: end,
        label,
        primary,
    })
}
