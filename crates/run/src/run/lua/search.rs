//! A search that stops at each model, and its control.

use mlua::{Error, Result};
use self_cell::MutBorrow;

use crate::run::call::has_open_externals;
use asp_control::{Answer, Control, Error as ControlError, Ground, SolveHandle};
use asp_program::Literal;
use asp_solve::{Event, SolveOptions, SolveResult};

/// A search; `None` once it has ended, and if the assumptions contradict grounding.
type Engine<'a> = Option<SolveHandle<'a>>;

self_cell::self_cell!(
    /// A search and the control that it is about.
    pub(super) struct Search {
        owner: MutBorrow<Box<Control>>,
        #[not_covariant]
        dependent: Engine,
    }
);

/// The result of a step of a search.
pub(super) enum Step {
    Model(u64),
    Bounds(Vec<i64>),
    Optimum,
    Over,
}

impl Search {
    /// The answer set at which the search stands.
    pub(super) fn at<T>(&self, read: impl FnOnce(&Answer<'_>, Ground<'_>) -> Result<T>) -> Result<T> {
        self.with_dependent(|_, engine| {
            match engine.as_ref().and_then(|engine| Some((engine.answer()?, engine.ground()))) {
                Some((answer, ground)) => read(&answer, ground),
                None => Err(Error::runtime("this model is gone: the search went on")),
            }
        })
    }

    /// Reads what grounding has found.
    pub(super) fn ground<T>(&self, read: impl FnOnce(Ground<'_>) -> Result<T>) -> Result<T> {
        self.with_dependent(|_, engine| match engine {
            Some(engine) => read(engine.ground()),
            None => Err(Error::runtime("the control cannot be read: the assumptions contradict facts")),
        })
    }

    /// Adds a clause for the rest of the call.
    pub(super) fn add_clause(&mut self, clause: &[Literal]) -> bool {
        self.with_dependent_mut(|_, engine| engine.as_mut().is_some_and(|engine| engine.add_clause(clause)))
    }

    pub(super) fn step(&mut self) -> std::result::Result<Step, ControlError> {
        self.with_dependent_mut(|_, engine| {
            let Some(engine) = engine else { return Ok(Step::Over) };
            Ok(match engine.next_event()? {
                Some(Event::Model(model)) => Step::Model(model.number),
                Some(Event::LowerBound(bounds)) => Step::Bounds(bounds.to_vec()),
                Some(Event::Optimum) => Step::Optimum,
                None => Step::Over,
            })
        })
    }

    /// Begins a search; without options it is over.
    pub(super) fn begin(
        control: Box<Control>,
        prepared: Option<(SolveOptions, Vec<Literal>)>,
    ) -> std::result::Result<Self, (Box<Control>, ControlError)> {
        Self::try_new_or_recover(MutBorrow::new(control), |control| {
            let Some((options, literals)) = prepared else { return Ok(None) };
            control.borrow_mut().start_with(&options, &literals).map(Some)
        })
        .map_err(|(control, error)| (control.into_inner(), error))
    }

    /// Ends it: its result, whether there are external atoms with fixed values, and the control.
    pub(super) fn end(mut self) -> (SolveResult, bool, Box<Control>) {
        let mut open_externals = false;
        let result = self.with_dependent_mut(|_, engine| {
            engine.take().map(|engine| {
                open_externals = has_open_externals(engine.ground().program());
                engine.finish()
            })
        });
        let refuted = SolveResult { exhausted: true, ..SolveResult::default() };
        (result.unwrap_or(refuted), open_externals, self.into_owner().into_inner())
    }
}
