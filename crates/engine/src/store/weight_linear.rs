//! Weight constraints as linear inequalities that propagate as much as the constraint did, for cutting planes.
//!
//! A block counts with its best remaining literal, so its inequality alone says too little: if the remaining ones add at
//! most `m`, `m` times "at most one of the block" is added to it, or `-m` times "at least one" if `m` is negative. A
//! literal that reifies the sum has the degree as its coefficient. Invariant: every model satisfies the result, whatever
//! the assignment is; the assignment only chooses among such inequalities.

use crate::store::assignment::Assignment;
use crate::store::literal::Lit;
use crate::store::weight::{Constraint, Weights};

/// One direction of a constraint.
#[derive(Clone, Copy)]
struct Direction {
    /// A literal that the inequality holds without, or [`Lit::NONE`].
    escape: Lit,
    bound: i128,
    /// Whether the sum is at least the bound, not less.
    reached: bool,
}

impl Weights {
    /// The inequality by which a constraint implied a literal, or is violated ([`Lit::NONE`]): `terms` get its
    /// coefficients, which are positive, each variable once; returns its degree. `None`: none is known that propagates as
    /// much.
    pub(crate) fn linear(
        &self,
        constraint: u32,
        pivot: Lit,
        assignment: &Assignment,
        terms: &mut Vec<(Lit, i64)>,
    ) -> Option<i128> {
        let c = &self.constraints[constraint as usize];
        let before = if pivot == Lit::NONE { u32::MAX } else { assignment.position_of(pivot) };
        let is_false = |lit| assignment.is_false(lit) && assignment.position_of(lit) < before;
        let mut attempt = |direction| {
            terms.clear();
            let degree = self.inequality(c, direction, pivot, &is_false, terms)?;
            let open = terms.iter().filter(|t| t.0 != pivot && !is_false(t.0));
            let most: i128 = open.map(|t| i128::from(t.1)).sum();
            (most < degree).then_some(degree)
        };
        let at_least = |lit: Lit, bound| Direction { escape: !lit, bound, reached: true };
        let below = |lit: Lit, bound| Direction { escape: lit, bound, reached: false };
        if c.first_threshold == c.end_threshold {
            if c.reified == Lit::NONE {
                return attempt(Direction { escape: Lit::NONE, bound: c.bound, reached: true });
            }
            if pivot == !c.reified || pivot != c.reified && assignment.is_true(c.reified) {
                return attempt(at_least(c.reified, c.bound));
            }
            return if c.half { None } else { attempt(below(c.reified, c.bound)) };
        }
        let thresholds = &self.thresholds[c.first_threshold as usize..c.end_threshold as usize];
        if let Some(t) = thresholds.iter().find(|t| t.lit.var() == pivot.var()) {
            return attempt(if t.lit == pivot { below(t.lit, t.bound) } else { at_least(t.lit, t.bound) });
        }
        let highest = thresholds.iter().rev().find(|t| is_false(!t.lit));
        let lowest = thresholds.iter().find(|t| is_false(t.lit));
        let first = highest.and_then(|t| attempt(at_least(t.lit, t.bound)));
        first.or_else(|| lowest.and_then(|t| attempt(below(t.lit, t.bound))))
    }
    fn inequality(
        &self,
        c: &Constraint,
        direction: Direction,
        pivot: Lit,
        is_false: &impl Fn(Lit) -> bool,
        terms: &mut Vec<(Lit, i64)>,
    ) -> Option<i128> {
        let mut degree = if direction.reached { direction.bound } else { 1 - direction.bound };
        for t in self.singles(c) {
            if direction.reached {
                terms.push((t.lit, t.weight));
            } else {
                degree += i128::from(t.weight);
                terms.push((!t.lit, t.weight));
            }
        }
        for block in self.blocks_of(c) {
            let signed = |w: i64| if direction.reached { i128::from(w) } else { -i128::from(w) };
            let members = self.members(block);
            let open = members.iter().filter(|t| t.lit != pivot && !is_false(t.lit));
            let most = open.map(|t| signed(t.weight)).max();
            let most = if block.exact {
                most.or_else(|| members.iter().map(|t| signed(t.weight)).min()).unwrap_or(0)
            } else {
                most.unwrap_or(0).max(0)
            };
            degree -= most;
            for t in members {
                let coefficient = signed(t.weight) - most;
                let magnitude = i64::try_from(coefficient.abs()).ok()?;
                if coefficient > 0 {
                    terms.push((t.lit, magnitude));
                } else if coefficient < 0 {
                    degree += i128::from(magnitude);
                    terms.push((!t.lit, magnitude));
                }
            }
        }
        if direction.escape != Lit::NONE {
            terms.push((direction.escape, i64::try_from(degree).ok()?));
        }
        // A tautology explains nothing, and weights of one literal may be split.
        let is_split = |w: &[(Lit, i64)]| w[0].0.var() == w[1].0.var();
        (degree > 0 && !terms.windows(2).any(is_split)).then_some(degree)
    }
}
