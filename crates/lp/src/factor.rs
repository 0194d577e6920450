//! A basis as a product of triangular matrices, with its updates.
//!
//! Pivots are chosen by the least fill-in that they can cause among those that are large enough; columns and rows with one
//! entry come first by that and cost nothing. A column that is exchanged later is one more factor (product form).
//! Invariant: positions are columns of the basis, rows those of the constraints; `pivots` has each of both once.
//! Source: Markowitz, *The elimination form of the inverse and its application to linear programming*, Management Science 1957;
//! Suhl and Suhl, *Computing sparse LU factorizations for large-scale linear programming bases*, ORSA Journal on Computing 1990.

use asp_base::csr::Csr;

/// A pivot is at least this part of the greatest entry of its row.
const THRESHOLD: f64 = 0.1;
/// Pivots smaller than this are none.
const MIN_PIVOT: f64 = 1e-9;
/// Entries smaller than this are dropped.
const DROP: f64 = 1e-13;
/// Rows or columns that are looked through for a pivot at most.
const MAX_CANDIDATES: usize = 4;

/// A pivot of the elimination.
#[derive(Clone, Copy, Debug)]
struct Pivot {
    row: u32,
    position: u32,
    value: f64,
}

/// A column that was exchanged.
#[derive(Clone, Copy, Debug)]
struct Exchange {
    position: u32,
    value: f64,
}

/// A basis that systems are solved with.
#[derive(Clone, Debug, Default)]
pub(crate) struct Factor {
    pivots: Vec<Pivot>,
    /// Steps of the elimination that change other rows: the pivot's row, and other rows with multipliers.
    steps: Vec<u32>,
    lower: Csr<(u32, f64)>,
    /// By pivot: the rest of its row, as positions, and of its column, as rows.
    upper_rows: Csr<(u32, f64)>,
    upper_columns: Csr<(u32, f64)>,
    exchanges: Vec<Exchange>,
    exchanged: Csr<(u32, f64)>,
    /// Entries of exchanged columns.
    growth: usize,
    scratch: Vec<f64>,
}

/// A basis in the course of its elimination.
struct Elimination {
    /// By row: positions with values.
    rows: Vec<Vec<(u32, f64)>>,
    /// By position: rows that may have an entry.
    columns: Vec<Vec<u32>>,
    /// By position: the number of entries; 0 when it is done.
    counts: Vec<u32>,
    is_done: Vec<bool>,
    /// By number of entries: rows and positions that had this many when they were put there.
    rows_by_count: Vec<Vec<u32>>,
    columns_by_count: Vec<Vec<u32>>,
    work: Vec<f64>,
}

impl Factor {
    /// Factorises the columns of a square basis. Singular columns are replaced: returns the positions without a pivot with the
    /// rows left over.
    pub(crate) fn factorise(&mut self, size: usize, columns: &Csr<(u32, f64)>) -> Vec<(u32, u32)> {
        *self = Self { scratch: std::mem::take(&mut self.scratch), ..Self::default() };
        self.scratch.resize(size, 0.0);
        let mut left = Elimination::new(size, columns);
        let mut upper: Vec<Vec<(u32, f64)>> = Vec::new();
        while let Some((row, position)) = left.pivot() {
            let (value, rest) = left.take(row, position);
            let below = left.eliminate(row, position, value, &rest);
            if !below.is_empty() {
                self.steps.push(row);
                self.lower.push_row(&below);
            }
            self.pivots.push(Pivot { row, position, value });
            upper.push(rest);
        }
        for rest in &upper {
            self.upper_rows.push_row(rest);
        }
        self.add_upper_columns(size);
        left.unpivoted(&self.pivots)
    }

    fn add_upper_columns(&mut self, size: usize) {
        let mut columns: Vec<Vec<(u32, f64)>> = vec![Vec::new(); size];
        for (pivot, rest) in self.pivots.iter().zip(self.upper_rows.rows()) {
            for &(position, value) in rest {
                columns[position as usize].push((pivot.row, value));
            }
        }
        for pivot in &self.pivots {
            self.upper_columns.push_row(&columns[pivot.position as usize]);
        }
    }

    /// The number of columns that were exchanged since, and their entries.
    pub(crate) fn exchanged(&self) -> (usize, usize) {
        (self.exchanges.len(), self.growth)
    }

    /// Entries of the factors.
    pub(crate) fn size(&self) -> usize {
        let last = |csr: &Csr<(u32, f64)>| if csr.is_empty() { 0 } else { csr.range(csr.len() - 1).end };
        self.pivots.len() + last(&self.lower) + last(&self.upper_rows) + self.growth
    }

