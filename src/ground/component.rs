//! The rounds of semi-naive evaluation for one component after the other.
//!
//! Invariant: at the end of a component each instance of its rules has been handled once, and its domains are complete.

use super::aggregate::Cache;
use super::compile::{self, CompiledRule};
use super::exclusion;
use super::improve;
use super::instantiate::{Flow, Instantiator};
use super::plan::{self, PlanContext, Source, Step};
use crate::rewrite::dependency::Components;
use crate::rewrite::predicate::PredId;
use crate::rewrite::rule::{Head, Literal, Rule, Var};
use crate::rewrite::translate::literal_vars;
use crate::syntax::ast::Sign;

/// Grounds all components.
pub(super) fn run_all(run: &mut Instantiator<'_>, rules: &[Rule], components: &Components) -> Flow {
    for pred in run.domains.indices() {
        settle(run, pred);
    }
    let mut members: Vec<Vec<PredId>> = vec![Vec::new(); components.rules.len()];
    for (p, &c) in components.of_predicate.iter().enumerate() {
        members[c as usize].push(PredId(p as u32));
    }
    let once = |c: usize, r: &Rule| {
        let grows = |p: PredId| components.of_predicate.get(p.0 as usize) == Some(&(c as u32));
        !r.body.iter().any(|l| matches!(l, Literal::Atom(Sign::None, a) if grows(a.pred)))
    };
    let in_order = components.rules.iter().enumerate();
    let candidates: Vec<&Rule> = in_order
        .flat_map(|(c, numbers)| numbers.iter().map(move |&i| (c, &rules[i as usize])))
        .filter(|(c, r)| r.vars.len() > 1 && once(*c, r))
        .map(|(_, r)| r)
        .collect();
    run.shared = improve::Shared::new(&candidates, run.rewritings);
    for (c, numbers) in components.rules.iter().enumerate() {
        let of = |p: PredId| components.of_predicate.get(p.0 as usize) == Some(&(c as u32));
        let own: Vec<&Rule> = numbers.iter().map(|&i| &rules[i as usize]).collect();
        if !own.is_empty() {
            run_component(run, &own, &members[c], &of)?;
        }
        for &pred in &members[c] {
            settle(run, pred);
            run.complete[pred] = true;
        }
    }
    Ok(())
}

/// Makes all rows of a domain old.
pub(super) fn settle(run: &mut Instantiator<'_>, pred: PredId) {
    let domain = &mut run.domains[pred];
    domain.delta_end = domain.len();
    domain.old_end = domain.len();
}

/// A rule with the positions of its literals over growing domains.
struct Recursive<'a> {
    rule: &'a Rule,
    compiled: CompiledRule,
    literals: Vec<usize>,
    /// Plans by literal, with the number of rows for which they were made.
    plans: Vec<(u64, Vec<Step>)>,
}

fn run_component(
    run: &mut Instantiator<'_>,
    rules: &[&Rule],
    members: &[PredId],
    inside: &dyn Fn(PredId) -> bool,
) -> Flow {
    let own_literals = |rule: &Rule| -> Vec<usize> {
        let own = |l: &Literal| matches!(l, Literal::Atom(Sign::None, a) if inside(a.pred));
        rule.body.iter().enumerate().filter(|(_, l)| own(l)).map(|(i, _)| i).collect()
    };
    let mut recursive: Vec<Recursive<'_>> = Vec::new();
    let mut late: Vec<&Rule> = Vec::new();
    // Rules that derive a late head's atoms while the component grows: the body joined with each element's condition.
    let mut flat: Vec<Rule> = Vec::new();
    let mut growing_late: Vec<&Rule> = Vec::new();
    for &rule in rules {
        let literals = own_literals(rule);
        if compile::is_late(rule, inside) {
            late.push(rule);
            if compile::body_is_late(rule, inside) {
                growing_late.push(rule);
            } else {
                flatten(rule, &mut flat);
            }
        } else if literals.is_empty() {
            if run.account(rule, |run| exclusion::try_rule(run, rule))? {
                continue;
            }
            improve::run_rule(run, rule)?;
        } else {
            let compiled = compile::compile(rule, inside, &mut context(run));
            let plans = vec![(0, Vec::new()); literals.len()];
            recursive.push(Recursive { rule, compiled, literals, plans });
        }
    }
    if recursive.is_empty() && late.is_empty() {
        return Ok(());
    }
    let flat_start = recursive.len();
    let mut flat_once: Vec<&Rule> = Vec::new();
    for rule in &flat {
        let literals = own_literals(rule);
        if literals.is_empty() {
            flat_once.push(rule);
            continue;
        }
        let compiled = compile::compile(rule, inside, &mut context(run));
        let plans = vec![(0, Vec::new()); literals.len()];
        recursive.push(Recursive { rule, compiled, literals, plans });
    }
    for rule in flat_once {
        let compiled = compile::compile(rule, inside, &mut context(run));
        let steps = whole_plan(run, rule, &compiled);
        derive_only(run, rule, &compiled, &steps, true)?;
    }
    for &pred in members {
        run.domains[pred].old_end = 0;
        run.domains[pred].delta_end = 0;
    }
    let mut first = true;
    loop {
        let mut any = false;
        for &pred in members {
            any |= run.domains[pred].advance();
            run.domains[pred].update_indexes(run.symbols);
        }
        if !any && !std::mem::replace(&mut first, false) {
            break;
        }
        first = false;
        let rows: u64 = members.iter().map(|&p| u64::from(run.domains[p].len())).sum();
        for (number, r) in recursive.iter_mut().enumerate() {
            for k in 0..r.literals.len() {
                let delta = r.literals[k];
                let Literal::Atom(_, atom) = &r.rule.body[delta] else { continue };
                let domain = &run.domains[atom.pred];
                if domain.old_end == domain.delta_end {
                    continue;
                }
                if r.plans[k].1.is_empty() || rows > 8 * r.plans[k].0 {
                    let literals = &r.literals;
                    let source = |i: usize| match literals.binary_search(&i) {
                        Ok(_) if i == delta => Source::Delta,
                        Ok(_) if i < delta => Source::Old,
                        _ => Source::All,
                    };
                    let mut bound = vec![false; r.rule.vars.len()];
                    let (body, once) = (&r.rule.body, &r.compiled.once);
                    let mut context = context(run);
                    let steps =
                        plan::compile(body, &mut bound, once, &source, Some(delta), false, &mut context);
                    let order = context.order;
                    run.note_order(r.rule, &order, Some(delta));
                    r.plans[k] = (rows, steps);
                }
                if number < flat_start {
                    run_rule(run, r.rule, &r.compiled, &r.plans[k].1)?;
                } else {
                    derive_only(run, r.rule, &r.compiled, &r.plans[k].1, true)?;
                }
            }
        }
        for rule in &growing_late {
            let compiled = compile::compile(rule, inside, &mut context(run));
            let steps = whole_plan(run, rule, &compiled);
            derive_only(run, rule, &compiled, &steps, false)?;
        }
        run.poll()?;
    }
    for &pred in members {
        settle(run, pred);
        run.domains[pred].update_indexes(run.symbols);
    }
    for rule in late {
        let compiled = compile::compile(rule, inside, &mut context(run));
        let steps = whole_plan(run, rule, &compiled);
        run_rule(run, rule, &compiled, &steps)?;
    }
    Ok(())
}

