//! Settings of a call with several threads.

use crate::options::SolveOptions;
use crate::theory::host::Host;
use crate::translate::Stages;
use asp_base::interrupt::Interrupt;
use asp_program::{Literal, Program};

/// Helpers wait once more as long for each this many literals of the program's rules.
const LITERALS: u64 = 300_000;
/// The greatest number of threads.
const MAX_THREADS: u32 = 64;

/// One call in several threads.
pub(crate) struct Threads<'a> {
    pub(crate) program: &'a Program,
    pub(crate) options: &'a SolveOptions,
    pub(crate) assumptions: &'a [Literal],
    pub(crate) interrupt: &'a Interrupt,
    /// The caller's theories, which have a state for each thread.
    pub(crate) theories: Option<Host>,
    pub(crate) stages: Stages,
    /// Work of the main thread before helpers begin: turns, or steps if the search space is divided.
    pub(crate) head_start: u64,
}

impl Threads<'_> {
    /// Number of threads, including the main one.
    pub(crate) fn count(&self) -> usize {
        self.options.threads.clamp(1, MAX_THREADS) as usize
    }
    /// The amount of work at which helpers are worthwhile: translating a large program takes long.
    pub(crate) fn worth(&self) -> u64 {
        self.head_start + self.head_start * self.program.rules.literal_count() as u64 / LITERALS
    }
    pub(crate) fn options_of(&self, helper: usize) -> SolveOptions {
        let mut options = self.options.clone();
        if !options.portfolio.is_empty() {
            options.solver = options.portfolio[helper % options.portfolio.len()];
        }
        options
    }
}
