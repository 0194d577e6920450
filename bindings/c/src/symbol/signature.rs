//! Signatures: names with arities, as 64-bit handles.
//!
//! Invariant: a signature is a constant of the symbol table together with its arity, so equal signatures are the same.

use std::cmp::Ordering;
use std::ffi::c_char;
use std::ptr::null;

use super::{Symbol, SymbolKind, name_of};
use crate::error::{Fail, guard, ok};
use crate::ffi::{Out, Text};

/// A name, an arity and a sign.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signature(u64);

/// Bits of the arity in the handle, beside the row of the name.
const ARITY_BITS: u32 = 24;

impl Signature {
    /// A signature from its parts.
    pub fn new(name: &str, arity: u32, positive: bool) -> Result<Self, Fail> {
        if arity >> ARITY_BITS != 0 {
            return Err(Fail::runtime("the arity is too large"));
        }
        let row = Symbol::function(name, &[], !positive)?.raw() >> 3;
        Ok(Self(row << ARITY_BITS | u64::from(arity)))
    }
    /// Its name, and whether it is positive.
    pub fn name(self) -> Result<(&'static str, bool), Fail> {
        match Symbol::of_row(self.0 >> ARITY_BITS).kind()? {
            SymbolKind::Function { name, negative, .. } => Ok((name, !negative)),
            _ => Err(Fail::runtime("this handle stands for no signature")),
        }
    }
    pub fn arity(self) -> u32 {
        (self.0 & ((1 << ARITY_BITS) - 1)) as u32
    }
    fn order(self, other: Self) -> Ordering {
        let key = |s: Self| s.name().map_or((false, 0, ""), |(name, positive)| (!positive, s.arity(), name));
        key(self).cmp(&key(other))
    }
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_signature_create(
    name: Text,
    arity: u32,
    positive: bool,
    signature: Out<Signature>,
) -> bool {
    ok(|| {
        signature.set(Signature::new(name.get()?, arity, positive)?);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_signature_name(signature: Signature) -> *const c_char {
    guard(null(), || Ok(name_of(signature.name()?.0)))
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_signature_arity(signature: Signature) -> u32 {
    signature.arity()
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_signature_is_positive(signature: Signature) -> bool {
    guard(false, || Ok(signature.name()?.1))
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_signature_is_negative(signature: Signature) -> bool {
    guard(false, || Ok(!signature.name()?.1))
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_signature_is_equal_to(a: Signature, b: Signature) -> bool {
    a == b
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_signature_is_less_than(a: Signature, b: Signature) -> bool {
    guard(false, || Ok(a.order(b) == Ordering::Less))
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_signature_hash(signature: Signature) -> usize {
    guard(0, || {
        let (name, positive) = signature.name()?;
        Ok((Symbol::function(name, &[], !positive)?.hash() as usize).rotate_left(7)
            ^ signature.arity() as usize)
    })
}
