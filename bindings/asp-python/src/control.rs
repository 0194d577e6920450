//! Controls: programs on their way from text to answer sets.
//!
//! Invariant: a control whose grounding did not end is good for nothing any more, and says so.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use asp::message::Diagnostic;
use asp::options::{EnumMode, OptMode, Projection};
use asp::symbol::{Signature, SymView};
use asp::{Error, Report, Source, Symbol};
use asp_options::raw::{Options, Project};
use asp_options::usage::UsageErrorKind;
use asp_options::warnings::{Warnings, is_quiet_lint};
use asp_questions::{Question, Wish};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyString, PyTuple};

use crate::arrow;
use crate::code::{self, Head};
use crate::columns::{self, Constants};
use crate::convert;
use crate::error;
use crate::functions::Functions;
use crate::hook::{Hook, limit};
use crate::questions::{self, Told};
use crate::session::{Core, Phase, Recipe, Shared, State};
use crate::solve::{Solve, Stopped};

/// What asp.Control rests on.
#[pyclass(subclass, frozen, module = "asp._asp")]
pub(crate) struct Control {
    shared: Arc<Shared>,
    messages: Py<PyList>,
    /// Lints that are off unless asked for.
    lints: Py<PyList>,
    /// What it calls, for Python's collector.
    functions: Mutex<Option<Functions>>,
}

impl Control {
    /// Runs a stage on the idle control.
    fn stage<R: Send>(
        &self,
        py: Python<'_>,
        timeout: Option<f64>,
        run: impl FnOnce(&mut Core) -> Result<R, Error> + Send,
    ) -> PyResult<R> {
        let limit = limit(timeout)?;
        let mut state = self.shared.lock(py)?;
        let core = self.shared.idle(py, &mut state)?;
        self.shared.hook.interrupt.reset();
        let (result, exception) = self.shared.hook.run(py, limit, || run(core));
        let told = self.tell(py, core)?;
        match (result.and_then(|value| told.map(|()| value)), exception) {
            (Err(error), exception) => {
                let error = error::of(py, &error, core.control.sources());
                Err(exception.unwrap_or(error))
            }
            (Ok(_), Some(exception)) => Err(exception),
            (Ok(result), None) => Ok(result),
        }
    }

    /// Moves messages of the control to where users see them.
    ///
    /// `Err` within: a warning among them counts as an error.
    fn tell(&self, py: Python<'_>, core: &mut Core) -> PyResult<Result<(), Error>> {
        let mut diagnostics = core.control.take_diagnostics();
        let refused = core.warnings.refuse(&diagnostics).map_err(|why| Error::Parse(Report::told(why)));
        let is_shown = |message: &Diagnostic| message.kind.is_none_or(|kind| core.warnings.shows(kind));
        let mut quiet: Vec<Diagnostic> = diagnostics.extract_if(.., |message| !is_shown(message)).collect();
        quiet.retain(|message| message.kind.is_some_and(is_quiet_lint));
        for (found, list) in [(diagnostics, &self.messages), (quiet, &self.lints)] {
            if !found.is_empty() {
                let found = error::messages(py, &found, core.control.sources())?;
                list.bind(py).call_method1("extend", (found,))?;
            }
        }
        Ok(refused)
    }

    /// Grounds the base program, if that has not been done since something was added.
    fn ground_pending(
        &self,
        py: Python<'_>,
        core: &mut Core,
        limit: Option<Duration>,
    ) -> PyResult<Option<Stopped>> {
        if core.is_grounded && core.control.texts().is_empty() {
            return Ok(None);
        }
        let (result, exception) = self.shared.hook.run(py, limit, || {
            core.control.parse()?;
            core.broken = true;
            core.control.ground()?;
            (core.broken, core.is_grounded) = (false, true);
            core.recipe.parts.push(("base".into(), Vec::new()));
            Ok(())
        });
        let told = self.tell(py, core)?;
        match (result.and(told), exception) {
            (_, Some(exception)) => Err(exception),
            (Ok(()), None) => match core.unread_table() {
                Some(wrong) => Err(error::usage(py, &wrong)),
                None => Ok(None),
            },
            (Err(Error::Stopped(reason)), None) => Ok(Some(Stopped::from(reason))),
            (Err(error), None) => Err(error::of(py, &error, core.control.sources())),
        }
    }

