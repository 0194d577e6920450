//! Calls in progress: models when they are asked for, and how it ended.
//!
//! Invariant: after its end a call keeps its outcome, and the control is free for the next call.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use asp::{SolveResult, StopReason};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::code;
use crate::error;
use crate::model::Model;
use crate::session::{Handle, Phase, Shared};
use crate::term::Term;

/// Why a call ended early.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopped {
    name: &'static str,
    exception: &'static str,
}

impl From<StopReason> for Stopped {
    fn from(reason: StopReason) -> Self {
        let (name, exception) = match reason {
            StopReason::Interrupted => ("cancelled", "Interrupted"),
            StopReason::TimeLimit => ("timeout", "TimeoutError"),
            StopReason::MemoryLimit => ("memory limit", "Interrupted"),
            StopReason::StepLimit => ("step limit", "Interrupted"),
        };
        Self { name, exception }
    }
}

/// The outcome of a call, apart from its models.
#[derive(Clone, Default)]
struct Account {
    result: SolveResult,
    core: Vec<(Box<[u8]>, bool)>,
}

impl Account {
    fn of(handle: &Handle<'_>) -> Self {
        let result = handle.result().clone();
        let symbols = handle.ground().symbols();
        let literal = |assumption: asp::Assumption| {
            let mut bytes = Vec::new();
            code::encode(symbols, assumption.atom, &mut bytes);
            (bytes.into_boxed_slice(), assumption.holds)
        };
        let core = if result.satisfiable { Vec::new() } else { handle.core() };
        Self { core: core.into_iter().map(literal).collect(), result }
    }
}

/// What a search for the next model ends with.
#[allow(clippy::large_enum_variant)] // Made once a model, and taken apart at once.
enum Step {
    Found(Model),
    Over(Account, Option<StopReason>),
}

struct Progress {
    /// How long it may go on.
    left: Option<Duration>,
    models: u64,
    last: Option<Py<Model>>,
    /// Once it is over.
    account: Option<Account>,
    stopped: Option<Stopped>,
}

/// A call in progress: an iterator over models, an asynchronous one too, and a context manager.
///
/// Each model is searched for when it is asked for.
#[pyclass(frozen, module = "asp")]
pub(crate) struct Solve {
    shared: Arc<Shared>,
    call: u64,
    progress: Mutex<Progress>,
}

impl Solve {
    pub(crate) fn new(
        shared: Arc<Shared>,
        call: u64,
        left: Option<Duration>,
        stopped: Option<Stopped>,
    ) -> Self {
        let account = stopped.map(|_| Account::default());
        let progress = Progress { left, models: 0, last: None, account, stopped };
        Self { shared, call, progress: Mutex::new(progress) }
    }

    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_latest(&self) -> bool {
        self.shared.call.load(Ordering::Relaxed) == self.call
    }

    /// The next model.
    fn next(&self, py: Python<'_>) -> PyResult<Option<Py<Model>>> {
        if self.progress().account.is_some() {
            return Ok(None);
        }
        let mut state = self.shared.lock(py)?;
        if !self.is_latest() {
            return Err(error::usage(py, "the call is over, since the control went on to something else"));
        }
        let state = &mut *state;
        let Phase::Running(running) = &mut state.phase else { return Ok(None) };
        let left = self.progress().left;
        let (started, table) = (Instant::now(), &state.table);
        let (step, exception) = self.shared.hook.run(py, left, || {
            running.with_dependent_mut(|_, handle| match handle.next() {
                Ok(Some(answer)) => Step::Found(Model::new(&answer, table)),
                Ok(None) => Step::Over(Account::of(handle), None),
                Err(asp::Error::Stopped(reason)) => Step::Over(Account::of(handle), Some(reason)),
                Err(_) => Step::Over(Account::of(handle), Some(StopReason::StepLimit)),
            })
        });
        let found = match step {
            Step::Found(model) => {
                let model = Py::new(py, model)?;
                let mut progress = self.progress();
                progress.left = left.map(|left| left.saturating_sub(started.elapsed()));
                progress.models += 1;
                progress.last = Some(model.clone_ref(py));
                Some(model)
            }
            Step::Over(account, reason) => {
                py.detach(|| state.halt());
                let mut progress = self.progress();
                progress.account = Some(account);
                progress.stopped = reason.map(Stopped::from);
                None
            }
        };
        match exception {
            Some(exception) => Err(exception),
            None => Ok(found),
        }
    }

    /// Goes on to the end.
    fn finish(&self, py: Python<'_>, mut receive: impl FnMut(Py<Model>)) -> PyResult<()> {
        while let Some(model) = self.next(py)? {
            receive(model);
        }
        Ok(())
    }

    /// The exception that says that the call was stopped before it was known what was asked.
    fn early(&self, py: Python<'_>, stopped: Stopped, models: Vec<Py<Model>>) -> PyErr {
        let message = match stopped.name {
            "timeout" => "the time limit was reached before this was known",
            "cancelled" => "cancelled before this was known",
            _ => "a limit has passed before this was known",
        };
        let exception = error::plain(py, stopped.exception, message);
        let value = exception.value(py);
        let set = self.result(py).and_then(|result| {
            value.setattr("result", result)?;
            value.setattr("models", models)
        });
        set.err().unwrap_or(exception)
    }

    fn stopped(&self) -> Option<Stopped> {
        self.progress().stopped
    }
}

#[pymethods]
impl Solve {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<Model>>> {
        self.next(py)
    }

