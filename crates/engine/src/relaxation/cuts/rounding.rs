//! Cuts by rounding: a sum of rows is divided, and non-multiples are rounded.
//!
//! From `sum of a_j t_j <= b` over integers `t_j >= 0` follows, for a divisor `d`, `a_j = q_j d + r_j` and `b = q d + r`,
//! that the sum of `(q_j (d - r) + max(0, r_j - r)) t_j` is at most `q (d - r)` (mixed-integer rounding). The `t_j` are
//! columns or their complements, whichever is nearer to 0, and slacks of rows. From a row of the simplex tableau these are
//! Gomory's cuts, from one row covers and the like, from halves of rows zero-half cuts. Invariant: in the end slacks are
//! replaced by their rows; all numbers are integers and checked. Source: Gomory, *An algorithm for integer solutions to
//! linear programs*, 1963; Marchand and Wolsey, *Aggregation and mixed integer rounding to solve MIPs*, Operations Research
//! 2001; Letchford and Lodi, *Strengthening Chvátal-Gomory cuts and Gomory fractional cuts*, 2002.

use crate::relaxation::cuts::Cut;
use crate::relaxation::problem::Problem;
use asp_base::map::Map;

/// Divisors of one sum that are tried.
const MAX_DIVISORS: usize = 8;
/// The greatest multiple of a weight in a sum.
const MAX_PRODUCT: i128 = 1 << 60;
/// The greatest weight of a cut.
const MAX_WEIGHT: i128 = 1_000_000;
/// A cut has at most as many terms as this and a share of the columns.
const MAX_TERMS: usize = 200;
/// The work of a term of a sum, with all divisors.
const WORK_A_TERM: u64 = 20;
/// How near to 0 or 1 a value has to be to count as that.
const WHOLE: f64 = 1e-5;
/// The least remainder of a division, as part of the divisor.
const MIN_REST: f64 = 0.005;

/// A row or group of the problem, as `sum >= bound`, or `sum = bound`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    Row(u32),
    Group(u32),
}

/// A sum of rows: `sum of a_j x_j <= bound` with multiples of the rows' slacks.
#[derive(Default)]
pub(crate) struct Aggregate {
    /// By column, where it is not 0.
    weights: Map<u32, i128>,
    bound: i128,
    /// Rows with what their excess counts.
    excess: Vec<(Origin, i128)>,
}

/// A term of the sum that is rounded.
#[derive(Clone, Copy, Debug)]
struct Term {
    weight: i128,
    /// The value in the solution.
    value: f64,
    /// The column and whether it is complemented, or the number of an excess.
    what: What,
}

#[derive(Clone, Copy, Debug)]
enum What {
    Column(u32, bool),
    Excess(u32),
}

/// The terms of a row or group, its bound, and whether it is an equation.
pub(crate) fn row_of(problem: &Problem, origin: Origin) -> (Vec<(u32, i64)>, i64, bool) {
    match origin {
        Origin::Row(k) => (problem.rows.row(k as usize).to_vec(), problem.bounds[k as usize], false),
        Origin::Group(g) => {
            // At most one: the negated sum is at least its bound.
            let group = problem.groups.row(g as usize);
            let terms = group.iter().map(|&(j, negative)| (j, if negative { 1 } else { -1 })).collect();
            let bound = group.iter().filter(|m| m.1).count() as i64 - 1;
            (terms, bound, problem.exact[g as usize])
        }
    }
}

impl Aggregate {
    /// Adds a multiple of a row: `factor * (sum - excess) = factor * bound`. `None`: the numbers are too large.
    pub(crate) fn add(&mut self, problem: &Problem, origin: Origin, factor: i64) -> Option<()> {
        let (terms, bound, is_equation) = row_of(problem, origin);
        let factor = i128::from(factor);
        let small = |product: i128| (product.abs() < MAX_PRODUCT).then_some(product);
        for (j, weight) in terms {
            *self.weights.entry(j).or_insert(0) += small(factor * i128::from(weight))?;
        }
        self.bound += small(factor * i128::from(bound))?;
        if !is_equation {
            self.excess.push((origin, -factor));
        }
        Some(())
    }

    /// The work of adding its rows and of trying divisors, in terms.
    pub(crate) fn work(&self) -> u64 {
        WORK_A_TERM * (self.weights.len() + self.excess.len()) as u64
    }

