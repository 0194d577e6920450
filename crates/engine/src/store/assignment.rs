//! The partial assignment: values by literal, the trail, and why and where each variable was assigned.
//!
//! Invariant: `value(l)` and `value(!l)` are opposite or both unknown; the trail contains each assigned variable once,
//! in order of assignment; `control[k]` is the trail length at which level `k + 1` began. A variable's level is that of
//! its trail segment, except that missed consequences of the root have level 0.

use crate::store::arena::ClauseRef;
use crate::store::literal::{Lit, Var};
use asp_base::index_vec::IndexVec;

/// Why a variable has its value, in one tagged word: the tag in the low bits, the payload in the high half.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reason(u64);

/// A decoded [`Reason`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ReasonKind {
    /// A fact of the root, or a flipped decision of the enumeration.
    None,
    Decision,
    /// A clause of two literals; this is the other one, which is false.
    Binary(Lit),
    /// A clause of the arena.
    Clause(ClauseRef),
    /// A weight constraint, by index.
    Weight(u32),
    /// A learned inequality, by index.
    Cut(u32),
    /// A sum over integers, by index.
    Integers(u32),
    /// A constraint over integers that is no sum, by what it noted.
    Noted(u32),
    /// A propagator, by index, and its data word.
    Propagator(u32, u32),
}

impl Reason {
    pub(crate) const NONE: Reason = Reason(0);
    pub(crate) const DECISION: Reason = Reason(1);

    #[inline]
    pub(crate) fn binary(other: Lit) -> Reason {
        Reason(u64::from(other.word()) << 32 | 2)
    }
    #[inline]
    pub(crate) fn clause(clause: ClauseRef) -> Reason {
        Reason(u64::from(clause.0) << 32 | 3)
    }
    #[inline]
    pub(crate) fn weight(constraint: u32) -> Reason {
        Reason(u64::from(constraint) << 32 | 4)
    }
    #[inline]
    pub(crate) fn cut(number: u32) -> Reason {
        Reason(u64::from(number) << 32 | 1 << 3 | 4)
    }
    #[inline]
    pub(crate) fn integers(sum: u32) -> Reason {
        Reason(u64::from(sum) << 32 | 6)
    }
    #[inline]
    pub(crate) fn noted(note: u32) -> Reason {
        Reason(u64::from(note) << 32 | 7)
    }
    #[inline]
    pub(crate) fn propagator(id: u32, data: u32) -> Reason {
        Reason(u64::from(data) << 32 | u64::from(id) << 3 | 5)
    }
    #[inline]
    pub(crate) fn kind(self) -> ReasonKind {
        let payload = (self.0 >> 32) as u32;
        match self.0 & 7 {
            0 => ReasonKind::None,
            1 => ReasonKind::Decision,
            2 => ReasonKind::Binary(Lit::from_word(payload)),
            3 => ReasonKind::Clause(ClauseRef(payload)),
            4 if self.0 as u32 >> 3 == 1 => ReasonKind::Cut(payload),
            4 => ReasonKind::Weight(payload),
            6 => ReasonKind::Integers(payload),
            7 => ReasonKind::Noted(payload),
            _ => ReasonKind::Propagator((self.0 as u32) >> 3, payload),
        }
    }
    /// Whether nothing implies the literal: a decision, a flipped decision or a fact.
    #[inline]
    pub(crate) fn is_open(self) -> bool {
        self.0 & 7 <= 1
    }
}

/// What is known about an assigned variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VarInfo {
    pub(crate) reason: Reason,
    pub(crate) level: u32,
    pub(crate) position: u32,
}

/// Values, trail and levels.
#[derive(Debug, Default)]
pub struct Assignment {
    /// 1 true, -1 false, 0 unknown; by literal code.
    pub(crate) values: Vec<i8>,
    pub(crate) vars: IndexVec<Var, VarInfo>,
    pub trail: Vec<Lit>,
    /// How many trail literals unit propagation has processed.
    pub(crate) head: usize,
    pub control: Vec<u32>,
    /// Number of variables that have no value in a total assignment: eliminated ones, and names for bounds that are not in use.
    pub(crate) absent: usize,
}

