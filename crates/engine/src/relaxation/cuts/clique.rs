//! Clique cuts: of pairwise exclusive literals at most one holds.
//!
//! Conflicts between literals come from groups, and from rows that permit at most one false literal. Cliques grow greedily
//! from each literal, those with the greatest values first. Before solving, each such group and row is extended: a literal
//! that excludes each of its members joins them. Invariant: each pair of a cut's literals is in one group or row. Source:
//! Atamtürk, Nemhauser and Savelsbergh, *Conflict graphs in solving integer programming problems*, European Journal of
//! Operational Research 2000.

use crate::relaxation::cuts::Cut;
use crate::relaxation::problem::{Problem, Subject};
use asp_base::csr::Csr;
use asp_base::map::Set;

/// The most literals between 0 and 1 that are considered.
const MAX_OPEN: usize = 1500;
/// Values closer to 0 than this do not count.
const LEAST: f64 = 0.01;
/// How much more than 1 the values of a clique are.
const VIOLATED: f64 = 0.02;

/// The most literals considered for growing cliques before solving.
const MERGE_WORK: usize = 10_000_000;
/// The greatest clique whose pairs are remembered.
const MAX_PAIRED: usize = 64;

/// Literals that exclude each other.
pub(crate) struct Conflicts {
    /// Cliques of literals: twice the column, one more if negative. Those of groups are first.
    cliques: Csr<u32>,
    /// By clique that is none of a group: its row.
    rows: Vec<u32>,
    /// By literal: its cliques.
    of: Csr<u32>,
}

impl Conflicts {
    /// The conflicts of a problem.
    pub(crate) fn new(problem: &Problem) -> Self {
        let (mut cliques, mut rows) = (Csr::default(), Vec::new());
        for group in problem.groups.rows() {
            let literals: Vec<u32> = group.iter().map(|&(j, negative)| 2 * j + u32::from(negative)).collect();
            cliques.push_row(&literals);
        }
        for (k, (row, &bound)) in problem.rows.rows().zip(&problem.bounds).enumerate() {
            let positive = row.iter().filter(|t| t.1 == 1).count() as i64;
            // All but one of the row's literals hold, so their complements exclude each other.
            let is_literal = |j: u32| matches!(problem.subjects[j as usize], Subject::Var(_));
            let is_plain = row.len() >= 2 && row.iter().all(|t| (t.1 == 1 || t.1 == -1) && is_literal(t.0));
            if is_plain && bound == positive - 1 {
                let literals: Vec<u32> = row.iter().map(|&(j, w)| 2 * j + u32::from(w == 1)).collect();
                cliques.push_row(&literals);
                rows.push(k as u32);
            }
        }
        let pairs =
            (0..cliques.len()).flat_map(|c: usize| cliques.row(c).iter().map(move |&l: &u32| (l, c as u32)));
        let of = Csr::group(2 * problem.subjects.len(), pairs);
        Self { cliques, rows, of }
    }

    /// Larger cliques that contain these, and which rows say no more than they do.
    fn merged(&self, rows: usize) -> (Vec<Cut>, Vec<bool>) {
        let (mut cuts, mut is_said) = (Vec::new(), vec![false; rows]);
        let mut growth = Growth { reached: vec![0; self.of.len()], touched: Vec::new(), work: 0 };
        let mut pairs: Set<(u32, u32)> = Set::default();
        let mut order: Vec<u32> = (0..self.cliques.len() as u32).collect();
        order.sort_by_key(|&c| (std::cmp::Reverse(self.cliques.row(c as usize).len()), c));
        let groups = self.cliques.len() - self.rows.len();
        for c in order {
            if growth.work > MERGE_WORK {
                break;
            }
            let clique = self.cliques.row(c as usize);
            let row = (c as usize).checked_sub(groups).map(|r| self.rows[r] as usize);
            if let (Some(row), &[a, b]) = (row, clique)
                && pairs.contains(&(a.min(b), a.max(b)))
            {
                is_said[row] = true;
                continue;
            }
            let grown = growth.grow(self, clique);
            if grown.len() <= MAX_PAIRED {
                for (i, &a) in grown.iter().enumerate() {
                    pairs.extend(grown[..i].iter().map(|&b| (a.min(b), a.max(b))));
                }
            }
            if grown.len() > clique.len() {
                if let Some(row) = row {
                    is_said[row] = true;
                }
                cuts.push(at_most_one(grown.into_iter()));
            }
        }
        (cuts, is_said)
    }

