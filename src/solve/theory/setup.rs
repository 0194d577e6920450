//! What a theory may do before a call: literals, watches, constraints that stay, costs.
//!
//! Invariant: the engine is at its root.

use crate::program::Literal;
use crate::solve::engine::propagator::PropagatorId;
use crate::solve::theory::assignment::Assignment;
use crate::solve::theory::journal::{self, Entry};
use crate::solve::theory::state::State;
use crate::solve::theory::{CheckMode, Misuse};
use crate::solve::translate::Translation;

/// A cost: literal, weight, priority.
pub(crate) type Cost = (i32, i64, i64);

/// A theory's place in a translation before a call.
pub(crate) struct Setup<'a> {
    pub(super) t: &'a mut Translation,
    pub(super) state: &'a mut State,
    pub(super) id: PropagatorId,
    /// Whose turn it is.
    pub(super) member: usize,
    /// Costs to be added.
    pub(crate) costs: Vec<Cost>,
}

impl Setup<'_> {
    /// The assignment.
    pub(crate) fn assignment(&self) -> Assignment<'_> {
        Assignment::new(self.t.engine.view(), &self.state.numbers, !self.is_open())
    }
    fn is_open(&self) -> bool {
        self.t.ok && !self.t.engine.is_unsat()
    }
    /// The number of a program's literal.
    pub(crate) fn literal(&mut self, literal: Literal) -> i32 {
        self.state.numbers.of_literal(literal, self.t)
    }
    /// The number of a conjunction of literals of the program.
    pub(crate) fn conjunction(&mut self, literals: &[Literal]) -> i32 {
        self.state.numbers.of_conjunction(literals, self.t)
    }
    /// Calls the theory when a literal has become true, also if it is true already and the theory was not told.
    pub(crate) fn add_watch(&mut self, literal: i32) -> Result<(), Misuse> {
        let lit = self.state.numbers.lit(literal)?;
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
    /// Ends that.
    pub(crate) fn remove_watch(&mut self, literal: i32) -> Result<(), Misuse> {
        self.state.numbers.lit(literal)?;
        self.state.slots[self.member].watched.set(literal, false);
        Ok(())
    }
    /// Keeps a literal's variable from being eliminated.
    pub(crate) fn freeze(&mut self, literal: i32) -> Result<(), Misuse> {
        let lit = self.state.numbers.lit(literal)?;
        self.t.engine.freeze(lit.var());
        Ok(())
    }
    /// When `check` is called.
    pub(crate) fn check_mode(&mut self) -> &mut CheckMode {
        &mut self.state.slots[self.member].check
    }
    /// Whether `undo` is called for levels at which `check` was, too.
    pub(crate) fn undo_checks(&mut self) -> &mut bool {
        &mut self.state.slots[self.member].undo_checks
    }
    /// A new literal.
    pub(crate) fn add_literal(&mut self) -> i32 {
        let var = self.t.engine.new_var();
        self.t.engine.freeze(var);
        self.state.numbers.of_new(var, false, &self.t.engine)
    }
    /// Adds a constraint. `false`: there is no model.
    pub(crate) fn add(&mut self, entry: Entry) -> Result<bool, Misuse> {
        let ok = self.is_open() && journal::add(&entry, &mut self.state.numbers, self.t)?;
        self.t.ok &= ok;
        if ok {
            self.state.journal.note(entry);
        }
        Ok(self.is_open())
    }
    /// Adds a cost.
    pub(crate) fn add_cost(&mut self, cost: Cost) -> Result<(), Misuse> {
        self.state.numbers.lit(cost.0)?;
        self.costs.push(cost);
        Ok(())
    }
    /// Propagates at the root, without propagators. `false`: there is no model.
    pub(crate) fn propagate(&mut self) -> bool {
        if self.is_open() && !self.t.engine.propagate_root_units() {
            self.t.ok = false;
        }
        self.is_open()
    }
}
