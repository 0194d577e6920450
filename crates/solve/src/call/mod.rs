//! A solve call: what all modes share.
//!
//! A driver (enumeration, consequences, optimisation, splitting) [searches](search) and leaves its results in the call, to be
//! [reported](drive). Invariant: every constraint that belongs to the call alone is guarded by a literal that is assumed during
//! the call and false afterwards, so that learned clauses stay valid.

pub mod drive;
pub(crate) mod eliminate;
pub(crate) mod estimate;
pub(crate) mod lex_leader;
pub(crate) mod projection;
pub(crate) mod ranges;
pub(crate) mod search;
pub(crate) mod tally;

use std::num::NonZeroU64;
use std::time::Instant;

use crate::call::tally::Found;
use crate::event::SolveResult;
use crate::options::{EnumMode, OptMode, SolveOptions};
use crate::theory::host::{Ended, Host};
use crate::translate::Translation;
use asp_base::interrupt::{Interrupt, StopReason};
use asp_engine::parameters::Forget;
use asp_engine::proof::rules::TRUE;
use asp_engine::store::literal::Lit;
use asp_program::{Literal, Program};

/// Demands for the time of a call.
#[derive(Default)]
struct Demands {
    /// The assumptions given for the call.
    given: Vec<Literal>,
    /// Clauses to add before the search continues.
    clauses: Vec<Vec<Lit>>,
    /// Literals that become false when the call ends.
    guards: Vec<Lit>,
    /// The guard of what is added from outside, if theories have it made.
    theory_guard: Option<Lit>,
    /// Whether the call has ended.
    are_withdrawn: bool,
}

/// Symmetries of a call for one model.
#[derive(Default)]
struct Symmetries {
    /// The number of the engine's conflicts at which they are to be broken.
    due: Option<u64>,
    /// The guard under which they are broken.
    guard: Option<Lit>,
}

/// A call in progress.
pub(crate) struct SolveCall<'a> {
    pub(crate) t: &'a mut Translation,
    pub(crate) program: &'a Program,
    pub(crate) options: &'a SolveOptions,
    pub(crate) interrupt: Interrupt,
    /// Assumptions of the whole call: externals, assumptions, guards.
    pub(crate) assumptions: Vec<Lit>,
    demands: Demands,
    /// Objectives, most important level first.
    pub(crate) levels: Vec<usize>,
    /// Models wanted; `None` for all.
    wanted: Option<NonZeroU64>,
    /// The last model's costs.
    pub(crate) costs: Vec<i64>,
    found: Found,
    symmetries: Symmetries,
    pub(crate) result: SolveResult,
}

impl Drop for SolveCall<'_> {
    fn drop(&mut self) {
        self.close();
    }
}

impl<'a> SolveCall<'a> {
    /// Begins a call. If [`is_open`](Self::is_open) is false, there is nothing to search.
    pub(crate) fn new(
        t: &'a mut Translation,
        program: &'a Program,
        options: &'a SolveOptions,
        given: &[Literal],
        interrupt: &Interrupt,
    ) -> Self {
        let start = Instant::now();
        t.set_interrupt(interrupt);
        t.engine.reset_enumeration();
        if t.calls > 0 && options.forget != Forget::default() {
            t.engine.forget(options.forget);
        }
        t.calls += 1;
        t.engine.set_limits(options.limits());
        let mut levels: Vec<usize> = (0..program.objectives.len()).collect();
        levels.sort_by_key(|&i| std::cmp::Reverse(program.objectives[i].priority));
        let mut call = Self {
            t,
            program,
            options,
            interrupt: interrupt.clone(),
            assumptions: Vec::new(),
            demands: Demands { given: given.to_vec(), ..Demands::default() },
            levels,
            wanted: None,
            costs: Vec::new(),
            found: Found::new(start),
            symmetries: Symmetries::default(),
            result: SolveResult::default(),
        };
        // Clauses of theories for the call are then unit under the same assumptions as their permanent ones.
        call.begin_theories();
        call.assumptions.extend(call.t.external_assumptions(program));
        call.assumptions.extend(program.assumptions.iter().chain(given).map(|&l| call.t.lit(l)));
        for &literal in &options.start {
            let lit = call.t.lit(literal);
            call.t.engine.set_phase(lit.var(), !lit.is_neg());
        }
        let one = !call.optimises() && !call.wants_consequences();
        call.wants(options.models.unwrap_or(u64::from(one)));
        call
    }

    /// Whether there may be a model.
    pub(crate) fn is_open(&self) -> bool {
        self.t.ok
    }

    /// Whether an optimum is searched for.
    pub(crate) fn optimises(&self) -> bool {
        !self.levels.is_empty() && matches!(self.options.opt_mode, OptMode::Opt | OptMode::OptN)
    }

