//! Solve calls: run at once, pulled model by model, or run by a separate thread.
//!
//! Invariants: a thread that searches has taken the search out of the state, so that no lock is held while the engine
//! or a user-defined function runs; the control gets the engine back when the call is closed, and not before.

mod functions;
mod kept;
mod search;
mod warnings;

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{JoinHandle, ThreadId};
use std::time::{Duration, Instant};

use asp::options::{EnumMode, OptMode, SolveOptions};
use asp::program::Literal;
use asp::{Interrupt, SolveHandle, SolveResult, StopReason};

use crate::control::{Control, SOLVING, Slot, lock};
use crate::error::{Code, Fail};
use crate::literals::Value;
use crate::model::Snapshot;
use crate::registry::{Handle, Registry};
use kept::Kept;
pub use search::EventCallback;
use search::Notify;

/// All calls.
pub static CALLS: Registry<Solve> = Registry::new();

const ASYNC: u32 = 1;
const YIELD: u32 = 2;

/// The state of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Idle; the search continues when more is wanted.
    Ready,
    /// That thread is searching.
    Searching(ThreadId),
    /// A model can be read.
    Model,
    /// The search is over.
    Over,
}

/// What changes during a call.
pub struct Run {
    /// The state of the call.
    pub phase: Phase,
    /// The search; `None` while a thread is searching.
    search: Option<SolveHandle<'static>>,
    /// The engine's control, to be returned when the search is gone.
    lent: Option<Lent>,
    /// Whether the current model has been waited for.
    seen: bool,
    /// The last model.
    pub model: Option<Arc<Snapshot>>,
    /// How it ended.
    pub result: SolveResult,
    /// Whether the caller wants no more models.
    enough: bool,
    /// Whether the call is being ended, so that nobody reads its model.
    cancelled: bool,
    /// The assumptions, and the numbers that the caller gave for them.
    assumed: Vec<(Literal, i32)>,
    /// Assumptions that cannot hold together, by the caller's numbers.
    pub core: Vec<i32>,
    /// What went wrong.
    fail: Option<Fail>,
    thread: Option<JoinHandle<()>>,
    /// What is kept for later calls, if something is.
    kept: Option<Kept>,
    /// Whether the call has been closed.
    closed: bool,
}

/// An engine's control lent to a search.
struct Lent(*mut asp::Control);

// SAFETY: it is the only pointer to a control on the heap, whose type may be sent.
unsafe impl Send for Lent {}

/// A solve call.
pub struct Solve {
    pub number: usize,
    pub control: Arc<Control>,
    interrupt: Interrupt,
    is_async: bool,
    yields: bool,
    /// The kind of its models: stable models, brave or cautious consequences.
    pub kind: c_int,
    notify: Notify,
    options: Box<SolveOptions>,
    run: Mutex<Run>,
    changed: Changed,
}

/// Wakes threads that wait for a change of a call. Nothing is done where none waits, as in most calls.
#[derive(Default)]
struct Changed {
    condition: Condvar,
    waiting: AtomicUsize,
}

impl Changed {
    /// Waits; at most so long, if there is a limit.
    fn wait<'r>(&self, run: MutexGuard<'r, Run>, limit: Option<Duration>) -> MutexGuard<'r, Run> {
        // The state is locked: whoever changes it after this knows that somebody waits.
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let run = match limit {
            Some(limit) => self.condition.wait_timeout(run, limit).unwrap_or_else(PoisonError::into_inner).0,
            None => self.condition.wait(run).unwrap_or_else(PoisonError::into_inner),
        };
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        run
    }
    /// Wakes them. Pre: the state has been locked since it was changed, or is.
    fn tell(&self) {
        if self.waiting.load(Ordering::Relaxed) > 0 {
            self.condition.notify_all();
        }
    }
}

impl Handle<Solve> {
    pub fn get(self) -> Result<Arc<Solve>, Fail> {
        CALLS.get(self.number())
    }
}

