//! Bounds on an objective from its linear relaxation.
//!
//! A sum of constraints `A x >= b`, multiplied by numbers `m >= 0` and taken off the objective `c x`, leaves *reduced costs*
//! `r = c - m A`, and `c x >= r x + m b` in every model. So what must cost at most `u` satisfies `r x <= u - m b`, one more
//! sum, which combines the objective with many constraints: what is left of a knapsack, or of an
//! assignment of successors. The multipliers that make the least value of `r x + m b` as great as possible are those of the
//! linear relaxation; they are approached by steps along subgradients. Groups of which at most one literal holds stay as
//! they are instead of being multiplied, since sums know them.
//! Invariant: rounding affects how good the multipliers are, never what is claimed: the sum is computed from whole
//! multipliers without rounding.
//! Source: Held, Wolfe and Crowder, *Validation of subgradient optimization*, Mathematical Programming 1974; Fisher, *The
//! Lagrangian relaxation method for solving integer programming problems*, Management Science 1981; reduced costs that fix
//! variables: Focacci, Lodi and Milano, *Cost-based domain filtering*, CP 1999.

use std::ops::{Add, Neg};

use crate::Engine;
use crate::linear_rows::LinearRows;
use crate::store::literal::{Lit, Var};
use asp_base::csr::Csr;
use asp_base::map::Map;

/// Terms of all rows up to which a relaxation is tried.
const MAX_TERMS: usize = 20_000;
/// Steps for the multipliers, ...
const STEPS: usize = 300;
/// ... of which the first few tell whether the rest is worth it.
const TRIAL: usize = 100;
/// Terms that all steps together may look at.
const TERM_BUDGET: usize = 5_000_000;
/// Steps without a better bound before they become shorter and begin at the best again, unless there is no better one yet: on
/// the way from nothing the bound is worse at first, as where things move from bin to bin, ...
const MAX_IDLE_STEPS: usize = 4;
/// ... down to this.
const MIN_RATE: f64 = 1e-3;
/// How much a direction keeps of the one before.
const MOMENTUM: f64 = 0.3;
/// What the last step counts in the average of solutions.
const RECENT: f64 = 0.1;
/// The part of the gap between cost and bound that a relaxation must close to be used, ...
const MIN_GAIN: f64 = 0.01;
/// ... and in the first steps.
const FIRST_GAIN: f64 = 0.002;
/// The greatest factor of reduced costs.
const MAX_SCALE: u32 = 16;
/// All reduced costs together are less than this before multipliers are rounded, and than twice as much after.
const MAX_TOTAL: f64 = (1u64 << 60) as f64;

/// `scale * objective >= terms + base` in every model under the assumptions.
#[derive(Debug)]
pub struct Relaxed {
    /// Literals with their reduced costs.
    pub terms: Vec<(Lit, i64)>,
    scale: i128,
    base: i128,
    /// What the terms of the objective add up to at least.
    pub lower: i128,
    /// The same without the constraints, but for groups.
    trivial: i128,
    /// Variables with the value that the relaxation prefers.
    likely: Vec<(Var, bool)>,
}

impl Relaxed {
    /// What the terms add up to at most, if the objective is at most the goal.
    pub fn goal(&self, goal: i128) -> Option<i64> {
        i64::try_from(self.scale.checked_mul(goal)?.checked_sub(self.base)?).ok()
    }

    /// Variables with the value that the relaxation prefers.
    pub fn likely(&self) -> &[(Var, bool)] {
        &self.likely
    }

    /// Whether this much of the gap below a cost is closed.
    pub fn closes(&self, part: f64, cost: i128) -> bool {
        (self.lower - self.trivial) as f64 >= part * (cost - self.trivial) as f64
    }
}

