//! The request of a call, and its progress.
//!
//! Invariant: assumptions are the decisions of the first levels as far as those are open.

use crate::store::literal::Lit;
use asp_base::interrupt::Interrupt;

/// The enumeration in progress.
#[derive(Clone, Debug)]
pub(crate) struct Floor {
    pub(crate) level: u32,
    /// Whether it excludes models, not only conflicts.
    pub(crate) models: bool,
}

/// Models that the search passes over by itself, excluding them as it goes.
#[derive(Debug, Default)]
pub(crate) struct Passing {
    /// How many more it may.
    pub(crate) left: u64,
    /// The steps of the engine after which it passes over none.
    pub(crate) until: u64,
    pub(crate) passed: u64,
}

/// The current or last call.
#[derive(Debug, Default)]
pub(crate) struct Call {
    pub(crate) assumptions: Vec<Lit>,
    /// Assumptions that cannot hold together.
    pub(crate) failed: Vec<Lit>,
    pub(crate) floor: Option<Floor>,
    /// Whether something added between calls contradicts levels that must stay.
    pub(crate) pending_conflict: bool,
    /// The level that a propagator wants the search to go back to.
    pub(crate) jump: Option<u32>,
    /// A propagator has ended the search.
    pub(crate) halted: bool,
    /// Stops long propagation.
    pub(crate) interrupt: Interrupt,
    /// Whether the last call ended with a model.
    pub(crate) after_model: bool,
    pub(crate) passing: Passing,
}

impl Call {
    /// The lowest level that a propagator may jump to: assumptions stay.
    pub(crate) fn base_level(&self) -> u32 {
        self.floor_level().max(self.assumptions.len() as u32)
    }
    /// The level below which nothing may be undone.
    #[inline]
    pub(crate) fn floor_level(&self) -> u32 {
        self.floor.as_ref().map_or(0, |f| f.level)
    }
}
