//! The queue of guiding paths of a multi-threaded enumeration, and the models that helpers found.
//!
//! A path is a list of literals to be assumed; the paths in the queue and those being searched partition the rest of
//! the search space. A thread without work waits; working threads notice that and give away a part of theirs. The
//! enumeration is complete when no thread is working and no path is left. Invariant: each path is taken once; models
//! are reported before the path on which they were found is finished.
//! Source: Gebser, Kaufmann and Schaub, *Multi-threaded ASP solving with clasp*, TPLP 2012.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::statistics::Statistics;
use asp_engine::store::literal::Lit;

/// Batches of models that may wait to be reported before helpers wait, too.
const MAX_BATCHES: usize = 64;

/// Models of a helper, packed.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// By model: a bit for each atom.
    pub(crate) atoms: Vec<u64>,
    /// By model: its costs.
    pub(crate) costs: Vec<i64>,
    /// Number of models.
    pub(crate) models: usize,
}

/// The next task of the main thread, which reports.
pub(crate) enum Next {
    /// A part of the search space.
    Path(Vec<Lit>),
    /// Models to report.
    Models(Vec<Batch>),
    /// None: the enumeration is over. Whether everything was searched.
    Over(bool),
}

#[derive(Debug, Default)]
struct State {
    paths: VecDeque<Vec<Lit>>,
    /// Threads working on a path, and threads waiting for one.
    working: usize,
    waiting: usize,
    batches: Vec<Batch>,
    /// Whether helpers are wanted.
    started: bool,
    /// Whether it was stopped before everything was searched.
    stopped: bool,
    helpers: Vec<Statistics>,
}

impl State {
    fn is_over(&self) -> bool {
        self.stopped || self.working == 0 && self.paths.is_empty()
    }
}

/// Shared by the threads of one enumeration.
#[derive(Debug)]
pub(crate) struct PathQueue {
    state: Mutex<State>,
    changed: Condvar,
    /// Whether more threads wait than there are paths in the queue.
    hungry: AtomicBool,
    /// Whether there are models to report.
    laden: AtomicBool,
}

impl PathQueue {
    /// A queue with the whole search space as its one path.
    pub(crate) fn new() -> Self {
        let state = State { paths: VecDeque::from([Vec::new()]), ..State::default() };
        Self {
            state: Mutex::new(state),
            changed: Condvar::new(),
            hungry: AtomicBool::new(false),
            laden: AtomicBool::new(false),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // The data is consistent even if a thread panicked while holding the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    fn note_hunger(&self, state: &State) {
        self.hungry.store(state.waiting > state.paths.len(), Ordering::Relaxed);
    }

    /// Starts the helpers.
    pub(crate) fn start(&self) {
        self.lock().started = true;
        self.changed.notify_all();
    }

    /// Waits until helpers are wanted; `false`: they are not wanted.
    pub(crate) fn wait_for_start(&self) -> bool {
        let mut state = self.lock();
        while !state.started && !state.stopped {
            state = self.wait(state);
        }
        !state.stopped
    }

    /// Whether some thread waits for a path.
    #[inline]
    pub(crate) fn is_hungry(&self) -> bool {
        self.hungry.load(Ordering::Relaxed)
    }

    /// Whether there are models to report.
    #[inline]
    pub(crate) fn is_laden(&self) -> bool {
        self.laden.load(Ordering::Relaxed)
    }

    /// Gives a path away.
    pub(crate) fn give(&self, path: Vec<Lit>) {
        let mut state = self.lock();
        state.paths.push_back(path);
        self.note_hunger(&state);
        self.changed.notify_all();
    }

    /// Takes a path from the queue; from now on the caller is working on it.
    fn pop(&self, state: &mut State) -> Option<Vec<Lit>> {
        let path = state.paths.pop_front()?;
        state.working += 1;
        self.note_hunger(state);
        Some(path)
    }

    /// Waits until something changes; meanwhile other threads see that a path is wanted.
    fn wait_hungry<'a>(&self, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        state.waiting += 1;
        self.note_hunger(&state);
        let mut state = self.wait(state);
        state.waiting -= 1;
        self.note_hunger(&state);
        state
    }

    /// A path for a helper, as soon as there is one; `None` if there will be none.
    pub(crate) fn take(&self) -> Option<Vec<Lit>> {
        let mut state = self.lock();
        loop {
            if state.is_over() {
                return None;
            }
            let path = self.pop(&mut state);
            if path.is_some() {
                return path;
            }
            state = self.wait_hungry(state);
        }
    }

    /// The next task of the main thread.
    pub(crate) fn next(&self) -> Next {
        let mut state = self.lock();
        loop {
            if !state.batches.is_empty() && !state.stopped {
                return Next::Models(self.unload(&mut state));
            }
            if state.is_over() {
                return Next::Over(!state.stopped);
            }
            if let Some(path) = self.pop(&mut state) {
                return Next::Path(path);
            }
            state = self.wait_hungry(state);
        }
    }

    /// The models to report now.
    pub(crate) fn models(&self) -> Vec<Batch> {
        self.unload(&mut self.lock())
    }

    fn unload(&self, state: &mut State) -> Vec<Batch> {
        self.laden.store(false, Ordering::Relaxed);
        self.changed.notify_all();
        std::mem::take(&mut state.batches)
    }

    /// Queues models to be reported; waits while there are too many.
    pub(crate) fn report(&self, batch: Batch) {
        let mut state = self.lock();
        while state.batches.len() >= MAX_BATCHES && !state.stopped {
            state = self.wait(state);
        }
        state.batches.push(batch);
        self.laden.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Records that a path is finished.
    pub(crate) fn finish_path(&self) {
        self.lock().working -= 1;
        self.changed.notify_all();
    }

    /// Whether only the caller's own path is left.
    pub(crate) fn is_last(&self) -> bool {
        let state = self.lock();
        state.working == 1 && state.paths.is_empty() && state.batches.is_empty() && !state.stopped
    }

    /// Ends the enumeration.
    pub(crate) fn stop(&self) {
        self.lock().stopped = true;
        self.changed.notify_all();
    }

    /// Adds a helper's counters.
    pub(crate) fn leave(&self, statistics: Statistics) {
        self.lock().helpers.push(statistics);
    }

    pub(crate) fn helpers(&self) -> Vec<Statistics> {
        std::mem::take(&mut self.lock().helpers)
    }
}