/// Minimises `cost x` for `x` of 0 and 1, subject to rows `sum >= bound` and disjoint groups.
#[derive(Default)]
struct Relaxation {
    vars: Vec<Var>,
    cost: Vec<i64>,
    rows: Csr<(u32, i64)>,
    bounds: Vec<i64>,
    /// By group: its columns, negative ones complemented; whether exactly one holds.
    groups: Csr<(u32, bool)>,
    exact: Vec<bool>,
    /// Columns in no group.
    singles: Vec<u32>,
}

/// Numbers that costs are added up in.
trait Cost: Copy + Default + PartialOrd + Add<Output = Self> + Neg<Output = Self> {}
impl Cost for f64 {}
impl Cost for i128 {}

/// Relaxes an objective under assumptions. `upper` is what its terms add up to in some model. Pre: the engine is at the root.
pub fn relax(engine: &mut Engine, terms: &[(Lit, i64)], upper: i128, assumptions: &[Lit]) -> Option<Relaxed> {
    let literals: Vec<Lit> = terms.iter().map(|t| t.0).collect();
    let rows = engine.linear_rows(&literals, assumptions, MAX_TERMS)?;
    let (relaxation, constant) = Relaxation::new(terms, &rows)?;
    let (multipliers, mean) = relaxation.multipliers((upper - constant) as f64)?;
    relaxation.reduced(&multipliers, &mean, constant)
}

impl Relaxation {
    /// The relaxation, and the constant part of its objective.
    fn new(terms: &[(Lit, i64)], rows: &LinearRows) -> Option<(Self, i128)> {
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
        Some((new, constant))
    }

    /// The least value of `costs x` over groups and singles; sets the `x` that have it.
    fn cheapest<T: Cost>(&self, costs: &[T], x: &mut [bool]) -> T {
        let zero = T::default();
        let mut total = zero;
        for &j in &self.singles {
            let cost = costs[j as usize];
            x[j as usize] = cost < zero;
            if cost < zero {
                total = total + cost;
            }
        }
        for (g, group) in self.groups.rows().enumerate() {
            let mut best: Option<(T, u32, bool)> = None;
            for &(j, negative) in group {
                // A complemented column is 1 unless it is chosen.
                let cost = costs[j as usize];
                x[j as usize] = negative;
                total = total + if negative { cost } else { zero };
                let change = if negative { -cost } else { cost };
                if best.is_none_or(|b| change < b.0) {
                    best = Some((change, j, negative));
                }
            }
            if let Some((change, j, negative)) = best.filter(|b| self.exact[g] || b.0 < zero) {
                total = total + change;
                x[j as usize] = !negative;
            }
        }
        total
    }

    /// The costs less the rows times their multipliers, and what that takes off.
    fn reduce(&self, multipliers: &[f64], costs: &mut [f64]) -> f64 {
        for (cost, &c) in costs.iter_mut().zip(&self.cost) {
            *cost = c as f64;
        }
        let mut taken = 0.0;
        for (k, row) in self.rows.rows().enumerate().filter(|&(k, _)| multipliers[k] != 0.0) {
            taken += multipliers[k] * self.bounds[k] as f64;
            for &(j, weight) in row {
                costs[j as usize] -= multipliers[k] * weight as f64;
            }
        }
        taken
    }

    /// Turns the direction of the steps to the rows that the solution misses; returns the square of its length.
    fn turn(&self, x: &[bool], multipliers: &[f64], direction: &mut [f64]) -> f64 {
        let mut square = 0.0;
        for (k, row) in self.rows.rows().enumerate() {
            let sum: f64 = row.iter().filter(|t| x[t.0 as usize]).map(|t| t.1 as f64).sum();
            let d = self.bounds[k] as f64 - sum + MOMENTUM * direction[k];
            direction[k] = if multipliers[k] == 0.0 { d.max(0.0) } else { d };
            square += direction[k] * direction[k];
        }
        square
    }

