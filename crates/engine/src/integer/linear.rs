//! Sums of multiples of integers that are at most a number, perhaps under a condition.
//!
//! What the other terms leave over bounds each term; if the least sum is too great, the condition is false. The explanation of a
//! bound says how great the other terms must be for it, and gives away what it does not need. Invariant: factors are positive
//! (a term with a negative one is the negated variable), each variable occurs once, and no sum exceeds 63 bits.
//! Source: Harvey and Schimpf, *Bounds consistency techniques for long linear constraints*, 2002; Ohrimenko, Stuckey and Codish,
//! *Propagation via lazy clause generation*, Constraints 2009, for explanations.

use std::collections::VecDeque;

use crate::Engine;
use crate::integer::store::{Int, Integers, Side};
use crate::propagator::ConflictKind;
use crate::store::assignment::{Assignment, Reason, ReasonKind};
use crate::store::literal::Lit;
use crate::store::literal_lists::LiteralLists;
use asp_base::index_vec::Idx;

/// A part of a sum: a factor times a side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term {
    pub(super) side: Side,
    pub(super) factor: i64,
}

/// A sum that is at most a bound, if the condition holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sum {
    /// Its terms in [`Sums::terms`].
    start: u32,
    end: u32,
    pub(super) bound: i64,
    /// [`Lit::NONE`] if there is none.
    pub(super) condition: Lit,
    /// The number of another constraint that this stands for, or [`NO_GLOBAL`].
    pub(super) global: u32,
    is_queued: bool,
    /// How often it has been looked at at this time.
    looks: u32,
    time: u64,
}

/// For a sum that stands for itself.
pub(super) const NO_GLOBAL: u32 = u32::MAX;

/// All sums, and what else is looked at when bounds rise.
#[derive(Debug, Default)]
pub(crate) struct Sums {
    all: Vec<Sum>,
    terms: Vec<Term>,
    /// By side: the sums that its rise may change.
    watches: Vec<Vec<u32>>,
    /// By variable: the sums that are looked at when it has a value.
    late: Vec<Vec<u32>>,
    /// By literal: the sums whose condition it is.
    conditions: LiteralLists<u32>,
    queue: Queue,
    /// Sums that have been looked at often enough for now. They count as queued.
    postponed: Vec<u32>,
    /// Changes with each decision and conflict.
    time: u64,
}

/// What is to be looked at.
#[derive(Debug, Default)]
struct Queue {
    sums: VecDeque<u32>,
    /// What stands for other constraints comes last.
    globals: VecDeque<u32>,
}

impl Queue {
    #[inline]
    fn push(&mut self, sum: u32, entry: &mut Sum) {
        if !std::mem::replace(&mut entry.is_queued, true) {
            match entry.global {
                NO_GLOBAL => self.sums.push_back(sum),
                _ => self.globals.push_back(sum),
            }
        }
    }
}

/// How often a sum is looked at between two decisions. Two sums may move bounds back and forth in as many steps as there are
/// values; dividing domains gets there sooner.
const MOST_LOOKS: u32 = 30;

impl Sums {
    /// Adds a sum; it waits for the value of the variable of a late term.
    pub(super) fn add(&mut self, condition: Lit, terms: &[Term], bound: i64, late: Option<Int>) -> u32 {
        self.add_entry(condition, terms, bound, NO_GLOBAL, late)
    }
    /// Adds what stands for another constraint: it is looked at when one of some sides rises.
    pub(super) fn add_global(&mut self, condition: Lit, sides: &[Side], global: u32) {
        let terms: Vec<Term> = sides.iter().map(|&side| Term { side, factor: 1 }).collect();
        self.add_entry(condition, &terms, i64::MAX, global, None);
    }
    fn add_entry(
        &mut self,
        condition: Lit,
        terms: &[Term],
        bound: i64,
        global: u32,
        late: Option<Int>,
    ) -> u32 {
        let (sum, start) = (self.all.len() as u32, self.terms.len() as u32);
        self.terms.extend_from_slice(terms);
        self.all.push(Sum {
            start,
            end: self.terms.len() as u32,
            bound,
            condition,
            global,
            is_queued: false,
            looks: 0,
            time: 0,
        });
        for &Term { side, .. } in terms {
            let (lists, at) = match late == Some(side.int()) {
                false => (&mut self.watches, side.at()),
                true => (&mut self.late, side.int().index()),
            };
            if lists.len() <= at {
                lists.resize_with(at + 1, Vec::new);
            }
            lists[at].push(sum);
        }
        if condition != Lit::NONE {
            self.conditions.push(condition, sum);
        }
        self.enqueue(sum);
        sum
    }
    pub(super) fn enqueue(&mut self, sum: u32) {
        self.queue.push(sum, &mut self.all[sum as usize]);
    }
    /// Has the sums looked at that the rise of a side may change.
    #[inline]
    pub(super) fn wake(&mut self, side: Side, assignment: &Assignment) {
        for &sum in self.watches.get(side.at()).map_or(&[][..], Vec::as_slice) {
            let entry = &mut self.all[sum as usize];
            let is_off = entry.condition != Lit::NONE && assignment.is_false(entry.condition);
            if !is_off {
                self.queue.push(sum, entry);
            }
        }
    }
    /// Has the sums looked at that wait for the value of a variable.
    pub(super) fn wake_late(&mut self, int: Int) {
        let sums = self.late.get(int.index()).map_or(&[][..], Vec::as_slice);
        sums.iter().for_each(|&sum| self.queue.push(sum, &mut self.all[sum as usize]));
    }
    /// Has the sums looked at whose condition has become true.
    #[inline]
    pub(super) fn wake_condition(&mut self, lit: Lit) {
        let sums = self.conditions.of(lit);
        sums.iter().for_each(|&sum| self.queue.push(sum, &mut self.all[sum as usize]));
    }
    pub(super) fn next(&mut self) -> Option<u32> {
        loop {
            let sum = self.queue.sums.pop_front().or_else(|| self.queue.globals.pop_front())?;
            let entry = &mut self.all[sum as usize];
            if entry.time != self.time {
                (entry.time, entry.looks) = (self.time, 0);
            }
            if entry.looks < MOST_LOOKS {
                entry.looks += 1;
                entry.is_queued = false;
                return Some(sum);
            }
            self.postponed.push(sum);
        }
    }
    /// Sets the time. If it is another one, sums that were postponed are looked at again.
    pub(super) fn set_time(&mut self, time: u64) {
        if time != self.time {
            self.time = time;
            self.requeue();
        }
    }
    pub(super) fn has_postponed(&self) -> bool {
        !self.postponed.is_empty()
    }
    /// Has the sums looked at that were postponed.
    pub(super) fn resume(&mut self) {
        for &sum in &self.postponed {
            self.all[sum as usize].looks = 0;
        }
        self.requeue();
    }
    fn requeue(&mut self) {
        for sum in self.postponed.drain(..) {
            let entry = &mut self.all[sum as usize];
            entry.is_queued = false;
            self.queue.push(sum, entry);
        }
    }
    /// Lowers the bound of a sum.
    pub(super) fn tighten(&mut self, sum: u32, bound: i64) {
        self.all[sum as usize].bound = bound;
        self.enqueue(sum);
    }
    #[inline]
    pub(super) fn get(&self, sum: u32) -> Sum {
        self.all[sum as usize]
    }
    #[inline]
    pub(super) fn terms(&self, sum: Sum) -> &[Term] {
        &self.terms[sum.start as usize..sum.end as usize]
    }
}

