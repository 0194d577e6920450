//! A ground program whose constraints, bounds, comparisons and edges (and, on request, rules) can be switched off one
//! by one.
//!
//! Each gets a free atom of its own (per statement or per ground instance); the constraint is in force while the atom
//! is assumed. Bounds of choices and head aggregates become constraints over the same aggregate in a body, which is
//! equivalent (the bounds matter only in the answer set itself). Invariant: with all switches assumed, the answer sets
//! are those of the program, apart from the switches.

use super::items::{Origin, is_ignored};
use crate::inquiry::{Inquiry, Kind};
use crate::optimal;
use asp_base::map::{Map, Set};
use asp_base::span::Span;
use asp_program::ground_program::{AggregateElement, Definition, HeadAggregate, Literals, Program};
use asp_program::rule::{Body, Head, Rules};
use asp_program::{Literal, RuleId, RuleSource, integers};

/// What one switch controls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Grain {
    /// All instances of a statement.
    Statement,
    /// One ground instance.
    Instance,
}

/// What may be switched off.
#[derive(Clone, Debug)]
pub(crate) struct Scope<'a> {
    /// What one switch controls.
    pub grain: Grain,
    /// Statements whose constraints stay; others are left out. `None` if all stay.
    pub only: Option<&'a Set<Span>>,
    /// Whether rules that derive atoms, including disjunctions, have switches, too.
    pub rules: bool,
    /// Whether what leaves the optimal answer sets alone has switches, too.
    pub optimum: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Switch {
    /// In force if assumed.
    pub literal: Literal,
    pub span: Span,
    pub origins: Vec<Origin>,
    /// Whether it derives atoms.
    pub derives: bool,
}

struct Relaxer<'a> {
    inquiry: &'a Inquiry,
    scope: &'a Scope<'a>,
    program: Program,
    rules: Rules,
    switches: Vec<Switch>,
    of_statement: Map<Span, usize>,
}

/// Adds switches to a program.
pub(crate) fn relax(inquiry: &Inquiry, scope: &Scope<'_>) -> (Program, Vec<Switch>) {
    let program = inquiry.program().clone();
    let (switches, of_statement) = (Vec::new(), Map::default());
    let mut r = Relaxer { inquiry, scope, program, rules: Rules::new(), switches, of_statement };
    let old = inquiry.program();
    // Where such an atom does not hold, its constraint need not.
    let demands = integers::demands(old, inquiry.symbols());
    for (i, rule) in old.rules.iter().enumerate() {
        let origin = Origin::Rule(RuleId(i as u32));
        let span = inquiry.span(rule.source);
        let is_constraint = match rule.head {
            Head::Disjunction([]) => true,
            Head::Disjunction([atom]) => demands.contains(atom),
            _ => false,
        };
        let derives = !is_constraint && matches!(rule.head, Head::Disjunction([_, ..]));
        let fits = is_constraint || derives && scope.rules && !matches!(inquiry.kind(span), Kind::Fact);
        if scope.optimum && optimal::demand(inquiry, RuleId(i as u32)).is_some() {
            let switch = r.switch(span, origin, false);
            r.copy(rule.head, rule.body, Some(switch), rule.source);
        } else if !fits || span.is_none() {
            r.copy(rule.head, rule.body, None, rule.source);
        } else if is_constraint && !r.stays(span) {
            continue;
        } else {
            let switch = r.switch(span, origin, derives);
            r.copy(rule.head, rule.body, Some(switch), rule.source);
        }
    }
    let mut heads = std::mem::take(&mut r.program.head_aggregates);
    for (i, rule) in heads.iter_mut().enumerate() {
        if !rule.guards.is_empty() {
            r.bounds(i as u32, rule);
        }
    }
    r.program.head_aggregates = heads;
    if scope.rules {
        r.disjunctions();
    }
    r.edges();
    for switch in &r.switches {
        r.rules.add(true, &[switch.literal.atom()], &[], RuleSource::NONE);
    }
    r.program.rules = r.rules;
    (r.program, r.switches)
}

