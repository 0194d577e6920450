//! Solve calls in progress: each answer set is searched for on request.
//!
//! Invariant: when a handle is dropped, its call is over, and the [`Control`](crate::Control) is left as if the search had ended by itself.

use std::sync::{Arc, Mutex, OnceLock};

use super::answer::Answer;
use super::known::Ground;
use super::{Assumption, Control, Error, callbacks};
use asp_base::symbol::{StrId, Sym, Symbols};
use asp_ground::Grounder;
use asp_program::integers::state::Known;
use asp_program::{Literal, Program};
use asp_report::answer_set::AnswerTable;
use asp_solve::call::drive::Milestone;
use asp_solve::parallel::worker::Worker;
use asp_solve::session::solving::Solving;
use asp_solve::theory::host::{Host, Theories};
use asp_solve::{Event, SolveResult};

pub(super) enum Runner<'c> {
    /// The caller's thread, whenever the next answer is asked for.
    Alone { program: &'c Program, solving: Box<Solving<'c>> },
    /// Several threads, ahead of the caller.
    Threads(Box<Worker<'c>>),
    /// Nothing: an assumption contradicts what grounding has found.
    Contradicted { program: &'c Program, assumption: Assumption, result: SolveResult },
}

/// A solve call in progress.
///
/// With one thread nothing runs between two answers: after each one, and after a stop, the search continues where it
/// was. A clone of [`Control::interrupt`](crate::Control::interrupt) stops it from another thread; reset it before
/// continuing. A call with several threads ends when it is stopped.
///
/// ```
/// let mut control = asp::Control::new();
/// control.add("{ a; b }. :- a, b.");
/// let mut handle = control.answers().start()?;
/// let mut found = Vec::new();
/// while let Some(answer) = handle.next()? {
///     found.push(answer.to_string());
/// }
/// assert!(handle.finish().exhausted);
/// found.sort();
/// assert_eq!(found, ["", "a", "b"]);
/// # Ok::<(), asp::Error>(())
/// ```
pub struct SolveHandle<'c> {
    search: Runner<'c>,
    symbols: &'c Symbols,
    grounder: Option<&'c Grounder>,
    /// The layout of answer sets, made when one is printed.
    table: OnceLock<AnswerTable>,
    /// Names and values of integer variables that are not shown as terms, of the last answer set.
    values: OnceLock<Vec<[Sym; 2]>>,
    /// Shown atoms whose last arguments are integers.
    atoms: OnceLock<Vec<(StrId, Vec<Sym>)>>,
    /// Whether clauses may be added.
    pub(super) takes_clauses: bool,
    /// The theories, whose functions may fail.
    pub(super) theories: Option<Arc<Mutex<Theories>>>,
    /// The assumptions passed to the search.
    pub(super) assumed: Vec<(Literal, Assumption)>,
}

impl<'c> SolveHandle<'c> {
    pub(super) fn new(search: Runner<'c>, symbols: &'c Symbols, grounder: Option<&'c Grounder>) -> Self {
        Self {
            search,
            symbols,
            grounder,
            table: OnceLock::new(),
            values: OnceLock::new(),
            atoms: OnceLock::new(),
            takes_clauses: false,
            theories: None,
            assumed: Vec::new(),
        }
    }

    /// A call that is over before it begins.
    pub(super) fn contradicted(control: &'c Control, assumption: Assumption) -> Self {
        let result = SolveResult { exhausted: true, ..SolveResult::default() };
        let Ground { program, symbols, grounder } = control.as_ground();
        let search = Runner::Contradicted { program, assumption, result };
        Self::new(search, symbols, grounder)
    }

