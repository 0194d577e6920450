//! Nodes and places as C sees them.
//!
//! Invariant: a pointer to a node owns one reference count. C passes only pointers that it got from here and has not
//! released.

use std::ffi::c_char;
use std::sync::Arc;

use super::node::{Ast, Location, Node, Position};
use crate::error::Fail;
use crate::ffi::Text;
use crate::symbol::{intern_text, name_of};

/// A node that C holds, or none.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Handle(*const Node);

impl Handle {
    /// A node for C, with its own reference count.
    pub fn new(ast: Ast) -> Self {
        Handle(Arc::into_raw(ast))
    }
    /// A node for the duration of a call, without its own reference count.
    pub fn borrowed(ast: &Ast) -> Self {
        Handle(Arc::as_ptr(ast))
    }
    /// A pointer to a node that C passed.
    pub fn from_pointer(pointer: *const c_char) -> Self {
        Handle(pointer.cast())
    }
    /// A node or none for C.
    pub fn optional(ast: Option<Ast>) -> Self {
        ast.map_or(Handle(std::ptr::null()), Self::new)
    }
    /// The node. An error if there is none.
    pub fn get(self) -> Result<Ast, Fail> {
        self.some().ok_or_else(|| Fail::runtime("a node is needed, and none was given"))
    }
    /// The node, if there is one.
    pub fn some(self) -> Option<Ast> {
        if self.0.is_null() {
            return None;
        }
        // SAFETY: the pointer is one of `new` and holds a count (see the head of this file), so the node lives and may be
        // counted once more.
        Some(unsafe {
            Arc::increment_strong_count(self.0);
            Arc::from_raw(self.0)
        })
    }
    /// Releases the reference count.
    pub fn release(self) {
        if !self.0.is_null() {
            // SAFETY: the pointer is one of `new`, and C gives up the count that it holds.
            drop(unsafe { Arc::from_raw(self.0) });
        }
    }
    /// The address, to tell nodes apart.
    pub fn address(self) -> usize {
        self.0 as usize
    }
}

/// A place as in clingo.h.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RawLocation {
    begin_file: *const c_char,
    end_file: *const c_char,
    begin_line: usize,
    end_line: usize,
    begin_column: usize,
    end_column: usize,
}

impl RawLocation {
    /// For C.
    pub fn new(location: &Location) -> Self {
        RawLocation {
            begin_file: name_of(location.begin.file),
            end_file: name_of(location.end.file),
            begin_line: location.begin.line,
            end_line: location.end.line,
            begin_column: location.begin.column,
            end_column: location.end.column,
        }
    }
    /// From C.
    pub fn get(&self) -> Result<Location, Fail> {
        let file = |name: *const c_char| intern_text(Text::new(name).get()?);
        let begin =
            Position { file: file(self.begin_file)?, line: self.begin_line, column: self.begin_column };
        let end = if self.end_file == self.begin_file { begin.file } else { file(self.end_file)? };
        Ok(Location { begin, end: Position { file: end, line: self.end_line, column: self.end_column } })
    }
}
