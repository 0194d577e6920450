//! Constraints on weighted sums, `sum of w * l >= bound` with positive weights, in normal form.
//!
//! Equal literals are merged, weights are saturated at the bound, constraints simpler than a sum are recognised, and
//! the others are divided by the greatest common divisor of their weights. Invariant: each step keeps the set of
//! assignments that satisfy the constraint. Sources: Eén and Sörensson, *Translating pseudo-Boolean constraints into
//! SAT*, JSAT 2006, section on normalisation; Gebser, Kaminski, Kaufmann and Schaub, *On the implementation of weight
//! constraint rules in conflict-driven ASP solvers*, ICLP 2009.

/// The simplest equivalent of a constraint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// It holds always.
    True,
    /// It holds never.
    False,
    /// All of the literals have to hold.
    All,
    /// One of the literals (at least two) has to hold.
    Any,
    /// Nothing simpler than a sum.
    Sum,
}

/// Sorts the literals and merges equal ones, adding their weights; literals of weight 0 are dropped. Complementary
/// literals stay apart: inside a loop of a program they are not a constant.
pub fn merge<L: Copy + Ord>(items: &mut Vec<(L, i128)>) {
    items.sort_unstable_by_key(|i| i.0);
    items.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        kept.1 += if same { next.1 } else { 0 };
        same
    });
    items.retain(|i| i.1 != 0);
}

/// Lowers weights above the bound to the bound. Pre: the bound is positive.
pub fn saturate<L>(bound: i128, items: &mut [(L, i128)]) {
    debug_assert!(bound > 0);
    items.iter_mut().for_each(|i| i.1 = i.1.min(bound));
}

/// The shape of a constraint. Pre: its weights are positive and saturated, if its bound is positive.
pub fn shape<L>(bound: i128, items: &[(L, i128)]) -> Shape {
    if bound <= 0 {
        return Shape::True;
    }
    let total: i128 = items.iter().map(|i| i.1).sum();
    let least = items.iter().map(|i| i.1).min().unwrap_or(0);
    if total < bound {
        Shape::False
    } else if total - least < bound {
        Shape::All
    } else if least == bound {
        Shape::Any
    } else {
        Shape::Sum
    }
}

/// Divides the weights by their greatest common divisor and returns the new bound, to which weights equal to the old
/// bound are set. Pre: the bound is positive, the weights are positive and saturated.
pub fn divide<L>(bound: i128, items: &mut [(L, i128)]) -> i128 {
    let mut divisor = 0;
    for weight in items.iter().map(|i| i.1).filter(|&w| w < bound) {
        divisor = gcd(divisor, weight);
        if divisor == 1 {
            return bound;
        }
    }
    // Each literal suffices alone: the same as a bound of 1.
    let divisor = if divisor == 0 { bound } else { divisor };
    let divided = (bound + divisor - 1) / divisor;
    items.iter_mut().for_each(|i| i.1 = if i.1 == bound { divided } else { i.1 / divisor });
    divided
}

/// The greatest common divisor, by Euclid's algorithm; it may be negative.
pub fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// Whether a constraint holds when exactly the literals in a bit set do.
    fn holds(bound: i128, items: &[(u32, i128)], set: u32) -> bool {
        items.iter().filter(|i| set >> i.0 & 1 == 1).map(|i| i.1).sum::<i128>() >= bound
    }

    #[test]
    fn each_step_keeps_what_satisfies_the_constraint() {
        let mut rng = Rng::new(7);
        let mut seen = [0; 5];
        for _ in 0..3000 {
            let factor = 1 + rng.below(3) as i128;
            let item = |rng: &mut Rng| (rng.below(5) as u32, factor * rng.below(6) as i128);
            let count = rng.below(7);
            let given: Vec<(u32, i128)> = (0..count).map(|_| item(&mut rng)).collect();
            let bound = rng.below(30) as i128 - 1;
            let expected: Vec<bool> = (0..32).map(|set| holds(bound, &given, set)).collect();
            let mut items = given.clone();
            merge(&mut items);
            assert!(items.is_sorted_by(|a, b| a.0 < b.0) && items.iter().all(|i| i.1 > 0));
            if bound > 0 {
                saturate(bound, &mut items);
            }
            let what = shape(bound, &items);
            seen[what as usize] += 1;
            let divided = if bound > 0 { divide(bound, &mut items) } else { bound };
            for (set, &expected) in (0u32..).zip(&expected) {
                let is_in = |i: &(u32, i128)| set >> i.0 & 1 == 1;
                let simple = match what {
                    Shape::True => true,
                    Shape::False => false,
                    Shape::All => items.iter().all(is_in),
                    Shape::Any => items.iter().any(is_in),
                    Shape::Sum => expected,
                };
                assert_eq!(simple, expected, "{what:?}: {given:?} >= {bound}");
                assert_eq!(holds(divided, &items, set), expected, "{given:?} >= {bound} divided: {items:?}");
            }
            // A proper sum is none of the simpler shapes.
            if what == Shape::Sum {
                let says = |f: &dyn Fn(u32) -> bool| (0u32..32).zip(&expected).all(|(s, &e)| f(s) == e);
                let is_in = |i: &(u32, i128), s: u32| s >> i.0 & 1 == 1;
                assert!(!says(&|_| true) && !says(&|_| false));
                assert!(!says(&|s| items.iter().all(|i| is_in(i, s))));
                assert!(!says(&|s| items.iter().any(|i| is_in(i, s))));
            }
        }
        assert!(seen.iter().all(|&n| n > 20), "{seen:?}");
    }
}
