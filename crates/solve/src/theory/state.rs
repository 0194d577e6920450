//! Shared state of theories, and the watches and received literals of each.
//!
//! Each theory has a trail of its own: watched literals that became true, with marks where levels begin. Those after `told` are
//! passed to it next. Invariant: a literal passed to a theory is true until the theory is told that it is undone.

use crate::theory::CheckMode;
use crate::theory::journal::Journal;
use crate::theory::numbers::Numbers;
use crate::translate::Translation;
use asp_engine::propagator::{Keep, PropagatorId};
use asp_engine::store::literal::Lit;

/// Which literals are watched, by number.
#[derive(Debug, Default)]
pub(super) struct Watched(Vec<u8>);

/// Of a number: the literal is watched, its complement is, and each was passed on at level 0.
const SIGNS: [u8; 2] = [1, 2];
const TOLD_AT_ROOT: u8 = 2;

impl Watched {
    fn bits(&self, number: i32) -> u8 {
        self.0.get(number.unsigned_abs() as usize).copied().unwrap_or(0)
    }
    fn change(&mut self, number: i32, bits: u8, on: bool) {
        let at = number.unsigned_abs() as usize;
        if self.0.len() <= at {
            self.0.resize(at + 1, 0);
        }
        if on {
            self.0[at] |= bits;
        } else {
            self.0[at] &= !bits;
        }
    }
    /// Whether a literal is watched.
    pub(super) fn has(&self, number: i32) -> bool {
        self.bits(number) & SIGNS[usize::from(number < 0)] != 0
    }
    /// Watches a literal, or ends that.
    pub(super) fn set(&mut self, number: i32, on: bool) {
        self.change(number, SIGNS[usize::from(number < 0)], on);
    }
    /// Forgets numbers above `most`.
    fn truncate(&mut self, most: usize) {
        self.0.truncate(most + 1);
    }
    /// Notes that a literal is true at level 0. Whether that is new.
    fn note_at_root(&mut self, number: i32) -> bool {
        let bit = SIGNS[usize::from(number < 0)] << TOLD_AT_ROOT;
        let is_new = self.bits(number) & bit == 0;
        self.change(number, bit, true);
        is_new
    }
    fn is_told_at_root(&self, number: i32) -> bool {
        self.bits(number) & SIGNS[usize::from(number < 0)] << TOLD_AT_ROOT != 0
    }
}

/// Where a level begins on a theory's trail.
#[derive(Clone, Copy, Debug)]
struct Mark {
    level: u32,
    start: usize,
}

/// The watches of one theory, and the literals passed to it.
#[derive(Debug, Default)]
pub(super) struct Slot {
    pub(super) watched: Watched,
    pub(super) check: CheckMode,
    /// Whether `undo` is called for levels at which `check` was, too.
    pub(super) undo_checks: bool,
    trail: Vec<i32>,
    told: usize,
    marks: Vec<Mark>,
    /// How much had a value at the last `check`, if nothing was undone since.
    checked: Option<usize>,
    /// The highest levels at which `check` was called.
    checked_levels: Vec<u32>,
}

impl Slot {
    /// Notes that a watched literal is true.
    pub(super) fn note(&mut self, number: i32, level: u32) {
        if level == 0 {
            if self.watched.note_at_root(number) {
                self.trail.push(number);
            }
        } else if !self.watched.is_told_at_root(number) {
            if self.marks.last().is_none_or(|mark| mark.level < level) {
                self.marks.push(Mark { level, start: self.trail.len() });
            }
            self.trail.push(number);
        }
    }
    /// The highest level above `level` that it is to be told of.
    pub(super) fn next_to_undo(&self, level: u32) -> Option<u32> {
        let marked = self.marks.last().map_or(0, |mark| mark.level);
        let highest = marked.max(self.checked_levels.last().copied().unwrap_or(0));
        (highest > level).then_some(highest)
    }
    /// Takes a level back: what the theory was told of it, if it is to hear of that.
    pub(super) fn undo(&mut self, level: u32) -> Option<Vec<i32>> {
        let is_checked = self.checked_levels.last() == Some(&level);
        if is_checked {
            self.checked_levels.pop();
        }
        let mark = self.marks.last().filter(|mark| mark.level == level);
        let start = mark.map_or(self.trail.len(), |mark| mark.start);
        if mark.is_some() {
            self.marks.pop();
        }
        let changes =
            (self.told > start || is_checked).then(|| self.trail[start..self.told.max(start)].to_vec());
        self.told = self.told.min(start);
        self.trail.truncate(start);
        changes
    }
    /// The literals to pass to it next.
    pub(super) fn tell(&mut self) -> Option<Vec<i32>> {
        let changes = (self.told < self.trail.len()).then(|| self.trail[self.told..].to_vec());
        self.told = self.trail.len();
        changes
    }
    /// Whether `check` is due at a fixpoint with this many assigned literals; if so, it is not due there again.
    pub(super) fn is_check_due(&mut self, assigned: usize) -> bool {
        self.check.fixpoints && self.checked.replace(assigned) != Some(assigned)
    }
    /// Something was undone, or a call begins.
    pub(super) fn forget_check(&mut self) {
        self.checked = None;
    }
    /// Notes that `check` is called.
    pub(super) fn note_check(&mut self, level: u32) {
        if self.undo_checks && level > 0 && self.checked_levels.last().is_none_or(|&l| l < level) {
            self.checked_levels.push(level);
        }
    }
    /// Forgets numbers above `most`. Pre: all levels above the root have been left.
    fn truncate(&mut self, most: usize) {
        self.watched.truncate(most);
        self.trail.retain(|number| number.unsigned_abs() as usize <= most);
        self.told = self.told.min(self.trail.len());
        self.checked_levels.clear();
    }
    /// The literals passed to it.
    pub(super) fn trail(&self) -> &[i32] {
        &self.trail
    }
}

