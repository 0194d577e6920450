//! The watcher: one thread that looks after signals, limits, waiting output and the status line while the main thread
//! works.
//!
//! Invariants: a stop is requested once, through the shared [`Interrupt`]; if the stage at work does not end within
//! [`GRACE`], the watcher prints the summary itself and ends the process, so a run always ends in time, whatever it
//! was doing. A second signal ends the process at once, without a summary.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM, SIGXCPU};
use signal_hook::flag;

use super::shared::Shared;
use crate::base::interrupt::{Interrupt, StopReason};
use crate::report::progress::{DELAY, PERIOD};

/// Time between two looks.
const TICK: Duration = Duration::from_millis(10);
/// Time for a stage to end after a stop was requested.
const GRACE: Duration = Duration::from_millis(120);

/// What to look after.
#[derive(Clone, Debug)]
pub struct Watch {
    /// The start of the run.
    pub start: Instant,
    /// How long it may take.
    pub time_limit: Option<Duration>,
    /// How many bytes it may take.
    pub memory_limit: Option<u64>,
    /// Whether to draw the status line, and how wide it may be.
    pub status: Option<usize>,
}

/// Catches the signals. The flag is up after the first one.
pub fn catch_signals() -> io::Result<Arc<AtomicBool>> {
    let caught = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGXCPU] {
        // In this order: at the first signal the flag is down, so only the second one ends the process.
        flag::register_conditional_shutdown(signal, 1, Arc::clone(&caught))?;
        flag::register(signal, Arc::clone(&caught))?;
    }
    Ok(caught)
}

/// The state, whatever another thread did while it held it.
pub fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn try_lock(shared: &Mutex<Shared>) -> Option<MutexGuard<'_, Shared>> {
    match shared.try_lock() {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// Starts the watcher.
pub fn spawn(
    watch: Watch,
    caught: Arc<AtomicBool>,
    interrupt: Interrupt,
    shared: Arc<Mutex<Shared>>,
) -> io::Result<()> {
    let run = move || watch.run(&caught, &interrupt, &shared);
    std::thread::Builder::new().name("watch".into()).stack_size(256 << 10).spawn(run).map(drop)
}

impl Watch {
    fn run(&self, caught: &AtomicBool, interrupt: &Interrupt, shared: &Mutex<Shared>) {
        let mut last = (self.start, 0u64);
        let mut stopped_at: Option<Instant> = None;
        let mut tick = 0u64;
        loop {
            std::thread::sleep(TICK);
            tick += 1;
            let now = Instant::now();
            if let Some(reason) = self.reason(caught, now, tick) {
                interrupt.stop(reason);
            }
            if stopped_at.is_none() && matches!(interrupt.poll(), Some(r) if r != StopReason::StepLimit) {
                stopped_at = Some(now);
            }
            if stopped_at.is_some_and(|at| now.duration_since(at) > GRACE) {
                finish(interrupt, shared);
            }
            let Some(mut state) = try_lock(shared) else { continue };
            if state.finished {
                return;
            }
            let state = &mut *state;
            if let Some(album) = &mut state.album {
                album.flush_if_waiting(&mut state.out, now);
            }
            state.out.flush_if_due(now);
            let elapsed = now.duration_since(self.start);
            if let Some(width) = self.status.filter(|_| elapsed >= DELAY && stopped_at.is_none()) {
                let since = now.duration_since(last.0);
                if since >= PERIOD {
                    let (instances, conflicts) = interrupt.noted();
                    state.progress.instances = instances;
                    state.progress.conflicts = conflicts;
                    let rate = conflicts.saturating_sub(last.1) as f64 / since.as_secs_f64();
                    let line = state.progress.line(elapsed, rate, width);
                    state.out.draw_status(&line);
                    last = (now, conflicts);
                }
            }
        }
    }

    fn reason(&self, caught: &AtomicBool, now: Instant, tick: u64) -> Option<StopReason> {
        if caught.load(Ordering::Relaxed) {
            return Some(StopReason::Interrupted);
        }
        if self.time_limit.is_some_and(|limit| now.duration_since(self.start) >= limit) {
            return Some(StopReason::TimeLimit);
        }
        // Reading /proc costs a few microseconds: look at every other tick.
        let over = |limit| tick % 2 == 0 && resident_bytes().is_some_and(|bytes| bytes > limit);
        self.memory_limit.is_some_and(over).then_some(StopReason::MemoryLimit)
    }
}

/// Ends the run in the main thread's place.
fn finish(interrupt: &Interrupt, shared: &Mutex<Shared>) {
    // The main thread may be inside a blocked write; then there is nobody to print for.
    for _ in 0..5 {
        if let Some(mut state) = try_lock(shared) {
            if !state.finished {
                let code = state.finish(interrupt.poll(), None);
                std::process::exit(i32::from(code));
            }
            return;
        }
        std::thread::sleep(TICK);
    }
    std::process::exit(1);
}

/// Memory of this process, where the system tells.
fn resident_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split(' ').nth(1)?.parse().ok()?;
    Some(pages * 4096)
}