impl Relaxer<'_> {
    fn stays(&self, span: Span) -> bool {
        self.scope.only.is_none_or(|only| only.contains(&span))
    }

    /// The switch for an instance of a statement.
    fn switch(&mut self, span: Span, origin: Origin, derives: bool) -> Literal {
        let known = self.of_statement.get(&span).filter(|_| self.scope.grain == Grain::Statement);
        let at = match known {
            Some(&at) => at,
            None => {
                let literal = Literal::pos(self.program.atoms.add_aux());
                self.switches.push(Switch { literal, span, origins: Vec::new(), derives });
                self.of_statement.insert(span, self.switches.len() - 1);
                self.switches.len() - 1
            }
        };
        self.switches[at].origins.push(origin);
        self.switches[at].literal
    }

    fn copy(&mut self, head: Head<'_>, body: Body<'_>, switch: Option<Literal>, source: RuleSource) {
        let choice = matches!(head, Head::Choice(_));
        match (body, switch) {
            (Body::Normal(literals), switch) => {
                let body: Vec<Literal> = literals.iter().copied().chain(switch).collect();
                self.rules.add(choice, head.atoms(), &body, source);
            }
            (Body::Weight { bound, literals, weights }, switch) => {
                let sum: Vec<(Literal, i64)> =
                    literals.iter().copied().zip(weights.iter().copied()).collect();
                let Some(switch) = switch else {
                    self.rules.add_weight(choice, head.atoms(), bound, &sum, source);
                    return;
                };
                let reached = self.program.atoms.add_aux();
                self.rules.add_weight(false, &[reached], bound, &sum, source);
                self.rules.add(choice, head.atoms(), &[Literal::pos(reached), switch], source);
            }
        }
    }

    /// The condition or body with a switch for its statement.
    fn switched(&mut self, literals: Literals, switch: Literal) -> Literals {
        let all = [self.program.literals(literals), &[switch]].concat();
        self.program.push_literals(&all)
    }

    /// Adds switches to disjunctions of conditional literals.
    fn disjunctions(&mut self) {
        for i in 0..self.program.disjunctions.len() {
            let (body, span) = {
                let rule = &self.program.disjunctions[i];
                (rule.body, self.inquiry.span(rule.source))
            };
            if !span.is_none() {
                let switch = self.switch(span, Origin::Disjunction(i as u32), true);
                self.program.disjunctions[i].body = self.switched(body, switch);
            }
        }
    }

    /// Adds switches to edges; those of statements that do not stay are removed.
    fn edges(&mut self) {
        for (i, mut edge) in std::mem::take(&mut self.program.edges).into_iter().enumerate() {
            let span = self.inquiry.span(edge.source);
            if !span.is_none() {
                if !self.stays(span) {
                    continue;
                }
                let switch = self.switch(span, Origin::Edge(i as u32), false);
                edge.condition = self.switched(edge.condition, switch);
            }
            self.program.edges.push(edge);
        }
    }

    /// Removes the bounds of a head aggregate and makes them a constraint.
    fn bounds(&mut self, index: u32, rule: &mut HeadAggregate) {
        let span = self.inquiry.span(rule.source);
        let symbols = self.inquiry.symbols();
        let program = self.inquiry.program();
        rule.elements.retain(|e| !is_ignored(&program.head_aggregates[index as usize], e, program, symbols));
        let guards = std::mem::take(&mut rule.guards);
        let mut body = program.literals(rule.body).to_vec();
        if !span.is_none() {
            if !self.stays(span) {
                return;
            }
            body.push(self.switch(span, Origin::Bounds(index), false));
        }
        let elements = rule.elements.iter().map(|e| {
            let mut condition = program.literals(e.condition).to_vec();
            condition.extend(e.atom.map(Literal::pos));
            AggregateElement { tuple: e.tuple, condition: self.program.push_literals(&condition) }
        });
        let elements = elements.collect();
        let atom = self.program.atoms.add_aux();
        let definition = Definition::Aggregate {
            function: rule.function,
            set: rule.set,
            guards,
            elements,
            recursive: false,
        };
        self.program.definitions.push(asp_program::ground_program::Defined {
            atom,
            definition,
            source: rule.source,
        });
        body.push(Literal::neg(atom));
        self.rules.add(false, &[], &body, rule.source);
    }
}
