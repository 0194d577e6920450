//! Messages to the caller's logger.
//!
//! Invariant: at most so many are told as the caller wants.

use std::ffi::{CString, c_char, c_int, c_void};

use asp::Control;
use asp::message::{Diagnostic, Severity, WarningKind, render};

/// The caller's function for messages.
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

impl Logger {
    /// The caller's function, what it wants to be told with each message, and how many it wants.
    pub fn new(callback: LoggerCallback, data: *mut c_void, limit: u32) -> Self {
        Self { callback, data, limit }
    }

    /// Tells a message.
    pub fn tell(&mut self, code: c_int, text: &str) {
        if self.limit == 0 {
            return;
        }
        self.limit -= 1;
        match self.callback {
            Some(callback) => {
                let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
                callback(code, text.as_ptr(), self.data);
            }
            None => eprintln!("{text}"),
        }
    }

    /// Tells what a control has to say since the last time.
    pub fn report(&mut self, control: &mut Control) {
        for message in control.take_diagnostics() {
            // What only this system notes has no place among clingo's messages.
            if matches!(message.kind, Some(WarningKind::Lint(_))) {
                continue;
            }
            self.tell(code(&message), render(&message, control.sources(), false).trim_end());
        }
    }
}
