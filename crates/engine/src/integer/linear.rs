//! Linear constraints: sums of multiples of integers that are at most a number, perhaps under a condition.
//!
//! The slack that the other terms leave bounds each term; if the least sum is too great, the condition is false. The
//! explanation states how great the other terms must be, and weakens that as far as the slack permits. Invariant: factors
//! are positive (a term with a negative one is the negated variable), each variable occurs once, and no sum exceeds 63
//! bits. A sum with many terms keeps its slack and the greatest growth of a term: unless that exceeds the slack, no term is
//! looked at. Source: Harvey and Schimpf, *Bounds consistency techniques for long linear constraints*, 2002; Ohrimenko,
//! Stuckey and Codish, *Propagation via lazy clause generation*, Constraints 2009, for explanations.

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
    /// The number among the long ones, or [`SHORT`].
    long: u32,
    is_queued: bool,
    /// How often it has been examined at this time.
    looks: u32,
    time: u64,
}

/// A sum whose terms are examined each time.
const SHORT: u32 = u32::MAX;
/// A sum with this many terms is long. Unit tests have sums of few terms.
pub(super) const MIN_LONG_LENGTH: usize = if cfg!(test) { 3 } else { 32 };

/// The counters of a sum with many terms, so that examining it takes time in the number of changes.
#[derive(Debug)]
struct Long {
    /// What is left of the bound when all terms are least.
    slack: i64,
    /// No term can grow by more than this.
    spread: i64,
    /// How much each term could grow when the sum was added; the terms are sorted by this, falling.
    reaches: Vec<i64>,
}

/// For a sum that stands for itself.
pub(super) const NO_GLOBAL: u32 = u32::MAX;

/// All sums, and other constraints woken when bounds rise.
#[derive(Debug, Default)]
pub(crate) struct Sums {
    pub(super) all: Vec<Sum>,
    terms: Vec<Term>,
    longs: Vec<Long>,
    /// By side: the long sums that it is in, with its factor there.
    counted: Vec<Vec<(u32, i64)>>,
    /// By side: the sums that its rise may change.
    watches: Vec<Vec<u32>>,
    /// By variable: the sums that wait for its value.
    pub(super) late: Vec<Vec<u32>>,
    /// By literal: the sums whose condition it is.
    conditions: LiteralLists<u32>,
    queue: Queue,
    /// Sums that have been examined often enough for now. They count as queued.
    postponed: Vec<u32>,
    /// Changes with each decision and conflict.
    time: u64,
}

/// Sums that wait to be examined.
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

/// How often a sum is examined between two decisions. Two sums may move bounds back and forth in as many steps as there are
/// values; dividing domains gets there sooner.
const MAX_LOOKS: u32 = 30;

