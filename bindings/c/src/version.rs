//! Versions of the interface and of the library.

use std::ffi::{c_char, c_int};

use crate::ffi::Out;

/// The version of the interface, as text.
pub const CLINGO: &str = "5.8.3";

/// The version of the interface.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_version(major: Out<c_int>, minor: Out<c_int>, revision: Out<c_int>) {
    major.set(5);
    minor.set(8);
    revision.set(3);
}

/// The version of the engine. Not a function of clingo.h; callers can tell by it which library this is.
#[unsafe(no_mangle)]
pub extern "C" fn asp_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}
