//! Brave and cautious consequences over what is shown.
//!
//! Cautious: the intersection shrinks until no model leaves out any of it. Brave: the union grows until no model adds to
//! it. Query: each candidate of the intersection is tested by assuming its complement. With optimisation, what is summed up
//! are the models on the way to the optimum.
//! Invariant: the reported estimate contains (cautious) or is contained in (brave) the true consequences.

use crate::program::ground_program::ShowItem;
use crate::solve::EnumMode;
use crate::solve::engine::Outcome;
use crate::solve::engine::store::literal::Lit;
use crate::solve::session::run::{Run, ShownLits};

/// What the models of an optimisation add up to.
pub(crate) struct Running {
    shown: ShownLits,
    estimate: Vec<bool>,
}

impl Running {
    /// Before the first model.
    pub(crate) fn new(shown: ShownLits) -> Self {
        Self { shown, estimate: Vec::new() }
    }
}

impl Run<'_> {
    /// Computes consequences of the kind that the options ask for.
    pub(crate) fn find_consequences(&mut self) {
        let shown = self.shown_lits();
        let brave = self.options.enum_mode == EnumMode::Brave;
        match self.search(&[]) {
            Outcome::Sat => {}
            Outcome::Unsat => {
                self.result.exhausted = true;
                return;
            }
            Outcome::Unknown(_) => return,
        }
        let mut estimate: Vec<bool> = shown.lits.iter().map(|&l| self.holds(l)).collect();
        if !self.report_estimate(&shown, &estimate, brave) {
            return;
        }
        let done = match self.options.enum_mode {
            EnumMode::Query => self.query(&shown, &mut estimate),
            _ => self.narrow(&shown, &mut estimate, brave),
        };
        self.result.exhausted = done;
    }

    /// Reports the union or intersection of the models that optimisation has found so far. `false`: stop now.
    pub(crate) fn report_running(&mut self, running: &mut Running) -> bool {
        let brave = self.options.enum_mode == EnumMode::Brave;
        let first = running.estimate.is_empty();
        if first {
            running.estimate = vec![!brave; running.shown.lits.len()];
        }
        for (e, &l) in running.estimate.iter_mut().zip(&running.shown.lits) {
            let holds = self.t.engine.value(l) == Some(true);
            *e = if brave { *e || holds } else { *e && holds };
        }
        self.report_estimate(&running.shown, &running.estimate, brave)
    }

    fn holds(&self, lit: Lit) -> bool {
        self.t.engine.value(lit) == Some(true)
    }

    /// Models that change the estimate until there is none.
    fn narrow(&mut self, shown: &ShownLits, estimate: &mut [bool], brave: bool) -> bool {
        let guard = self.guard();
        let mut found = 1;
        loop {
            if self.wanted != 0 && found >= self.wanted {
                return false;
            }
            let mut clause = vec![!guard];
            for (&l, &in_estimate) in shown.lits.iter().zip(estimate.iter()) {
                if in_estimate != brave {
                    clause.push(if brave { l } else { !l });
                }
            }
            if clause.len() == 1 {
                return true;
            }
            self.t.engine.reset_enumeration();
            self.t.engine.add_clause(&clause);
            match self.search(&[]) {
                Outcome::Sat => {}
                Outcome::Unsat => return true,
                Outcome::Unknown(_) => return false,
            }
            found += 1;
            for (e, &l) in estimate.iter_mut().zip(&shown.lits) {
                let holds = self.t.engine.value(l) == Some(true);
                *e = if brave { *e || holds } else { *e && holds };
            }
            if !self.report_estimate(shown, estimate, brave) {
                return false;
            }
        }
    }

    /// Tests candidates one by one.
    fn query(&mut self, shown: &ShownLits, estimate: &mut [bool]) -> bool {
        let mut found = 1;
        for i in 0..shown.lits.len() {
            if !estimate[i] || self.t.engine.fixed(shown.lits[i]) == Some(true) {
                continue;
            }
            if self.wanted != 0 && found >= self.wanted {
                return false;
            }
            match self.search(&[!shown.lits[i]]) {
                Outcome::Sat => {}
                Outcome::Unsat => continue,
                Outcome::Unknown(_) => return false,
            }
            found += 1;
            for (e, &l) in estimate.iter_mut().zip(&shown.lits) {
                *e = *e && self.t.engine.value(l) == Some(true);
            }
            if !self.report_estimate(shown, estimate, false) {
                return false;
            }
        }
        true
    }

    fn report_estimate(&mut self, shown: &ShownLits, estimate: &[bool], brave: bool) -> bool {
        let (mut decided, mut open) = (0, 0);
        for (&l, &e) in shown.lits.iter().zip(estimate) {
            match (brave, e, self.t.engine.fixed(l)) {
                (true, true, _) | (false, true, Some(true)) => decided += 1,
                (true, false, None) | (false, true, _) => open += 1,
                _ => {}
            }
        }
        let entries: Vec<bool> = shown.group_of.iter().map(|&g| estimate[g as usize]).collect();
        let mut atoms = vec![false; self.program.atoms.len()];
        for (show, &e) in self.program.shows.iter().zip(&entries) {
            if let ShowItem::Atom(a) = show.item {
                atoms[a.0 as usize] |= e;
            }
        }
        self.report_consequences(&atoms, &entries, (decided, open))
    }
}
