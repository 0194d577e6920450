//! Linear inequalities implied by the constraints over integers, for bounds from their relaxation.
//!
//! Sums are taken as they are; one with a condition is relaxed by what it could exceed its bound by, unless the condition
//! holds, and so are its bounds on single terms. The names of a variable's bounds add up to the variable. A product lies
//! within the planes through its corners, a square above the lines through neighbouring values, and distinct values add up
//! to at least the sum of the least ones. Invariant: every model satisfies all rows. Source: McCormick, *Computability of
//! global solutions to factorable nonconvex programs*, Mathematical Programming 1976.

use std::cmp::Reverse;

use crate::integer::global::distinct::Distinct;
use crate::integer::global::product::Product;
use crate::integer::global::{Global, View};
use crate::integer::linear::{NO_GLOBAL, Sum, Term};
use crate::integer::names::Use;
use crate::integer::store::{Int, Integers, Side};
use crate::store::literal::Lit;
use asp_base::csr::Csr;
use asp_base::index_vec::Idx;
use asp_base::map::{Map, Set};

/// The greatest width of a variable that takes part: linear programming is inexact.
pub(crate) const MAX_WIDTH: i64 = 1 << 20;
/// The greatest factor of a term.
const MAX_FACTOR: i128 = 1 << 40;
/// Lines below a square.
const MAX_LINES: i64 = 64;

/// Rows: terms over integers and over literals that together are at least a bound.
#[derive(Debug, Default)]
pub(crate) struct IntegerRows {
    pub(crate) ints: Csr<(Int, i64)>,
    pub(crate) lits: Csr<(Lit, i64)>,
    pub(crate) bounds: Vec<i128>,
}

/// A row in the making.
#[derive(Default)]
struct Row {
    ints: Vec<(Int, i64)>,
    lits: Vec<(Lit, i64)>,
    bound: i128,
    /// Whether it cannot be written in numbers of this size.
    is_too_large: bool,
}

/// Makes rows.
struct Maker<'a> {
    integers: &'a Integers,
    value: &'a dyn Fn(Lit) -> Option<bool>,
    /// The literals of integers that are 0 or 1.
    literal_of: Map<Int, Lit>,
    rows: IntegerRows,
    terms: usize,
}

impl Integers {
    /// The rows of all constraints over integers, without known terms, up to about a number of terms. Pre: the engine is at
    /// the root.
    pub(crate) fn rows(&self, value: &dyn Fn(Lit) -> Option<bool>, limit: usize) -> IntegerRows {
        let literal_of = self.of_literal.iter().map(|(&lit, &int)| (int, lit)).collect();
        let mut maker = Maker { integers: self, value, literal_of, rows: IntegerRows::default(), terms: 0 };
        // What ties a variable to the digits that show it says nothing of it.
        let digits: Set<u32> = self.sums.late.iter().flatten().copied().collect();
        let sums = || (0..).zip(&self.sums.all).filter(|s| !digits.contains(&s.0)).map(|s| *s.1);
        let most = greatest_sums(self, sums());
        for sum in sums() {
            if maker.terms > limit {
                break;
            }
            if sum.global == NO_GLOBAL {
                maker.sum(sum, &most);
            } else if sum.condition == Lit::NONE {
                match &self.globals.all[sum.global as usize] {
                    Global::Product(product) => maker.product(product),
                    Global::Distinct(distinct) => maker.distinct(distinct),
                    Global::Congruence(_) | Global::Cumulative(_) | Global::Disjunctive(_) => {}
                }
            }
        }
        for int in 0..self.names.kept.len() {
            maker.names(Int::from_usize(int));
        }
        maker.rows
    }
}

/// The terms of a sum in an order of their own.
fn sorted(terms: &[Term]) -> Vec<(Side, i64)> {
    let mut terms: Vec<(Side, i64)> = terms.iter().map(|t| (t.side, t.factor)).collect();
    terms.sort_unstable();
    terms
}

