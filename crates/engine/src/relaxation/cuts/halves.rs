//! Zero-half cuts: half the sum of some rows, rounded; odd cycles of conflicts, for instance.
//!
//! A sum of rows `a x >= b` with an odd `b` says, halved and rounded, more than the rows if what they exceed their bounds by and the values
//! of the columns with odd weights are together less than 1. Modulo 2 such a sum is found by elimination: column by column, the row that
//! exceeds its bound least is added to all others that have the column. Columns count as complemented if they are nearer to their greatest value than to
//! 0; those that have either cost nothing.
//! Invariant: what is found is only a choice of rows; [`Aggregate`] computes the cut.
//! Source: Caprara and Fischetti, *{0, 1/2}-Chvátal-Gomory cuts*, Mathematical Programming 1996; Koster, Zymolka and Kutschka, *Algorithms to
//! separate {0, 1/2}-Chvátal-Gomory cuts*, Algorithmica 2009.

use crate::relaxation::cuts::Cut;
use crate::relaxation::cuts::rounding::{Aggregate, Origin, row_of};
use crate::relaxation::problem::Problem;

/// The most rows considered, those with the least slack.
const MAX_LINES: usize = 2000;
/// Steps of one elimination.
const WORK: u64 = 5_000_000;
/// Columns nearer to 0 or 1 than this cost nothing.
const WHOLE: f64 = 1e-6;
/// The least violation: how far slacks and odd columns together stay below 1.
const VIOLATED: f64 = 0.03;
/// Rows of one sum.
const MAX_SUMMED: usize = 60;

/// A sum of rows modulo 2.
#[derive(Clone, Debug)]
struct Line {
    /// The columns between 0 and their greatest value with odd weights.
    odd: Vec<u32>,
    is_odd: bool,
    /// The slack of the sum in the solution, including the eliminated columns.
    excess: f64,
    rows: Vec<u32>,
}

/// Cuts that a solution violates, from sums of some rows, at most `most`. Returns the work.
pub(crate) fn halved(
    problem: &Problem,
    origins: &[Origin],
    x: &[f64],
    most: usize,
    found: &mut Vec<Cut>,
) -> u64 {
    let value = |j: u32| x[j as usize].min(problem.size(j) - x[j as usize]).max(0.0);
    let mut lines: Vec<Line> = (0..origins.len() as u32)
        .map(|k| line(problem, origins[k as usize], k, x))
        .filter(|line| line.excess < 1.0 - VIOLATED)
        .collect();
    lines.sort_by(|a, b| a.excess.total_cmp(&b.excess).then_with(|| a.rows.cmp(&b.rows)));
    lines.truncate(MAX_LINES);
    let mut columns: Vec<u32> = lines.iter().flat_map(|line| line.odd.iter().copied()).collect();
    columns.sort_unstable();
    columns.dedup();
    columns.sort_by(|&a, &b| value(b).total_cmp(&value(a)).then(a.cmp(&b)));
    let mut sums: Vec<(f64, Vec<u32>)> = Vec::new();
    let mut work = 0;
    for column in columns {
        let with = |line: &Line| line.odd.binary_search(&column).is_ok();
        let least = |&a: &usize, &b: &usize| lines[a].excess.total_cmp(&lines[b].excess).then(a.cmp(&b));
        let Some(pivot) = (0..lines.len()).filter(|&k| with(&lines[k])).min_by(least) else { continue };
        let pivot_line = lines[pivot].clone();
        for (k, line) in lines.iter_mut().enumerate() {
            if k != pivot && with(line) && line.excess + pivot_line.excess < 1.0 - VIOLATED {
                line.add(&pivot_line);
                work += (line.odd.len() + line.rows.len()) as u64;
                line.note(&value, &mut sums);
            } else if with(line) {
                line.odd.retain(|&j| j != column);
                line.excess += value(column);
            }
        }
        work += lines.len() as u64;
        lines.retain(|line| line.excess < 1.0 - VIOLATED && line.rows.len() <= MAX_SUMMED);
        if work > WORK {
            break;
        }
    }
    sums.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
    sums.dedup_by(|a, b| a.1 == b.1);
    sums.truncate(most);
    for (_, rows) in sums {
        let mut sum = Aggregate::default();
        if rows.iter().all(|&k| sum.add(problem, origins[k as usize], -1).is_some()) {
            work += sum.work();
            found.extend(sum.cut(problem, x, &[2]));
        }
    }
    work
}

/// A row modulo 2.
fn line(problem: &Problem, origin: Origin, number: u32, x: &[f64]) -> Line {
    let (terms, bound, is_equation) = row_of(problem, origin);
    let (mut sum, mut is_odd, mut odd) = (0.0, bound % 2 != 0, Vec::new());
    for &(j, weight) in &terms {
        let (x, size) = (x[j as usize], problem.size(j));
        sum += weight as f64 * x;
        if weight % 2 != 0 {
            is_odd ^= x > size / 2.0 && problem.sizes[j as usize] % 2 != 0;
            if x > WHOLE && x < size - WHOLE {
                odd.push(j);
            }
        }
    }
    odd.sort_unstable();
    let excess = if is_equation { 0.0 } else { (sum - bound as f64).max(0.0) };
    Line { odd, is_odd, excess, rows: vec![number] }
}

impl Line {
    /// Adds another one.
    fn add(&mut self, other: &Self) {
        self.odd = difference(&self.odd, &other.odd);
        self.rows = difference(&self.rows, &other.rows);
        self.is_odd ^= other.is_odd;
        self.excess += other.excess;
    }

    /// Notes its rows, with how little they leave, if they lead to a cut.
    fn note(&self, value: &impl Fn(u32) -> f64, sums: &mut Vec<(f64, Vec<u32>)>) {
        let total = self.excess + self.odd.iter().map(|&j| value(j)).sum::<f64>();
        if self.is_odd && total < 1.0 - VIOLATED {
            sums.push((total, self.rows.clone()));
        }
    }
}

/// The symmetric difference of two sorted lists.
fn difference(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut out = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => (out.push(a[i]), i += 1).1,
            std::cmp::Ordering::Greater => (out.push(b[j]), j += 1).1,
            std::cmp::Ordering::Equal => (i, j) = (i + 1, j + 1),
        }
    }
    out.extend_from_slice(&a[i..]);
    out.extend_from_slice(&b[j..]);
    out
}
