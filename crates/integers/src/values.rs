//! Variables for values of functions: `p(x)` with the value 3 is the atom `p(x,3)` of answer sets.
//!
//! A program whose functions have integers instead of atoms (`rewrite::expand`) has no other variables. Invariant: it is refused unless
//! its meaning is that of the program with atoms: each variable has one domain, which is a fact; then it is grounded with atoms.

use super::constraint::{Constraint, Posted, Read, Sum};
use super::{Compiler, Limits};
use asp_base::diagnostic::Diagnostic;
use asp_base::span::Span;
use asp_base::symbol::Symbols;

impl Compiler {
    /// Refuses what is not the same with atoms, or has too few values to be worth it.
    pub(crate) fn check_functions(
        &self,
        read: &Read,
        symbols: &Symbols,
        limits: Limits,
    ) -> Result<(), Box<Diagnostic>> {
        let refused = |span| Err(Box::new(Diagnostic::error(span, "this needs an atom for each value")));
        let mut domains = vec![0u32; self.data.variables.len()];
        // How many values each variable has.
        let mut sizes = vec![0u64; self.data.variables.len()];
        for posted in &read.posted {
            match &posted.constraint {
                Constraint::Domain(variable, ranges) => {
                    domains[variable.0 as usize] += 1;
                    let fits = |r: &(i64, i64)| r.0 > r.1 || limits.least <= r.0 && r.1 <= limits.greatest;
                    if self.certain.get(&posted.atom) != Some(&true) || !ranges.iter().all(fits) {
                        return refused(posted.span);
                    }
                    let values = ranges.iter().filter(|r| r.0 <= r.1).map(|r| r.1.abs_diff(r.0) + 1);
                    sizes[variable.0 as usize] = values.sum();
                }
                // Tasks share less than nothing: that matters only if there are any.
                Constraint::Any(lists) if lists.is_empty() => return refused(posted.span),
                _ => {}
            }
        }
        for (known, domains) in self.data.variables.iter().zip(domains) {
            if domains != 1 || self.data.functions.atom(known.name, symbols).is_none() {
                return refused(known.span);
            }
        }
        // Values that all differ are propagated one by one, if there are not too many.
        let differs = |posted: &&Posted| match &posted.constraint {
            Constraint::Distinct(sums) => sums
                .iter()
                .flat_map(Sum::variables)
                .any(|v| sizes[v.0 as usize] < self.data.functions.least_of_distinct),
            _ => false,
        };
        let is_wide = sizes.iter().any(|&size| size >= self.data.functions.least);
        match read.posted.iter().find(differs) {
            Some(posted) => refused(posted.span),
            None if is_wide => Ok(()),
            None => refused(Span::NONE),
        }
    }
}
