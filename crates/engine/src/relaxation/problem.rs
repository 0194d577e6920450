//! An objective over 0 and 1 with the rows that models satisfy, and what whole multipliers of rows make of it.
//!
//! Invariant: nothing is rounded here.

use crate::relaxation::Relaxed;
use crate::relaxation::rows::LinearRows;
use crate::store::literal::{Lit, Var};
use asp_base::csr::Csr;
use asp_base::map::Map;

/// The greatest factor of reduced costs, as a power of two.
const MAX_SCALE: u32 = 20;
/// All reduced costs together are less than this before multipliers are rounded, and than twice as much after.
const MAX_TOTAL: f64 = (1u64 << 60) as f64;
/// Reduced costs that are smaller than this part of the least one of the objective are left out, ...
const NOISE: f64 = 1e-5;

/// Minimises `cost x` for `x` of 0 and 1, subject to rows `sum >= bound` and disjoint groups.
#[derive(Default)]
pub(crate) struct Problem {
    pub(crate) vars: Vec<Var>,
    pub(crate) cost: Vec<i64>,
    pub(crate) rows: Csr<(u32, i64)>,
    pub(crate) bounds: Vec<i64>,
    /// By group: its columns, negative ones complemented; whether exactly one holds.
    pub(crate) groups: Csr<(u32, bool)>,
    pub(crate) exact: Vec<bool>,
    /// Columns in no group.
    pub(crate) singles: Vec<u32>,
    /// What the objective has in any case.
    pub(crate) constant: i128,
    /// By variable: its column.
    columns: Map<Var, u32>,
    /// By literal: 1 true, -1 false, 0 unknown.
    known: Vec<i8>,
}

/// `scale * objective >= costs x + base` in every model.
#[derive(Clone, Debug)]
pub(crate) struct Whole {
    /// By column.
    pub(crate) costs: Vec<i64>,
    pub(crate) scale: i128,
    /// What multipliers were scaled by.
    factor: i64,
    pub(crate) base: i128,
}

impl Problem {
    /// The problem.
    pub(crate) fn new(terms: &[(Lit, i64)], rows: LinearRows) -> Option<Self> {
        let mut new = Self::default();
        let mut columns: Map<Var, u32> = Map::default();
        let mut column = |new: &mut Self, var: Var| {
            *columns.entry(var).or_insert_with(|| {
                new.vars.push(var);
                new.cost.push(0);
                new.vars.len() as u32 - 1
            })
        };
        let mut constant = 0i128;
        for &(lit, weight) in terms {
            match rows.value(lit) {
                Some(true) => constant += i128::from(weight),
                Some(false) => {}
                None => {
                    let x = column(&mut new, lit.var()) as usize;
                    // w * !x = w - w * x
                    constant += if lit.is_neg() { weight.into() } else { 0 };
                    let weight = if lit.is_neg() { weight.checked_neg()? } else { weight };
                    new.cost[x] = new.cost[x].checked_add(weight)?;
                }
            }
        }
        let mut row: Vec<(u32, i64)> = Vec::new();
        for (terms, &bound) in rows.terms.rows().zip(&rows.bounds) {
            let mut bound = bound;
            row.clear();
            for &(lit, weight) in terms {
                let x = column(&mut new, lit.var());
                bound -= if lit.is_neg() { weight.into() } else { 0 };
                row.push((x, if lit.is_neg() { weight.checked_neg()? } else { weight }));
            }
            merged(&mut row)?;
            new.rows.push_row(&row);
            new.bounds.push(i64::try_from(bound).ok()?);
        }
        let mut is_single = Vec::new();
        for (exact, group) in &rows.groups {
            let members: Vec<(u32, bool)> =
                group.iter().map(|l| (column(&mut new, l.var()), l.is_neg())).collect();
            is_single.resize(new.vars.len(), true);
            members.iter().for_each(|m| is_single[m.0 as usize] = false);
            new.groups.push_row(&members);
            new.exact.push(*exact);
        }
        is_single.resize(new.vars.len(), true);
        new.singles = (0..new.vars.len() as u32).filter(|&x| is_single[x as usize]).collect();
        new.constant = constant;
        new.columns = columns;
        new.known = rows.values;
        Some(new)
    }

    /// The least value of `costs x` over groups and singles; sets the `x` that have it.
    pub(crate) fn cheapest(&self, costs: &[i128], x: &mut [bool]) -> i128 {
        let mut total = 0;
        for &j in &self.singles {
            let cost = costs[j as usize];
            x[j as usize] = cost < 0;
            if cost < 0 {
                total += cost;
            }
        }
        for (g, group) in self.groups.rows().enumerate() {
            let mut best: Option<(i128, u32, bool)> = None;
            for &(j, negative) in group {
                // A complemented column is 1 unless it is chosen.
                let cost = costs[j as usize];
                x[j as usize] = negative;
                total += if negative { cost } else { 0 };
                let change = if negative { -cost } else { cost };
                if best.is_none_or(|b| change < b.0) {
                    best = Some((change, j, negative));
                }
            }
            if let Some((change, j, negative)) = best.filter(|b| self.exact[g] || b.0 < 0) {
                total += change;
                x[j as usize] = !negative;
            }
        }
        total
    }

