//! Lists by literal for data that few literals have.
//!
//! Invariant: memory is used up to the greatest literal that has a list, not for every variable: in a large program few
//! variables occur in groups, sums or propagators.

use crate::store::literal::Lit;

#[derive(Clone, Debug)]
pub(crate) struct LiteralLists<T>(Vec<Vec<T>>);

impl<T> Default for LiteralLists<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> LiteralLists<T> {
    /// The list of a literal.
    #[inline]
    pub(crate) fn of(&self, lit: Lit) -> &[T] {
        self.0.get(lit.code()).map_or(&[], Vec::as_slice)
    }
    /// Appends to the list of a literal.
    pub(crate) fn push(&mut self, lit: Lit, value: T) {
        if self.0.len() <= lit.code() {
            self.0.resize_with(lit.code() + 1, Vec::new);
        }
        self.0[lit.code()].push(value);
    }
    /// All lists that may be non-empty.
    pub(crate) fn lists_mut(&mut self) -> impl Iterator<Item = &mut Vec<T>> {
        self.0.iter_mut()
    }
}
