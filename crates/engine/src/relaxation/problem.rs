//! An objective over literals and integers with the rows that models satisfy, and combinations of rows by integer
//! multipliers.
//!
//! Invariant: nothing is rounded here.

use crate::integer::rows::MAX_WIDTH;
use crate::integer::store::{Int, Integers};
use crate::relaxation::rows::LinearRows;
use crate::relaxation::{Objective, Relaxed};
use crate::store::literal::{Lit, Var};
use asp_base::csr::Csr;
use asp_base::map::Map;

/// The greatest factor of reduced costs, as a power of two.
const MAX_SCALE: u32 = 20;
/// The total of reduced costs is below this before multipliers are rounded, and below twice as much after.
const MAX_TOTAL: f64 = (1u64 << 60) as f64;
/// Reduced costs below this part of the least cost of the objective are left out, ...
const NOISE: f64 = 1e-5;

/// The literal or integer of a column.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Subject {
    /// 1 if it is true, otherwise 0.
    Var(Var),
    /// Its value less the least one that it had at the root.
    Int(Int, i64),
}

/// Minimises `cost x` for integers `x` from 0 to the size of their columns, subject to rows `sum >= bound` and disjoint
/// groups.
#[derive(Default)]
pub(crate) struct Problem {
    /// By column.
    pub(crate) subjects: Vec<Subject>,
    pub(crate) sizes: Vec<i64>,
    pub(crate) cost: Vec<i64>,
    pub(crate) rows: Csr<(u32, i64)>,
    pub(crate) bounds: Vec<i64>,
    /// By group: its columns, negative ones complemented; whether exactly one holds.
    pub(crate) groups: Csr<(u32, bool)>,
    pub(crate) exact: Vec<bool>,
    /// Columns in no group.
    pub(crate) singles: Vec<u32>,
    /// The constant of the objective.
    pub(crate) constant: i128,
    /// By variable: its column.
    pub(crate) columns: Map<Var, u32>,
    /// By integer: its column.
    pub(crate) int_columns: Map<Int, u32>,
    /// By literal: 1 true, -1 false, 0 unknown.
    known: Vec<i8>,
}

/// `scale * objective >= costs x + base` in every model.
#[derive(Clone, Debug)]
pub(crate) struct Whole {
    /// By column.
    pub(crate) costs: Vec<i64>,
    pub(crate) scale: i128,
    /// The scale of the multipliers.
    factor: i64,
    pub(crate) base: i128,
}

impl Problem {
    /// The problem. Pre: the engine is at the root.
    pub(crate) fn new(objective: &Objective, rows: LinearRows, integers: &Integers) -> Option<Self> {
        let mut new = Self { constant: objective.constant, ..Self::default() };
        for &(lit, weight) in &objective.lits {
            match rows.value(lit) {
                Some(true) => new.constant += i128::from(weight),
                Some(false) => {}
                None => {
                    let x = new.column(lit.var()) as usize;
                    // w * !x = w - w * x
                    new.constant += if lit.is_neg() { weight.into() } else { 0 };
                    let weight = if lit.is_neg() { weight.checked_neg()? } else { weight };
                    new.cost[x] = new.cost[x].checked_add(weight)?;
                }
            }
        }
        for &(factor, int) in &objective.ints {
            let (x, least) = new.int_column(int, integers)?;
            new.constant += i128::from(factor) * i128::from(least);
            new.cost[x as usize] = new.cost[x as usize].checked_add(factor)?;
        }
        let mut row: Vec<(u32, i64)> = Vec::new();
        for ((terms, ints), &bound) in rows.terms.rows().zip(rows.ints.rows()).zip(&rows.bounds) {
            let mut bound = bound;
            row.clear();
            for &(lit, weight) in terms {
                let x = new.column(lit.var());
                bound -= if lit.is_neg() { weight.into() } else { 0 };
                row.push((x, if lit.is_neg() { weight.checked_neg()? } else { weight }));
            }
            for &(int, factor) in ints {
                let (x, least) = new.int_column(int, integers)?;
                bound -= i128::from(factor) * i128::from(least);
                row.push((x, factor));
            }
            merged(&mut row)?;
            new.rows.push_row(&row);
            new.bounds.push(i64::try_from(bound).ok()?);
        }
        let mut is_single = Vec::new();
        for (exact, group) in &rows.groups {
            let members: Vec<(u32, bool)> = group.iter().map(|l| (new.column(l.var()), l.is_neg())).collect();
            is_single.resize(new.subjects.len(), true);
            members.iter().for_each(|m| is_single[m.0 as usize] = false);
            new.groups.push_row(&members);
            new.exact.push(*exact);
        }
        is_single.resize(new.subjects.len(), true);
        new.singles = (0..new.subjects.len() as u32).filter(|&x| is_single[x as usize]).collect();
        new.known = rows.values;
        Some(new)
    }

