//! What a call in several threads is made of, whatever the threads do.

use crate::base::interrupt::Interrupt;
use crate::program::{Literal, Program};
use crate::solve::options::SolveOptions;
use crate::solve::translate::Stages;

/// For so many literals of the program's rules, helpers wait as long again.
const LITERALS: u64 = 300_000;
/// Threads in all, at most.
const MAX_THREADS: u32 = 64;

/// One call in several threads.
pub(crate) struct Threads<'a> {
    pub(crate) program: &'a Program,
    pub(crate) options: &'a SolveOptions,
    pub(crate) assumptions: &'a [Literal],
    pub(crate) interrupt: &'a Interrupt,
    pub(crate) stages: Stages,
    /// What the caller's thread does alone at first: conflicts, or steps if the search is split.
    pub(crate) patience: u64,
}

impl Threads<'_> {
    /// Number of threads, the caller's own one among them.
    pub(crate) fn count(&self) -> usize {
        self.options.threads.clamp(1, MAX_THREADS) as usize
    }
    /// Work after which helpers are worth it: a translation of a large program takes long.
    pub(crate) fn worth(&self) -> u64 {
        self.patience + self.patience * self.program.rules.literal_count() as u64 / LITERALS
    }
    /// How a thread searches.
    pub(crate) fn options_of(&self, helper: usize) -> SolveOptions {
        let mut options = self.options.clone();
        if !options.portfolio.is_empty() {
            options.solver = options.portfolio[helper % options.portfolio.len()];
        }
        options
    }
}
