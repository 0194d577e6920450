//! Substitution of equivalent literals: literals that imply each other by binary clauses become one in all long clauses.
//!
//! The binary clauses that make them equivalent stay, so every variable keeps its meaning, and everything that watches
//! it (groups, weight constraints, propagators, enumeration) is unaffected. Long clauses become shorter, or true.
//! Invariant: as for all inprocessing passes.
//! Source: Van Gelder, *Toward leaner binary-clause reasoning in a satisfiability solver*, 2005.

use crate::Engine;
use crate::store::arena::ClauseRef;
use crate::store::literal::Lit;
use asp_base::scc;

impl Engine {
    /// One round. `false`: there is no model.
    pub(crate) fn substitute(&mut self) -> bool {
        let binary = self.clauses.watches.num_binary;
        if binary == self.control.inprocess.substituted_at {
            return true;
        }
        self.control.inprocess.substituted_at = binary;
        let representative = match self.equivalent_literals() {
            Ok(representative) => representative,
            // It implies its complement, and so is false; its complement implies it.
            Err(lit) => return self.add_fact(!lit),
        };
        if representative.iter().enumerate().all(|(code, r)| r.code() == code) {
            return true;
        }
        let clauses: Vec<ClauseRef> = self.clauses.arena.iter().collect();
        for c in clauses {
            self.control.ticks += 1;
            if self.clauses.arena.literals(c).all(|l| representative[l.code()] == l) {
                continue;
            }
            let mut literals: Vec<Lit> =
                self.clauses.arena.literals(c).map(|l| representative[l.code()]).collect();
            literals.sort_unstable();
            literals.dedup();
            self.stats.substituted += 1;
            if literals.windows(2).any(|w| w[0] == !w[1]) {
                self.clauses.discard(c);
            } else if !self.replace_clause(c, &literals) {
                return false;
            }
        }
        self.collect();
        true
    }
    /// By literal: the least one equivalent to it; otherwise a literal that is equivalent to its complement.
    fn equivalent_literals(&mut self) -> Result<Vec<Lit>, Lit> {
        let codes = 2 * self.num_vars();
        let mut representative: Vec<Lit> = (0..codes).map(Lit::from_code).collect();
        let mut contradictory = None;
        // The literals that a literal implies.
        let implied = |code: u32, i: u32| {
            let follows = &self.clauses.watches.binary[(!Lit::from_code(code as usize)).code()];
            follows.get(i as usize).map(|l| l.code() as u32)
        };
        let starts = scc::components(codes, 0..codes as u32, implied, |members| {
            let least = members.iter().copied().min().map_or(Lit::NONE, |code| Lit::from_code(code as usize));
            for &code in members {
                representative[code as usize] = least;
                // Representatives are positive, and the two literals of a variable have adjacent codes.
                if representative[code as usize ^ 1] == least {
                    contradictory = Some(least);
                }
            }
        });
        self.control.ticks += starts + self.clauses.watches.num_binary / 8;
        contradictory.map_or(Ok(representative), Err)
    }
}