    /// The column of a variable.
    fn column(&mut self, var: Var) -> u32 {
        if let Some(&known) = self.columns.get(&var) {
            return known;
        }
        let new = self.add(Subject::Var(var), 1);
        self.columns.insert(var, new);
        new
    }

    /// The column of an integer, and its offset. `None` if it has too many values.
    fn int_column(&mut self, int: Int, integers: &Integers) -> Option<(u32, i64)> {
        let (low, high) = integers.root_bounds(int);
        if let Some(&known) = self.int_columns.get(&int) {
            return Some((known, low));
        }
        if high - low > MAX_WIDTH {
            return None;
        }
        let new = self.add(Subject::Int(int, low), high - low);
        self.int_columns.insert(int, new);
        Some((new, low))
    }

    fn add(&mut self, subject: Subject, size: i64) -> u32 {
        self.subjects.push(subject);
        self.sizes.push(size);
        self.cost.push(0);
        self.subjects.len() as u32 - 1
    }

    /// The greatest value of a column.
    pub(crate) fn size(&self, column: u32) -> f64 {
        self.sizes[column as usize] as f64
    }

    /// The least value of `costs x` over groups and singles.
    fn cheapest(&self, costs: &[i64]) -> i128 {
        let cost = |j: u32| i128::from(costs[j as usize]);
        let singles = self.singles.iter().map(|&j| i128::from(self.sizes[j as usize]) * cost(j).min(0));
        let mut total = singles.sum();
        for (group, exact) in self.groups.rows().zip(&self.exact) {
            // A complemented column is 1 unless it is chosen.
            total += group.iter().filter(|m| m.1).map(|m| cost(m.0)).sum::<i128>();
            let changes = group.iter().map(|&(j, negative)| if negative { -cost(j) } else { cost(j) });
            let best = changes.min().unwrap_or(0);
            total += if *exact { best } else { best.min(0) };
        }
        total
    }

    /// The objective minus the rows or, without the objective, minus them alone, with scaled and rounded multipliers.
    pub(crate) fn whole(&self, multipliers: &[(u32, f64)], with_objective: bool) -> Option<Whole> {
        let most = |(j, c): (u32, i64)| (c as f64).abs() * self.size(j);
        let mut total: f64 = (0..).zip(self.cost.iter().copied()).map(most).sum();
        for &(k, multiplier) in multipliers {
            let weights: f64 = self.rows.row(k as usize).iter().copied().map(most).sum();
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

    /// Drops costs that are mere rounding errors: they would make reasons longer.
    pub(crate) fn quieten(&self, whole: &mut Whole) {
        let finest = self.cost.iter().filter(|&&c| c != 0).map(|c| c.unsigned_abs()).min().unwrap_or(1);
        let noise = (finest as f64 * whole.factor as f64 * NOISE) as u64;
        for (cost, &size) in whole.costs.iter_mut().zip(&self.sizes).filter(|c| c.0.unsigned_abs() <= noise) {
            whole.base += i128::from((*cost).min(0)) * i128::from(size);
            *cost = 0;
        }
    }

    /// The bound on the objective from a combination of rows. `x`: by column, its value in the solution.
    pub(crate) fn reduced(&self, mut whole: Whole, x: &[f64]) -> Relaxed {
        let least = self.cheapest(&whole.costs) + whole.base;
        let lower = least.div_euclid(whole.scale) + i128::from(least.rem_euclid(whole.scale) != 0);
        self.quieten(&mut whole);
        let mut relaxed = Relaxed {
            terms: Vec::new(),
            ints: Vec::new(),
            scale: whole.scale,
            base: whole.base,
            lower,
            trivial: self.trivial(),
            solution: Vec::new(),
        };
        for ((&subject, &cost), &x) in self.subjects.iter().zip(&whole.costs).zip(x) {
            match subject {
                Subject::Var(var) => {
                    relaxed.solution.push((var, x as f32));
                    relaxed.terms.extend((cost != 0).then_some((Lit::pos(var), cost)));
                }
                Subject::Int(int, least) => {
                    relaxed.ints.extend((cost != 0).then_some((cost, int)));
                    relaxed.base -= i128::from(cost) * i128::from(least);
                }
            }
        }
        relaxed
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

    /// A clause as a row. `None` if it is satisfied, or literals have no column.
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

    /// The bound of the objective by its groups alone.
    pub(crate) fn trivial(&self) -> i128 {
        self.cheapest(&self.cost) + self.constant
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
