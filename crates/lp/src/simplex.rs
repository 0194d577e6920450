//! The bounded dual simplex, revised, with steepest edges and long steps.
//!
//! Minimises `c x` subject to `l <= a x <= u` by row and finite bounds by column. Each row has a logical variable `r = a x`, so
//! a basis has one column a row, and the logical ones are the first basis. As columns have two finite bounds, each basis is dual
//! feasible with its other variables at one or the other: rows and bounds may change at any time, and the search for the optimum
//! continues. In a step the basic variable farthest outside of its bounds, measured along its edge, leaves; variables move from
//! one bound to the other as long as that brings it nearer, and the one at which it would turn enters. Costs are perturbed a
//! little at first, each differently, so that steps have a length; rounding errors are shifted away. Invariant: between calls
//! the reduced cost of each variable has the sign of its bound, up to the tolerance, under the perturbed costs. Source: Forrest
//! and Goldfarb, *Steepest-edge simplex algorithms for linear programming*, Mathematical Programming 1992; Maros, *Computational
//! techniques of the simplex method*, 2003; Koberstein, *The dual simplex method, techniques for a fast and stable
//! implementation*, 2005; Harris, *Pivot selection methods of the Devex LP code*, Mathematical Programming 1973.

use asp_base::csr::Csr;
use asp_base::rng::Rng;

use crate::factor::Factor;

/// How far a basic variable may be outside of its bounds.
const FEASIBLE: f64 = 1e-7;
/// How far a reduced cost may have the wrong sign.
const DUAL: f64 = 1e-7;
/// Entries of a row smaller than this are no pivots.
const MIN_PIVOT: f64 = 1e-7;
/// How much a pivot may differ from itself, computed the other way.
const DRIFT: f64 = 1e-6;
/// Exchanges after which the basis is factorised anew.
const MAX_EXCHANGES: usize = 64;
/// By how much costs are changed at first, relative to them.
const CHANGE: f64 = 1e-6;
/// Steps in a row without any progress after which the search ends.
const MAX_TROUBLE: u32 = 20;

/// Steps after which the objective is compared with a cutoff.
const CUTOFF_STEPS: u32 = 8;

/// How a search for the optimum ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// With the optimum.
    Optimal,
    /// There is no solution: see [`Simplex::ray`].
    Infeasible,
    /// The limit of work was reached, or the numbers became too bad.
    Stopped,
}

/// Where a variable is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    Basic(u32),
    Lower,
    Upper,
}

/// A linear programme with a basis.
#[derive(Clone, Debug)]
pub struct Simplex {
    /// Columns; variables from here on are logical ones of rows.
    pub(crate) size: usize,
    /// By column: its cost.
    given: Vec<f64>,
    /// By variable: what it costs in the search.
    pub(crate) costs: Vec<f64>,
    pub(crate) lower: Vec<f64>,
    pub(crate) upper: Vec<f64>,
    /// By column: rows with entries, and by row: columns with entries.
    pub(crate) columns: Vec<Vec<(u32, f64)>>,
    pub(crate) rows: Vec<Vec<(u32, f64)>>,
    pub(crate) place: Vec<Place>,
    pub(crate) reduced: Vec<f64>,
    /// By position in the basis: its variable, the variable's value, and the squared length of its edge.
    pub(crate) head: Vec<u32>,
    pub(crate) values: Vec<f64>,
    pub(crate) weights: Vec<f64>,
    factor: Factor,
    pub(crate) is_factored: bool,
    /// Whether values and places fit the bounds.
    is_current: bool,
    /// The work of the search so far.
    work: u64,
    /// Multipliers of rows that show that there is no solution.
    ray: Vec<f64>,
    /// By variable: the entry of the leaving row; 0 between steps.
    pub(crate) entries: Vec<f64>,
    touched: Vec<u32>,
    rng: Rng,
}

/// A variable that may enter.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    variable: u32,
    /// The entry in the leaving row, positive.
    entry: f64,
    /// The reduced cost, positive.
    reduced: f64,
}

