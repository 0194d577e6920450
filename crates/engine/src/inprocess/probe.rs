//! Failed-literal probing: a literal whose consequences are contradictory is false.
//!
//! Only roots of the binary implication graph are tried: literals that imply others and that no binary clause implies.
//! Each round starts where the last one stopped.
//! Invariant: as for all inprocessing passes: level 0 before and after.
//! Source: Le Berre, *Exploiting the real power of unit propagation lookahead*, SAT 2001; Lynce and Marques-Silva,
//! *Probing-based preprocessing techniques for propositional satisfiability*, ICTAI 2003.

use crate::Engine;
use crate::store::assignment::Reason;
use crate::store::literal::Lit;

impl Engine {
    /// One round of probing. `false`: there is no model.
    pub(crate) fn probe(&mut self) -> bool {
        let codes = 2 * self.num_vars();
        for _ in 0..codes {
            if self.is_exhausted() {
                break;
            }
            let lit = Lit::from_code(self.control.inprocess.next_probe % codes);
            self.control.inprocess.next_probe = (self.control.inprocess.next_probe + 1) % codes;
            self.control.ticks += 1;
            let implies = !self.clauses.watches.binary[(!lit).code()].is_empty();
            let implied = !self.clauses.watches.binary[lit.code()].is_empty();
            if !implies || implied || !self.assignment.is_free(lit) {
                continue;
            }
            self.stats.probed.0 += 1;
            self.assignment.open_level();
            self.assignment.assign(lit, Reason::DECISION);
            let failed = self.propagate_units().is_err();
            self.backtrack(0);
            if failed {
                self.stats.probed.1 += 1;
                if !self.add_fact(!lit) {
                    return false;
                }
            }
        }
        true
    }
}
