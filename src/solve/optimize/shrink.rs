//! Making cores smaller by a little search.
//!
//! Either each literal is tried to be left out, or prefixes of the core are tried to be cores themselves, in lengths that
//! grow, shrink, double or are halved.
//! Invariant: what is left is a core.
//! Source: Alviano and Dodaro, *Anytime answer set optimization via unsatisfiable core shrinking*, TPLP 2016.

use crate::solve::Shrink;
use crate::solve::engine::Outcome;
use crate::solve::engine::store::literal::Lit;
use crate::solve::session::run::Run;

/// Conflicts that one attempt may take, if the options say nothing else.
const CONFLICTS: u64 = 100;
/// Steps that one attempt may take for each step of the search that found the core, and at least.
const STEPS: (u64, u64) = (1, 20_000);
/// Cores larger than this are not shrunk literal by literal.
const SIZE: usize = 64;

impl Run<'_> {
    /// Makes a core smaller; the search that found it took so many steps.
    pub(crate) fn shrink(&mut self, core: &mut Vec<Lit>, how: Shrink, steps: u64) {
        let given = self.options.solver.optimize.cores.shrink_conflicts;
        self.t.engine.set_limits(given.unwrap_or(CONFLICTS), 0);
        self.t.engine.set_step_limit(if given.is_some() { 0 } else { (STEPS.0 * steps).max(STEPS.1) });
        match how {
            Shrink::Minimal if core.len() <= SIZE || given.is_some() => self.leave_out(core),
            Shrink::Minimal => {}
            _ => self.find_prefix(core, how),
        }
        self.t.engine.set_limits(self.options.conflict_limit, self.options.restart_limit);
        self.t.engine.set_step_limit(0);
    }

    /// Whether some of a core's literals are one: those that are, in the same order. `None` otherwise, or if it takes too
    /// long to tell.
    fn core_within(&mut self, part: &[Lit]) -> Option<Vec<Lit>> {
        let keep = self.assumptions.len();
        self.assumptions.extend_from_slice(part);
        let outcome = self.t.engine.solve(&self.assumptions, self.interrupt);
        self.assumptions.truncate(keep);
        if let Some(reason) = self.interrupt.poll() {
            self.stop(reason);
        }
        (outcome == Outcome::Unsat).then(|| self.failed_among(part))
    }

    fn leave_out(&mut self, core: &mut Vec<Lit>) {
        let mut i = 0;
        while i < core.len() && core.len() > 1 && self.result.stopped.is_none() {
            let mut rest = core.clone();
            rest.remove(i);
            match self.core_within(&rest) {
                // Nothing was wrong with the objective: the constraints contradict each other.
                Some(smaller) if smaller.is_empty() => break,
                Some(smaller) => *core = smaller,
                None => i += 1,
            }
        }
    }

    fn find_prefix(&mut self, core: &mut Vec<Lit>, how: Shrink) {
        // Literals of the longest prefix that is not known to be a core.
        let (mut low, mut step) = (0, 1);
        while self.result.stopped.is_none() {
            let length = match how {
                Shrink::Forward | Shrink::Minimal => low + 1,
                Shrink::Backward => core.len() - 1,
                Shrink::Binary => (low + core.len()) / 2,
                Shrink::Geometric => low + step,
                Shrink::Exponential => (2 * low).max(1),
            };
            if length <= low {
                break;
            }
            if length >= core.len() {
                if how != Shrink::Geometric || step == 1 {
                    break;
                }
                step = 1;
                continue;
            }
            match self.core_within(&core[..length]) {
                Some(smaller) if smaller.is_empty() => break,
                Some(smaller) => {
                    low = core[..low].iter().filter(|l| smaller.contains(l)).count();
                    *core = smaller;
                    if !matches!(how, Shrink::Backward | Shrink::Binary) {
                        break;
                    }
                }
                None if how == Shrink::Backward => break,
                None => (low, step) = (length, 2 * step),
            }
        }
    }
}
