//! At-most-one groups: when a literal becomes true, the others of its group become false.
//!
//! A group is a list, without watches or counters. The consequence `!b` of `a` has the binary reason `a`, so conflict
//! analysis sees the same as if all pairs were clauses, in linear memory. Invariant: groups have three or more literals
//! of different variables; at a fixpoint no group has two true literals, or a true and a free one.

use crate::store::assignment::{Assignment, Reason};
use crate::store::literal::Lit;
use crate::store::literal_lists::LiteralLists;
use asp_base::csr::Csr;

/// All groups.
#[derive(Debug, Default)]
pub(crate) struct AtMostOne {
    /// By group: its literals.
    members: Csr<Lit>,
    /// By literal: the groups that contain it.
    of: LiteralLists<u32>,
}

impl AtMostOne {
    /// Number of groups.
    pub(crate) fn len(&self) -> usize {
        self.members.len()
    }
    /// Adds a group. Pre: three or more literals, no variable twice.
    pub(crate) fn add(&mut self, literals: &[Lit]) {
        debug_assert!(literals.len() >= 3);
        let group = self.len() as u32;
        for &lit in literals {
            self.of.push(lit, group);
        }
        self.members.push_row(literals);
    }
    /// The groups that contain a literal.
    #[inline]
    pub(crate) fn groups_of(&self, lit: Lit) -> &[u32] {
        self.of.of(lit)
    }
    /// The literals of a group.
    #[inline]
    pub(crate) fn members(&self, group: u32) -> &[Lit] {
        self.members.row(group as usize)
    }
    /// Whether one group contains all these literals.
    pub(crate) fn has_all(&self, literals: &[Lit]) -> bool {
        let Some(&first) = literals.first() else { return false };
        self.groups_of(first).iter().any(|g| literals.iter().all(|&lit| self.groups_of(lit).contains(g)))
    }
    /// Propagates a literal that became true. A conflict is a pair of true literals.
    #[inline]
    pub(crate) fn propagate(&self, lit: Lit, assignment: &mut Assignment) -> Result<(), Lit> {
        for &group in self.groups_of(lit) {
            for &other in self.members(group) {
                let value = assignment.value(other);
                if value >= 0 && other != lit {
                    if value > 0 {
                        return Err(other);
                    }
                    assignment.assign(!other, Reason::binary(!lit));
                }
            }
        }
        Ok(())
    }

    /// No group has two true literals, or a true and a free one. Pre: propagation is at a fixpoint.
    #[cfg(debug_assertions)]
    pub(crate) fn check(&self, assignment: &Assignment) {
        for group in 0..self.len() as u32 {
            let members = self.members(group);
            let t = members.iter().filter(|&&l| assignment.is_true(l)).count();
            let free = members.iter().filter(|&&l| assignment.is_free(l)).count();
            assert!(t == 0 || t == 1 && free == 0, "at-most-one group {members:?} is not propagated");
        }
    }
}
