//! A log of learned clauses for later use.
//!
//! Invariant: a clause in the log contains only wanted variables, and follows from what was added to the engine.

use crate::store::literal::{Lit, Var};
use asp_base::index_vec::Idx;

/// The learned clauses so far.
#[derive(Debug)]
pub struct LemmaLog {
    /// Clauses of at most this LBD are recorded ...
    lbd: u32,
    /// ... until there are this many.
    most: u64,
    /// By variable: whether clauses may contain it; no longer than needed.
    wanted: Vec<bool>,
    /// The clauses, each with its LBD.
    pub clauses: Vec<(Vec<Lit>, u32)>,
}

impl LemmaLog {
    /// A log for clauses over these variables.
    pub fn new(lbd: u32, most: u64, vars: impl Iterator<Item = Var>) -> Self {
        let mut wanted = Vec::new();
        for var in vars {
            if wanted.len() <= var.index() {
                wanted.resize(var.index() + 1, false);
            }
            wanted[var.index()] = true;
        }
        Self { lbd, most, wanted, clauses: Vec::new() }
    }
    /// Records a learned clause.
    pub(crate) fn note(&mut self, clause: &[Lit], lbd: u32) {
        let fits = lbd <= self.lbd && (self.clauses.len() as u64) < self.most;
        if fits && clause.iter().all(|l| self.wanted.get(l.var().index()).copied().unwrap_or(false)) {
            self.clauses.push((clause.to_vec(), lbd));
        }
    }
}
