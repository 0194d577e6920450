//! Enumeration of models, by flipping decisions or by recording nogoods, with or without projection.
//!
//! Invariant: no two models reported in a call agree on all of the program's atoms, or, with projection, on what is
//! projected on; without a limit none is missed.

use crate::solve::EnumMode;
use crate::solve::engine::Outcome;
use crate::solve::engine::store::literal::{Lit, Var};
use crate::solve::session::run::Run;
use crate::solve::translate::heuristics;

impl Run<'_> {
    /// Enumerates models; `optimal` says that all of them are known to be.
    pub(crate) fn enumerate(&mut self, optimal: bool) {
        let projection = self.projection();
        let domain = self.domain();
        let record = matches!(self.options.enum_mode, EnumMode::Record | EnumMode::DomainRecord);
        let vars: Option<Vec<Var>> = projection.as_ref().map(|lits| lits.iter().map(|l| l.var()).collect());
        if let Some(vars) = &vars {
            self.t.engine.set_projection(vars);
        }
        let guard = if record { Some(self.guard()) } else { None };
        let mut found = 0;
        loop {
            match self.search(&[]) {
                Outcome::Sat => {}
                Outcome::Unsat => {
                    self.result.exhausted = true;
                    return;
                }
                Outcome::Unknown(_) => return,
            }
            found += 1;
            let goes_on = self.report(optimal) && (self.wanted == 0 || found < self.wanted);
            if self.options.enum_mode == EnumMode::User && !goes_on {
                return;
            }
            let more = match (&guard, &vars) {
                (Some(guard), _) if !domain.is_empty() => self.record_domain(*guard, &domain),
                (Some(guard), _) => self.record(*guard, projection.as_deref()),
                (None, Some(vars)) => self.t.engine.backtrack_projected(vars),
                (None, None) => self.t.engine.backtrack_model(),
            };
            if !more {
                self.result.exhausted = !self.eliminated_atoms();
                return;
            }
            if !goes_on {
                return;
            }
        }
    }

    /// What the domain heuristic prefers, if models are told apart by that alone.
    fn domain(&self) -> Vec<(Lit, Vec<Lit>)> {
        match self.options.enum_mode {
            EnumMode::DomainRecord => heuristics::preferences(self.program, self.options, |l| self.t.lit(l)),
            _ => Vec::new(),
        }
    }

    /// Demands that something preferred holds that the last model lacks: with decisions made as preferred, the models
    /// are the best ones, none better than another. `false`: there is nothing to improve.
    fn record_domain(&mut self, guard: Lit, domain: &[(Lit, Vec<Lit>)]) -> bool {
        let mut clause = vec![!guard];
        let engine = &self.t.engine;
        for (lit, condition) in domain {
            let applies = condition.iter().all(|&l| engine.value(l) == Some(true));
            if applies && engine.value(*lit) == Some(false) && engine.fixed(*lit).is_none() {
                clause.push(*lit);
            }
        }
        if clause.len() == 1 {
            return false;
        }
        self.t.engine.reset_enumeration();
        self.t.engine.add_clause(&clause)
    }

    /// Excludes the last model, or its projection, by a nogood. `false`: there is no other.
    fn record(&mut self, guard: Lit, projection: Option<&[Lit]>) -> bool {
        let mut clause = vec![!guard];
        let engine = &self.t.engine;
        let mut exclude = |lit: Lit| {
            if engine.fixed(lit).is_none() {
                clause.push(if engine.value(lit) == Some(true) { !lit } else { lit });
            }
        };
        match projection {
            Some(lits) => lits.iter().for_each(|&l| exclude(l)),
            None => self.t.atom_lits().into_iter().for_each(exclude),
        }
        if clause.len() == 1 {
            return false;
        }
        self.t.engine.reset_enumeration();
        self.t.engine.add_clause(&clause)
    }
}
