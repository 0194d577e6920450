//! The engine's state: its parts, which are structs of their own, and access to them from outside.
//!
//! Invariant: this file and what it uses are data; algorithms over the parts have their own files.

use crate::counters::Counters;
use crate::dispatch::Propagators;
use crate::exchange::Port;
use crate::integer::store::Integers;
use crate::lemma_log::LemmaLog;
use crate::parameters::{Forget, Sign, SolverParameters};
use crate::proof::ProofLog;
use crate::propagator::View;
use crate::store::analyzer::Analyzer;
use crate::store::assignment::Assignment;
use crate::store::call::Call;
use crate::store::clause_db::ClauseDb;
use crate::store::constraints::Constraints;
use crate::store::control::{Limits, Schedules};
use crate::store::decisions::{self, Decisions, Lookahead};
use crate::store::literal::{Lit, Var};
use asp_base::interrupt::StopReason;

/// How a call of [`Engine::solve`] ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// A total assignment satisfies everything; it stays in place until the next change.
    Sat,
    /// There is none, or none left; [`Engine::failed_assumptions`] says why.
    Unsat,
    /// A limit of the options or the interrupt stopped the search.
    Unknown(StopReason),
}

/// Where learned clauses go besides the database and a proof.
#[derive(Default)]
pub(super) struct Outlets {
    /// The connection to other threads.
    pub(super) port: Option<Port>,
    /// A log of learned clauses, if they are recorded.
    pub(super) lemmas: Option<LemmaLog>,
}

/// A conflict-driven solver.
pub struct Engine {
    pub(super) parameters: SolverParameters,
    pub(super) assignment: Assignment,
    pub(super) clauses: ClauseDb,
    pub(super) constraints: Constraints,
    pub(super) propagators: Propagators,
    pub(super) decisions: Decisions,
    pub(super) control: Schedules,
    pub(super) analyzer: Analyzer,
    pub(super) call: Call,
    /// The log of a proof, if one is wanted.
    pub proof: Option<Box<ProofLog>>,
    pub(super) outlets: Outlets,
    pub(super) stats: Counters,
}

