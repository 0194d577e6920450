//! Adding constraints: clauses at any level, at-most-one groups, weight constraints; and units that come late.
//!
//! Invariant: a clause is stored without literals that are false at the root, watched by literals that are true or
//! free where possible and otherwise were assigned last. Where a clause implies a literal at a lower level than the
//! current one, which may not be left, it is listed as late and looked at again after each backtracking.

use crate::solve::arena::ClauseRef;
use crate::solve::assignment::Reason;
use crate::solve::engine::Engine;
use crate::solve::literal::Lit;
use crate::solve::propagator::{Conflict, ConflictKind};
use crate::solve::reduce::MIDDLE_LBD;

/// A literal that is implied at a lower level than where it was assigned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Late {
    pub(crate) lit: Lit,
    /// The clause that implies it.
    pub(crate) clause: Option<ClauseRef>,
    /// Or the other literal of the binary clause; [`Lit::NONE`] with no clause for a fact.
    pub(crate) other: Lit,
}

crate::define_index! {
    /// An upper bound that can be changed.
    pub struct BoundId
}

/// `sum of weights of true literals <= base - bound of the constraint`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound {
    constraint: u32,
    base: i128,
}

/// A clause in normal form, or why there is none.
enum Normal {
    Satisfied,
    Clause,
}

