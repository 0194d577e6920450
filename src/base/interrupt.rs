//! Stop requests: a shared flag that every phase polls, with progress counters for whoever watches the run.
//!
//! Invariant: the first reason to arrive stays; polling is one relaxed load; no stage reads the counters.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

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

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StopReason::Interrupted => "interrupted",
            StopReason::TimeLimit => "the time limit has passed",
            StopReason::MemoryLimit => "the memory limit has passed",
            StopReason::StepLimit => "the limit on steps has passed",
        })
    }
}

/// A handle to the shared stop flag; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<State>);

#[derive(Debug, Default)]
struct State {
    reason: AtomicU8,
    instances: AtomicU64,
    conflicts: AtomicU64,
    parent: Option<Interrupt>,
}

impl Interrupt {
    /// A flag that nobody has raised.
    pub fn new() -> Self {
        Self::default()
    }
    /// A separate flag that is raised when this one is; conflicts noted there are counted here, too.
    pub fn child(&self) -> Self {
        Self(Arc::new(State { parent: Some(self.clone()), ..State::default() }))
    }
    /// Raises the flag; a reason that is already there stays.
    pub fn stop(&self, reason: StopReason) {
        let _ = self.0.reason.compare_exchange(0, reason as u8, Ordering::Relaxed, Ordering::Relaxed);
    }
    /// The reason to stop, if there is one.
    #[inline]
    pub fn poll(&self) -> Option<StopReason> {
        match self.0.reason.load(Ordering::Relaxed) {
            0 => self.0.parent.as_ref().and_then(Interrupt::poll),
            1 => Some(StopReason::Interrupted),
            2 => Some(StopReason::TimeLimit),
            3 => Some(StopReason::MemoryLimit),
            _ => Some(StopReason::StepLimit),
        }
    }
    /// Lowers the flag, for the next call of a multi-shot run.
    pub fn reset(&self) {
        self.0.reason.store(0, Ordering::Relaxed);
    }
    /// Records the number of ground instances so far.
    #[inline]
    pub fn note_instances(&self, instances: u64) {
        self.0.instances.store(instances, Ordering::Relaxed);
    }
    /// Records the number of conflicts so far.
    #[inline]
    pub fn note_conflicts(&self, conflicts: u64) {
        self.0.conflicts.store(conflicts, Ordering::Relaxed);
        if let Some(parent) = &self.0.parent {
            parent.note_conflicts(conflicts);
        }
    }
    /// Ground instances and conflicts so far.
    pub fn noted(&self) -> (u64, u64) {
        (self.0.instances.load(Ordering::Relaxed), self.0.conflicts.load(Ordering::Relaxed))
    }
}