    /// The objective less the rows, or, without the objective, less them alone, with multipliers rounded after they are scaled.
    pub(crate) fn whole(&self, multipliers: &[(u32, f64)], with_objective: bool) -> Option<Whole> {
        let mut total: f64 = self.cost.iter().map(|&c| (c as f64).abs()).sum();
        for &(k, multiplier) in multipliers {
            let weights: f64 = self.rows.row(k as usize).iter().map(|t| (t.1 as f64).abs()).sum();
            total += multiplier * (weights + (self.bounds[k as usize] as f64).abs());
        }
        let factor = (0..=MAX_SCALE).rev().map(|s| 1i64 << s).find(|&s| total * (s as f64) < MAX_TOTAL)?;
        let scale = if with_objective { factor } else { 0 };
        let mut costs: Vec<i64> = Vec::with_capacity(self.cost.len());
        for &cost in &self.cost {
            costs.push(cost.checked_mul(scale)?);
        }
        let mut base = i128::from(scale) * self.constant;
        for &(k, multiplier) in multipliers {
            let multiplier = (multiplier.max(0.0) * factor as f64).round() as i64;
            base += i128::from(multiplier) * i128::from(self.bounds[k as usize]);
            for &(j, weight) in self.rows.row(k as usize) {
                let cost = &mut costs[j as usize];
                *cost = cost.checked_sub(multiplier.checked_mul(weight)?)?;
            }
        }
        Some(Whole { costs, scale: scale.into(), factor, base })
    }

    /// Leaves out what is left of costs by rounding alone: it would make reasons longer.
    pub(crate) fn quieten(&self, whole: &mut Whole) {
        let finest = self.cost.iter().filter(|&&c| c != 0).map(|c| c.unsigned_abs()).min().unwrap_or(1);
        let noise = (finest as f64 * whole.factor as f64 * NOISE) as u64;
        for cost in whole.costs.iter_mut().filter(|c| c.unsigned_abs() <= noise) {
            whole.base += i128::from((*cost).min(0));
            *cost = 0;
        }
    }

    /// What a combination of rows says of the objective. `x`: by column, its value in the solution.
    pub(crate) fn reduced(&self, mut whole: Whole, x: &[f64]) -> Relaxed {
        let wide: Vec<i128> = whole.costs.iter().map(|&c| c.into()).collect();
        let least = self.cheapest(&wide, &mut vec![false; self.vars.len()]) + whole.base;
        let lower = least.div_euclid(whole.scale) + i128::from(least.rem_euclid(whole.scale) != 0);
        self.quieten(&mut whole);
        let terms = self.vars.iter().zip(&whole.costs).filter(|t| *t.1 != 0);
        let terms = terms.map(|(&v, &c)| (Lit::pos(v), c)).collect();
        let solution = self.vars.iter().zip(x).map(|(&v, &x)| (v, x as f32)).collect();
        Relaxed { terms, scale: whole.scale, base: whole.base, lower, trivial: self.trivial(), solution }
    }

    /// The value of a literal in a solution; `None` if it has no column and is not known.
    pub(crate) fn value(&self, lit: Lit, x: &[f64]) -> Option<f64> {
        match self.known[lit.code()] {
            0 => {
                let x = x[*self.columns.get(&lit.var())? as usize];
                Some(if lit.is_neg() { 1.0 - x } else { x })
            }
            known => Some(f64::from(known.max(0))),
        }
    }

    /// That one of the literals holds, as a row. `None` if it is known, or literals have no column.
    pub(crate) fn clause(&self, literals: &[Lit]) -> Option<(Vec<(u32, i64)>, i64)> {
        let (mut terms, mut bound) = (Vec::new(), 1);
        for &lit in literals {
            match self.known[lit.code()] {
                0 => {
                    terms.push((*self.columns.get(&lit.var())?, if lit.is_neg() { -1 } else { 1 }));
                    bound -= i64::from(lit.is_neg());
                }
                known if known > 0 => return None,
                _ => {}
            }
        }
        merged(&mut terms)?;
        Some((terms, bound))
    }

    /// What the objective is at least by its groups alone.
    pub(crate) fn trivial(&self) -> i128 {
        let wide: Vec<i128> = self.cost.iter().map(|&c| c.into()).collect();
        self.cheapest(&wide, &mut vec![false; self.vars.len()]) + self.constant
    }
}

/// A row with each column once.
fn merged(row: &mut Vec<(u32, i64)>) -> Option<()> {
    row.sort_unstable();
    let mut length = 0;
    for i in 0..row.len() {
        if length > 0 && row[length - 1].0 == row[i].0 {
            row[length - 1].1 = row[length - 1].1.checked_add(row[i].1)?;
        } else {
            row[length] = row[i];
            length += 1;
        }
    }
    row.truncate(length);
    row.retain(|t| t.1 != 0);
    Some(())
}
