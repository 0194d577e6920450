//! Stop requests: a shared flag that every phase polls, with progress counters for whoever watches the run.
//!
//! A flag may also carry a question, whether to go on, which is asked in the thread that runs.
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
    /// A limit on work passed (ground instances, conflicts, restarts), or a slice of a solve call ended, whose driver goes
    /// on.
    StepLimit = 4,
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StopReason::Interrupted => "interrupted",
            StopReason::TimeLimit => "the time limit was reached",
            StopReason::MemoryLimit => "the memory limit was reached",
            StopReason::StepLimit => "the limit on steps was reached",
        })
    }
}

/// A handle to the shared stop flag; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<State>);

/// In place of a reason: the next poll asks the question.
const ASK: u8 = 5;

/// Whether there is a reason to stop; only some thread may be able to tell.
type Question = dyn Fn() -> Answer + Send + Sync;

/// The answer to a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The run goes on.
    GoOn,
    /// The run stops.
    Stop(StopReason),
    /// Another thread is to ask.
    NotHere,
}

#[derive(Default)]
struct State {
    reason: AtomicU8,
    instances: AtomicU64,
    conflicts: AtomicU64,
    parent: Option<Interrupt>,
    question: Option<Box<Question>>,
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State").field("reason", &self.reason).finish_non_exhaustive()
    }
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
    /// Whether both are handles to one flag.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
    /// A flag with a question for the next poll after an [`ask`](Self::ask): for what only the running thread can check,
    /// such as the signals of an interpreter.
    ///
    /// ```
    /// use asp_base::interrupt::{Answer, Interrupt, StopReason};
    /// let interrupt = Interrupt::with_question(|| Answer::Stop(StopReason::Interrupted));
    /// assert_eq!(interrupt.poll(), None);
    /// interrupt.ask();
    /// assert_eq!(interrupt.poll(), Some(StopReason::Interrupted));
    /// ```
    pub fn with_question(question: impl Fn() -> Answer + Send + Sync + 'static) -> Self {
        Self(Arc::new(State { question: Some(Box::new(question)), ..State::default() }))
    }
    /// Raises the flag; a reason that is already there stays.
    pub fn stop(&self, reason: StopReason) {
        for from in [0, ASK] {
            let _ = self.0.reason.compare_exchange(from, reason as u8, Ordering::Relaxed, Ordering::Relaxed);
        }
    }
    /// Has the next poll ask the question.
    pub fn ask(&self) {
        let _ = self.0.reason.compare_exchange(0, ASK, Ordering::Relaxed, Ordering::Relaxed);
    }
    #[cold]
    fn asked(&self) -> Option<StopReason> {
        match self.0.question.as_ref().map_or(Answer::GoOn, |question| question()) {
            Answer::NotHere => None,
            Answer::GoOn => {
                let _ = self.0.reason.compare_exchange(ASK, 0, Ordering::Relaxed, Ordering::Relaxed);
                None
            }
            Answer::Stop(reason) => {
                self.stop(reason);
                self.poll()
            }
        }
    }
    /// The reason to stop, if there is one.
    #[inline]
    pub fn poll(&self) -> Option<StopReason> {
        match self.0.reason.load(Ordering::Relaxed) {
            0 => self.0.parent.as_ref().and_then(Interrupt::poll),
            1 => Some(StopReason::Interrupted),
            2 => Some(StopReason::TimeLimit),
            3 => Some(StopReason::MemoryLimit),
            ASK => self.asked(),
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
