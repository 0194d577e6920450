//! The thread that looks after runs: it has them ask for signals now and then, and ends them at their limits.
//!
//! Invariant: it exists only while something runs, and a little longer, so that many short runs share it.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use asp::{Interrupt, StopReason};

/// How often a run is to look for signals.
const PULSE: Duration = Duration::from_millis(20);
/// How long the thread waits for another run.
const IDLE: Duration = Duration::from_millis(500);

struct Run {
    interrupt: Interrupt,
    asks: bool,
    deadline: Option<Instant>,
}

struct State {
    runs: BTreeMap<u64, Run>,
    next: u64,
    /// The process whose thread looks after them, 0 for none: a fork has none.
    process: u32,
    /// When the thread looks again.
    wakes: Option<Instant>,
}

static STATE: Mutex<State> = Mutex::new(State { runs: BTreeMap::new(), next: 0, process: 0, wakes: None });
static CHANGED: Condvar = Condvar::new();

/// Something that runs. It is over when this is dropped.
pub(crate) struct Watched(u64);

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Looks after a run from now on: with `asks` it is to ask its question now and then.
pub(crate) fn watch(interrupt: &Interrupt, asks: bool, deadline: Option<Instant>) -> Option<Watched> {
    if !asks && deadline.is_none() {
        return None;
    }
    let mut state = state();
    let process = std::process::id();
    if state.process != process {
        // Runs of a process that this one was forked from are not here.
        (state.process, state.wakes) = (process, None);
        state.runs.clear();
        std::thread::spawn(look_after);
    }
    let id = state.next;
    state.next += 1;
    state.runs.insert(id, Run { interrupt: interrupt.clone(), asks, deadline });
    let soon = Instant::now() + PULSE;
    let first = deadline.map_or(soon, |d| d.min(soon));
    if state.wakes.is_some_and(|wakes| wakes > first) {
        CHANGED.notify_one();
    }
    Some(Watched(id))
}

impl Drop for Watched {
    fn drop(&mut self) {
        state().runs.remove(&self.0);
    }
}

fn look_after() {
    let mut state = state();
    let mut last = Instant::now();
    loop {
        let now = Instant::now();
        if !state.runs.is_empty() {
            last = now;
        } else if now > last + IDLE {
            (state.process, state.wakes) = (0, None);
            return;
        }
        let pulse = if state.runs.is_empty() { IDLE / 10 } else { PULSE };
        let mut wakes = now + pulse;
        for run in state.runs.values() {
            match run.deadline {
                Some(deadline) if deadline <= now => run.interrupt.stop(StopReason::TimeLimit),
                Some(deadline) => wakes = wakes.min(deadline),
                None => {}
            }
            if run.asks {
                run.interrupt.ask();
            }
        }
        state.wakes = Some(wakes);
        let wait = wakes.saturating_duration_since(now);
        state = CHANGED.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner).0;
    }
}
