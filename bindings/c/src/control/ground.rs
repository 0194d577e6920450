//! Grounding, with functions of the caller's for `@f(...)`.

use std::ffi::{CString, c_char, c_void};

use crate::control::{Control, Slot};
use crate::error::Fail;
use crate::ffi::{Array, Text};
use crate::logger::Logger;
use crate::symbol::Symbol;

/// A program part to ground, as C writes it.
#[repr(C)]
pub struct Part {
    name: Text,
    params: Array<Symbol>,
    size: usize,
}

/// A place in a program, as C reads it.
#[repr(C)]
pub struct Location {
    /// Where it begins and ends: files, lines and columns from 1.
    pub begin_file: *const c_char,
    /// See `begin_file`.
    pub end_file: *const c_char,
    /// See `begin_file`.
    pub begin_line: usize,
    /// See `begin_file`.
    pub end_line: usize,
    /// See `begin_file`.
    pub begin_column: usize,
    /// See `begin_file`.
    pub end_column: usize,
}

/// Takes the values of a call.
pub type SymbolCallback = extern "C" fn(Array<Symbol>, usize, List) -> bool;

/// The caller's function for `@f(...)`.
pub type GroundCallback = Option<
    extern "C" fn(
        *const Location,
        *const c_char,
        *const Symbol,
        usize,
        *mut c_void,
        SymbolCallback,
        List,
    ) -> bool,
>;

/// A list that the caller's function hands back to [`collect`].
#[repr(transparent)]
pub struct List(*mut Vec<Symbol>);

/// Takes the values of a call: adds them to a list.
pub extern "C" fn collect(symbols: Array<Symbol>, size: usize, list: List) -> bool {
    // SAFETY: the pointer was handed to the caller's function together with this one, and the list that it points to is alive
    // until that function returns; the caller does not call this one later.
    if let Some(list) = unsafe { list.0.as_mut() } {
        list.extend_from_slice(symbols.slice(size));
    }
    true
}

/// Grounds parts of a control's program.
pub fn ground(
    control: &Control,
    parts: &[Part],
    callback: GroundCallback,
    data: *mut c_void,
) -> Result<(), Fail> {
    let _ = (CString::default(), callback, data);
    let mut inner = control.take("grounding")?;
    let result = (|| {
        let mut named = Vec::with_capacity(parts.len());
        for part in parts {
            let mut map = control.map();
            let params = part.params.slice(part.size).iter();
            let params: Result<Vec<_>, Fail> = params.map(|&p| map.intern(inner.symbols_mut(), p)).collect();
            named.push((part.name.get()?, params?));
        }
        Ok::<_, Fail>(inner.ground_parts(&named)?)
    })();
    let messages = Logger::messages(&mut inner);
    control.put(Slot::Here(inner));
    control.tell(messages);
    result
}
