//! Adding clauses at any level, and missed implications.
//!
//! Invariant: a clause is stored without literals that are false at the root; its watched literals are true or free
//! where possible, and otherwise those that were assigned last. A clause that implies a literal at a level below the
//! current one, which may not be left, is listed as missed and examined again after each backtracking.

use crate::Engine;
use crate::parameters::FirstWatches;
use crate::propagator::{Conflict, ConflictKind};
use crate::store::arena::ClauseRef;
use crate::store::assignment::Reason;
use crate::store::clause_db::Missed;
use crate::store::control::MIDDLE_LBD;
use crate::store::literal::Lit;

/// A clause in normal form, or why there is none.
enum Normal {
    Satisfied,
    Clause,
}

impl Engine {
    /// Adds a clause at any level, backtracking as needed. `false`: there are no more models.
    pub fn add_clause(&mut self, literals: &[Lit]) -> bool {
        self.add_clause_anywhere(literals, None)
    }
    /// The same for a clause that may be deleted again.
    pub(crate) fn add_learned_clause(&mut self, literals: &[Lit], lbd: u32) -> bool {
        self.add_clause_anywhere(literals, Some(lbd))
    }
    fn add_clause_anywhere(&mut self, literals: &[Lit], learned: Option<u32>) -> bool {
        if self.clauses.unsat || !self.restore(literals) {
            return false;
        }
        let mut clause = std::mem::take(&mut self.analyzer.scratch);
        clause.clear();
        clause.extend_from_slice(literals);
        if let Some(proof) = &mut self.proof {
            proof.note_input(literals);
        }
        if matches!(self.normalize(&mut clause), Normal::Clause) {
            self.leave_conflict(&clause);
            // Backtracking may have asserted literals and changed values; `store` sorts the clause again.
            if self.store(&mut clause, learned).is_err() {
                if self.level() == 0 || clause.is_empty() {
                    self.clauses.unsat = true;
                } else {
                    self.call.pending_conflict = true;
                }
            }
        }
        self.analyzer.scratch = clause;
        !self.clauses.unsat
    }
    /// Sorts, removes duplicates and literals that are false at the root; detects clauses that are always true.
    fn normalize(&self, clause: &mut Vec<Lit>) -> Normal {
        clause.sort_unstable();
        clause.dedup();
        let satisfied = clause.windows(2).any(|w| w[0] == !w[1])
            || clause.iter().any(|&l| self.assignment.is_fixed_true(l));
        clause.retain(|&l| !self.assignment.is_fixed_false(l));
        if satisfied { Normal::Satisfied } else { Normal::Clause }
    }
    /// Backtracks until the clause is not false, and unit only at its own level, as far as the floor permits.
    fn leave_conflict(&mut self, clause: &[Lit]) {
        let a = &self.assignment;
        let floor = self.floor_level();
        let mut levels = (0u32, 0u32);
        let mut free = 0;
        for &lit in clause {
            // Backtracking undoes a true literal above all false ones; the clause then implies it at a lower level.
            if a.is_free(lit) {
                free += 1;
            } else {
                let level = if a.is_true(lit) { u32::MAX } else { a.level_of(lit) };
                if level >= levels.0 {
                    levels = (level, levels.0);
                } else if level > levels.1 {
                    levels.1 = level;
                }
            }
        }
        let target = match (free, levels) {
            (_, (u32::MAX, _)) => return,
            (0, (top, second)) if top == second => top.saturating_sub(1),
            (0, (_, second)) => second,
            (1, (top, _)) => top,
            _ => return,
        };
        self.backtrack(target.max(floor));
    }
    /// Adds a clause during propagation, at the current level.
    pub(crate) fn add_clause_here(&mut self, literals: &[Lit], learned: bool) -> Result<(), Conflict> {
        let mut clause = std::mem::take(&mut self.analyzer.scratch);
        clause.clear();
        clause.extend_from_slice(literals);
        let mut result = Ok(());
        if matches!(self.normalize(&mut clause), Normal::Clause) {
            let lbd = clause.len() as u32;
            result = self.store(&mut clause, learned.then_some(lbd));
            if result.is_err() && self.level() == 0 {
                self.clauses.unsat = true;
            }
        }
        self.analyzer.scratch = clause;
        result.map_err(Conflict::from)
    }
    /// Stores a clause in normal form, a learned one with its LBD; asserts its literal if it is unit.
    fn store(&mut self, clause: &mut [Lit], learned: Option<u32>) -> Result<(), ConflictKind> {
        self.clauses.additions += 1;
        let a = &self.assignment;
        // True and free ones first, then false ones by falling level.
        clause.sort_by_key(|&l| match a.value(l) {
            1 => (0, 0),
            0 => (1, 0),
            _ => (2, u32::MAX - a.level_of(l)),
        });
        let Some(&first) = clause.first() else {
            self.analyzer.conflict.clear();
            return Err(ConflictKind::Buffer);
        };
        let value = a.value(first);
        let unit = clause.get(1).is_none_or(|&l| a.is_false(l));
        let assertion_level = clause.get(1).map_or(0, |&l| if a.is_false(l) { a.level_of(l) } else { 0 });
        let (reason, missed, conflict) = match *clause {
            [lit] => {
                self.analyzer.conflict.clear();
                self.analyzer.conflict.push(lit);
                (Reason::NONE, Missed { lit, clause: None, other: Lit::NONE }, ConflictKind::Buffer)
            }
            [a, b] => {
                self.clauses.watches.add_binary(a, b);
                (Reason::binary(b), Missed { lit: a, clause: None, other: b }, ConflictKind::Binary(a, b))
            }
            _ => {
                self.choose_watches(clause);
                let first = clause[0];
                let len = clause.len() as u32;
                let lbd = learned.map_or(len, |lbd| lbd.min(len));
                let c = self.store_long(clause, learned.is_some(), lbd);
                let missed = Missed { lit: first, clause: Some(c), other: Lit::NONE };
                (Reason::clause(c), missed, ConflictKind::Clause(c))
            }
        };
        if !unit {
            return Ok(());
        }
        let level = self.level();
        let is_missed = match value {
            0 => assertion_level < level,
            1 => assertion_level < self.assignment.level_of(first),
            _ => level > 0,
        };
        if is_missed {
            self.clauses.missed.push(missed);
        }
        match value {
            0 => {
                let level = if clause.len() == 1 { 0 } else { level };
                self.assignment.assign_at(first, reason, level);
                Ok(())
            }
            1 => Ok(()),
            _ => Err(conflict),
        }
    }
    /// Chooses the watched literals, where there is a choice. Pre: true and free literals come first.
    fn choose_watches(&mut self, clause: &mut [Lit]) {
        let open = clause.iter().take_while(|&&l| self.assignment.is_free(l)).count();
        if open < 3 {
            return;
        }
        match self.parameters.learning.watches {
            FirstWatches::First => {}
            FirstWatches::Least => clause[..open].sort_by_key(|l| self.clauses.watches.long[l.code()].len()),
            FirstWatches::Random => {
                for i in 0..2 {
                    clause.swap(i, i + self.clauses.watches.rng.below((open - i) as u64) as usize);
                }
            }
        }
    }
    /// Asserts a learned clause: its first literal is free, the others are false, the second at the highest level,
    /// `backjump`; the current level is that one or the floor.
    pub(crate) fn assert_learned(&mut self, clause: &[Lit], backjump: u32, lbd: u32) {
        if let Some(proof) = &mut self.proof {
            proof.learn(clause);
        }
        let lit = clause[0];
        let (reason, missed) = match *clause {
            [_] => (Reason::NONE, Missed { lit, clause: None, other: Lit::NONE }),
            [_, other] => {
                self.clauses.watches.add_binary(lit, other);
                self.stats.learned_short.0 += 1;
                (Reason::binary(other), Missed { lit, clause: None, other })
            }
            _ => {
                let c = self.store_long(clause, true, lbd);
                self.clauses.arena.set_used(c, 1 + u32::from(lbd <= MIDDLE_LBD));
                self.stats.learned_short.1 += u64::from(clause.len() == 3);
                (Reason::clause(c), Missed { lit, clause: Some(c), other: Lit::NONE })
            }
        };
        let level = self.level();
        let is_false = self.assignment.is_false(lit);
        if backjump < level || is_false {
            self.clauses.missed.push(missed);
        }
        if self.assignment.is_free(lit) {
            self.assignment.assign_at(lit, reason, if clause.len() == 1 { 0 } else { level });
        } else if is_false {
            // A missed clause asserted the complement during backtracking: propagation will not visit this clause.
            self.call.pending_conflict = true;
        }
    }
    /// Stores a long clause.
    pub(crate) fn store_long(&mut self, clause: &[Lit], learned: bool, lbd: u32) -> ClauseRef {
        let c = self.clauses.store(clause, learned, lbd);
        self.stats.peak_learned = self.stats.peak_learned.max(self.clauses.learned);
        c
    }
    /// After backtracking: asserts what missed clauses and facts imply at this level, and drops those that imply
    /// nothing any more.
    pub(crate) fn assert_missed(&mut self) {
        let mut missed = std::mem::take(&mut self.clauses.missed);
        let mut pending = false;
        missed.retain(|entry| {
            let a = &self.assignment;
            let level = a.level();
            let (mut free, mut holds, mut top) = (Lit::NONE, Lit::NONE, 0);
            let mut count = 0;
            let mut see = |lit: Lit| match a.value(lit) {
                0 => {
                    free = lit;
                    count += 1;
                }
                1 => holds = lit,
                _ => top = top.max(a.level_of(lit)),
            };
            match entry.clause {
                Some(c) => self.clauses.arena.literals(c).for_each(&mut see),
                None => {
                    see(entry.lit);
                    if entry.other != Lit::NONE {
                        see(entry.other);
                    }
                }
            }
            if holds != Lit::NONE {
                // It stays listed unless it is now at the right level.
                let fact = entry.clause.is_none() && entry.other == Lit::NONE;
                return count == 0 && if fact { level > 0 } else { a.level_of(holds) > top };
            }
            match count {
                0 => {
                    pending = true;
                    true
                }
                1 => {
                    let fact = entry.clause.is_none() && entry.other == Lit::NONE;
                    let reason = match entry.clause {
                        Some(c) => Reason::clause(c),
                        None if fact => Reason::NONE,
                        None => Reason::binary(if free == entry.lit { entry.other } else { entry.lit }),
                    };
                    self.assignment.assign_at(free, reason, if fact { 0 } else { level });
                    top < level
                }
                _ => false,
            }
        });
        self.clauses.missed = missed;
        self.call.pending_conflict |= pending;
    }
    /// A missed clause that is false, if a conflict was recorded as pending.
    pub(crate) fn missed_conflict(&mut self) -> Option<ConflictKind> {
        let a = &self.assignment;
        let conflict = self.clauses.missed.iter().find_map(|entry| match entry.clause {
            Some(c) => {
                self.clauses.arena.literals(c).all(|l| a.is_false(l)).then_some(ConflictKind::Clause(c))
            }
            None if !a.is_false(entry.lit) => None,
            None if entry.other == Lit::NONE => Some(ConflictKind::Buffer),
            None => a.is_false(entry.other).then_some(ConflictKind::Binary(entry.lit, entry.other)),
        });
        if conflict == Some(ConflictKind::Buffer) {
            self.analyzer.conflict.clear();
            let fact = |l: &&Missed| l.clause.is_none() && l.other == Lit::NONE && a.is_false(l.lit);
            self.analyzer.conflict.extend(self.clauses.missed.iter().find(fact).map(|l| l.lit));
        }
        conflict
    }
}
