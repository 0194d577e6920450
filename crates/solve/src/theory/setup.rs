//! Operations of a theory before a call: literals, watches, permanent constraints, costs.
//!
//! Invariant: the engine is at its root.

use crate::theory::assignment::Assignment;
use crate::theory::journal::{self, Entry};
use crate::theory::state::State;
use crate::theory::{CheckMode, Misuse};
use crate::translate::Translation;
use asp_engine::propagator::PropagatorId;
use asp_program::Literal;

/// A cost: literal, weight, priority.
pub type Cost = (i32, i64, i64);

/// A theory's place in a translation before a call.
pub struct Setup<'a> {
    pub(super) t: &'a mut Translation,
    pub(super) state: &'a mut State,
    pub(super) id: PropagatorId,
    /// Whose turn it is.
    pub(super) member: usize,
    /// Costs to be added.
    pub(crate) costs: Vec<Cost>,
}

impl Setup<'_> {
    /// The current assignment, by the caller's literals.
    pub fn assignment(&self) -> Assignment<'_> {
        Assignment::new(self.t.engine.view(), &self.state.numbers, !self.is_open())
    }
    fn is_open(&self) -> bool {
        self.t.ok && !self.t.engine.is_unsat()
    }
    /// The number of a program's literal.
    pub fn literal(&mut self, literal: Literal) -> i32 {
        self.state.numbers.of_literal(literal, self.t)
    }
    /// The number of a conjunction of literals of the program.
    pub fn conjunction(&mut self, literals: &[Literal]) -> i32 {
        self.state.numbers.of_conjunction(literals, self.t)
    }
    /// Calls the theory in a thread when a literal becomes true, or if it is true already without the theory knowing.
    pub fn add_watch(&mut self, literal: i32, thread: u32) -> Result<(), Misuse> {
        let lit = self.state.numbers.lit(literal)?;
        if thread > 0 {
            if let Some(slot) = self.state.slot(thread, self.member) {
                slot.watched.set(literal, true);
            }
            return Ok(());
        }
        let is_told = self.t.engine.is_handed_out(lit);
        let slot = &mut self.state.slots[self.member];
        if !slot.watched.has(literal) {
            slot.watched.set(literal, true);
            if is_told {
                slot.note(literal, 0);
            }
        }
        if self.state.follows(lit) {
            self.t.engine.watch_from_now(self.id, lit);
        }
        Ok(())
    }
    /// Stops watching a literal.
    pub fn remove_watch(&mut self, literal: i32, thread: u32) -> Result<(), Misuse> {
        self.state.numbers.lit(literal)?;
        if let Some(slot) = self.state.slot(thread, self.member) {
            slot.watched.set(literal, false);
        }
        Ok(())
    }
    /// Keeps a literal's variable from being eliminated.
    pub fn freeze(&mut self, literal: i32) -> Result<(), Misuse> {
        let lit = self.state.numbers.lit(literal)?;
        self.t.engine.freeze(lit.var());
        Ok(())
    }
    /// When `check` is called.
    pub fn check_mode(&mut self) -> &mut CheckMode {
        &mut self.state.slots[self.member].check
    }
    /// Whether `undo` is called for levels at which `check` was, too.
    pub fn undo_checks(&mut self) -> &mut bool {
        &mut self.state.slots[self.member].undo_checks
    }
    /// A new literal.
    pub fn add_literal(&mut self) -> i32 {
        let var = self.t.engine.new_var();
        self.t.engine.freeze(var);
        self.state.numbers.of_new(var, false, &self.t.engine)
    }
    /// Adds a constraint. `false`: there is no model.
    pub fn add(&mut self, entry: Entry) -> Result<bool, Misuse> {
        if self.is_open() {
            if journal::add(&entry, &mut self.state.numbers, self.t)? {
                self.state.journal.note(entry);
            } else {
                (self.t.ok, self.state.is_refuted) = (false, true);
            }
        }
        Ok(self.is_open())
    }
    /// Adds a cost.
    pub fn add_cost(&mut self, cost: Cost) -> Result<(), Misuse> {
        self.state.numbers.lit(cost.0)?;
        self.costs.push(cost);
        Ok(())
    }
    /// Propagates at the root, without propagators. `false`: there is no model.
    pub fn propagate(&mut self) -> bool {
        if self.is_open() && !self.t.engine.propagate_root_units() {
            (self.t.ok, self.state.is_refuted) = (false, true);
        }
        self.is_open()
    }
}
