//! How far a program that grows in steps (`#include <incmode>.`) is grounded for a question.
//!
//! Without `--steps`, as many steps as `asp` itself makes: up to the first one that has an answer set. Invariant: the
//! question is about one program, that of the last step, whose query is true.

use std::cell::OnceCell;

use clap::{Arg, ArgMatches, Command, value_parser};

use super::failure::{failed, note, stopped};
use super::program::{self, Input};
use crate::exit::INPUT_ERROR;
use crate::run::steps::Steps;
use asp_base::interrupt::StopReason;
use asp_control::{Control, Error, Source};
use asp_solve::{Control as Flow, OptMode};

/// Adds `--steps` to the arguments that name a program.
pub(crate) fn arguments(command: Command) -> Command {
    program::arguments(command)
        .arg(Arg::new("steps").long("steps").value_name("N").value_parser(value_parser!(u32)).help(
        "Of a program with #include <incmode>: ask about N steps [default: the first N with an answer set]",
    ))
}

/// How far the program of a question is grounded.
pub(crate) struct Extent {
    /// The steps that are asked for.
    steps: Option<u32>,
    texts: Vec<Source>,
    /// Makes another control with the same settings and texts.
    empty: Box<dyn Fn() -> Control>,
    /// The last step, once it is known; `None` for a program that does not grow.
    last: OnceCell<Result<Option<i64>, StopReason>>,
}

impl Extent {
    /// The extent of a program that has not been parsed.
    pub(crate) fn new(matches: &ArgMatches, input: &Input) -> Self {
        let steps = matches.get_one::<u32>("steps").copied();
        Self::of(input.control.texts().to_vec(), steps, Box::new(input.empty()))
    }

    /// The same from the program's texts, the steps that are asked for, and what makes a control for them.
    pub(crate) fn of(texts: Vec<Source>, steps: Option<u32>, empty: Box<dyn Fn() -> Control>) -> Self {
        Self { steps, texts, empty, last: OnceCell::new() }
    }

    /// The texts of the program.
    pub(crate) fn texts(&self) -> &[Source] {
        &self.texts
    }

    /// Parses and grounds a control that has the texts.
    pub(crate) fn ground(&self, control: &mut Control) -> Result<(), Error> {
        let parsed = control.parse();
        let grows = parsed.is_ok() && control.is_incremental();
        let last = self.last.get_or_init(|| self.find(grows)).map_err(Error::Stopped)?;
        parsed?;
        let Some(last) = last else { return control.ground() };
        let mut steps = Steps::up_to(last);
        while let Some(parts) = steps.next(control) {
            control.ground_parts(&parts)?;
        }
        steps.open_query(control);
        Ok(())
    }

    /// If the search for the last step was stopped, prints that and returns the exit code.
    pub(crate) fn stopped(&self) -> Option<u8> {
        self.last.get()?.err().map(stopped)
    }

    fn find(&self, grows: bool) -> Result<Option<i64>, StopReason> {
        if !grows {
            if self.steps.is_some() {
                note("--steps plays no role: the program has no `#include <incmode>.`");
            }
            return Ok(None);
        }
        if let Some(steps) = self.steps {
            return Ok(Some(steps.into()));
        }
        let mut probe = (self.empty)();
        self.texts.iter().for_each(|t| probe.add_source(t.clone()));
        match probe.parse().and_then(|()| first(&mut probe)) {
            Ok((steps, found)) => {
                let what = if found { "the first with an answer set" } else { "the last, by imax" };
                note(&format!(
                    "the program grows in steps; this is about step {steps}, {what} (--steps=N: step N)"
                ));
                Ok(Some(steps))
            }
            Err(Error::Stopped(reason)) => {
                note("no number of steps had an answer set so far; --steps=N asks about step N");
                Err(reason)
            }
            // Other errors are reported when the program is grounded for the question itself.
            Err(_) => Ok(Some(0)),
        }
    }
}

/// The step at which the program ends, and whether it has an answer set there.
fn first(control: &mut Control) -> Result<(i64, bool), Error> {
    let mut steps = Steps::new(control);
    let mut number = -1;
    while let Some(parts) = steps.next(control) {
        control.ground_parts(&parts)?;
        steps.open_query(control);
        control.lower()?;
        let mut options = control.settings.solve.clone();
        (options.models, options.opt_mode) = (Some(1), OptMode::Ignore);
        let result = control.solve_events(&options, &[], &mut |_, _, _| Flow::Continue)?;
        if let (Some(reason), false) = (result.stopped, result.satisfiable) {
            return Err(Error::Stopped(reason));
        }
        number += 1;
        if steps.are_done(&result) {
            return Ok((number, result.satisfiable));
        }
    }
    Ok((number.max(0), false))
}

/// Reads what the arguments name, grounds it and prepares it for the solver; with `keep_facts`, the ground program
/// keeps its facts.
pub(crate) fn grounded(matches: &ArgMatches, keep_facts: bool) -> Result<Input, u8> {
    let mut input = Input::read(matches)?;
    input.control.settings.keep_facts = keep_facts;
    input.control.settings.integers.tell_values();
    let extent = Extent::new(matches, &input);
    let result = extent.ground(&mut input.control).and_then(|()| input.control.lower());
    if let Some(code) = extent.stopped() {
        return Err(code);
    }
    let errors = input.report();
    match result {
        Ok(()) if !errors => Ok(input),
        Ok(()) => Err(INPUT_ERROR),
        Err(error) => Err(failed(&error)),
    }
}
