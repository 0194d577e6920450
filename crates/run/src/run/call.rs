//! One solve call of a run: options, events to the reporter, the result to the summary.
//!
//! Invariant: times count from the start of the run; each call adds only its own results to the summary.

use std::time::{Duration, Instant};

use super::lemmas;
use super::proof::{ProofFiles, refused};
use super::state::{CallState, Printer, State, cpu_seconds, lock};
use super::work::Run;
use asp_base::map::Map;
use asp_base::symbol::Symbols;
use asp_control::{Control, Error, Report};
use asp_options::raw::Options;
use asp_program::ground_program::{ExternalValue, Objective};
use asp_program::{AtomId, Program};
use asp_report::answer_set::{AnswerTable, Rendering};
use asp_report::summary::Consequences;
use asp_report::{Format, Level, text};
use asp_solve::{EnumMode, Event, Flow, Model, OptMode, SolveOptions, SolveResult};

/// How long models that are only counted may be missing in the summary: taking the lock for each would cost as much as finding
/// it, in programs that are enumerated without a conflict.
const COUNTED_WITHIN: Duration = Duration::from_millis(1);

/// A call that has begun.
pub struct OpenCall {
    /// Its options.
    pub options: SolveOptions,
    table: AnswerTable,
    models_before: u64,
    /// Whether models are only counted and not yet in the summary, and when the summary is due.
    is_behind: bool,
    due: Instant,
    /// Where its proof goes.
    proof: Option<ProofFiles>,
}

impl OpenCall {
    /// Takes models that were only counted to the summary: so many were found in this call.
    fn count(&mut self, state: &mut State, found: u64) {
        if !std::mem::take(&mut self.is_behind) {
            return;
        }
        let models = found.saturating_sub(state.number);
        state.number += models;
        state.progress.models += models;
        state.summary.models += models;
    }
}

impl Run {
    /// Prepares the ground program for the solver.
    pub(super) fn prepare(&self, control: &mut Control) -> Result<(), Error> {
        self.phase("Preprocessing");
        let result = control.lower().and_then(|()| control.check_step());
        if self.report(control) && result.is_ok() {
            return Err(Error::Ground(Report::told("preprocessing stopped because of errors")));
        }
        result
    }

    /// One solve call, which has been opened in the summary.
    pub(super) fn call(&self, control: &mut Control, grounded: f64) -> Result<SolveResult, Error> {
        let options = self.proof_options(self.solve_options(control))?;
        let mut call = self.begin_own_call(control, options, grounded)?;
        let options = call.options.clone();
        let result = self.search(control, &options, &mut |event, program, symbols| {
            self.event(&mut call, event, program, symbols)
        });
        let result = result?;
        self.end_proof(call.proof.take(), control, &options, &result);
        Ok(self.end_call(call, result, has_open_externals(control.program())))
    }

    /// A call is next; what is said of the one before does not hold for it.
    pub fn open_call(&self) {
        let mut state = lock(&self.shared);
        if matches!(state.call, CallState::Ended) {
            state.call = CallState::Open;
            state.summary.open_call();
        }
    }

    /// The call that is open begins, one that a script or another program makes.
    pub fn begin_call(
        &self,
        control: &mut Control,
        options: SolveOptions,
        grounded: f64,
    ) -> Result<OpenCall, Error> {
        if self.options.proof.is_some() {
            return Err(refused("what a script or another program solves"));
        }
        self.begin_own_call(control, options, grounded)
    }