    /// Cuts that a solution violates.
    pub(crate) fn cuts(&self, x: &[f64], found: &mut Vec<Cut>) {
        let value = |literal: u32| {
            let x = x[literal as usize / 2];
            if literal.is_multiple_of(2) { x } else { 1.0 - x }
        };
        let is_open =
            |&l: &u32| value(l) > LEAST && value(l) < 1.0 - LEAST && !self.of.row(l as usize).is_empty();
        let mut open: Vec<u32> = (0..2 * x.len() as u32).filter(is_open).collect();
        open.sort_by(|&a, &b| value(b).total_cmp(&value(a)).then(a.cmp(&b)));
        open.truncate(MAX_OPEN);
        let mut number = vec![u32::MAX; 2 * x.len()];
        open.iter().enumerate().for_each(|(i, &l)| number[l as usize] = i as u32);
        let words = open.len().div_ceil(64);
        let mut beside = vec![0u64; words * open.len()];
        for (i, &literal) in open.iter().enumerate() {
            let row = &mut beside[i * words..(i + 1) * words];
            for &clique in self.of.row(literal as usize) {
                for &other in self.cliques.row(clique as usize) {
                    let other = number[other as usize] as usize;
                    if other < open.len() && other != i {
                        row[other / 64] |= 1 << (other % 64);
                    }
                }
            }
        }
        let mut left = vec![0u64; words];
        let mut seen = vec![false; open.len()];
        for start in 0..open.len() {
            if seen[start] {
                continue;
            }
            left.copy_from_slice(&beside[start * words..(start + 1) * words]);
            let (mut clique, mut sum) = (vec![start], value(open[start]));
            while let Some(word) = left.iter().position(|&w| w != 0) {
                // The numbers are by falling values.
                let next = 64 * word + left[word].trailing_zeros() as usize;
                clique.push(next);
                sum += value(open[next]);
                let row = &beside[next * words..(next + 1) * words];
                left.iter_mut().zip(row).for_each(|(l, r)| *l &= r);
            }
            if sum > 1.0 + VIOLATED {
                clique.iter().for_each(|&i| seen[i] = true);
                found.push(at_most_one(clique.iter().map(|&i| open[i])));
            }
        }
    }
}

/// Growing cliques.
struct Growth {
    /// By literal: how many of the clique's literals, from the first on, exclude it.
    reached: Vec<u32>,
    touched: Vec<u32>,
    work: usize,
}

impl Growth {
    /// A clique with literals that all of it exclude, as long as there are any.
    fn grow(&mut self, conflicts: &Conflicts, clique: &[u32]) -> Vec<u32> {
        for literal in self.touched.drain(..) {
            self.reached[literal as usize] = 0;
        }
        for (i, &literal) in clique.iter().enumerate() {
            self.reach(conflicts, literal, i as u32);
        }
        let mut grown = clique.to_vec();
        let mut candidates = std::mem::take(&mut self.touched);
        candidates.sort_unstable();
        for &literal in &candidates {
            if self.reached[literal as usize] == grown.len() as u32 && !clique.contains(&literal) {
                self.reach(conflicts, literal, grown.len() as u32);
                grown.push(literal);
            }
        }
        self.touched = candidates;
        grown
    }

    /// Counts one more exclusion of what a literal excludes and `others` literals before it do.
    fn reach(&mut self, conflicts: &Conflicts, literal: u32, others: u32) {
        for &c in conflicts.of.row(literal as usize) {
            let row = conflicts.cliques.row(c as usize);
            self.work += row.len();
            for &other in row {
                let reached = &mut self.reached[other as usize];
                if *reached == others {
                    *reached = others + 1;
                    if others == 0 {
                        self.touched.push(other);
                    }
                }
            }
        }
    }
}

/// Adds larger cliques to a problem, and removes rows that they subsume.
pub(crate) fn merge(problem: &mut Problem) {
    let (cuts, is_said) = Conflicts::new(problem).merged(problem.rows.len());
    let (mut rows, mut bounds) = (Csr::default(), Vec::new());
    for (k, row) in problem.rows.rows().enumerate().filter(|(k, _)| !is_said[*k]) {
        rows.push_row(row);
        bounds.push(problem.bounds[k]);
    }
    for mut cut in cuts {
        cut.terms.sort_unstable();
        rows.push_row(&cut.terms);
        bounds.push(cut.bound);
    }
    (problem.rows, problem.bounds) = (rows, bounds);
}

/// At most one of the literals holds, as a row.
fn at_most_one(literals: impl Iterator<Item = u32>) -> Cut {
    let mut cut = Cut { terms: Vec::new(), bound: -1 };
    for literal in literals {
        let negative = literal % 2 == 1;
        cut.terms.push((literal / 2, if negative { 1 } else { -1 }));
        cut.bound += i64::from(negative);
    }
    cut
}
