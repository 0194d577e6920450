//! Functions of Python's that programs call: `@f(...)`.
//!
//! A function gives a value, or a list or iterator of values. Invariant: what it raises ends grounding and is raised there.

use std::sync::{Arc, Mutex, PoisonError};

use asp::symbol::Symbols;
use asp::{FunctionCall, Symbol};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::code;
use crate::convert;
use crate::hook::Hook;

/// Where functions are looked up: a mapping by name, or an object or module with methods. All copies are one, so that
/// Python's collector finds what it refers to in the control alone.
#[derive(Clone)]
pub(crate) struct Functions(Arc<Mutex<Option<Py<PyAny>>>>);

impl Functions {
    pub(crate) fn new(from: Bound<'_, PyAny>) -> Self {
        Self(Arc::new(Mutex::new(Some(from.unbind()))))
    }

    /// For Python's collector.
    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self.0.try_lock() {
            Ok(from) => visit.call(&*from),
            Err(_) => Ok(()),
        }
    }

    /// For Python's collector.
    pub(crate) fn clear(&self) {
        let from = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop(from);
    }

    /// Has a control call them.
    pub(crate) fn install(self, control: &mut asp::Control, hook: Hook) {
        control.set_functions(move |symbols, call| {
            Python::attach(|py| {
                self.call(py, symbols, call).map_err(|exception| {
                    let text = exception.to_string();
                    hook.raise(exception);
                    text
                })
            })
        });
    }

    fn call(&self, py: Python<'_>, symbols: &mut Symbols, call: &FunctionCall<'_>) -> PyResult<Vec<Symbol>> {
        let name = symbols.str(call.name).to_string();
        let from =
            self.0.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(|from| from.clone_ref(py));
        let Some(from) = from.map(|from| from.into_bound(py)) else {
            return Err(crate::error::usage(py, "the functions of this control are gone"));
        };
        let function = match from.cast::<PyDict>() {
            Ok(functions) => functions.get_item(&name)?,
            Err(_) => from.getattr_opt(name.as_str())?,
        };
        let Some(function) = function else {
            return Err(crate::error::usage(py, &format!("there is no function {name} for @{name}(...)")));
        };
        let mut bytes = Vec::new();
        let mut arguments = Vec::new();
        for &argument in call.arguments {
            bytes.clear();
            code::encode(symbols, argument, &mut bytes);
            arguments.push(convert::decode(py, &bytes)?);
        }
        let result = function.call1(PyTuple::new(py, arguments)?)?;
        let mut take = |value: &Bound<'_, PyAny>| {
            bytes.clear();
            convert::encode(value, &mut bytes)?;
            let wrong = || crate::error::usage(py, "no term");
            code::decode(&bytes, symbols).ok_or_else(wrong)
        };
        if result.is_instance_of::<PyList>() || result.hasattr("__next__")? {
            result.try_iter()?.map(|value| take(&value?)).collect()
        } else {
            Ok(vec![take(&result)?])
        }
    }
}
