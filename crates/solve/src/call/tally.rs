//! The findings of a call: the place of the last model, and the counts and times of all.

use std::time::Instant;

use crate::event::SolveResult;

/// Where the last model is.
#[derive(Debug, Default)]
pub(crate) enum ModelPlace {
    /// In the engine's assignment.
    #[default]
    Engine,
    /// By atom.
    Listed(Vec<bool>),
    /// A bit for each atom.
    Packed(Vec<u64>),
    /// Consequences: by atom and by show entry, the values of variables with digits, and how many shown things are decided
    /// and open.
    Consequences { atoms: Vec<bool>, shown: Vec<bool>, ranges: Vec<Option<(i64, i64)>>, bounds: (u64, u64) },
}

/// The last model and the tally of all.
#[derive(Debug)]
pub(crate) struct Found {
    pub(super) answer: Answer,
    pub(super) tally: Tally,
    /// Whether models that follow the last one need only be counted.
    pub(super) only_counts: bool,
}

impl Found {
    /// Nothing yet, for a call that began at a time.
    pub(super) fn new(start: Instant) -> Self {
        Self { answer: Answer::default(), tally: Tally::new(start), only_counts: false }
    }
}

/// The last model.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    pub(super) place: ModelPlace,
    pub(super) optimal: bool,
}

/// Counts and times of a call's models.
#[derive(Debug)]
pub(crate) struct Tally {
    /// Number of the last model in its phase.
    pub(super) number: u64,
    start: Instant,
    pub(super) last_model: Instant,
    /// Models and engine steps at which the clock is read again.
    clock: (u64, u64),
}

impl Tally {
    /// The tally before the first model.
    pub(crate) fn new(start: Instant) -> Self {
        Self { number: 0, start, last_model: start, clock: (0, 0) }
    }

    /// Records the times of a finished call.
    pub(crate) fn close(&self, result: &mut SolveResult) {
        let now = Instant::now();
        result.time.total = (now - self.start).as_secs_f64();
        if result.exhausted {
            result.time.unsat = (now - self.last_model).as_secs_f64();
        }
    }

    /// Counts a model. The clock is read only if there was some work since the last time: in enumerations reading it
    /// takes longer than finding a model.
    #[inline]
    pub(super) fn note(&mut self, result: &mut SolveResult, steps: u64) {
        self.number += 1;
        if result.models >= self.clock.0 || steps >= self.clock.1 {
            self.last_model = Instant::now();
            self.clock = (result.models + 32, steps + 1000);
        }
        if !result.satisfiable {
            result.time.first_model = (self.last_model - self.start).as_secs_f64();
        }
        result.satisfiable = true;
        result.models += 1;
    }
}