    /// The call that is open begins: `grounded` seconds after the start its program was there.
    fn begin_own_call(
        &self,
        control: &mut Control,
        options: SolveOptions,
        grounded: f64,
    ) -> Result<OpenCall, Error> {
        self.prepare(control)?;
        if lock(&self.shared).summary.calls == 1 {
            lemmas::add(&self.options.lemmas, control)?;
            self.keep_to_cube(control, &options)?;
        }
        let proof = self.begin_proof(control, &options)?;
        control.translate(&options);
        self.stopped()?;
        let table = self.table(control);
        let prepared = self.start.elapsed().as_secs_f64();
        let mut state = lock(&self.shared);
        state.call = CallState::Searching(Instant::now());
        let summary = &mut state.summary;
        let times = &mut summary.times;
        // Time not yet accounted for.
        times.reading = (grounded - times.preprocessing - times.solve).max(times.reading);
        times.preprocessing += prepared - grounded;
        if control.query().is_some() {
            summary.consequences.get_or_insert(Consequences::Cautious);
            summary.query = true;
        }
        summary.objective = has_objective(control.program()) && options.opt_mode != OptMode::Ignore;
        summary.optimising = summary.objective && options.opt_mode != OptMode::Enum;
        summary.floors = floors(control.program());
        summary.wants_gap = summary.optimising && options.opt_gap.is_wanted();
        state.number = 0;
        state.progress.phase = "Solving";
        let Printer { out, reporter, album, .. } = &mut state.printer;
        if let Some(album) = album {
            album.start();
        }
        reporter.prepared(out, grounded, prepared - grounded);
        reporter.solving(out, prepared);
        out.flush();
        self.warn_about_options(&mut state, &options);
        let models_before = state.summary.models;
        Ok(OpenCall { options, table, models_before, is_behind: false, due: self.start, proof })
    }

    /// Sets terms that the next model shows besides those of the program.
    pub fn add_terms(&self, call: &mut OpenCall, terms: &[String]) {
        let (rendering, separator) = self.rendering();
        call.table.set_lead(terms, &rendering, &separator);
    }

    /// Something happens in a call.
    pub fn event(&self, call: &mut OpenCall, event: Event<'_>, program: &Program, symbols: &Symbols) -> Flow {
        if let Event::Model(model) = &event
            && model.found < call.due
            && self.only_counts(model)
        {
            call.is_behind = true;
            return Flow::Count;
        }
        let mut state = lock(&self.shared);
        if let Event::Model(model) = &event {
            call.count(&mut state, model.number - 1);
        }
        let flow = self.tell(call, &mut state, event, program, symbols);
        state.flush_if_shared();
        flow
    }

    /// Whether nothing is done with a model but to count it.
    #[inline]
    fn only_counts(&self, model: &Model<'_>) -> bool {
        let options = &self.options;
        options.style.quiet.of(model) == (false, false, false)
            && model.costs.is_empty()
            && !model.optimal
            && model.consequences.is_none()
            && !options.pictures.is_any()
    }

    fn tell(
        &self,
        call: &mut OpenCall,
        state: &mut State,
        event: Event<'_>,
        program: &Program,
        symbols: &Symbols,
    ) -> Flow {
        match event {
            Event::Model(model) => {
                let pictured = state.picture(&model, program, symbols);
                let flow = state.found(model, &call.table, !pictured);
                call.due = model.found + COUNTED_WITHIN;
                flow
            }
            Event::Optimum => {
                state.summary.optimum_proven = true;
                if call.options.opt_mode == OptMode::OptN {
                    state.number = 0;
                }
                Flow::Continue
            }
            Event::LowerBound(lower) => {
                let seconds = state.start.elapsed().as_secs_f64();
                let State { printer: Printer { out, reporter, album, .. }, summary, progress, .. } = state;
                summary.lower.clear();
                summary.lower.extend_from_slice(lower);
                progress.lower.clear();
                progress.lower.extend_from_slice(lower);
                progress.lower.extend(summary.floors.iter().skip(lower.len()));
                let best = summary.costs.as_deref();
                if let Some(album) = album {
                    album.note_bounds(best, lower, seconds);
                }
                // If the best model meets the bound, it is optimal: there is no gap to report.
                if best.is_none_or(|best| !best.starts_with(lower)) {
                    reporter.bounds(out, lower, best, seconds);
                }
                Flow::Continue
            }
        }
    }