impl Integers {
    /// What is left of a sum's bound when all terms are least.
    #[inline]
    pub(super) fn slack(&self, sum: Sum) -> i64 {
        self.sums.terms(sum).iter().fold(sum.bound, |slack, t| slack - t.factor * self.least[t.side.at()])
    }
    /// Appends the false literals of the clause by which a sum implied a literal at a position of the trail. With
    /// [`Lit::NONE`], the sum is violated by everything before the position.
    pub(crate) fn explain(
        &self,
        sum: u32,
        lit: Lit,
        position: u32,
        assignment: &Assignment,
        clause: &mut Vec<Lit>,
    ) {
        let sum = self.sums.get(sum);
        // The term whose greatest value is explained counts as if it were greater by one.
        let own = match lit {
            Lit::NONE => None,
            _ if lit == !sum.condition => None,
            _ => self.bound_of(lit).map(|(side, value)| (side.opposite(), 1 - value)),
        };
        if sum.condition != Lit::NONE && lit != !sum.condition {
            clause.push(!sum.condition);
        }
        let mut excess = -sum.bound - 1;
        for t in self.sums.terms(sum) {
            excess += t.factor
                * match own {
                    Some((side, value)) if side == t.side => value,
                    _ => self.bound_before(t.side, position),
                };
        }
        debug_assert!(excess >= 0, "{lit:?} does not follow from a sum");
        for t in self.sums.terms(sum).iter().filter(|t| own.is_none_or(|o| o.0 != t.side)) {
            let value = self.bound_before(t.side, position);
            let (found, lit) = self.cause(t.side, value - excess / t.factor, assignment);
            excess -= t.factor * (value - found).max(0);
            clause.extend(lit.map(|l| !l));
        }
    }
}

impl Engine {
    /// Puts into the conflict buffer why a constraint now implies a literal, or, with [`Lit::NONE`], why it is violated.
    pub(super) fn conflict_of(&mut self, reason: ReasonKind, lit: Lit) -> ConflictKind {
        let clause = &mut self.analyzer.conflict;
        clause.clear();
        match reason {
            ReasonKind::Integers(sum) => {
                self.integers.explain(sum, lit, u32::MAX, &self.assignment, clause);
            }
            ReasonKind::Noted(note) => {
                self.integers.explain_note(note, lit, u32::MAX, &self.assignment, clause);
            }
            _ => debug_assert!(false, "{reason:?} is of no constraint over integers"),
        }
        ConflictKind::Buffer
    }
    /// Looks at a sum.
    pub(super) fn propagate_sum(&mut self, number: u32) -> Result<(), ConflictKind> {
        let sum = self.integers.sums.get(number);
        let condition = if sum.condition == Lit::NONE { 1 } else { self.assignment.value(sum.condition) };
        if condition < 0 {
            return Ok(());
        }
        if sum.global != NO_GLOBAL {
            return self.propagate_global(number, sum, condition == 0);
        }
        self.ticks += 1 + u64::from(sum.end - sum.start) / 4;
        let slack = self.integers.slack(sum);
        if slack < 0 {
            if condition == 0 {
                self.assignment.assign(!sum.condition, Reason::integers(number));
                return Ok(());
            }
            return Err(self.conflict_of(ReasonKind::Integers(number), Lit::NONE));
        }
        if condition == 0 {
            return Ok(());
        }
        for at in sum.start..sum.end {
            let Term { side, factor } = self.integers.sums.terms[at as usize];
            let (least, greatest) = (self.integers.least[side.at()], self.integers.greatest(side));
            // The product fits, since no sum exceeds 62 bits.
            if factor * (greatest - least) > slack {
                self.raise(side.opposite(), -(least + slack / factor), Reason::integers(number))?;
            }
        }
        Ok(())
    }
}
