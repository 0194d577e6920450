//! The status line of a subcommand.
//!
//! Invariant: it is drawn on a terminal only, and wiped before anything else is printed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use asp_base::interrupt::Interrupt;
use asp_report::progress::{self, Progress};
use asp_run::failure::is_quiet;
use asp_run::terminal;

/// A status line on a terminal while something runs.
pub(crate) struct Status {
    over: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Status {
    /// Shows the counters of an interrupt: answer sets, and branches or conflicts.
    pub(crate) fn show(phase: &'static str, interrupt: &Interrupt) -> Self {
        // The count of grounding is out of date.
        interrupt.note_instances(0);
        let over = Arc::new(AtomicBool::new(false));
        if is_quiet() || !terminal::shows_messages() {
            return Self { over, thread: None };
        }
        let (interrupt, ended, start) = (interrupt.clone(), over.clone(), Instant::now());
        let width = terminal::status_width();
        let draw = move || {
            let mut drawn = Duration::ZERO;
            let mut any = false;
            while !ended.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(20));
                let elapsed = start.elapsed();
                if elapsed >= progress::DELAY && elapsed >= drawn + progress::PERIOD {
                    let (models, conflicts) = interrupt.noted();
                    let status = Progress { phase, models, conflicts, ..Progress::default() };
                    let rate = conflicts as f64 / elapsed.as_secs_f64();
                    progress::draw(&status.line(elapsed, rate, width));
                    (drawn, any) = (elapsed, true);
                }
            }
            if any {
                progress::wipe();
            }
        };
        Self { over, thread: std::thread::Builder::new().name("status".into()).spawn(draw).ok() }
    }
}

impl Drop for Status {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // A thread that panicked draws no more lines.
            let _ = thread.join();
        }
    }
}