    fn __aiter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __anext__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("asp._async")?.getattr("step")?.call1((slf,))
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.close(py)
    }

    fn _next(&self, py: Python<'_>) -> PyResult<Option<Py<Model>>> {
        self.next(py)
    }

    /// The first of the models to come, None if there is none; the call ends with it.
    fn first(&self, py: Python<'_>) -> PyResult<Option<Py<Model>>> {
        let model = self.next(py)?;
        match (&model, self.stopped()) {
            (None, Some(stopped)) => Err(self.early(py, stopped, Vec::new())),
            _ => {
                self.close(py)?;
                Ok(model)
            }
        }
    }

    /// All models to come. If the call is stopped, an exception that carries those found.
    fn all(&self, py: Python<'_>) -> PyResult<Vec<Py<Model>>> {
        let mut models = Vec::new();
        self.finish(py, |model| models.push(model))?;
        match self.stopped() {
            Some(stopped) => Err(self.early(py, stopped, models)),
            None => Ok(models),
        }
    }

    /// The last model of the call: an optimal one where there is an objective, what is certain or possible where consequences
    /// are asked for. None if there is no answer set. If the call is stopped before that is proven, an exception that carries
    /// the best so far.
    fn last(&self, py: Python<'_>) -> PyResult<Option<Py<Model>>> {
        self.finish(py, drop)?;
        match self.stopped() {
            Some(stopped) => Err(self.early(py, stopped, Vec::new())),
            None => Ok(self.progress().last.as_ref().map(|model| model.clone_ref(py))),
        }
    }

    /// An optimal model; any model where there is no objective, None where there is no answer set. If the call is stopped before
    /// that is proven, an exception that carries the best so far.
    fn optimal(&self, py: Python<'_>) -> PyResult<Option<Py<Model>>> {
        match self.next(py)? {
            Some(model) if model.get().costs.is_empty() => {
                self.close(py)?;
                Ok(Some(model))
            }
            _ => self.last(py),
        }
    }

    /// Stops the call, from any thread.
    fn cancel(&self) {
        if self.is_latest() {
            self.shared.hook.interrupt.stop(StopReason::Interrupted);
        }
    }

    /// Ends the call, whether there are more models or not.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        if self.progress().account.is_some() || !self.is_latest() {
            return Ok(());
        }
        let mut state = self.shared.lock(py)?;
        if let (Phase::Running(running), true) = (&state.phase, self.is_latest()) {
            let account = running.with_dependent(|_, handle| Account::of(handle));
            self.progress().account = Some(account);
            let state = &mut *state;
            py.detach(|| state.halt());
        }
        Ok(())
    }

    /// The outcome so far.
    #[getter]
    fn result(&self, py: Python<'_>) -> PyResult<Outcome> {
        let mut account = self.progress().account.clone();
        if account.is_none() && self.is_latest() {
            if let Phase::Running(running) = &self.shared.lock(py)?.phase {
                account = Some(running.with_dependent(|_, handle| Account::of(handle)));
            }
        }
        let Account { result, core } = account.unwrap_or_default();
        let progress = self.progress();
        let term =
            |(bytes, holds): (Box<[u8]>, bool)| Ok((Py::new(py, Term { bytes: bytes.into() })?, holds));
        let core: PyResult<Vec<_>> = core.into_iter().map(term).collect();
        Ok(Outcome {
            satisfiable: match progress.models > 0 || result.satisfiable {
                true => Some(true),
                false => result.exhausted.then_some(false),
            },
            exhausted: result.exhausted,
            stopped: progress.stopped.map(|stopped| stopped.name),
            models: progress.models,
            costs: result.costs.unwrap_or_default(),
            lower_bounds: result.lower_bounds,
            best: progress.last.as_ref().map(|model| model.clone_ref(py)),
            core: PyList::new(py, core?)?.unbind(),
            seconds: result.time.total,
        })
    }
}

/// The outcome of a call.
#[pyclass(frozen, get_all, name = "Result", module = "asp")]
pub(crate) struct Outcome {
    /// Whether there is an answer set; None if that is not known.
    satisfiable: Option<bool>,
    /// Whether the search came to its end: there are no other models, or the best one is proven to be optimal.
    exhausted: bool,
    /// Why it ended early: "timeout", "cancelled", "step limit" or "memory limit"; None if it did not.
    stopped: Option<&'static str>,
    /// How many models were found.
    models: u64,
    /// The costs of the best model, most important level first.
    costs: Vec<i64>,
    /// Proven lower bounds of the costs, as far as known.
    lower_bounds: Vec<i64>,
    /// The last model: with an objective the best so far.
    best: Option<Py<Model>>,
    /// Without an answer set: assumptions that cannot hold together, as pairs of a term and whether it was to hold.
    core: Py<PyList>,
    /// Seconds of search.
    seconds: f64,
}

#[pymethods]
impl Outcome {
    /// Whether the call was stopped before its end.
    #[getter]
    fn interrupted(&self) -> bool {
        self.stopped.is_some()
    }

    /// Whether the best model is proven to be optimal.
    #[getter]
    fn optimal(&self) -> bool {
        self.exhausted && !self.costs.is_empty()
    }

    fn __repr__(&self) -> String {
        let found = match self.satisfiable {
            Some(true) => format!("{} models", self.models),
            Some(false) => "no answer set".into(),
            None => "unknown".into(),
        };
        let end = match (self.stopped, self.exhausted) {
            (Some(reason), _) => format!(", stopped: {reason}"),
            (None, true) => ", exhausted".into(),
            (None, false) => String::new(),
        };
        format!("<Result: {found}{end}>")
    }
}
