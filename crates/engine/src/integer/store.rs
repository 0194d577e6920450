//! Integer variables, their bounds, and the literals that name bounds.
//!
//! Invariants: a bound above the root is an event, one for each literal that raised it; the events of a side rise in value and in
//! position on the trail. The names of a variable are kept in order, one for each value.

use crate::integer::global::Globals;
use crate::integer::linear::Sums;
use crate::integer::names::Names;
use crate::integer::order::Order;
use crate::store::assignment::Assignment;
use crate::store::literal::Lit;
use asp_base::index_vec::Idx;
use asp_base::map::Map;

asp_base::define_index! {
    /// An integer variable of an engine.
    pub struct Int
}

/// An integer variable or its negation. The upper bound of a variable is the lower bound of its negation, with the sign changed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Side(pub u32);

impl Side {
    #[inline]
    pub(crate) fn of(int: Int, negative: bool) -> Side {
        Side(int.0 << 1 | u32::from(negative))
    }
    #[inline]
    pub(crate) fn int(self) -> Int {
        Int(self.0 >> 1)
    }
    #[inline]
    pub(crate) fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }
    #[inline]
    pub(crate) fn opposite(self) -> Side {
        Side(self.0 ^ 1)
    }
    #[inline]
    pub(crate) fn at(self) -> usize {
        self.0 as usize
    }
}

/// A bound that a literal raised.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub(super) value: i64,
    /// Where the literal is on the trail.
    pub(super) position: u32,
}

/// The integers of an engine.
#[derive(Debug, Default)]
pub struct Integers {
    /// By side: its bound now and at the root, and what has raised it since.
    pub(crate) least: Vec<i64>,
    pub(super) root: Vec<i64>,
    pub(super) events: Vec<Vec<Event>>,
    /// The sides of all events, in the order of the trail.
    pub(super) raised: Vec<Side>,
    pub(crate) names: Names,
    /// The number of trail literals processed.
    pub(super) head: usize,
    pub(super) sums: Sums,
    /// Other constraints, each of which has an entry among the sums.
    pub(super) globals: Globals,
    /// The integers 0 and 1 for literals in sums.
    pub(super) of_literal: Map<Lit, Int>,
    pub(super) digits: Digits,
    pub(super) choice: Choice,
}

/// Integers that are written in binary digits, as the program sees them.
#[derive(Debug, Default)]
pub(super) struct Digits {
    /// By literal of a binary digit: the variable and the number of the digit.
    pub(super) of_literal: Map<Lit, (Int, u32)>,
    /// By variable: its binary digits, the least first, and what they are added to.
    pub(super) of: Map<Int, (i64, Vec<Lit>)>,
}

/// Which integers are decided, and how.
#[derive(Debug, Default)]
pub(super) struct Choice {
    /// All but the integers 0 and 1 of literals.
    pub(super) own: Vec<Int>,
    pub(super) order: Order,
    /// By variable: its value in the last model.
    pub(super) last: Vec<Option<i64>>,
}

impl Integers {
    /// Whether there are no integers.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.least.is_empty()
    }
    /// The number of integers.
    pub(crate) fn len(&self) -> usize {
        self.least.len() / 2
    }
    /// The least and the greatest value of a variable now.
    #[inline]
    pub(crate) fn bounds(&self, int: Int) -> (i64, i64) {
        let at = Side::of(int, false).at();
        (self.least[at], -self.least[at + 1])
    }
    /// The same at the root.
    pub fn root_bounds(&self, int: Int) -> (i64, i64) {
        let at = Side::of(int, false).at();
        (self.root[at], -self.root[at + 1])
    }
    #[inline]
    pub(super) fn greatest(&self, side: Side) -> i64 {
        -self.least[side.opposite().at()]
    }
    /// The bound of a side before a position of the trail.
    #[inline]
    pub(crate) fn bound_before(&self, side: Side, position: u32) -> i64 {
        let events = &self.events[side.at()];
        match events.last() {
            Some(last) if last.position < position => last.value,
            _ => match events.partition_point(|e| e.position < position) {
                0 => self.root[side.at()],
                n => events[n - 1].value,
            },
        }
    }
    /// The true literal by which a side first reached a number, and its bound then; `None` if it did at the root. Pre: the
    /// side is at least this number.
    pub(crate) fn cause(&self, side: Side, value: i64, assignment: &Assignment) -> (i64, Option<Lit>) {
        let root = self.root[side.at()];
        if root >= value {
            return (root, None);
        }
        let events = &self.events[side.at()];
        let event = events.get(events.partition_point(|e| e.value < value));
        event.map_or((root, None), |e| (e.value, Some(assignment.trail[e.position as usize])))
    }
    /// The digits of a variable, the least first.
    #[cfg(test)]
    pub(crate) fn digits_of(&self, int: Int) -> Vec<Lit> {
        self.digits.of.get(&int).map_or(Vec::new(), |d| d.1.clone())
    }
    /// Adds a variable whose sides have these least values at the root, and later.
    #[cfg(test)]
    pub(crate) fn add_for_test(&mut self, root: [i64; 2], now: [i64; 2]) {
        self.root.extend(root);
        self.least.extend(now);
        self.events.extend(now.map(|value| vec![Event { value, position: 0 }]));
    }
    #[cfg(test)]
    pub(crate) fn raise_for_test(&mut self, (side, value): (Side, i64)) {
        if value > self.least[side.at()] {
            self.least[side.at()] = value;
            self.events[side.at()].push(Event { value, position: 1 });
        }
    }
    /// Has the digits of all fixed variables examined again. A sum examined late has assigned them on a higher level than
    /// the variable's; backtracking has undone these, and no bound will rise to assign them again.
    pub(crate) fn wake_digits(&mut self) {
        for i in 0..self.choice.own.len() {
            let (low, high) = self.bounds(self.choice.own[i]);
            if low == high {
                self.sums.wake_late(self.choice.own[i]);
            }
        }
    }
    /// The first of those with the fewest values, by looking at all.
    fn narrowest(&self) -> Option<Int> {
        let width = |int: Int| self.greatest(Side::of(int, false)) - self.least[Side::of(int, false).at()];
        self.choice.own.iter().copied().filter(|&int| width(int) > 0).min_by_key(|&int| width(int))
    }
    /// Makes decisions on a variable begin with the half of its values that contains this one.
    pub(crate) fn prefer(&mut self, int: Int, value: i64) {
        self.choice.last[int.index()] = Some(value);
    }
    /// The variable to decide on, and the middle of its bounds; `None` if all have values.
    pub(super) fn next_to_decide(&mut self) -> Option<(Int, i64)> {
        let int = self.choice.order.first(&self.choice.own, &self.least);
        debug_assert!(!cfg!(test) || int == self.narrowest());
        let int = int?;
        let (low, high) = self.bounds(int);
        Some((int, low + (high - low) / 2))
    }
}
