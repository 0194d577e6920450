//! Objects that C refers to by pointers: numbers that look like pointers, so that freed memory is never read.
//!
//! Invariant: a number is used once; using one whose object is gone is an error.

use std::any::Any;
use std::cell::Cell;
use std::collections::HashMap;
use std::marker::PhantomData;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock, Weak};

use rustc_hash::FxBuildHasher;

use crate::error::Fail;

/// Low bits of a pointer, which say which part of an object it refers to.
const PART_BITS: u32 = 4;

/// A pointer that C holds: null, or an object's number and a part of it.
#[repr(transparent)]
pub struct Handle<T>(Option<NonZeroUsize>, PhantomData<fn() -> T>);

impl<T> Clone for Handle<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Handle<T> {}

impl<T> Handle<T> {
    /// Null.
    pub const NULL: Self = Self(None, PhantomData);

    /// A part of the object with a number.
    pub fn new(number: usize, part: usize) -> Self {
        Self(NonZeroUsize::new(number << PART_BITS | part), PhantomData)
    }
    /// The number of the object; 0 for null.
    pub fn number(self) -> usize {
        self.0.map_or(0, NonZeroUsize::get) >> PART_BITS
    }
    /// Two numbers; the second is cut to 32 bits.
    pub fn of_two(number: usize, second: u64) -> Self {
        Self(NonZeroUsize::new(number << 32 | (second & 0xffff_ffff) as usize), PhantomData)
    }
    /// The numbers of [`of_two`](Self::of_two).
    pub fn two(self) -> (usize, u64) {
        let word = self.0.map_or(0, NonZeroUsize::get);
        (word >> 32, word as u64 & 0xffff_ffff)
    }
    /// From [`as_pointer`](Self::as_pointer).
    pub fn from_pointer(pointer: *mut std::ffi::c_void) -> Self {
        Self(NonZeroUsize::new(pointer.addr()), PhantomData)
    }
    /// As a pointer, which must not be dereferenced.
    pub fn as_pointer(self) -> *mut std::ffi::c_void {
        std::ptr::without_provenance_mut(self.0.map_or(0, NonZeroUsize::get))
    }
    /// The part of the object.
    pub fn part(self) -> usize {
        self.0.map_or(0, NonZeroUsize::get) & ((1 << PART_BITS) - 1)
    }
}

static NEXT: AtomicUsize = AtomicUsize::new(1);

/// How many objects have been removed.
static REMOVED: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// The object that was used last, and how many had been removed by then.
    static LAST: Cell<Option<(usize, usize, Weak<dyn Any + Send + Sync>)>> = const { Cell::new(None) };
}

/// The object that was used last, if it has this number and none has been removed since.
fn last<T: Send + Sync + 'static>(number: usize, removed: usize) -> Option<Arc<T>> {
    let upgraded = LAST.try_with(|last| {
        let kept = last.take()?;
        let object = if (kept.0, kept.1) == (number, removed) { kept.2.upgrade() } else { None };
        last.set(Some(kept));
        object
    });
    // Where the thread ends, nothing is kept.
    upgraded.ok()??.downcast().ok()
}

impl<T> Default for Registry<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// All objects of a type.
pub struct Registry<T>(RwLock<HashMap<usize, Arc<T>, FxBuildHasher>>);

impl<T> Registry<T> {
    /// No objects.
    pub const fn new() -> Self {
        Self(RwLock::new(HashMap::with_hasher(FxBuildHasher)))
    }
    /// Reserves a number for a future object.
    pub fn reserve() -> usize {
        NEXT.fetch_add(1, Ordering::Relaxed)
    }
}

impl<T: Send + Sync + 'static> Registry<T> {
    /// Adds an object under its number.
    pub fn insert(&self, number: usize, object: Arc<T>) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(number, object);
    }
    /// Removes an object.
    pub fn remove(&self, number: usize) -> Option<Arc<T>> {
        let removed = self.0.write().unwrap_or_else(PoisonError::into_inner).remove(&number);
        REMOVED.fetch_add(1, Ordering::Release);
        removed
    }
    /// All objects.
    pub fn all(&self) -> Vec<Arc<T>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }
    /// The object with a number.
    pub fn get(&self, number: usize) -> Result<Arc<T>, Fail> {
        let removed = REMOVED.load(Ordering::Acquire);
        if let Some(object) = last(number, removed) {
            return Ok(object);
        }
        let found = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&number).cloned();
        let found = found.ok_or_else(|| Fail::logic("this object is not there any more"))?;
        let weak: Weak<dyn Any + Send + Sync> = Arc::downgrade(&found) as _;
        let _ = LAST.try_with(|last| last.set(Some((number, removed, weak))));
        Ok(found)
    }
}
