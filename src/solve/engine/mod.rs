//! The search engine: a conflict-driven solver for clauses, at-most-one groups, weight constraints and propagators.
//!
//! The parts are structs of their own (assignment, arena, watches, groups, weights, propagators, decisions, phases,
//! restarts, reduction, analysis); the algorithms that combine them are methods of [`Engine`], one file each.
//! Invariant: outside of calls the engine is backtracked to the root, or at a total model after a satisfiable
//! [`solve`](Engine::solve), or where the last call stopped.

pub(crate) mod analyze;
pub(crate) mod bump;
pub(crate) mod clauses;
pub(crate) mod decide;
pub(crate) mod flip;
pub mod inprocess;
pub(crate) mod lookahead;
pub mod parameters;
pub(crate) mod phase;
pub(crate) mod propagate;
pub mod propagator;
pub(crate) mod reduce;
pub(crate) mod restart;
pub mod schedule;
pub(crate) mod scores;
pub(crate) mod search;
pub mod store;

use crate::base::index_vec::IndexVec;
use crate::base::interrupt::StopReason;
use crate::solve::Statistics;
use crate::solve::constraint::sums::{Bound, Staged};
use crate::solve::engine::analyze::Analyzer;
use crate::solve::engine::clauses::Late;
use crate::solve::engine::decide::Decide;
use crate::solve::engine::flip::Floor;
use crate::solve::engine::inprocess::Inprocess;
use crate::solve::engine::inprocess::reconstruct::Eliminated;
use crate::solve::engine::lookahead::Lookahead;
use crate::solve::engine::parameters::{Forget, SolverParameters};
use crate::solve::engine::phase::Phases;
use crate::solve::engine::propagator::{PropagatorId, Propagators, View};
use crate::solve::engine::reduce::Reduce;
use crate::solve::engine::restart::Restart;
use crate::solve::engine::store::arena::Arena;
use crate::solve::engine::store::assignment::Assignment;
use crate::solve::engine::store::at_most_one::AtMostOne;
use crate::solve::engine::store::literal::{Lit, Var};
use crate::solve::engine::store::watch::Watches;
use crate::solve::engine::store::weight::Weights;
use crate::solve::parallel::exchange::Port;
use crate::solve::session::lemmas::LemmaLog;

/// How a call of [`Engine::solve`] ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// A total assignment satisfies everything; it stays in place until the next change.
    Sat,
    /// There is none (left); [`Engine::failed_assumptions`] says why.
    Unsat,
    /// A limit of the options or the interrupt stopped the search.
    Unknown(StopReason),
}

/// Limits of a call; 0 is no limit.
#[derive(Clone, Copy, Debug, Default)]
struct Limits {
    conflicts: u64,
    restarts: u64,
}

/// A conflict-driven solver.
pub struct Engine {
    pub(crate) parameters: SolverParameters,
    /// Conflicts and restarts that a call may take, 0 for any number.
    limits: Limits,
    pub(crate) assignment: Assignment,
    pub(crate) arena: Arena,
    pub(crate) watches: Watches,
    pub(crate) groups: AtMostOne,
    pub(crate) weights: Weights,
    pub(crate) propagators: Propagators,
    pub(crate) bounds: Vec<Bound>,
    /// Weight constraints to be installed when the search begins.
    pub(crate) staged: Vec<Staged>,
    /// Groups of which exactly one is true, as of so many groups and clauses.
    pub(crate) exact_groups: ((usize, u64), Vec<bool>),
    pub(crate) decide: Decide,
    pub(crate) phases: Phases,
    pub(crate) restart: Restart,
    pub(crate) reduce: Reduce,
    pub(crate) analyzer: Analyzer,
    pub(crate) inprocess: Inprocess,
    /// Variables that are in no clause any more.
    pub(crate) eliminated: Eliminated,
    /// Binary clauses when equivalent literals were last looked for.
    pub(crate) substituted_at: u64,
    /// Clauses and facts that are unit at a lower level than where their literal was assigned.
    pub(crate) late: Vec<Late>,
    /// Trail literals that unit propagation has seen.
    pub(crate) head: usize,
    /// The false clause of a conflict that is not in the arena.
    pub(crate) conflict_buffer: Vec<Lit>,
    /// A conflict of a propagator that is to be explained when the propagator is back in place.
    pub(crate) pending_explanation: Option<(PropagatorId, Lit, u32)>,
    /// Something added between calls contradicts the levels that may not be left.
    pub(crate) pending_conflict: bool,
    pub(crate) floor: Option<Floor>,
    pub(crate) assumptions: Vec<Lit>,
    pub(crate) failed: Vec<Lit>,
    pub(crate) frozen: IndexVec<Var, u32>,
    pub(crate) unsat: bool,
    /// Clauses added so far, to notice additions.
    pub(crate) additions: u64,
    /// Long clauses that are not learned, and learned ones.
    pub(crate) live_clauses: u64,
    pub(crate) live_learned: u64,
    /// Memory accesses of propagation, the clock of all schedules.
    pub(crate) ticks: u64,
    /// The way to other threads.
    pub(crate) port: Option<Port>,
    /// What is tried before decisions.
    pub(crate) lookahead: Option<Lookahead>,
    /// Literals tried so far.
    pub(crate) looked: u64,
    /// What is undone was only tried.
    pub(crate) is_looking: bool,
    /// What was learned, if it is written down.
    pub(crate) lemmas: Option<LemmaLog>,
    /// Steps that a call may take, 0 for any number.
    pub(crate) step_limit: u64,
    /// Whether the last call ended with a model.
    pub(crate) after_model: bool,
    /// Whether variables got their first scores.
    pub(crate) scored: bool,
    pub(crate) stats: Statistics,
}

