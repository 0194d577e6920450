//! Products: a variable is the product of two others, or the square of one.
//!
//! The bounds of each follow from those of the others by interval arithmetic. The explanation weakens each bound towards
//! the root as far as the conclusion still follows, which is monotone in the intervals. Source: `base/interval.rs`; for
//! weakened explanations, Schutt, Feydy, Stuckey and Wallace, *Explaining the cumulative propagator*, Constraints 2011.

use super::{Bound, Finding, Past};
use crate::integer::store::{Int, Side};
use asp_base::interval::{Interval, meet, product, quotient, root, square};

/// The product, and its factors, which may be the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Product {
    /// What the factors give.
    pub product: Int,
    /// The same variable twice for a square.
    pub factors: [Int; 2],
}

impl Product {
    pub(super) fn ints(&self) -> [Int; 3] {
        [self.product, self.factors[0], self.factors[1]]
    }

    /// The intervals of the product and its factors, by the least values of sides.
    fn intervals(&self, least: impl Fn(Side) -> i64) -> [Interval; 3] {
        self.ints().map(|int| {
            let of = |negative: bool| i128::from(least(Side::of(int, negative)));
            (of(false), -of(true))
        })
    }

    /// What is left of the intervals; `None` if nothing is.
    fn narrowed(&self, [p, x, y]: [Interval; 3]) -> Option<[Interval; 3]> {
        if self.factors[0] == self.factors[1] {
            let x = meet(x, y)?;
            let factor = root(p, 2, x)?;
            return Some([meet(p, square(x))?, factor, factor]);
        }
        Some([meet(p, product(x, y))?, quotient(p, y, x)?, quotient(p, x, y)?])
    }

    pub(super) fn propagate(&self, least: &[i64], found: &mut Vec<Finding>) -> u64 {
        let old = self.intervals(|side| least[side.at()]);
        let Some(new) = self.narrowed(old) else {
            found.push(Finding::VIOLATED);
            return 3;
        };
        for ((int, old), new) in self.ints().into_iter().zip(old).zip(new) {
            // They lie within the old ones.
            if new.0 > old.0 {
                found.push(Finding::of((Side::of(int, false), new.0 as i64)));
            }
            if new.1 < old.1 {
                found.push(Finding::of((Side::of(int, true), -new.1 as i64)));
            }
        }
        3
    }

    pub(super) fn explain(&self, finding: Finding, past: Past, bounds: &mut Vec<Bound>) {
        let mut sides: Vec<Side> =
            self.ints().iter().flat_map(|&i| [Side::of(i, false), Side::of(i, true)]).collect();
        sides.sort_unstable();
        sides.dedup();
        let mut used: Vec<Bound> = sides.into_iter().map(|s| (s, past.least(s))).collect();
        let follows = |used: &[Bound]| {
            let of = |side: Side| used.iter().find(|b| b.0 == side).map_or(0, |b| b.1);
            let narrowed = self.narrowed(self.intervals(of));
            let (Some(new), Some((side, value))) = (narrowed, finding.bound) else {
                return narrowed.is_none();
            };
            let at = self.ints().iter().position(|&i| i == side.int()).unwrap_or(0);
            let least = if side.is_negative() { -new[at].1 } else { new[at].0 };
            least >= value.into()
        };
        debug_assert!(follows(&used), "{finding:?} does not follow from {used:?}");
        for at in 0..used.len() {
            // It follows from the upper one.
            let (mut lower, mut upper) = (past.root(used[at].0), used[at].1);
            used[at].1 = lower;
            if follows(&used) {
                continue;
            }
            while upper - lower > 1 {
                let middle = lower + (upper - lower) / 2;
                used[at].1 = middle;
                *(if follows(&used) { &mut upper } else { &mut lower }) = middle;
            }
            used[at].1 = upper;
        }
        bounds.extend(used);
    }
}
