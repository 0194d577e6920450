//! Deletion of learned clauses, and collection of the arena.
//!
//! Invariant: a clause that is the reason of a value, or is listed as late, is never deleted. Tiers by glue: core
//! clauses stay, middle ones stay while they took part in a recent conflict, of the local ones the worse half or more
//! goes unless just used.
//! Source: Audemard and Simon, *Predicting learnt clauses quality*, IJCAI 2009; Oh, *Between SAT and UNSAT*, SAT 2015.

use crate::solve::arena::ClauseRef;
use crate::solve::assignment::{Reason, ReasonKind};
use crate::solve::engine::Engine;

/// Glue up to which a clause is kept for good.
pub(crate) const CORE_LBD: u32 = 2;
/// Glue up to which a clause is kept while it is in use.
pub(crate) const MIDDLE_LBD: u32 = 6;
/// Share of the candidates that a reduction deletes. Measured on colouring, random CNF, skyscrapers and planning, 26
/// instances: 0.75 costs 8.4 s, 0.85 7.0 s, 0.9 7.1 s.
const SHARE: f64 = 0.85;

/// Schedule of reductions.
#[derive(Debug)]
pub(crate) struct Reduce {
    limit: u64,
    interval: u64,
    rounds: u64,
    /// Root literals on the trail when satisfied clauses were last removed.
    fixed: usize,
    candidates: Vec<(ClauseRef, u32, u32)>,
}

impl Reduce {
    pub(crate) fn new(interval: u64) -> Self {
        Self { limit: interval, interval, rounds: 0, fixed: 0, candidates: Vec::new() }
    }
}

impl Engine {
    /// Whether learned clauses are due to be deleted.
    #[inline]
    pub(crate) fn should_reduce(&self) -> bool {
        self.options.reduce && self.stats.conflicts >= self.reduce.limit
    }
    /// Deletes learned clauses that seem useless.
    pub(crate) fn reduce(&mut self) {
        self.reduce.rounds += 1;
        self.reduce.limit = self.stats.conflicts + self.reduce.interval * (self.reduce.rounds + 1);
        if self.level() == 0 {
            self.remove_satisfied();
        }
        let mut candidates = std::mem::take(&mut self.reduce.candidates);
        candidates.clear();
        let mut at = self.arena.first();
        while !self.arena.is_end(at) {
            let c = at;
            at = self.arena.next(at);
            if self.arena.is_garbage(c) || !self.arena.is_learned(c) {
                continue;
            }
            let used = self.arena.used(c);
            self.arena.set_used(c, used.saturating_sub(1));
            let lbd = self.arena.lbd(c);
            if lbd <= CORE_LBD || used > 0 && (lbd <= MIDDLE_LBD || used == 2) || self.is_locked(c) {
                continue;
            }
            candidates.push((c, lbd, self.arena.len(c) as u32));
        }
        candidates.sort_by(|a, b| (b.1, b.2, a.0).cmp(&(a.1, a.2, b.0)));
        let doomed = (candidates.len() as f64 * SHARE) as usize;
        for &(c, ..) in &candidates[..doomed] {
            self.arena.discard(c);
        }
        self.stats.deleted += doomed as u64;
        self.live_learned -= doomed as u64;
        self.reduce.candidates = candidates;
        self.collect();
    }
    /// Whether the clause is the reason of a value.
    pub(crate) fn is_locked(&self, c: ClauseRef) -> bool {
        let reason = Reason::clause(c);
        (0..2).any(|i| {
            let lit = self.arena.literal(c, i);
            self.assignment.is_true(lit) && self.assignment.reason_of(lit) == reason
        }) || self.late.iter().any(|late| late.clause == Some(c))
    }
    /// Removes clauses that are true at the root. Pre: level 0, propagated.
    pub(crate) fn remove_satisfied(&mut self) {
        debug_assert_eq!(self.level(), 0);
        if self.assignment.trail.len() == self.reduce.fixed {
            return;
        }
        self.reduce.fixed = self.assignment.trail.len();
        for i in 0..self.assignment.trail.len() {
            let lit = self.assignment.trail[i];
            self.assignment.vars[lit.var()].reason = Reason::NONE;
        }
        let mut at = self.arena.first();
        while !self.arena.is_end(at) {
            let c = at;
            at = self.arena.next(at);
            if !self.arena.is_garbage(c) && self.arena.literals(c).any(|l| self.assignment.is_true(l)) {
                self.discard_clause(c);
            }
        }
        self.collect();
    }
    /// Marks a clause as garbage and keeps the counters right.
    pub(crate) fn discard_clause(&mut self, c: ClauseRef) {
        if self.arena.is_learned(c) {
            self.live_learned -= 1;
        } else {
            self.live_clauses -= 1;
        }
        self.arena.discard(c);
    }
    /// Frees the room of deleted clauses, and their watches with it.
    pub(crate) fn collect(&mut self) {
        if self.arena.wasted() == 0 {
            return;
        }
        if self.arena.wasted() * 5 < self.arena.size() {
            self.watches.flush(&self.arena);
            return;
        }
        let relocation = self.arena.compact();
        self.watches.relocate(&relocation);
        for i in 0..self.assignment.trail.len() {
            let info = &mut self.assignment.vars[self.assignment.trail[i].var()];
            if let ReasonKind::Clause(c) = info.reason.kind() {
                info.reason = relocation.get(c).map_or(Reason::NONE, Reason::clause);
            }
        }
        for late in &mut self.late {
            late.clause = late.clause.and_then(|c| relocation.get(c));
        }
    }
}
