//! The watcher: one thread that handles signals and limits while the main thread works. Where no thread can start, the work does
//! this each time it polls its [`Interrupt`].
//!
//! Invariants: a stop is requested once, through that flag; a second signal ends the process at once.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

#[cfg(windows)]
use signal_hook::consts::SIGBREAK as SYSTEM_STOP;
#[cfg(unix)]
use signal_hook::consts::{SIGABRT, SIGXCPU as SYSTEM_STOP};
#[cfg(any(unix, windows))]
use signal_hook::{
    consts::{SIGINT, SIGTERM},
    flag,
};

use super::{memory::Room, stderr};
use asp_base::interrupt::{Answer, Interrupt, StopReason};
use asp_base::threads;

/// Time between two checks.
pub const TICK: Duration = Duration::from_millis(10);
/// See [`Limits::grace`].
const LONG_GRACE: Duration = Duration::from_secs(10);

/// When to stop the work.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// When the work started.
    pub(crate) start: Instant,
    /// How long it may take.
    pub(crate) time: Option<Duration>,
    /// The most bytes of memory that the process may use; without it, as many as the system has for it.
    pub(crate) memory: Option<u64>,
    /// The memory that the system leaves to the process.
    pub(crate) room: Room,
}

impl Limits {
    /// Limits counting from now, if any are set.
    pub fn from_now(time: Option<Duration>, memory: Option<u64>) -> Self {
        Self { start: Instant::now(), time, memory, room: Room::find() }
    }

    /// How long a stage may take to end after a stop request: `usual`, or, within the limit on memory, as long as it takes to
    /// double a table and to name the rule that was being instantiated.
    pub fn grace(&self, usual: Duration, reason: StopReason) -> Duration {
        let has_room = reason == StopReason::MemoryLimit && self.room.leaves_some(self.memory);
        if has_room { LONG_GRACE } else { usual }
    }

    /// The reason to stop now; `caught` is set by signals.
    pub fn reason(&self, caught: &AtomicBool, now: Instant) -> Option<StopReason> {
        if caught.load(Ordering::Relaxed) {
            return Some(StopReason::Interrupted);
        }
        if self.time.is_some_and(|limit| now.duration_since(self.start) >= limit) {
            return Some(StopReason::TimeLimit);
        }
        self.room.is_reached(self.memory).then_some(StopReason::MemoryLimit)
    }
}

/// Catches the signals. The first one sets the flag; a second one ends the process with `code`.
#[cfg(any(unix, windows))]
pub fn catch_signals(code: u8) -> io::Result<Arc<AtomicBool>> {
    let caught = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SYSTEM_STOP] {
        // In this order: at the first signal the flag is not set, so only the second one ends the process.
        flag::register_conditional_shutdown(signal, code.into(), Arc::clone(&caught))?;
        flag::register(signal, Arc::clone(&caught))?;
    }
    Ok(caught)
}

/// Rust aborts when memory is refused; once this flag is set, the exit code is then that of the memory limit.
#[cfg(unix)]
fn catch_refusals() -> Arc<AtomicBool> {
    let scarce = Arc::new(AtomicBool::new(false));
    // Where that is not possible, the process aborts.
    let _ =
        flag::register_conditional_shutdown(SIGABRT, super::exit::OUT_OF_MEMORY.into(), Arc::clone(&scarce));
    scarce
}

/// Other systems tell nobody.
#[cfg(not(unix))]
fn catch_refusals() -> Arc<AtomicBool> {
    Arc::default()
}

/// There are none.
#[cfg(not(any(unix, windows)))]
pub fn catch_signals(_: u8) -> io::Result<Arc<AtomicBool>> {
    Ok(Arc::default())
}

struct Watcher<L> {
    limits: Limits,
    caught: Arc<AtomicBool>,
    /// Whether memory that is refused is refused by a limit.
    scarce: Arc<AtomicBool>,
    interrupt: Interrupt,
    look: L,
    last: Instant,
}

impl<L: FnMut(Instant) -> bool> Watcher<L> {
    /// Stops the work if there is a reason; whether to go on watching.
    fn tick(&mut self, now: Instant) -> bool {
        self.last = now;
        if let Some(reason) = self.limits.reason(&self.caught, now) {
            self.interrupt.stop(reason);
        }
        if !self.scarce.load(Ordering::Relaxed) && self.limits.room.is_near(self.limits.memory) {
            self.scarce.store(true, Ordering::Relaxed);
        }
        (self.look)(now)
    }
}

/// Starts a watcher and returns the flag that it raises at a signal or a limit. At each tick it calls the function that `look`
/// returns, until that returns `false`. A second signal ends the process with the code. If signals cannot be caught, the work
/// continues, but cannot be stopped gently.
pub fn start<L>(limits: Limits, code: u8, look: impl FnOnce(&Interrupt) -> L) -> Interrupt
where
    L: FnMut(Instant) -> bool + Send + 'static,
{
    if let Some(warning) = Room::unheeded(limits.memory) {
        stderr::tell(warning);
    }
    let slot: Arc<Mutex<Option<Watcher<L>>>> = Arc::default();
    let own = slot.clone();
    let interrupt = Interrupt::with_question(move || {
        // The polling thread may be at work for the watcher.
        if let Ok(mut watcher) = own.try_lock() {
            let now = Instant::now();
            let is_due = |w: &&mut Watcher<L>| now.duration_since(w.last) >= TICK;
            watcher.as_mut().filter(is_due).map(|w| w.tick(now));
        }
        Answer::NotHere
    });
    let look = look(&interrupt);
    let Ok(caught) = catch_signals(code) else { return interrupt };
    let scarce = catch_refusals();
    let watcher = Watcher { limits, caught, scarce, interrupt: interrupt.clone(), look, last: limits.start };
    *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(watcher);
    let run = move || {
        let watcher = slot.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut watcher) = watcher else { return };
        loop {
            std::thread::sleep(TICK);
            if !watcher.tick(Instant::now()) {
                return;
            }
        }
    };
    if std::thread::Builder::new().name("watch".into()).stack_size(256 << 10).spawn(run).is_err() {
        interrupt.ask();
    }
    interrupt
}

/// An interrupt that a thread raises at the given time; where no thread can start, polling it does.
pub fn until(end: Instant) -> Interrupt {
    if threads::can_start() {
        return Interrupt::new();
    }
    let is_over =
        move || if Instant::now() >= end { Answer::Stop(StopReason::TimeLimit) } else { Answer::NotHere };
    let interrupt = Interrupt::with_question(is_over);
    interrupt.ask();
    interrupt
}
