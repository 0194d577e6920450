//! Stop requests: a shared flag that every phase polls.
//!
//! Invariant: the first reason to arrive stays; polling is one relaxed load.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// Why a run was asked to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum StopReason {
    /// A signal or a call from another thread.
    Interrupted = 1,
    /// The time limit passed.
    TimeLimit = 2,
    /// The memory limit passed.
    MemoryLimit = 3,
    /// A limit on grounding or search steps passed.
    StepLimit = 4,
}

/// A handle to the shared stop flag; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicU8>);

impl Interrupt {
    /// A flag that nobody has raised.
    pub fn new() -> Self {
        Self::default()
    }
    /// Raises the flag; a reason that is already there stays.
    pub fn stop(&self, reason: StopReason) {
        let _ = self.0.compare_exchange(0, reason as u8, Ordering::Relaxed, Ordering::Relaxed);
    }
    /// The reason to stop, if there is one.
    #[inline]
    pub fn poll(&self) -> Option<StopReason> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(StopReason::Interrupted),
            2 => Some(StopReason::TimeLimit),
            3 => Some(StopReason::MemoryLimit),
            _ => Some(StopReason::StepLimit),
        }
    }
    /// Lowers the flag, for the next call of a multi-shot run.
    pub fn reset(&self) {
        self.0.store(0, Ordering::Relaxed);
    }
}
