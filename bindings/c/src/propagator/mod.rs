//! Propagators of the caller's: theories of the engine whose functions are the caller's.
//!
//! What a function of the caller's is handed is a number that is right in that thread until the function returns; whatever
//! is asked with it later, elsewhere, or while a function of another propagator runs, is an error.
//! Invariant: what the innermost running function was handed is alive, and used by nobody but through that number.

mod assignment;
mod init;
mod search;

use std::cell::Cell;
use std::ffi::c_void;
use std::sync::{Arc, Mutex, Weak};

use asp::propagator::{Assignment, Failure, Init, Misuse, Search, Theory};

use crate::control::{Control, Slot, lock};
use crate::error::{Fail, ok};
use crate::ffi::{Array, Out};
use crate::registry::{Handle, Registry};

/// The caller's functions, as C writes them.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Propagator {
    init: Option<extern "C" fn(Handle<Running>, *mut c_void) -> bool>,
    propagate: Option<extern "C" fn(Handle<Running>, *const i32, usize, *mut c_void) -> bool>,
    undo: Option<extern "C" fn(Handle<Running>, *const i32, usize, *mut c_void)>,
    check: Option<extern "C" fn(Handle<Running>, *mut c_void) -> bool>,
    decide: Option<extern "C" fn(u32, Handle<Running>, i32, *mut c_void, *mut i32) -> bool>,
}

/// What C holds while a function of its own runs.
#[derive(Clone, Copy)]
pub struct Running {
    number: usize,
    place: Place,
    /// The number of the propagator's control.
    control: usize,
    /// The number of the thread.
    thread: u32,
}

