//! One call of a session: what enumeration, optimisation and consequences share.
//!
//! Invariants: every constraint that belongs to the call alone is guarded by a literal that is assumed during the call
//! and false afterwards, so that what was learned stays valid. The best model is reported before anything can stop the
//! search for a better one.

use std::sync::Arc;
use std::time::Instant;

use crate::base::interrupt::{Interrupt, StopReason};
use crate::base::map::Map;
use crate::program::ground_program::ShowItem;
use crate::program::{Literal, Program};
use crate::solve::engine::Outcome;
use crate::solve::engine::store::literal::{Lit, Var};
use crate::solve::parallel::exchange::Exchange;
use crate::solve::parallel::split::Share;
use crate::solve::session::consequences::Running;
use crate::solve::session::lex_leader::LITERALS_PER_CONFLICT;
use crate::solve::translate::{Translation, parameters};
use crate::solve::{
    Atoms, Control, EnumMode, Event, Forget, Model, OptMode, OptStrategy, Projection, SolveOptions,
    SolveResult,
};

/// A call in progress.
pub(crate) struct Run<'a> {
    pub(crate) t: &'a mut Translation,
    pub(crate) program: &'a Program,
    pub(crate) options: &'a SolveOptions,
    pub(crate) user_assumptions: &'a [Literal],
    /// What holds during the whole call: externals, assumptions, guards.
    pub(crate) assumptions: Vec<Lit>,
    pub(crate) interrupt: &'a Interrupt,
    on_event: &'a mut dyn FnMut(Event<'_>) -> Control,
    pub(crate) result: SolveResult,
    /// Objectives, most important level first.
    pub(crate) levels: Vec<usize>,
    /// Models wanted, 0 for all.
    pub(crate) wanted: u64,
    /// The engine's literal of each atom.
    literals: Vec<Lit>,
    /// The last model's costs.
    pub(crate) costs: Vec<i64>,
    /// Number of the last model in its phase.
    number: u64,
    guards: Vec<Lit>,
    /// Whether only optimal models are left.
    pub(crate) optimum_known: bool,
    /// Symmetries are to be broken when the engine has had so many conflicts.
    patience: Option<u64>,
    /// What they are broken under.
    pub(crate) symmetry: Option<Lit>,
    /// The way to other threads.
    pub(crate) exchange: Option<Arc<Exchange>>,
    /// The part in an enumeration in several threads.
    pub(crate) share: Option<Share>,
    /// What the models of an optimisation add up to, where that is asked for.
    pub(crate) running: Option<Running>,
    /// Literals that hold in all models with the best costs of the levels that are done.
    pub(crate) settled: Vec<Lit>,
    /// Whether to approach the optimum in the other way than by default.
    pub(crate) contrary: bool,
    start: Instant,
    last_model: Instant,
    /// Models and steps of the engine until the clock is read again.
    clock: (u64, u64),
}

