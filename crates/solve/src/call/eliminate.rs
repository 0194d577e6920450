//! Variables that a call may eliminate: those that only clauses use, if the mode permits it.
//!
//! Invariant: the number of models stays the same if more than one is wanted.

use crate::call::SolveCall;
use crate::options::{EnumMode, OptMode, Projection};
use crate::translate::parameters;
use asp_engine::store::literal::Var;

impl SolveCall<'_> {
    /// Eliminates variables that this call does not need. If one model is wanted, these are all that occur only in
    /// clauses, since they get their values back; otherwise those that belong to no atom, since atoms determine them,
    /// so that the number of models stays the same. With projection, an objective, propagators or decisions steered
    /// from outside, there are none, and earlier eliminations are undone. The call may no longer be open afterwards.
    pub(crate) fn eliminate(&mut self) {
        if self.t.ok {
            self.t.ok = self.eliminate_where_permitted();
        }
    }

    fn eliminate_where_permitted(&mut self) -> bool {
        let plain = self.options.projection == Projection::None
            && (self.levels.is_empty() || self.options.opt_mode == OptMode::Ignore)
            && matches!(self.options.enum_mode, EnumMode::Auto | EnumMode::Backtrack | EnumMode::Record)
            && !self.options.domain_heuristic
            && !self.options.takes_clauses
            && !self.t.engine.has_propagators();
        let wants_one = self.wants_one();
        let engine = &mut self.t.engine;
        if !plain {
            return engine.restore_all();
        }
        let mut is_atom = Vec::new();
        if !wants_one {
            let literals = self.t.atoms.as_slice();
            if !engine.restore(literals) {
                return false;
            }
            is_atom.resize(engine.num_vars(), false);
            for lit in literals {
                is_atom[lit.var().0 as usize] = true;
            }
        }
        let Some(limits) = parameters::elimination(self.program, self.options) else { return true };
        let may_go = |var: Var| !is_atom.get(var.0 as usize).is_some_and(|&a| a);
        engine.eliminate(&limits, &self.assumptions, may_go)
    }

    /// Undoes all eliminations of earlier calls. The call may no longer be open afterwards.
    pub(crate) fn restore(&mut self) {
        if self.t.ok {
            self.t.ok = self.t.engine.restore_all();
        }
    }

    /// Whether atoms were eliminated: each got one of possibly two values, and the search does not know the other.
    pub(crate) fn eliminated_atoms(&self) -> bool {
        self.t.atoms.as_slice().iter().any(|l| self.t.engine.is_eliminated(l.var()))
    }
}
