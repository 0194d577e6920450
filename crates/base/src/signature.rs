//! Predicate signatures: name, arity and the sign of classical negation.

use super::symbol::StrId;

/// `name/arity`, or `-name/arity` if `negative`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Signature {
    /// The predicate's name.
    pub name: StrId,
    /// Number of arguments.
    pub arity: u32,
    /// Whether it is the classically negated predicate.
    pub negative: bool,
}
