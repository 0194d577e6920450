//! Messages to the user-defined logger.
//!
//! Invariant: no more messages are passed on than the caller wants.

use std::ffi::{CString, c_char, c_int, c_void};

use asp::Control;
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
}

// SAFETY: the pointer is handed to the caller's function and never read here; clingo.h says that the function may be called
// from the thread that grounds.
unsafe impl Send for Logger {}

/// The number of a message's kind in clingo.h.
fn code(message: &Diagnostic) -> c_int {
    match (message.severity, &message.kind) {
        (Severity::Error, _) => 1,
        (_, Some(WarningKind::OperationUndefined)) => 0,
        (_, Some(WarningKind::AtomUndefined)) => 2,
        (_, Some(WarningKind::FileIncluded)) => 3,
        (_, Some(WarningKind::GlobalVariable)) => 5,
        _ => 6,
    }
}

/// Where a message begins, as clingo writes it.
fn place(span: Span, sources: &Sources) -> String {
    match Place::of(span, sources) {
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
        Self { callback, data, limit }
    }

    /// The logger for the next message, if the caller wants more.
    pub fn due(&mut self) -> Option<Self> {
        self.limit = self.limit.checked_sub(1)?;
        Some(Self { callback: self.callback, data: self.data, limit: 1 })
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

    /// Messages about texts, those that are wanted, each with the number of its kind.
    pub fn texts(messages: &[Diagnostic], sources: &Sources, wanted: &Warnings) -> Vec<(c_int, String)> {
        let mut told = Vec::new();
        for message in messages {
            if message.kind.is_none_or(|kind| wanted.shows(kind)) {
                let place = message.labels.first().map_or(String::new(), |label| place(label.span, sources));
                let text = render(message, sources, false);
                told.push((code(message), format!("{place}{}", text.trim_end())));
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

    /// Passes on a control's messages since the last time.
    pub fn report(&mut self, control: &mut Control) {
        let messages = control.take_diagnostics();
        self.tell_all(Self::texts(&messages, control.sources(), &Warnings::default()));
    }
}
