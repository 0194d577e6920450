//! The rewritings of [`crate::rewrite::improve`] at work: what they ask of the domains, and the journal of what they did.
//!
//! Invariant: counting the instances of a rule as it was changes nothing but the journal.

use super::compile;
use super::component::{self, context, prepare};
use super::domain::Domain;
use super::instantiate::{Flow, Halt, Instantiator};
use super::plan::{self, Source};
use crate::base::index_vec::IndexVec;
use crate::base::interrupt::StopReason;
use crate::base::map::Map;
use crate::base::signature::Signature;
use crate::base::span::Span;
use crate::base::symbol::StrId;
use crate::program::journal::{Count, Journal, Rewritten, RuleCost};
use crate::rewrite::improve::cut::{self, Body};
use crate::rewrite::improve::sharing::{self, Common, Definition};
use crate::rewrite::improve::{Rewriting, Rewritings, Sizes, decomposition, projection, symmetry};
use crate::rewrite::predicate::PredId;
use crate::rewrite::print;
use crate::rewrite::rule::{Head, Literal, Rule};
use crate::rewrite::safety;
use crate::syntax::ast::Sign;
use std::time::Instant;

/// Instances of a rule as it was are counted up to this number, for the report.
const MOST_COUNTED: u64 = 2_000_000;

/// Join orders kept for a statement.
const MOST_ORDERS: usize = 8;

/// The domains as the rewritings see them.
pub(super) struct Seen<'a> {
    pub(super) domains: &'a mut IndexVec<PredId, Domain>,
    pub(super) complete: &'a IndexVec<PredId, bool>,
}

impl Sizes for Seen<'_> {
    fn is_complete(&self, pred: PredId) -> bool {
        self.complete[pred]
    }
    fn is_all_facts(&self, pred: PredId) -> bool {
        self.domains[pred].is_all_facts()
    }
    fn rows(&self, pred: PredId) -> f64 {
        f64::from(self.domains[pred].len())
    }
    fn distinct(&mut self, pred: PredId, column: usize) -> f64 {
        f64::from(self.domains[pred].distinct(column).max(1))
    }
}

/// Fills the journal.
#[derive(Debug, Default)]
pub(super) struct Recorder {
    pub(super) journal: Journal,
    by_span: Map<Span, usize>,
}

impl Recorder {
    fn cost(&mut self, span: Span) -> &mut RuleCost {
        let rules = &mut self.journal.rules;
        let i = *self.by_span.entry(span).or_insert_with(|| {
            rules.push(RuleCost { span, ..RuleCost::default() });
            rules.len() - 1
        });
        &mut rules[i]
    }
}

