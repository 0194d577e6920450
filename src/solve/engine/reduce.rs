//! Deletion of learned clauses, and collection of the arena.
//!
//! Invariant: a clause that is the reason of a value, or is listed as late, is never deleted. Tiers by glue: core
//! clauses stay, middle ones stay while they took part in a recent conflict, of the local ones the worse half or more
//! goes unless just used.
//! Source: Audemard and Simon, *Predicting learnt clauses quality*, IJCAI 2009; Oh, *Between SAT and UNSAT*, SAT 2015.

use crate::solve::engine::Engine;
use crate::solve::engine::options::SearchOptions;
use crate::solve::engine::schedule::{Growth, Schedule, Sequence};
use crate::solve::engine::store::arena::ClauseRef;
use crate::solve::engine::store::assignment::{Reason, ReasonKind};

/// Glue up to which a clause is kept for good.
const CORE_LBD: u32 = 2;
/// Glue up to which a clause is kept while it is in use.
pub(crate) const MIDDLE_LBD: u32 = 6;
/// Share of the candidates that a reduction deletes. Measured on colouring, random CNF, skyscrapers and planning, 26
/// instances: 0.75 costs 8.4 s, 0.85 7.0 s, 0.9 7.1 s.
const SHARE: f64 = 0.85;

/// Schedule of reductions.
#[derive(Debug)]
pub(crate) struct Reduce {
    /// Conflicts before the next one; `None`: conflicts do not matter.
    limit: Option<u64>,
    sequence: Sequence,
    size: Size,
    share: f64,
    /// Glue up to which a clause is kept for good.
    pub(crate) core_lbd: u32,
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
    pub(crate) fn new(o: &SearchOptions) -> Self {
        let extras = &o.extras;
        let growth = Growth::Summand(o.reduce_interval);
        let default = Schedule { first: o.reduce_interval, growth, repeat: 0 };
        let sequence = Sequence::new(extras.deletions.unwrap_or(default));
        let growth = extras.size_limit.and_then(|s| s.schedule).map(Sequence::new);
        Self {
            limit: (!extras.no_deletion_by_conflicts).then_some(sequence.length()),
            sequence,
            size: Size {
                limit: None,
                stop: f64::INFINITY,
                next_growth: growth.map_or(u64::MAX, |s| s.length()),
                sequence: growth,
                free: 0,
                floor: 0,
            },
            share: extras.deleted_share.unwrap_or(SHARE),
            core_lbd: extras.kept_glue.unwrap_or(CORE_LBD),
            fixed: 0,
            candidates: Vec::new(),
        }
    }
}

impl Engine {
    /// Whether learned clauses are due to be deleted.
    #[inline]
    pub(crate) fn should_reduce(&mut self) -> bool {
        self.options.reduce
            && (self.reduce.limit.is_some_and(|limit| self.stats.conflicts >= limit)
                || self.options.extras.limits_size() && self.has_too_many())
    }
    /// Whether there are more learned clauses than a limit on them allows.
    fn has_too_many(&mut self) -> bool {
        let extras = self.options.extras;
        let size = &mut self.reduce.size;
        if let Some(limit) = extras.size_limit {
            let constraints = self.live_clauses + self.watches.num_binary + self.weights.len() as u64;
            let current = *size.limit.get_or_insert_with(|| {
                let (least, more) = limit.range;
                let first = (constraints as f64 / limit.fraction) as u64;
                let first = first.clamp(least.max(1), least.max(1).saturating_add(more)) as f64;
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
        let most = extras.most_learned.unwrap_or(u64::MAX).min(current);
        self.live_learned >= most.saturating_add(size.free).max(size.floor)
    }
    /// Notes a restart: limits may grow, and deletion may be due.
    pub(crate) fn reduce_at_restart(&mut self) {
        let extras = self.options.extras;
        let size = &mut self.reduce.size;
        if let (Some(limit), Some(current), None) = (extras.size_limit, size.limit, size.sequence) {
            size.limit = Some((current * limit.growth).min(size.stop.max(current)));
        }
        if extras.deleted_on_restart > 0.0 && self.options.reduce {
            self.delete(extras.deleted_on_restart);
        }
    }
    /// Deletes learned clauses that seem useless.
    pub(crate) fn reduce(&mut self) {
        if self.reduce.limit.is_some_and(|limit| self.stats.conflicts >= limit) {
            self.reduce.sequence.advance();
            self.reduce.limit = Some(self.stats.conflicts.saturating_add(self.reduce.sequence.length()));
        }
        self.delete(self.reduce.share);
    }
    /// Deletes a part of the candidates.
    fn delete(&mut self, share: f64) {
        if self.level() == 0 {
            self.remove_satisfied();
        }
        let core_lbd = self.reduce.core_lbd;
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
        self.reduce.size.free = if self.options.extras.kept_is_free { core } else { 0 };
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
