//! Raising and undoing bounds, deciding on them, and keeping or releasing their names.
//!
//! Invariant: a name is taken from the pool when its literal is put on the trail, and given back when it leaves the trail, unless
//! a learned clause contains it.

use crate::Engine;
use crate::integer::names::{Meaning, Names, Use};
use crate::integer::store::{Event, Side};
use crate::propagator::{Conflict, ConflictKind, Context};
use crate::store::assignment::Reason;
use crate::store::literal::{Lit, Var};
use asp_base::index_vec::Idx;

/// Sums examined between two polls of the interrupt.
const POLL_INTERVAL: u64 = 100_000;

impl Engine {
    /// Propagates integers until a literal that clauses may contain has become true, or nothing is left to do.
    pub(crate) fn propagate_integers(&mut self) -> Result<(), ConflictKind> {
        let mut looked = 0;
        self.constraints.integers.sums.set_time(self.stats.choices + self.stats.conflicts);
        loop {
            self.read_bounds()?;
            let before = self.assignment.trail.len();
            let Some(sum) = self.constraints.integers.sums.next() else {
                // Where nothing is left to decide, nothing is postponed.
                let is_over = self.constraints.integers.sums.has_postponed()
                    && (self.assignment.is_total() || self.constraints.integers.next_to_decide().is_none());
                if !is_over {
                    return Ok(());
                }
                self.constraints.integers.sums.resume();
                continue;
            };
            if let Err(conflict) = self.propagate_sum(sum) {
                // What is left of its work is done if the conflict leaves it possible.
                self.constraints.integers.sums.enqueue(sum);
                return Err(conflict);
            }
            let new = &self.assignment.trail[before..];
            if new.iter().any(|l| !self.constraints.integers.names.is_passing(l.var())) {
                return Ok(());
            }
            looked += 1;
            if looked % POLL_INTERVAL == 0 && self.call.interrupt.poll().is_some() {
                return Err(ConflictKind::Halt);
            }
        }
    }
    /// Reads bounds and conditions that other constraints or decisions have made true.
    fn read_bounds(&mut self) -> Result<(), ConflictKind> {
        while self.constraints.integers.head < self.assignment.trail.len() {
            let lit = self.assignment.trail[self.constraints.integers.head];
            self.constraints.integers.head += 1;
            self.constraints.integers.sums.wake_condition(lit);
            let Some((side, value)) = self.constraints.integers.names.bound_of(lit) else { continue };
            if value > self.constraints.integers.least[side.at()] {
                self.record(side, value, lit)?;
            }
        }
        Ok(())
    }
    /// Raises the bound of a side because of a constraint. Pre: the new bound is greater, and not above the greatest value.
    pub(crate) fn raise(&mut self, side: Side, value: i64, reason: Reason) -> Result<(), ConflictKind> {
        debug_assert!(
            value > self.constraints.integers.least[side.at()]
                && value <= self.constraints.integers.greatest(side)
        );
        if self.level() == 0 {
            return self.record(side, value, Lit::NONE);
        }
        let lit = self.literal_for(side, value);
        match self.assignment.value(lit) {
            0 => self.assignment.assign(lit, reason),
            // It is about to be taken up.
            1 => return Ok(()),
            _ => {
                let conflict = self.conflict_of(reason.kind(), lit);
                self.analyzer.conflict.push(lit);
                return Err(conflict);
            }
        }
        self.record(side, value, lit)
    }
    /// Records the bound of a true literal, or ([`Lit::NONE`]) one at the root, and propagates to its names.
    fn record(&mut self, side: Side, value: i64, lit: Lit) -> Result<(), ConflictKind> {
        let old = std::mem::replace(&mut self.constraints.integers.least[side.at()], value);
        self.constraints.integers.choice.order.note(side.int());
        self.constraints.integers.sums.raised(side, value - old);
        if self.level() == 0 {
            self.constraints.integers.root[side.at()] = value;
        } else {
            let position = self.assignment.position_of(lit);
            self.constraints.integers.events[side.at()].push(Event { value, position });
            self.constraints.integers.raised.push(side);
        }
        let greatest = self.constraints.integers.greatest(side);
        self.constraints.integers.sums.wake(side, &self.assignment);
        if value == greatest {
            self.constraints.integers.sums.wake_late(side.int());
        }
        let reason = if self.level() == 0 { Reason::NONE } else { Reason::binary(!lit) };
        let negative = side.is_negative();
        // Names of numbers in this range of `x >= n` get their values.
        let (from, to) = if negative { (1 - value, -old) } else { (old.saturating_add(1), value) };
        let names = &self.constraints.integers.names.kept[side.int().index()];
        let first = names.partition_point(|e| e.0 < from);
        for &(number, name) in names[first..].iter().take_while(|e| e.0 <= to) {
            let name = if negative { !name } else { name };
            debug_assert!(number >= from);
            match self.assignment.value(name) {
                0 => self.assignment.assign(name, reason),
                1 => {}
                _ if lit == Lit::NONE => {
                    self.analyzer.conflict.clear();
                    self.analyzer.conflict.push(name);
                    return Err(ConflictKind::Buffer);
                }
                _ => return Err(ConflictKind::Binary(!lit, name)),
            }
        }
        if value > greatest {
            // The literal contradicts the other bound.
            let (_, other) = self.constraints.integers.cause(side.opposite(), 1 - value, &self.assignment);
            self.analyzer.conflict.clear();
            self.analyzer
                .conflict
                .extend(other.into_iter().chain([lit]).filter(|&l| l != Lit::NONE).map(|l| !l));
            return Err(ConflictKind::Buffer);
        }
        Ok(())
    }
    /// The literal for "a side is at least a number": a kept one, or one from the pool.
    fn literal_for(&mut self, side: Side, value: i64) -> Lit {
        self.constraints.integers.names.name(side, value).unwrap_or_else(|| self.passing_name(side, value))
    }
    /// A name from the pool for the bound of a side, free.
    fn passing_name(&mut self, side: Side, value: i64) -> Lit {
        let var = match self.constraints.integers.names.pool.pop() {
            Some(var) => {
                self.assignment.absent -= 1;
                var
            }
            None => {
                let var = self.new_var();
                self.stats.variables.0 -= 1;
                self.clauses.eliminated.frozen[var] = true;
                self.decisions.order.retire(var);
                var
            }
        };
        let lit = Lit::new(var, side.is_negative());
        self.constraints.integers.names.set_meaning(lit, side, value, Use::Passing);
        lit
    }
    fn give_back(&mut self, var: Var) {
        self.constraints.integers.names.forget_meaning(var);
        self.constraints.integers.names.pool.push(var);
        self.assignment.absent += 1;
    }
    /// Undoes bounds. Pre: the trail is about to be cut to `len` literals.
    pub(crate) fn undo_bounds(&mut self, len: usize) {
        let integers = &mut self.constraints.integers;
        integers.head = integers.head.min(len);
        while let Some(&side) = integers.raised.last() {
            let events = &mut integers.events[side.at()];
            if events.last().is_some_and(|e| (e.position as usize) < len) {
                break;
            }
            integers.raised.pop();
            events.pop();
            let value = events.last().map_or(integers.root[side.at()], |e| e.value);
            let old = std::mem::replace(&mut integers.least[side.at()], value);
            integers.choice.order.note(side.int());
            integers.sums.undone(side, old - value, integers.greatest(side) - value);
        }
        integers.globals.undo(len);
        for i in (len..self.assignment.trail.len()).rev() {
            let var = self.assignment.trail[i].var();
            if self.constraints.integers.names.is_passing(var) {
                self.give_back(var);
            }
        }
    }
    /// Keeps the names that a clause contains. To be called before anything is undone.
    pub(crate) fn keep_names(&mut self, clause: &[Lit]) {
        for &lit in clause {
            if !self.constraints.integers.names.is_passing(lit.var()) {
                continue;
            }
            if let Some((side, value)) = self.constraints.integers.names.bound_of(lit) {
                self.constraints.integers.names.keep_name(side, value, lit, Use::Learned);
                self.decisions.order.revive(lit.var());
                self.decisions.order.renew(lit.var());
            }
        }
    }
    /// Gives names back that no clause contains. Pre: deleted clauses have been collected.
    pub(crate) fn release_names(&mut self) {
        if self.constraints.integers.is_empty() {
            return;
        }
        let mut used = vec![false; self.num_vars()];
        for c in self.clauses.arena.iter() {
            self.clauses.arena.literals(c).for_each(|l| used[l.var().index()] = true);
        }
        let mut released = Vec::new();
        let Self { constraints, clauses, assignment, .. } = self;
        let Names { kept, meanings, .. } = &mut constraints.integers.names;
        for names in kept {
            names.retain(|&(_, lit)| {
                let is_learned = |m: Meaning| m.using == Use::Learned;
                let keep = used[lit.var().index()]
                    || !meanings[lit.var().index()].is_some_and(is_learned)
                    || !assignment.is_free(lit)
                    || !clauses.watches.binary[lit.code()].is_empty()
                    || !clauses.watches.binary[(!lit).code()].is_empty();
                if !keep {
                    released.push(lit.var());
                }
                keep
            });
        }
        for var in released {
            self.decisions.order.retire(var);
            self.give_back(var);
        }
    }
    /// A literal that divides the values of an integer; `None` if all have values.
    pub(crate) fn decide_integer(&mut self) -> Option<Lit> {
        let (int, middle) = self.constraints.integers.next_to_decide()?;
        let upper = self.constraints.integers.choice.last[int.index()].is_some_and(|v| v > middle);
        let side = Side::of(int, !upper);
        let value = if upper { middle + 1 } else { -middle };
        Some(self.literal_for(side, value))
    }
    /// The bound of a name in no clause, so that it can be named again after it has been undone.
    pub(crate) fn passing_bound(&self, lit: Lit) -> Option<(Side, i64)> {
        self.constraints
            .integers
            .names
            .bound_of(lit)
            .filter(|_| self.constraints.integers.names.is_passing(lit.var()))
    }
    /// A literal for a bound: `Err` if it is true or false already.
    pub(crate) fn name_again(&mut self, (side, value): (Side, i64)) -> Result<Lit, bool> {
        if self.constraints.integers.least[side.at()] >= value {
            return Err(true);
        }
        if self.constraints.integers.greatest(side) < value {
            return Err(false);
        }
        Ok(self.literal_for(side, value))
    }
    /// Remembers the values of the model, which decisions follow.
    pub(crate) fn note_values(&mut self) {
        for i in 0..self.constraints.integers.choice.own.len() {
            let int = self.constraints.integers.choice.own[i];
            self.constraints.integers.choice.last[int.index()] =
                Some(self.constraints.integers.bounds(int).0);
        }
    }
}

impl Context<'_> {
    /// Raises the bound of an integer with a reason that is explained on demand. Pre: it is less and may be that much.
    pub(crate) fn raise(&mut self, (side, value): (Side, i64), data: u32) -> Result<(), Conflict> {
        match self.engine.constraints.integers.names.name(side, value) {
            Some(lit) if self.level() > 0 => self.enqueue(lit, data),
            _ => {
                let reason = Reason::propagator(self.id.0, data);
                self.engine.raise(side, value, reason).map_err(Conflict::from)
            }
        }
    }
}
