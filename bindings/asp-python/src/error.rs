//! Errors of the engine as exceptions of the package, with their messages and places.

use asp::message::{Diagnostic, Severity, Sources, render};
use asp::{Error, StopReason};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// An exception of the package by its name.
pub(crate) fn exception(py: Python<'_>, name: &str, message: &str, messages: Bound<'_, PyList>) -> PyErr {
    let made = || -> PyResult<Bound<'_, PyAny>> {
        let class = py.import("asp._errors")?.getattr(name)?;
        class.call1((message, messages))
    };
    match made() {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

/// An exception without places.
pub(crate) fn plain(py: Python<'_>, name: &str, message: &str) -> PyErr {
    exception(py, name, message, PyList::empty(py))
}

/// What a wrong call ends with.
pub(crate) fn usage(py: Python<'_>, message: &str) -> PyErr {
    plain(py, "UsageError", message)
}

/// An error of a stage.
pub(crate) fn of(py: Python<'_>, error: &Error, sources: &Sources) -> PyErr {
    let name = match error {
        Error::Parse(_) => "ParseError",
        Error::Ground(_) => "GroundingError",
        Error::Overflow(_) => "OverflowError",
        Error::Stopped(StopReason::TimeLimit) => "TimeoutError",
        Error::Stopped(_) => "Interrupted",
        Error::NotExternal(_) | Error::NotATerm(_) => "UsageError",
        _ => "Error",
    };
    match messages(py, error.diagnostics(), sources) {
        Ok(messages) => exception(py, name, &error.summary(), messages),
        Err(error) => error,
    }
}

/// Messages as objects of the package.
pub(crate) fn messages<'py>(
    py: Python<'py>,
    diagnostics: &[Diagnostic],
    sources: &Sources,
) -> PyResult<Bound<'py, PyList>> {
    let class = py.import("asp._errors")?.getattr("Message")?;
    let list = PyList::empty(py);
    for diagnostic in diagnostics {
        let severity = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
        };
        let place = diagnostic.labels.first().and_then(|label| place(label.span, sources));
        let values = PyDict::new(py);
        values.set_item("severity", severity)?;
        values.set_item("code", diagnostic.kind.map(|kind| kind.name()))?;
        values.set_item("message", &diagnostic.message)?;
        values.set_item("file", place.as_ref().map(|p| p.0.as_str()))?;
        values.set_item("line", place.as_ref().map(|p| p.1))?;
        values.set_item("column", place.as_ref().map(|p| p.2))?;
        values.set_item("help", diagnostic.help.join("\n"))?;
        values.set_item("text", render(diagnostic, sources, false).trim_end())?;
        list.append(class.call((), Some(&values))?)?;
    }
    Ok(list)
}

/// File, line and column, both from 1, the latter in characters.
fn place(span: asp::message::Span, sources: &Sources) -> Option<(String, usize, usize)> {
    let span = sources.home(span);
    let file = sources.file_of(span)?;
    let at = (span.lo.saturating_sub(file.start) as usize).min(file.text.len());
    let before = file.text.get(..at)?;
    let line = before.rfind('\n').map_or(0, |n| n + 1);
    Some((file.name.clone(), before.matches('\n').count() + 1, before[line..].chars().count() + 1))
}
