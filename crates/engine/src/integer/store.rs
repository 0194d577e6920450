//! Integer variables, their bounds, and the literals that name bounds.
//!
//! Invariants: a bound above the root is an event, one for each literal that raised it; the events of a side rise in value and in
//! position on the trail. The names of a variable are kept in order, one for each value.

use crate::integer::global::Globals;
use crate::integer::linear::Sums;
use crate::integer::order::Order;
use crate::store::assignment::Assignment;
use crate::store::literal::{Lit, Var};
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

/// How long a literal names a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Use {
    /// Until the bound is undone: it is in no clause.
    Passing,
    /// As long as a learned clause contains it.
    Learned,
    /// For ever.
    Lasting,
}

/// What a variable of the engine says: that a side is at least a number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meaning {
    /// The side that the positive literal bounds; the negative one bounds the opposite.
    side: Side,
    /// The number for the positive literal; that for the negative one is `1 - value`.
    value: i64,
    pub(super) using: Use,
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
    /// By variable: the kept literals for `x >= n`, by rising numbers.
    pub(super) names: Vec<Vec<(i64, Lit)>>,
    /// By variable of the engine: what it says, if it is a name.
    pub(super) meanings: Vec<Option<Meaning>>,
    /// Variables of the engine for names to come.
    pub(super) pool: Vec<Var>,
    /// How many literals of the trail have been looked at.
    pub(super) head: usize,
    pub(super) sums: Sums,
    /// Other constraints, each of which has an entry among the sums.
    pub(super) globals: Globals,
    /// The integers 0 and 1 for literals in sums.
    pub(super) of_literal: Map<Lit, Int>,
    /// By literal of a binary digit: the variable and the number of the digit.
    pub(super) digits: Map<Lit, (Int, u32)>,
    /// By variable: its binary digits, the least first, and what they are added to.
    pub(super) digits_of: Map<Int, (i64, Vec<Lit>)>,
    /// Those that are decided: all but the integers 0 and 1 of literals.
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
    /// How many variables for names are not in use.
    pub(crate) fn unused(&self) -> usize {
        self.pool.len()
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
    #[inline]
    pub(super) fn meaning(&self, var: Var) -> Option<Meaning> {
        self.meanings.get(var.index()).copied().flatten()
    }
    /// The side that a true literal bounds, and its bound.
    #[inline]
    pub(super) fn bound_of(&self, lit: Lit) -> Option<(Side, i64)> {
        let Meaning { side, value, .. } = self.meaning(lit.var())?;
        Some(if lit.is_neg() { (side.opposite(), 1 - value) } else { (side, value) })
    }
    /// Lets a literal say that a side is at least a number.
    pub(super) fn set_meaning(&mut self, lit: Lit, side: Side, value: i64, using: Use) {
        let (side, value) = if lit.is_neg() { (side.opposite(), 1 - value) } else { (side, value) };
        if self.meanings.len() <= lit.var().index() {
            self.meanings.resize(lit.var().index() + 1, None);
        }
        self.meanings[lit.var().index()] = Some(Meaning { side, value, using });
    }
    pub(super) fn forget_meaning(&mut self, var: Var) {
        self.meanings[var.index()] = None;
    }
    /// Whether a variable is a name that is in no clause.
    #[inline]
    pub(crate) fn is_passing(&self, var: Var) -> bool {
        self.meaning(var).is_some_and(|m| m.using == Use::Passing)
    }
    /// The kept literal that says that a side is at least a number.
    pub(super) fn name(&self, side: Side, value: i64) -> Option<Lit> {
        let names = &self.names[side.int().index()];
        let find = |n: i64| names.binary_search_by_key(&n, |e| e.0).ok().map(|at| names[at].1);
        if side.is_negative() { find(1 - value).map(|l| !l) } else { find(value) }
    }
    /// Keeps a literal that says that a side is at least a number. Pre: there is none.
    pub(super) fn keep_name(&mut self, side: Side, value: i64, lit: Lit, using: Use) {
        self.set_meaning(lit, side, value, using);
        let (value, lit) = if side.is_negative() { (1 - value, !lit) } else { (value, lit) };
        let names = &mut self.names[side.int().index()];
        let at = names.partition_point(|e| e.0 < value);
        debug_assert!(names.get(at).is_none_or(|e| e.0 != value));
        names.insert(at, (value, lit));
    }
    /// The bound of a side before a position of the trail.
    #[inline]
    pub(super) fn bound_before(&self, side: Side, position: u32) -> i64 {
        let events = &self.events[side.at()];
        match events.last() {
            Some(last) if last.position < position => last.value,
            _ => match events.partition_point(|e| e.position < position) {
                0 => self.root[side.at()],
                n => events[n - 1].value,
            },
        }
    }
    /// The true literal by which a side is first at least a number, and what it is then; `None` if that is so at the root. Pre:
    /// the side is at least this number.
    pub(super) fn cause(&self, side: Side, value: i64, assignment: &Assignment) -> (i64, Option<Lit>) {
        let root = self.root[side.at()];
        if root >= value {
            return (root, None);
        }
        let events = &self.events[side.at()];
        let event = events.get(events.partition_point(|e| e.value < value));
        event.map_or((root, None), |e| (e.value, Some(assignment.trail[e.position as usize])))
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
    /// Has the digits looked at of all variables with a value. A sum that was looked at late has given them their values on a
    /// higher level than the variable's; backtracking has taken these, and no bound rises any more that would give them again.
    pub(crate) fn wake_digits(&mut self) {
        for i in 0..self.own.len() {
            let (low, high) = self.bounds(self.own[i]);
            if low == high {
                self.sums.wake_late(self.own[i]);
            }
        }
    }
    /// The first of those with the fewest values, by looking at all.
    fn narrowest(&self) -> Option<Int> {
        let width = |int: Int| self.greatest(Side::of(int, false)) - self.least[Side::of(int, false).at()];
        self.own.iter().copied().filter(|&int| width(int) > 0).min_by_key(|&int| width(int))
    }
    /// The variable to decide on, and the number in the middle of its bounds; `None` if all have values.
    pub(super) fn next_to_decide(&mut self) -> Option<(Int, i64)> {
        let int = self.order.first(&self.own, &self.least);
        debug_assert!(!cfg!(test) || int == self.narrowest());
        let int = int?;
        let (low, high) = self.bounds(int);
        Some((int, low + (high - low) / 2))
    }
}
