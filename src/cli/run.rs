//! A run: checked options to stages, results to the reporter, the outcome to an exit code.
//!
//! Invariant: whatever happens, the reporter's `finish` is called once, by the main thread or by the watcher
//! ([`super::watch`]), so every output format is complete.

use std::io::IsTerminal as _;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use super::options::{Mode, Options, Project, When};
use super::shared::{Shared, cpu_seconds};
use super::steps::Steps;
use super::watch::{self, Watch, lock};
use super::{args, commands, library};
use crate::base::diagnostic::{Diagnostic, Severity, WarningKind};
use crate::base::interrupt::{Interrupt, StopReason};
use crate::base::map::Map;
use crate::base::span::Span;
use crate::base::symbol::Sym;
use crate::control::{Control, Error, GroundFormat, GroundWriter, Source};
use crate::program::ground_program::{ExternalValue, Objective};
use crate::program::{AtomId, Program};
use crate::report::answer_set::{AnswerTable, Rendering};
use crate::report::summary::{Consequences, Summary};
use crate::report::{Format, Level, diagnostic, journal, text};
use crate::solve::{Control as Flow, EnumMode, Event, OptMode, SolveResult};

/// Exit code for an error in the input.
pub const INPUT_ERROR: u8 = 65;

/// Does what the options say and returns the exit code.
pub fn run(options: &Options) -> u8 {
    let start = Instant::now();
    let interrupt = Interrupt::new();
    let shared = Arc::new(Mutex::new(Shared::new(options, start)));
    let watch = Watch {
        start,
        time_limit: options.time_limit,
        memory_limit: options.memory_limit,
        status: match options.progress {
            When::Never => None,
            When::Auto if !std::io::stderr().is_terminal() => None,
            _ => Some(columns()),
        },
    };
    // Without signals or a second thread, a run still works; it only cannot be stopped gently.
    if let Ok(caught) = watch::catch_signals() {
        let _ = watch::spawn(watch, caught, interrupt.clone(), Arc::clone(&shared));
    }
    let run = Run { options, shared: &shared, interrupt, start, color: use_color() };
    run.note_options();
    match run.stages() {
        Ok(code) => code,
        Err(error) => run.fail(&error),
    }
}

/// Width of the status line: that of the terminal, or the usual one, less one.
fn columns() -> usize {
    let size = rustix::termios::tcgetwinsize(std::io::stderr());
    size.map(|s| usize::from(s.ws_col)).ok().filter(|&c| c > 10).unwrap_or(80) - 1
}

fn use_color() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
}

/// A run at work.
struct Run<'a> {
    options: &'a Options,
    shared: &'a Mutex<Shared>,
    interrupt: Interrupt,
    start: Instant,
    color: bool,
}

