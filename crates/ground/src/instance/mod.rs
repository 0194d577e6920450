//! Instances of one rule: the nested parts of its body, and its head.
//!
//! Invariant: what is remembered about aggregates is valid for one run of the rule only.

mod aggregate;
mod conditional;
mod directive;
mod disjunction;
mod extent;
mod head;
mod head_aggregate;
pub(super) mod theory;
mod tuples;

use super::compile::CompiledRule;
use super::join::machine::{Holds, Machine, Nested};
use super::join::plan::PlanStep;
use super::sink::Sink;
use super::state::{Flow, Halt};
use aggregate::Aggregates;
use asp_base::symbol::{StrId, Sym};
use asp_rewrite::rule::{Head, Literal, Rule, literal_vars};
use asp_syntax::ast::Sign;
use theory::TheoryTable;

/// The most values reported of an instance that excludes all answer sets.
const MAX_VALUES: usize = 6;

/// A rule while it runs.
pub(super) struct Instances<'r> {
    rule: &'r Rule,
    compiled: &'r CompiledRule,
    sink: Sink,
    aggregates: Aggregates<'r>,
    theory: &'r mut TheoryTable,
}

impl<'r> Instances<'r> {
    /// Starts a run of a rule.
    pub(super) fn new(
        rule: &'r Rule,
        compiled: &'r CompiledRule,
        sink: Sink,
        theory: &'r mut TheoryTable,
    ) -> Self {
        // Nothing is left of what external atoms depend on.
        let sink = match rule.head {
            Head::External(..) => Sink::derive(rule.source, false),
            _ => sink,
        };
        Self { rule, compiled, sink, aggregates: Aggregates::new(compiled), theory }
    }

    /// Handles one instance of the rule's body.
    pub(super) fn emit(&mut self, m: &mut Machine<'_>) -> Flow {
        let (sink, rule) = (self.sink, self.rule);
        match &rule.head {
            Head::Constraint => {
                if m.literals.is_empty() && m.state.messages.refuted.is_none() {
                    m.state.messages.refuted = Some((sink.source, values(m, rule)));
                }
                sink.rule(m.state.program, false, &[], &m.literals);
            }
            Head::Atom(atom) => head::derive(m, sink, atom)?,
            Head::Disjunction(_) => disjunction::emit(m, sink, self.compiled)?,
            Head::Aggregate { function, set, guards, .. } => {
                head_aggregate::emit(m, sink, rule, (*function, *set), guards, self.compiled)?;
            }
            Head::Theory(_) => {
                if let Some(atom) = self.compiled.theories.last() {
                    self.theory.emit(m, sink, atom)?;
                }
            }
            Head::Minimize { weight, priority, tuple } => {
                directive::minimize(m, sink, rule, (weight, priority), tuple);
            }
            Head::Show(term) => directive::show(m, rule, term),
            Head::Project(atom) => directive::project(m, atom),
            Head::External(atom, value) => directive::external(m, sink, rule, atom, value),
            Head::Heuristic { atom, weight, priority, modifier } => {
                directive::heuristic(m, rule, atom, [weight, priority, modifier]);
            }
            Head::Edge(u, v) => directive::edge(m, sink, u, v),
        }
        m.state.check_failure()
    }
}

/// The values of the variables of a rule's positive atoms: `with X = 1, Y = 2`.
#[cold]
fn values(m: &Machine<'_>, rule: &Rule) -> String {
    let mut names: Vec<(StrId, Sym)> = Vec::new();
    for literal in &rule.body {
        let Literal::Atom(Sign::None, _) = literal else { continue };
        literal_vars(literal, &mut |v| {
            let known = rule.vars[v.0 as usize].name.map(|name| (name, m.regs[v.0 as usize]));
            names.extend(known.filter(|known| !names.contains(known)));
        });
    }
    let symbols = &m.state.symbols;
    let write =
        |(name, value): &(StrId, Sym)| format!("{} = {}", symbols.str(*name), symbols.display(*value));
    let written: Vec<String> = names.iter().take(MAX_VALUES).map(write).collect();
    if written.is_empty() { String::new() } else { format!("with {}", written.join(", ")) }
}

impl Nested for Instances<'_> {
    fn sink(&self) -> Sink {
        self.sink
    }
    fn check(&mut self, m: &mut Machine<'_>, step: &PlanStep) -> Result<Holds, Halt> {
        match step {
            PlanStep::Aggregate(number) => self.aggregates.check(m, self.sink, *number),
            PlanStep::Conditional(number) => {
                conditional::check(m, self.sink, &self.compiled.conditionals[*number])
            }
            PlanStep::Theory(number, sign) => {
                self.theory.check(m, self.sink, &self.compiled.theories[*number], *sign)
            }
            _ => Ok(Holds::No),
        }
    }
    fn open_values(
        &mut self,
        m: &mut Machine<'_>,
        aggregate: usize,
        guard: usize,
    ) -> Result<(i64, i64), Halt> {
        self.aggregates.open_values(m, self.sink, aggregate, guard)
    }
    fn value(&self, aggregate: usize, place: usize) -> Sym {
        self.aggregates.value(aggregate, place)
    }
    fn has_value(
        &mut self,
        m: &mut Machine<'_>,
        aggregate: usize,
        guard: usize,
        place: usize,
    ) -> Result<Holds, Halt> {
        self.aggregates.has_value(m, self.sink, aggregate, guard, place)
    }
}
