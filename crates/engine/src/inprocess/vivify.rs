//! Vivification: the literals of a clause are made false one by one, and propagation shows how to shorten the clause.
//!
//! If a later literal becomes false, it is not needed; if one becomes true, or there is a conflict, the decisions that
//! this depends on (and the true literal) form a clause themselves. Invariant: as for all inprocessing passes; the
//! clause is not watched while it is tried, so that it cannot imply its own literals.
//! Source: Piette, Hamadi and Saïs, *Vivifying propositional clausal formulae*, ECAI 2008; Luo, Li, Xiao, Manyà and Lü,
//! *An effective learnt clause minimization approach for CDCL SAT solvers*, IJCAI 2017.

use crate::Engine;
use crate::store::arena::ClauseRef;
use crate::store::assignment::Reason;
use crate::store::control::MIDDLE_LBD;
use crate::store::literal::Lit;

/// Longer clauses are skipped.
const MAX_LENGTH: usize = 60;

impl Engine {
    /// One round: learned clauses of good LBD that have not been tried, the best first, then original ones. `false`:
    /// there is no model.
    pub(crate) fn vivify(&mut self) -> bool {
        let mut candidates: Vec<(bool, u32, ClauseRef)> = self
            .clauses
            .arena
            .iter()
            .filter(|&c| !self.clauses.arena.is_vivified(c) && self.clauses.arena.len(c) <= MAX_LENGTH)
            .map(|c| (!self.clauses.arena.is_learned(c), self.clauses.arena.lbd(c), c))
            .filter(|&(original, lbd, _)| original || lbd <= MIDDLE_LBD)
            .collect();
        candidates.sort_unstable();
        // Frequent literals are tried first, so that clauses share their consequences.
        let mut occurrences = vec![0u32; 2 * self.num_vars()];
        for &(.., c) in &candidates {
            self.clauses.arena.literals(c).for_each(|l| occurrences[l.code()] += 1);
        }
        for (.., c) in candidates {
            if self.is_exhausted() {
                break;
            }
            if !self.vivify_clause(c, &occurrences) {
                return false;
            }
        }
        true
    }
    fn vivify_clause(&mut self, c: ClauseRef, occurrences: &[u32]) -> bool {
        self.control.ticks += 2;
        self.stats.vivified.0 += 1;
        self.clauses.arena.set_vivified(c);
        let mut literals: Vec<Lit> = self.clauses.arena.literals(c).collect();
        self.clauses.watches.detach(&self.clauses.arena, c);
        literals.sort_by_key(|&l| (u32::MAX - occurrences[l.code()], l));
        let shorter = self.try_literals(&literals);
        self.backtrack(0);
        if shorter.len() == literals.len() {
            self.clauses.watches.attach(&self.clauses.arena, c);
            return true;
        }
        self.stats.vivified.1 += 1;
        self.replace_clause(c, &shorter)
    }
    /// A part of the clause that the formula with the clause implies.
    fn try_literals(&mut self, literals: &[Lit]) -> Vec<Lit> {
        let mut kept = Vec::new();
        for &lit in literals {
            match self.assignment.value(lit) {
                1 => {
                    if self.assignment.level_of(lit) == 0 {
                        return vec![lit];
                    }
                    self.analyzer.conflict.clear();
                    self.analyzer.conflict.push(!lit);
                    let mut shorter: Vec<Lit> = self.decisions_behind().into_iter().map(|d| !d).collect();
                    shorter.push(lit);
                    return shorter;
                }
                0 => {
                    kept.push(lit);
                    self.assignment.open_level();
                    self.assignment.assign(!lit, Reason::DECISION);
                    if let Err(conflict) = self.propagate_units() {
                        self.note_conflict(conflict);
                        return self.decisions_behind().into_iter().map(|d| !d).collect();
                    }
                }
                _ => {}
            }
        }
        kept
    }
}
