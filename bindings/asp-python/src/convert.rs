//! Values of Python as terms, and terms as values of Python.
//!
//! A number is an `int`, a string a `str`, a constant an [`asp.Name`](name) (a `str`), a tuple a `tuple`; everything else is a
//! [`Term`]. Invariant: what comes out goes in again as the same term.

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyInt, PyString, PyTuple};

use crate::code::{self, Head};
use crate::term::Term;

/// The class of constants, a `str`.
pub(crate) fn name_class<'py>(py: Python<'py>) -> PyResult<&'py Bound<'py, PyAny>> {
    static NAME: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let name =
        NAME.get_or_try_init(py, || Ok::<_, PyErr>(py.import("asp._names")?.getattr("Name")?.unbind()))?;
    Ok(name.bind(py))
}

pub(crate) fn name<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    name_class(py)?.call1((text,))
}

/// Whether a text is the name of a constant.
pub(crate) fn is_name(text: &str) -> bool {
    let rest = text.trim_start_matches(['_', '\'']);
    rest.starts_with(|c: char| c.is_ascii_lowercase())
        && text != "not"
        && !text.starts_with('\'')
        && rest.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '\'')
}

/// Appends a value as a term.
pub(crate) fn encode(value: &Bound<'_, PyAny>, out: &mut Vec<u8>) -> PyResult<()> {
    let mut open = vec![value.clone()];
    while let Some(value) = open.pop() {
        if let Ok(term) = value.cast::<Term>() {
            out.extend_from_slice(&term.get().bytes);
        } else if value.is_exact_instance_of::<PyInt>() {
            code::push(Head::Number(number(&value)?), out);
        } else if let Ok(text) = value.cast::<PyString>() {
            let owned = text.to_cow()?;
            if !value.is_exact_instance_of::<PyString>() && value.is_instance(name_class(value.py())?)? {
                code::push(Head::Function { name: &owned, arity: 0, negative: false }, out);
            } else {
                code::push(Head::String(&owned), out);
            }
        } else if let Ok(tuple) = value.cast::<PyTuple>() {
            code::push(Head::Tuple(tuple.len()), out);
            open.extend(tuple.iter().collect::<Vec<_>>().into_iter().rev());
        } else if value.is_instance_of::<PyBool>() {
            return Err(PyTypeError::new_err("a bool is not a term; write 0 or 1, or asp.Name(\"true\")"));
        } else if let Ok(predicate) = value.getattr("__asp_term__") {
            open.push(predicate.call0()?);
        } else if value.hasattr("__index__")? {
            code::push(Head::Number(number(&value)?), out);
        } else {
            let kind = value.get_type().name()?;
            // Values that stand for none do not equal themselves (NaN, NaT) or do not say (NA).
            if kind == "NAType" || !value.eq(&value).unwrap_or(true) {
                return Err(PyTypeError::new_err(
                    "a missing value is not a term; leave these rows out first",
                ));
            }
            return Err(PyTypeError::new_err(format!(
                "a value of type {kind} is not a term; terms are int, str, asp.Name, tuple and asp.Term"
            )));
        }
    }
    Ok(())
}

fn number(value: &Bound<'_, PyAny>) -> PyResult<i64> {
    value.extract().map_err(|error: PyErr| {
        if error.is_instance_of::<PyOverflowError>(value.py()) {
            PyOverflowError::new_err("a number does not fit 64 bits")
        } else {
            error
        }
    })
}

/// The value that a term is.
pub(crate) fn decode<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    // Tuples whose items are not complete, with where theirs begin.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut done: Vec<Bound<'py, PyAny>> = Vec::new();
    let mut rest = bytes;
    loop {
        let Some((head, after)) = code::split(rest) else {
            return Err(PyTypeError::new_err("these bytes are no term"));
        };
        match head {
            Head::Tuple(arity) => open.push((arity, done.len())),
            Head::Number(n) => done.push(n.into_pyobject(py)?.into_any()),
            Head::String(text) => done.push(PyString::new(py, text).into_any()),
            Head::Function { name: text, arity: 0, negative: false } => done.push(name(py, text)?),
            _ => {}
        }
        match head {
            Head::Infimum | Head::Supremum | Head::Function { .. }
                if !matches!(head, Head::Function { arity: 0, negative: false, .. }) =>
            {
                let Some((own, after)) = code::first(rest) else {
                    return Err(PyTypeError::new_err("these bytes are no term"));
                };
                done.push(Bound::new(py, Term::from(own))?.into_any());
                rest = after;
            }
            _ => rest = after,
        }
        while let Some(&(arity, from)) = open.last() {
            if done.len() < from + arity {
                break;
            }
            open.pop();
            let tuple = PyTuple::new(py, done.drain(from..).collect::<Vec<_>>())?;
            done.push(tuple.into_any());
        }
        if open.is_empty() {
            return done.pop().ok_or_else(|| PyTypeError::new_err("these bytes are no term"));
        }
    }
}

/// The term that an argument names: a value, or the text of an atom.
pub(crate) fn atom(value: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if let Ok(text) = value.cast::<PyString>() {
        let text = text.to_cow()?;
        return code::parse(&text).ok_or_else(|| {
            crate::error::usage(
                value.py(),
                &format!("`{text}` is not a ground atom; write it as answer sets show it, such as p(1,a)"),
            )
        });
    }
    let mut out = Vec::new();
    encode(value, &mut out)?;
    Ok(out)
}
