//! Why a stage failed, with the messages that say where and what to do.

use std::fmt;
use std::sync::Arc;

use asp_base::diagnostic::{Diagnostic, Severity};
use asp_base::interrupt::StopReason;
use asp_base::span::Sources;
use asp_report::diagnostic::render;

/// Why a stage of a [`Control`](crate::Control) failed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// A text has errors.
    Parse(Report),
    /// Grounding found errors, or made more instances than the settings allow.
    Ground(Report),
    /// A sum does not fit 64 bits.
    Overflow(Report),
    /// A ground program cannot be read, or the wanted format cannot express it.
    Format(String),
    /// The ground program has no such atom, or it is not external.
    NotExternal(String),
    /// A text is not a ground term.
    NotATerm(String),
    /// A limit or an interrupt ended the stage.
    Stopped(StopReason),
    /// A function of a [`Theory`](crate::Theory) failed.
    Theory(Arc<dyn std::error::Error + Send + Sync>),
}

/// The errors of a stage.
#[derive(Clone, Debug, Default)]
pub struct Report {
    summary: String,
    diagnostics: Vec<Diagnostic>,
    text: String,
}

impl Report {
    /// A report without messages, for a stage whose messages have been shown already.
    pub fn told(summary: &str) -> Self {
        Self { summary: summary.to_string(), ..Self::default() }
    }
    /// The errors among some messages, with a summary line.
    pub(crate) fn of(summary: impl Into<String>, diagnostics: &[Diagnostic], sources: &Sources) -> Self {
        let is_error = |d: &&Diagnostic| d.severity == Severity::Error;
        let diagnostics: Vec<Diagnostic> = diagnostics.iter().filter(is_error).cloned().collect();
        let text = diagnostics.iter().map(|d| render(d, sources, false)).collect();
        Self { summary: summary.into(), diagnostics, text }
    }
    /// The errors, with their places in [`Control::sources`](crate::Control::sources).
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}

impl fmt::Display for Report {
    /// The errors as the command line prints them: the source line, a caret, advice.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text.trim_end())
    }
}

impl Error {
    /// The messages behind the error, if any.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        match self {
            Error::Parse(report) | Error::Ground(report) | Error::Overflow(report) => &report.diagnostics,
            _ => &[],
        }
    }
    /// The summary line, without the messages behind it.
    pub fn summary(&self) -> String {
        match self {
            Error::Parse(report) | Error::Ground(report) | Error::Overflow(report) => report.summary.clone(),
            Error::Format(error) => error.clone(),
            Error::NotExternal(atom) => format!("{atom} is not an external atom of the ground program"),
            Error::NotATerm(text) => format!("`{text}` is not a ground term"),
            Error::Stopped(reason) => format!("stopped: {reason}"),
            Error::Theory(failure) => failure.to_string(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.summary())?;
        match self {
            Error::Parse(report) | Error::Ground(report) | Error::Overflow(report)
                if !report.text.is_empty() =>
            {
                write!(f, "\n{report}")
            }
            _ => Ok(()),
        }
    }
}

impl std::error::Error for Error {}
