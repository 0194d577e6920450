//! Deletion of learned clauses, and collection of the arena.
//!
//! Invariant: a clause that is the reason of a value, or is listed as late, is never deleted. Tiers by glue: core
//! clauses stay, middle ones stay while they took part in a recent conflict, of the local ones the worse half or more
//! goes unless just used.
//! Source: Audemard and Simon, *Predicting learnt clauses quality*, IJCAI 2009; Oh, *Between SAT and UNSAT*, SAT 2015.

use crate::solve::engine::Engine;
use crate::solve::engine::parameters::ReduceParameters;
use crate::solve::engine::schedule::Sequence;
use crate::solve::engine::store::arena::ClauseRef;
use crate::solve::engine::store::assignment::{Reason, ReasonKind};

/// Glue up to which a clause is kept while it is in use.
pub(crate) const MIDDLE_LBD: u32 = 6;

/// Schedule of reductions.
#[derive(Debug)]
pub(crate) struct Reduce {
    /// Conflicts before the next one; `None`: conflicts do not matter.
    limit: Option<u64>,
    sequence: Option<Sequence>,
    size: Size,
    /// Root literals on the trail when satisfied clauses were last removed.
    fixed: usize,
    candidates: Vec<(ClauseRef, u32, u32)>,
}

/// Limits on the number of learned clauses.
#[derive(Debug)]
struct Size {
    limit: Option<f64>,
    /// The limit grows no more from here on.
    stop: f64,
    /// When it grows.
    sequence: Option<Sequence>,
    next_growth: u64,
    /// Clauses that do not count.
    free: u64,
    /// What the last reduction had to leave, and some more: fewer cannot be too many.
    floor: u64,
}

impl Reduce {
    pub(crate) fn new(p: &ReduceParameters) -> Self {
        let sequence = p.schedule.map(Sequence::new);
        let growth = p.size.and_then(|s| s.schedule).map(Sequence::new);
        Self {
            limit: sequence.map(|s| s.length()),
            sequence,
            size: Size {
                limit: None,
                stop: f64::INFINITY,
                next_growth: growth.map_or(u64::MAX, |s| s.length()),
                sequence: growth,
                free: 0,
                floor: 0,
            },
            fixed: 0,
            candidates: Vec::new(),
        }
    }
}

impl Engine {
    /// Whether learned clauses are due to be deleted.
    #[inline]
    pub(crate) fn should_reduce(&mut self) -> bool {
        self.parameters.reduce.enabled
            && (self.reduce.limit.is_some_and(|limit| self.stats.conflicts >= limit)
                || self.parameters.reduce.limits_size() && self.has_too_many())
    }
    /// Whether there are more learned clauses than a limit on them allows.
    fn has_too_many(&mut self) -> bool {
        let parameters = self.parameters.reduce;
        let size = &mut self.reduce.size;
        if let Some(limit) = parameters.size {
            let constraints = self.live_clauses + self.watches.num_binary + self.weights.len() as u64;
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
        self.live_learned >= most.saturating_add(size.free).max(size.floor)
    }
    /// Notes a restart: limits may grow, and deletion may be due.
    pub(crate) fn reduce_at_restart(&mut self) {
        let parameters = self.parameters.reduce;
        let size = &mut self.reduce.size;
        if let (Some(limit), Some(current), None) = (parameters.size, size.limit, size.sequence) {
            size.limit = Some((current * limit.growth).min(size.stop.max(current)));
        }
        if parameters.on_restart > 0.0 && parameters.enabled {
            self.delete(parameters.on_restart);
        }
    }
    /// Deletes learned clauses that seem useless.
    pub(crate) fn reduce(&mut self) {
        if self.reduce.limit.is_some_and(|limit| self.stats.conflicts >= limit) {
            self.reduce.limit = self.reduce.sequence.as_mut().map(|sequence| {
                sequence.advance();
                self.stats.conflicts.saturating_add(sequence.length())
            });
        }
        self.delete(self.parameters.reduce.share);
    }
    /// Deletes a part of the candidates.
    fn delete(&mut self, share: f64) {
        if self.level() == 0 {
            self.remove_satisfied();
        }
        let core_lbd = self.parameters.reduce.core_lbd;
        let mut core = 0;
        let mut candidates = std::mem::take(&mut self.reduce.candidates);
        candidates.clear();
        let mut at = self.arena.first();
        while let Some(c) = self.arena.next_live(&mut at) {
            if !self.arena.is_learned(c) {
                continue;
            }
            let used = self.arena.used(c);
            self.arena.set_used(c, used.saturating_sub(1));
            let lbd = self.arena.lbd(c);
            core += u64::from(lbd <= core_lbd);
            if lbd <= core_lbd || used > 0 && (lbd <= MIDDLE_LBD || used == 2) || self.is_locked(c) {
                continue;
            }
            candidates.push((c, lbd, self.arena.len(c) as u32));
        }
        candidates.sort_by(|a, b| (b.1, b.2, a.0).cmp(&(a.1, a.2, b.0)));
        let doomed = (candidates.len() as f64 * share) as usize;
        for &(c, ..) in &candidates[..doomed] {
            self.arena.discard(c);
        }
        self.stats.deleted += doomed as u64;
        self.live_learned -= doomed as u64;
        self.reduce.size.free = if self.parameters.reduce.core_is_free { core } else { 0 };
        self.reduce.size.floor = self.live_learned + (self.live_learned / 8).max(10);
        self.reduce.candidates = candidates;
        self.collect();
    }
    /// Forgets learned clauses, or (`false`) only how good they were.
    pub(crate) fn forget_clauses(&mut self, all: bool) {
        let mut at = self.arena.first();
        while let Some(c) = self.arena.next_live(&mut at) {
            if !self.arena.is_learned(c) {
                continue;
            }
            if all && !self.is_locked(c) {
                self.stats.deleted += 1;
                self.discard_clause(c);
            } else {
                self.arena.set_used(c, 0);
                self.arena.set_lbd(c, self.arena.len(c) as u32);
            }
        }
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
        while let Some(c) = self.arena.next_live(&mut at) {
            if self.arena.literals(c).any(|l| self.assignment.is_true(l)) {
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