impl Run<'_> {
    fn note_options(&self) {
        if !self.options.noted.is_empty() {
            let names: Vec<String> = self.options.noted.iter().map(|n| format!("--{n}")).collect();
            let s = if names.len() > 1 { "s" } else { "" };
            eprintln!("*** Info : (asp): option{s} without effect here: {}", names.join(", "));
        }
    }

    fn phase(&self, phase: &'static str) {
        lock(self.shared).progress.phase = phase;
    }

    /// Prints messages about the input; tells whether there are errors among them.
    fn report(&self, control: &mut Control) -> bool {
        let mut errors = false;
        let messages = control.take_diagnostics();
        if messages.is_empty() {
            return false;
        }
        let mut state = lock(self.shared);
        state.out.flush();
        for message in &messages {
            let shown = match message.kind {
                Some(kind) if message.severity != Severity::Error => self.options.warnings.shows(kind),
                _ => true,
            };
            errors |= message.severity == Severity::Error;
            if shown {
                errors |= self.options.warnings.error && message.severity == Severity::Warning;
                let text = diagnostic::render(message, control.sources(), self.color);
                state.message(text.trim_end_matches('\n'));
            }
        }
        errors
    }

    /// An error or a limit before the search of a call.
    fn fail(&self, error: &Error) -> u8 {
        let mut state = lock(self.shared);
        let stopped = match error {
            Error::Stopped(StopReason::StepLimit) => {
                state.message("*** ERROR: (asp): the limit on ground instances is reached");
                None
            }
            Error::Stopped(reason) => Some(*reason),
            error => {
                state.message(&format!("*** ERROR: (asp): {error}"));
                None
            }
        };
        if state.reporting && !state.finished {
            let seconds = self.start.elapsed().as_secs_f64();
            let Shared { out, reporter, summary, .. } = &mut *state;
            let mut call =
                Summary { stopped, satisfiable: false, exhausted: false, models: 0, ..summary.clone() };
            call.times.total = seconds;
            call.times.cpu = cpu_seconds();
            reporter.failed(out, &call, seconds);
        }
        let code = state.finish(stopped, None);
        match error {
            Error::Stopped(StopReason::StepLimit) => 33,
            Error::Stopped(_) => code,
            _ => INPUT_ERROR,
        }
    }

    fn stages(&self) -> Result<u8, Error> {
        {
            let mut state = lock(self.shared);
            let Shared { out, reporter, reporting, .. } = &mut *state;
            if *reporting {
                reporter.start(out, &self.options.files);
                out.flush();
            }
        }
        let mut control = Control::with_interrupt(self.interrupt.clone());
        control.settings.keep_facts = self.options.ground_format.is_some() || self.options.pictures.is_any();
        control.settings.instance_limit = self.options.ground_limit.unwrap_or(0);
        control.settings.rewritings = self.options.rewritings;
        control.settings.profile = self.options.profile;
        control.settings.explain_rewrites = self.options.explain_rewrites;
        control.settings.solve = self.options.solve.clone();
        control.settings.forced = self.options.forced;
        control.settings.keep_numbers = self.options.lemmas.are_wanted();
        control.settings.max_sat = self.options.max_sat;
        self.read(&mut control)?;
        let result = if self.options.mode == Mode::Clasp { control.read_ground() } else { control.parse() };
        if self.report(&mut control) || result.is_err() {
            return Err(result.err().unwrap_or(Error::Parse));
        }
        if let Some(format) = self.options.ground_format {
            return self.write_ground(&mut control, format);
        }
        if control.is_incremental() {
            self.solve_incrementally(&mut control)
        } else {
            self.solve_once(&mut control)
        }
    }

    fn read(&self, control: &mut Control) -> Result<(), Error> {
        control.set_loader(library::LibraryLoader);
        for definition in &self.options.consts {
            let text = format!("#const {definition}. [override]");
            control.add_source(Source::new(format!("<{definition}>"), text));
        }
        if !self.options.show_preds.is_empty() {
            let lines =
                self.options.show_preds.iter().map(|(name, arity)| format!("#show {name}/{arity}.\n"));
            control.add_source(Source::new("<command line>", lines.collect::<String>()));
        }
        let stdin = ["-".to_string()];
        let files = if self.options.files.is_empty() { &stdin[..] } else { &self.options.files };
        let mut stdin_read = false;
        let mut notes = Vec::new();
        for name in files {
            if name == "-" && std::mem::replace(&mut stdin_read, true) {
                let kind = WarningKind::FileIncluded;
                let message = "already included file: standard input";
                control.push_diagnostic(Diagnostic::warning(kind, Span::NONE, message));
                continue;
            }
            match library::read(name) {
                Ok(found) => {
                    notes.extend(found.note);
                    control.add_source(Source::new(found.name, found.bytes));
                }
                Err(error) => {
                    let why = match error.kind() {
                        std::io::ErrorKind::NotFound => String::new(),
                        _ => format!(" ({error})"),
                    };
                    let message = format!("file could not be opened: {name}{why}");
                    let mut diagnostic = Diagnostic::error(Span::NONE, message);
                    let names = commands::COMMANDS.iter().map(|c| c.name);
                    let meant = args::nearest(name, names).filter(|_| files.first() == Some(name));
                    if let Some(near) = library::nearest(name) {
                        diagnostic =
                            diagnostic.help(format!("did you mean `{near}` of the embedded library?"));
                    } else if let Some(command) = meant.filter(|_| !name.contains('.')) {
                        diagnostic = diagnostic.help(format!("did you mean the subcommand `asp {command}`?"));
                    }
                    control.push_diagnostic(diagnostic);
                }
            }
            self.stopped()?;
        }
        notes.extend(self.options.inputs.load(control, &self.options.consts));
        if !notes.is_empty() {
            lock(self.shared).message(&format!("*** Info : (asp): {}", notes.join("; ")));
        }
        if self.report(control) { Err(Error::Parse) } else { Ok(()) }
    }

    fn stopped(&self) -> Result<(), Error> {
        self.interrupt.poll().map_or(Ok(()), |reason| Err(Error::Stopped(reason)))
    }

    fn ground(&self, control: &mut Control, parts: &[(&str, Vec<Sym>)]) -> Result<(), Error> {
        self.phase("Grounding");
        let result = control.ground_parts(parts);
        if result.is_err() {
            self.print_journal(control);
        }
        if self.report(control) && result.is_ok() {
            return Err(Error::Ground);
        }
        result
    }

    /// Prints what grounding wrote down of itself.
    fn print_journal(&self, control: &Control) {
        let Some(journal) = control.journal() else { return };
        let mut text = String::new();
        if self.options.explain_rewrites {
            let mut all = journal.rewritten.clone();
            all.extend(control.value_sets());
            text.push_str(&journal::rewritings(&all, control.sources()));
        }
        if self.options.profile {
            text.push_str(&journal::profile(journal, control.sources()));
        }
        if !text.is_empty() {
            let mut state = lock(self.shared);
            state.out.flush();
            state.message(text.trim_end());
        }
    }

    fn write_ground(&self, control: &mut Control, format: GroundFormat) -> Result<u8, Error> {
        let mut writer = control.ground_writer(format);
        if self.options.mode == Mode::Clasp {
            self.write_step(control, &mut writer)?;
            while self.read_step(control)? {
                self.write_step(control, &mut writer)?;
            }
        } else if control.is_incremental() {
            let mut steps = Steps::new(control);
            while let Some(parts) = steps.next(control) {
                self.ground(control, &parts)?;
                steps.open_query(control);
                self.write_step(control, &mut writer)?;
            }
            self.print_journal(control);
        } else {
            self.ground(control, &[("base", Vec::new())])?;
            self.write_step(control, &mut writer)?;
            self.print_journal(control);
        }
        let mut state = lock(self.shared);
        state.out.flush();
        state.finished = true;
        Ok(0)
    }

    fn write_step(&self, control: &mut Control, writer: &mut GroundWriter) -> Result<(), Error> {
        let mut bytes = Vec::new();
        if let Err(error) = control.write_ground(writer, &mut bytes) {
            self.report(control);
            return Err(error);
        }
        let mut state = lock(self.shared);
        state.out.buffer().extend_from_slice(&bytes);
        state.out.flush();
        self.stopped()
    }

    fn solve_once(&self, control: &mut Control) -> Result<u8, Error> {
        if self.options.mode != Mode::Clasp {
            self.ground(control, &[("base", Vec::new())])?;
        }
        let grounded = self.start.elapsed().as_secs_f64();
        if self.options.explain_rewrites || self.options.profile {
            self.prepare(control)?;
            self.print_journal(control);
        }
        let mut result = self.call(control, grounded)?;
        while result.stopped.is_none() && !lock(self.shared).out.is_closed() && self.read_step(control)? {
            result = self.call(control, self.start.elapsed().as_secs_f64())?;
        }
        Ok(self.end(control))
    }

    /// Reads the next step of a ground program, if there is one.
    fn read_step(&self, control: &mut Control) -> Result<bool, Error> {
        let result = control.read_ground_step();
        self.report(control);
        result
    }

    /// The built-in incremental mode.
    fn solve_incrementally(&self, control: &mut Control) -> Result<u8, Error> {
        let mut steps = Steps::new(control);
        while let Some(parts) = steps.next(control) {
            self.ground(control, &parts)?;
            steps.open_query(control);
            let grounded = self.start.elapsed().as_secs_f64();
            let result = self.call(control, grounded)?;
            if result.stopped.is_some() || steps.are_done(&result) || lock(self.shared).out.is_closed() {
                break;
            }
        }
        self.print_journal(control);
        Ok(self.end(control))
    }

    /// Makes the ground program ready for the solver.
    fn prepare(&self, control: &mut Control) -> Result<(), Error> {
        self.phase("Preprocessing");
        let result = control.prepare();
        if result.is_err() {
            self.report(control);
        }
        result
    }

    /// One solve call.
    fn call(&self, control: &mut Control, grounded: f64) -> Result<SolveResult, Error> {
        self.prepare(control)?;
        if lock(self.shared).summary.calls == 0 {
            self.options.lemmas.add(control).map_err(Error::Format)?;
        }
        let mut options = self.solve_options(control);
        if self.options.no_search {
            // The engine takes 0 for no limit. One conflict may still show that there is no model.
            options.conflict_limit = 1;
        }
        control.preprocess(&options);
        self.stopped()?;
        let table = self.table(control);
        let prepared = self.start.elapsed().as_secs_f64();
        {
            let mut state = lock(self.shared);
            let summary = &mut state.summary;
            summary.calls += 1;
            let times = &mut summary.times;
            // What is not accounted for yet.
            times.reading = (grounded - times.preprocessing - times.solve).max(times.reading);
            times.preprocessing += prepared - grounded;
            if control.query().is_some() {
                summary.consequences.get_or_insert(Consequences::Cautious);
                summary.query = true;
            }
            summary.objective = has_objective(control.program()) && options.opt_mode != OptMode::Ignore;
            summary.optimising = summary.objective && options.opt_mode != OptMode::Enum;
            summary.satisfiable = false;
            summary.exhausted = false;
            summary.optimum_proven = false;
            summary.optimal = 0;
            summary.estimate = None;
            summary.lower.clear();
            summary.floors = floors(control.program());
            summary.costs = None;
            state.number = 0;
            state.progress.phase = "Solving";
            let Shared { out, reporter, album, .. } = &mut *state;
            if let Some(album) = album {
                album.start();
            }
            reporter.prepared(out, grounded, prepared - grounded);
            reporter.solving(out, prepared);
            out.flush();
            self.warn_about_options(&mut state, &options);
        }
        let models_before = lock(self.shared).summary.models;
        let stop_at = &self.options.opt_stop;
        let optimum_restarts = options.opt_mode == OptMode::OptN;
        let shared = self.shared;
        let optimising = lock(shared).summary.optimising;
        let no_search = self.options.no_search;
        let mut barred = false;
        let mut result = control.solve_events(&options, &[], &mut |event, program, symbols| {
            let mut state = lock(shared);
            match event {
                Event::Model(_) if no_search => {
                    barred = true;
                    Flow::Stop
                }
                Event::Model(model) => {
                    let pictured = state.picture(&model, program, symbols);
                    let flow = state.found(model, &table, !pictured);
                    let good = optimising && !stop_at.is_empty() && within(model.costs, stop_at);
                    if good { Flow::Stop } else { flow }
                }
                Event::Optimum => {
                    state.summary.optimum_proven = true;
                    if optimum_restarts {
                        state.number = 0;
                    }
                    Flow::Continue
                }
                Event::LowerBound(lower) => {
                    let seconds = state.start.elapsed().as_secs_f64();
                    let Shared { out, reporter, summary, progress, .. } = &mut *state;
                    summary.lower.clear();
                    summary.lower.extend_from_slice(lower);
                    progress.lower.clear();
                    progress.lower.extend_from_slice(lower);
                    progress.lower.extend(summary.floors.iter().skip(lower.len()));
                    let best = summary.costs.as_deref();
                    // A bound that the best model meets is news of the proof, not of a gap.
                    if best.is_none_or(|best| !best.starts_with(lower)) {
                        reporter.bounds(out, lower, best, seconds);
                    }
                    Flow::Continue
                }
            }
        });
        if barred {
            result = SolveResult::default();
        }
        let mut state = lock(self.shared);
        let ended = self.start.elapsed().as_secs_f64();
        let Shared { out, reporter, summary, album, .. } = &mut *state;
        summary.satisfiable = result.satisfiable;
        // As in clasp, a call under assumptions that ends with the last wanted model leaves open whether there are more.
        let wanted =
            options.models.unwrap_or(if summary.objective || summary.consequences.is_some() { 0 } else { 1 });
        if wanted > 0 && result.models >= wanted && has_open_externals(control.program()) {
            result.exhausted = false;
        }
        summary.exhausted = result.exhausted;
        if let (Some((decided, open)), true) = (summary.estimate, result.exhausted) {
            // What is left open at the end belongs to the intersection and not to the union.
            let cautious = summary.consequences == Some(Consequences::Cautious);
            summary.estimate = Some((decided + if cautious { open } else { 0 }, 0));
        }
        if summary.optimising {
            summary.optimum_proven |= result.optimal_models > 0;
            summary.optimal = result.optimal_models.max(u64::from(result.satisfiable && result.exhausted));
            if let Some(costs) = &result.costs {
                summary.costs = Some(costs.clone());
            }
        }
        if !result.lower_bounds.is_empty() {
            summary.lower.clone_from(&result.lower_bounds);
        }
        let time = &result.time;
        summary.times.solve += time.total;
        summary.times.first_model += time.first_model;
        summary.times.unsat += time.unsat;
        let mut call = summary.clone();
        call.models -= models_before;
        call.times.total = ended;
        call.times.cpu = cpu_seconds();
        if let Some(album) = album {
            album.flush(out);
        }
        reporter.call_end(out, &call);
        Ok(result)
    }

    fn end(&self, control: &mut Control) -> u8 {
        let statistics = (self.options.style.stats > 0).then(|| control.statistics());
        let lemmas = self.options.lemmas.write(control);
        let mut state = lock(self.shared);
        match lemmas {
            Ok(bytes) => state.out.buffer().extend_from_slice(&bytes),
            Err(message) => state.message(&format!("*** ERROR: (asp): {message}")),
        }
        let stopped = self.interrupt.poll();
        state.finish(stopped, statistics.as_ref())
    }

    fn solve_options(&self, control: &Control) -> crate::solve::SolveOptions {
        let mut options = self.options.solve.clone();
        options.projection = self.options.project.resolve(control.program().project.is_some());
        if control.query().is_some() && options.enum_mode == EnumMode::Auto {
            options.enum_mode = EnumMode::Cautious;
        }
        if self.options.project == Project::Auto && options.enum_mode == EnumMode::DomainRecord {
            options.projection = Project::No.resolve(false);
        }
        options
    }

    fn warn_about_options(&self, state: &mut Shared, options: &crate::solve::SolveOptions) {
        let limited = options.models.is_some_and(|n| n != 0);
        let consequences = state.summary.consequences.is_some();
        if consequences && state.summary.optimising {
            state.message("*** Warn : (asp): Optimization: Consequences may depend on enumeration order.");
        }
        if limited && consequences {
            state.message("*** Warn : (asp): #models not 0: last model may not cover consequences.");
        } else if limited && state.summary.optimising && options.opt_mode == OptMode::Opt {
            state.message("*** Warn : (asp): #models not 0: optimality of last model not guaranteed.");
        }
        if state.summary.objective && options.opt_mode == OptMode::Enum && options.opt_bounds.is_empty() {
            state.message("*** Warn : (asp): opt-mode=enum: No bound given, optimize statement ignored.");
        }
    }

    fn table(&self, control: &Control) -> AnswerTable {
        let style = &self.options.style;
        if style.quiet.models == Level::Nothing || style.format == Format::Nothing {
            return AnswerTable::default();
        }
        let (rendering, separator) = match style.format {
            Format::Json => (Rendering::JsonString, ", ".to_string()),
            Format::JsonLines => (Rendering::JsonTerm, ",".to_string()),
            _ => (text::rendering(style), style.separator.to_string()),
        };
        AnswerTable::new(control.program(), control.symbols(), &rendering, &separator, style.hide_aux)
    }
}

fn has_objective(program: &Program) -> bool {
    !program.objectives.is_empty() || !program.minimize.is_empty()
}

/// What each level of the objective costs at least, judged by its weights alone.
fn floors(program: &Program) -> Vec<i64> {
    let least = |o: &Objective| {
        o.literals.iter().fold(o.constant, |sum, &(_, weight)| sum.saturating_add(weight.min(0)))
    };
    program.objectives.iter().map(least).collect()
}

/// Whether an external atom is held at a truth value.
fn has_open_externals(program: &Program) -> bool {
    let mut last: Map<AtomId, ExternalValue> = Map::default();
    last.extend(program.externals.iter().copied());
    last.values().any(|v| matches!(v, ExternalValue::True | ExternalValue::False))
}

/// Whether costs are at most the bounds, the first difference deciding.
fn within(costs: &[i64], bounds: &[i64]) -> bool {
    let first = costs.iter().zip(bounds).find(|(c, b)| c != b);
    first.is_none_or(|(c, b)| c < b)
}