impl<'a> Run<'a> {
    pub(crate) fn new(
        t: &'a mut Translation,
        program: &'a Program,
        options: &'a SolveOptions,
        user_assumptions: &'a [Literal],
        interrupt: &'a Interrupt,
        on_event: &'a mut dyn FnMut(Event<'_>) -> Control,
    ) -> Self {
        let mut levels: Vec<usize> = (0..program.objectives.len()).collect();
        levels.sort_by_key(|&i| std::cmp::Reverse(program.objectives[i].priority));
        let start = Instant::now();
        let literals = program.atoms.ids().map(|a| t.lit(Literal::pos(a))).collect();
        Self {
            t,
            program,
            options,
            user_assumptions,
            assumptions: Vec::new(),
            interrupt,
            on_event,
            result: SolveResult::default(),
            levels,
            wanted: 0,
            literals,
            costs: Vec::new(),
            number: 0,
            guards: Vec::new(),
            optimum_known: false,
            patience: None,
            symmetry: None,
            exchange: None,
            share: None,
            running: None,
            settled: Vec::new(),
            contrary: false,
            start,
            last_model: start,
            clock: (0, 0),
        }
    }

    /// Runs the call.
    pub(crate) fn solve(mut self) -> SolveResult {
        self.t.set_interrupt(self.interrupt);
        self.t.engine.reset_enumeration();
        if self.t.calls > 0 && self.options.forget != Forget::default() {
            self.t.engine.forget(self.options.forget);
        }
        self.t.calls += 1;
        self.t.engine.set_limits(self.options.conflict_limit, self.options.restart_limit);
        self.assumptions = self.t.external_assumptions(self.program);
        let given = self.program.assumptions.iter().chain(self.user_assumptions);
        self.assumptions.extend(given.map(|&l| self.t.lit(l)));
        let consequences = self.wants_consequences();
        let optimise =
            !self.levels.is_empty() && matches!(self.options.opt_mode, OptMode::Opt | OptMode::OptN);
        self.wanted = self.options.models.unwrap_or(u64::from(!optimise && !consequences));
        if self.t.ok && self.share.is_none() && self.may_break_symmetries() {
            // To look for them takes longer in a large program.
            let size = self.program.rules.literal_count() as u64 / LITERALS_PER_CONFLICT;
            let conflicts = self.t.engine.conflicts();
            self.patience = self.t.patience.map(|patience| conflicts + patience + size);
        }
        if self.t.ok {
            self.t.ok = self.eliminate(!optimise && !consequences);
        }
        if !self.t.ok {
            self.result.exhausted = true;
        } else if optimise {
            self.optimise();
        } else {
            if !self.levels.is_empty() && self.options.opt_mode == OptMode::Enum {
                self.limit_costs();
            }
            match self.share.take() {
                _ if consequences => self.find_consequences(),
                Some(share) => self.enumerate_paths(share),
                None => self.enumerate(false),
            }
        }
        self.finish()
    }

    /// Eliminates variables that this call does not need: any that is in clauses alone if one model is wanted, since it
    /// gets its value back; otherwise those that belong to no atom, since atoms determine them, so that models stay as
    /// many as they are. With projection, an objective, propagators or decisions steered from outside there are none, and
    /// what earlier calls eliminated comes back. `false`: there is no model.
    fn eliminate(&mut self, plain: bool) -> bool {
        let plain = plain
            && self.options.projection == Projection::None
            && (self.levels.is_empty() || self.options.opt_mode == OptMode::Ignore)
            && matches!(self.options.enum_mode, EnumMode::Auto | EnumMode::Backtrack | EnumMode::Record)
            && !self.options.domain_heuristic
            && self.share.is_none()
            && !self.t.engine.has_propagators();
        let engine = &mut self.t.engine;
        if !plain {
            return engine.restore_all();
        }
        let mut is_atom = Vec::new();
        if self.wanted != 1 {
            if !engine.restore(&self.literals) {
                return false;
            }
            is_atom.resize(engine.num_vars(), false);
            for lit in &self.literals {
                is_atom[lit.var().0 as usize] = true;
            }
        }
        let Some(limits) = parameters::elimination(self.program, self.options) else { return true };
        let may_go = |var: Var| !is_atom.get(var.0 as usize).is_some_and(|&a| a);
        engine.eliminate(&limits, &self.assumptions, may_go)
    }

    /// Whether atoms were eliminated: each got one value of perhaps two, and the search does not know of the other.
    pub(crate) fn eliminated_atoms(&self) -> bool {
        self.literals.iter().any(|l| self.t.engine.is_eliminated(l.var()))
    }

    /// Whether models are summed up, not listed.
    pub(crate) fn wants_consequences(&self) -> bool {
        matches!(self.options.enum_mode, EnumMode::Brave | EnumMode::Cautious | EnumMode::Query)
    }

    fn finish(mut self) -> SolveResult {
        let now = Instant::now();
        self.result.time.total = (now - self.start).as_secs_f64();
        if self.result.exhausted {
            self.result.time.unsat = (now - self.last_model).as_secs_f64();
        }
        if !self.result.satisfiable && self.result.exhausted {
            self.result.core = self.core();
        }
        self.t.engine.set_projection(&[]);
        self.t.engine.reset_enumeration();
        for guard in std::mem::take(&mut self.guards) {
            self.t.engine.add_clause(&[!guard]);
        }
        self.result
    }

    /// The failed assumptions among those that the caller gave.
    fn core(&self) -> Vec<Literal> {
        if !self.t.ok {
            return Vec::new();
        }
        let failed = self.t.engine.failed_assumptions();
        let mut core: Vec<Literal> = Vec::new();
        for &l in self.user_assumptions {
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
    pub(crate) fn lasting_guard(&mut self) -> Lit {
        let guard = Lit::pos(self.t.engine.new_var());
        self.t.engine.freeze(guard.var());
        self.guards.push(guard);
        guard
    }

    /// Drops the latest guards down to a number of assumptions.
    pub(crate) fn retire(&mut self, assumptions: usize) {
        self.t.engine.reset_enumeration();
        for guard in self.assumptions.split_off(assumptions) {
            if let Some(at) = self.guards.iter().position(|&g| g == guard) {
                self.guards.swap_remove(at);
                self.t.engine.add_clause(&[!guard]);
            }
        }
    }

    /// A slice of work from now on.
    pub(crate) fn slice(&self, conflicts: u64, steps: u64) -> Slice {
        let engine = &self.t.engine;
        Slice {
            conflicts: engine.conflicts().saturating_add(conflicts),
            steps: engine.steps().saturating_add(steps),
        }
    }

    /// Whether a slice is used up.
    pub(crate) fn is_over(&self, slice: Slice) -> bool {
        self.t.engine.conflicts() >= slice.conflicts || self.t.engine.steps() >= slice.steps
    }

    /// Whether a slice ended otherwise than by its conflicts.
    pub(crate) fn has_conflicts_left(&self, slice: Slice) -> bool {
        self.t.engine.conflicts() < slice.conflicts
    }

    /// Searches within a slice of work; when it is used up, the outcome is unknown and nothing is noted.
    pub(crate) fn search_within(&mut self, more: &[Lit], slice: Option<Slice>) -> Outcome {
        let Some(slice) = slice else { return self.search(more) };
        if self.is_over(slice) {
            return Outcome::Unknown(StopReason::StepLimit);
        }
        let conflicts = slice.conflicts - self.t.engine.conflicts();
        self.t.engine.set_limits(conflicts, self.options.restart_limit);
        self.t.engine.set_step_limit(slice.steps - self.t.engine.steps());
        let outcome = self.search(more);
        self.t.engine.set_limits(self.options.conflict_limit, self.options.restart_limit);
        self.t.engine.set_step_limit(0);
        if outcome == Outcome::Unknown(StopReason::StepLimit) {
            self.result.stopped = None;
        }
        outcome
    }

    /// Searches under the call's assumptions and some more. An interrupt or limit is noted in the result.
    pub(crate) fn search(&mut self, more: &[Lit]) -> Outcome {
        let keep = self.assumptions.len();
        self.assumptions.extend_from_slice(more);
        self.assumptions.extend(self.symmetry);
        let mut outcome = self.search_patiently();
        self.assumptions.truncate(keep);
        if let (Outcome::Sat, Some(reason)) = (outcome, self.t.undecided()) {
            outcome = Outcome::Unknown(reason);
        }
        match outcome {
            Outcome::Sat => self.read_costs(),
            Outcome::Unknown(reason) => self.stop(reason),
            Outcome::Unsat => {}
        }
        outcome
    }

    /// Searches; if that takes many conflicts, breaks symmetries and goes on.
    fn search_patiently(&mut self) -> Outcome {
        if let Some(conflicts) = self.patience {
            let allowed = conflicts.saturating_sub(self.t.engine.conflicts());
            if allowed > 0 {
                let (conflicts, restarts) = self.t.engine.limits();
                let by_slice = conflicts != 0 && conflicts <= allowed;
                self.t.engine.set_limits(if by_slice { conflicts } else { allowed }, 0);
                let outcome = self.t.engine.solve(&self.assumptions, self.interrupt);
                self.t.engine.set_limits(conflicts, restarts);
                let limited = outcome == Outcome::Unknown(StopReason::StepLimit);
                if !limited || by_slice || self.interrupt.poll().is_some() {
                    return outcome;
                }
            }
            self.patience = None;
            self.break_symmetries();
            self.assumptions.extend(self.symmetry);
        }
        self.t.engine.solve(&self.assumptions, self.interrupt)
    }

    /// Notes that the search was stopped.
    pub(crate) fn stop(&mut self, reason: StopReason) {
        self.result.stopped = Some(reason);
        self.result.exhausted = false;
    }

    fn read_costs(&mut self) {
        self.costs.clear();
        for &level in &self.levels {
            let o = &self.program.objectives[level];
            let sum: i128 = o
                .literals
                .iter()
                .filter(|(l, _)| {
                    let positive = self.literals[l.atom().0 as usize];
                    self.t.engine.value(if l.is_neg() { !positive } else { positive }) == Some(true)
                })
                .map(|&(_, w)| i128::from(w))
                .sum::<i128>()
                + i128::from(o.constant);
            // Lowering has checked that the sum of all weights fits.
            self.costs.push(sum.clamp(i64::MIN.into(), i64::MAX.into()) as i64);
        }
    }

    /// Reports the last model. `false`: stop now.
    pub(crate) fn report(&mut self, optimal: bool) -> bool {
        self.report_as(None, optimal)
    }

    /// Reports a model that another thread found. `false`: stop now.
    pub(crate) fn report_found(&mut self, atoms: &[bool]) -> bool {
        self.report_as(Some(Atoms::Listed(atoms)), false)
    }

    /// The same with a bit for each atom.
    pub(crate) fn report_packed(&mut self, atoms: &[u64]) -> bool {
        self.report_as(Some(Atoms::Packed(atoms)), false)
    }

    /// The engine's literal of each atom.
    pub(crate) fn literals(&self) -> &[Lit] {
        &self.literals
    }

    fn report_as(&mut self, atoms: Option<Atoms<'_>>, optimal: bool) -> bool {
        self.note_model();
        self.result.optimal_models += u64::from(optimal);
        let shows_costs = self.options.opt_mode != OptMode::Ignore;
        let costs: &[i64] = if shows_costs { &self.costs } else { &[] };
        if !costs.is_empty() && self.result.costs.as_ref().is_none_or(|c| costs <= c.as_slice()) {
            self.result.costs = Some(costs.to_vec());
        }
        let model = Model {
            number: self.number,
            atoms: match atoms {
                Some(atoms) => atoms,
                None => Atoms::Assigned { literals: &self.literals, values: self.t.engine.values() },
            },
            shown: &[],
            costs,
            optimal,
            consequences: None,
            found: self.last_model,
        };
        (self.on_event)(Event::Model(model)) == Control::Continue
    }

    /// Reports consequences. `false`: stop now.
    pub(crate) fn report_consequences(&mut self, atoms: &[bool], shown: &[bool], bounds: (u64, u64)) -> bool {
        self.note_model();
        self.result.optimal_models += u64::from(self.optimum_known);
        let costs: &[i64] = if self.options.opt_mode != OptMode::Ignore { &self.costs } else { &[] };
        let model = Model {
            number: self.number,
            atoms: Atoms::Listed(atoms),
            shown,
            costs,
            // Another one may follow that sums up more.
            optimal: false,
            consequences: Some(bounds),
            found: self.last_model,
        };
        (self.on_event)(Event::Model(model)) == Control::Continue
    }

    /// Counts a model. The clock is read only if there was some work since the last time: in enumerations it takes
    /// longer to read than a model to find.
    fn note_model(&mut self) {
        self.number += 1;
        let steps = self.t.engine.steps();
        if self.result.models >= self.clock.0 || steps >= self.clock.1 {
            self.last_model = Instant::now();
            self.clock = (self.result.models + 32, steps + 1000);
        }
        if !self.result.satisfiable {
            self.result.time.first_model = (self.last_model - self.start).as_secs_f64();
        }
        self.result.satisfiable = true;
        self.result.models += 1;
    }

    /// Reports that the last costs are optimal; models are counted anew.
    pub(crate) fn report_optimum(&mut self) -> bool {
        self.number = 0;
        (self.on_event)(Event::Optimum) == Control::Continue
    }

    /// Reports lower bounds; not those of the first cores where nobody asked for cores.
    pub(crate) fn report_lower_bounds(&mut self) -> bool {
        if self.options.solver.optimize.strategy == OptStrategy::Auto && self.is_within_first_slice() {
            return true;
        }
        let bounds = std::mem::take(&mut self.result.lower_bounds);
        let goes_on = (self.on_event)(Event::LowerBound(&bounds)) == Control::Continue;
        self.result.lower_bounds = bounds;
        goes_on
    }

    /// One literal for each different thing shown: some of its conditions holds.
    pub(crate) fn shown_lits(&mut self) -> ShownLits {
        let mut by_item: Map<(bool, u32), usize> = Map::default();
        let mut groups: Vec<Vec<Lit>> = Vec::new();
        let mut group_of = Vec::with_capacity(self.program.shows.len());
        for show in &self.program.shows {
            let key = match show.item {
                ShowItem::Atom(a) => (false, a.0),
                ShowItem::Term(t) => (true, t.raw()),
            };
            let lit = self.t.conjunction(self.program.literals(show.condition));
            let group = *by_item.entry(key).or_insert_with(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[group].push(lit);
            group_of.push(group as u32);
        }
        let truth = self.t.atoms.truth;
        let lits = groups
            .into_iter()
            .map(|g| match g.as_slice() {
                [l] => *l,
                _ => {
                    let mut none: Vec<Lit> = g.iter().map(|&l| !l).collect();
                    !crate::solve::translate::conjunction(&mut self.t.engine, truth, &mut none)
                }
            })
            .collect();
        ShownLits { lits, group_of }
    }

    /// The literals that tell models apart under projection.
    pub(crate) fn projection(&mut self) -> Option<Vec<Lit>> {
        let mut lits = match (self.options.projection, &self.program.project) {
            (Projection::None, _) => return None,
            (Projection::Project, Some(atoms)) => {
                atoms.iter().map(|&a| self.t.lit(Literal::pos(a))).collect()
            }
            _ => self.shown_lits().lits,
        };
        lits.sort_unstable();
        lits.dedup_by_key(|l| l.var());
        lits.retain(|&l| self.t.engine.fixed(l).is_none());
        Some(lits)
    }
}

/// An amount of work, as the counts at which it is used up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slice {
    conflicts: u64,
    steps: u64,
}

/// What is shown, as literals.
pub(crate) struct ShownLits {
    /// One for each different thing.
    pub(crate) lits: Vec<Lit>,
    /// By show entry: the thing.
    pub(crate) group_of: Vec<u32>,
}