impl Engine {
    /// Adds a clause at any level, backtracking as needed. `false`: there is no model at all any more.
    pub fn add_clause(&mut self, literals: &[Lit]) -> bool {
        if self.unsat {
            return false;
        }
        let mut clause = std::mem::take(&mut self.analyzer.scratch);
        clause.clear();
        clause.extend_from_slice(literals);
        if matches!(self.normalize(&mut clause), Normal::Clause) {
            self.leave_conflict(&clause);
            // What backtracking asserted late may have changed values; the order is made anew by `store`.
            if self.store(&mut clause, false).is_err() {
                if self.level() == 0 || clause.is_empty() {
                    self.unsat = true;
                } else {
                    self.pending_conflict = true;
                }
            }
        }
        self.analyzer.scratch = clause;
        !self.unsat
    }
    /// Sorts, removes duplicates and literals that are false at the root; notices clauses that are true anyway.
    fn normalize(&self, clause: &mut Vec<Lit>) -> Normal {
        clause.sort_unstable();
        clause.dedup();
        let satisfied = clause.windows(2).any(|w| w[0] == !w[1])
            || clause.iter().any(|&l| self.assignment.is_fixed_true(l));
        clause.retain(|&l| !self.assignment.is_fixed_false(l));
        if satisfied { Normal::Satisfied } else { Normal::Clause }
    }
    /// Backtracks so far that the clause is not false, and unit at its own level, as far as the floor permits.
    fn leave_conflict(&mut self, clause: &[Lit]) {
        let a = &self.assignment;
        let floor = self.floor.as_ref().map_or(0, |f| f.level());
        let mut levels = (0u32, 0u32);
        let mut free = 0;
        for &lit in clause {
            // A true literal above all false ones gets lost by backtracking, which is fine: it is implied there.
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
            result = self.store(&mut clause, learned);
            if result.is_err() && self.level() == 0 {
                self.unsat = true;
            }
        }
        self.analyzer.scratch = clause;
        result.map_err(Conflict::from)
    }
    /// Stores a clause in normal form; asserts its literal if it is unit.
    fn store(&mut self, clause: &mut [Lit], learned: bool) -> Result<(), ConflictKind> {
        self.additions += 1;
        let a = &self.assignment;
        // True and free ones first, then false ones by falling level.
        clause.sort_by_key(|&l| match a.value(l) {
            1 => (0, 0),
            0 => (1, 0),
            _ => (2, u32::MAX - a.level_of(l)),
        });
        let Some(&first) = clause.first() else {
            self.conflict_buffer.clear();
            return Err(ConflictKind::Buffer);
        };
        let value = a.value(first);
        let unit = clause.get(1).is_none_or(|&l| a.is_false(l));
        let assertion_level = clause.get(1).map_or(0, |&l| if a.is_false(l) { a.level_of(l) } else { 0 });
        let (reason, late, conflict) = match *clause {
            [lit] => {
                self.conflict_buffer.clear();
                self.conflict_buffer.push(lit);
                (Reason::NONE, Late { lit, clause: None, other: Lit::NONE }, ConflictKind::Buffer)
            }
            [a, b] => {
                self.watches.add_binary(a, b);
                (Reason::binary(b), Late { lit: a, clause: None, other: b }, ConflictKind::Binary(a, b))
            }
            _ => {
                let c = self.store_long(clause, learned, clause.len() as u32);
                let late = Late { lit: first, clause: Some(c), other: Lit::NONE };
                (Reason::clause(c), late, ConflictKind::Clause(c))
            }
        };
        if !unit {
            return Ok(());
        }
        let level = self.level();
        let is_late = match value {
            0 => assertion_level < level,
            1 => assertion_level < self.assignment.level_of(first),
            _ => level > 0,
        };
        if is_late {
            self.late.push(late);
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
    /// Asserts a learned clause: its first literal is free, the others are false, the second at the highest level,
    /// `backjump`; the current level is that one or the floor.
    pub(crate) fn assert_learned(&mut self, clause: &[Lit], backjump: u32, lbd: u32) {
        let lit = clause[0];
        let (reason, late) = match *clause {
            [_] => (Reason::NONE, Late { lit, clause: None, other: Lit::NONE }),
            [_, other] => {
                self.watches.add_binary(lit, other);
                self.stats.learned_short.0 += 1;
                (Reason::binary(other), Late { lit, clause: None, other })
            }
            _ => {
                let c = self.store_long(clause, true, lbd);
                self.arena.set_used(c, 1 + u32::from(lbd <= MIDDLE_LBD));
                self.stats.learned_short.1 += u64::from(clause.len() == 3);
                (Reason::clause(c), Late { lit, clause: Some(c), other: Lit::NONE })
            }
        };
        let level = self.level();
        let is_false = self.assignment.is_false(lit);
        if backjump < level || is_false {
            self.late.push(late);
        }
        if self.assignment.is_free(lit) {
            self.assignment.assign_at(lit, reason, if clause.len() == 1 { 0 } else { level });
        } else if is_false {
            // A late clause asserted the complement while backtracking: propagation will not see this clause.
            self.pending_conflict = true;
        }
    }
    /// Puts a long clause into the arena and watches its first two literals.
    pub(crate) fn store_long(&mut self, clause: &[Lit], learned: bool, lbd: u32) -> ClauseRef {
        // 2^32 words of clauses are 16 GiB: the memory limit of any run comes first.
        assert!(self.arena.has_room(clause.len()), "the clause arena is full");
        let c = self.arena.add(clause, learned, lbd);
        self.watches.attach(&self.arena, c);
        if learned {
            self.live_learned += 1;
            self.stats.peak_learned = self.stats.peak_learned.max(self.live_learned);
        } else {
            self.live_clauses += 1;
        }
        c
    }
    /// After backtracking: asserts what late clauses and facts imply at this level, and forgets those that imply
    /// nothing any more.
    pub(crate) fn assert_late(&mut self) {
        let mut late = std::mem::take(&mut self.late);
        let mut pending = false;
        late.retain(|entry| {
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
                Some(c) => self.arena.literals(c).for_each(&mut see),
                None => {
                    see(entry.lit);
                    if entry.other != Lit::NONE {
                        see(entry.other);
                    }
                }
            }
            if holds != Lit::NONE {
                // Still late unless it now is where it belongs.
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
        self.late = late;
        self.pending_conflict |= pending;
    }
    /// A late clause that is false, after something was noted as pending.
    pub(crate) fn late_conflict(&mut self) -> Option<ConflictKind> {
        let a = &self.assignment;
        let conflict = self.late.iter().find_map(|entry| match entry.clause {
            Some(c) => self.arena.literals(c).all(|l| a.is_false(l)).then_some(ConflictKind::Clause(c)),
            None if !a.is_false(entry.lit) => None,
            None if entry.other == Lit::NONE => Some(ConflictKind::Buffer),
            None => a.is_false(entry.other).then_some(ConflictKind::Binary(entry.lit, entry.other)),
        });
        if conflict == Some(ConflictKind::Buffer) {
            self.conflict_buffer.clear();
            let fact = |l: &&Late| l.clause.is_none() && l.other == Lit::NONE && a.is_false(l.lit);
            self.conflict_buffer.extend(self.late.iter().find(fact).map(|l| l.lit));
        }
        conflict
    }

    /// Adds a group of which at most one literal may be true. `false`: there is no model at all any more.
    pub fn add_at_most_one(&mut self, literals: &[Lit]) -> bool {
        if self.unsat {
            return false;
        }
        if self.floor.is_none() {
            self.backtrack(0);
        }
        let mut group: Vec<Lit> =
            literals.iter().copied().filter(|&l| !self.assignment.is_fixed_false(l)).collect();
        group.sort_unstable();
        // A literal that comes twice must be false; where a pair of complements comes, one of them is true.
        let mut fixed: Vec<Lit> = group.windows(2).filter(|w| w[0] == w[1]).map(|w| !w[0]).collect();
        group.dedup();
        if let Some(pair) = group.windows(2).find(|w| w[0] == !w[1]) {
            let var = pair[0].var();
            fixed.extend(group.iter().filter(|l| l.var() != var).map(|&l| !l));
            // Several pairs contradict each other, and the fixed literals say so.
            let pairs: Vec<Lit> = group.windows(2).filter(|w| w[0] == !w[1]).map(|w| w[0]).collect();
            fixed.extend(pairs.iter().skip(1).flat_map(|&l| [l, !l]));
            group.clear();
        }
        if let Some(&lit) = group.iter().find(|&&l| self.assignment.is_fixed_true(l)) {
            fixed.extend(group.iter().filter(|&&l| l != lit).map(|&l| !l));
            group.clear();
        }
        for lit in fixed {
            if !self.add_clause(&[lit]) {
                return false;
            }
        }
        group.retain(|&l| !self.assignment.is_fixed_false(l));
        if group.len() <= 2 || self.level() > 0 {
            for (i, &a) in group.iter().enumerate() {
                for &b in &group[i + 1..] {
                    if !self.add_clause(&[!a, !b]) {
                        return false;
                    }
                }
            }
            return !self.unsat;
        }
        for &lit in &group {
            self.freeze(lit.var());
        }
        // Facts that are still to be propagated do the rest through the group; others were filtered out above.
        self.groups.add(&group);
        self.additions += 1;
        true
    }

    /// Adds `reified <-> sum of w * l >= bound`, or that the sum must reach the bound. Weights may have either sign,
    /// literals may come twice. `false`: there is no model at all any more.
    pub fn add_weight(&mut self, reified: Option<Lit>, terms: &[(Lit, i64)], bound: i64) -> bool {
        if self.unsat {
            return false;
        }
        if self.floor.is_none() {
            self.backtrack(0);
        }
        let (mut terms, offset) = self.normalize_terms(terms);
        let mut bound = i128::from(bound) - offset;
        // Weights beyond the bound count as the bound.
        for term in &mut terms {
            term.1 = term.1.min(bound.max(1));
        }
        let mut total: i128 = terms.iter().map(|t| t.1).sum();
        let settled = if bound <= 0 { Some(true) } else { (total < bound).then_some(false) };
        if let Some(value) = settled {
            return match reified {
                Some(r) => self.add_clause(&[if value { r } else { !r }]),
                None => value || self.add_clause(&[]),
            };
        }
        let all_reach = terms.iter().all(|t| t.1 >= bound);
        let all_needed = terms.iter().all(|t| total - t.1 < bound);
        if all_reach || all_needed {
            return self.add_gate(reified, &terms.iter().map(|t| t.0).collect::<Vec<_>>(), all_needed);
        }
        if reified.is_none() {
            // What cannot be missing is true; the others share the rest of the bound.
            let (needed, rest): (Vec<_>, Vec<_>) = terms.iter().copied().partition(|t| total - t.1 < bound);
            for &(lit, weight) in &needed {
                if !self.add_clause(&[lit]) {
                    return false;
                }
                bound -= weight;
                total -= weight;
            }
            terms = rest;
            if bound <= 0 {
                return true;
            }
        }
        let least_two = {
            let mut least = [i128::MAX; 2];
            for t in &terms {
                if t.1 < least[0] {
                    least = [t.1, least[0]];
                } else if t.1 < least[1] {
                    least[1] = t.1;
                }
            }
            least[0] + least[1]
        };
        if reified.is_none() && total - least_two < bound {
            // No two may be missing.
            return self.add_at_most_one(&terms.iter().map(|t| !t.0).collect::<Vec<_>>());
        }
        let mut reified = reified;
        if let Some(r) = reified
            && terms.iter().any(|t| t.0.var() == r.var())
        {
            // The constraint needs a literal of its own.
            let own = Lit::pos(self.new_var());
            if !(self.add_clause(&[own, !r]) && self.add_clause(&[!own, r])) {
                return false;
            }
            reified = Some(own);
        }
        self.install_weight(reified, &terms, bound, false);
        true
    }
    fn install_weight(
        &mut self,
        reified: Option<Lit>,
        terms: &[(Lit, i128)],
        bound: i128,
        half: bool,
    ) -> u32 {
        for var in terms.iter().map(|t| t.0.var()).chain(reified.map(Lit::var)) {
            self.freeze(var);
        }
        self.additions += 1;
        // A weight past 64 bits, which merging of terms can make, is split; the sums stay exact.
        let mut split = Vec::with_capacity(terms.len());
        for &(lit, weight) in terms {
            let mut rest = weight;
            while rest > 0 {
                let part = rest.min(i128::from(i64::MAX)) as i64;
                split.push((lit, part));
                rest -= i128::from(part);
            }
        }
        self.weights.add(reified, &split, bound, half, &self.assignment)
    }
    /// Adds `sum of w * l <= bound` where the bound can be changed by [`set_upper_bound`](Self::set_upper_bound), as
    /// optimisation needs; without a bound it holds always. With a guard the bound only counts while that is true.
    pub fn add_upper_bound(
        &mut self,
        guard: Option<Lit>,
        terms: &[(Lit, i64)],
        bound: Option<i64>,
    ) -> BoundId {
        if self.floor.is_none() {
            self.backtrack(0);
        }
        // sum w * l <= b is sum w * !l >= total - b.
        let (terms, offset) = self.normalize_terms(terms);
        let total: i128 = terms.iter().map(|t| t.1).sum();
        let negated: Vec<(Lit, i128)> = terms.iter().map(|&(l, w)| (!l, w)).collect();
        let lower = bound.map_or(0, |b| total - (i128::from(b) - offset));
        let index = self.install_weight(guard, &negated, lower, guard.is_some());
        self.bounds.push(Bound { constraint: index, base: total + offset });
        BoundId(self.bounds.len() as u32 - 1)
    }
    /// Changes an upper bound. It may only become tighter, unless no clause was learned from it since it was set.
    pub fn set_upper_bound(&mut self, id: BoundId, bound: i64) {
        let Bound { constraint, base } = self.bounds[id.0 as usize];
        self.weights.set_bound(constraint, base - i128::from(bound));
    }
    /// `reified <-> literals` as a disjunction, or a conjunction.
    fn add_gate(&mut self, reified: Option<Lit>, literals: &[Lit], conjunction: bool) -> bool {
        match (reified, conjunction) {
            (None, true) => literals.iter().all(|&l| self.add_clause(&[l])),
            (None, false) => self.add_clause(literals),
            (Some(r), _) => {
                let (r, flip) = if conjunction { (!r, true) } else { (r, false) };
                // r <-> some of the literals, after flipping.
                let mut long: Vec<Lit> = literals.iter().map(|&l| if flip { !l } else { l }).collect();
                long.iter().all(|&l| self.add_clause(&[r, !l])) && {
                    long.push(!r);
                    self.add_clause(&long)
                }
            }
        }
    }
    /// Terms with positive weights and each variable once, without those fixed at the root, and what was taken out of
    /// the sum.
    fn normalize_terms(&self, terms: &[(Lit, i64)]) -> (Vec<(Lit, i128)>, i128) {
        let mut offset = 0i128;
        let mut sorted: Vec<(Lit, i128)> = terms.iter().map(|&(l, w)| (l, i128::from(w))).collect();
        sorted.sort_by_key(|t| t.0);
        let mut result: Vec<(Lit, i128)> = Vec::with_capacity(sorted.len());
        for chunk in sorted.chunk_by(|a, b| a.0.var() == b.0.var()) {
            let positive = Lit::pos(chunk[0].0.var());
            // p * l + n * !l = n + (p - n) * l
            let p: i128 = chunk.iter().filter(|t| t.0 == positive).map(|t| t.1).sum();
            let n: i128 = chunk.iter().filter(|t| t.0 != positive).map(|t| t.1).sum();
            if self.assignment.is_fixed_true(positive) {
                offset += p;
            } else if self.assignment.is_fixed_false(positive) {
                offset += n;
            } else if p > n {
                offset += n;
                result.push((positive, p - n));
            } else {
                offset += p;
            }
            if n > p && !self.view().is_fixed(positive) {
                result.push((!positive, n - p));
            }
        }
        (result, offset)
    }
}