    /// A call has ended with a result; gives it as it is to be understood.
    pub fn end_call(
        &self,
        mut call: OpenCall,
        mut result: SolveResult,
        has_open_externals: bool,
    ) -> SolveResult {
        let mut state = lock(&self.shared);
        call.count(&mut state, result.models);
        state.call = CallState::Ended;
        let ended = self.start.elapsed().as_secs_f64();
        let State { printer: Printer { out, reporter, album, .. }, summary, .. } = &mut *state;
        summary.satisfiable = result.satisfiable;
        // As in clasp, if a call under assumptions ends with the last wanted model, it is unknown whether there are
        // more.
        let wanted = call.options.models.unwrap_or(if summary.objective || summary.consequences.is_some() {
            0
        } else {
            1
        });
        if wanted > 0 && result.models >= wanted && has_open_externals {
            result.exhausted = false;
        }
        summary.exhausted = result.exhausted;
        summary.is_close = result.is_close;
        if let (Some((decided, open)), true) = (summary.estimate, result.exhausted) {
            // Atoms still open at the end belong to the intersection but not to the union.
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
        if let (Some(album), true) = (&mut *album, summary.optimising) {
            album.note_bounds(summary.costs.as_deref(), &summary.lower, ended);
        }
        let time = &result.time;
        summary.times.solve += time.total;
        summary.times.first_model += time.first_model;
        summary.times.unsat += time.unsat;
        let mut ending = summary.clone();
        ending.models -= call.models_before;
        ending.times.total = ended;
        ending.times.cpu = cpu_seconds();
        if let Some(album) = album {
            album.flush(out);
        }
        reporter.call_end(out, &ending);
        state.flush_if_shared();
        result
    }

    pub(super) fn solve_options(&self, control: &Control) -> SolveOptions {
        self.options_of(&self.options, control)
    }

    /// The options of a call of a program, by those of a run.
    pub(super) fn options_of(&self, run: &Options, control: &Control) -> SolveOptions {
        let mut options = run.solve.clone();
        if control.query().is_some() && options.enum_mode == EnumMode::Auto {
            options.enum_mode = EnumMode::Cautious;
        }
        run.project.apply(&mut options, control);
        options.start = self.first_literals(control);
        options
    }

    fn warn_about_options(&self, state: &mut State, options: &SolveOptions) {
        let limited = options.models.is_some_and(|n| n != 0);
        let consequences = state.summary.consequences.is_some();
        if consequences && state.summary.optimising {
            state.message("*** Warn : (asp): Optimization: Consequences may depend on enumeration order.");
        }
        if limited && state.summary.optimising && options.opt_mode == OptMode::Opt {
            state.message("*** Warn : (asp): #models not 0: optimality of last model not guaranteed.");
        }
        if limited && consequences {
            state.message("*** Warn : (asp): #models not 0: last model may not cover consequences.");
        }
        if state.summary.objective && options.opt_mode == OptMode::Enum && options.opt_bounds.is_empty() {
            state.message("*** Warn : (asp): opt-mode=enum: No bound given, optimize statement ignored.");
        }
    }

    /// How one symbol is written, and what stands between two.
    fn rendering(&self) -> (Rendering, String) {
        let style = &self.options.style;
        match style.format {
            Format::Json => (Rendering::JsonString, ", ".to_string()),
            Format::JsonLines => (Rendering::JsonTerm, ",".to_string()),
            Format::Csv => (Rendering::Csv, "\n".to_string()),
            _ => (text::rendering(style), style.separator.to_string()),
        }
    }

    fn table(&self, control: &Control) -> AnswerTable {
        let style = &self.options.style;
        if style.quiet.models == Level::Nothing || style.format == Format::Nothing {
            return AnswerTable::default();
        }
        let (rendering, separator) = self.rendering();
        AnswerTable::new(control.program(), control.symbols(), &rendering, &separator, style.hide_aux)
    }
}

fn has_objective(program: &Program) -> bool {
    !program.objectives.is_empty() || !program.minimize.is_empty()
}

/// A lower bound of each level of the objective by its weights alone.
fn floors(program: &Program) -> Vec<i64> {
    let least = |o: &Objective| {
        o.literals.iter().fold(o.constant, |sum, &(_, weight)| sum.saturating_add(weight.min(0)))
    };
    program.objectives.iter().map(least).collect()
}

/// Whether an external atom has a fixed truth value.
pub fn has_open_externals(program: &Program) -> bool {
    let mut last: Map<AtomId, ExternalValue> = Map::default();
    last.extend(program.externals.iter().copied());
    last.values().any(|v| matches!(v, ExternalValue::True | ExternalValue::False))
}