    /// The cut of the sum farthest from a solution over the given divisors, if there is one; without any, weights are
    /// tried.
    pub(crate) fn cut(&self, problem: &Problem, x: &[f64], divisors: &[i128]) -> Option<Cut> {
        let (terms, bound) = self.terms(problem, x);
        let mut tried: Vec<i128> = divisors.to_vec();
        if tried.is_empty() {
            let open = terms.iter().filter(|t| t.value > WHOLE && matches!(t.what, What::Column(..)));
            tried.extend(open.map(|t| t.weight.abs()).filter(|&w| w > 1));
            tried.sort_unstable();
            tried.dedup();
            tried.reverse();
            tried.truncate(MAX_DIVISORS);
        }
        let mut best: Option<(f64, i128)> = None;
        let try_one = |divisor: i128, best: &mut Option<(f64, i128)>| {
            if divisor > 1
                && let Some(distance) = distance(&terms, bound, divisor)
                && best.is_none_or(|b| distance > b.0)
            {
                *best = Some((distance, divisor));
            }
        };
        tried.iter().for_each(|&d| try_one(d, &mut best));
        let (_, divisor) = best?;
        [2, 4, 8].into_iter().for_each(|by| try_one(divisor / by, &mut best));
        let (distance, divisor) = best?;
        if distance <= 1e-4 {
            return None;
        }
        self.rounded(problem, &terms, bound, divisor)
    }

    /// The terms to be rounded and their bound.
    fn terms(&self, problem: &Problem, x: &[f64]) -> (Vec<Term>, i128) {
        let mut bound = self.bound;
        let mut weights: Vec<(u32, i128)> =
            self.weights.iter().map(|(&j, &w)| (j, w)).filter(|w| w.1 != 0).collect();
        weights.sort_unstable();
        let mut terms: Vec<Term> = Vec::with_capacity(weights.len() + self.excess.len());
        for (j, weight) in weights {
            let size = problem.size(j);
            let value = x[j as usize].clamp(0.0, size);
            let complemented = value > size / 2.0;
            if complemented {
                bound -= weight * i128::from(problem.sizes[j as usize]);
            }
            terms.push(Term {
                weight: if complemented { -weight } else { weight },
                value: if complemented { size - value } else { value },
                what: What::Column(j, complemented),
            });
        }
        for (i, &(origin, weight)) in self.excess.iter().enumerate() {
            let (row, least, _) = row_of(problem, origin);
            let sum: f64 = row.iter().map(|&(j, w)| w as f64 * x[j as usize]).sum();
            let value = (sum - least as f64).max(0.0);
            terms.push(Term { weight, value, what: What::Excess(i as u32) });
        }
        (terms, bound)
    }

    /// The rounded sum as a row over columns.
    fn rounded(&self, problem: &Problem, terms: &[Term], bound: i128, divisor: i128) -> Option<Cut> {
        let rest = bound.rem_euclid(divisor);
        let mut most = bound.div_euclid(divisor) * (divisor - rest);
        let mut weights: Map<u32, i128> = Map::default();
        for term in terms {
            let weight = round(term.weight, divisor, rest);
            match term.what {
                _ if weight == 0 => {}
                What::Column(j, false) => *weights.entry(j).or_insert(0) += weight,
                What::Column(j, true) => {
                    *weights.entry(j).or_insert(0) -= weight;
                    most -= weight * i128::from(problem.sizes[j as usize]);
                }
                What::Excess(i) => {
                    let (row, least, _) = row_of(problem, self.excess[i as usize].0);
                    for (j, w) in row {
                        *weights.entry(j).or_insert(0) += weight.checked_mul(w.into())?;
                    }
                    most += weight.checked_mul(least.into())?;
                }
            }
        }
        let mut terms: Vec<(u32, i128)> = weights.into_iter().filter(|w| w.1 != 0).collect();
        terms.sort_unstable();
        if terms.is_empty() || terms.len() > MAX_TERMS + problem.subjects.len() / 5 {
            return None;
        }
        let common = terms.iter().fold(0, |common, t| gcd(common, t.1.unsigned_abs())) as i128;
        let most = most.div_euclid(common);
        if terms.iter().any(|t| (t.1 / common).abs() > MAX_WEIGHT) {
            return None;
        }
        let terms = terms.iter().map(|&(j, w)| (j, -(w / common) as i64)).collect();
        Some(Cut { terms, bound: i64::try_from(-most).ok()? })
    }
}

/// The rounded weight.
fn round(weight: i128, divisor: i128, rest: i128) -> i128 {
    weight.div_euclid(divisor) * (divisor - rest) + (weight.rem_euclid(divisor) - rest).max(0)
}

/// How far the rounded sum is from the solution, if it says anything.
fn distance(terms: &[Term], bound: i128, divisor: i128) -> Option<f64> {
    let rest = bound.rem_euclid(divisor);
    if (rest as f64) < MIN_REST * divisor as f64 || rest == 0 {
        return None;
    }
    let (mut sum, mut square) = (0.0, 0.0);
    for term in terms {
        let weight = round(term.weight, divisor, rest) as f64;
        sum += weight * term.value;
        if matches!(term.what, What::Column(..)) {
            square += weight * weight;
        }
    }
    let most = (bound.div_euclid(divisor) * (divisor - rest)) as f64;
    Some((sum - most) / f64::max(square, 1.0).sqrt())
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
