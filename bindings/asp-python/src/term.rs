//! Terms as objects of Python.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::code::{self, Head};
use crate::convert;

/// A ground term: a number, a string, a constant, a function term, a tuple, #inf or #sup.
///
/// Terms are immutable, can be pickled and hashed, and are ordered as clingo orders them.
#[pyclass(frozen, module = "asp")]
pub(crate) struct Term {
    pub(crate) bytes: Arc<[u8]>,
}

impl From<&[u8]> for Term {
    fn from(bytes: &[u8]) -> Self {
        Self { bytes: bytes.into() }
    }
}

impl Term {
    fn head(&self) -> Head<'_> {
        code::split(&self.bytes).map_or(Head::Infimum, |(head, _)| head)
    }
}

#[pymethods]
impl Term {
    /// The term that a value is: `Term(3)`, `Term("text")`, `Term((1, 2))`, `Term(Name("a"))`, or a function term from its name
    /// and arguments, `Term("f", 1, 2)`.
    #[new]
    #[pyo3(signature = (value, /, *arguments, negative=false))]
    fn new(value: &Bound<'_, PyAny>, arguments: &Bound<'_, PyTuple>, negative: bool) -> PyResult<Self> {
        let mut bytes = Vec::new();
        if arguments.is_empty() && !negative {
            convert::encode(value, &mut bytes)?;
            return Ok(Self { bytes: bytes.into() });
        }
        let name: String = value.extract()?;
        if !convert::is_name(&name) {
            return Err(PyValueError::new_err(format!("`{name}` is no name of a function")));
        }
        code::push(Head::Function { name: &name, arity: arguments.len(), negative }, &mut bytes);
        for argument in arguments.iter() {
            convert::encode(&argument, &mut bytes)?;
        }
        Ok(Self { bytes: bytes.into() })
    }

    /// The term that a text says, written as answer sets show it: `Term.parse("f(1,(a,\"b\"))")`.
    #[staticmethod]
    fn parse(py: Python<'_>, text: &str) -> PyResult<Self> {
        match code::parse(text) {
            Some(bytes) => Ok(Self { bytes: bytes.into() }),
            None => Err(crate::error::usage(py, &format!("`{text}` is not a ground term"))),
        }
    }

    #[staticmethod]
    fn _from_bytes(bytes: &[u8]) -> PyResult<Self> {
        if code::is_term(bytes) {
            Ok(Self::from(bytes))
        } else {
            Err(PyValueError::new_err("these bytes are no term"))
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let py = slf.py();
        let make = py.get_type::<Self>().getattr("_from_bytes")?;
        Ok((make, (PyBytes::new(py, &slf.get().bytes),)))
    }

    /// What it is: "number", "string", "function" (constants too), "tuple", "infimum" or "supremum".
    #[getter]
    fn kind(&self) -> &'static str {
        match self.head() {
            Head::Infimum => "infimum",
            Head::Number(_) => "number",
            Head::String(_) => "string",
            Head::Function { .. } => "function",
            Head::Tuple(_) => "tuple",
            Head::Supremum => "supremum",
        }
    }

    /// The name of a constant or function term, otherwise None.
    #[getter]
    fn name(&self) -> Option<&str> {
        match self.head() {
            Head::Function { name, .. } => Some(name),
            _ => None,
        }
    }

    /// Whether it is classically negated.
    #[getter]
    fn negative(&self) -> bool {
        matches!(self.head(), Head::Function { negative: true, .. })
    }

    /// The arguments of a function term or tuple, as values.
    #[getter]
    fn arguments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let values: PyResult<Vec<_>> =
            code::arguments(&self.bytes).map(|argument| convert::decode(py, argument)).collect();
        PyTuple::new(py, values?)
    }

    /// The value that it is: an int, str, Name or tuple, otherwise the term itself.
    #[getter]
    fn value<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        match slf.get().head() {
            Head::Function { arity: 0, negative: false, .. }
            | Head::Number(_)
            | Head::String(_)
            | Head::Tuple(_) => convert::decode(slf.py(), &slf.get().bytes),
            _ => Ok(slf.clone().into_any()),
        }
    }

    #[classattr]
    fn __match_args__() -> (&'static str, &'static str) {
        ("name", "arguments")
    }

    fn __len__(&self) -> usize {
        self.head().arity()
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: isize) -> PyResult<Bound<'py, PyAny>> {
        let index = if index < 0 { index + self.head().arity() as isize } else { index };
        let argument = usize::try_from(index).ok().and_then(|i| code::arguments(&self.bytes).nth(i));
        match argument {
            Some(argument) => convert::decode(py, argument),
            None => Err(PyIndexError::new_err("no argument has this index")),
        }
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = rustc_hash::FxHasher::default();
        self.bytes.hash(&mut hasher);
        hasher.finish()
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Ok(other) = other.cast::<Term>() else { return Ok(py.NotImplemented()) };
        let other = other.get();
        let holds = match op {
            CompareOp::Eq => self.bytes == other.bytes,
            CompareOp::Ne => self.bytes != other.bytes,
            _ => op.matches(code::cmp(&self.bytes, &other.bytes)),
        };
        Ok(holds.into_pyobject(py)?.to_owned().into_any().unbind())
    }

    fn __str__(&self) -> String {
        code::text(&self.bytes)
    }

    fn __repr__(&self) -> String {
        format!("Term.parse({:?})", code::text(&self.bytes))
    }
}