impl Sums {
    /// Adds a sum; it waits for the value of the variable of a late term.
    pub(super) fn add(&mut self, condition: Lit, terms: &[Term], bound: i64, late: Option<Int>) -> u32 {
        self.add_entry(condition, terms, bound, NO_GLOBAL, late)
    }
    /// Adds a sum with many terms, sorted by the given growth, and the slack.
    pub(super) fn add_long(
        &mut self,
        condition: Lit,
        terms: &[Term],
        bound: i64,
        slack: i64,
        reaches: Vec<i64>,
    ) -> u32 {
        let sum = self.add_entry(condition, terms, bound, NO_GLOBAL, None);
        let long = self.longs.len() as u32;
        for t in terms {
            let at = t.side.at();
            if self.counted.len() <= at {
                self.counted.resize_with(at + 1, Vec::new);
            }
            self.counted[at].push((long, t.factor));
        }
        self.longs.push(Long { slack, spread: reaches[0], reaches });
        self.all[sum as usize].long = long;
        sum
    }
    /// Counts that a side has risen by some number.
    #[inline]
    pub(super) fn raised(&mut self, side: Side, by: i64) {
        for &(long, factor) in self.counted.get(side.at()).map_or(&[][..], Vec::as_slice) {
            self.longs[long as usize].slack -= factor * by;
        }
    }
    /// Counts that a side has fallen by some number; its variable now has a width.
    #[inline]
    pub(super) fn undone(&mut self, side: Side, by: i64, width: i64) {
        for (side, by) in [(side, by), (side.opposite(), 0)] {
            for &(long, factor) in self.counted.get(side.at()).map_or(&[][..], Vec::as_slice) {
                let long = &mut self.longs[long as usize];
                long.slack += factor * by;
                long.spread = long.spread.max(factor * width);
            }
        }
    }
    /// Adds another constraint: it is examined when one of the sides rises.
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
            long: SHORT,
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
    /// Wakes the sums that the rise of a side may change.
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
    /// Wakes the sums that wait for the value of a variable.
    pub(super) fn wake_late(&mut self, int: Int) {
        let sums = self.late.get(int.index()).map_or(&[][..], Vec::as_slice);
        sums.iter().for_each(|&sum| self.queue.push(sum, &mut self.all[sum as usize]));
    }
    /// Wakes the sums whose condition has become true.
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
            if entry.looks < MAX_LOOKS {
                entry.looks += 1;
                entry.is_queued = false;
                return Some(sum);
            }
            self.postponed.push(sum);
        }
    }
    /// Sets the time. If it changes, postponed sums are examined again.
    pub(super) fn set_time(&mut self, time: u64) {
        if time != self.time {
            self.time = time;
            self.requeue();
        }
    }
    pub(super) fn has_postponed(&self) -> bool {
        !self.postponed.is_empty()
    }
    /// Wakes the postponed sums.
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
        let entry = &mut self.all[sum as usize];
        let old = std::mem::replace(&mut entry.bound, bound);
        if let Some(long) = self.longs.get_mut(entry.long as usize) {
            long.slack += bound - old;
        }
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
            _ => self.names.bound_of(lit).map(|(side, value)| (side.opposite(), 1 - value)),
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
    /// Puts into the conflict buffer why a constraint implies a literal, or, with [`Lit::NONE`], why it is violated.
    pub(super) fn conflict_of(&mut self, reason: ReasonKind, lit: Lit) -> ConflictKind {
        let clause = &mut self.analyzer.conflict;
        clause.clear();
        match reason {
            ReasonKind::Integers(sum) => {
                self.constraints.integers.explain(sum, lit, u32::MAX, &self.assignment, clause);
            }
            ReasonKind::Noted(note) => {
                self.constraints.integers.explain_note(note, lit, u32::MAX, &self.assignment, clause);
            }
            _ => debug_assert!(false, "{reason:?} is of no constraint over integers"),
        }
        ConflictKind::Buffer
    }
    /// Looks at a sum.
    pub(super) fn propagate_sum(&mut self, number: u32) -> Result<(), ConflictKind> {
        let sum = self.constraints.integers.sums.get(number);
        let condition = if sum.condition == Lit::NONE { 1 } else { self.assignment.value(sum.condition) };
        if condition < 0 {
            return Ok(());
        }
        if sum.global != NO_GLOBAL {
            return self.propagate_global(number, sum, condition == 0);
        }
        let long = sum.long as usize;
        let slack = match self.constraints.integers.sums.longs.get(long) {
            None => self.constraints.integers.slack(sum),
            Some(long) => long.slack,
        };
        debug_assert!(!cfg!(test) || slack == self.constraints.integers.slack(sum));
        self.control.ticks += 1 + if sum.long == SHORT { u64::from(sum.end - sum.start) / 4 } else { 0 };
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
        if sum.long != SHORT {
            return self.propagate_long(number, sum, slack);
        }
        for at in sum.start..sum.end {
            self.limit_term(number, at, slack)?;
        }
        Ok(())
    }
    /// Limits a term to its least value plus the slack; returns by how much it can now grow.
    #[inline]
    fn limit_term(&mut self, number: u32, at: u32, slack: i64) -> Result<i64, ConflictKind> {
        let Term { side, factor } = self.constraints.integers.sums.terms[at as usize];
        let (least, greatest) =
            (self.constraints.integers.least[side.at()], self.constraints.integers.greatest(side));
        // The product fits, since no sum exceeds 62 bits.
        if factor * (greatest - least) > slack {
            self.raise(side.opposite(), -(least + slack / factor), Reason::integers(number))?;
        }
        Ok(factor * (self.constraints.integers.greatest(side) - least))
    }
    /// The same for all terms of a long sum, or none if no term can exceed the slack.
    fn propagate_long(&mut self, number: u32, sum: Sum, slack: i64) -> Result<(), ConflictKind> {
        let long = sum.long as usize;
        if self.constraints.integers.sums.longs[long].spread <= slack {
            return Ok(());
        }
        let mut spread = 0;
        for at in sum.start..sum.end {
            let reach = self.constraints.integers.sums.longs[long].reaches[(at - sum.start) as usize];
            if reach <= slack {
                spread = spread.max(reach);
                break;
            }
            spread = spread.max(self.limit_term(number, at, slack)?);
            self.control.ticks += u64::from(at % 4 == 0);
        }
        self.constraints.integers.sums.longs[long].spread = spread;
        Ok(())
    }
}