impl Assignment {
    pub(crate) fn reserve_vars(&mut self, more: usize) {
        self.values.reserve_exact(2 * more);
        self.vars.reserve_exact(more);
    }
    pub(crate) fn new_var(&mut self) -> Var {
        self.values.extend([0, 0]);
        self.vars.push(VarInfo { reason: Reason::NONE, level: 0, position: 0 })
    }
    #[inline]
    pub(crate) fn num_vars(&self) -> usize {
        self.vars.len()
    }
    /// The current level.
    #[inline]
    pub(crate) fn level(&self) -> u32 {
        self.control.len() as u32
    }
    #[inline]
    pub(crate) fn value(&self, lit: Lit) -> i8 {
        self.values[lit.code()]
    }
    #[inline]
    pub(crate) fn is_true(&self, lit: Lit) -> bool {
        self.value(lit) > 0
    }
    #[inline]
    pub(crate) fn is_false(&self, lit: Lit) -> bool {
        self.value(lit) < 0
    }
    #[inline]
    pub(crate) fn is_free(&self, lit: Lit) -> bool {
        self.value(lit) == 0
    }
    /// Whether the literal is true at the root.
    #[inline]
    pub(crate) fn is_fixed_true(&self, lit: Lit) -> bool {
        self.is_true(lit) && self.vars[lit.var()].level == 0
    }
    /// Whether the literal is false at the root.
    #[inline]
    pub(crate) fn is_fixed_false(&self, lit: Lit) -> bool {
        self.is_false(lit) && self.vars[lit.var()].level == 0
    }
    /// Pre: the variable is assigned.
    #[inline]
    pub(crate) fn level_of(&self, lit: Lit) -> u32 {
        self.vars[lit.var()].level
    }
    #[inline]
    pub(crate) fn position_of(&self, lit: Lit) -> u32 {
        self.vars[lit.var()].position
    }
    #[inline]
    pub(crate) fn reason_of(&self, lit: Lit) -> Reason {
        self.vars[lit.var()].reason
    }
    /// Makes a literal true. Pre: it is free. Post: it is last on the trail.
    #[inline]
    pub(crate) fn assign(&mut self, lit: Lit, reason: Reason) {
        let level = self.level();
        self.assign_at(lit, reason, level);
    }
    /// Like [`assign`](Self::assign) at a given level: 0 for consequences of the root that were missed.
    #[inline]
    pub(crate) fn assign_at(&mut self, lit: Lit, reason: Reason, level: u32) {
        debug_assert!(self.is_free(lit));
        self.values[lit.code()] = 1;
        self.values[(!lit).code()] = -1;
        let position = self.trail.len() as u32;
        self.vars[lit.var()] = VarInfo { reason, level, position };
        self.trail.push(lit);
    }
    #[inline]
    pub(crate) fn open_level(&mut self) {
        self.control.push(self.trail.len() as u32);
    }
    /// The trail length at which a level began (level 0 begins at 0).
    #[inline]
    pub fn level_start(&self, level: u32) -> u32 {
        if level == 0 { 0 } else { self.control[level as usize - 1] }
    }
    /// The decision of a level; `None` for a level opened without one.
    #[inline]
    pub(crate) fn decision(&self, level: u32) -> Option<Lit> {
        let lit = *self.trail.get(self.level_start(level) as usize)?;
        (level > 0 && self.reason_of(lit) == Reason::DECISION && self.level_of(lit) == level).then_some(lit)
    }
    /// Whether every variable that is not eliminated has a value.
    #[inline]
    pub fn is_total(&self) -> bool {
        self.trail.len() + self.absent >= self.num_vars()
    }

    /// Trail, values, levels and positions agree.
    #[cfg(debug_assertions)]
    pub(crate) fn check_trail(&self) {
        let mut level = 0u32;
        for (i, &lit) in self.trail.iter().enumerate() {
            while (level as usize) < self.control.len() && self.control[level as usize] as usize <= i {
                level += 1;
            }
            let info = self.vars[lit.var()];
            assert!(self.is_true(lit) && self.is_false(!lit), "trail literal {lit:?} is not true");
            assert_eq!(info.position as usize, i, "position of {lit:?}");
            assert!(info.level == level || info.level == 0, "level of {lit:?}");
        }
        let assigned = self.values.iter().filter(|&&v| v > 0).count();
        assert_eq!(assigned, self.trail.len(), "values without a place on the trail");
    }
}
