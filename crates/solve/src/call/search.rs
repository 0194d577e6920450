//! Searching in a call: under its assumptions, in slices of work, with symmetries broken if it turns out to be hard.
//!
//! Invariant: the costs of a model are known; a stop that the driver did not ask for is recorded in the result.

use crate::call::{SolveCall, lex_leader};
use crate::options::{EnumMode, OptMode};
use asp_base::interrupt::StopReason;
use asp_engine::Limits;
use asp_engine::Outcome;
use asp_engine::store::literal::Lit;
use asp_program::Literal;

/// An amount of work, given by the counters at its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slice {
    conflicts: u64,
    steps: u64,
}

impl Slice {
    /// The intersection of both slices.
    pub(crate) fn within(self, other: Self) -> Self {
        Self { conflicts: self.conflicts.min(other.conflicts), steps: self.steps.min(other.steps) }
    }
}

impl SolveCall<'_> {
    /// A slice of work from now on.
    pub(crate) fn slice(&self, conflicts: u64, steps: u64) -> Slice {
        let engine = &self.t.engine;
        Slice {
            conflicts: engine.conflicts().saturating_add(conflicts),
            steps: engine.steps().saturating_add(steps),
        }
    }

    /// Whether a slice of work is used up.
    pub(crate) fn is_over(&self, slice: Slice) -> bool {
        self.t.engine.conflicts() >= slice.conflicts || self.t.engine.steps() >= slice.steps
    }

    /// Searches within a slice of work; at its end, the outcome is unknown and nothing is recorded.
    pub(crate) fn search_within(&mut self, more: &[Lit], slice: Option<Slice>) -> Outcome {
        let Some(slice) = slice else { return self.search(more) };
        self.result.stopped = None;
        if self.is_over(slice) {
            return Outcome::Unknown(StopReason::StepLimit);
        }
        let (engine, limits) = (&mut self.t.engine, self.options.limits());
        let (conflicts, steps) = (slice.conflicts - engine.conflicts(), slice.steps - engine.steps());
        engine.set_limits(Limits { conflicts: Some(conflicts), steps: Some(steps), ..limits });
        let outcome = self.search(more);
        self.t.engine.set_limits(limits);
        // A stop from outside may call itself a limit, too.
        if outcome == Outcome::Unknown(StopReason::StepLimit) && self.interrupt.poll().is_none() {
            self.result.stopped = None;
        }
        outcome
    }

    /// Requires one of the literals in further models, for this call only: clauses learned from it are not kept.
    pub(crate) fn demand(&mut self, literals: &[Literal]) {
        let clause = literals.iter().map(|&literal| self.t.lit(literal)).collect();
        self.demands.clauses.push(clause);
    }

    /// Searches under the call's assumptions and some more. Records an interrupt or a limit in the result.
    pub(crate) fn search(&mut self, more: &[Lit]) -> Outcome {
        self.result.stopped = None;
        for mut clause in std::mem::take(&mut self.demands.clauses) {
            match self.demands.theory_guard {
                Some(guard) => clause.push(!guard),
                None => self.t.spoiled = true,
            }
            if !self.t.engine.add_clause(&clause) {
                return Outcome::Unsat;
            }
        }
        let keep = self.assumptions.len();
        self.assumptions.extend_from_slice(more);
        let mut outcome = self.search_without_symmetry_first();
        self.assumptions.truncate(keep);
        if outcome == Outcome::Sat {
            let barred = self.options.no_search.then_some(StopReason::StepLimit);
            if let Some(reason) = barred.or(self.t.undecided()) {
                outcome = Outcome::Unknown(reason);
            }
        }
        match outcome {
            Outcome::Sat => {
                self.read_costs();
                self.t.log_model();
            }
            Outcome::Unknown(reason) => self.stop(reason),
            Outcome::Unsat => {}
        }
        outcome
    }

    /// Searches under some of the call's assumptions without computing costs, for an auxiliary question.
    pub(crate) fn probe(&mut self, more: &[Lit]) -> Outcome {
        let keep = self.assumptions.len();
        self.assumptions.extend_from_slice(more);
        let outcome = self.t.engine.solve(&self.assumptions, &self.interrupt);
        self.assumptions.truncate(keep);
        if let Some(reason) = self.interrupt.poll() {
            self.stop(reason);
        }
        outcome
    }

    /// Allows symmetries to be broken if the call permits it and turns out to be hard.
    pub(crate) fn may_break_symmetries(&mut self) {
        if self.t.ok && self.wants_one_model() && !self.options.takes_clauses {
            let conflicts = self.t.engine.conflicts() + lex_leader::more_conflicts(self.program);
            self.symmetries.due = self.t.symmetry_after().map(|after| conflicts + after);
        }
    }

    /// Searches; after many conflicts, breaks symmetries and continues.
    fn search_without_symmetry_first(&mut self) -> Outcome {
        self.assumptions.extend(self.symmetries.guard);
        if let Some(conflicts) = self.symmetries.due {
            let allowed = conflicts.saturating_sub(self.t.engine.conflicts());
            if allowed > 0 {
                let limits = self.t.engine.limits();
                let by_slice = limits.conflicts.is_some_and(|conflicts| conflicts <= allowed);
                let conflicts = if by_slice { limits.conflicts } else { Some(allowed) };
                self.t.engine.set_limits(Limits { conflicts, restarts: None, ..limits });
                let outcome = self.t.engine.solve(&self.assumptions, &self.interrupt);
                self.t.engine.set_limits(limits);
                let limited = outcome == Outcome::Unknown(StopReason::StepLimit);
                match self.interrupt.poll() {
                    // If something outside stopped the search, it is not the time to break symmetries.
                    Some(reason) if limited => return Outcome::Unknown(reason),
                    None if limited && !by_slice => {}
                    _ => return outcome,
                }
            }
            self.symmetries.due = None;
            self.break_symmetries();
            self.assumptions.extend(self.symmetries.guard);
        }
        self.t.engine.solve(&self.assumptions, &self.interrupt)
    }

    /// Whether symmetric models may be left out: only one model, or one optimal model, is wanted.
    fn wants_one_model(&self) -> bool {
        let o = self.options;
        let one_model = if self.levels.is_empty() || o.opt_mode == OptMode::Ignore {
            self.wants_one()
        } else {
            o.opt_mode == OptMode::Opt || o.opt_mode == OptMode::Enum && self.wants_one()
        };
        let unlimited = !o.limits_search();
        let plain = matches!(o.enum_mode, EnumMode::Auto | EnumMode::Backtrack | EnumMode::Record);
        one_model
            && plain
            && unlimited
            && self.program.edges.is_empty()
            && self.program.theory.atoms.is_empty()
    }

    /// Searches for symmetries and breaks them under a guard.
    fn break_symmetries(&mut self) {
        let found = lex_leader::find(self.program, &self.demands.given);
        if !found.generators.is_empty() {
            self.t.engine.reset_enumeration();
            let vars = self.t.engine.num_vars();
            let guard = self.lasting_guard();
            self.symmetries.guard = Some(guard);
            lex_leader::break_symmetries(self.t, self.program, found, guard);
            self.t.engine.share_vars(vars);
        }
    }

    fn read_costs(&mut self) {
        self.costs.clear();
        let (atoms, engine) = (&self.t.atoms, &self.t.engine);
        for &level in &self.levels {
            let o = &self.program.objectives[level];
            let holding = o.literals.iter().filter(|(l, _)| engine.value(atoms.of(*l)) == Some(true));
            let sum = holding.map(|&(_, w)| i128::from(w)).sum::<i128>() + i128::from(o.constant);
            // Lowering has checked that the sum of all weights fits.
            self.costs.push(sum.clamp(i64::MIN.into(), i64::MAX.into()) as i64);
        }
    }
}