    /// Solves `B x = b`: takes `b` by row, leaves `x` by position.
    pub(crate) fn solve(&mut self, vector: &mut Vec<f64>) {
        for (&row, below) in self.steps.iter().zip(self.lower.rows()) {
            let value = vector[row as usize];
            if value != 0.0 {
                for &(other, multiplier) in below {
                    vector[other as usize] -= multiplier * value;
                }
            }
        }
        self.scratch.fill(0.0);
        for (k, pivot) in self.pivots.iter().enumerate().rev() {
            let value = vector[pivot.row as usize];
            if value.abs() > DROP {
                let value = value / pivot.value;
                self.scratch[pivot.position as usize] = value;
                for &(row, entry) in self.upper_columns.row(k) {
                    vector[row as usize] -= entry * value;
                }
            }
        }
        std::mem::swap(vector, &mut self.scratch);
        for (exchange, others) in self.exchanges.iter().zip(self.exchanged.rows()) {
            let at = exchange.position as usize;
            if vector[at] != 0.0 {
                let value = vector[at] / exchange.value;
                vector[at] = value;
                for &(position, entry) in others {
                    vector[position as usize] -= entry * value;
                }
            }
        }
    }

    /// Solves `B' y = c`: takes `c` by position, leaves `y` by row.
    pub(crate) fn solve_transposed(&mut self, vector: &mut Vec<f64>) {
        for (k, exchange) in self.exchanges.iter().enumerate().rev() {
            let others = self.exchanged.row(k).iter();
            let taken: f64 = others.map(|&(position, entry)| entry * vector[position as usize]).sum();
            let at = exchange.position as usize;
            vector[at] = (vector[at] - taken) / exchange.value;
        }
        self.scratch.fill(0.0);
        for (pivot, rest) in self.pivots.iter().zip(self.upper_rows.rows()) {
            let value = vector[pivot.position as usize];
            if value.abs() > DROP {
                let value = value / pivot.value;
                self.scratch[pivot.row as usize] = value;
                for &(position, entry) in rest {
                    vector[position as usize] -= entry * value;
                }
            }
        }
        std::mem::swap(vector, &mut self.scratch);
        for (k, &row) in self.steps.iter().enumerate().rev() {
            let below = self.lower.row(k).iter();
            let taken: f64 = below.map(|&(other, multiplier)| multiplier * vector[other as usize]).sum();
            vector[row as usize] -= taken;
        }
    }

    /// The column at a position is exchanged for one that is `column` in the present basis.
    pub(crate) fn exchange(&mut self, position: usize, column: &[f64]) {
        let others: Vec<(u32, f64)> = column
            .iter()
            .enumerate()
            .filter(|&(i, v)| i != position && v.abs() > DROP)
            .map(|(i, &v)| (i as u32, v))
            .collect();
        self.growth += others.len() + 1;
        self.exchanges.push(Exchange { position: position as u32, value: column[position] });
        self.exchanged.push_row(&others);
    }
}

impl Elimination {
    fn new(size: usize, columns: &Csr<(u32, f64)>) -> Self {
        let mut new = Self {
            rows: vec![Vec::new(); size],
            columns: vec![Vec::new(); size],
            counts: vec![0; size],
            is_done: vec![false; size],
            rows_by_count: vec![Vec::new(); size + 2],
            columns_by_count: vec![Vec::new(); size + 2],
            work: vec![0.0; size],
        };
        for (position, column) in columns.rows().enumerate() {
            for &(row, value) in column {
                new.rows[row as usize].push((position as u32, value));
                new.columns[position].push(row);
            }
            new.counts[position] = column.len() as u32;
            new.columns_by_count[column.len()].push(position as u32);
        }
        for (row, entries) in new.rows.iter().enumerate() {
            new.rows_by_count[entries.len()].push(row as u32);
        }
        new
    }

    /// The greatest entry of a row.
    fn greatest(&self, row: u32) -> f64 {
        self.rows[row as usize].iter().map(|e| e.1.abs()).fold(0.0, f64::max)
    }

    fn value(&self, row: u32, position: u32) -> f64 {
        self.rows[row as usize].iter().find(|e| e.0 == position).map_or(0.0, |e| e.1)
    }