    fn with_term<R>(
        &self,
        py: Python<'_>,
        term: &Bound<'_, PyAny>,
        run: impl FnOnce(&mut Core, Symbol, &[u8]) -> Result<R, Error>,
    ) -> PyResult<R> {
        let bytes = convert::atom(term)?;
        let mut state = self.shared.lock(py)?;
        let core = self.shared.idle(py, &mut state)?;
        let symbol = symbol(py, core, &bytes)?;
        run(core, symbol, &bytes).map_err(|e| error::of(py, &e, core.control.sources()))
    }
}

/// The term of a control.
fn symbol(py: Python<'_>, core: &mut Core, bytes: &[u8]) -> PyResult<Symbol> {
    code::decode(bytes, core.control.symbols_mut()).ok_or_else(|| error::usage(py, "no term"))
}

/// Options of a control, as the command line takes them.
fn read(py: Python<'_>, words: &[String]) -> PyResult<Options> {
    asp_options::parse_control(words).map_err(|wrong| match wrong.kind {
        UsageErrorKind::File => {
            error::usage(py, &format!("`{}` is no option; files are given as files=", wrong.message))
        }
        _ => error::usage(py, &wrong.text("asp")),
    })
}

/// The assumptions of a call: a mapping from atoms to whether they hold, or atoms and pairs.
fn assumptions(value: &Bound<'_, PyAny>) -> PyResult<Vec<(Vec<u8>, bool)>> {
    let mut found = Vec::new();
    if let Ok(map) = value.cast::<PyDict>() {
        for (atom, holds) in map.iter() {
            found.push((convert::atom(&atom)?, holds.is_truthy()?));
        }
        return Ok(found);
    }
    if value.is_instance_of::<PyString>() {
        return Err(error::usage(value.py(), "assumptions are a list or a mapping, not one text"));
    }
    for item in value.try_iter()? {
        let item = item?;
        let pair = item.cast::<PyTuple>().ok().filter(|p| p.len() == 2);
        let sign = pair.and_then(|p| p.get_item(1).ok()).filter(|s| s.is_instance_of::<PyBool>());
        found.push(match (pair, sign) {
            (Some(pair), Some(sign)) => (convert::atom(&pair.get_item(0)?)?, sign.is_truthy()?),
            _ => (convert::atom(&item)?, true),
        });
    }
    Ok(found)
}

#[pymethods]
impl Control {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn new(py: Python<'_>, _args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        let hook = Hook::new();
        let control = asp::Control::with_interrupt(hook.interrupt.clone());
        let core = Core {
            control,
            recipe: Recipe::default(),
            project: Project::default(),
            warnings: Warnings::default(),
            is_grounded: false,
            broken: false,
            tables: Vec::new(),
        };
        let state = State { phase: Phase::Idle(Box::new(core)), table: Arc::default() };
        let shared = Shared::new(state, hook);
        Self {
            shared: Arc::new(shared),
            messages: PyList::empty(py).unbind(),
            lints: PyList::empty(py).unbind(),
            functions: Mutex::new(None),
        }
    }

    /// Takes options as the command line does.
    fn _configure(&self, py: Python<'_>, words: Vec<String>) -> PyResult<()> {
        let options = read(py, &words)?;
        let mut state = self.shared.lock(py)?;
        let core = self.shared.idle(py, &mut state)?;
        options.apply(&mut core.control.settings);
        for text in options.texts() {
            core.recipe.sources.push(text.clone());
            core.control.add_source(text);
        }
        (core.project, core.warnings) = (options.project, options.warnings);
        Ok(())
    }

    /// Adds a text, or a file's text.
    fn _add(&self, py: Python<'_>, name: String, text: Vec<u8>) -> PyResult<()> {
        let mut state = self.shared.lock(py)?;
        let core = self.shared.idle(py, &mut state)?;
        let source = Source::new(name, text);
        core.recipe.sources.push(source.clone());
        core.control.add_source(source);
        Ok(())
    }