/// The shared state of all theories of a control, and the watches of each.
#[derive(Debug)]
pub(crate) struct State {
    pub(super) numbers: Numbers,
    pub(super) journal: Journal,
    pub(super) slots: Vec<Slot>,
    /// The thread that searches with this state.
    pub(super) thread: u32,
    /// The watches and received literals of theories in helper threads, from thread 1 on, while these are idle.
    pub(super) others: Vec<Vec<Slot>>,
    /// Assumed during a call, false afterwards.
    pub(super) guard: Lit,
    /// Whether an addition of theories was false at the root: there is no model, in any further call.
    pub(super) is_refuted: bool,
    /// A clause to be added when the search has gone back to where it is unit.
    pub(super) waiting: Option<(Vec<Lit>, Keep)>,
    /// By literal: whether the host watches it.
    pub(super) followed: Vec<bool>,
}

impl Default for State {
    fn default() -> Self {
        Self {
            numbers: Numbers::default(),
            journal: Journal::default(),
            slots: Vec::new(),
            thread: 0,
            others: Vec::new(),
            guard: Lit::NONE,
            is_refuted: false,
            waiting: None,
            followed: Vec::new(),
        }
    }
}

impl State {
    /// Whether the host has to watch a literal, which it does not do yet.
    pub(super) fn follows(&mut self, lit: Lit) -> bool {
        if self.followed.len() <= lit.code() {
            self.followed.resize(lit.code() + 1, false);
        }
        !std::mem::replace(&mut self.followed[lit.code()], true)
    }
    /// Makes room for so many threads.
    pub(super) fn set_threads(&mut self, threads: usize) {
        let others = threads.saturating_sub(1).max(self.others.len());
        self.others.resize_with(others, Vec::new);
        self.others.iter_mut().for_each(|slots| slots.resize_with(self.slots.len(), Slot::default));
    }
    /// The watches of a theory in a thread, if there is such a thread.
    pub(super) fn slot(&mut self, thread: u32, member: usize) -> Option<&mut Slot> {
        match thread {
            0 => self.slots.get_mut(member),
            _ => self.others.get_mut(thread as usize - 1)?.get_mut(member),
        }
    }
    /// The initial state of a helper thread.
    pub(super) fn fork(&mut self, thread: u32) -> Self {
        let mut slots = self.others.get_mut(thread as usize - 1).map(std::mem::take).unwrap_or_default();
        slots.resize_with(self.slots.len(), Slot::default);
        for (slot, first) in slots.iter_mut().zip(&self.slots) {
            (slot.check, slot.undo_checks) = (first.check, first.undo_checks);
            slot.forget_check();
        }
        let (numbers, journal) = (self.numbers.clone(), self.journal.clone());
        Self { numbers, journal, slots, thread, ..Self::default() }
    }
    /// Keeps a helper's received literals and permanent additions that concern the first `most` numbers, which mean the same
    /// here. It had `journal` entries when it began.
    pub(super) fn join(&mut self, other: Self, journal: usize, most: usize) {
        other.journal.split_off(journal, most).for_each(|entry| self.journal.note(entry));
        self.is_refuted |= other.is_refuted;
        if let Some(slots) = self.others.get_mut(other.thread as usize - 1) {
            *slots = other.slots;
            slots.iter_mut().for_each(|slot| slot.truncate(most));
        }
    }
    /// Moves everything into a new translation. Pre: all levels above the root have been left.
    pub(super) fn renew(&mut self, t: &mut Translation, id: PropagatorId) {
        self.numbers.renew(t);
        self.journal.replay(&mut self.numbers, t);
        if t.inherits {
            let told = self.slots.iter().flat_map(Slot::trail);
            let facts: Vec<Lit> = told.filter_map(|&number| self.numbers.lit(number).ok()).collect();
            t.ok &= facts.iter().all(|&lit| t.engine.add_clause(&[lit]));
        }
        self.waiting = None;
        // As long as what was there before stays as it was.
        self.is_refuted &= t.inherits;
        t.ok &= !self.is_refuted;
        self.followed.clear();
        for slot in 0..self.slots.len() {
            for number in 1..=self.numbers.len() as i32 {
                for number in [number, -number] {
                    let Ok(lit) = self.numbers.lit(number) else { continue };
                    if self.slots[slot].watched.has(number) && self.follows(lit) {
                        t.engine.watch_from_now(id, lit);
                    }
                }
            }
        }
    }
    /// Notes what became true.
    pub(super) fn distribute(&mut self, changed: &[Lit], level: u32) {
        for &lit in changed {
            for number in self.numbers.numbers(lit) {
                for slot in &mut self.slots {
                    if slot.watched.has(number) {
                        slot.note(number, level);
                    }
                }
            }
        }
    }
}
