//! Values that cross the boundary: pointers from C as types with safe methods.
//!
//! Invariant: values of these types are made only by C callers, who promise in clingo.h that a pointer points to what
//! its type says for the duration of the call; null is always allowed and means that there is nothing to read or
//! nowhere to write.

use std::ffi::{CStr, CString, c_char};

use crate::error::{Code, Fail};

/// Where a function writes a result.
#[repr(transparent)]
pub struct Out<T>(*mut T);

impl<T> Out<T> {
    /// Writes the result.
    pub fn set(&self, value: T) {
        if !self.0.is_null() {
            // SAFETY: the caller says that the pointer may be written to (see the head of this file).
            unsafe { self.0.write(value) }
        }
    }
    /// Writes several results into an array of `size` elements. An error if it is too short.
    pub fn fill(&self, values: &[T], size: usize) -> Result<(), Fail>
    where
        T: Copy,
    {
        if size < values.len() {
            return Err(Fail::new(Code::Runtime, "the array is too short"));
        }
        if !self.0.is_null() {
            // SAFETY: the caller says that the array has `size` places, which are enough; it is no memory of ours.
            unsafe { std::ptr::copy_nonoverlapping(values.as_ptr(), self.0, values.len()) }
        }
        Ok(())
    }
}

impl Out<c_char> {
    /// Writes a text and a 0 after it into an array of `size` bytes. An error if it is too short, or if the text has a 0.
    pub fn text(&self, text: &str, size: usize) -> Result<(), Fail> {
        if size < text.len() + 1 {
            return Err(Fail::new(Code::Runtime, "the array is too short for the text"));
        }
        let text = text_for_c(text)?;
        if !self.0.is_null() {
            let bytes = text.as_bytes_with_nul();
            // SAFETY: the caller says that the array has `size` places, which are enough for the text and a 0.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr().cast(), self.0, bytes.len()) }
        }
        Ok(())
    }
}

/// The beginning of an array.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Array<T>(*const T);

impl<T> Array<T> {
    /// A pointer to an array that C passed.
    pub fn new(pointer: *const T) -> Self {
        Array(pointer)
    }
    /// The array with the length that was passed with it.
    pub fn slice<'a>(self, size: usize) -> &'a [T] {
        if self.0.is_null() || size == 0 {
            return &[];
        }
        // SAFETY: the caller says that there are `size` values, which stay as they are for the call.
        unsafe { std::slice::from_raw_parts(self.0, size) }
    }
    /// The value, if there is one.
    pub fn get<'a>(self) -> Option<&'a T> {
        // SAFETY: the caller says that it points to a value, which stays as it is for the call.
        unsafe { self.0.as_ref() }
    }
    /// Whether the pointer is null.
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }
}

/// A text as C reads it. An error if it has a 0 itself, where it would end.
pub fn text_for_c(text: &str) -> Result<CString, Fail> {
    CString::new(text).map_err(|_| Fail::runtime("a text contains a byte 0"))
}

/// A text terminated by 0.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Text(*const c_char);

impl From<*const c_char> for Text {
    fn from(text: *const c_char) -> Self {
        Self(text)
    }
}

impl Text {
    /// A pointer to a text that C passed.
    pub fn new(pointer: *const c_char) -> Self {
        Text(pointer)
    }
    /// The text; empty if the pointer is null. An error if it is not UTF-8.
    pub fn get<'a>(self) -> Result<&'a str, Fail> {
        self.bytes().and_then(|bytes| {
            std::str::from_utf8(bytes).map_err(|_| Fail::new(Code::Runtime, "the text is no valid UTF-8"))
        })
    }
    /// The text as bytes; empty if the pointer is null.
    pub fn bytes<'a>(self) -> Result<&'a [u8], Fail> {
        if self.0.is_null() {
            return Ok(&[]);
        }
        // SAFETY: the caller says that the text ends with 0, and stays as it is for the call.
        Ok(unsafe { CStr::from_ptr(self.0) }.to_bytes())
    }
    /// Whether the pointer is null.
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }
}
