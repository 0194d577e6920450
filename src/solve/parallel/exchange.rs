//! What parallel threads tell each other: short clauses, the best model, and when to start and stop.
//!
//! A clause is shared only if all of its variables are those of the translation, which every thread numbers alike; what
//! is added for a call stands under guards or defines new variables, so a clause without them follows from the program.
//! Invariant: a thread never reads its own clauses; the best model only gets better.
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
    /// Learned clauses on their way.
    pub(crate) inboxes: Arc<Inboxes>,
    /// The best model.
    pub(crate) best: Arc<SharedBest>,
    /// The result of the first helper that came to an end.
    winner: Mutex<Option<SolveResult>>,
    /// What the helpers counted.
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
    /// The call is worth the helpers' work.
    pub(crate) fn start(&self) {
        self.set_need(Need::Yes);
    }
    /// The call is over.
    pub(crate) fn end(&self) {
        self.set_need(Need::NoMore);
    }
    /// Waits until the helpers are needed; `false`: they never are.
    pub(crate) fn wait(&self) -> bool {
        let mut need = lock(&self.need);
        while *need == Need::NotYet {
            need = self.changed.wait(need).unwrap_or_else(PoisonError::into_inner);
        }
        *need == Need::Yes
    }
    /// A helper came to an end. Whether it is the first one.
    pub(crate) fn finish(&self, result: SolveResult) -> bool {
        let mut winner = lock(&self.winner);
        let first = winner.is_none();
        if first {
            *winner = Some(result);
        }
        first
    }
    /// A helper leaves what it counted.
    pub(crate) fn leave(&self, statistics: Statistics) {
        lock(&self.helpers).push(statistics);
    }
    /// What the helpers counted.
    pub(crate) fn helpers(&self) -> Vec<Statistics> {
        std::mem::take(&mut *lock(&self.helpers))
    }
    /// The result of the first helper to come to an end.
    pub(crate) fn winner(&self) -> Option<SolveResult> {
        lock(&self.winner).take()
    }
}
