//! Plans and runs one rule: over all rows, or over the atoms of the last round.
//!
//! Invariant: between two runs the machine is idle; a plan is made for the current state of the domains.

use super::compile::{self, CompiledRule, Growing};
use super::improve::chase::Keys;
use super::improve::functional::Functional;
use super::improve::lazy::Kept;
use super::instance::Instances;
use super::instance::theory::TheoryTable;
use super::join::machine::Machine;
use super::join::plan::{self, PlanContext, PlanStep, Source};
use super::options::GroundOptions;
use super::parity::Known;
use super::readers::Readers;
use super::record::Recorder;
use super::sink::Sink;
use super::state::{Flow, Opens, State};
use asp_rewrite::improve::sharing::Shared;
use asp_rewrite::predicate::PredId;
use asp_rewrite::rule::{Literal, Rule};
use std::time::Instant;

/// One grounding call.
pub(super) struct Instantiator<'a> {
    /// Runs plans, and holds the state of grounding.
    pub(super) machine: Machine<'a>,
    /// Theory data so far.
    pub(super) theory: &'a mut TheoryTable,
    pub(super) recorder: &'a mut Recorder,
    /// Common joins and auxiliary predicates.
    pub(super) shared: Shared,
    pub(super) functional: Functional,
    /// Which columns determine others.
    pub(super) keys: Keys,
    /// The readers of hidden predicates.
    pub(super) readers: Readers<'a>,
    /// Constraints that are kept for the search.
    pub(super) kept: Kept,
}

impl Instantiator<'_> {
    /// The planner's view of the grounding so far.
    pub(super) fn context(&mut self) -> PlanContext<'_> {
        let state = &mut self.machine.state;
        PlanContext {
            domains: state.domains,
            complete: &state.complete,
            pending: &state.pending,
            parity: &state.parity,
            symbols: state.symbols,
            order: Vec::new(),
        }
    }

    /// Compiles the nested parts of a rule.
    pub(super) fn compile(&mut self, rule: &Rule, growing: Growing<'_>) -> CompiledRule {
        compile::compile(rule, growing, &mut self.context())
    }

    /// Plans a body with nothing bound, over all rows.
    pub(super) fn plan(&mut self, body: &[Literal], once: &[bool]) -> (Vec<PlanStep>, Vec<usize>) {
        let mut bound = vec![false; once.len()];
        let mut context = self.context();
        let steps = plan::compile(body, &mut bound, once, &|_| Source::All, None, false, &mut context);
        (steps, context.order)
    }

    /// Plans a rule's body over all rows.
    pub(super) fn whole_plan(&mut self, rule: &Rule, compiled: &CompiledRule) -> Vec<PlanStep> {
        let (steps, order) = self.plan(&rule.body, &compiled.once);
        self.note_order(rule, &order, None);
        steps
    }

    /// Runs a rule once over all rows.
    pub(super) fn run_whole(&mut self, rule: &Rule) -> Flow {
        let compiled = self.compile(rule, Growing::NOTHING);
        let steps = self.whole_plan(rule, &compiled);
        self.run(rule, &compiled, &steps, Sink::write(rule.source))
    }

    /// Runs a plan of a rule.
    pub(super) fn run(
        &mut self,
        rule: &Rule,
        compiled: &CompiledRule,
        steps: &[PlanStep],
        sink: Sink,
    ) -> Flow {
        self.account(rule, |run| {
            run.machine.state.opens = run.opens(rule);
            let State { parity, complete, pending, domains, symbols, .. } = &mut run.machine.state;
            parity.start(rule, Known { complete, pending, symbols }, |p| domains[p].len() == 0);
            let mut instances = Instances::new(rule, compiled, sink, run.theory);
            run.machine.start(rule.vars.len());
            run.machine.run(&mut instances, steps, &mut |m, instances| instances.emit(m))
        })
    }

    fn opens(&self, rule: &Rule) -> Opens {
        let &GroundOptions { open_rules, open_bounds, .. } = self.machine.state.options;
        let opens = (open_rules || open_bounds) && !self.readers.keeps_instances(rule);
        let exempt = open_rules && !opens && !rule.body.is_empty();
        Opens { rules: open_rules && opens, bounds: open_bounds && opens, exempt }
    }

    /// Makes all rows of a domain old.
    pub(super) fn make_old(&mut self, pred: PredId) {
        let domain = &mut self.machine.state.domains[pred];
        domain.delta_end = domain.len();
        domain.old_end = domain.len();
    }

    /// Runs `f` on behalf of a statement, and records what it cost.
    pub(super) fn account<T>(&mut self, rule: &Rule, f: impl FnOnce(&mut Self) -> T) -> T {
        self.machine.state.progress.current = rule.span;
        if !self.machine.state.options.profile {
            return f(self);
        }
        let (start, instances, matches) =
            (Instant::now(), self.machine.state.progress.instances, self.machine.matches);
        let result = f(self);
        let cost = self.recorder.cost(rule.span);
        cost.instances += self.machine.state.progress.instances - instances;
        cost.matches += self.machine.matches - matches;
        cost.nanoseconds += start.elapsed().as_nanos() as u64;
        result
    }

    /// Records the order of a plan; `delta` is the literal that ranges over the atoms of the last round.
    pub(super) fn note_order(&mut self, rule: &Rule, order: &[usize], delta: Option<usize>) {
        let state = &self.machine.state;
        if state.options.profile {
            self.recorder.note_order(rule, order, delta, state.predicates, state.symbols);
        }
    }
}
