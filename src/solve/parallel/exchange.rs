//! Communication of competing threads: short clauses, the best model, and when to start and stop.
//!
//! A clause is shared only if all its variables belong to the translation, which every thread numbers alike. What is
//! added for a call is guarded or defines new variables, so a clause without these follows from the program. Invariant:
//! a thread never receives its own clauses; the best model only gets better.
//! Source: Hamadi, Jabbour and Sais, *ManySAT: a parallel SAT solver*, JSAT 2009; Gebser, Kaufmann and Schaub,
//! *Multi-threaded ASP solving with clasp*, TPLP 2012.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

use crate::solve::engine::exchange::{Inboxes, lock};
use crate::solve::event::SolveResult;
use crate::solve::optimize::best::SharedBest;
use crate::solve::statistics::Statistics;

/// Whether the helping threads are needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Need {
    NotYet,
    Yes,
    NoMore,
}

/// Shared by the threads of one call.
#[derive(Debug)]
pub(crate) struct Exchange {
    /// Learned clauses to be received.
    pub(crate) inboxes: Arc<Inboxes>,
    /// The best model.
    pub(crate) best: Arc<SharedBest>,
    /// The result of the first helper to finish.
    winner: Mutex<Option<SolveResult>>,
    /// The helpers' counters.
    helpers: Mutex<Vec<Statistics>>,
    need: Mutex<Need>,
    changed: Condvar,
}

impl Exchange {
    pub(crate) fn new(threads: usize) -> Self {
        Self {
            inboxes: Arc::new(Inboxes::new(threads)),
            best: Arc::default(),
            winner: Mutex::default(),
            helpers: Mutex::default(),
            need: Mutex::new(Need::NotYet),
            changed: Condvar::new(),
        }
    }
    fn set_need(&self, to: Need) {
        let mut need = lock(&self.need);
        if *need != Need::NoMore {
            *need = to;
        }
        self.changed.notify_all();
    }
    /// Starts the helpers.
    pub(crate) fn start(&self) {
        self.set_need(Need::Yes);
    }
    /// Ends the call.
    pub(crate) fn end(&self) {
        self.set_need(Need::NoMore);
    }
    /// Waits until helpers are needed; `false`: they are not needed.
    pub(crate) fn wait(&self) -> bool {
        let mut need = lock(&self.need);
        while *need == Need::NotYet {
            need = self.changed.wait(need).unwrap_or_else(PoisonError::into_inner);
        }
        *need == Need::Yes
    }
    /// Records that a helper has finished; returns whether it is the first.
    pub(crate) fn finish(&self, result: SolveResult) -> bool {
        let mut winner = lock(&self.winner);
        let first = winner.is_none();
        if first {
            *winner = Some(result);
        }
        first
    }
    /// Adds a helper's counters.
    pub(crate) fn leave(&self, statistics: Statistics) {
        lock(&self.helpers).push(statistics);
    }
    /// The helpers' counters.
    pub(crate) fn helpers(&self) -> Vec<Statistics> {
        std::mem::take(&mut *lock(&self.helpers))
    }
    /// The result of the first helper to finish.
    pub(crate) fn winner(&self) -> Option<SolveResult> {
        lock(&self.winner).take()
    }
}
