//! What parallel threads tell each other: short clauses, the best model, and when to start and stop.
//!
//! A clause is shared only if all of its variables are those of the translation, which every thread numbers alike; what
//! is added for a call stands under guards or defines new variables, so a clause without them follows from the program.
//! Invariant: a thread never reads its own clauses; the best model only gets better.
//! Source: Hamadi, Jabbour and Sais, *ManySAT: a parallel SAT solver*, JSAT 2009; Gebser, Kaufmann and Schaub,
//! *Multi-threaded ASP solving with clasp*, TPLP 2012.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::solve::engine::store::literal::Lit;
use crate::solve::optimize::best::SharedBest;
use crate::solve::{SharingParameters, SolveResult, Statistics, Topology};

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
    /// By thread: clauses for it, each ended by [`Lit::NONE`].
    inboxes: Vec<Mutex<Vec<Lit>>>,
    /// The best model.
    pub(crate) best: Arc<SharedBest>,
    /// The result of the first helper that came to an end.
    winner: Mutex<Option<SolveResult>>,
    /// What the helpers counted.
    helpers: Mutex<Vec<Statistics>>,
    need: Mutex<Need>,
    changed: Condvar,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing is left half-done under a lock.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Exchange {
    pub(crate) fn new(threads: usize) -> Self {
        Self {
            inboxes: (0..threads).map(|_| Mutex::default()).collect(),
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

/// One thread's end of an exchange.
#[derive(Clone, Debug)]
pub(crate) struct Port {
    pub(crate) exchange: Arc<Exchange>,
    pub(crate) thread: usize,
    /// Variables below are the same ones in all threads.
    pub(crate) vars: u32,
    /// Conflicts after which helpers are called for.
    pub(crate) patience: u64,
    /// What is shared.
    pub(crate) sharing: SharingParameters,
}

impl Port {
    /// Sends a clause to the other threads, if it is good and all of them know its variables. Whether it was sent.
    pub(crate) fn send(&self, clause: &[Lit], lbd: u32) -> bool {
        if clause.len() > self.sharing.length
            || lbd > self.sharing.lbd && clause.len() > 2
            || clause.iter().any(|l| l.var().0 >= self.vars)
        {
            return false;
        }
        for (thread, inbox) in self.exchange.inboxes.iter().enumerate() {
            if self.reaches(thread) {
                let mut inbox = lock(inbox);
                inbox.extend_from_slice(clause);
                inbox.push(Lit::NONE);
            }
        }
        true
    }
    /// Whether another thread takes clauses of this one.
    fn reaches(&self, other: usize) -> bool {
        let threads = self.exchange.inboxes.len();
        let differs = self.thread ^ other;
        other != self.thread
            && match self.sharing.topology {
                Topology::All => true,
                Topology::Ring => {
                    (self.thread + 1) % threads == other || (other + 1) % threads == self.thread
                }
                Topology::Cube => differs.is_power_of_two(),
                Topology::CubeAcross => {
                    differs.is_power_of_two() || differs == threads.next_power_of_two() - 1
                }
            }
    }
    /// What the other threads sent.
    pub(crate) fn receive(&self) -> Vec<Lit> {
        std::mem::take(&mut *lock(&self.exchange.inboxes[self.thread]))
    }
}
