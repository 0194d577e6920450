//! Products and quotients of intervals of integers.
//!
//! Invariant: a result is the smallest interval of the integers in question (in a quotient, the other factor may be any
//! real number of its interval), so smaller operands give smaller results. Source: Apt and Zoeteweij, *An analysis of
//! arithmetic constraints on integer intervals*, Constraints 2007.

/// The integers from the first number to the second. Numbers have at most 63 bits, so that products fit.
pub type Interval = (i128, i128);

fn hull(numbers: impl Iterator<Item = i128>) -> Interval {
    numbers.fold((i128::MAX, i128::MIN), |r, n| (r.0.min(n), r.1.max(n)))
}

/// The intersection, unless it is empty.
pub fn meet(a: Interval, b: Interval) -> Option<Interval> {
    let both = (a.0.max(b.0), a.1.min(b.1));
    (both.0 <= both.1).then_some(both)
}

/// All products of a number of one and a number of the other.
pub fn product(a: Interval, b: Interval) -> Interval {
    hull([a.0, a.1].into_iter().flat_map(|x| [b.0, b.1].map(|y| x.saturating_mul(y))))
}

/// The numbers `x` of an interval for which `x * y` can be one of the products.
pub fn quotient(product: Interval, y: Interval, x: Interval) -> Option<Interval> {
    if product.0 <= 0 && 0 <= product.1 && y.0 <= 0 && 0 <= y.1 {
        return Some(x);
    }
    let positive = |(least, greatest): Interval, y: Interval| {
        let low = if least >= 0 { y.1 } else { y.0 };
        let high = if greatest >= 0 { y.0 } else { y.1 };
        // Rounded up, and down.
        meet((-(-least).div_euclid(low), greatest.div_euclid(high)), x)
    };
    let above = meet(y, (1, i128::MAX)).and_then(|y| positive(product, y));
    let below = meet(y, (i128::MIN, -1)).and_then(|y| positive((-product.1, -product.0), (-y.1, -y.0)));
    join(above, below)
}

/// All squares.
pub fn square(x: Interval) -> Interval {
    let ends = hull([x.0, x.1].into_iter().map(|n| n.saturating_mul(n)));
    if x.0 <= 0 && 0 <= x.1 { (0, ends.1) } else { ends }
}

/// The numbers of `x` whose power lies in `power`.
pub fn root(power: Interval, exponent: u32, x: Interval) -> Option<Interval> {
    if exponent == 1 {
        return meet(power, x);
    }
    // The greatest number of at least 0 whose power is at most another one.
    let floor = |n: i128| {
        let (mut low, mut high) = (0i128, 1i128 << 64);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            let fits = middle.checked_pow(exponent).is_some_and(|p| p <= n);
            *(if fits { &mut low } else { &mut high }) = middle;
        }
        low
    };
    let positive = |(least, greatest): Interval, x: Interval| {
        let least = if least <= 0 { 0 } else { floor(least - 1) + 1 };
        if greatest < 0 { None } else { meet(x, (least, floor(greatest))) }
    };
    let mirrored = if exponent.is_multiple_of(2) { power } else { (-power.1, -power.0) };
    let below = positive(mirrored, (-x.1, -x.0)).map(|(low, high)| (-high, -low));
    join(positive(power, x), below)
}

fn join(a: Option<Interval>, b: Option<Interval>) -> Option<Interval> {
    match (a, b) {
        (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against all numbers.
    #[test]
    fn intervals_are_those_of_their_members() {
        let intervals = || (-4i128..5).flat_map(|a| (a..5).map(move |b| (a, b)));
        let of = |numbers: Vec<i128>| {
            let hull = hull(numbers.into_iter());
            (hull.0 <= hull.1).then_some(hull)
        };
        for x in intervals() {
            assert_eq!(Some(square(x)), of((x.0..=x.1).map(|n| n * n).collect()));
            for p in intervals().map(|p| (p.0 * 3, p.1 * 3 + 1)) {
                for exponent in 1..5 {
                    let within = |n: &i128| p.0 <= n.pow(exponent) && n.pow(exponent) <= p.1;
                    let expected = of((x.0..=x.1).filter(within).collect());
                    assert_eq!(root(p, exponent, x), expected, "{p:?} {exponent} {x:?}");
                }
            }
            for y in intervals() {
                let all = (x.0..=x.1).flat_map(|a| (y.0..=y.1).map(move |b| a * b));
                assert_eq!(Some(product(x, y)), of(all.collect()));
                for p in intervals().map(|p| (p.0 * 3, p.1 * 3 + 1)) {
                    let within = |a: &i128| (y.0..=y.1).any(|b| p.0 <= a * b && a * b <= p.1);
                    let members = of((x.0..=x.1).filter(within).collect());
                    let found = quotient(p, y, x);
                    // Products between those of two integers may be missing.
                    let holds = |m: Interval| found.is_some_and(|f| f.0 <= m.0 && m.1 <= f.1);
                    assert!(members.is_none_or(holds), "{p:?} / {y:?} in {x:?}: {found:?}");
                    if y.0 == y.1 {
                        assert_eq!(found, members, "{p:?} / {y:?} in {x:?}");
                    }
                }
            }
        }
    }
}
