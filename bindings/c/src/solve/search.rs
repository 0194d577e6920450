//! The steps of a search, and the events reported to the caller.
//!
//! Invariant: the end of a search is reported once, preceded by its statistics.

use std::ffi::{c_int, c_void};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use asp::options::OptMode;
use asp::{Event, StopReason};
use asp::{SolveHandle, SolveResult};

use super::{Phase, Run, Solve};
use crate::control::{Control, SOLVING, Slot, lock};
use crate::error::{Fail, caught};
use crate::model::{Model, Snapshot};
use crate::registry::Handle;

/// The user-defined function for the events of a call.
pub type EventCallback = Option<extern "C" fn(u32, *mut c_void, *mut c_void, *mut bool) -> bool>;

/// The user-defined function and its data.
pub struct Notify {
    callback: EventCallback,
    data: *mut c_void,
    muted: AtomicBool,
}

// SAFETY: the pointer is handed to the caller's function and never read here; clingo.h says that the function is called from
// the thread that searches.
unsafe impl Send for Notify {}
// SAFETY: as above; it is called by one thread at a time, the one that searches.
unsafe impl Sync for Notify {}

const MODEL: u32 = 0;
const UNSAT: u32 = 1;
const STATISTICS: u32 = 2;
const FINISH: u32 = 3;

/// Bounds of an objective, as C reads them.
#[repr(C)]
struct Bounds {
    values: *const i64,
    size: usize,
}

impl Notify {
    /// A user-defined function and its data.
    pub fn new(callback: EventCallback, data: *mut c_void) -> Self {
        Self { callback, data, muted: AtomicBool::new(false) }
    }
    /// Stops reporting.
    pub fn mute(&self) {
        self.muted.store(true, Ordering::Relaxed);
    }
    /// Reports an event; returns whether to continue.
    fn tell(&self, event: u32, value: *mut c_void) -> Result<bool, Fail> {
        let Some(callback) = self.callback.filter(|_| !self.muted.load(Ordering::Relaxed)) else {
            return Ok(true);
        };
        let mut go_on = true;
        Fail::unless(|| callback(event, value, self.data, &mut go_on))?;
        Ok(go_on)
    }
}

impl Run {
    /// The result as the bits of clingo.h.
    pub fn bits(&self) -> u32 {
        let SolveResult { satisfiable, exhausted, .. } = self.result;
        let satisfiable = satisfiable || self.model.is_some();
        let mut bits = u32::from(satisfiable);
        if self.phase == Phase::Over {
            bits |= u32::from(exhausted && !satisfiable) << 1 | u32::from(exhausted) << 2;
            bits |= u32::from(self.result.interrupted().is_some()) << 3;
        }
        bits
    }
}

impl Solve {
    /// Searches for the next model; returns the state of the call afterwards.
    pub(super) fn advance(&self) -> Phase {
        let (mut search, enough) = {
            let mut run = lock(&self.run);
            if matches!(run.phase, Phase::Over | Phase::Searching(_)) {
                return run.phase;
            }
            run.phase = Phase::Searching(std::thread::current().id());
            let run = &mut *run;
            if let (Some(kept), Some(model), false) = (&mut run.kept, &run.model, run.enough) {
                kept.leave(model);
            }
            (run.search.take(), run.enough)
        };
        let mut fail = None;
        let more = match &mut search {
            Some(search) if !enough => caught(|| self.next(search)).unwrap_or_else(|why| {
                fail = Some(why);
                None
            }),
            _ => None,
        };
        let mut run = lock(&self.run);
        if let (Some(model), None) = (more, &fail) {
            run.search = search;
            run.model = Some(model);
            run.seen = false;
            run.phase = Phase::Model;
            drop(run);
            let told = self.tell_model().and_then(|go_on| Ok(self.print_model()? && go_on));
            match told {
                Ok(true) => {}
                Ok(false) => lock(&self.run).enough = true,
                Err(why) => {
                    let mut run = lock(&self.run);
                    run.enough = true;
                    run.fail = Some(why);
                }
            }
            self.changed.tell();
            return Phase::Model;
        }
        run.fail = run.fail.take().or(fail);
        run.search = search;
        drop(run);
        self.finish();
        Phase::Over
    }

    /// The next model; bounds are reported on the way.
    fn next(&self, search: &mut SolveHandle<'static>) -> Result<Option<Arc<Snapshot>>, Fail> {
        loop {
            let bounds = match search.next_event() {
                Ok(Some(Event::Model(_))) => break,
                Ok(Some(Event::LowerBound(bounds))) => Some(bounds.to_vec()),
                Ok(Some(Event::Optimum)) => None,
                Ok(None) | Err(asp::Error::Stopped(_)) => return Ok(None),
                Err(error) => return Err(error.into()),
            };
            if let Some(console) = &self.control.console {
                let event = bounds.as_deref().map_or(Event::Optimum, Event::LowerBound);
                let ground = search.ground();
                if !console.event(self.number, event, ground.program(), ground.symbols())? {
                    return Ok(None);
                }
            }
            let Some(bounds) = bounds else { continue };
            let mut event = Bounds { values: bounds.as_ptr(), size: bounds.len() };
            if !self.notify.tell(UNSAT, (&raw mut event).cast())? {
                return Ok(None);
            }
        }
        let thread = search.thread();
        let found = search.result();
        Ok(search.answer().map(|answer| {
            // Consequences are those of the optimal answer sets once one of these was found.
            let of_optimal = answer.model().consequences.is_some() && found.optimal_models > 0;
            Arc::new(Snapshot::of(&answer, thread, answer.is_optimal() || of_optimal))
        }))
    }

