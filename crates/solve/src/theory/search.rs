//! Operations of a theory during the search: clauses, literals, watches.
//!
//! Invariant: a clause of the current call, or with a literal of it, holds only as long as the call's guard is assumed.

use crate::theory::assignment::Assignment;
use crate::theory::journal::{self, Entry};
use crate::theory::state::State;
use crate::theory::{Lifetime, Misuse};
use asp_engine::propagator::{Conflict, Context, Keep};
use asp_engine::store::literal::Lit;

/// The operations of a theory during the search.
pub struct Search<'c, 'e> {
    pub(super) context: &'c mut Context<'e>,
    pub(super) state: &'c mut State,
    /// Whose turn it is.
    pub(super) member: usize,
    pub(super) conflict: Option<Conflict>,
}

impl Search<'_, '_> {
    /// The number of the searching thread.
    pub fn thread(&self) -> u32 {
        self.state.thread
    }
    /// The current assignment, by the caller's literals.
    #[inline]
    pub fn assignment(&self) -> Assignment<'_> {
        Assignment::new(self.context.view(), &self.state.numbers, self.conflict.is_some())
    }
    /// Adds a clause, whatever its truth value; if it is unit its literal becomes true. `false`: there is a conflict, or the
    /// search has to return to the level at which the clause is unit, and the called function must return.
    pub fn add_clause(&mut self, clause: &[i32], lifetime: Lifetime) -> Result<bool, Misuse> {
        if self.conflict.is_some() {
            return Err(Misuse::Conflicting);
        }
        if self.state.waiting.is_some() {
            return Err(Misuse::Jumping);
        }
        let numbers = &self.state.numbers;
        let mut lits = journal::lits(clause, numbers)?;
        if lifetime.volatile || clause.iter().any(|&n| numbers.is_volatile(n)) {
            lits.push(!self.state.guard);
        } else if lifetime.kept || clause.len() == 1 {
            self.state.journal.note(Entry::Clause(clause.to_vec()));
        }
        let keep = if lifetime.kept { Keep::Always } else { Keep::WhileUseful };
        if let Some(level) = self.unit_below(&lits) {
            self.state.waiting = Some((lits, keep));
            self.context.jump(level);
            return Ok(false);
        }
        self.conflict = self.context.add_clause(&lits, keep).err();
        self.state.is_refuted |= self.conflict.is_some() && self.context.level() == 0;
        Ok(self.conflict.is_none())
    }
    /// The lower level at which a clause implies an unassigned literal, if the search can go back.
    fn unit_below(&self, clause: &[Lit]) -> Option<u32> {
        let view = self.context.view();
        if view.level() <= self.context.base_level() {
            return None;
        }
        let (mut open, mut level) = (None, 0);
        for &lit in clause {
            match view.value(lit) {
                Some(true) => return None,
                Some(false) => level = level.max(view.level_of(lit)),
                None if open.is_some_and(|other| other != lit) => return None,
                None => open = Some(lit),
            }
        }
        open.and(Some(level)).filter(|&level| level < view.level())
    }
    /// Propagates what follows from the added clauses. `false`: there is a conflict, and the called function must return.
    pub fn propagate(&mut self) -> bool {
        if self.conflict.is_none() {
            self.conflict = self.context.propagate().err();
        }
        self.conflict.is_none()
    }
    /// A new literal for the current call.
    pub fn add_literal(&mut self) -> Result<i32, Misuse> {
        if self.conflict.is_some() {
            return Err(Misuse::Conflicting);
        }
        let var = self.context.new_var();
        self.context.engine.freeze(var);
        Ok(self.state.numbers.of_new(var, true, self.context.engine))
    }
    /// Calls the theory when a literal becomes true from now on.
    pub fn add_watch(&mut self, literal: i32) -> Result<(), Misuse> {
        let lit = self.state.numbers.lit(literal)?;
        self.state.slots[self.member].watched.set(literal, true);
        if self.state.follows(lit) {
            self.context.watch_from_now(lit);
        }
        Ok(())
    }
    /// Whether a literal is watched.
    pub fn has_watch(&self, literal: i32) -> bool {
        self.state.slots[self.member].watched.has(literal)
    }
    /// Stops watching a literal.
    pub fn remove_watch(&mut self, literal: i32) {
        self.state.slots[self.member].watched.set(literal, false);
    }
}