impl Solve {
    /// Begins a call.
    pub fn start(
        control: &Arc<Control>,
        mode: u32,
        assumptions: &[i32],
        notify: EventCallback,
        data: *mut c_void,
    ) -> Result<Handle<Self>, Fail> {
        let taken = control.take(SOLVING);
        if taken.is_err() {
            // The caller replaces the data of the running call's function, which must not be called any more.
            mute_all(control);
        }
        let mut inner = taken?;
        if let Err(fail) = control.begin_call() {
            control.put(Slot::Here(inner));
            return Err(fail);
        }
        let begun = (|| {
            control.note_constants(&mut inner)?;
            control.observe(&mut inner, Some(assumptions), None)?;
            control.write_files(&mut inner)?;
            let switches = lock(&control.switches).clone();
            let mut solve = std::mem::take(&mut inner.settings.solve);
            switches.project.apply(&mut solve, &inner);
            inner.settings.solve = solve;
            let mut literals: Vec<(Literal, i32)> = Vec::new();
            let mut refuted = None;
            for &number in assumptions {
                match control.numbers().value(number, inner.as_ground())? {
                    Value::Open(literal) => literals.push((literal, number)),
                    Value::True => {}
                    Value::False => refuted = refuted.or(Some(number)),
                }
            }
            // A ground program that is only written is no call.
            if control.console.is_none() {
                control.warn_of_call(&inner.settings.solve, inner.program());
            }
            if let Some(console) = control.console.as_ref().filter(|_| !lock(&control.watches).replace) {
                let options = inner.settings.solve.clone();
                console.begin_call(&mut inner, &options)?;
            }
            Ok::<_, Fail>((literals, refuted))
        })();
        let (literals, refuted) = match begun {
            Ok(begun) => begun,
            Err(fail) => {
                control.put(Slot::Here(inner));
                return Err(fail);
            }
        };
        let options = inner.settings.solve.clone();
        let lent = Lent(Box::into_raw(inner));
        // SAFETY: the pointer comes from a box that nobody else has. It is borrowed by the search alone, which is dropped
        // before the box is made again (`give_back`).
        let borrowed: &'static mut asp::Control = unsafe { &mut *lent.0 };
        let assumed: Vec<Literal> = literals.iter().map(|l| l.0).collect();
        let is_told_only = lock(&control.watches).replace;
        let search = match refuted {
            // The program is for observers only.
            _ if is_told_only => None,
            Some(_) => {
                if let Err(error) = borrowed.prepare_call(&options) {
                    // SAFETY: as in `give_back`; there is no search.
                    control.put(Slot::Here(unsafe { Box::from_raw(lent.0) }));
                    return Err(error.into());
                }
                None
            }
            None => match borrowed.start_with(&options, &assumed) {
                Ok(search) => Some(search),
                Err(error) => {
                    // SAFETY: as in `give_back`; the search was not made.
                    control.put(Slot::Here(unsafe { Box::from_raw(lent.0) }));
                    return Err(error.into());
                }
            },
        };
        match &search {
            Some(search) => {
                // SAFETY: the search borrows the control for as long as it lives, and so does what it shows; the slot is
                // filled anew before the search is dropped.
                let ground =
                    unsafe { std::mem::transmute::<asp::Ground<'_>, asp::Ground<'static>>(search.ground()) };
                control.put(Slot::Solving(ground));
            }
            None => {
                // SAFETY: as in `give_back`; there is no search.
                control.put(Slot::Here(unsafe { Box::from_raw(lent.0) }));
            }
        }
        let lent = search.is_some().then_some(lent);
        let refused = search.is_none() && refuted.is_some() && !is_told_only;
        let number = Registry::<Self>::reserve();
        lock(&control.calls.statistics).begin(notify.is_some());
        let new = Arc::new(Self {
            number,
            control: control.clone(),
            interrupt: control.interrupt.clone(),
            is_async: mode & ASYNC != 0,
            yields: mode & YIELD != 0,
            kind: match options.enum_mode {
                EnumMode::Brave => 1,
                EnumMode::Cautious | EnumMode::Query => 2,
                _ => 0,
            },
            notify: Notify::new(notify, data),
            options: Box::new(options),
            run: Mutex::new(Run {
                phase: Phase::Ready,
                search,
                lent,
                seen: false,
                model: None,
                result: SolveResult { exhausted: refused, ..SolveResult::default() },
                enough: false,
                cancelled: false,
                assumed: literals,
                core: refuted.into_iter().collect(),
                fail: None,
                thread: None,
                kept: (!lock(&control.switches).enumeration_assumption).then(Kept::default),
                closed: false,
            }),
            changed: Changed::default(),
        });
        CALLS.insert(number, new.clone());
        if new.is_async {
            let own = new.clone();
            let thread = std::thread::Builder::new().name("asp-solve".into()).spawn(move || own.drive());
            match thread {
                Ok(thread) => lock(&new.run).thread = Some(thread),
                Err(error) => {
                    new.close()?;
                    return Err(Fail::runtime(format!("no thread could be started: {error}")));
                }
            }
        } else if !new.yields {
            new.drive();
            let fail = lock(&new.run).fail.take();
            if let Some(fail) = fail {
                new.close()?;
                return Err(fail);
            }
        }
        Ok(Handle::new(number, 0))
    }

    /// Searches until the end; if models are read, waits at each one.
    fn drive(&self) {
        loop {
            match self.advance() {
                Phase::Over => return,
                Phase::Model if self.yields => {
                    let mut run = lock(&self.run);
                    // It may have been found while the call was being ended.
                    while run.phase == Phase::Model && !run.cancelled {
                        run = self.changed.wait(run, None);
                    }
                    if run.phase == Phase::Model {
                        run.phase = Phase::Ready;
                    }
                }
                _ => lock(&self.run).phase = Phase::Ready,
            }
        }
    }

    /// Drops the model, so that the search may continue.
    fn resume(&self) {
        let mut run = lock(&self.run);
        // A search with its own thread may be at a model that has not been read; that one is not skipped.
        if run.phase == Phase::Model && (run.seen || run.enough) {
            run.phase = Phase::Ready;
            self.changed.tell();
        }
    }

