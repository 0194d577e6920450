//! The intervals of integers that the guards of a sum allow.
//!
//! Invariant: intervals are ascending, not empty, and do not touch.

use super::ground_program::{Guard, Relation};
use asp_base::symbol::{Sym, Symbols};

/// An interval of values, both ends inclusive.
pub(crate) type Interval = (i128, i128);

/// The integers from `least` to `greatest` that satisfy all guards.
pub fn sum_intervals(guards: &[Guard], least: i128, greatest: i128, symbols: &Symbols) -> Vec<Interval> {
    let (mut low, mut high) = (least, greatest);
    let mut holes = Vec::new();
    for guard in guards {
        let Some(bound) = symbols.as_num(guard.term) else {
            // All integers compare alike to a term that is not an integer.
            let zero = Sym::small(0).unwrap_or(Sym::INF);
            if !guard.relation.holds(symbols.cmp(zero, guard.term)) {
                return Vec::new();
            }
            continue;
        };
        let bound = i128::from(bound);
        match guard.relation {
            Relation::Less => high = high.min(bound - 1),
            Relation::LessEqual => high = high.min(bound),
            Relation::Greater => low = low.max(bound + 1),
            Relation::GreaterEqual => low = low.max(bound),
            Relation::Equal => (low, high) = (low.max(bound), high.min(bound)),
            Relation::NotEqual => holes.push(bound),
        }
    }
    holes.sort_unstable();
    gaps((low, high), holes.into_iter().filter(|hole| (low..=high).contains(hole)).map(|hole| (hole, hole)))
}

/// The parts of a range outside some intervals, which are ascending and inside the range.
pub(crate) fn gaps((mut low, high): Interval, taken: impl Iterator<Item = Interval>) -> Vec<Interval> {
    let mut left = Vec::new();
    for (from, to) in taken {
        if low < from {
            left.push((low, from - 1));
        }
        low = to + 1;
    }
    if low <= high {
        left.push((low, high));
    }
    left
}