impl Engine {
    /// An engine without variables.
    pub fn new(p: &SolverParameters) -> Self {
        Self {
            assignment: Assignment::default(),
            clauses: ClauseDb::new(p.seed),
            constraints: Constraints::default(),
            propagators: Propagators::default(),
            decisions: Decisions::new(p),
            control: Schedules::new(p),
            analyzer: Analyzer::default(),
            call: Call::default(),
            proof: None,
            outlets: Outlets::default(),
            stats: Counters::default(),
            parameters: *p,
        }
    }
    /// Integer variables and the constraints over them.
    pub fn integers(&self) -> &Integers {
        &self.constraints.integers
    }
    /// Makes room for more variables, exactly.
    pub fn reserve_vars(&mut self, more: usize) {
        self.assignment.reserve_vars(more);
        self.clauses.watches.reserve_vars(more);
        self.decisions.order.reserve_vars(more);
    }
    /// A new variable.
    pub fn new_var(&mut self) -> Var {
        let var = self.assignment.new_var();
        self.clauses.watches.new_var();
        self.decisions.new_var();
        self.analyzer.new_var();
        self.clauses.eliminated.frozen.push(false);
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
    pub fn values(&self) -> &[i8] {
        &self.assignment.values
    }
    /// Whether one group contains all these literals, so that at most one of them holds.
    pub fn has_group(&self, literals: &[Lit]) -> bool {
        self.constraints.at_most_one.has_all(literals)
    }
    /// Conflicts so far.
    #[inline]
    pub fn conflicts(&self) -> u64 {
        self.stats.conflicts
    }
    /// The work done so far, in steps of some nanoseconds.
    #[inline]
    pub fn steps(&self) -> u64 {
        self.control.ticks + self.control.analysis + self.stats.propagations
    }
    /// Adds steps of work beyond propagation, which schedules of the search do not count.
    pub(crate) fn add_steps(&mut self, steps: u64) {
        self.control.ticks += steps;
        self.control.inprocess.ticks += steps;
        self.control.restart.skip_ticks(steps);
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
        View {
            assignment: &self.assignment,
            assumptions: &self.call.assumptions,
            integers: &self.constraints.integers,
        }
    }
    /// Whether there is no model under any assumptions.
    pub fn is_unsat(&self) -> bool {
        self.clauses.unsat
    }
    /// After an unsatisfiable call: a subset of the assumptions that cannot hold together.
    pub fn failed_assumptions(&self) -> &[Lit] {
        &self.call.failed
    }
    /// Sets the value with which a variable is first decided.
    pub fn set_phase(&mut self, var: Var, value: bool) {
        self.decisions.phases.set_initial(var, value);
    }
    /// Imposes the sign of decisions on a variable, or (`None`) lifts it.
    pub fn set_sign(&mut self, var: Var, sign: Option<bool>) {
        self.decisions.phases.force(var, sign);
    }
    /// Variables of a higher level are decided first; 0 is the default.
    pub fn set_decision_priority(&mut self, var: Var, level: i32) {
        self.decisions.order.set_priority(var, level);
    }
    /// Each future bump of a variable's activity counts `factor` times.
    pub fn set_activity_factor(&mut self, var: Var, factor: f64) {
        self.decisions.order.set_factor(var, factor);
    }
    /// Adds to a variable's activity, in units of one bump.
    pub fn add_activity(&mut self, var: Var, bumps: f64) {
        self.decisions.order.add_activity(var, bumps);
    }
    /// Protects a variable from elimination.
    pub fn freeze(&mut self, var: Var) {
        self.restore(&[Lit::pos(var)]);
        self.clauses.eliminated.frozen[var] = true;
    }
    /// Target phases are not followed before this many conflicts.
    pub fn delay_targets(&mut self, conflicts: u64) {
        self.decisions.phases.delay_targets(conflicts);
    }
    /// Forgets the longest trail as a target, since the search has a new goal.
    pub fn forget_targets(&mut self) {
        self.decisions.phases.forget_targets();
    }
    /// Limits each further call of [`solve`](Self::solve).
    pub fn set_limits(&mut self, limits: Limits) {
        self.control.limits = limits;
    }
    /// Forgets parts of what the search has learned.
    pub fn forget(&mut self, what: Forget) {
        if what.scores {
            self.decisions.order.forget();
        }
        if what.signs {
            self.decisions.phases.forget();
        }
        if what.lemmas || what.lemma_scores {
            self.forget_clauses(what.lemmas);
        }
    }
    /// Whether there are propagators beside clauses, groups and sums.
    pub fn has_propagators(&self) -> bool {
        !self.propagators.is_empty()
    }
    /// Counts broken symmetries.
    pub fn note_symmetries(&mut self, generators: u64) {
        self.stats.symmetries += generators;
    }
    /// The limits of each call.
    pub fn limits(&self) -> Limits {
        self.control.limits
    }
    /// Counters of the search so far.
    pub fn statistics(&self) -> Counters {
        let mut stats = self.stats.clone();
        stats.lbd_sum = self.control.restart.lbd_sum;
        stats.since_restart = stats.conflicts.saturating_sub(self.control.restart.last());
        stats.frozen = self.clauses.eliminated.frozen.iter().filter(|&&f| f).count() as u64;
        let ternary = self
            .clauses
            .arena
            .iter()
            .filter(|&c| !self.clauses.arena.is_learned(c) && self.clauses.arena.len(c) == 3)
            .count();
        stats.constraints =
            (self.clauses.watches.num_binary, ternary as u64, self.clauses.original - ternary as u64);
        stats.groups = (
            self.constraints.at_most_one.len() as u64,
            (self.constraints.weights.len() + self.constraints.staged.len()) as u64,
        );
        stats
    }
    /// Sets the initial phase of a literal by a sign.
    pub fn impose_sign_on(&mut self, lit: Lit, sign: Sign) {
        self.decisions.phases.impose_on(lit, sign);
    }
    /// Sets the initial phase of a variable, unless a sign is imposed on all.
    pub fn suggest_phase(&mut self, var: Var, value: bool) {
        self.decisions.phases.suggest(var, value);
    }
    /// Sets up lookahead as the options ask; `atoms` are the literals of atoms.
    pub fn set_lookahead(&mut self, atoms: &[Lit]) {
        let p = self.parameters.lookahead;
        if let Some(kind) = p.candidates {
            let vars = decisions::candidates(kind, atoms, self.num_vars());
            self.decisions.lookahead = Some(Lookahead::new(vars, p.rounds, p.decides));
        }
    }
    /// Records that there are more rules than in the last call.
    pub fn note_growth(&mut self) {
        self.control.restart.note_growth();
    }
    /// Records learned clauses from now on.
    pub fn set_lemma_log(&mut self, log: LemmaLog) {
        self.outlets.lemmas = Some(log);
    }
    /// Ends recording and returns the log.
    pub fn take_lemma_log(&mut self) -> Option<LemmaLog> {
        self.outlets.lemmas.take()
    }
    /// The variables from `from` on are the same in all threads that make as many.
    pub fn share_vars(&mut self, from: usize) {
        let to = self.num_vars();
        if let Some(port) = &mut self.outlets.port {
            port.widen(from as u32, to as u32);
        }
    }
    /// Connects the engine to other threads, or disconnects it. Returns the previous connection.
    pub fn connect(&mut self, port: Option<Port>) -> Option<Port> {
        std::mem::replace(&mut self.outlets.port, port)
    }
}
