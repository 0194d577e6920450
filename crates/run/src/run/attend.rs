//! The watcher's work at each tick of a run: waiting output, the status line, and ending the run if nothing else does.
//!
//! Invariant: if the current stage does not end within [`GRACE`] of a stop request, the watcher prints the summary
//! itself and ends the process, so a run always ends in time, whatever it is doing.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::state::{Printer, State, try_lock};
use crate::exit;
use crate::stdout;
use crate::watch::{Limits, TICK};
use asp_base::interrupt::{Interrupt, StopReason};
use asp_report::progress::{DELAY, PERIOD};

/// How long a stage may take to end after a stop request.
const GRACE: Duration = Duration::from_millis(120);

/// The work of each tick until the run is finished; `status` is the width of the status line, if it is drawn.
pub(super) fn each_tick(
    limits: Limits,
    status: Option<usize>,
    interrupt: Interrupt,
    shared: Arc<Mutex<State>>,
) -> impl FnMut(Instant) -> bool + Send + 'static {
    let start = limits.start;
    let mut last = (start, 0u64);
    let mut stopped_at: Option<Instant> = None;
    move |now| {
        if stopped_at.is_none() && matches!(interrupt.poll(), Some(r) if r != StopReason::StepLimit) {
            stopped_at = Some(now);
        }
        let since = stopped_at.map_or(Duration::ZERO, |at| now.duration_since(at));
        if since > GRACE && interrupt.poll().is_some_and(|reason| since > limits.grace(GRACE, reason)) {
            finish(&interrupt, &shared);
        }
        let Some(mut state) = try_lock(&shared) else { return true };
        if state.finished {
            return false;
        }
        let state = &mut *state;
        let Printer { out, album, .. } = &mut state.printer;
        if let Some(album) = album {
            album.flush_if_waiting(out, now);
        }
        out.flush_if_due(now);
        let elapsed = now.duration_since(start);
        if let Some(width) = status.filter(|_| elapsed >= DELAY && stopped_at.is_none()) {
            let since = now.duration_since(last.0);
            if since >= PERIOD {
                let (instances, conflicts) = interrupt.noted();
                state.progress.instances = instances;
                state.progress.conflicts = conflicts;
                let rate = conflicts.saturating_sub(last.1) as f64 / since.as_secs_f64();
                let line = state.progress.line(elapsed, rate, width);
                out.draw_status(&line);
                last = (now, conflicts);
            }
        }
        true
    }
}

/// Ends the run in place of the main thread.
fn finish(interrupt: &Interrupt, shared: &Mutex<State>) {
    // The main thread may be blocked in a write; then nobody reads what would be printed.
    for _ in 0..5 {
        if let Some(mut state) = try_lock(shared) {
            if state.is_patient {
                return;
            }
            if !state.finished {
                let code = state.finish(interrupt.poll(), None);
                std::process::exit(i32::from(stdout::exit_code(code)));
            }
            return;
        }
        std::thread::sleep(TICK);
    }
    std::process::exit(i32::from(exit::INTERRUPTED));
}