    /// Waits until there is a model to be read, or for the end; `false` if the time runs out first.
    ///
    /// # Errors
    /// A callback of the search itself would wait for ever.
    fn wait(&self, timeout: Option<Duration>) -> Result<bool, Fail> {
        let end = timeout.map(|t| Instant::now() + t);
        let mut run = lock(&self.run);
        loop {
            match run.phase {
                Phase::Model if self.yields => {
                    run.seen = true;
                    return Ok(true);
                }
                Phase::Over => return Ok(true),
                Phase::Searching(thread) if thread == std::thread::current().id() => {
                    return Err(Fail::logic("a call cannot be waited for from within itself"));
                }
                Phase::Ready if !self.is_async => {
                    if timeout.is_some_and(|t| t.is_zero()) {
                        return Ok(false);
                    }
                    drop(run);
                    self.advance();
                    run = lock(&self.run);
                }
                _ => {
                    let left = end.map(|end| end.saturating_duration_since(Instant::now()));
                    if left.is_some_and(|left| left.is_zero()) {
                        return Ok(false);
                    }
                    run = self.changed.wait(run, left);
                }
            }
        }
    }

    /// Returns an error that occurred during the search: once, then that there was one. That of another thread is one that
    /// shows only at run time, each time, as in clingo.
    fn check(&self) -> Result<(), Fail> {
        let mut run = lock(&self.run);
        let Some(fail) = &mut run.fail else { return Ok(()) };
        if self.is_async {
            return Err(Fail { code: Code::Runtime, ..fail.clone() });
        }
        Err(std::mem::replace(fail, Fail::runtime("Operation failed: exception thrown")))
    }

    /// Ends the search.
    fn cancel(&self) -> Result<(), Fail> {
        {
            let run = lock(&self.run);
            if matches!(run.phase, Phase::Searching(_)) && !self.is_async {
                return Err(Fail::logic("a call cannot be ended from within itself"));
            }
        }
        {
            let mut run = lock(&self.run);
            (run.enough, run.cancelled) = (true, true);
            // The thread that ends the search resets the interrupt.
            if run.phase != Phase::Over {
                self.interrupt.stop(StopReason::Interrupted);
            }
        }
        self.resume();
        let thread = lock(&self.run).thread.take();
        if let Some(thread) = thread {
            if thread.thread().id() == std::thread::current().id() {
                lock(&self.run).thread = Some(thread);
                return Err(Fail::logic("a call cannot be ended from within itself"));
            }
            let _ = thread.join();
        }
        if lock(&self.run).phase != Phase::Over {
            self.advance();
        }
        Ok(())
    }

    /// Ends the call and frees the control.
    pub fn close(&self) -> Result<(), Fail> {
        if lock(&self.run).closed {
            return Ok(());
        }
        self.cancel()?;
        lock(&self.run).closed = true;
        CALLS.remove(self.number);
        Ok(())
    }

    /// Requires that one of some literals holds in further models.
    pub fn add_clause(&self, numbers: &[i32]) -> Result<(), Fail> {
        let mut run = lock(&self.run);
        if run.phase != Phase::Model {
            return Err(Fail::logic("clauses can be added where there is a model only"));
        }
        let Some(search) = run.search.as_mut() else { return Ok(()) };
        let mut clause = Vec::with_capacity(numbers.len());
        for &number in numbers {
            match self.control.numbers().value(number, search.ground())? {
                Value::Open(literal) => clause.push(literal),
                Value::True => return Ok(()),
                Value::False => {}
            }
        }
        if search.add_clause(&clause) {
            if let Some(kept) = &mut run.kept {
                kept.add_clause(clause);
            }
            Ok(())
        } else {
            Err(Fail::runtime("clauses cannot be added to a call that several threads run"))
        }
    }

    /// Whether as many models were found as were wanted: those of a limit. As in clingo, whether there are more is not known
    /// then.
    fn has_enough(&self, result: &SolveResult) -> bool {
        let optimises =
            result.costs.is_some() && matches!(self.options.opt_mode, OptMode::Opt | OptMode::OptN);
        let one = u64::from(!optimises && self.kind == 0);
        let limit = self.options.models.unwrap_or(one);
        let found = if optimises && self.options.opt_mode == OptMode::OptN {
            result.optimal_models
        } else {
            result.models
        };
        limit > 0 && found >= limit
    }

    /// Locks the state of the call. Not while the engine or a user-defined function runs.
    pub fn run(&self) -> MutexGuard<'_, Run> {
        lock(&self.run)
    }
}

/// Lets the calls of a control tell nothing any more.
pub fn mute_all(control: &Control) {
    CALLS
        .all()
        .iter()
        .filter(|call| call.control.number == control.number)
        .for_each(|call| call.notify.mute());
}

/// Ends the calls of a control.
pub fn close_all(control: &Control) {
    for call in CALLS.all() {
        if call.control.number == control.number {
            let _ = call.close();
        }
    }
}
