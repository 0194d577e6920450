//! Substitution of equivalent literals: literals that imply each other by binary clauses become one in all long clauses.
//!
//! The binary clauses that make them equivalent stay, so every variable keeps its meaning, and whoever watches it
//! (groups, weight constraints, propagators, enumeration) need not know. Long clauses become shorter, or true.
//! Invariant: as for all inprocessing passes. Components are found without recursion.
//! Source: Tarjan, *Depth-first search and linear graph algorithms*, 1972; Van Gelder, *Toward leaner binary-clause
//! reasoning in a satisfiability solver*, 2005.

use crate::solve::engine::Engine;
use crate::solve::engine::store::arena::ClauseRef;
use crate::solve::engine::store::literal::Lit;

const UNSEEN: u32 = u32::MAX;

impl Engine {
    /// One round. `false`: there is no model.
    pub(crate) fn substitute(&mut self) -> bool {
        let binary = self.watches.num_binary;
        if binary == self.substituted_at {
            return true;
        }
        self.substituted_at = binary;
        let Some(representative) = self.equivalent_literals() else { return false };
        if representative.iter().enumerate().all(|(code, r)| r.code() == code) {
            return true;
        }
        let clauses: Vec<ClauseRef> = self.arena.iter().collect();
        for c in clauses {
            self.ticks += 1;
            if self.arena.literals(c).all(|l| representative[l.code()] == l) {
                continue;
            }
            let mut literals: Vec<Lit> = self.arena.literals(c).map(|l| representative[l.code()]).collect();
            literals.sort_unstable();
            literals.dedup();
            self.stats.substituted += 1;
            if literals.windows(2).any(|w| w[0] == !w[1]) {
                self.discard_clause(c);
            } else if !self.replace_clause(c, &literals) {
                return false;
            }
        }
        self.collect();
        true
    }
    /// By literal: the least one equivalent to it; `None` if one is equivalent to its complement.
    fn equivalent_literals(&mut self) -> Option<Vec<Lit>> {
        let n = 2 * self.num_vars();
        let mut representative: Vec<Lit> = (0..n).map(Lit::from_code).collect();
        let (mut number, mut low) = (vec![UNSEEN; n], vec![0u32; n]);
        let mut open: Vec<Lit> = Vec::new();
        let mut path: Vec<(Lit, usize)> = Vec::new();
        let mut clock = 0;
        for start in (0..n).map(Lit::from_code) {
            if number[start.code()] != UNSEEN {
                continue;
            }
            path.push((start, 0));
            while let Some(&mut (lit, ref mut next)) = path.last_mut() {
                let at = lit.code();
                if *next == 0 {
                    number[at] = clock;
                    low[at] = clock;
                    clock += 1;
                    open.push(lit);
                }
                // What follows from the literal.
                let follows = &self.watches.binary[(!lit).code()];
                if let Some(&other) = follows.get(*next) {
                    *next += 1;
                    if number[other.code()] == UNSEEN {
                        path.push((other, 0));
                    } else {
                        low[at] = low[at].min(low[other.code()]);
                    }
                    // A literal that was only just numbered must not be numbered again.
                    continue;
                }
                path.pop();
                if let Some(&(before, _)) = path.last() {
                    low[before.code()] = low[before.code()].min(low[at]);
                }
                if low[at] == number[at] {
                    let from = open.iter().rposition(|&l| l == lit).unwrap_or(0);
                    let least = open[from..].iter().copied().min().unwrap_or(lit);
                    for member in open.drain(from..) {
                        if member == !lit {
                            return None;
                        }
                        representative[member.code()] = least;
                        low[member.code()] = UNSEEN;
                    }
                }
            }
            self.ticks += 1;
        }
        self.ticks += self.watches.num_binary / 8;
        Some(representative)
    }
}
