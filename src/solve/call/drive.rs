//! Driving a call: the steps that a driver takes, and what each of them reports.
//!
//! Invariant: a model stays in place until the next step; nothing is copied for one that the engine's assignment shows.

use crate::solve::call::SolveCall;
use crate::solve::call::tally::{Answer, Place};
use crate::solve::event::{Atoms, Control, Event, Model};
use crate::solve::options::OptMode;

/// What a driver came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Milestone {
    /// A model is in place.
    Model,
    /// The last costs are proven optimal.
    Optimum,
    /// A lower bound on the costs was proven.
    LowerBound,
    /// A limit or an interrupt stopped the search. The next step goes on where it was.
    Stopped,
    /// Nothing is left to do.
    Done,
}

/// What searches for one kind of answers, step by step.
pub(crate) trait Driver {
    /// Goes on to the next thing to report. Not to be called again after [`Milestone::Done`].
    fn next(&mut self, call: &mut SolveCall<'_>) -> Milestone;
    /// Nobody wants to hear more.
    fn halt(&mut self, _call: &mut SolveCall<'_>) {}
}

impl SolveCall<'_> {
    /// Reports everything that a driver comes to, until nothing is left or the receiver has enough.
    pub(crate) fn drive(&mut self, driver: &mut impl Driver, on_event: &mut dyn FnMut(Event<'_>) -> Control) {
        loop {
            let step = driver.next(self);
            let Some(event) = self.event(step) else { return };
            if on_event(event) == Control::Stop {
                return driver.halt(self);
            }
        }
    }

    /// What a step reports; nothing if the search is at an end.
    #[inline]
    pub(crate) fn event(&self, step: Milestone) -> Option<Event<'_>> {
        match step {
            Milestone::Model => Some(Event::Model(self.model())),
            Milestone::Optimum => Some(Event::Optimum),
            Milestone::LowerBound => Some(Event::LowerBound(&self.result.lower_bounds)),
            Milestone::Stopped | Milestone::Done => None,
        }
    }

    /// Notes that the engine holds a model.
    #[inline]
    pub(crate) fn note_model(&mut self, optimal: bool) {
        // Most models follow others: nothing is dropped then.
        if !matches!(self.answer.place, Place::Engine) {
            self.answer.place = Place::Engine;
        }
        self.count_model(optimal);
    }

    /// Notes a model that was found elsewhere.
    pub(crate) fn note_model_at(&mut self, place: Place, optimal: bool) {
        self.answer.place = place;
        self.count_model(optimal);
    }

    #[inline]
    fn count_model(&mut self, optimal: bool) {
        self.tally.note(&mut self.result, self.t.engine.steps());
        self.answer.optimal = optimal;
        self.result.optimal_models += u64::from(optimal);
        if self.shows_costs() && self.result.costs.as_ref().is_none_or(|c| self.costs <= *c) {
            self.result.costs = Some(self.costs.clone());
        }
    }

    /// Notes consequences. Another model may follow that sums up more, so they are never called optimal.
    pub(crate) fn note_consequences(&mut self, place: Place, optimum_known: bool) {
        self.tally.note(&mut self.result, self.t.engine.steps());
        self.result.optimal_models += u64::from(optimum_known);
        self.answer = Answer { place, optimal: false };
    }

    /// Models are numbered anew.
    pub(crate) fn count_anew(&mut self) {
        self.tally.number = 0;
    }

    #[inline]
    fn shows_costs(&self) -> bool {
        self.options.opt_mode != OptMode::Ignore && !self.costs.is_empty()
    }

    /// The last model.
    #[inline]
    pub(crate) fn model(&self) -> Model<'_> {
        let (atoms, shown, consequences): (_, &[bool], _) = match &self.answer.place {
            Place::Engine => {
                let (literals, values) = (self.t.atoms.as_slice(), self.t.engine.values());
                (Atoms::Assigned { literals, values }, &[], None)
            }
            Place::Listed(atoms) => (Atoms::Listed(atoms), &[], None),
            Place::Packed(words) => (Atoms::Packed(words), &[], None),
            Place::Consequences { atoms, shown, bounds } => (Atoms::Listed(atoms), shown, Some(*bounds)),
        };
        Model {
            number: self.tally.number,
            atoms,
            shown,
            costs: if self.shows_costs() { &self.costs } else { &[] },
            optimal: self.answer.optimal,
            consequences,
            found: self.tally.last_model,
        }
    }
}
