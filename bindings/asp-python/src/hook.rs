//! What runs without the interpreter's lock: signals that arrive meanwhile, limits of time, exceptions of the caller's
//! functions.
//!
//! Invariant: an exception that ends a run is raised where the run was asked for.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

use asp::{Interrupt, InterruptAnswer, StopReason};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::watch;

#[derive(Default)]
struct State {
    /// The thread that runs, and whether it is the one that may look for signals.
    runs: Option<(ThreadId, bool)>,
    exception: Option<PyErr>,
}

/// The runs of a control.
#[derive(Clone)]
pub(crate) struct Hook {
    state: Arc<Mutex<State>>,
    /// Stops what runs.
    pub(crate) interrupt: Interrupt,
}

impl Hook {
    pub(crate) fn new() -> Self {
        let state: Arc<Mutex<State>> = Arc::default();
        let asked = state.clone();
        let interrupt = Interrupt::with_question(move || {
            let here = Some((std::thread::current().id(), true));
            if lock(&asked).runs != here {
                return InterruptAnswer::NotHere;
            }
            match Python::attach(|py| py.check_signals()) {
                Ok(()) => InterruptAnswer::GoOn,
                Err(exception) => {
                    lock(&asked).exception = Some(exception);
                    InterruptAnswer::Stop(StopReason::Interrupted)
                }
            }
        });
        Self { state, interrupt }
    }

    /// Whether this very thread runs something already, as when a function that grounding calls asks for more.
    pub(crate) fn runs_here(&self) -> bool {
        let here = std::thread::current().id();
        lock(&self.state).runs.is_some_and(|(thread, _)| thread == here)
    }

    /// Remembers what a function of the caller's raised.
    pub(crate) fn raise(&self, exception: PyErr) {
        lock(&self.state).exception.get_or_insert(exception);
    }

    /// Runs something without the interpreter's lock, at most as long as the limit. An exception that was raised
    /// meanwhile replaces the result.
    pub(crate) fn run<R: Send>(
        &self,
        py: Python<'_>,
        limit: Option<Duration>,
        run: impl FnOnce() -> R + Send,
    ) -> (R, Option<PyErr>) {
        let is_main = is_main_thread(py).unwrap_or(false);
        lock(&self.state).runs = Some((std::thread::current().id(), is_main));
        let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
        let watched = watch::watch(&self.interrupt, is_main, deadline);
        let result = py.detach(run);
        drop(watched);
        let mut state = lock(&self.state);
        state.runs = None;
        (result, state.exception.take())
    }
}

fn lock(state: &Mutex<State>) -> std::sync::MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether this is the thread in which Python handles signals.
fn is_main_thread(py: Python<'_>) -> PyResult<bool> {
    static THREADING: PyOnceLock<(Py<PyAny>, Py<PyAny>)> = PyOnceLock::new();
    let (current, main) = THREADING.get_or_try_init(py, || -> PyResult<_> {
        let threading = py.import("threading")?;
        Ok((threading.getattr("get_ident")?.unbind(), threading.getattr("main_thread")?.unbind()))
    })?;
    let main = main.bind(py).call0()?.getattr("ident")?;
    current.bind(py).call0()?.eq(main)
}

/// A limit in seconds; `None` for none.
pub(crate) fn limit(seconds: Option<f64>) -> PyResult<Option<Duration>> {
    seconds
        .map(|s| {
            let wrong =
                |_| pyo3::exceptions::PyValueError::new_err(format!("{s} seconds are no limit of time"));
            Duration::try_from_secs_f64(s).map_err(wrong)
        })
        .transpose()
}
