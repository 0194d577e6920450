//! Learned clauses between engines of different threads: each has an inbox, and a port through which it sends to others.
//!
//! Invariant: an engine never receives its own clauses; all variables of a sent clause have the same meaning in all
//! engines.
//! Source: Hamadi, Jabbour and Sais, *ManySAT: a parallel SAT solver*, JSAT 2009.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::solve::engine::parameters::{SharingParameters, Topology};
use crate::solve::engine::store::literal::Lit;

/// Locks a mutex.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // The data is consistent even if a thread panicked while holding the lock.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Clauses for each thread, each ended by [`Lit::NONE`].
#[derive(Debug)]
pub(crate) struct Inboxes(Vec<Mutex<Vec<Lit>>>);

impl Inboxes {
    /// Empty ones.
    pub(crate) fn new(threads: usize) -> Self {
        Self((0..threads).map(|_| Mutex::default()).collect())
    }
}

/// An action to run once, when this many conflicts are reached.
type Alarm = (u64, Box<dyn FnOnce() + Send>);

/// An engine's connection to the others.
pub(crate) struct Port {
    inboxes: Arc<Inboxes>,
    thread: usize,
    /// Variables below this one are the same in all threads.
    vars: u32,
    /// Which clauses are shared.
    pub(crate) sharing: SharingParameters,
    alarm: Option<Alarm>,
}

impl Port {
    /// The port of a thread.
    pub(crate) fn new(inboxes: Arc<Inboxes>, thread: usize, vars: u32, sharing: SharingParameters) -> Self {
        Self { inboxes, thread, vars, sharing, alarm: None }
    }
    /// Calls a function at the first restart after this many conflicts.
    pub(crate) fn with_alarm(self, conflicts: u64, call: impl FnOnce() + Send + 'static) -> Self {
        Self { alarm: Some((conflicts, Box::new(call))), ..self }
    }
    /// Sends a clause to the other threads, if it is good enough and all of them know its variables. Returns whether it
    /// was sent.
    pub(crate) fn send(&self, clause: &[Lit], lbd: u32) -> bool {
        if clause.len() > self.sharing.length
            || lbd > self.sharing.lbd && clause.len() > 2
            || clause.iter().any(|l| l.var().0 >= self.vars)
        {
            return false;
        }
        for (thread, inbox) in self.inboxes.0.iter().enumerate() {
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
        let threads = self.inboxes.0.len();
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
    /// Takes the clauses that other threads have sent. Runs the alarm if it is due.
    pub(crate) fn receive(&mut self, conflicts: u64) -> Vec<Lit> {
        if let Some((_, call)) = self.alarm.take_if(|alarm| conflicts >= alarm.0) {
            call();
        }
        std::mem::take(&mut *lock(&self.inboxes.0[self.thread]))
    }
}
