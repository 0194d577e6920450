//! Errors at the boundary: each is kept for the thread's next `clingo_error_code` and `clingo_error_message`.
//!
//! Invariant: a panic becomes an error with the code for unknown ones.

use std::cell::RefCell;
use std::ffi::{CString, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null;

use crate::ffi::Text;

/// The kinds of errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i32)]
pub enum Code {
    /// No error.
    Success = 0,
    /// Invalid input, and everything else that shows only at run time.
    Runtime = 1,
    /// Wrong use of the interface.
    Logic = 2,
    /// Out of memory.
    BadAlloc = 3,
    /// Any other error.
    Unknown = 4,
}

impl Code {
    /// The kind with a number of clingo.h.
    pub fn from_number(number: c_int) -> Self {
        match number {
            0 => Code::Success,
            1 => Code::Runtime,
            2 => Code::Logic,
            3 => Code::BadAlloc,
            _ => Code::Unknown,
        }
    }
}

/// Why a function failed.
#[derive(Clone, Debug)]
pub struct Fail {
    /// The kind of the error.
    pub code: Code,
    /// What went wrong.
    pub message: CString,
}

impl Fail {
    /// An error with a text.
    pub fn new(code: Code, message: impl AsRef<str>) -> Self {
        let message = CString::new(message.as_ref().replace('\0', " ")).unwrap_or_default();
        Self { code, message }
    }
    /// An error that shows only at run time.
    pub fn runtime(message: impl AsRef<str>) -> Self {
        Self::new(Code::Runtime, message)
    }
    /// Wrong use of the interface.
    pub fn logic(message: impl AsRef<str>) -> Self {
        Self::new(Code::Logic, message)
    }
    /// Runs a callback, which returns whether it succeeded; if it did not, the error is the one that it has set in this
    /// thread.
    pub fn unless(callback: impl FnOnce() -> bool) -> Result<(), Self> {
        Self::unless_wrong(|| Ok(callback()))
    }
    /// [`unless`](Self::unless) for a callback whose arguments may be wrong.
    pub fn unless_wrong(callback: impl FnOnce() -> Result<bool, Self>) -> Result<(), Self> {
        // What it does not set is not its error.
        LAST.set(None);
        if callback()? {
            return Ok(());
        }
        let left = LAST.with_borrow(Clone::clone).filter(|last| last.code != Code::Success);
        Err(left.unwrap_or_else(|| Self::new(Code::Unknown, "a callback failed without saying why")))
    }
}

impl std::fmt::Display for Fail {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message.to_string_lossy())
    }
}

impl std::error::Error for Fail {}

impl From<asp::Error> for Fail {
    fn from(error: asp::Error) -> Self {
        // The caller knows of its own error.
        if let asp::Error::Theory(failure) = &error
            && let Some(fail) = failure.downcast_ref::<Fail>()
        {
            return fail.clone();
        }
        // The messages behind it have been passed to the logger.
        Fail::runtime(error.summary())
    }
}

thread_local! {
    static LAST: RefCell<Option<Fail>> = const { RefCell::new(None) };
}

/// Keeps an error for the thread's next query.
pub fn set(fail: Fail) {
    LAST.set(Some(fail));
}

/// Runs a function behind the boundary; keeps an error or a panic for the thread's next query.
pub fn guard<T>(failed: T, run: impl FnOnce() -> Result<T, Fail>) -> T {
    caught(run).unwrap_or_else(|fail| {
        set(fail);
        failed
    })
}

/// Runs a function; a panic becomes an error.
pub fn caught<T>(run: impl FnOnce() -> Result<T, Fail>) -> Result<T, Fail> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no text");
        Err(Fail::new(Code::Unknown, format!("internal error: {text}")))
    })
}

/// [`guard`] for functions that return whether they succeeded.
pub fn ok(run: impl FnOnce() -> Result<(), Fail>) -> bool {
    guard(false, || run().map(|()| true))
}

/// The name of an error code.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_error_string(code: c_int) -> *const c_char {
    let name = match code {
        0 => c"success",
        1 => c"runtime error",
        2 => c"logic error",
        3 => c"bad allocation",
        4 => c"unknown error",
        _ => return null(),
    };
    name.as_ptr()
}

/// The code of the thread's last error.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_error_code() -> c_int {
    LAST.with_borrow(|last| last.as_ref().map_or(0, |fail| fail.code as c_int))
}

/// The text of the thread's last error, null if there was none; it stays until the next error or callback.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_error_message() -> *const c_char {
    LAST.with_borrow(|last| match last {
        Some(fail) if fail.code != Code::Success => fail.message.as_ptr(),
        _ => null(),
    })
}

/// Sets an error, as user-defined callbacks do.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_set_error(code: c_int, message: Text) {
    let message = message.bytes().map(String::from_utf8_lossy).unwrap_or_default();
    set(Fail::new(Code::from_number(code), message));
}

/// The name of a kind of warning.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_warning_string(code: c_int) -> *const c_char {
    let name = match code {
        0 => c"operation undefined",
        1 => c"runtime error",
        2 => c"atom undefined",
        3 => c"file included",
        4 => c"variable unbounded",
        5 => c"global variable",
        6 => c"other",
        _ => c"unknown",
    };
    name.as_ptr()
}