    fn tell_model(&self) -> Result<bool, Fail> {
        if self.notify.callback.is_none() {
            return Ok(true);
        }
        let number = lock(&self.run).model.as_ref().map_or(0, |m| m.number);
        let model: Handle<Model> = Model::handle(self.number, number);
        self.notify.tell(MODEL, model.as_pointer())
    }

    /// Prints the model, if its control's program prints. Whether to go on.
    fn print_model(&self) -> Result<bool, Fail> {
        let Some(console) = &self.control.console else { return Ok(true) };
        let (search, model) = {
            let mut run = lock(&self.run);
            run.phase = Phase::Searching(std::thread::current().id());
            (run.search.take(), run.model.clone())
        };
        let added = model.map_or_else(|| Ok(Vec::new()), |model| model.added());
        let printed = added.and_then(|added| match search.as_ref().and_then(SolveHandle::answer) {
            Some(answer) => console.model(self.number, &answer, &added),
            None => Ok(true),
        });
        let mut run = lock(&self.run);
        run.search = search;
        run.phase = Phase::Model;
        printed
    }

    /// Ends the search and returns the control.
    fn finish(&self) {
        let (search, lent, enough) = {
            let mut run = lock(&self.run);
            (run.search.take(), run.lent.take(), run.enough)
        };
        let mut open_externals = false;
        let mut kept = None;
        if let Some(search) = search {
            let core = search.result().core.clone();
            let core = if core.is_empty() { search.core_literals() } else { core };
            // Only what is printed needs it.
            open_externals =
                self.control.console.is_some() && asp_run::has_open_externals(search.ground().program());
            self.control.put(Slot::Away(SOLVING));
            let mut result = search.finish();
            if enough {
                result.stopped = None;
            }
            // Where the search ends with the last model that was wanted it does not find out whether there are more.
            let is_last_in = !enough && self.has_enough(&result);
            result.exhausted &= !is_last_in;
            let mut run = lock(&self.run);
            if run.cancelled && !result.exhausted {
                result.stopped = Some(StopReason::Interrupted);
            }
            if self.options.opt_mode == OptMode::Opt && result.exhausted && result.costs.is_some() {
                run.model.iter().for_each(|model| model.prove());
            }
            let assumed = run.assumed.iter().filter(|(literal, _)| core.contains(literal));
            run.core = assumed.map(|a| a.1).collect();
            run.result = result;
            kept = run.kept.take().map(|kept| (kept, is_last_in));
        }
        if let Some(lent) = lent {
            // SAFETY: the box was taken apart in `start`; the search, which borrowed it, is gone, and so is what the slot of
            // the control borrowed from it.
            let mut inner = unsafe { Box::from_raw(lent.0) };
            inner.forget_assumptions();
            let (result, cancelled) = {
                let run = lock(&self.run);
                (run.result.clone(), run.cancelled)
            };
            self.control.note_call(&mut inner, &result, cancelled);
            if let Some((kept, is_last_in)) = kept {
                kept.constrain(&mut inner, &self.options, is_last_in);
            }
            self.control.apply_postponed(&mut inner);
            self.control.put(Slot::Here(inner));
        }
        if let Some(console) = &self.control.console {
            let mut result = lock(&self.run).result.clone();
            if lock(&self.run).cancelled {
                result.stopped = None;
            }
            if let Err(why) = console.end_call(&result, open_externals) {
                lock(&self.run).fail.get_or_insert(why);
            }
        }
        // The next call must not be stopped by the request that stopped this one.
        self.interrupt.reset();
        lock(&self.run).phase = Phase::Over;
        let told = self.tell_end();
        let mut run = lock(&self.run);
        if let Err(why) = told {
            run.fail.get_or_insert(why);
        }
        drop(run);
        self.changed.tell();
    }

    fn tell_end(&self) -> Result<(), Fail> {
        if self.notify.callback.is_none() {
            return Ok(());
        }
        let mut parts = [
            Handle::<Control>::new(self.control.number, 1).as_pointer(),
            Handle::<Control>::new(self.control.number, 2).as_pointer(),
        ];
        self.notify.tell(STATISTICS, parts.as_mut_ptr().cast())?;
        let mut bits = lock(&self.run).bits() as c_int;
        self.notify.tell(FINISH, (&raw mut bits).cast())?;
        Ok(())
    }
}
