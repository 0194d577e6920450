//! Solve calls that are pulled: each answer set is searched for when it is asked for.
//!
//! Invariant: when a handle is dropped, its call is over, and the [`Control`](crate::Control) is as if it had ended by itself.

use std::fmt;

use crate::base::symbol::Symbols;
use crate::control::Error;
use crate::program::Program;
use crate::report::answer_set::AnswerTable;
use crate::solve::parallel::worker::Worker;
use crate::solve::session::solving::Solving;
use crate::solve::{Event, Model, SolveResult};

/// Who searches.
pub(super) enum Search<'c> {
    /// The caller's thread, whenever the next answer is asked for.
    Alone { program: &'c Program, solving: Box<Solving<'c>> },
    /// Several threads, ahead of the caller.
    Threads(Worker<'c>),
}

/// A solve call in progress.
///
/// With one thread nothing runs between two answers: after each one, and after a stop, the search goes on where it was. A
/// clone of [`Control::interrupt`](crate::Control::interrupt) stops it from another thread; to go on after that, it is reset
/// first. A call in several threads ends with a stop.
///
/// ```
/// let mut control = asp::Control::new();
/// control.add("{ a; b }. :- a, b.");
/// let mut handle = control.start(0)?;
/// let mut found = Vec::new();
/// while let Some(answer) = handle.next()? {
///     found.push(answer.to_string());
/// }
/// assert!(handle.finish().exhausted);
/// found.sort();
/// assert_eq!(found, ["", "a", "b"]);
/// # Ok::<(), asp::control::Error>(())
/// ```
pub struct SolveHandle<'c> {
    search: Search<'c>,
    symbols: &'c Symbols,
    table: AnswerTable,
}

impl<'c> SolveHandle<'c> {
    pub(super) fn new(search: Search<'c>, symbols: &'c Symbols, table: AnswerTable) -> Self {
        Self { search, symbols, table }
    }

    /// The next answer set; `None` if there is no other. An error says that the search was stopped.
    #[allow(clippy::should_implement_trait)] // An answer set lives until the next one is asked for.
    pub fn next(&mut self) -> Result<Option<AnswerSet<'_>>, Error> {
        loop {
            match self.next_event()? {
                Some(Event::Model(_)) => break,
                Some(_) => {}
                None => return Ok(None),
            }
        }
        Ok(self.answer())
    }

    /// The next event: an answer set, or news of its costs.
    pub fn next_event(&mut self) -> Result<Option<Event<'_>>, Error> {
        match &mut self.search {
            Search::Alone { solving, .. } => {
                let step = solving.next();
                match solving.stopped(step) {
                    Some(reason) => Err(Error::Stopped(reason)),
                    None => Ok(solving.event(step)),
                }
            }
            Search::Threads(worker) => {
                worker.next();
                match (worker.event(), worker.result().stopped) {
                    (None, Some(reason)) => Err(Error::Stopped(reason)),
                    (event, _) => Ok(event),
                }
            }
        }
    }

    /// The answer set that was found last.
    fn answer(&self) -> Option<AnswerSet<'_>> {
        let (program, model) = match &self.search {
            Search::Alone { program, solving } => (*program, solving.model()),
            Search::Threads(worker) => match worker.event()? {
                Event::Model(model) => (worker.program(), model),
                Event::Optimum | Event::LowerBound(_) => return None,
            },
        };
        Some(AnswerSet { model, program, symbols: self.symbols, table: &self.table })
    }

    /// What the call has come to so far; with several threads, at its end.
    pub fn result(&self) -> &SolveResult {
        match &self.search {
            Search::Alone { solving, .. } => solving.result(),
            Search::Threads(worker) => worker.result(),
        }
    }

    /// Ends the call, whether there are more answer sets or not.
    pub fn finish(self) -> SolveResult {
        match self.search {
            Search::Alone { solving, .. } => solving.finish(),
            Search::Threads(worker) => worker.finish(),
        }
    }
}

/// An answer set at the moment it is found.
pub struct AnswerSet<'a> {
    model: Model<'a>,
    program: &'a Program,
    symbols: &'a Symbols,
    table: &'a AnswerTable,
}

impl<'a> AnswerSet<'a> {
    pub(super) fn new(
        model: Model<'a>,
        program: &'a Program,
        symbols: &'a Symbols,
        table: &'a AnswerTable,
    ) -> Self {
        Self { model, program, symbols, table }
    }
    /// Its number, from 1.
    pub fn number(&self) -> u64 {
        self.model.number
    }
    /// Its costs, most important level first.
    pub fn costs(&self) -> &'a [i64] {
        self.model.costs
    }
    /// The solver's model.
    pub fn model(&self) -> &Model<'a> {
        &self.model
    }
    /// The terms of the run.
    pub fn symbols(&self) -> &'a Symbols {
        self.symbols
    }
    /// The ground program.
    pub fn program(&self) -> &'a Program {
        self.program
    }
}

impl fmt::Display for AnswerSet<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Vec::new();
        self.table.write(&self.model, &mut text);
        f.write_str(&String::from_utf8_lossy(&text))
    }
}
