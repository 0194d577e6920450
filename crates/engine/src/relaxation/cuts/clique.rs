//! Clique cuts: of literals that exclude each other pairwise at most one holds.
//!
//! Which literals exclude each other is known from groups and from rows that leave at most one of their literals out. Cliques
//! grow greedily from each literal, those with the greatest values first.
//! Invariant: each pair of a cut's literals is in one group or row.
//! Source: Atamtürk, Nemhauser and Savelsbergh, *Conflict graphs in solving integer programming problems*, European Journal of
//! Operational Research 2000.

use crate::relaxation::cuts::Cut;
use crate::relaxation::problem::Problem;
use asp_base::csr::Csr;

/// Literals between 0 and 1 that are looked at.
const MAX_OPEN: usize = 1500;
/// Values closer to 0 than this do not count.
const LEAST: f64 = 0.01;
/// How much more than 1 the values of a clique are.
const VIOLATED: f64 = 0.02;

/// Literals that exclude each other.
pub(crate) struct Conflicts {
    /// Cliques of literals: twice the column, one more if negative.
    cliques: Csr<u32>,
    /// By literal: its cliques.
    of: Csr<u32>,
}

impl Conflicts {
    /// The conflicts of a problem.
    pub(crate) fn new(problem: &Problem) -> Self {
        let mut cliques: Csr<u32> = Csr::default();
        for group in problem.groups.rows() {
            let literals: Vec<u32> = group.iter().map(|&(j, negative)| 2 * j + u32::from(negative)).collect();
            cliques.push_row(&literals);
        }
        for (row, &bound) in problem.rows.rows().zip(&problem.bounds) {
            let positive = row.iter().filter(|t| t.1 == 1).count() as i64;
            // Of all but one of the literals of the row, which hold, the complements exclude each other.
            let is_plain = row.len() >= 2 && row.iter().all(|t| t.1 == 1 || t.1 == -1);
            if is_plain && bound == positive - 1 {
                let literals: Vec<u32> = row.iter().map(|&(j, w)| 2 * j + u32::from(w == 1)).collect();
                cliques.push_row(&literals);
            }
        }
        let pairs = (0..cliques.len()).flat_map(|c| cliques.row(c).iter().map(move |&l| (l, c as u32)));
        let of = Csr::group(2 * problem.vars.len(), pairs);
        Self { cliques, of }
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