impl Simplex {
    /// A programme without rows. Pre: the bounds are finite.
    pub fn new(costs: &[f64], bounds: &[(f64, f64)]) -> Self {
        let size = costs.len();
        let mut rng = Rng::new(1);
        let changed = |&c: &f64| {
            let by = CHANGE * (1.0 + c.abs()) * (0.5 + rng.unit());
            if c < 0.0 { c - by } else { c + by }
        };
        let changed: Vec<f64> = costs.iter().map(changed).collect();
        let place = |c: &f64| if *c < 0.0 { Place::Upper } else { Place::Lower };
        Self {
            size,
            given: costs.to_vec(),
            lower: bounds.iter().map(|b| b.0).collect(),
            upper: bounds.iter().map(|b| b.1).collect(),
            columns: vec![Vec::new(); size],
            rows: Vec::new(),
            place: changed.iter().map(place).collect(),
            reduced: changed.clone(),
            costs: changed,
            head: Vec::new(),
            values: Vec::new(),
            weights: Vec::new(),
            factor: Factor::default(),
            is_factored: false,
            is_current: false,
            work: 0,
            ray: Vec::new(),
            entries: vec![0.0; size],
            touched: Vec::new(),
            rng,
        }
    }

    /// The number of rows.
    pub fn num_rows(&self) -> usize {
        self.rows.len()
    }

    /// The work of the search so far.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Adds a row: the sum is within bounds, one of which may be infinite. Pre: no column occurs twice.
    pub fn add_row(&mut self, terms: &[(u32, f64)], lower: f64, upper: f64) {
        let row = self.rows.len() as u32;
        for &(column, entry) in terms {
            self.columns[column as usize].push((row, entry));
        }
        self.rows.push(terms.to_vec());
        self.place.push(Place::Basic(self.head.len() as u32));
        self.head.push(self.place.len() as u32 - 1);
        self.costs.push(0.0);
        self.reduced.push(0.0);
        self.lower.push(lower);
        self.upper.push(upper);
        self.values.push(0.0);
        self.weights.push(1.0);
        self.entries.push(0.0);
        self.is_factored = false;
    }

    /// Changes a column's bounds. Pre: they are finite.
    pub fn set_bounds(&mut self, column: u32, lower: f64, upper: f64) {
        let j = column as usize;
        if self.lower[j] != lower || self.upper[j] != upper {
            (self.lower[j], self.upper[j]) = (lower, upper);
            self.is_current = false;
        }
    }

    /// The value of a column.
    pub fn value(&self, column: u32) -> f64 {
        self.value_of(column as usize)
    }

    fn value_of(&self, variable: usize) -> f64 {
        match self.place[variable] {
            Place::Basic(position) => self.values[position as usize],
            Place::Lower => self.lower[variable],
            Place::Upper => self.upper[variable],
        }
    }

    /// The value of the objective.
    pub fn objective(&self) -> f64 {
        self.given.iter().enumerate().map(|(j, c)| c * self.value_of(j)).sum()
    }

    /// By row: its multiplier under the given costs; the costs minus the rows times these are reduced costs.
    pub fn multipliers(&mut self) -> Vec<f64> {
        if !self.is_factored {
            self.refresh();
        }
        let given = |&v: &u32| self.given.get(v as usize).copied().unwrap_or(0.0);
        let mut multipliers: Vec<f64> = self.head.iter().map(given).collect();
        self.factor.solve_transposed(&mut multipliers);
        multipliers
    }

    /// After [`Outcome::Infeasible`], by row: multipliers whose sum of rows no values within the bounds satisfy.
    pub fn ray(&self) -> &[f64] {
        &self.ray
    }

    /// By row: the multipliers with which rows, minus their logical variables, add up to a column and nonbasic variables. `None`
    /// if the column is not basic.
    pub fn line(&mut self, column: u32) -> Option<Vec<f64>> {
        let Place::Basic(position) = self.place[column as usize] else { return None };
        if !self.is_factored {
            self.refresh();
        }
        let mut edge = vec![0.0; self.rows.len()];
        edge[position as usize] = 1.0;
        self.factor.solve_transposed(&mut edge);
        self.work += self.factor.size() as u64;
        Some(edge)
    }

    /// By position: the entries of a variable's column.
    fn fill_column(&self, variable: usize, factor: f64, vector: &mut [f64]) {
        if variable < self.size {
            for &(row, entry) in &self.columns[variable] {
                vector[row as usize] += factor * entry;
            }
        } else {
            vector[variable - self.size] -= factor;
        }
    }

