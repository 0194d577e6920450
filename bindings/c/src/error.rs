//! Errors at the boundary: what went wrong is left for the thread's next `clingo_error_code` and `clingo_error_message`.
//!
//! Invariant: a panic becomes an error with the code for unknown ones.

use std::cell::RefCell;
use std::ffi::{CString, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null;

use crate::ffi::Text;

/// What kind of error it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i32)]
pub enum Code {
    /// There was none.
    Success = 0,
    /// Input that is not valid, and all that shows only when it runs.
    Runtime = 1,
    /// Wrong use of the interface.
    Logic = 2,
    /// Out of memory.
    BadAlloc = 3,
    /// Another.
    Unknown = 4,
}

impl Code {
    /// From the number in clingo.h.
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
    /// What kind of error it is.
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
    /// What only shows when it runs.
    pub fn runtime(message: impl AsRef<str>) -> Self {
        Self::new(Code::Runtime, message)
    }
    /// Wrong use of the interface.
    pub fn logic(message: impl AsRef<str>) -> Self {
        Self::new(Code::Logic, message)
    }
    /// What the callback that failed has left in this thread.
    pub fn of_callback() -> Self {
        let left = LAST.with_borrow(Clone::clone).filter(|last| last.code != Code::Success);
        left.unwrap_or_else(|| Self::new(Code::Unknown, "a callback failed without saying why"))
    }
}

impl From<asp::Error> for Fail {
    fn from(error: asp::Error) -> Self {
        // The messages behind it go to the logger.
        Fail::runtime(error.summary())
    }
}

thread_local! {
    static LAST: RefCell<Option<Fail>> = const { RefCell::new(None) };
}

/// Leaves an error for the thread's next question.
pub fn set(fail: Fail) {
    LAST.set(Some(fail));
}

/// Runs what is behind the boundary; an error or a panic is left for the thread's next question.
pub fn guard<T>(failed: T, run: impl FnOnce() -> Result<T, Fail>) -> T {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(value)) => value,
        Ok(Err(fail)) => {
            set(fail);
            failed
        }
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no text");
            set(Fail::new(Code::Unknown, format!("internal error: {text}")));
            failed
        }
    }
}

/// [`guard`] for functions that say whether they worked.
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

/// The text of the thread's last error, null if there was none; it stays until the next error.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_error_message() -> *const c_char {
    LAST.with_borrow(|last| match last {
        Some(fail) if fail.code != Code::Success => fail.message.as_ptr(),
        _ => null(),
    })
}

/// Leaves an error of the caller's, as callbacks do.
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
