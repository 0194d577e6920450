//! Cuts: rows that all models satisfy and a solution of the linear programme violates.
//!
//! Invariant: cuts are derived from rows and groups in whole numbers.
//! Source: Marchand, Martin, Weismantel and Wolsey, *Cutting planes in integer and mixed integer programming*, Discrete Applied
//! Mathematics 2002; Wesselmann and Suhl, *Implementing cutting plane management and selection techniques*, 2012.

pub(crate) mod clique;
pub(crate) mod halves;
pub(crate) mod rounding;

/// Cuts that are taken in a round at least, ...
const MIN_TAKEN: usize = 20;
/// ... and one more for this many rows of the programme.
const ROWS_A_CUT: usize = 5;
/// Cuts whose terms are more alike than this are one.
const ALIKE: f64 = 0.9;
/// How far a cut is from the solution at least.
const MIN_DISTANCE: f64 = 5e-3;

/// A row: `sum >= bound`, each column once.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Cut {
    pub(crate) terms: Vec<(u32, i64)>,
    pub(crate) bound: i64,
}

impl Cut {
    /// How far a solution is from it.
    fn distance(&self, x: &[f64]) -> f64 {
        let sum: f64 = self.terms.iter().map(|&(j, w)| w as f64 * x[j as usize]).sum();
        (self.bound as f64 - sum) / self.length()
    }

    fn length(&self) -> f64 {
        self.terms.iter().map(|t| (t.1 as f64) * (t.1 as f64)).sum::<f64>().sqrt()
    }

    /// The cosine of the angle to another one. Pre: terms are sorted.
    fn likeness(&self, other: &Self) -> f64 {
        let (mut at, mut product) = (0, 0.0);
        for &(j, weight) in &self.terms {
            while at < other.terms.len() && other.terms[at].0 < j {
                at += 1;
            }
            if at < other.terms.len() && other.terms[at].0 == j {
                product += weight as f64 * other.terms[at].1 as f64;
            }
        }
        product / (self.length() * other.length())
    }
}

/// How many cuts are taken in a round at most, by rows of the programme.
pub(crate) fn most_cuts(rows: usize) -> usize {
    MIN_TAKEN + rows / ROWS_A_CUT
}

/// The cuts farthest from a solution and not parallel, at most `most`. Post: most distant first.
pub(crate) fn select(mut cuts: Vec<Cut>, most: usize, x: &[f64]) -> Vec<Cut> {
    cuts.iter_mut().for_each(|cut| cut.terms.sort_unstable());
    cuts.sort();
    cuts.dedup();
    let mut order: Vec<(f64, Cut)> = cuts.into_iter().map(|cut| (cut.distance(x), cut)).collect();
    order.retain(|c| c.0 > MIN_DISTANCE);
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let mut taken: Vec<Cut> = Vec::new();
    for (_, cut) in order {
        if taken.len() >= most {
            break;
        }
        if taken.iter().all(|other| other.likeness(&cut) <= ALIKE) {
            taken.push(cut);
        }
    }
    taken
}