    /// Whether consequences are wanted instead of models.
    pub(crate) fn wants_consequences(&self) -> bool {
        matches!(self.options.enum_mode, EnumMode::Brave | EnumMode::Cautious | EnumMode::Query)
    }

    /// Sets how many models are wanted; 0 for all.
    pub(crate) fn wants(&mut self, models: u64) {
        self.wanted = NonZeroU64::new(models);
    }

    /// Whether a number of models is as many as wanted.
    pub(crate) fn is_enough(&self, models: u64) -> bool {
        self.wanted.is_some_and(|wanted| models >= wanted.get())
    }

    /// Whether one model is wanted.
    pub(crate) fn wants_one(&self) -> bool {
        self.wanted.is_some_and(|wanted| wanted.get() == 1)
    }

    /// Whether as many models as wanted were found.
    pub(crate) fn has_enough(&self) -> bool {
        self.is_enough(self.result.models)
    }

    /// How many models may follow the last one without being examined, given the number found.
    #[inline]
    pub(crate) fn passable(&self, found: u64) -> u64 {
        match self.wanted {
            _ if !self.found.only_counts => 0,
            None => u64::MAX,
            Some(wanted) => wanted.get().saturating_sub(found + 1),
        }
    }

    /// The guard of what theories add for this call.
    pub(crate) fn theory_guard(&self) -> Option<Lit> {
        self.demands.theory_guard
    }

    /// Ends the call.
    pub(crate) fn finish(mut self) -> SolveResult {
        self.close();
        std::mem::take(&mut self.result)
    }

    /// Withdraws what belongs to the call alone.
    fn close(&mut self) {
        if std::mem::replace(&mut self.demands.are_withdrawn, true) {
            return;
        }
        self.found.tally.close(&mut self.result);
        self.result.core = self.core();
        self.t.engine.set_projection(&[]);
        self.t.engine.reset_enumeration();
        for guard in std::mem::take(&mut self.demands.guards) {
            self.t.engine.add_clause(&[!guard]);
        }
        self.end_theories();
    }

    /// Guards the constraints of theories for this call alone.
    fn begin_theories(&mut self) {
        if let Some(id) = self.t.theories() {
            let guard = self.guard();
            self.demands.theory_guard = Some(guard);
            self.t.engine.with_propagator(id, |host: &mut Host, _| host.begin_call(guard));
        }
    }

    /// Literals of theories' for this call are in no clause any more that is not true.
    fn end_theories(&mut self) {
        let Some(id) = self.t.theories() else { return };
        let ended = self.t.engine.with_propagator(id, |host: &mut Host, _| host.end_call());
        let Ended { waiting, gone, is_refuted, has_failed } = ended.unwrap_or_default();
        if let Some(clause) = waiting {
            self.t.engine.add_clause(&clause);
        }
        for lit in gone {
            self.t.engine.add_clause(&[!lit]);
        }
        self.t.ok &= !is_refuted;
        // The search was left somewhere.
        self.t.spoiled |= has_failed;
    }

    /// At the end without a model: the failed assumptions among the given ones.
    pub(crate) fn core(&self) -> Vec<Literal> {
        if !self.t.ok || self.result.satisfiable || !self.result.exhausted {
            return Vec::new();
        }
        let failed = self.t.engine.failed_assumptions();
        let mut core: Vec<Literal> = Vec::new();
        for &l in &self.demands.given {
            if failed.contains(&self.t.lit(l)) && !core.contains(&l) {
                core.push(l);
            }
        }
        core
    }

    /// A new literal that is assumed from now on and false after the call.
    pub(crate) fn guard(&mut self) -> Lit {
        let guard = self.lasting_guard();
        self.assumptions.push(guard);
        guard
    }

    /// A new literal that is false after the call.
    fn lasting_guard(&mut self) -> Lit {
        let guard = Lit::pos(self.t.engine.new_var());
        self.t.engine.freeze(guard.var());
        if let Some(proof) = &mut self.t.engine.proof {
            // A demand of the call beyond the program is an axiom of its proof.
            proof.name(guard, TRUE);
        }
        self.demands.guards.push(guard);
        guard
    }

    /// Retires the latest guards, down to a number of assumptions.
    pub(crate) fn retire(&mut self, assumptions: usize) {
        self.t.engine.reset_enumeration();
        for guard in self.assumptions.split_off(assumptions) {
            if let Some(at) = self.demands.guards.iter().position(|&g| g == guard) {
                self.demands.guards.swap_remove(at);
                self.t.engine.add_clause(&[!guard]);
            }
        }
    }

    /// Records that the search was stopped.
    pub(crate) fn stop(&mut self, reason: StopReason) {
        self.result.stopped = Some(reason);
        self.result.exhausted = false;
    }

    /// Records the interrupt, if it was raised.
    pub(crate) fn note_interrupt(&mut self) {
        if let Some(reason) = self.interrupt.poll() {
            self.stop(reason);
        }
    }
}