/// What the function was handed.
#[derive(Clone, Copy)]
enum Place {
    Init(*mut Init<'static, 'static>),
    Search(*mut Search<'static, 'static>),
    /// To be read only.
    Reading(*const Assignment<'static>),
}

thread_local! {
    /// The innermost running function.
    static RUNNING: Cell<Option<Running>> = const { Cell::new(None) };
}

/// Runs a function of the caller's, which is handed a number for what it may use.
fn run<T>(by: &Foreign, place: Place, function: impl FnOnce(Handle<Running>) -> T) -> T {
    let turn = by.turns.as_ref().map(|turns| lock(turns));
    let (control, thread) = (by.number, by.thread);
    let number = Registry::<Running>::reserve();
    let before = RUNNING.replace(Some(Running { number, place, control, thread }));
    let result = function(Handle::new(number, 0));
    RUNNING.set(before);
    drop(turn);
    result
}

impl Handle<Running> {
    /// The running function.
    fn running(self) -> Result<Running, Fail> {
        let running = RUNNING.get().filter(|running| running.number == self.number());
        running.ok_or_else(|| {
            Fail::logic("this object is there only while the function runs that was handed it")
        })
    }
    /// What it was handed.
    fn place(self) -> Result<Place, Fail> {
        Ok(self.running()?.place)
    }
    /// Does something before a call.
    fn init<T>(self, run: impl FnOnce(&mut Init<'static, 'static>) -> Result<T, Fail>) -> Result<T, Fail> {
        match self.place()? {
            // SAFETY: see the head of this file: the function that was handed it runs in this thread, and the reference that
            // the pointer was made of is not used before it returns. Nothing that `run` does comes back to C.
            Place::Init(init) => run(unsafe { &mut *init }),
            _ => Err(Fail::logic("this can be done before the search only")),
        }
    }
    /// Does something in the search.
    fn search<T>(
        self,
        run: impl FnOnce(&mut Search<'static, 'static>) -> Result<T, Fail>,
    ) -> Result<T, Fail> {
        match self.place()? {
            // SAFETY: as in `init`.
            Place::Search(search) => run(unsafe { &mut *search }),
            _ => Err(Fail::logic("nothing can be changed where literals are undone")),
        }
    }
    /// Reads the assignment.
    #[inline]
    fn assignment<T>(self, run: impl FnOnce(Assignment<'_>) -> Result<T, Fail>) -> Result<T, Fail> {
        match self.place()? {
            // SAFETY: as in `init`.
            Place::Init(init) => run(unsafe { &*init }.assignment()),
            // SAFETY: as in `init`.
            Place::Search(search) => run(unsafe { &*search }.assignment()),
            // SAFETY: as in `init`.
            Place::Reading(assignment) => run(unsafe { *assignment }),
        }
    }
}

impl From<Misuse> for Fail {
    fn from(misuse: Misuse) -> Self {
        Fail::runtime(misuse.to_string())
    }
}

/// A propagator of the caller's in a thread.
#[derive(Clone)]
struct Foreign {
    control: Weak<Control>,
    /// The number of the control.
    number: usize,
    functions: Propagator,
    data: *mut c_void,
    /// The number of the thread.
    thread: u32,
    /// Held while a function runs, if the caller wants them one after the other.
    turns: Option<Arc<Mutex<()>>>,
}

// SAFETY: the pointer is handed to the caller's functions and never read here; clingo.h says that they may be called from any
// thread that searches.
unsafe impl Send for Foreign {}

/// What a function of the caller's came to.
fn told(function: impl FnOnce() -> bool) -> Result<(), Failure> {
    Ok(Fail::unless(function)?)
}

impl Theory for Foreign {
    fn init(&mut self, init: &mut Init<'_, '_>) -> Result<(), Failure> {
        let Some(function) = self.functions.init else { return Ok(()) };
        let control = self.control.upgrade();
        // SAFETY: the slot is changed back before this function returns, and what grounding has found is borrowed as long.
        let ground = unsafe { std::mem::transmute::<asp::Ground<'_>, asp::Ground<'static>>(init.ground()) };
        if let Some(control) = &control {
            control.put(Slot::Solving(ground));
        }
        let place = Place::Init(std::ptr::from_mut(init).cast());
        let result = told(|| run(self, place, |handle| function(handle, self.data)));
        if let Some(control) = &control {
            control.put(Slot::Away("solving"));
        }
        result
    }
    fn propagate(&mut self, search: &mut Search<'_, '_>, changes: &[i32]) -> Result<(), Failure> {
        let Some(function) = self.functions.propagate else { return Ok(()) };
        let place = Place::Search(std::ptr::from_mut(search).cast());
        told(|| run(self, place, |handle| function(handle, changes.as_ptr(), changes.len(), self.data)))
    }
    fn undo(&mut self, assignment: Assignment<'_>, changes: &[i32]) {
        let Some(function) = self.functions.undo else { return };
        let place = Place::Reading((&raw const assignment).cast());
        run(self, place, |handle| function(handle, changes.as_ptr(), changes.len(), self.data));
    }
    fn check(&mut self, search: &mut Search<'_, '_>) -> Result<(), Failure> {
        let Some(function) = self.functions.check else { return Ok(()) };
        let place = Place::Search(std::ptr::from_mut(search).cast());
        told(|| run(self, place, |handle| function(handle, self.data)))
    }
    fn decide(&mut self, assignment: Assignment<'_>, own: i32) -> Result<i32, Failure> {
        let Some(function) = self.functions.decide else { return Ok(0) };
        let place = Place::Reading((&raw const assignment).cast());
        let mut decision = 0;
        told(|| run(self, place, |handle| function(self.thread, handle, own, self.data, &raw mut decision)))?;
        Ok(decision)
    }
    fn decides(&self) -> bool {
        self.functions.decide.is_some()
    }
    fn fork(&self, thread: u32) -> Option<Box<dyn Theory>> {
        Some(Box::new(Self { thread, ..self.clone() }))
    }
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_control_register_propagator(
    control: Handle<Control>,
    propagator: Array<Propagator>,
    data: *mut c_void,
    sequential: bool,
) -> bool {
    ok(|| {
        let control = control.get()?;
        let functions = *propagator.get().ok_or_else(|| Fail::logic("there is no propagator"))?;
        let number = control.number;
        let turns = sequential.then(Arc::default);
        let foreign =
            Foreign { control: Arc::downgrade(&control), number, functions, data, thread: 0, turns };
        control.when_back(Box::new(move |inner, _| {
            inner.add_theory(foreign.clone());
            Ok(())
        }))
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_propagate_init_assignment(init: Handle<Running>) -> Handle<Running> {
    init
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_propagate_control_assignment(control: Handle<Running>) -> Handle<Running> {
    control
}

/// Writes what a function came to.
fn set<T>(result: Result<T, Fail>, out: &Out<T>) -> bool {
    ok(|| {
        out.set(result?);
        Ok(())
    })
}
