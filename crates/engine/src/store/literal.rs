//! Variables and literals of the search engine.
//!
//! Invariant: a literal is its variable shifted left by one, with the sign in the low bit, so that a literal and its
//! complement are adjacent in every array indexed by [`Lit::code`].

use std::fmt;
use std::ops::Not;

asp_base::define_index! {
    /// A propositional variable of the engine.
    pub struct Var
}

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    /// No literal; never stored on the trail or in a clause.
    pub const NONE: Lit = Lit(u32::MAX);

    /// The literal of a variable with a sign.
    #[inline]
    pub fn new(var: Var, negative: bool) -> Lit {
        Lit(var.0 << 1 | u32::from(negative))
    }
    /// The positive literal of a variable.
    #[inline]
    pub fn pos(var: Var) -> Lit {
        Lit(var.0 << 1)
    }
    /// The negative literal of a variable.
    #[inline]
    pub fn neg(var: Var) -> Lit {
        Lit(var.0 << 1 | 1)
    }
    /// The variable, without the sign.
    #[inline]
    pub fn var(self) -> Var {
        Var(self.0 >> 1)
    }
    /// Whether it is a negation.
    #[inline]
    pub fn is_neg(self) -> bool {
        self.0 & 1 == 1
    }
    /// The position in arrays by literal.
    #[inline]
    pub fn code(self) -> usize {
        self.0 as usize
    }
    /// The literal of a [`Lit::code`].
    #[inline]
    pub fn from_code(code: usize) -> Lit {
        debug_assert!(u32::try_from(code).is_ok());
        Lit(code as u32)
    }
    /// The literal as a word of the clause arena.
    #[inline]
    pub(crate) fn word(self) -> u32 {
        self.0
    }
    /// The literal of a [`Lit::word`].
    #[inline]
    pub(crate) fn from_word(word: u32) -> Lit {
        Lit(word)
    }
}

impl Not for Lit {
    type Output = Lit;
    #[inline]
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_neg() { "-" } else { "" }, self.var().0)
    }
}
