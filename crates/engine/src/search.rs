//! The main loop: propagate, learn from conflicts, restart, clean up, decide.
//!
//! Invariant: after each step the trail has grown, or something was learned, or the schedule that fired lies in the
//! future again. The counters of conflicts and ticks are the only clocks, so runs are reproducible.
//! Source: Marques-Silva, Lynce and Malik, *Conflict-driven clause learning SAT solvers*, 2009; Gebser, Kaufmann and
//! Schaub, *Conflict-driven answer set solving*, AIJ 2012.

use crate::parameters::PhaseRule;
use crate::propagator::ConflictKind;
use crate::store::assignment::{Reason, ReasonKind};
use crate::store::literal::Lit;
use crate::{Engine, Outcome};
use asp_base::interrupt::{Interrupt, StopReason};

/// Decisions after which the number of conflicts is reported. The interrupt is polled at each: a decision may be expensive.
const NOTE_INTERVAL: u64 = 1024;

/// The result of a decision.
enum Decision {
    Made,
    Total,
    FailedAssumption,
    Conflict(ConflictKind),
}

/// The engine's counters at which the search ends, and conflicts are noted next.
struct Ends {
    conflict_limit: u64,
    restart_limit: u64,
    step_limit: u64,
    next_note: u64,
}

impl Engine {
    /// Searches for a model under assumptions. Continues where the last call stopped if the assumptions are the same.
    pub fn solve(&mut self, assumptions: &[Lit], interrupt: &Interrupt) -> Outcome {
        self.call.failed.clear();
        self.call.jump = None;
        self.call.halted = false;
        // Counting another handle for each of millions of models would be felt.
        if !self.call.interrupt.is(interrupt) {
            self.call.interrupt = interrupt.clone();
        }
        if std::mem::take(&mut self.call.after_model) {
            self.control.restart.note_model();
            if self.parameters.restart.on_model {
                self.stats.restarts += 1;
                self.backtrack(self.floor_level());
            }
        }
        self.retract_extension();
        self.restore(assumptions);
        if !self.clauses.unsat {
            self.install_staged();
        }
        // Installing constraints may have shown that there is no model.
        if self.clauses.unsat {
            return Outcome::Unsat;
        }
        self.give_initial_activity();
        self.take_assumptions(assumptions);
        let limit = |used: u64, allowed: Option<u64>| allowed.map_or(u64::MAX, |n| used.saturating_add(n));
        let limits = self.control.limits;
        let mut ends = Ends {
            conflict_limit: limit(self.stats.conflicts, limits.conflicts),
            restart_limit: limit(self.stats.restarts, limits.restarts),
            step_limit: limit(self.steps(), limits.steps),
            next_note: self.stats.choices + self.stats.conflicts + self.decisions.looked,
        };
        self.search(&mut ends, interrupt)
    }
    fn search(&mut self, ends: &mut Ends, interrupt: &Interrupt) -> Outcome {
        loop {
            if let Some(level) = self.call.jump.take() {
                self.backtrack(level.max(self.call.base_level()));
            }
            if let Err(conflict) = self.propagate() {
                if !self.resolve(conflict) {
                    return self.nothing_left();
                }
                if let Some(reason) = interrupt.poll() {
                    return Outcome::Unknown(reason);
                }
            } else if self.call.jump.is_some() {
                // Go back first.
            } else if let Some(reason) = self.should_stop(ends, interrupt) {
                return Outcome::Unknown(reason);
            } else if self.ends_turn() {
                if !self.exchange_clauses() {
                    return Outcome::Unsat;
                }
                if let Some(reason) = interrupt.poll() {
                    return Outcome::Unknown(reason);
                }
            } else if self.should_restart() {
                self.restart();
            } else if self.should_switch_mode() {
                self.switch_mode();
            } else if self.should_rephase() {
                self.rephase();
            } else if self.should_reduce() {
                self.reduce();
            } else if self.should_inprocess() {
                if !self.inprocess() {
                    return Outcome::Unsat;
                }
            } else {
                match self.decide() {
                    Decision::Made => {}
                    Decision::FailedAssumption => return Outcome::Unsat,
                    Decision::Conflict(conflict) => {
                        if !self.resolve(conflict) {
                            return self.nothing_left();
                        }
                    }
                    Decision::Total => match self.consult() {
                        Some(outcome) => return outcome,
                        None => continue,
                    },
                }
            }
        }
    }
    /// How a search ends in which nothing is left to be done.
    fn nothing_left(&self) -> Outcome {
        if !self.call.halted {
            return Outcome::Unsat;
        }
        Outcome::Unknown(self.call.interrupt.poll().unwrap_or(StopReason::Interrupted))
    }
    /// Keeps the levels of assumptions that are the same as before.
    fn take_assumptions(&mut self, assumptions: &[Lit]) {
        if self.call.assumptions != assumptions {
            let mut common =
                self.call.assumptions.iter().zip(assumptions).take_while(|(a, b)| a == b).count();
            if self.call.floor.take().is_some() {
                // The last assumption level has flipped decisions, which mean nothing under others.
                common = common.min(self.call.assumptions.len().saturating_sub(1));
            }
            self.backtrack(common as u32);
            self.call.assumptions.clear();
            self.call.assumptions.extend_from_slice(assumptions);
        }
    }
    /// Whether a limit was reached.
    #[inline]
    fn should_stop(&mut self, ends: &mut Ends, interrupt: &Interrupt) -> Option<StopReason> {
        if self.stats.conflicts >= ends.conflict_limit || self.stats.restarts >= ends.restart_limit {
            return Some(StopReason::StepLimit);
        }
        if self.steps() >= ends.step_limit {
            return Some(StopReason::StepLimit);
        }
        let steps = self.stats.choices + self.stats.conflicts + self.decisions.looked;
        if steps >= ends.next_note {
            ends.next_note = steps + NOTE_INTERVAL;
            interrupt.note_conflicts(self.stats.conflicts);
        }
        interrupt.poll()
    }
    /// Learns from a conflict and backjumps. `false`: the search space is exhausted.
    fn resolve(&mut self, conflict: ConflictKind) -> bool {
        if conflict == ConflictKind::Halt {
            self.call.halted = true;
            return false;
        }
        self.stats.conflicts += 1;
        let level = self.load_conflict(conflict);
        if level == 0 {
            self.clauses.unsat = true;
            return false;
        }
        if level <= self.floor_level() {
            return self.flip_floor() || !self.parameters.learning.enabled && self.fail_assumptions();
        }
        if !self.parameters.learning.enabled {
            self.stats.backjumps += u64::from(level < self.level());
            return self.flip_from(level) || self.fail_assumptions();
        }
        self.control.restart.note_trail(self.assignment.trail.len(), self.stats.conflicts);
        self.progress_decay();
        self.offer_phases(level);
        // Propagators may find a conflict at a level below the current one.
        self.backtrack(level);
        if self.cuts_planes() {
            if self.learn_inequality(conflict) {
                return true;
            }
            // What was derived instead may be a clause of lower levels.
            let literals = self.analyzer.conflict.iter();
            self.backtrack(literals.map(|&l| self.assignment.level_of(l)).max().unwrap_or(0));
        }
        let Some(learned) = self.analyze() else {
            // What it was about is open again, so that a later call comes upon it anew.
            self.backtrack(level - 1);
            self.call.halted = true;
            return false;
        };
        self.count_learned(level, learned.backjump, learned.lbd);
        self.learn(learned.backjump, learned.lbd);
        true
    }
    /// Counts what was learned from a conflict at a level.
    pub(crate) fn count_learned(&mut self, level: u32, backjump: u32, lbd: u32) {
        self.control.restart.conflict(lbd);
        self.stats.learned += 1;
        self.stats.backjumps += u64::from(backjump + 1 < level);
        let jumped = u64::from(level - backjump);
        self.stats.jumped_levels.0 += jumped;
        self.stats.jumped_levels.1 = self.stats.jumped_levels.1.max(jumped);
    }
    /// Backjumps and asserts the learned clause of the analyzer.
    fn learn(&mut self, backjump: u32, lbd: u32) {
        let clause = std::mem::take(&mut self.analyzer.learned);
        if !self.constraints.integers.is_empty() {
            self.keep_names(&clause);
        }
        self.backtrack(backjump.max(self.floor_level()));
        if !matches!(self.parameters.phase.rule, PhaseRule::Auto | PhaseRule::Saved) {
            self.decisions.phases.count(&clause);
        }
        self.assert_learned(&clause, backjump, lbd);
        if let Some(log) = &mut self.outlets.lemmas {
            log.note(&clause, lbd);
        }
        if let Some(port) = &mut self.outlets.port {
            self.stats.shared.0 += u64::from(port.send(&clause, lbd));
        }
        self.analyzer.learned = clause;
    }
    /// The floor is exhausted: continues below it. `false`: everything is exhausted.
    pub(crate) fn flip_floor(&mut self) -> bool {
        self.flip_from(self.floor_level())
    }
    /// Whether to restart.
    #[inline]
    fn should_restart(&mut self) -> bool {
        self.parameters.restart.enabled
            && self.level() > self.call.assumptions.len() as u32
            && (self.control.restart.should_restart(self.stats.conflicts, self.level())
                || self.ends_random_start())
    }
    /// Whether the search is still in its initial random part.
    #[inline]
    fn starts_at_random(&self) -> bool {
        let start = self.parameters.heuristic.random_start;
        start.searches > 0 && self.stats.conflicts < start.searches.saturating_mul(start.conflicts)
    }
    #[inline]
    fn ends_random_start(&self) -> bool {
        self.starts_at_random()
            && self.stats.conflicts
                >= self
                    .control
                    .restart
                    .last()
                    .saturating_add(self.parameters.heuristic.random_start.conflicts)
    }
    /// Moves the decay of activities towards the usual one.
    fn progress_decay(&mut self) {
        if let Some(progress) = self.parameters.heuristic.decay_progress
            && self.stats.conflicts.is_multiple_of(progress.interval.max(1))
        {
            self.decisions.order.raise_decay(progress.step, self.parameters.heuristic.decay);
        }
    }
    /// Without learning, the assumptions that failed cannot be distinguished from the others.
    fn fail_assumptions(&mut self) -> bool {
        self.call.failed.clone_from(&self.call.assumptions);
        if !self.excludes_models() {
            self.clauses.unsat |= self.call.assumptions.is_empty();
            // The conflict is not learned, so it must occur again under assumptions that start in the same way.
            self.reset_enumeration();
        }
        false
    }
    /// Backtracks to the first level that would now be decided differently.
    fn restart(&mut self) {
        self.stats.restarts += 1;
        self.offer_phases(self.level() + 1);
        self.count_implications();
        let keep = self.reusable_levels().max(self.floor_level());
        self.backtrack(keep);
        self.control.restart.restarted(self.stats.conflicts);
        self.reduce_at_restart();
    }
    /// Whether it is time to exchange clauses with other threads.
    #[inline]
    fn ends_turn(&self) -> bool {
        self.outlets.port.as_ref().is_some_and(|port| port.is_due(self.steps()))
    }
    /// Exchanges clauses with other threads. `false`: no model is left.
    fn exchange_clauses(&mut self) -> bool {
        let steps = self.steps();
        let Some(port) = &mut self.outlets.port else { return true };
        let (shared, sharing) = (port.exchange(steps), port.sharing);
        for (clause, lbd) in shared.iter() {
            if clause.iter().any(|l| self.clauses.eliminated.contains(l.var())) {
                continue;
            }
            let open = || clause.iter().filter(|&&l| !self.assignment.is_false(l)).count();
            if sharing.only_unit && open() > 1
                || sharing.only_open && clause.iter().any(|&l| self.assignment.is_true(l))
            {
                continue;
            }
            self.stats.shared.1 += 1;
            if !self.add_learned_clause(clause, lbd) {
                return false;
            }
        }
        true
    }
    /// The number of levels that begin with assumptions, or with decisions preferred to the variable to be decided
    /// next.
    fn reusable_levels(&mut self) -> u32 {
        let mut keep = self.call.assumptions.len() as u32;
        if !self.parameters.restart.reuse_trail {
            return keep;
        }
        let stable = self.control.restart.is_stable();
        let Some(next) = self.decisions.order.next(&self.assignment, stable) else {
            return if self.constraints.integers.is_empty() { self.level() } else { keep };
        };
        while keep < self.level()
            && self
                .assignment
                .decision(keep + 1)
                .is_some_and(|d| self.decisions.order.prefers(d.var(), next, stable))
        {
            keep += 1;
        }
        keep
    }
    #[inline]
    fn should_switch_mode(&self) -> bool {
        self.control.restart.should_switch(self.stats.conflicts, self.control.ticks)
    }
    fn switch_mode(&mut self) {
        self.backtrack((self.call.assumptions.len() as u32).max(self.floor_level()));
        self.control.restart.switch(self.stats.conflicts, self.control.ticks);
    }
    #[inline]
    fn should_rephase(&self) -> bool {
        self.decisions.phases.should_rephase(self.stats.conflicts)
    }
    fn rephase(&mut self) {
        self.backtrack((self.call.assumptions.len() as u32).max(self.floor_level()));
        self.decisions.phases.rephase(self.stats.conflicts);
    }
    /// Offers the trail below the level of a conflict as target and best phases.
    fn offer_phases(&mut self, level: u32) {
        if self.parameters.phase.target && self.control.restart.is_stable() {
            let consistent = if level > self.level() {
                self.assignment.trail.len()
            } else {
                self.assignment.level_start(level) as usize
            };
            self.decisions.phases.offer(&self.assignment.trail[..consistent]);
        }
    }
    /// Assumes or decides the next literal.
    fn decide(&mut self) -> Decision {
        while let Some(&assumption) = self.call.assumptions.get(self.level() as usize) {
            if self.assignment.is_false(assumption) {
                self.analyze_failed(assumption);
                return Decision::FailedAssumption;
            }
            self.assignment.open_level();
            if self.assignment.is_free(assumption) {
                self.assignment.assign(assumption, Reason::DECISION);
                return Decision::Made;
            }
        }
        // Checked before the heap, which would otherwise be emptied to find that nothing is free.
        if self.assignment.is_total() {
            return Decision::Total;
        }
        let mut tried = None;
        if self.decisions.lookahead.is_some() {
            tried = match self.look_ahead() {
                Ok(tried) => tried,
                Err(conflict) => return Decision::Conflict(conflict),
            };
            if self.assignment.is_total() {
                return Decision::Total;
            }
        }
        let stable = self.control.restart.is_stable();
        self.decisions.order.be_random(self.starts_at_random());
        let Some(var) = self.decisions.order.next(&self.assignment, stable) else {
            let Some(lit) = self.decide_integer() else {
                self.constraints.integers.wake_digits();
                return self.propagate().map_or_else(Decision::Conflict, |()| Decision::Total);
            };
            self.stats.choices += 1;
            return self.decide_on(lit);
        };
        self.stats.choices += 1;
        let saved = match self.parameters.phase.rule {
            PhaseRule::Auto | PhaseRule::Saved => true,
            PhaseRule::LearnedPolarity => false,
            PhaseRule::Turns => self.decisions.phases.is_finding(self.stats.conflicts),
        };
        let lit = if let Some(lit) = tried {
            lit
        } else if self.parameters.phase.fixed {
            self.decisions.phases.choose_initial(var)
        } else if saved {
            let target = stable && self.parameters.phase.target;
            let target = target && self.decisions.phases.follows_targets(self.stats.conflicts);
            self.decisions.phases.choose(var, target)
        } else {
            self.decisions.phases.choose_by_count(var)
        };
        let lit = match self.propagators.are_deciding().then(|| self.ask_deciders(lit)) {
            None => lit,
            Some(Ok(lit)) => lit,
            Some(Err(conflict)) => return Decision::Conflict(conflict),
        };
        self.decide_on(lit)
    }
    fn decide_on(&mut self, lit: Lit) -> Decision {
        self.assignment.open_level();
        self.control.restart.note_level(self.level(), self.stats.conflicts);
        self.assignment.assign(lit, Reason::DECISION);
        Decision::Made
    }
    /// At some restarts: rewards variables by the number of literals that imply them.
    fn count_implications(&mut self) {
        let Some(counter) = self.parameters.restart.counter else { return };
        if !self.stats.restarts.is_multiple_of(counter.every.max(1)) {
            return;
        }
        for i in 0..self.assignment.trail.len() {
            let lit = self.assignment.trail[i];
            let degree = match self.assignment.reason_of(lit).kind() {
                ReasonKind::Binary(_) => 1,
                ReasonKind::Clause(c) => self.clauses.arena.len(c) - 1,
                _ => 0,
            };
            if degree > 0 {
                self.decisions.order.add_activity(lit.var(), degree as f64 * counter.factor);
            }
        }
    }
    /// Asks the propagators about a total assignment; `None` if the search continues.
    fn consult(&mut self) -> Option<Outcome> {
        if let Err(conflict) = self.consult_propagators() {
            return if self.resolve(conflict.kind) { None } else { Some(self.nothing_left()) };
        }
        if !self.assignment.is_total() || self.call.jump.is_some() {
            return None;
        }
        self.stats.model_levels += u64::from(self.level());
        self.decisions.phases.model_found(self.stats.conflicts);
        if self.passes_model() {
            return if self.flip_model(self.level()) { None } else { Some(Outcome::Unsat) };
        }
        self.note_values();
        self.extend_model();
        self.call.after_model = true;
        Some(Outcome::Sat)
    }
}
