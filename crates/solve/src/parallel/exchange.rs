//! Communication of competing threads: short clauses, models with their costs, and when to start and stop.
//!
//! Each thread works in turns of a fixed number of steps, and publishes its findings at the end of each. Then it takes what
//! others published some turns before, and waits for those that are not that far: so runs repeat exactly, and threads seldom
//! wait. A helper begins some turns after it was called, since it has to translate first. A clause is shared only if all its
//! variables belong to the translation, or to the constraints that break symmetries, which every thread numbers alike. All other
//! additions of a call are guarded or define new variables, so a clause without these follows from the program. Invariant: what
//! a thread takes is decided by turns alone; a thread never receives its own clauses. Source: Hamadi, Jabbour, Piette and Sais,
//! *Deterministic parallel DPLL*, JSAT 2011; Gebser, Kaufmann and Schaub, *Multi-threaded ASP solving with clasp*, TPLP 2012.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::event::SolveResult;
use crate::optimize::best::{CostedModel, SharedBest};
use crate::statistics::Statistics;
use asp_base::interrupt::{Interrupt, StopReason};
use asp_engine::exchange::{Clauses, Partners};
use asp_engine::parameters::Topology;

/// Steps of a turn, about a millisecond; fewer in tests, whose programs are small.
pub(crate) const TURN: u64 = if cfg!(test) { 200 } else { 40_000 };
/// After how many turns others see what was laid out.
const LAG: u64 = 4;
/// How often a thread that waits asks whether the call has been stopped.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Whether the helping threads are needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Need {
    NotYet,
    Yes,
    NoMore,
}

/// The published findings of one thread, and its progress.
#[derive(Debug, Default)]
struct Seat {
    /// The last turn that has ended; `None`: nobody waits for this thread.
    turn: Option<u64>,
    /// The turn until which others' findings were taken.
    taken: u64,
    clauses: VecDeque<(u64, Clauses)>,
    /// The best model since the last turn.
    found: Option<CostedModel>,
    models: VecDeque<(u64, CostedModel)>,
    result: Option<(u64, SolveResult)>,
    statistics: Option<Statistics>,
}

#[derive(Debug)]
struct State {
    need: Need,
    seats: Vec<Seat>,
    /// The result of the helper that ends the call.
    winner: Option<SolveResult>,
}

/// Shared by the threads of one call.
#[derive(Debug)]
pub(crate) struct Exchange {
    topology: Topology,
    state: Mutex<State>,
    changed: Condvar,
}

impl Exchange {
    pub(crate) fn new(threads: usize, topology: Topology) -> Self {
        let mut seats: Vec<Seat> = (0..threads).map(|_| Seat::default()).collect();
        seats[0].turn = Some(0);
        let state = Mutex::new(State { need: Need::NotYet, seats, winner: None });
        Self { topology, state, changed: Condvar::new() }
    }
    fn lock(&self) -> MutexGuard<'_, State> {
        // The data is consistent even if a thread panicked while holding the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// Starts the helpers, which are not waited for until a turn.
    pub(crate) fn start(&self, turn: u64) {
        let mut state = self.lock();
        if state.need == Need::NotYet {
            state.need = Need::Yes;
            state.seats[1..].iter_mut().for_each(|seat| seat.turn = Some(turn));
        }
        self.changed.notify_all();
    }
    /// Ends the call.
    pub(crate) fn end(&self) {
        self.lock().need = Need::NoMore;
        self.changed.notify_all();
    }
    /// Waits until helpers are needed, and returns the turn at which one begins; `None`: they are not needed.
    pub(crate) fn wait(&self, thread: usize) -> Option<u64> {
        let mut state = self.lock();
        while state.need == Need::NotYet {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.need == Need::Yes { state.seats[thread].turn } else { None }
    }
    /// Keeps a model that is better than all before, to be published at the end of the thread's turn.
    pub(crate) fn offer(&self, thread: usize, model: CostedModel) {
        self.lock().seats[thread].found = Some(model);
    }
    /// Records that a helper has finished in a turn.
    pub(crate) fn finish(&self, thread: usize, turn: u64, result: SolveResult) {
        let mut state = self.lock();
        let seat = &mut state.seats[thread];
        seat.lay_out(turn, Clauses::default());
        seat.result = Some((turn, result));
    }
    /// Ends a helper's work with a model to be reported, which freezes the helper's state; waits for the end of the call.
    pub(crate) fn hold(&self, thread: usize) {
        let mut state = self.lock();
        let seat = &mut state.seats[thread];
        let turn = seat.turn.map_or(0, |turn| turn + 1);
        seat.lay_out(turn, Clauses::default());
        seat.result = Some((turn, SolveResult { satisfiable: true, models: 1, ..SolveResult::default() }));
        self.changed.notify_all();
        while state.need == Need::Yes {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
    /// Nobody is to wait for a thread any more.
    fn leave(&self, thread: usize) {
        let seat = &mut self.lock().seats[thread];
        (seat.turn, seat.taken) = (None, u64::MAX);
        self.changed.notify_all();
    }
    /// Keeps a helper's counters.
    pub(crate) fn count(&self, thread: usize, statistics: Statistics) {
        self.lock().seats[thread].statistics = Some(statistics);
    }
    pub(crate) fn helpers(&self) -> Vec<Statistics> {
        self.lock().seats.iter_mut().filter_map(|seat| seat.statistics.take()).collect()
    }
    /// The result of the helper that has ended the call.
    pub(crate) fn winner(&self) -> Option<SolveResult> {
        self.lock().winner.take()
    }
    /// Whether a thread takes clauses of another one.
    fn reaches(&self, one: usize, other: usize, threads: usize) -> bool {
        let differs = one ^ other;
        match self.topology {
            Topology::All => true,
            Topology::Ring => (one + 1) % threads == other || (other + 1) % threads == one,
            Topology::Cube => differs.is_power_of_two(),
            Topology::CubeAcross => differs.is_power_of_two() || differs == threads.next_power_of_two() - 1,
        }
    }
}

impl Seat {
    /// Lays out what was found until the end of a turn.
    fn lay_out(&mut self, turn: u64, clauses: Clauses) {
        self.turn = Some(turn);
        self.models.extend(self.found.take().map(|model| (turn, model)));
        if !clauses.is_empty() {
            self.clauses.push_back((turn, clauses));
        }
    }
    /// Forgets what all others have taken.
    fn forget(&mut self, turn: u64) {
        self.clauses.drain(..self.clauses.partition_point(|clauses| clauses.0 <= turn));
        self.models.drain(..self.models.partition_point(|model| model.0 <= turn));
    }
}

/// Leaves a thread's seat at the end of its work, whatever ends it.
pub(crate) struct Leave<'a>(pub(crate) &'a Exchange, pub(crate) usize);

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        self.0.leave(self.1);
    }
}