impl Engine {
    /// An engine without variables.
    pub fn new(p: &SolverParameters) -> Self {
        Self {
            assignment: Assignment::default(),
            arena: Arena::default(),
            watches: Watches::new(p.seed),
            groups: AtMostOne::default(),
            weights: Weights::default(),
            propagators: Propagators::default(),
            bounds: Vec::new(),
            staged: Vec::new(),
            exact_groups: ((0, 0), Vec::new()),
            decide: Decide::new(p),
            phases: Phases::new(&p.phase, p.seed),
            restart: Restart::new(p),
            reduce: Reduce::new(&p.reduce),
            analyzer: Analyzer::default(),
            inprocess: Inprocess::new(p.inprocess.interval),
            eliminated: Eliminated::default(),
            substituted_at: 0,
            late: Vec::new(),
            head: 0,
            conflict_buffer: Vec::new(),
            pending_explanation: None,
            pending_conflict: false,
            floor: None,
            assumptions: Vec::new(),
            failed: Vec::new(),
            frozen: IndexVec::new(),
            unsat: false,
            additions: 0,
            live_clauses: 0,
            live_learned: 0,
            ticks: 0,
            port: None,
            lookahead: None,
            looked: 0,
            is_looking: false,
            lemmas: None,
            step_limit: 0,
            after_model: false,
            scored: false,
            stats: Statistics::default(),
            parameters: *p,
            limits: Limits::default(),
        }
    }
    /// Makes room for more variables, exactly.
    pub(crate) fn reserve_vars(&mut self, more: usize) {
        self.assignment.reserve_vars(more);
        self.watches.reserve_vars(more);
        self.decide.reserve_vars(more);
    }
    /// A new variable.
    pub fn new_var(&mut self) -> Var {
        let var = self.assignment.new_var();
        self.watches.new_var();
        self.decide.new_var();
        self.phases.new_var();
        self.analyzer.new_var();
        self.frozen.push(0);
        self.stats.variables.0 += 1;
        var
    }
    /// Number of variables.
    pub fn num_vars(&self) -> usize {
        self.assignment.num_vars()
    }
    /// The value of a literal, if it has one.
    #[inline]
    pub fn value(&self, lit: Lit) -> Option<bool> {
        self.view().value(lit)
    }
    /// The values of all literals by their codes: 1 true, -1 false, 0 none.
    #[inline]
    pub(crate) fn values(&self) -> &[i8] {
        &self.assignment.values
    }
    /// Conflicts so far.
    #[inline]
    pub(crate) fn conflicts(&self) -> u64 {
        self.stats.conflicts
    }
    /// A count of the work done so far, in steps of some nanoseconds.
    #[inline]
    pub(crate) fn steps(&self) -> u64 {
        self.ticks + self.stats.propagations
    }
    /// The value of a literal at the root, if it has one there.
    #[inline]
    pub fn fixed(&self, lit: Lit) -> Option<bool> {
        self.view().is_fixed(lit).then(|| self.assignment.is_true(lit))
    }
    /// The current level.
    #[inline]
    pub fn level(&self) -> u32 {
        self.assignment.level()
    }
    /// Reading access to the assignment.
    #[inline]
    pub fn view(&self) -> View<'_> {
        View { assignment: &self.assignment }
    }
    /// Whether there is no model whatever is assumed.
    pub fn is_unsat(&self) -> bool {
        self.unsat
    }
    /// After an unsatisfiable call: a subset of the assumptions that cannot hold together.
    pub fn failed_assumptions(&self) -> &[Lit] {
        &self.failed
    }
    /// Sets the phase that a variable is first decided with.
    pub fn set_phase(&mut self, var: Var, value: bool) {
        self.phases.set_initial(var, value);
    }
    /// Imposes the sign of decisions on a variable, or (`None`) stops to.
    pub fn set_sign(&mut self, var: Var, sign: Option<bool>) {
        self.phases.force(var, sign);
    }
    /// Variables of a higher level are decided first; 0 is the default.
    pub fn set_decision_priority(&mut self, var: Var, level: i32) {
        self.decide.set_priority(var, level);
    }
    /// The level that [`set_decision_priority`](Self::set_decision_priority) gave.
    pub fn decision_priority(&self, var: Var) -> i32 {
        self.decide.priority(var)
    }
    /// Each future bump of a variable's activity counts `factor` times.
    pub fn set_activity_factor(&mut self, var: Var, factor: f64) {
        self.decide.set_factor(var, factor);
    }
    /// Adds to a variable's activity, in units of one bump.
    pub fn add_activity(&mut self, var: Var, bumps: f64) {
        self.decide.add_activity(var, bumps);
    }
    /// Protects a variable from elimination and substitution; counted, so each call wants a [`melt`](Self::melt).
    pub fn freeze(&mut self, var: Var) {
        self.restore(&[Lit::pos(var)]);
        self.frozen[var] = self.frozen[var].saturating_add(1);
    }
    /// Takes back one [`freeze`](Self::freeze).
    pub fn melt(&mut self, var: Var) {
        self.frozen[var] = self.frozen[var].saturating_sub(1);
    }
    /// Changes the limits on conflicts and restarts for the next call (0: none).
    pub fn set_limits(&mut self, conflicts: u64, restarts: u64) {
        self.limits = Limits { conflicts, restarts };
    }
    /// Forgets what the search so far has told.
    pub(crate) fn forget(&mut self, what: Forget) {
        if what.scores {
            self.decide.forget();
        }
        if what.signs {
            self.phases.forget();
        }
        if what.lemmas || what.lemma_scores {
            self.forget_clauses(what.lemmas);
        }
    }
    /// Whether there are constraints beside clauses, groups and sums.
    pub(crate) fn has_propagators(&self) -> bool {
        !self.propagators.is_empty()
    }
    /// Connects the engine to other threads, or disconnects it.
    pub(crate) fn connect(&mut self, port: Option<Port>) {
        self.port = port;
    }
    /// Counts symmetries that were broken.
    pub(crate) fn note_symmetries(&mut self, generators: u64) {
        self.stats.symmetries += generators;
    }
    /// The limits on conflicts and restarts of a call (0: none).
    pub(crate) fn limits(&self) -> (u64, u64) {
        (self.limits.conflicts, self.limits.restarts)
    }
    /// Limits the work of each further call, in the units of [`steps`](Self::steps) (0: no limit).
    pub(crate) fn set_step_limit(&mut self, steps: u64) {
        self.step_limit = steps;
    }
    /// Counters of the search so far.
    pub fn statistics(&self) -> Statistics {
        let mut stats = self.stats.clone();
        stats.glue = self.restart.glue;
        stats.since_restart = stats.conflicts.saturating_sub(self.restart.last());
        stats.frozen = self.frozen.iter().filter(|&&count| count > 0).count() as u64;
        let ternary =
            self.arena.iter().filter(|&c| !self.arena.is_learned(c) && self.arena.len(c) == 3).count();
        stats.constraints = (self.watches.num_binary, ternary as u64, self.live_clauses - ternary as u64);
        stats.groups = (self.groups.len() as u64, (self.weights.len() + self.staged.len()) as u64);
        stats
    }

    /// Unassigns everything above a level, then asserts again what holds at lower levels and was found late.
    pub(crate) fn backtrack(&mut self, level: u32) {
        if level >= self.assignment.level() {
            return;
        }
        let len = self.assignment.level_start(level + 1) as usize;
        self.weights.undo(&self.assignment.trail, len, level);
        let saves = !self.is_looking && self.assignment.level() - level > self.parameters.phase.saved_beyond;
        for i in (len..self.assignment.trail.len()).rev() {
            let lit = self.assignment.trail[i];
            self.assignment.values[lit.code()] = 0;
            self.assignment.values[(!lit).code()] = 0;
            if saves {
                self.phases.save(lit);
            }
            self.decide.unassigned(lit.var());
        }
        self.assignment.trail.truncate(len);
        self.assignment.control.truncate(level as usize);
        self.head = self.head.min(len);
        if !self.propagators.is_empty() {
            self.propagators.undo(len, level, &self.assignment);
        }
        if !self.late.is_empty() {
            self.assert_late();
        }
    }

    /// Every invariant that can be checked from scratch. Pre: propagation is at a fixpoint without conflict.
    #[cfg(test)]
    pub(crate) fn check_invariants(&self) {
        self.assignment.check_trail();
        self.check_watches();
        self.groups.check(&self.assignment);
        self.weights.check(&self.assignment);
        self.decide.check(&self.assignment);
    }
}