impl Instantiator<'_> {
    /// Does something on behalf of a statement, and writes down what it cost.
    pub(super) fn account<T>(&mut self, rule: &Rule, f: impl FnOnce(&mut Self) -> T) -> T {
        if !self.profiling {
            return f(self);
        }
        let (start, instances, matches) = (Instant::now(), self.instances, self.matches);
        let result = f(self);
        let (instances, matches) = (self.instances - instances, self.matches - matches);
        let cost = self.recorder.cost(rule.span);
        cost.instances += instances;
        cost.matches += matches;
        cost.nanoseconds += start.elapsed().as_nanos() as u64;
        result
    }

    /// Writes down the order of a plan; `delta` is the literal that ranges over the last round's atoms.
    pub(super) fn note_order(&mut self, rule: &Rule, order: &[usize], delta: Option<usize>) {
        if !self.profiling || order.is_empty() {
            return;
        }
        let printer = print::Printer::new(rule, self.predicates, self.symbols);
        let literal = |&i: &usize| {
            let new = if delta == Some(i) { "new " } else { "" };
            format!("{new}{}", printer.literal(&rule.body[i]))
        };
        let text = order.iter().map(literal).collect::<Vec<_>>().join(", ");
        let orders = &mut self.recorder.cost(rule.span).orders;
        if orders.len() < MOST_ORDERS && !orders.contains(&text) {
            orders.push(text);
        }
    }

    /// Writes down a rewriting.
    pub(super) fn note_rewriting(
        &mut self,
        name: String,
        rule: &Rule,
        was: String,
        became: Vec<String>,
        before: Count,
        after: u64,
    ) {
        let entry = Rewritten { name, span: rule.span, was, became, before, after };
        self.recorder.journal.rewritten.push(entry);
    }

    /// Number of instances of a rule as it stands; aggregates and what is not complete are not looked at.
    pub(super) fn count(&mut self, rule: &Rule) -> Result<Count, Halt> {
        let looked_at = |l: &&Literal| match l {
            Literal::Atom(sign, a) => *sign == Sign::None || self.complete[a.pred],
            Literal::Compare(..) | Literal::Range(..) | Literal::False(_) => true,
            _ => false,
        };
        let body: Vec<Literal> = rule.body.iter().filter(looked_at).cloned().collect();
        let plain = Rule { head: Head::Constraint, body, ..rule.clone() };
        let mut bound = vec![false; rule.vars.len()];
        if !safety::binds_all(&plain.body, &mut bound) {
            return Ok(Count::MoreThan(0));
        }
        bound.fill(false);
        let compiled = compile::compile(rule, &|_| false, &mut context(self));
        let bare = compile::compile(&plain, &|_| false, &mut context(self));
        let (body, once) = (&plain.body, &compiled.once);
        let steps = plan::compile(body, &mut bound, once, &|_| Source::All, None, false, &mut context(self));
        prepare(self, rule, &bare);
        let (instances, matches, deriving) = (self.instances, self.matches, self.deriving);
        self.deriving = true;
        let mut n = 0;
        let result = self.run(&bare, &steps, &mut |_| {
            n += 1;
            if n > MOST_COUNTED { Err(Halt::Stopped(StopReason::StepLimit)) } else { Ok(()) }
        });
        (self.instances, self.matches, self.deriving) = (instances, matches, deriving);
        match result {
            Ok(()) => Ok(Count::Exactly(n)),
            Err(Halt::Stopped(StopReason::StepLimit)) if n > MOST_COUNTED => {
                Ok(Count::MoreThan(MOST_COUNTED))
            }
            Err(halt) => Err(halt),
        }
    }
}

/// Common joins and auxiliary predicates of one call.
#[derive(Debug, Default)]
pub(super) struct Shared {
    /// Not looked at yet.
    common: Vec<Common>,
    definitions: Vec<Definition>,
}

impl Shared {
    /// Looks for joins that rules have in common.
    pub(super) fn new(rules: &[&Rule], rewritings: Rewritings) -> Self {
        let sharing = rewritings.has(Rewriting::Sharing) && rules.len() > 1;
        Self { common: if sharing { sharing::common(rules) } else { Vec::new() }, definitions: Vec::new() }
    }
}

/// What happened to a rule, for the journal.
#[derive(Debug, Default)]
struct Story {
    names: Vec<&'static str>,
    rules: Vec<String>,
}

impl Story {
    fn add(&mut self, rewriting: Rewriting) {
        if !self.names.contains(&rewriting.name()) {
            self.names.push(rewriting.name());
        }
    }
}

/// Runs a rule that reads complete domains only, after the rewritings that fit it.
pub(super) fn run_rule(run: &mut Instantiator<'_>, rule: &Rule) -> Flow {
    if rule.vars.len() < 2 || rule.body.len() < 2 || run.rewritings == Rewritings::none() {
        return component::run_whole(run, rule);
    }
    let (instances, mut story, mut times) = (run.instances, Story::default(), None);
    let mut rewritten = None;
    if run.rewritings.has(Rewriting::Symmetry) {
        if let Some((ordered, each)) = symmetry::order(rule) {
            story.add(Rewriting::Symmetry);
            rewritten = Some(ordered);
            times = each;
        }
    }
    if let Some(cut) = cut_up(run, rewritten.as_ref().unwrap_or(rule), &mut story)? {
        rewritten = Some(cut);
        times = None;
    }
    let Some(rewritten) = rewritten else { return component::run_whole(run, rule) };
    component::run_whole(run, &rewritten)?;
    if run.explaining {
        let after = run.instances - instances;
        let before = match times {
            Some(times) => Count::Exactly(after * times),
            None => run.count(rule)?,
        };
        let was = print::rule(rule, run.predicates, run.symbols);
        story.rules.push(print::rule(&rewritten, run.predicates, run.symbols));
        run.note_rewriting(story.names.join(", "), rule, was, story.rules, before, after);
    }
    Ok(())
}