    /// The next answer set; `None` if there is no other. An error says that the search was stopped.
    #[allow(clippy::should_implement_trait)] // An answer set lives until the next one is asked for.
    pub fn next(&mut self) -> Result<Option<Answer<'_>>, Error> {
        loop {
            match self.next_event()? {
                Some(Event::Model(_)) => break,
                Some(_) => {}
                None => return Ok(None),
            }
        }
        Ok(self.answer())
    }

    /// The next event: an answer set or new information about its costs.
    pub fn next_event(&mut self) -> Result<Option<Event<'_>>, Error> {
        self.values.take();
        self.atoms.take();
        match &mut self.search {
            Runner::Alone { solving, .. } => {
                let step = solving.advance();
                if step != Milestone::Model
                    && let Some(failure) = callbacks::failure(self.theories.as_ref())
                {
                    return Err(failure);
                }
                match solving.stopped(step) {
                    Some(reason) => Err(Error::Stopped(reason)),
                    None => Ok(solving.event(step)),
                }
            }
            Runner::Threads(worker) => {
                worker.next_event();
                if worker.event().is_none()
                    && let Some(failure) = callbacks::failure(self.theories.as_ref())
                {
                    return Err(failure);
                }
                match (worker.event(), worker.result().stopped) {
                    (None, Some(reason)) => Err(Error::Stopped(reason)),
                    (event, _) => Ok(event),
                }
            }
            Runner::Contradicted { .. } => Ok(None),
        }
    }

    /// Adds a clause for the remaining answer sets of this call. The options must allow it
    /// ([`takes_clauses`](asp_solve::SolveOptions::takes_clauses)), and the call must run in one thread; `false` if not.
    pub fn add_clause(&mut self, literals: &[Literal]) -> bool {
        match &mut self.search {
            Runner::Alone { solving, .. } if self.takes_clauses => {
                solving.demand(literals);
                true
            }
            Runner::Contradicted { .. } => true,
            // With theories, several threads search for one answer set alone: there are no further ones.
            Runner::Threads(_) if self.takes_clauses => self.theories.is_some(),
            _ => false,
        }
    }

    /// The result of grounding.
    pub fn ground(&self) -> Ground<'_> {
        let program = match &self.search {
            Runner::Alone { program, .. } | Runner::Contradicted { program, .. } => program,
            Runner::Threads(worker) => worker.program(),
        };
        Ground { program, symbols: self.symbols, grounder: self.grounder }
    }

    /// The answer set that was found last, until the next one is asked for.
    pub fn answer(&self) -> Option<Answer<'_>> {
        let model = match &self.search {
            Runner::Alone { solving, .. } => solving.model(),
            Runner::Threads(worker) => match worker.event()? {
                Event::Model(model) => model,
                Event::Optimum | Event::LowerBound(_) => return None,
            },
            Runner::Contradicted { .. } => return None,
        };
        let ground = self.ground();
        let pairs = || {
            let known = ground.program.integers.variables.iter().enumerate().filter(|(_, k)| k.shown);
            let value = |(number, known): (usize, &Known)| {
                let digits = known.digits.as_ref()?;
                let value = match model.shown.is_empty() {
                    true => digits.value(|l| model.holds(l)),
                    // Of consequences there are ranges.
                    false => model.ranges.get(number).copied().flatten().filter(|(a, b)| a == b)?.0,
                };
                Some([known.name, Sym::small(value)?])
            };
            known.filter_map(value).collect::<Vec<_>>()
        };
        let functions = &ground.program.integers.functions;
        let values = self.values.get_or_init(|| if functions.is_empty() { pairs() } else { Vec::new() });
        let atoms = self.atoms.get_or_init(|| {
            let atom = |[variable, value]: [Sym; 2]| {
                let (name, args) = functions.atom(variable, ground.symbols)?;
                Some((name, [args, &[value]].concat()))
            };
            if functions.is_empty() { Vec::new() } else { pairs().into_iter().filter_map(atom).collect() }
        });
        Some(Answer { model, ground, table: &self.table, values, atoms })
    }

    /// The number of the thread that found the last answer set; its theories are still in the state of that moment.
    pub fn thread(&self) -> u32 {
        self.theories.as_ref().map_or(0, |theories| Host::new(theories).theories().reported())
    }

    /// If there is no answer set: inconsistent assumptions, not necessarily a minimal set.
    pub fn core(&self) -> Vec<Assumption> {
        if let Runner::Contradicted { assumption, .. } = &self.search {
            return vec![*assumption];
        }
        let core = match &self.search {
            Runner::Alone { solving, .. } => solving.core(),
            _ => self.result().core.clone(),
        };
        let assumed = self.assumed.iter().filter(|(literal, _)| core.contains(literal));
        assumed.map(|(_, assumption)| *assumption).collect()
    }

    /// [`core`](Self::core) as literals.
    pub fn core_literals(&self) -> Vec<Literal> {
        match &self.search {
            Runner::Alone { solving, .. } => solving.core(),
            _ => self.result().core.clone(),
        }
    }

    /// The result so far; with several threads, only at the end.
    pub fn result(&self) -> &SolveResult {
        match &self.search {
            Runner::Alone { solving, .. } => solving.result(),
            Runner::Threads(worker) => worker.result(),
            Runner::Contradicted { result, .. } => result,
        }
    }

    /// Ends the call, whether there are more answer sets or not.
    pub fn finish(self) -> SolveResult {
        match self.search {
            Runner::Alone { solving, .. } => solving.finish(),
            Runner::Threads(worker) => worker.finish(),
            Runner::Contradicted { result, .. } => result,
        }
    }
}
