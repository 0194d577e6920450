//! The external atoms of a program with their values.
//!
//! Invariant: an atom's last value counts, and an atom that was released stays so, whoever gives it a value later: a step, a
//! backend or a caller.

use std::ops::Deref;

use crate::atom_table::AtomId;
use crate::ground_program::ExternalValue;
use asp_base::map::Set;

/// External atoms with their values, in order.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Externals {
    values: Vec<(AtomId, ExternalValue)>,
    released: Set<AtomId>,
}

impl Externals {
    /// Gives an atom a value, or releases it; returns whether it had not been released before, without effect if so.
    pub fn push(&mut self, atom: AtomId, value: ExternalValue) -> bool {
        let is_new = match value {
            ExternalValue::Release => self.released.insert(atom),
            _ => !self.released.contains(&atom),
        };
        if is_new {
            self.values.push((atom, value));
        }
        is_new
    }

    /// Drops those from an index on for which `keep`, which is asked in order, says no.
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
}
