//! Driving a call: the steps of a driver, and what each step reports.
//!
//! Invariant: a model stays in place until the next step; a model in the engine's assignment is not copied.

use crate::call::SolveCall;
use crate::call::tally::{Answer, ModelPlace};
use crate::event::{Atoms, Event, Flow, Model};
use crate::options::OptMode;

/// The result of a driver's step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Milestone {
    /// A model is in place.
    Model,
    /// The last costs are proven optimal.
    Optimum,
    /// A lower bound on the costs was proven.
    LowerBound,
    /// A limit or an interrupt stopped the search. The next step continues where it was.
    Stopped,
    /// Nothing is left to do.
    Done,
}

/// Searches for one kind of answers, step by step.
pub(crate) trait Driver {
    /// Continues up to the next thing to report. Must not be called again after [`Milestone::Done`].
    fn next(&mut self, call: &mut SolveCall<'_>) -> Milestone;
    /// To be called when no more is wanted.
    fn halt(&mut self, _call: &mut SolveCall<'_>) {}
}

impl SolveCall<'_> {
    /// Reports everything that a driver finds, until nothing is left or the receiver stops it.
    pub(crate) fn drive(&mut self, driver: &mut impl Driver, on_event: &mut dyn FnMut(Event<'_>) -> Flow) {
        loop {
            let step = driver.next(self);
            let Some(event) = self.event(step) else { return };
            let answer = on_event(event);
            if answer == Flow::Stop || self.ends_with(step) {
                return driver.halt(self);
            }
            self.found.only_counts = answer == Flow::Count;
        }
    }

    /// Whether a step is the last one because the costs are good enough, or proven close enough to the optimum.
    pub(crate) fn ends_with(&mut self, step: Milestone) -> bool {
        if matches!(step, Milestone::Model | Milestone::LowerBound) && self.is_close() {
            self.result.is_close = true;
        }
        self.result.is_close || self.is_good_enough(step)
    }

    /// Whether the costs are proven close enough to the optimum. Levels after those with a bound cost at least the sum of their
    /// negative weights.
    fn is_close(&self) -> bool {
        let gap = self.options.opt_gap;
        let Some(costs) = self.result.costs.as_ref().filter(|_| gap.is_wanted() && self.optimises()) else {
            return false;
        };
        let lower = |level: usize| match self.result.lower_bounds.get(level) {
            Some(&lower) => lower,
            None => self.least_costs(level),
        };
        let mut levels = costs.iter().enumerate().map(|(level, &cost)| (lower(level), cost));
        // If there is none, the optimum is about to be reported.
        levels.find(|(lower, cost)| lower != cost).is_some_and(|(lower, cost)| gap.admits(lower, cost))
    }

    /// Whether a step has left a model in place at which an optimisation is to stop: costs are compared level by level.
    fn is_good_enough(&self, step: Milestone) -> bool {
        let bounds = &self.options.opt_stop;
        if step != Milestone::Model || bounds.is_empty() || !self.optimises() {
            return false;
        }
        let first = self.costs.iter().zip(bounds).find(|(cost, bound)| cost != bound);
        first.is_none_or(|(cost, bound)| cost < bound)
    }

    /// The report of a step; `None` if the search has ended.
    #[inline]
    pub(crate) fn event(&self, step: Milestone) -> Option<Event<'_>> {
        match step {
            Milestone::Model => Some(Event::Model(self.model())),
            Milestone::Optimum => Some(Event::Optimum),
            Milestone::LowerBound => Some(Event::LowerBound(&self.result.lower_bounds)),
            Milestone::Stopped | Milestone::Done => None,
        }
    }

    /// Records that the engine holds a model.
    #[inline]
    pub(crate) fn note_model(&mut self, optimal: bool) {
        // Most models follow others in the engine: then nothing needs to be dropped.
        if !matches!(self.found.answer.place, ModelPlace::Engine) {
            self.found.answer.place = ModelPlace::Engine;
        }
        self.count_model(optimal);
    }

    /// Records a model that was found elsewhere.
    pub(crate) fn note_model_at(&mut self, place: ModelPlace, optimal: bool) {
        self.found.answer.place = place;
        self.count_model(optimal);
    }

    #[inline]
    fn count_model(&mut self, optimal: bool) {
        self.found.tally.note(&mut self.result, self.t.engine.steps());
        self.found.answer.optimal = optimal;
        self.result.optimal_models += u64::from(optimal);
        if self.shows_costs() && self.result.costs.as_ref().is_none_or(|c| self.costs <= *c) {
            self.result.costs = Some(self.costs.clone());
        }
    }

    /// Counts models that the engine has passed over since the last one.
    pub(crate) fn note_passed(&mut self, models: u64) {
        self.found.tally.number += models;
        self.result.models += models;
    }

    /// Records consequences. Another model may still change them, so they are never called optimal.
    pub(crate) fn note_consequences(&mut self, place: ModelPlace, optimum_known: bool) {
        self.found.tally.note(&mut self.result, self.t.engine.steps());
        self.result.optimal_models += u64::from(optimum_known);
        self.found.answer = Answer { place, optimal: false };
    }

    /// Restarts the numbering of models.
    pub(crate) fn count_anew(&mut self) {
        self.found.tally.number = 0;
    }

    #[inline]
    fn shows_costs(&self) -> bool {
        self.options.opt_mode != OptMode::Ignore && !self.costs.is_empty()
    }

    /// The last model.
    #[inline]
    pub(crate) fn model(&self) -> Model<'_> {
        let (mut shown, mut ranges, mut consequences): (&[bool], &[_], _) = (&[], &[], None);
        let atoms = match &self.found.answer.place {
            ModelPlace::Engine => {
                let (literals, values) = (self.t.atoms.as_slice(), self.t.engine.values());
                Atoms::Assigned { literals, values }
            }
            ModelPlace::Listed(atoms) => Atoms::Listed(atoms),
            ModelPlace::Packed(words) => Atoms::Packed(words),
            ModelPlace::Consequences { atoms, shown: entries, ranges: values, bounds } => {
                (shown, ranges, consequences) = (entries, values, Some(*bounds));
                Atoms::Listed(atoms)
            }
        };
        Model {
            number: self.found.tally.number,
            atoms,
            shown,
            ranges,
            costs: if self.shows_costs() { &self.costs } else { &[] },
            optimal: self.found.answer.optimal,
            consequences,
            found: self.found.tally.last_model,
        }
    }
}