    /// The next pivot: row and position.
    fn pivot(&mut self) -> Option<(u32, u32)> {
        let (mut best, mut seen): (Option<(u64, u32, u32)>, usize) = (None, 0);
        for count in 1..self.rows_by_count.len() {
            let least = (count as u64 - 1) * (count as u64 - 1);
            if best.is_some_and(|b| b.0 <= least) {
                break;
            }
            let mut at = self.columns_by_count[count].len();
            while at > 0 {
                at -= 1;
                let position = self.columns_by_count[count][at];
                let p = position as usize;
                if self.is_done[p] || self.counts[p] as usize != count {
                    self.columns_by_count[count].swap_remove(at);
                    continue;
                }
                let rows = &self.columns[p];
                for &row in rows {
                    let value = self.value(row, position).abs();
                    let entries = self.rows[row as usize].len() as u64;
                    if value < MIN_PIVOT || value < THRESHOLD * self.greatest(row) {
                        continue;
                    }
                    let fill = (entries - 1) * (count as u64 - 1);
                    if best.is_none_or(|b| fill < b.0) {
                        best = Some((fill, row, position));
                    }
                }
                seen += 1;
                if best.is_some() && (seen >= MAX_CANDIDATES || best.is_some_and(|b| b.0 <= least)) {
                    return best.map(|b| (b.1, b.2));
                }
            }
            let mut at = self.rows_by_count[count].len();
            while at > 0 {
                at -= 1;
                let row = self.rows_by_count[count][at];
                if self.rows[row as usize].len() != count {
                    self.rows_by_count[count].swap_remove(at);
                    continue;
                }
                let greatest = self.greatest(row);
                for &(position, value) in &self.rows[row as usize] {
                    if value.abs() < MIN_PIVOT || value.abs() < THRESHOLD * greatest {
                        continue;
                    }
                    let fill = (count as u64 - 1) * (u64::from(self.counts[position as usize]) - 1);
                    if best.is_none_or(|b| fill < b.0) {
                        best = Some((fill, row, position));
                    }
                }
                seen += 1;
                if best.is_some() && seen >= MAX_CANDIDATES {
                    return best.map(|b| (b.1, b.2));
                }
            }
        }
        best.map(|b| (b.1, b.2))
    }

    /// Takes a pivot's row out; returns the pivot's value and the rest of its row.
    fn take(&mut self, row: u32, position: u32) -> (f64, Vec<(u32, f64)>) {
        let mut rest = std::mem::take(&mut self.rows[row as usize]);
        let at = rest.iter().position(|e| e.0 == position).unwrap_or(0);
        let value = rest.swap_remove(at).1;
        self.is_done[position as usize] = true;
        for &(other, _) in &rest {
            self.leave(row, other);
        }
        (value, rest)
    }

    /// A row has no entry at a position any more.
    fn leave(&mut self, row: u32, position: u32) {
        let p = position as usize;
        if let Some(at) = self.columns[p].iter().position(|&r| r == row) {
            self.columns[p].swap_remove(at);
            self.counts[p] -= 1;
            self.columns_by_count[self.counts[p] as usize].push(position);
        }
    }

    /// Takes multiples of a pivot's row off the others; returns them.
    fn eliminate(&mut self, row: u32, position: u32, value: f64, rest: &[(u32, f64)]) -> Vec<(u32, f64)> {
        let mut below = Vec::new();
        for other in std::mem::take(&mut self.columns[position as usize]) {
            if other == row {
                continue;
            }
            let entries = &mut self.rows[other as usize];
            let Some(at) = entries.iter().position(|e| e.0 == position) else { continue };
            let multiplier = entries.swap_remove(at).1 / value;
            below.push((other, multiplier));
            if !rest.is_empty() {
                self.subtract(other, multiplier, rest);
            }
            let count = self.rows[other as usize].len();
            self.rows_by_count[count].push(other);
        }
        below
    }

    fn subtract(&mut self, row: u32, multiplier: f64, rest: &[(u32, f64)]) {
        for &(position, value) in rest {
            self.work[position as usize] = multiplier * value;
        }
        let mut entries = std::mem::take(&mut self.rows[row as usize]);
        entries.retain_mut(|(position, value)| {
            *value -= std::mem::take(&mut self.work[*position as usize]);
            let stays = value.abs() > DROP;
            if !stays {
                self.leave(row, *position);
            }
            stays
        });
        for &(position, _) in rest {
            let value = std::mem::take(&mut self.work[position as usize]);
            if value.abs() > DROP {
                entries.push((position, -value));
                let p = position as usize;
                self.columns[p].push(row);
                self.counts[p] += 1;
                self.columns_by_count[self.counts[p] as usize].push(position);
            }
        }
        self.rows[row as usize] = entries;
    }

    /// Positions without a pivot, each with a row without one.
    fn unpivoted(&self, pivots: &[Pivot]) -> Vec<(u32, u32)> {
        let mut is_used = vec![false; self.rows.len()];
        pivots.iter().for_each(|p| is_used[p.row as usize] = true);
        let rows = (0..self.rows.len() as u32).filter(|&r| !is_used[r as usize]);
        let positions = (0..self.rows.len() as u32).filter(|&p| !self.is_done[p as usize]);
        positions.zip(rows).collect()
    }
}
