//! One instance to be tuned for: its program, grounded once, and runs of it.
//!
//! Invariant: a run begins with nothing learned. A program that is solved in steps is grounded anew for each run.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::diagnostics::Diagnostics;
use crate::failure::{failed, note};
use crate::run::steps::Steps;
use crate::stderr::tell_error;
use crate::{exit, input, open};
use asp_base::interrupt::{Interrupt, StopReason};
use asp_control::{Control, Error};
use asp_options::raw::Options;
use asp_solve::{Event, Flow, SolveResult};

/// The goal of a run.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Goal {
    /// Its end: a verdict, an optimum, as many answer sets as are wanted.
    End,
    /// An answer set with these costs or better ones.
    Costs(Vec<i64>),
    /// An answer set with better costs than these.
    Better(Vec<i64>),
    /// This many answer sets.
    Models(u64),
}

/// The outcome of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Outcome {
    /// Seconds until it reached its goal; `None` if it was stopped before.
    pub(super) reached: Option<f64>,
    /// Answer sets found.
    models: u64,
    /// The best costs, and after how many seconds they were found.
    best: Option<(Vec<i64>, f64)>,
}

impl Outcome {
    /// The goal for others, and the seconds that this one took to reach it, if it did: the end or, if it was cut off before, as
    /// much as it had found, unless that was found at once.
    pub(super) fn goal(&self, cut_off: f64) -> (Goal, Option<f64>) {
        match (self.reached, &self.best) {
            (Some(seconds), _) => (Goal::End, Some(seconds)),
            (None, Some((costs, seconds))) if *seconds < cut_off / 10.0 => {
                (Goal::Better(costs.clone()), None)
            }
            (None, Some((costs, seconds))) => (Goal::Costs(costs.clone()), Some(*seconds)),
            (None, None) if self.models == 0 => (Goal::Models(1), None),
            (None, None) => (Goal::Models(self.models), Some(cut_off)),
        }
    }
}

/// One instance.
pub(super) struct Subject<'a> {
    /// Its file; empty if there is only one.
    pub(super) name: &'a str,
    files: Vec<&'a str>,
    options: &'a Options,
    interrupt: &'a Interrupt,
    diagnostics: Diagnostics,
    control: Control,
}

impl<'a> Subject<'a> {
    /// Reads and grounds an instance. Errors have been printed; the error value is the exit code.
    pub(super) fn open(
        options: &'a Options,
        instance: Option<&'a str>,
        interrupt: &'a Interrupt,
    ) -> Result<Self, u8> {
        let files: Vec<&str> = options.files.iter().map(String::as_str).chain(instance).collect();
        let diagnostics = Diagnostics::new(options.warnings.clone());
        let control = open::for_options(options, interrupt.clone());
        let mut subject =
            Self { name: instance.unwrap_or(""), files, options, interrupt, diagnostics, control };
        subject.control = subject.read()?;
        if !subject.control.is_incremental() {
            let result = subject.control.ground();
            subject.told(result)?;
        }
        Ok(subject)
    }

    /// Whether it has an objective, as far as is known.
    pub(super) fn has_objective(&self) -> bool {
        let program = self.control.program();
        !program.minimize.is_empty() || !program.objectives.is_empty() || self.control.is_incremental()
    }

    fn read(&self) -> Result<Control, u8> {
        let mut control = open::for_options(self.options, self.interrupt.clone());
        for &name in &self.files {
            match open::add_file(&mut control, name) {
                Ok(found) => found.iter().for_each(|text| note(text)),
                Err(error) => {
                    tell_error(&format!("file could not be opened: {name} ({error})"));
                    return Err(exit::INPUT_ERROR);
                }
            }
        }
        input::load(&self.options.inputs, &mut control, &self.options.consts)
            .iter()
            .for_each(|text| note(text));
        let result = control.parse();
        if self.diagnostics.print(&mut control) {
            return Err(exit::INPUT_ERROR);
        }
        result.map_err(|error| failed(&error))?;
        Ok(control)
    }

    /// Prints the messages since the last time, and why a stage failed.
    fn told(&mut self, result: Result<(), Error>) -> Result<(), u8> {
        let errors = self.diagnostics.print(&mut self.control);
        match result {
            Err(error) => Err(failed(&error)),
            Ok(()) if errors => Err(exit::INPUT_ERROR),
            Ok(()) => Ok(()),
        }
    }

    /// Runs it with some options until a goal is reached, for at most the given time. Fails if it cannot be run, or everything
    /// is stopped.
    pub(super) fn run(&mut self, options: &Options, goal: &Goal, most: Duration) -> Result<Outcome, Error> {
        let interrupt = self.interrupt.child();
        let (over, wait) = channel::<()>();
        std::thread::scope(|scope| {
            let timer = interrupt.clone();
            scope.spawn(move || {
                if wait.recv_timeout(most) == Err(RecvTimeoutError::Timeout) {
                    timer.stop(StopReason::TimeLimit);
                }
            });
            let outcome = self.run_until(options, goal, &interrupt);
            drop(over);
            // A signal or a limit of the whole ends more than this run.
            self.interrupt.poll().map_or(outcome, |reason| Err(Error::Stopped(reason)))
        })
    }

    fn run_until(&mut self, options: &Options, goal: &Goal, interrupt: &Interrupt) -> Result<Outcome, Error> {
        let mut outcome = Outcome::default();
        let begin = Instant::now();
        if self.control.is_incremental() {
            self.control = self.read().map_err(|_| Error::Stopped(StopReason::Interrupted))?;
            let mut steps = Steps::new(&mut self.control);
            while let Some(parts) = steps.next(&mut self.control) {
                self.control.ground_parts(&parts)?;
                steps.open_query(&mut self.control);
                let result = self.call(options, goal, interrupt, begin, &mut outcome)?;
                if outcome.reached.is_some() || result.stopped.is_some() {
                    return Ok(outcome);
                }
                if steps.are_done(&result) {
                    break;
                }
            }
        } else {
            self.control.forget_search();
            let result = self.call(options, goal, interrupt, begin, &mut outcome)?;
            if outcome.reached.is_some() || result.stopped.is_some() {
                return Ok(outcome);
            }
        }
        outcome.reached = Some(begin.elapsed().as_secs_f64());
        Ok(outcome)
    }

    fn call(
        &mut self,
        options: &Options,
        goal: &Goal,
        interrupt: &Interrupt,
        begin: Instant,
        outcome: &mut Outcome,
    ) -> Result<SolveResult, Error> {
        let mut solve = options.solve.clone();
        options.project.apply(&mut solve, &self.control);
        let earlier = outcome.models;
        self.control.solve_until(&solve, &[], interrupt, &mut |event, _, _| {
            let Event::Model(model) = event else { return Flow::Continue };
            let seconds = model.found.duration_since(begin).as_secs_f64();
            outcome.models = earlier + model.number;
            if !model.costs.is_empty()
                && outcome.best.as_ref().is_none_or(|(best, _)| model.costs < &best[..])
            {
                outcome.best = Some((model.costs.to_vec(), seconds));
            }
            let is_there = match goal {
                Goal::End => false,
                Goal::Better(costs) => model.costs < &costs[..],
                Goal::Costs(costs) => model.costs <= &costs[..],
                Goal::Models(number) => outcome.models >= *number,
            };
            if is_there {
                outcome.reached = Some(seconds);
                return Flow::Stop;
            }
            Flow::Continue
        })
    }
}
