//! Equations with few free variables: propagation by congruences.
//!
//! With the other variables fixed, `a*x + b*y = c` implies `a*x = c` modulo `b`. So `x` lies in a residue class, and its
//! bounds move to the nearest members; if there are none, the equation is violated. With several free variables, the
//! greatest common divisor of the other factors is the modulus. The sums of the equation do the rest. Source: Knuth, *The
//! Art of Computer Programming* 2, section 4.5.2, for Euclid's algorithm and linear congruences.

use super::{Bound, Finding, Past, View};
use crate::integer::store::Int;

/// Multiples of variables, each once, and their sum.
#[derive(Clone, Debug)]
pub struct Congruence {
    /// Factors and variables, each variable once.
    pub terms: Vec<(i64, Int)>,
    /// What the multiples add up to.
    pub sum: i64,
}

/// With more open variables remainders hardly ever tell anything.
const MAX_OPEN: usize = 3;

impl Congruence {
    pub(super) fn view(int: Int) -> View {
        View::new(int, false, 0)
    }

    pub(super) fn propagate(&self, least: &[i64], found: &mut Vec<Finding>) -> u64 {
        let mut open: Vec<usize> = Vec::new();
        let mut rest = i128::from(self.sum);
        for (at, &(factor, int)) in self.terms.iter().enumerate() {
            let view = Self::view(int);
            let low = view.least(least);
            if low < view.greatest(least) {
                open.push(at);
            } else {
                rest -= i128::from(factor) * i128::from(low);
            }
            if open.len() > MAX_OPEN {
                return 1 + at as u64 / 4;
            }
        }
        for &at in &open {
            let others = open.iter().filter(|&&o| o != at).map(|&o| i128::from(self.terms[o].0));
            let (factor, int) = self.terms[at];
            // A single variable is for the sums.
            let Some(divisor) = others.reduce(|a, b| divide(a, b).0) else { continue };
            let (common, inverse) = divide(factor.into(), divisor);
            if rest % common != 0 {
                found.push(Finding { bound: None, note: [-1, 0] });
                break;
            }
            let step = (divisor / common).abs();
            if step == 1 {
                continue;
            }
            // The class of the solutions of factor * x = rest.
            let class = ((rest / common) % step * (inverse % step)).rem_euclid(step);
            let view = Self::view(int);
            for view in [view, view.negated()] {
                let low = i128::from(view.least(least));
                let class = if view.side.is_negative() { -class } else { class };
                let ahead = (class - low).rem_euclid(step);
                if let (1.., Ok(value), Ok(step)) = (ahead, i64::try_from(low + ahead), i64::try_from(step)) {
                    found.push(Finding { bound: Some(view.at_least(value)), note: [at as i64, step] });
                }
            }
        }
        1 + self.terms.len() as u64 / 4
    }

    pub(super) fn explain(&self, finding: Finding, past: Past, bounds: &mut Vec<Bound>) {
        let [own, step] = finding.note;
        bounds.extend(finding.bound.map(|(side, value)| (side, value - step + 1)));
        for (at, &(_, int)) in self.terms.iter().enumerate() {
            let side = Self::view(int).side;
            let (low, high) = (past.least(side), -past.least(side.opposite()));
            if at as i64 != own && low == high {
                bounds.extend([(side, low), (side.opposite(), -low)]);
            }
        }
    }
}

/// The greatest common divisor, and a number that times `a` is congruent to it modulo `b`.
fn divide(a: i128, b: i128) -> (i128, i128) {
    let (mut old, mut new) = ((a, 1), (b, 0));
    while new.0 != 0 {
        let quotient = old.0 / new.0;
        (old, new) = (new, (old.0 - quotient * new.0, old.1 - quotient * new.1));
    }
    if old.0 < 0 { (-old.0, -old.1) } else { old }
}
