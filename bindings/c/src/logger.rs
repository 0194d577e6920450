//! Messages to the user-defined logger.
//!
//! Invariant: no more messages are passed on than the caller wants.

use std::ffi::{CString, c_char, c_int, c_void};

use asp::message::{Diagnostic, Severity, WarningKind, render};
use asp_options::warnings::Warnings;

use crate::layout::Texts;
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
pub const SHOW_UNMATCHED: WarningKind = WarningKind::Lint("show-unmatched");

/// Where a message about a file that cannot be read begins.
pub const UNREAD: &str = "file could not be opened: ";

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
        texts: &Texts<'_>,
        wanted: &Warnings,
    ) -> Vec<(c_int, String)> {
        let is_wanted = |message: &&Diagnostic| {
            let kind = message.kind;
            let kind =
                kind.map(|kind| if kind == SHOW_UNMATCHED { WarningKind::AtomUndefined } else { kind });
            kind.is_none_or(|kind| wanted.shows(kind) && (self.own_layout || Warnings::is_clingos(kind)))
        };
        let wanted = messages.iter().filter(is_wanted);
        if self.own_layout {
            return wanted.map(|message| (code(message), render(message, texts.sources, false))).collect();
        }
        // Of those that the caller does not want any more, errors count.
        let limit = self.limit as usize;
        let ordered = texts.in_order(wanted.collect()).into_iter().enumerate();
        let due = ordered.filter(|(at, message)| *at < limit || message.severity == Severity::Error);
        due.map(|(_, message)| (code(message), texts.text(message))).collect()
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
