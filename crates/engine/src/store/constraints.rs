//! Constraints beside clauses that propagate on the assignment itself, and those that wait to be installed.
//!
//! Invariant: constraints that wait propagate nothing until the search begins.

use crate::integer::store::Integers;
use crate::proof::sums::Side;
use crate::store::at_most_one::AtMostOne;
use crate::store::cuts::Cuts;
use crate::store::literal::Lit;
use crate::store::weight::Weights;

/// A weight constraint that is installed when the search begins.
#[derive(Clone, Debug)]
pub(crate) struct Staged {
    pub(crate) reified: Option<Lit>,
    pub(crate) terms: Vec<(Lit, i128)>,
    pub(crate) bound: i128,
    /// Its side in a proof: implied by `reified`, or unconditional.
    pub(crate) side: Option<Side>,
}

impl Staged {
    /// Of the two equivalent forms, `r <-> sum of w * l >= b` and `!r <-> sum of w * !l >= total - b + 1`, chooses the
    /// one whose first literal is positive, so that equal sums have equal terms. Pre: the terms are sorted.
    pub(crate) fn turn(&mut self) {
        if let Some(r) = self.reified
            && self.terms.first().is_some_and(|t| t.0.is_neg())
        {
            let total: i128 = self.terms.iter().map(|t| t.1).sum();
            self.terms.iter_mut().for_each(|t| t.0 = !t.0);
            self.bound = total - self.bound + 1;
            self.reified = Some(!r);
            self.side = self.side.map(Side::other);
        }
    }
}

/// An inequality that may be violated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Inequality {
    /// A weight constraint.
    Weight(u32),
    /// A learned one.
    Cut(u32),
}

/// At-most-one groups, weight constraints, integers with their constraints, and learned inequalities.
#[derive(Debug, Default)]
pub(crate) struct Constraints {
    pub(crate) at_most_one: AtMostOne,
    pub(crate) weights: Weights,
    /// Inequalities that were learned.
    pub(crate) cuts: Cuts,
    /// The violated inequality of the last conflict, if that is not a clause.
    pub(crate) violated: Option<Inequality>,
    pub(crate) integers: Integers,
    /// Weight constraints to be installed when the search begins.
    pub(crate) staged: Vec<Staged>,
    /// Which groups have exactly one true literal, and the numbers of groups and clauses when that was computed.
    pub(crate) exact_groups: ((usize, u64), Vec<bool>),
}