/// One rule for each element of a late head: the element's atom, derived by body and condition.
fn flatten(rule: &Rule, out: &mut Vec<Rule>) {
    let (Head::Disjunction(elements) | Head::Aggregate { elements, .. }) = &rule.head else { return };
    for e in elements {
        if let Some(atom) = e.atom() {
            let mut body = rule.body.clone();
            body.extend(e.condition.iter().cloned());
            // The element's own variables become the rule's.
            let mut vars = rule.vars.clone();
            let mut raise = |v: Var| vars[v.0 as usize].local = false;
            e.condition.iter().for_each(|l| literal_vars(l, &mut raise));
            atom.args.iter().for_each(|t| t.for_each_var(&mut raise));
            let head = Head::Atom(atom.clone());
            out.push(Rule { head, body, vars, span: rule.span, source: rule.source });
        }
    }
}

pub(super) fn context<'r>(run: &'r mut Instantiator<'_>) -> PlanContext<'r> {
    PlanContext { domains: run.domains, complete: &run.complete, symbols: run.symbols, order: Vec::new() }
}

/// Runs a rule once over all that is there.
pub(super) fn run_whole(run: &mut Instantiator<'_>, rule: &Rule) -> Flow {
    let compiled = compile::compile(rule, &|_| false, &mut context(run));
    let steps = whole_plan(run, rule, &compiled);
    run_rule(run, rule, &compiled, &steps)
}

fn whole_plan(run: &mut Instantiator<'_>, rule: &Rule, compiled: &CompiledRule) -> Vec<Step> {
    let mut bound = vec![false; rule.vars.len()];
    let mut context = context(run);
    let (once, source) = (&compiled.once, &|_| Source::All);
    let steps = plan::compile(&rule.body, &mut bound, once, source, None, false, &mut context);
    let order = context.order;
    run.note_order(rule, &order, None);
    steps
}

pub(super) fn prepare(run: &mut Instantiator<'_>, rule: &Rule, compiled: &CompiledRule) {
    run.regs.clear();
    run.regs.resize(rule.vars.len(), crate::base::symbol::Sym::INF);
    run.cache.clear();
    run.cache.extend(compiled.aggregates.iter().map(|a| Cache::new(a.globals.len() + a.guards.len())));
    run.source = rule.source;
}

fn run_rule(run: &mut Instantiator<'_>, rule: &Rule, compiled: &CompiledRule, steps: &[Step]) -> Flow {
    run.account(rule, |run| {
        prepare(run, rule, compiled);
        run.run(compiled, steps, &mut |run| run.emit(rule, compiled))
    })
}

/// Runs a plan for the atoms that its rule derives, without writing rules. `flat`: the rule stands for an element of a
/// head that supports its atoms as a choice or disjunction does, so they are never facts.
fn derive_only(
    run: &mut Instantiator<'_>,
    rule: &Rule,
    compiled: &CompiledRule,
    steps: &[Step],
    flat: bool,
) -> Flow {
    run.account(rule, |run| {
        prepare(run, rule, compiled);
        run.deriving = true;
        let result = run.run(compiled, steps, &mut |run| {
            if flat {
                run.literals.push(super::aggregate::uncertain());
            }
            let result = run.emit(rule, compiled);
            if flat {
                run.literals.pop();
            }
            result
        });
        run.deriving = false;
        result
    })
}