    /// Factorises the basis and computes everything from it.
    fn refresh(&mut self) {
        let rows = self.rows.len();
        loop {
            let mut columns = Csr::default();
            for &variable in &self.head {
                match (variable as usize).checked_sub(self.size) {
                    None => columns.push_row(&self.columns[variable as usize]),
                    Some(row) => columns.push_row(&[(row as u32, -1.0)]),
                }
            }
            let singular = self.factor.factorise(rows, &columns);
            self.work += (4 * self.factor.size() + rows) as u64;
            if singular.is_empty() {
                break;
            }
            for (position, row) in singular {
                let out = self.head[position as usize] as usize;
                self.place[out] = if self.lower[out].is_finite() { Place::Lower } else { Place::Upper };
                self.head[position as usize] = (self.size + row as usize) as u32;
                self.place[self.size + row as usize] = Place::Basic(position);
            }
            self.weights.fill(1.0);
        }
        self.is_factored = true;
        let mut multipliers: Vec<f64> = self.head.iter().map(|&v| self.costs[v as usize]).collect();
        self.factor.solve_transposed(&mut multipliers);
        for variable in 0..self.place.len() {
            if let Place::Basic(_) = self.place[variable] {
                self.reduced[variable] = 0.0;
                continue;
            }
            self.reduced[variable] = self.costs[variable]
                - match variable.checked_sub(self.size) {
                    None => self.columns[variable].iter().map(|&(r, a)| a * multipliers[r as usize]).sum(),
                    Some(row) => -multipliers[row],
                };
        }
        self.place_all();
    }

    /// Places all nonbasic variables at the right bound, and computes the values of basic ones.
    fn place_all(&mut self) {
        for variable in 0..self.place.len() {
            self.correct(variable);
        }
        let mut rest = vec![0.0; self.rows.len()];
        for variable in 0..self.place.len() {
            let value = self.value_of(variable);
            if value != 0.0 && !matches!(self.place[variable], Place::Basic(_)) {
                self.fill_column(variable, -value, &mut rest);
            }
        }
        self.factor.solve(&mut rest);
        self.values = rest;
        self.is_current = true;
        self.work += (2 * self.factor.size() + self.place.len()) as u64;
    }

    /// Places a nonbasic variable where the sign of its reduced cost belongs, or shifts its cost.
    fn correct(&mut self, variable: usize) {
        let reduced = self.reduced[variable];
        let wrong = match self.place[variable] {
            Place::Lower => reduced < -DUAL || !self.lower[variable].is_finite(),
            Place::Upper => reduced > DUAL || !self.upper[variable].is_finite(),
            Place::Basic(_) => false,
        };
        if !wrong {
            return;
        }
        let other = match self.place[variable] {
            Place::Lower => Place::Upper,
            _ => Place::Lower,
        };
        let bound = if other == Place::Upper { self.upper[variable] } else { self.lower[variable] };
        if bound.is_finite() {
            self.place[variable] = other;
        } else {
            self.costs[variable] -= reduced;
            self.reduced[variable] = 0.0;
        }
    }

    /// Searches for the optimum, with at most so much more [work](Self::work).
    pub fn solve(&mut self, limit: u64) -> Outcome {
        self.solve_below(limit, f64::INFINITY)
    }

    /// The same, but [stops](Outcome::Stopped) when the optimum is known to exceed a value, and does not recompute the result
    /// from a fresh basis.
    pub fn solve_below(&mut self, limit: u64, cutoff: f64) -> Outcome {
        let end = self.work.saturating_add(limit);
        let (mut trouble, mut steps) = (0, 0u32);
        if !self.is_factored {
            self.refresh();
        } else if !self.is_current {
            self.place_all();
        }
        loop {
            let (exchanges, growth) = self.factor.exchanged();
            if exchanges >= MAX_EXCHANGES || growth > 3 * self.factor.size().max(100) / 4 && exchanges > 16 {
                self.refresh();
            }
            steps += 1;
            if steps % CUTOFF_STEPS == 0 && cutoff.is_finite() {
                self.work += self.size as u64;
                if self.objective() > cutoff {
                    return Outcome::Stopped;
                }
            }
            let Some((position, by)) = self.leaving() else {
                if self.factor.exchanged().0 == 0 || cutoff.is_finite() {
                    return Outcome::Optimal;
                }
                self.refresh();
                if self.leaving().is_none() {
                    return Outcome::Optimal;
                }
                continue;
            };
            if self.work >= end || trouble > MAX_TROUBLE {
                return Outcome::Stopped;
            }
            match self.step(position, by) {
                Some(true) => trouble = 0,
                Some(false) => {
                    trouble += 1;
                    if self.factor.exchanged().0 == 0 {
                        // The row's numbers are bad on a fresh basis: another one first.
                        self.weights[position] *= 1e6;
                    }
                    self.refresh();
                }
                None if self.factor.exchanged().0 == 0 || cutoff.is_finite() => return Outcome::Infeasible,
                None => {
                    trouble += 1;
                    self.refresh();
                }
            }
        }
    }