/// Cuts parts out of a rule, as long as that pays, and runs the rules for the parts; gives the rule that is left, if it
/// is another one. Each cut takes variables or literals away, so there is an end.
fn cut_up(run: &mut Instantiator<'_>, rule: &Rule, story: &mut Story) -> Result<Option<Rule>, Halt> {
    let mut left: Option<Rule> = None;
    loop {
        let rule = left.as_ref().unwrap_or(rule);
        let mut sizes = Seen { domains: run.domains, complete: &run.complete };
        let Some(body) = Body::new(rule, &mut sizes, run.rewritings.is_eager()) else { return Ok(left) };
        if run.rewritings.has(Rewriting::Sharing) {
            if let Some(next) = share(run, rule, &body, story)? {
                left = Some(next);
                continue;
            }
        }
        let projection = run.rewritings.has(Rewriting::Projection).then(|| projection::find(rule, &body));
        let decomposition =
            run.rewritings.has(Rewriting::Decomposition).then(|| decomposition::find(rule, &body));
        let (cut, rewriting) = match (projection.flatten(), decomposition.flatten()) {
            (Some(p), Some(d)) if d.work < p.work => (d, Rewriting::Decomposition),
            (Some(p), _) => (p, Rewriting::Projection),
            (None, Some(d)) => (d, Rewriting::Decomposition),
            (None, None) => return Ok(left),
        };
        let pred = run.add_auxiliary(cut.scope.len());
        let (part, rest) = cut::apply(rule, &cut.part, &cut.scope, pred);
        story.add(rewriting);
        let definition = Definition { pred, scope: cut.scope, body: part.body.clone() };
        define(run, &part, definition, story)?;
        left = Some(rest);
    }
}

/// Runs the rule that defines an auxiliary predicate.
fn define(run: &mut Instantiator<'_>, rule: &Rule, definition: Definition, story: &mut Story) -> Flow {
    let smaller = cut_up(run, rule, story)?;
    let rule = smaller.as_ref().unwrap_or(rule);
    component::run_whole(run, rule)?;
    if run.explaining {
        story.rules.push(print::rule(rule, run.predicates, run.symbols));
    }
    component::settle(run, definition.pred);
    run.complete[definition.pred] = true;
    run.shared.definitions.push(definition);
    Ok(())
}

/// Replaces a part of a rule by an auxiliary atom that is there, or that is worth being made for several rules.
fn share(
    run: &mut Instantiator<'_>,
    rule: &Rule,
    body: &Body,
    story: &mut Story,
) -> Result<Option<Rule>, Halt> {
    let mut at = 0;
    while at < run.shared.common.len() {
        let found = Definition::of(&run.shared.common[at]).replace(rule, body).is_some();
        if !found {
            at += 1;
            continue;
        }
        // Now or never: the sizes will not change any more.
        let common = run.shared.common.remove(at);
        let mut sizes = Seen { domains: run.domains, complete: &run.complete };
        if sharing::pays(&common, &mut sizes, run.rewritings.is_eager()) {
            let pred = run.add_auxiliary(common.scope.len());
            let (part, definition) = sharing::definition(&common, pred);
            story.add(Rewriting::Sharing);
            define(run, &part, definition, story)?;
        }
    }
    let found = run.shared.definitions.iter().find_map(|d| d.replace(rule, body));
    if found.is_some() {
        story.add(Rewriting::Sharing);
    }
    Ok(found)
}

impl Instantiator<'_> {
    /// A new predicate with an empty domain.
    fn add_auxiliary(&mut self, arity: usize) -> PredId {
        let signature = Signature { name: StrId::EMPTY, arity: arity as u32, negative: false };
        let pred = self.predicates.add_auxiliary(signature);
        self.domains.push(Domain::new(arity));
        self.complete.push(false);
        pred
    }
}