    /// Replaces a constant.
    fn _set_const(&self, py: Python<'_>, name: &str, value: &str) -> PyResult<()> {
        let mut state = self.shared.lock(py)?;
        let core = self.shared.idle(py, &mut state)?;
        let text = format!("#const {name}={value}. [override]");
        core.recipe.sources.push(Source::new(format!("<{name}={value}>"), text));
        core.control.set_const(name, value);
        Ok(())
    }

    /// Looks functions up there.
    fn _set_functions(&self, py: Python<'_>, functions: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut state = self.shared.lock(py)?;
        let core = self.shared.idle(py, &mut state)?;
        let functions = Functions::new(functions.clone());
        core.recipe.functions = Some(functions.clone());
        *self.functions.lock().unwrap_or_else(PoisonError::into_inner) = Some(functions.clone());
        functions.install(&mut core.control, self.shared.hook.clone());
        Ok(())
    }

    /// Adds facts: terms.
    fn _add_terms(&self, py: Python<'_>, part: &str, terms: Vec<Bound<'_, PyAny>>) -> PyResult<()> {
        let encode = |term: &Bound<'_, PyAny>| convert::atom(term);
        let terms: Vec<Vec<u8>> = terms.iter().map(encode).collect::<PyResult<_>>()?;
        for bytes in &terms {
            if !matches!(code::split(bytes), Some((Head::Function { .. }, _))) {
                return Err(error::usage(py, &format!("`{}` is not an atom", code::text(bytes))));
            }
        }
        self.stage(py, None, |core| {
            let symbols = core.control.symbols_mut();
            let facts: Vec<Symbol> = terms.iter().filter_map(|bytes| code::decode(bytes, symbols)).collect();
            for &fact in &facts {
                let SymView::Fun { name, args, negative } = core.control.symbols().view(fact) else {
                    continue;
                };
                let signature = Signature { name, arity: args.len() as u32, negative };
                if !core.tables.contains(&signature) {
                    core.tables.push(signature);
                }
            }
            core.add_facts(part, "<facts>".into(), facts)
        })
    }

    /// Adds facts of a predicate: something that offers Arrow's tables, or a list of columns.
    fn _add_table(
        &self,
        py: Python<'_>,
        part: &str,
        name: &str,
        negative: bool,
        data: &Bound<'_, PyAny>,
        wanted: Option<Vec<String>>,
        constants: Constants,
    ) -> PyResult<usize> {
        let wrong = |message: String| error::usage(py, &message);
        let mut atoms = Err(String::new());
        {
            let batches = arrow::batches(data)?;
            let mut state = self.shared.lock(py)?;
            let symbols = self.shared.idle(py, &mut state)?.control.symbols_mut();
            match batches {
                Some(batches) => py.detach(|| {
                    let columns = arrow::read(&batches, wanted.as_deref(), &constants, symbols);
                    atoms = columns.and_then(|columns| columns::atoms(name, negative, &columns, symbols));
                }),
                None => {
                    let columns = data.try_iter()?;
                    let columns: Vec<Vec<Symbol>> = columns
                        .enumerate()
                        .map(|(i, column)| columns::read(&column?, constants.takes(i, None), symbols))
                        .collect::<PyResult<_>>()?;
                    py.detach(|| atoms = columns::atoms(name, negative, &columns, symbols));
                }
            }
        }
        let atoms = atoms.map_err(wrong)?;
        let rows = atoms.len();
        self.stage(py, None, |core| {
            let origin = format!("<table {}{name}>", if negative { "-" } else { "" });
            if let Some(SymView::Fun { name, args, negative }) =
                atoms.first().map(|&atom| core.control.symbols().view(atom))
            {
                core.tables.push(Signature { name, arity: args.len() as u32, negative });
            }
            core.add_facts(part, origin, atoms)
        })?;
        Ok(rows)
    }

    /// Parses what was added.
    fn _parse(&self, py: Python<'_>) -> PyResult<()> {
        self.stage(py, None, |core| core.control.parse())
    }