    /// Multipliers of the rows, and a weighted mean of the solutions on the way; `None` if they tell too little.
    fn multipliers(&self, upper: f64) -> Option<(Vec<f64>, Vec<f64>)> {
        let size: usize = self.rows.rows().map(<[_]>::len).sum::<usize>() + self.vars.len();
        let mut multipliers = vec![0.0f64; self.rows.len()];
        let mut direction = multipliers.clone();
        let mut best = (f64::NEG_INFINITY, multipliers.clone());
        let mut costs = vec![0.0; self.vars.len()];
        let mut mean = vec![0.5; self.vars.len()];
        let mut x = vec![false; self.vars.len()];
        let (mut first, mut rate, mut waited) = (0.0, 1.0, 0);
        for step in 0..STEPS.min(TERM_BUDGET / size.max(1)) {
            let value = self.reduce(&multipliers, &mut costs) + self.cheapest(&costs, &mut x);
            for (mean, &x) in mean.iter_mut().zip(&x) {
                *mean += RECENT * (f64::from(u8::from(x)) - *mean);
            }
            if step == 0 {
                first = value;
            }
            if value > best.0 {
                best.0 = value;
                best.1.clone_from(&multipliers);
                waited = 0;
            } else {
                waited += 1;
                if waited >= MAX_IDLE_STEPS {
                    (rate, waited) = (rate / 2.0, 0);
                    if best.0 > first {
                        multipliers.clone_from(&best.1);
                        direction.fill(0.0);
                    }
                }
            }
            let hopeless = step == TRIAL && best.0 - first < FIRST_GAIN * (upper - first);
            let square = self.turn(&x, &multipliers, &mut direction);
            if best.0 >= upper || hopeless || rate < MIN_RATE || square == 0.0 {
                break;
            }
            let length = rate * (upper - value) / square;
            for (multiplier, d) in multipliers.iter_mut().zip(&direction) {
                *multiplier = (*multiplier + length * d).max(0.0);
            }
        }
        (best.0 > first && best.0 - first >= MIN_GAIN * (upper - first)).then_some((best.1, mean))
    }

    /// The objective less the rows, with multipliers rounded after they are scaled.
    fn reduced(&self, multipliers: &[f64], mean: &[f64], constant: i128) -> Option<Relaxed> {
        let mut total: f64 = self.cost.iter().map(|&c| (c as f64).abs()).sum();
        for (k, row) in self.rows.rows().enumerate() {
            let weights: f64 = row.iter().map(|t| (t.1 as f64).abs()).sum();
            total += multipliers[k] * (weights + (self.bounds[k] as f64).abs());
        }
        let scale = (0..=MAX_SCALE).rev().map(|s| 1i64 << s).find(|&s| total * (s as f64) < MAX_TOTAL)?;
        let mut costs: Vec<i64> = self.cost.iter().map(|&c| c * scale).collect();
        let mut base = i128::from(scale) * constant;
        for (k, row) in self.rows.rows().enumerate() {
            let multiplier = (multipliers[k] * scale as f64).round() as i64;
            base += i128::from(multiplier) * i128::from(self.bounds[k]);
            for &(j, weight) in row.iter().filter(|_| multiplier != 0) {
                costs[j as usize] -= multiplier * weight;
            }
        }
        let mut x = vec![false; self.vars.len()];
        let scale = i128::from(scale);
        let wide: Vec<i128> = costs.iter().map(|&c| c.into()).collect();
        let least = self.cheapest(&wide, &mut x) + base;
        let lower = least.div_euclid(scale) + i128::from(least.rem_euclid(scale) != 0);
        let wide: Vec<i128> = self.cost.iter().map(|&c| c.into()).collect();
        let trivial = self.cheapest(&wide, &mut x) + constant;
        let terms: Vec<(Lit, i64)> =
            self.vars.iter().zip(costs).filter(|t| t.1 != 0).map(|(&v, c)| (Lit::pos(v), c)).collect();
        let likely = self.vars.iter().zip(mean).map(|(&v, &x)| (v, x > 0.5)).collect();
        Some(Relaxed { terms, scale, base, lower, trivial, likely })
    }
}
