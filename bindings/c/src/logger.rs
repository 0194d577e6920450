//! Messages to the user-defined logger.
//!
//! Invariant: no more messages are passed on than the caller wants.

use std::ffi::{CString, c_char, c_int, c_void};
use std::fmt::Write as _;

use asp::message::{Diagnostic, Severity, Sources, Span, WarningKind, render};
use asp_options::warnings::Warnings;

use crate::place::Place;

/// The user-defined function for messages.
pub type LoggerCallback = Option<extern "C" fn(c_int, *const c_char, *mut c_void)>;

/// Where messages go.
pub struct Logger {
    callback: LoggerCallback,
    data: *mut c_void,
    limit: u32,
    /// Whether messages are laid out as those of the command line.
    own_layout: bool,
}

// SAFETY: the pointer is handed to the caller's function and never read here; clingo.h says that the function may be called
// from the thread that grounds.
unsafe impl Send for Logger {}

/// Signatures of `#show` without atoms: a lint, of which clingo tells as of undefined atoms.
const SHOW_UNMATCHED: WarningKind = WarningKind::Lint("show-unmatched");

/// How messages about them begin, before the signature.
const NO_HEAD: &str = "no rule has the head `";

/// Where a message about a file that cannot be read begins.
pub const UNREAD: &str = "file could not be opened: ";

/// The place of messages about what the caller has named.
const COMMAND: &str = "<cmd>: ";

/// The number of errors in clingo.h.
pub const ERROR: c_int = 1;
/// The number of messages of no kind of their own.
pub const OTHER: c_int = 6;

/// The number of a message's kind in clingo.h.
fn code(message: &Diagnostic) -> c_int {
    match (message.severity, &message.kind) {
        (Severity::Error, _) => ERROR,
        (_, Some(WarningKind::OperationUndefined)) => 0,
        (_, Some(WarningKind::AtomUndefined | SHOW_UNMATCHED)) => 2,
        (_, Some(WarningKind::FileIncluded)) => 3,
        (_, Some(WarningKind::GlobalVariable)) => 5,
        _ => 6,
    }
}

/// A place before a message, as clingo writes it.
pub fn prefix(place: Option<Place<'_>>) -> String {
    match place {
        None => String::new(),
        Some(Place { file, begin: (line, column), end }) if end.0 == line => {
            format!("{file}:{line}:{column}-{}: ", end.1)
        }
        Some(Place { file, begin, end }) => format!("{file}:{}:{}-{}:{}: ", begin.0, begin.1, end.0, end.1),
    }
}

/// Where a message begins.
fn place(span: Span, sources: &Sources) -> String {
    prefix(Place::of(span, sources))
}

/// A message as clingo lays it out: what it is about on a line of its own, further places and advice as notes.
fn text(message: &Diagnostic, sources: &Sources) -> String {
    let first = message.labels.first();
    let mut out = first.map_or(String::new(), |label| place(label.span, sources));
    let excerpt = first.map_or("", |label| sources.text(label.span));
    let severity = match message.severity {
        Severity::Error => "error",
        // As clingo has it, whether another name is near or not.
        Severity::Warning if message.kind != Some(WarningKind::AtomUndefined) => "warning",
        _ => "info",
    };
    let mut head = message.message.as_str();
    let mut about = excerpt.split_whitespace().collect::<Vec<_>>().join(" ");
    match message.kind {
        Some(WarningKind::AtomUndefined | SHOW_UNMATCHED) if head.starts_with(NO_HEAD) => {
            about = head[NO_HEAD.len()..].trim_end_matches('`').to_string();
            head = "no atoms over signature occur in program";
        }
        Some(WarningKind::AtomUndefined) => head = head.split(": `").next().unwrap_or(head),
        Some(WarningKind::OperationUndefined) => {
            if let Some(name) = excerpt.strip_prefix('@') {
                about = format!("function '{}' not found", name.split('(').next().unwrap_or(name));
            } else if excerpt.contains(['+', '-', '*', '/', '\\', '?', '^', '&']) {
                about = format!("({about})");
            }
        }
        _ => {}
    }
    if let Some(file) = head.strip_prefix(UNREAD) {
        (out, head, about) = (COMMAND.into(), UNREAD.trim_end_matches(": "), file.to_string());
    }
    let _ = write!(out, "{severity}: {head}");
    if !about.is_empty() {
        let _ = write!(out, ":\n  {about}");
    }
    out.push('\n');
    if message.severity == Severity::Error {
        for label in message.labels.iter().filter(|label| !label.text.is_empty()) {
            let _ = writeln!(out, "{}note: {}", place(label.span, sources), label.text);
        }
        for help in &message.help {
            let _ = writeln!(out, "note: {help}");
        }
    }
    out
}

impl Logger {
    /// A user-defined function, its data, and the greatest number of messages.
    pub fn new(callback: LoggerCallback, data: *mut c_void, limit: u32) -> Self {
        Self { callback, data, limit, own_layout: false }
    }

    /// The same, with messages as the command line has them, or as clingo has them.
    pub fn laid_out(self, own_layout: bool) -> Self {
        Self { own_layout, ..self }
    }

    /// The logger for the next message, if the caller wants more.
    pub fn due(&mut self) -> Option<Self> {
        self.limit = self.limit.checked_sub(1)?;
        Some(Self { limit: 1, ..*self })
    }

    /// Passes on a message.
    pub fn tell(&self, code: c_int, text: &str) {
        match self.callback {
            Some(callback) => {
                let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
                callback(code, text.as_ptr(), self.data);
            }
            None => asp_run::stderr::tell(text),
        }
    }

    /// Messages about texts, those that are wanted, each with the number of its kind. Programs that were written for clingo
    /// hear what clingo says; lints are for people.
    pub fn texts(
        &self,
        messages: &[Diagnostic],
        sources: &Sources,
        wanted: &Warnings,
    ) -> Vec<(c_int, String)> {
        let mut told = Vec::new();
        for message in messages {
            let kind = message
                .kind
                .map(|kind| if kind == SHOW_UNMATCHED { WarningKind::AtomUndefined } else { kind });
            if kind.is_none_or(|kind| wanted.shows(kind) && (self.own_layout || Warnings::is_clingos(kind))) {
                let text = match self.own_layout {
                    true => render(message, sources, false),
                    false => text(message, sources),
                };
                told.push((code(message), text));
            }
        }
        told
    }

    /// Passes on messages, as many as the caller wants.
    pub fn tell_all(&mut self, messages: Vec<(c_int, String)>) {
        for (code, text) in messages {
            if let Some(logger) = self.due() {
                logger.tell(code, &text);
            }
        }
    }
}