    /// Grounds program parts.
    fn _ground(
        &self,
        py: Python<'_>,
        parts: Vec<(String, Vec<Bound<'_, PyAny>>)>,
        timeout: Option<f64>,
    ) -> PyResult<()> {
        let mut encoded: Vec<(String, Vec<Box<[u8]>>)> = Vec::new();
        for (name, arguments) in parts {
            let encode = |value: &Bound<'_, PyAny>| {
                let mut bytes = Vec::new();
                convert::encode(value, &mut bytes).map(|()| bytes.into_boxed_slice())
            };
            encoded.push((name, arguments.iter().map(encode).collect::<PyResult<_>>()?));
        }
        self.stage(py, timeout, |core| {
            core.control.parse()?;
            let decode = |arguments: &[Box<[u8]>], core: &mut Core| {
                arguments.iter().filter_map(|a| code::decode(a, core.control.symbols_mut())).collect()
            };
            let parts: Vec<(&str, Vec<Symbol>)> =
                encoded.iter().map(|(name, arguments)| (name.as_str(), decode(arguments, core))).collect();
            core.broken = true;
            core.control.ground_parts(&parts)?;
            (core.broken, core.is_grounded) = (false, true);
            core.recipe.parts.extend(encoded);
            Ok(())
        })
    }

    /// Gives an external atom a value; None: either.
    fn _assign(&self, py: Python<'_>, atom: &Bound<'_, PyAny>, value: Option<bool>) -> PyResult<()> {
        self.with_term(py, atom, |core, term, bytes| {
            core.recipe.externals.push((bytes.into(), value));
            match value {
                Some(value) => core.control.assign_external(term, value),
                None => core.control.free_external(term),
            }
        })
    }

    /// Makes an external atom false for good.
    fn _release(&self, py: Python<'_>, atom: &Bound<'_, PyAny>) -> PyResult<()> {
        self.with_term(py, atom, |core, term, _| core.control.release_external(term))
    }

