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
pub type SymbolCallback = extern "C" fn(*const Symbol, usize, *mut c_void) -> bool;

/// The caller's function for `@f(...)`.
pub type GroundCallback = Option<
    extern "C" fn(
        *const Location,
        *const c_char,
        *const Symbol,
        usize,
        *mut c_void,
        SymbolCallback,
        *mut c_void,
    ) -> bool,
>;

/// Takes the values of a call: adds them to a list.
pub extern "C" fn collect(symbols: *const Symbol, size: usize, list: *mut c_void) -> bool {
    if !symbols.is_null() && size > 0 {
        // SAFETY: the pointer is to the list that was handed to the caller's function together with this one, which is
        // alive until that function returns; the array is the caller's and has the length that it says.
        unsafe { (*list.cast::<Vec<Symbol>>()).extend_from_slice(std::slice::from_raw_parts(symbols, size)) }
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