/// The least bounds of the sums without a condition, by terms.
fn greatest_sums(integers: &Integers, sums: impl Iterator<Item = Sum>) -> Map<Vec<(Side, i64)>, i64> {
    let mut most: Map<Vec<(Side, i64)>, i64> = Map::default();
    for sum in sums.filter(|s| s.global == NO_GLOBAL && s.condition == Lit::NONE) {
        let bound = most.entry(sorted(integers.sums.terms(sum))).or_insert(i64::MAX);
        *bound = sum.bound.min(*bound);
    }
    most
}

impl Maker<'_> {
    /// The least and the greatest value of a side at the root.
    fn range(&self, side: Side) -> (i128, i128) {
        let root = &self.integers.root;
        (root[side.at()].into(), -i128::from(root[side.opposite().at()]))
    }

    /// Adds a multiple of a side to a row.
    fn side(&self, row: &mut Row, side: Side, factor: i128) {
        let sign = if side.is_negative() { -1 } else { 1 };
        self.int(row, side.int(), sign * factor);
    }

    /// Adds a multiple of a variable to a row.
    fn int(&self, row: &mut Row, int: Int, factor: i128) {
        let (low, high) = self.range(Side::of(int, false));
        if low == high {
            row.bound -= factor * low;
            return;
        }
        row.is_too_large |= factor.abs() > MAX_FACTOR || high - low > MAX_WIDTH.into();
        match self.literal_of.get(&int) {
            Some(&lit) => self.lit(row, lit, factor),
            None => row.ints.push((int, factor as i64)),
        }
    }

    /// Adds a multiple of a literal to a row.
    fn lit(&self, row: &mut Row, lit: Lit, factor: i128) {
        match (self.value)(lit) {
            Some(value) => row.bound -= if value { factor } else { 0 },
            None => {
                row.is_too_large |= factor.abs() > MAX_FACTOR;
                row.lits.push((lit, factor as i64));
            }
        }
    }

    fn push(&mut self, row: &Row) {
        if row.is_too_large || row.ints.is_empty() && row.lits.is_empty() {
            return;
        }
        self.terms += row.ints.len() + row.lits.len();
        self.rows.ints.push_row(&row.ints);
        self.rows.lits.push_row(&row.lits);
        self.rows.bounds.push(row.bound);
    }

    /// A sum that is at most its bound, if its condition holds. `most`: unconditional bounds of sums with the same terms.
    fn sum(&mut self, sum: Sum, most: &Map<Vec<(Side, i64)>, i64>) {
        let condition = if sum.condition == Lit::NONE { Some(true) } else { (self.value)(sum.condition) };
        let terms = self.integers.sums.terms(sum);
        let least: i128 = terms.iter().map(|t| i128::from(t.factor) * self.range(t.side).0).sum();
        let greatest: i128 = terms.iter().map(|t| i128::from(t.factor) * self.range(t.side).1).sum();
        let bound = i128::from(sum.bound);
        if condition == Some(false) || greatest <= bound {
            return;
        }
        let mut row = Row { bound: -bound, ..Row::default() };
        terms.iter().for_each(|t| self.side(&mut row, t.side, -i128::from(t.factor)));
        if condition == Some(true) {
            self.push(&row);
            return;
        }
        let most = most.get(&sorted(terms)).map_or(greatest, |&m| greatest.min(m.into()));
        if most <= bound {
            return;
        }
        // By so much it may exceed its bound without the condition.
        row.bound -= most - bound;
        self.lit(&mut row, sum.condition, bound - most);
        self.push(&row);
        for t in terms.iter().filter(|_| terms.len() > 1) {
            let ((low, high), factor) = (self.range(t.side), i128::from(t.factor));
            let most = (bound - least + factor * low).div_euclid(factor);
            if most < high && most >= low {
                let mut row = Row { bound: -high, ..Row::default() };
                self.side(&mut row, t.side, -1);
                self.lit(&mut row, sum.condition, most - high);
                self.push(&row);
            }
        }
    }

    /// `x * y = z`.
    fn product(&mut self, &Product { product, factors: [x, y] }: &Product) {
        let [(x_low, x_high), (y_low, y_high)] = [x, y].map(|int| self.range(Side::of(int, false)));
        if x == y {
            // (x - a) (x - a - 1) >= 0, and the line through the ends lies above.
            let step = ((x_high - x_low) as i64 / MAX_LINES).max(1);
            for a in (x_low..x_high).step_by(step as usize) {
                self.plane(&[(product, 1), (x, -(2 * a + 1))], -a * (a + 1));
            }
            self.plane(&[(product, -1), (x, x_low + x_high)], x_low * x_high);
            return;
        }
        self.plane(&[(product, 1), (x, -y_low), (y, -x_low)], -x_low * y_low);
        self.plane(&[(product, 1), (x, -y_high), (y, -x_high)], -x_high * y_high);
        self.plane(&[(product, -1), (x, y_high), (y, x_low)], x_low * y_high);
        self.plane(&[(product, -1), (x, y_low), (y, x_high)], x_high * y_low);
    }

    /// Multiples of variables are at least a number.
    fn plane(&mut self, terms: &[(Int, i128)], bound: i128) {
        let mut row = Row { bound, ..Row::default() };
        terms.iter().for_each(|&(int, factor)| self.int(&mut row, int, factor));
        self.push(&row);
    }

    /// Distinct values add up to at least the sum of the least ones, and at most that of the greatest.
    fn distinct(&mut self, Distinct(views): &Distinct) {
        for sign in [1, -1] {
            let least = |v: &View| {
                let (low, high) = self.range(v.side);
                (if sign > 0 { low } else { -high }) + sign * i128::from(v.offset)
            };
            let mut lows: Vec<i128> = views.iter().map(least).collect();
            lows.sort_unstable_by_key(|&low| Reverse(low));
            let (mut next, mut total) = (i128::MIN, 0);
            while let Some(low) = lows.pop() {
                next = low.max(next);
                total += next;
                next += 1;
            }
            let mut row = Row { bound: total, ..Row::default() };
            for v in views {
                row.bound -= sign * i128::from(v.offset);
                self.side(&mut row, v.side, sign);
            }
            self.push(&row);
        }
    }

    /// A variable is its least value and the steps to those that it reaches.
    fn names(&mut self, int: Int) {
        let (low, high) = self.range(Side::of(int, false));
        if low == high || self.literal_of.contains_key(&int) {
            return;
        }
        let names = &self.integers.names;
        let is_lasting = |lit: Lit| names.meaning(lit.var()).is_some_and(|m| m.using == Use::Lasting);
        let steps: Vec<(i128, Lit)> = names.kept[int.index()]
            .iter()
            .map(|&(value, lit)| (i128::from(value), lit))
            .filter(|&(value, lit)| value > low && value <= high && is_lasting(lit))
            .collect();
        let Some(&(first, _)) = steps.first() else { return };
        let (mut least, mut most) =
            (Row { bound: low, ..Row::default() }, Row { bound: 1 - first, ..Row::default() });
        self.int(&mut least, int, 1);
        self.int(&mut most, int, -1);
        let mut before = low;
        for (i, &(value, lit)) in steps.iter().enumerate() {
            let next = steps.get(i + 1).map_or(high + 1, |n| n.0);
            self.lit(&mut least, lit, before - value);
            self.lit(&mut most, lit, next - value);
            before = value;
        }
        self.push(&least);
        self.push(&most);
        for pair in steps.windows(2) {
            let mut row = Row::default();
            self.lit(&mut row, pair[0].1, 1);
            self.lit(&mut row, pair[1].1, -1);
            self.push(&row);
        }
    }
}