    /// The value of a constant of the program.
    fn _const<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let mut state = self.shared.lock(py)?;
        let core = self.shared.idle(py, &mut state)?;
        let Some(value) = core.control.constant(name) else { return Ok(None) };
        let mut bytes = Vec::new();
        code::encode(core.control.symbols(), value, &mut bytes);
        convert::decode(py, &bytes).map(Some)
    }

    /// Asks a question.
    #[pyo3(signature = (question, atom, number, seed, flag, timeout, optimal))]
    fn _ask(
        &self,
        py: Python<'_>,
        question: &str,
        atom: String,
        number: u64,
        seed: u64,
        flag: bool,
        timeout: Option<f64>,
        optimal: bool,
    ) -> PyResult<Told> {
        let question = questions::named(question, atom, number, seed, flag);
        questions::ask(py, &self.shared, &question, timeout, optimal)
    }

    /// Makes a new instance of the puzzle that the program is.
    fn _generate(
        &self,
        py: Python<'_>,
        seed: u64,
        symmetric: bool,
        difficulty: Option<&str>,
        draws: u64,
        timeout: Option<f64>,
    ) -> PyResult<Told> {
        let difficulty = difficulty.map(|word| questions::difficulty(py, word)).transpose()?;
        let wish = Wish { seed, symmetric, difficulty, draws };
        questions::ask(py, &self.shared, &Question::Generate(wish), timeout, false)
    }

    /// Adds that answers differ as little as possible from an earlier one.
    fn _stay_near(
        &self,
        py: Python<'_>,
        answer: Vec<Bound<'_, PyAny>>,
        level: Option<i64>,
    ) -> PyResult<usize> {
        let answer: Vec<Vec<u8>> = answer.iter().map(convert::atom).collect::<PyResult<_>>()?;
        let mut state = self.shared.lock(py)?;
        let core = self.shared.idle(py, &mut state)?;
        self.shared.hook.interrupt.reset();
        if self.ground_pending(py, core, None)?.is_some() {
            return Err(error::usage(py, "grounding was stopped"));
        }
        let answer: Vec<Symbol> =
            answer.iter().map(|bytes| symbol(py, core, bytes)).collect::<PyResult<_>>()?;
        Ok(core.control.stay_near(&answer, level))
    }

    /// Begins a call.
    #[pyo3(signature = (models, assume, start, mode, optimize, project, bound, threads, timeout))]
    fn _solve(
        &self,
        py: Python<'_>,
        models: Option<u64>,
        assume: &Bound<'_, PyAny>,
        start: Vec<Bound<'_, PyAny>>,
        mode: &str,
        optimize: &str,
        project: &str,
        bound: Vec<i64>,
        threads: Option<u32>,
        timeout: Option<f64>,
    ) -> PyResult<Solve> {
        let limit = limit(timeout)?;
        let started = Instant::now();
        let assumed = assumptions(assume)?;
        let earlier: Vec<Vec<u8>> = start.iter().map(convert::atom).collect::<PyResult<_>>()?;
        let mut state = self.shared.lock(py)?;
        let core = self.shared.idle(py, &mut state)?;
        self.shared.hook.interrupt.reset();
        if let Some(stopped) = self.ground_pending(py, core, limit)? {
            let call = self.shared.call.fetch_add(1, Ordering::Relaxed) + 1;
            return Ok(Solve::new(self.shared.clone(), call, None, Some(stopped)));
        }
        let limit = limit.map(|limit| limit.saturating_sub(started.elapsed()));
        let mut options = core.control.settings.solve.clone();
        options.models = models.or(options.models).or(Some(0));
        options.threads = threads.unwrap_or(options.threads);
        options.enum_mode = match mode {
            "models" => options.enum_mode,
            "brave" => EnumMode::Brave,
            _ => EnumMode::Cautious,
        };
        options.opt_mode = match optimize {
            "best" => OptMode::Opt,
            "all" => OptMode::OptN,
            "bound" => OptMode::Enum,
            "ignore" => OptMode::Ignore,
            _ => options.opt_mode,
        };
        match project {
            "shown" => options.projection = Projection::Show,
            "project" => options.projection = Projection::Project,
            _ if core.project == Project::No => options.projection = Projection::None,
            _ => core.project.apply(&mut options, &core.control),
        }
        if !bound.is_empty() {
            options.opt_bounds = bound;
        }
        let earlier: Vec<Symbol> =
            earlier.iter().map(|bytes| symbol(py, core, bytes)).collect::<PyResult<_>>()?;
        let mut literals = Vec::new();
        for (atom, holds) in &assumed {
            let atom = symbol(py, core, atom)?;
            if *holds && let Some(wrong) = core.unknown_predicate(atom) {
                return Err(error::usage(py, &wrong));
            }
            literals.push((atom, *holds));
        }
        self.shared.hook.interrupt.reset();
        let call = self.shared.call.fetch_add(1, Ordering::Relaxed) + 1;
        let own = &mut *state;
        let (begun, exception) = self.shared.hook.run(py, limit, || own.begin(&options, &literals, &earlier));
        let stopped = match (begun, exception) {
            (_, Some(exception)) => return Err(exception),
            (Ok(()), None) => None,
            (Err(Error::Stopped(reason)), None) => Some(Stopped::from(reason)),
            (Err(failed), None) => {
                let core = self.shared.idle(py, &mut state)?;
                return Err(error::of(py, &failed, core.control.sources()));
            }
        };
        let left = limit.map(|limit| limit.saturating_sub(started.elapsed()));
        Ok(Solve::new(self.shared.clone(), call, left, stopped))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.messages)?;
        visit.call(&self.lints)?;
        match self.functions.try_lock() {
            Ok(functions) => functions.as_ref().map_or(Ok(()), |functions| functions.traverse(&visit)),
            Err(_) => Ok(()),
        }
    }

    fn __clear__(&self) {
        let functions = self.functions.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(functions) = functions {
            functions.clear();
        }
    }

    /// Stops what runs, from any thread.
    fn cancel(&self) {
        self.shared.cancel();
    }

    /// What was said about the program so far: warnings, notes and errors.
    #[getter]
    fn messages(&self, py: Python<'_>) -> Py<PyList> {
        self.messages.clone_ref(py)
    }

    /// Lints that are off unless asked for.
    #[getter]
    fn _lints(&self, py: Python<'_>) -> Py<PyList> {
        self.lints.clone_ref(py)
    }
}