/// A thread's place among the others.
pub(crate) struct Place {
    pub(crate) exchange: Arc<Exchange>,
    pub(crate) thread: usize,
    /// The number of the thread's first turn.
    pub(crate) first: u64,
    /// The models of others that the thread has seen.
    pub(crate) best: Arc<SharedBest>,
    pub(crate) interrupt: Interrupt,
    /// In the main thread: the turn at which helpers are called, and the one at which they begin.
    pub(crate) call: Option<(u64, u64)>,
}

impl Partners for Place {
    fn exchange(&mut self, turn: u64, clauses: Clauses) -> Clauses {
        let turn = self.first + turn;
        if let Some((call, begin)) = self.call.take_if(|call| turn >= call.0) {
            self.exchange.start(turn - call + begin);
        }
        let mut state = self.exchange.lock();
        state.seats[self.thread].lay_out(turn, clauses);
        self.exchange.changed.notify_all();
        let due = turn.saturating_sub(LAG);
        loop {
            if self.interrupt.poll().is_some() {
                return Clauses::default();
            }
            if state.seats.iter().all(|seat| seat.turn.is_none_or(|turn| turn >= due)) {
                break;
            }
            let waited = self.exchange.changed.wait_timeout(state, POLL_INTERVAL);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        self.take(&mut state, due)
    }
}

impl Place {
    /// Takes what others have laid out until a turn.
    fn take(&self, state: &mut State, due: u64) -> Clauses {
        let mut taken = Clauses::default();
        let threads = state.seats.len();
        let after = std::mem::replace(&mut state.seats[self.thread].taken, due);
        let mut winner: Option<(u64, usize)> = None;
        for (other, seat) in state.seats.iter().enumerate().filter(|&(other, _)| other != self.thread) {
            for (_, model) in seat.models.iter().filter(|m| m.0 > after && m.0 <= due) {
                self.best.offer(model);
            }
            if self.exchange.reaches(self.thread, other, threads) {
                for (_, clauses) in seat.clauses.iter().filter(|c| c.0 > after && c.0 <= due) {
                    taken.extend(clauses);
                }
            }
            if let Some((turn, _)) = seat.result.as_ref().filter(|result| result.0 <= due) {
                winner = Some(winner.map_or((*turn, other), |w| w.min((*turn, other))));
            }
        }
        let all = state.seats.iter().map(|seat| seat.taken).min().unwrap_or(0);
        state.seats.iter_mut().for_each(|seat| seat.forget(all));
        if let Some((_, other)) = winner.filter(|_| self.thread == 0) {
            state.winner = state.seats[other].result.take().map(|result| result.1);
            self.interrupt.stop(StopReason::Interrupted);
        }
        taken
    }
}
