//! The watcher: one thread that handles signals and limits while the main thread works.
//!
//! Invariants: a stop is requested once, through the shared [`Interrupt`]; a second signal ends the process at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM, SIGXCPU};
use signal_hook::flag;

use crate::base::interrupt::{Interrupt, StopReason};

/// Time between two checks.
pub(crate) const TICK: Duration = Duration::from_millis(10);

/// When to stop the work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// When the work started.
    pub(crate) start: Instant,
    /// How long it may take.
    pub(crate) time: Option<Duration>,
    /// How many bytes the process may take.
    pub(crate) memory: Option<u64>,
}

impl Limits {
    /// Limits counting from now, if any are set.
    pub(crate) fn from_now(time: Option<Duration>, memory: Option<u64>) -> Self {
        Self { start: Instant::now(), time, memory }
    }

    /// The reason to stop now; `caught` is set by signals.
    pub(crate) fn reason(&self, caught: &AtomicBool, now: Instant) -> Option<StopReason> {
        if caught.load(Ordering::Relaxed) {
            return Some(StopReason::Interrupted);
        }
        if self.time.is_some_and(|limit| now.duration_since(self.start) >= limit) {
            return Some(StopReason::TimeLimit);
        }
        let over = |limit| resident_bytes().is_some_and(|bytes| bytes > limit);
        self.memory.is_some_and(over).then_some(StopReason::MemoryLimit)
    }
}

/// Catches the signals. The first one sets the flag; a second one ends the process with `code`.
pub(crate) fn catch_signals(code: u8) -> io::Result<Arc<AtomicBool>> {
    let caught = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGXCPU] {
        // In this order: at the first signal the flag is not set, so only the second one ends the process.
        flag::register_conditional_shutdown(signal, code.into(), Arc::clone(&caught))?;
        flag::register(signal, Arc::clone(&caught))?;
    }
    Ok(caught)
}

/// Starts the watcher: it stops the work at a signal or a limit and calls `look` at each tick, until that returns
/// `false`. A second signal ends the process with the code. If signals cannot be caught or no thread started, the work
/// continues; it only cannot be stopped gently.
pub(crate) fn spawn(
    limits: Limits,
    interrupt: Interrupt,
    code: u8,
    mut look: impl FnMut(Instant) -> bool + Send + 'static,
) {
    let Ok(caught) = catch_signals(code) else { return };
    let run = move || {
        loop {
            std::thread::sleep(TICK);
            let now = Instant::now();
            if let Some(reason) = limits.reason(&caught, now) {
                interrupt.stop(reason);
            }
            if !look(now) {
                return;
            }
        }
    };
    let _ = std::thread::Builder::new().name("watch".into()).stack_size(256 << 10).spawn(run);
}

/// Memory of this process in bytes, if the system reports it.
fn resident_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split(' ').nth(1)?.parse().ok()?;
    Some(pages * 4096)
}
