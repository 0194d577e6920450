//! The external atoms of a program with their values.
//!
//! Invariants: an atom's last value counts; a released atom stays so, whoever sets it later: a step, a backend or a caller;
//! an atom that a call has seen cannot become external.

use std::ops::Deref;

use crate::atom_table::AtomId;
use crate::ground_program::ExternalValue;
use asp_base::map::Set;

/// External atoms with their values, in order.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Externals {
    values: Vec<(AtomId, ExternalValue)>,
    released: Set<AtomId>,
    /// Those with values.
    open: Set<AtomId>,
    /// Those that calls have seen but that may be declared all the same.
    reopened: Set<AtomId>,
    /// How many atoms calls have seen.
    seen: usize,
}

impl Externals {
    /// Declares an atom with a value, or releases it; returns whether that has an effect: the atom has not been released, and
    /// it has a value, or no call has seen it.
    pub fn push(&mut self, atom: AtomId, value: ExternalValue) -> bool {
        let has_effect = (!self.is_settled(atom) || self.reopened.contains(&atom))
            && match value {
                ExternalValue::Release => self.released.insert(atom),
                _ => !self.released.contains(&atom),
            };
        if has_effect {
            self.open.insert(atom);
            self.values.push((atom, value));
        }
        has_effect
    }

    /// Gives an atom another value, or releases it: as [`push`](Self::push), but it is not declared again.
    pub fn assign(&mut self, atom: AtomId, value: ExternalValue) -> bool {
        !self.is_settled(atom) && self.push(atom, value)
    }

    /// A call sees the program's `atoms` atoms.
    pub fn end_step(&mut self, atoms: usize) {
        self.seen = atoms;
    }

    /// Whether a call has seen an atom that was not external, so that it cannot become so.
    pub fn is_settled(&self, atom: AtomId) -> bool {
        (atom.0 as usize) < self.seen && !self.open.contains(&atom)
    }

    /// Lets an atom be declared as if no call had seen it.
    pub fn reopen(&mut self, atom: AtomId) {
        self.reopened.insert(atom);
    }

    /// Drops those from an index on that `keep`, called in order, rejects.
    pub(crate) fn retain_from(&mut self, from: usize, mut keep: impl FnMut(AtomId) -> bool) {
        for (atom, value) in self.values.split_off(from) {
            if keep(atom) {
                self.values.push((atom, value));
            } else {
                self.released.remove(&atom);
            }
        }
    }
}

impl Deref for Externals {
    type Target = [(AtomId, ExternalValue)];

    fn deref(&self) -> &Self::Target {
        &self.values
    }
}

impl<'a> IntoIterator for &'a Externals {
    type Item = &'a (AtomId, ExternalValue);
    type IntoIter = std::slice::Iter<'a, (AtomId, ExternalValue)>;

    fn into_iter(self) -> Self::IntoIter {
        self.values.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_released_stays_released() {
        let (a, b) = (AtomId(0), AtomId(1));
        let mut externals = Externals::default();
        assert!(externals.push(a, ExternalValue::True) && externals.push(b, ExternalValue::Free));
        assert!(externals.push(a, ExternalValue::Release));
        assert!(!externals.push(a, ExternalValue::True) && !externals.push(a, ExternalValue::Release));
        externals.retain_from(1, |atom| atom != a);
        assert_eq!(*externals, [(a, ExternalValue::True), (b, ExternalValue::Free)]);
        assert!(externals.push(a, ExternalValue::False));
    }

    #[test]
    fn what_calls_have_seen_becomes_external_no_more() {
        let (a, b, c) = (AtomId(0), AtomId(1), AtomId(2));
        let mut externals = Externals::default();
        assert!(externals.push(a, ExternalValue::Free));
        externals.end_step(2);
        assert!(externals.is_settled(b) && !externals.push(b, ExternalValue::True));
        assert!(externals.push(a, ExternalValue::True) && externals.push(c, ExternalValue::Free));
        assert_eq!(externals.len(), 3);
        externals.reopen(b);
        assert!(!externals.assign(b, ExternalValue::True) && externals.push(b, ExternalValue::True));
    }
}
