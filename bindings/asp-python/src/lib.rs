//! The module `asp` for Python on the engine `asp`: what must be fast or needs the engine. The package around it, in
//! `python/asp`, is what users import.
//!
//! Invariants: whatever takes time runs without the interpreter's lock; what Python holds is Python's alone, so it
//! stays valid when the control that made it is gone; nothing is kept for the whole process but one thread that looks
//! after signals and limits while something runs.

mod arrow;
mod code;
mod columns;
mod control;
mod convert;
mod error;
mod functions;
mod hook;
mod model;
mod portrait;
mod questions;
mod session;
mod shown;
mod solve;
mod term;
mod unread;
mod watch;

use pyo3::prelude::*;

/// The programs and instances of the library, by the names of their files.
static LIBRARY: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/library.rs"));

/// The text of a file of the library; None if it has no such file.
#[pyfunction]
fn library(name: &str) -> Option<&'static str> {
    let is = |file: &str| file == name || file.strip_suffix(".lp") == Some(name);
    LIBRARY.iter().find(|(file, _)| is(file)).map(|(_, text)| *text)
}

#[pymodule]
fn _asp(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<columns::Columns>()?;
    module.add_class::<control::Control>()?;
    module.add_class::<solve::Solve>()?;
    module.add_class::<solve::Outcome>()?;
    module.add_class::<model::Model>()?;
    module.add_class::<term::Term>()?;
    module.add_function(wrap_pyfunction!(library, module)?)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    Ok(())
}