    /// The position of the variable to leave, and how far it is above (or, negative, below) its bounds.
    fn leaving(&mut self) -> Option<(usize, f64)> {
        self.work += self.head.len() as u64 / 4;
        let mut best: Option<(f64, usize, f64)> = None;
        for (position, (&variable, &value)) in self.head.iter().zip(&self.values).enumerate() {
            let (lower, upper) = (self.lower[variable as usize], self.upper[variable as usize]);
            let by = if value > upper {
                value - upper
            } else if value < lower {
                value - lower
            } else {
                continue;
            };
            let tolerance = FEASIBLE * (1.0 + value.abs());
            let score = by * by / self.weights[position];
            if by.abs() > tolerance && best.is_none_or(|b| score > b.0) {
                best = Some((score, position, by));
            }
        }
        best.map(|b| (b.1, b.2))
    }

    /// One step. `Some(false)`: it is numerically unsafe; `None`: there is no solution.
    fn step(&mut self, position: usize, by: f64) -> Option<bool> {
        let mut edge = vec![0.0; self.rows.len()];
        edge[position] = 1.0;
        self.factor.solve_transposed(&mut edge);
        let mut candidates = self.candidates(&edge, by.signum());
        self.work += (self.factor.size() + self.touched.len()) as u64;
        let chosen = self.entering(&mut candidates, by.abs());
        let Some((entering, flips)) = chosen else {
            self.ray = edge.iter().map(|&m| by.signum() * m).collect();
            self.clear();
            return None;
        };
        let q = entering as usize;
        let mut column = vec![0.0; self.rows.len()];
        self.fill_column(q, 1.0, &mut column);
        self.factor.solve(&mut column);
        let (pivot, other) = (column[position], self.entries[q]);
        if (pivot - other).abs() > DRIFT * (1.0 + pivot.abs()) || pivot.abs() < MIN_PIVOT {
            self.clear();
            return Some(false);
        }
        self.flip(&flips);
        // Dual step.
        let length = self.reduced[q] / pivot;
        for &variable in &self.touched {
            let v = variable as usize;
            if matches!(self.place[v], Place::Basic(_)) {
                continue;
            }
            let reduced = self.reduced[v] - length * self.entries[v];
            let wrong = match self.place[v] {
                Place::Lower => reduced < 0.0,
                _ => reduced > 0.0,
            };
            // A variable that cannot move may have any.
            let shift = if wrong && self.lower[v] < self.upper[v] { -reduced } else { 0.0 };
            self.costs[v] += shift;
            self.reduced[v] = reduced + shift;
        }
        let out = self.head[position] as usize;
        self.reduced[q] = 0.0;
        self.reduced[out] = -length;
        self.clear();
        // Primal step.
        let bound = if by > 0.0 { self.upper[out] } else { self.lower[out] };
        let change = (self.values[position] - bound) / pivot;
        for (value, &entry) in self.values.iter_mut().zip(&column) {
            *value -= change * entry;
        }
        self.values[position] = self.value_of(q) + change;
        self.update_weights(position, &column, edge);
        self.factor.exchange(position, &column);
        self.place[out] = if by > 0.0 { Place::Upper } else { Place::Lower };
        self.place[q] = Place::Basic(position as u32);
        self.head[position] = entering;
        self.work += (3 * self.factor.size() + self.rows.len()) as u64;
        Some(true)
    }

    fn clear(&mut self) {
        for variable in self.touched.drain(..) {
            self.entries[variable as usize] = 0.0;
        }
    }

