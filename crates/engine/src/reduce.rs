//! Deletion of learned clauses, and collection of the arena.
//!
//! Invariant: a clause that is the reason of a value, or is listed as missed, is never deleted. There are tiers by LBD:
//! core clauses stay, middle ones stay if they took part in a recent conflict, and of the local ones the worse half or
//! more is deleted unless just used.
//! Source: Audemard and Simon, *Predicting learnt clauses quality*, IJCAI 2009; Oh, *Between SAT and UNSAT*, SAT 2015.

use crate::Engine;
use crate::store::arena::ClauseRef;
use crate::store::assignment::{Reason, ReasonKind};
use crate::store::control::MIDDLE_LBD;

impl Engine {
    /// Whether learned clauses are due to be deleted.
    #[inline]
    pub(crate) fn should_reduce(&mut self) -> bool {
        self.parameters.reduce.enabled
            && (self.control.reduce.limit.is_some_and(|limit| self.stats.conflicts >= limit)
                || self.parameters.reduce.limits_size() && self.has_too_many())
    }
    /// Whether there are more learned clauses than the limits allow.
    fn has_too_many(&mut self) -> bool {
        let parameters = self.parameters.reduce;
        let size = &mut self.control.reduce.size;
        if let Some(limit) = parameters.size {
            let constraints = self.clauses.original
                + self.clauses.watches.num_binary
                + self.constraints.weights.len() as u64;
            let current = *size.limit.get_or_insert_with(|| {
                let least = limit.least.max(1);
                let first = (constraints as f64 / limit.fraction) as u64;
                let first = first.clamp(least, least.saturating_add(limit.span)) as f64;
                if limit.stop > 0.0 {
                    size.stop = first * limit.stop;
                }
                first
            });
            if let Some(sequence) =
                size.sequence.as_mut().filter(|_| self.stats.conflicts >= size.next_growth)
            {
                sequence.advance();
                size.next_growth = self.stats.conflicts.saturating_add(sequence.length());
                size.limit = Some((current * limit.growth).min(size.stop.max(current)));
            }
        }
        let current = size.limit.map_or(u64::MAX, |limit| limit as u64);
        let most = parameters.most.unwrap_or(u64::MAX).min(current);
        self.clauses.learned >= most.saturating_add(size.free).max(size.floor)
    }
    /// To be called at a restart: limits may grow, and deletion may be due.
    pub(crate) fn reduce_at_restart(&mut self) {
        let parameters = self.parameters.reduce;
        let size = &mut self.control.reduce.size;
        if let (Some(limit), Some(current), None) = (parameters.size, size.limit, size.sequence) {
            size.limit = Some((current * limit.growth).min(size.stop.max(current)));
        }
        if parameters.on_restart > 0.0 && parameters.enabled {
            self.delete(parameters.on_restart);
        }
    }
    /// Deletes learned clauses that seem useless.
    pub(crate) fn reduce(&mut self) {
        if self.control.reduce.limit.is_some_and(|limit| self.stats.conflicts >= limit) {
            self.control.reduce.limit = self.control.reduce.sequence.as_mut().map(|sequence| {
                sequence.advance();
                self.stats.conflicts.saturating_add(sequence.length())
            });
            if self.excludes_models() {
                self.reduce_between_models();
            }
        }
        self.delete(self.parameters.reduce.share);
    }
    /// Learned clauses are deleted often from now on, until their next deletion.
    pub(crate) fn reduce_between_models(&mut self) {
        if let (Some(limit), Some(conflicts)) =
            (&mut self.control.reduce.limit, self.parameters.reduce.between_models)
        {
            *limit = (*limit).min(self.stats.conflicts.saturating_add(conflicts));
        }
    }
    /// Deletes a share of the candidates.
    fn delete(&mut self, share: f64) {
        if self.level() == 0 {
            self.remove_satisfied();
        }
        let core_lbd = self.parameters.reduce.core_lbd;
        let mut core = 0;
        let mut candidates = std::mem::take(&mut self.control.reduce.candidates);
        candidates.clear();
        let mut at = self.clauses.arena.first();
        while let Some(c) = self.clauses.arena.next_live(&mut at) {
            if !self.clauses.arena.is_learned(c) {
                continue;
            }
            let used = self.clauses.arena.used(c);
            self.clauses.arena.set_used(c, used.saturating_sub(1));
            let lbd = self.clauses.arena.lbd(c);
            core += u64::from(lbd <= core_lbd);
            if lbd <= core_lbd || used > 0 && (lbd <= MIDDLE_LBD || used == 2) || self.is_locked(c) {
                continue;
            }
            candidates.push((c, lbd, self.clauses.arena.len(c) as u32));
        }
        candidates.sort_by(|a, b| (b.1, b.2, a.0).cmp(&(a.1, a.2, b.0)));
        let doomed = (candidates.len() as f64 * share) as usize;
        for &(c, ..) in &candidates[..doomed] {
            if let Some(proof) = &mut self.proof {
                proof.forget(self.clauses.arena.literals(c));
            }
            self.clauses.arena.discard(c);
        }
        self.stats.deleted += doomed as u64;
        self.clauses.learned -= doomed as u64;
        self.control.reduce.size.free = if self.parameters.reduce.core_is_free { core } else { 0 };
        self.control.reduce.size.floor = self.clauses.learned + (self.clauses.learned / 8).max(10);
        self.control.reduce.candidates = candidates;
        self.reduce_cuts();
        self.collect();
        self.release_names();
    }
    /// Forgets learned clauses, or (`false`) only their scores.
    pub(crate) fn forget_clauses(&mut self, all: bool) {
        let mut at = self.clauses.arena.first();
        while let Some(c) = self.clauses.arena.next_live(&mut at) {
            if !self.clauses.arena.is_learned(c) {
                continue;
            }
            if all && !self.is_locked(c) {
                self.stats.deleted += 1;
                self.clauses.discard(c);
            } else {
                self.clauses.arena.set_used(c, 0);
                self.clauses.arena.set_lbd(c, self.clauses.arena.len(c) as u32);
            }
        }
        if all {
            self.forget_cuts();
        }
        self.collect();
    }
    /// Whether the clause is the reason of a value.
    pub(crate) fn is_locked(&self, c: ClauseRef) -> bool {
        let reason = Reason::clause(c);
        (0..2).any(|i| {
            let lit = self.clauses.arena.literal(c, i);
            self.assignment.is_true(lit) && self.assignment.reason_of(lit) == reason
        }) || self.clauses.missed.iter().any(|missed| missed.clause == Some(c))
    }
    /// Removes clauses that are true at the root. Pre: level 0, propagated.
    pub(crate) fn remove_satisfied(&mut self) {
        debug_assert_eq!(self.level(), 0);
        if self.assignment.trail.len() == self.control.reduce.fixed {
            return;
        }
        self.control.reduce.fixed = self.assignment.trail.len();
        for i in 0..self.assignment.trail.len() {
            let lit = self.assignment.trail[i];
            self.assignment.vars[lit.var()].reason = Reason::NONE;
        }
        let mut at = self.clauses.arena.first();
        while let Some(c) = self.clauses.arena.next_live(&mut at) {
            if self.clauses.arena.literals(c).any(|l| self.assignment.is_true(l)) {
                self.clauses.discard(c);
            }
        }
        self.collect();
    }
    /// Frees the memory of deleted clauses, and removes their watches.
    pub(crate) fn collect(&mut self) {
        if self.clauses.arena.wasted() == 0 {
            return;
        }
        if self.clauses.arena.wasted() * 5 < self.clauses.arena.size() {
            self.clauses.watches.flush(&self.clauses.arena);
            return;
        }
        let relocation = self.clauses.arena.compact();
        self.clauses.watches.relocate(&relocation);
        for i in 0..self.assignment.trail.len() {
            let info = &mut self.assignment.vars[self.assignment.trail[i].var()];
            if let ReasonKind::Clause(c) = info.reason.kind() {
                info.reason = relocation.get(c).map_or(Reason::NONE, Reason::clause);
            }
        }
        for missed in &mut self.clauses.missed {
            missed.clause = missed.clause.and_then(|c| relocation.get(c));
        }
    }
}
