//! How far a program that grows in steps (`#include <incmode>.`) is grounded for a question.
//!
//! Without a given number of steps, as many as `asp` itself makes: up to the first one with an answer set. Invariant: the
//! question is about one program, that of the last step, whose query is true.

use std::cell::OnceCell;

use crate::failure::{note, stopped};
use crate::run::steps::Steps;
use asp_base::interrupt::StopReason;
use asp_control::{Control, Error, Source};
use asp_solve::{Flow, OptMode};

/// How far the program of a question is grounded.
pub struct Extent {
    /// The steps that are asked for.
    steps: Option<u32>,
    texts: Vec<Source>,
    /// Makes another control with the same settings and texts.
    empty: Box<dyn Fn() -> Control>,
    /// The last step, once it is known; `None` for a program that does not grow.
    last: OnceCell<Result<Option<i64>, StopReason>>,
}

impl Extent {
    /// The extent of a program that has not been parsed: its texts, the given steps, and a maker of controls for them.
    pub fn new(texts: Vec<Source>, steps: Option<u32>, empty: Box<dyn Fn() -> Control>) -> Self {
        Self { steps, texts, empty, last: OnceCell::new() }
    }

    /// The texts of the program.
    pub fn texts(&self) -> &[Source] {
        &self.texts
    }

    /// Parses and grounds a control that has the texts.
    pub fn ground(&self, control: &mut Control) -> Result<(), Error> {
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
    pub fn stopped(&self) -> Option<u8> {
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