    /// Computes the entries of the leaving row; returns the variables that can bring the leaving one nearer.
    fn candidates(&mut self, edge: &[f64], sign: f64) -> Vec<Candidate> {
        self.clear();
        for (row, &multiplier) in edge.iter().enumerate().filter(|e| e.1.abs() > 1e-12) {
            for &(column, entry) in &self.rows[row] {
                let sum = &mut self.entries[column as usize];
                if *sum == 0.0 {
                    self.touched.push(column);
                }
                *sum += multiplier * entry;
            }
            self.work += self.rows[row].len() as u64;
            let logical = self.size + row;
            self.entries[logical] = -multiplier;
            self.touched.push(logical as u32);
        }
        // A sum that was 0 in between has its variable twice.
        self.touched.sort_unstable();
        self.touched.dedup();
        let mut candidates = Vec::new();
        for &variable in &self.touched {
            let v = variable as usize;
            let entry = sign * self.entries[v];
            let is_able = match self.place[v] {
                Place::Basic(_) => false,
                Place::Lower => entry > MIN_PIVOT,
                Place::Upper => entry < -MIN_PIVOT,
            };
            if is_able && self.lower[v] < self.upper[v] {
                candidates.push(Candidate { variable, entry: entry.abs(), reduced: self.reduced[v].abs() });
            }
        }
        candidates
    }

    /// The entering variable, and those that move to the other bound before. `None`: all together are not enough.
    fn entering(&mut self, candidates: &mut Vec<Candidate>, by: f64) -> Option<(u32, Vec<u32>)> {
        let (mut slope, mut flips) = (by, Vec::new());
        loop {
            self.work += candidates.len() as u64;
            let bound = candidates.iter().map(|c| (c.reduced + DUAL) / c.entry).fold(f64::INFINITY, f64::min);
            let is_first = |c: &Candidate| c.reduced / c.entry <= bound;
            let first = || candidates.iter().filter(|c| is_first(c));
            let range = |c: &Candidate| self.upper[c.variable as usize] - self.lower[c.variable as usize];
            let taken: f64 = first().map(|c| c.entry * range(c)).sum();
            let best = first().fold(None, |best: Option<&Candidate>, c| match best {
                Some(b) if b.entry >= c.entry => best,
                _ => Some(c),
            })?;
            if slope - taken <= FEASIBLE * (1.0 + by) {
                return Some((best.variable, flips));
            }
            slope -= taken;
            flips.extend(first().map(|c| c.variable));
            candidates.retain(|c| !is_first(c));
        }
    }

    /// Moves variables to their other bounds.
    fn flip(&mut self, variables: &[u32]) {
        if variables.is_empty() {
            return;
        }
        let mut change = vec![0.0; self.rows.len()];
        for &variable in variables {
            let v = variable as usize;
            let range = self.upper[v] - self.lower[v];
            let (place, by) =
                if self.place[v] == Place::Lower { (Place::Upper, range) } else { (Place::Lower, -range) };
            self.place[v] = place;
            self.fill_column(v, by, &mut change);
        }
        self.factor.solve(&mut change);
        for (value, by) in self.values.iter_mut().zip(&change) {
            *value -= by;
        }
        self.work += self.factor.size() as u64;
    }

    /// The lengths of the edges after an exchange.
    fn update_weights(&mut self, position: usize, column: &[f64], edge: Vec<f64>) {
        let pivot = column[position];
        let weight: f64 = edge.iter().map(|e| e * e).sum();
        let mut image = edge;
        self.factor.solve(&mut image);
        for (p, &entry) in column.iter().enumerate().filter(|c| *c.1 != 0.0) {
            if p != position {
                let ratio = entry / pivot;
                let new = self.weights[p] - 2.0 * ratio * image[p] + ratio * ratio * weight;
                self.weights[p] = new.max(1e-4);
            }
        }
        self.weights[position] = (weight / (pivot * pivot)).max(1e-4);
    }

    /// Perturbs the costs anew, where they were shifted far from the given ones.
    pub fn restore_costs(&mut self) {
        for j in 0..self.size {
            let c = self.given[j];
            let by = CHANGE * (1.0 + c.abs()) * (0.5 + self.rng.unit());
            self.costs[j] =
                if self.value_of(j) * 2.0 > self.lower[j] + self.upper[j] { c - by } else { c + by };
        }
        self.costs[self.size..].fill(0.0);
        self.is_factored = false;
    }
}
