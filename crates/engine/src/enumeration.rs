//! Backtrack enumeration, which records nothing: after a model the last decision is flipped, and its level becomes the
//! floor: neither backjumps nor restarts go below it until everything above is exhausted.
//!
//! A flipped decision has no reason and stays at the level below its own; clauses learned from it contain its
//! complement, so they are always valid. A flipped decision is never at level 0: an empty level is opened instead.
//! Invariant: while a floor is set, the levels up to it exclude exactly the models found. Source: Gebser, Kaufmann,
//! Neumann and Schaub, *Conflict-driven answer set enumeration*, LPNMR 2007; the same, *Solution enumeration for
//! projected Boolean search problems*, CPAIOR 2009.

use crate::Engine;
use crate::store::assignment::Reason;
use crate::store::call::{Floor, Passing};
use crate::store::literal::{Lit, Var};
use asp_base::index_vec::{Idx, IndexVec};

impl Engine {
    /// The level below which nothing may be undone.
    #[inline]
    pub(crate) fn floor_level(&self) -> u32 {
        self.call.floor_level()
    }
    /// Whether levels that must not be left exclude models.
    pub(crate) fn excludes_models(&self) -> bool {
        self.call.floor.as_ref().is_some_and(|f| f.models)
    }
    /// Excludes a model by flipping the last decision, so that the next call of [`solve`](Self::solve) with the same
    /// assumptions continues after it. `false`: there is no other model.
    pub fn backtrack_model(&mut self) -> bool {
        if self.clauses.unsat {
            return false;
        }
        let level = self.level();
        self.flip_model(level)
    }
    /// Lets the next search pass over at most this many models, within this many steps: they are excluded as by
    /// [`backtrack_model`](Self::backtrack_model), and not returned.
    #[inline]
    pub fn pass_models(&mut self, models: u64, steps: u64) {
        self.call.passing = Passing { left: models, until: self.steps() + steps, passed: 0 };
    }
    /// How many models the last search has passed over.
    #[inline]
    pub fn passed_models(&mut self) -> u64 {
        std::mem::take(&mut self.call.passing).passed
    }
    /// Whether the model of the assignment is one to pass over. Counts it, if so.
    #[inline]
    pub(crate) fn passes_model(&mut self) -> bool {
        let passes = self.call.passing.left > 0
            && self.steps() < self.call.passing.until
            && self.clauses.eliminated.count == 0
            && !self.parameters.restart.on_model;
        if passes {
            self.call.passing.left -= 1;
            self.call.passing.passed += 1;
            self.control.restart.note_model();
        }
        passes
    }
    pub(crate) fn flip_model(&mut self, level: u32) -> bool {
        let floor = self.floor_level();
        if !self.excludes_models() {
            self.reduce_between_models();
        }
        self.call.floor = Some(Floor { level: floor, models: true });
        self.flip_from(level)
    }
    /// Like [`backtrack_model`](Self::backtrack_model), but excludes all models that agree with this one on the given
    /// variables. Pre: the variables were given to [`set_projection`](Self::set_projection) before the search. If the
    /// model's decisions do not permit it, a nogood is recorded instead, which holds as long as `guard` is assumed. Only
    /// theories that decide make that necessary, and for them there is a guard.
    pub fn backtrack_projected(&mut self, vars: &[Var], guard: Option<Lit>) -> bool {
        if self.clauses.unsat {
            return false;
        }
        let mut projected = IndexVec::<Var, bool>::from_elem(false, self.num_vars());
        for &var in vars {
            projected[var] = true;
        }
        let base = self.call.assumptions.len() as u32;
        let is_open = |level: u32| self.assignment.decision(level).is_some_and(|d| !projected[d.var()]);
        // The first level above the assumptions that was not decided on a projected variable.
        let top = (base + 1..=self.level()).find(|&l| is_open(l)).map_or(self.level(), |l| l - 1);
        let settled = vars.iter().all(|&v| self.assignment.vars[v].level <= top);
        if settled {
            return self.flip_model(top);
        }
        let floor = self.floor_level();
        let nogood = vars.iter().map(|&v| Lit::new(v, self.assignment.values[v.index() << 1] > 0));
        let clause: Vec<_> = nogood.chain(guard.map(|guard| !guard)).collect();
        debug_assert!(floor <= self.level());
        self.add_clause(&clause)
    }
    /// Decides these variables before all others, as projected enumeration requires; an empty list resets that.
    pub fn set_projection(&mut self, vars: &[Var]) {
        self.decide_digits(vars);
        self.decisions.order.set_projection(vars);
    }
    /// Drops the floor: models may be found again.
    pub fn reset_enumeration(&mut self) {
        self.call.floor = None;
        self.backtrack(0);
    }
    /// Flips the decision of the highest level up to `level` that has one and is no assumption.
    pub(crate) fn flip_from(&mut self, level: u32) -> bool {
        let base = self.call.assumptions.len() as u32;
        let mut level = level;
        loop {
            if level <= base {
                return false;
            }
            let Some(decision) = self.assignment.decision(level) else {
                // Only the empty first level of an enumeration has no decision.
                return false;
            };
            let bound = self.passing_bound(decision);
            self.backtrack(level - 1);
            if level == 1 {
                // Missed facts belong to the root, with all their consequences.
                if self.propagate().is_err() {
                    self.clauses.unsat = true;
                    return false;
                }
                self.assignment.open_level();
            }
            level = self.level();
            let models = self.call.floor.as_ref().is_some_and(|f| f.models);
            self.call.floor = Some(Floor { level, models });
            let decision = match bound.map(|b| self.name_again(b)) {
                None => decision,
                Some(Ok(name)) => name,
                Some(Err(true)) => continue,
                Some(Err(false)) => return true,
            };
            if self.assignment.is_free(decision) {
                self.assignment.assign(!decision, Reason::NONE);
                return true;
            }
            if self.assignment.is_false(decision) {
                return true;
            }
            // A missed implication makes the decision true at the lower level: nothing is left above it.
        }
    }
}
