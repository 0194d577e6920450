//! Semi-naive evaluation, component by component, in rounds.
//!
//! Invariant: at the end of a component, each instance of its rules has been handled once, and its domains are
//! complete.

use super::compile::{CompiledRule, Growing, body_is_late, is_late};
use super::domain::table::Row;
use super::improve::exclusion;
use super::improve::unfolding;
use super::improve::{self, Projected};
use super::instantiate::Instantiator;
use super::join::plan::{self, PlanStep, Source};
use super::sink::Sink;
use super::state::Flow;
use asp_base::map::Map;
use asp_base::symbol::Symbols;
use asp_rewrite::dependency::{Components, rule_reads};
use asp_rewrite::improve::sharing::Shared;
use asp_rewrite::predicate::PredId;
use asp_rewrite::rule::{Atom, Head, Literal, Rule, Var, literal_vars};
use asp_syntax::ast::Sign;

/// Grounds all components.
pub(super) fn run_all(run: &mut Instantiator<'_>, rules: &[Rule], components: &Components) -> Flow {
    for pred in run.machine.state.domains.indices() {
        run.make_old(pred);
    }
    let once = |c: usize, r: &Rule| {
        let grows = |p: PredId| components.members[c].binary_search(&p).is_ok();
        !r.body.iter().any(|l| matches!(l, Literal::Atom(Sign::None, a) if grows(a.pred)))
    };
    let in_order = components.rules.iter().enumerate();
    let candidates: Vec<&Rule> = in_order
        .flat_map(|(c, numbers)| numbers.iter().map(move |&i| (c, &rules[i as usize])))
        .filter(|(c, r)| r.vars.len() > 1 && once(*c, r))
        .map(|(_, r)| r)
        .collect();
    run.shared = Shared::new(&candidates, run.machine.state.options.rewritings);
    // Where statements have an order of their own, nothing waits: rules of one predicate may lie in several components.
    let may_wait = components.cycles.is_empty() && !run.machine.state.parity.by_statements();
    let mut waiting: Vec<usize> = Vec::new();
    let mut cycles = components.cycles.iter().peekable();
    for (c, numbers) in components.rules.iter().enumerate() {
        if cycles.peek().is_some_and(|(range, _)| range.end == c) {
            run.machine.state.parity.set_cycle(None);
            cycles.next();
        }
        if let Some((_, predicates)) = cycles.peek().filter(|(range, _)| range.start == c) {
            run.machine.state.parity.set_cycle(Some((c as u32, predicates)));
        }
        let own: Vec<&Rule> = numbers.iter().map(|&i| &rules[i as usize]).collect();
        if may_wait && run.readers.may_wait(&own, &mut run.machine.state) {
            waiting.push(c);
            continue;
        }
        for before in needed(&mut waiting, c, rules, components) {
            run_one(run, before, rules, components)?;
        }
        run_one(run, c, rules, components)?;
    }
    waiting.into_iter().try_for_each(|c| run_one(run, c, rules, components))
}

/// Takes the waiting components that a component reads, directly or through others, in order.
fn needed(waiting: &mut Vec<usize>, c: usize, rules: &[Rule], components: &Components) -> Vec<usize> {
    if waiting.is_empty() {
        return Vec::new();
    }
    let mut needed = vec![c];
    // Components that this one reads come before it.
    for &w in waiting.iter().rev() {
        let mut reads = false;
        let all = needed.iter().flat_map(|&n| &components.rules[n]);
        all.for_each(|&i| {
            let component = |p: PredId| components.of_predicate.get(p.0 as usize).copied();
            rule_reads(&rules[i as usize], &mut |p, _| reads |= component(p) == Some(w as u32));
        });
        if reads {
            needed.push(w);
        }
    }
    waiting.retain(|w| !needed.contains(w));
    needed.remove(0);
    needed.reverse();
    needed
}

/// Grounds one component.
fn run_one(run: &mut Instantiator<'_>, c: usize, rules: &[Rule], components: &Components) -> Flow {
    let members = &components.members[c];
    let of = |p: PredId| members.binary_search(&p).is_ok();
    run.machine.state.pending.component = c as u32;
    let own: Vec<&Rule> = components.rules[c].iter().map(|&i| &rules[i as usize]).collect();
    let completes = |p: PredId| components.of_predicate[p.0 as usize] == c as u32;
    if !own.is_empty() {
        let cut = improve::recursion::cut(run, &own, &of)?;
        let own: Vec<&Rule> = cut.as_ref().map_or(own, |cut| cut.iter().collect());
        let projected = match members.iter().all(|&p| completes(p)) {
            true => improve::project_growing(run, &own, &of),
            false => None,
        };
        match projected {
            Some(projected) => run_projected(run, projected, members, &of)?,
            None => run_component(run, &own, members, &of)?,
        }
    }
    for &pred in members {
        run.make_old(pred);
        // Unfolded predicates have no atoms: nothing may be concluded from that.
        let is_unfolded = run.readers.unfolded.get(&pred) == Some(&true);
        run.machine.state.complete[pred] = completes(pred) && !is_unfolded;
    }
    Ok(())
}

/// Runs a component with auxiliary predicates of its own.
fn run_projected(
    run: &mut Instantiator<'_>,
    projected: Projected,
    members: &[PredId],
    inside: &dyn Fn(PredId) -> bool,
) -> Flow {
    let rules: Vec<&Rule> = projected.rules.iter().collect();
    let added: Vec<PredId> = projected.definitions.iter().map(|d| d.pred).collect();
    run_component(run, &rules, &[members, &added].concat(), &|p| inside(p) || added.contains(&p))?;
    for &pred in &added {
        run.make_old(pred);
        run.machine.state.complete[pred] = true;
    }
    run.shared.definitions.extend(projected.definitions);
    Ok(())
}

/// A rule with the positions of its literals over growing domains.
struct Recursive<'a> {
    rule: &'a Rule,
    compiled: CompiledRule,
    literals: Vec<usize>,
    /// Plans by literal, with the number of rows that they were made for.
    plans: Vec<(u64, Vec<PlanStep>)>,
}

fn run_component(
    run: &mut Instantiator<'_>,
    rules: &[&Rule],
    members: &[PredId],
    inside: &dyn Fn(PredId) -> bool,
) -> Flow {
    let pending = run.machine.state.pending;
    let by_statements = run.machine.state.parity.by_statements();
    let reads = |a: &Atom, symbols: &Symbols| {
        inside(a.pred) && (!by_statements || pending.may_derive(a.pred, &a.args, symbols))
    };
    // A rule that waits in vain leaves an external atom as it is.
    let grows = Growing { reads: &reads, reserves: !by_statements };
    let own_literals = |rule: &Rule| -> Vec<usize> {
        let own = |l: &Literal| matches!(l, Literal::Atom(Sign::None, a) if inside(a.pred));
        rule.body.iter().enumerate().filter(|(_, l)| own(l)).map(|(i, _)| i).collect()
    };
    let mut recursive: Vec<Recursive<'_>> = Vec::new();
    let mut late: Vec<&Rule> = Vec::new();
    // Rules that derive the atoms of late heads while the component grows: the body joined with each element's
    // condition.
    let mut flat: Vec<Rule> = Vec::new();
    let mut growing_late: Vec<&Rule> = Vec::new();
    for &rule in rules {
        let literals = own_literals(rule);
        if is_late(rule, grows, run.machine.state.symbols) {
            late.push(rule);
            let has_guards = matches!(&rule.head, Head::Aggregate { guards, .. } if !guards.is_empty());
            if body_is_late(rule, grows, run.machine.state.symbols) || has_guards && by_statements {
                growing_late.push(rule);
            } else {
                flatten(rule, &mut flat);
            }
        } else if literals.is_empty() && projected(run, rule).is_some() {
            run_projection(run, rule)?;
        } else if literals.is_empty() {
            run_once(run, rule)?;
        } else {
            let compiled = run.compile(rule, grows);
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
        let compiled = run.compile(rule, grows);
        let plans = vec![(0, Vec::new()); literals.len()];
        recursive.push(Recursive { rule, compiled, literals, plans });
    }
    for rule in flat_once {
        let compiled = run.compile(rule, grows);
        let steps = run.whole_plan(rule, &compiled);
        run.run(rule, &compiled, &steps, Sink::derive(rule.source, false))?;
    }
    for &pred in members {
        run.machine.state.domains[pred].old_end = 0;
        run.machine.state.domains[pred].delta_end = 0;
    }
    let mut readers: Map<PredId, Vec<usize>> = Map::default();
    for (number, r) in recursive.iter().enumerate() {
        for &i in &r.literals {
            if let Literal::Atom(_, atom) = &r.rule.body[i] {
                readers.entry(atom.pred).or_default().push(number);
            }
        }
    }
    // The predicates that may have a new delta or have an old one.
    let mut touched: Vec<PredId> = members.to_vec();
    let mut rows = 0;
    let mut first = true;
    loop {
        let mut due: Vec<usize> = Vec::new();
        let mut grown: Vec<PredId> = Vec::new();
        for pred in touched {
            let domain = &mut run.machine.state.domains[pred];
            if domain.advance() {
                domain.update_indexes(run.machine.state.symbols);
                rows += u64::from(domain.delta_end - domain.old_end);
                due.extend(readers.get(&pred).into_iter().flatten());
                grown.push(pred);
            }
        }
        if grown.is_empty() && !first {
            break;
        }
        first = false;
        due.sort_unstable();
        due.dedup();
        touched = grown;
        let ran = due.iter().map(|&number| recursive[number].rule).chain(growing_late.iter().copied());
        ran.for_each(|rule| rule.head.for_each_atom(&mut |a| touched.push(a.pred)));
        touched.sort_unstable();
        touched.dedup();
        for number in due {
            let r = &mut recursive[number];
            for k in 0..r.literals.len() {
                let delta = r.literals[k];
                let Literal::Atom(_, atom) = &r.rule.body[delta] else { continue };
                let from = projected(run, r.rule).unwrap_or(0);
                let domain = &mut run.machine.state.domains[atom.pred];
                let old_end = domain.old_end;
                if old_end.max(from) >= domain.delta_end {
                    continue;
                }
                domain.old_end = old_end.max(from);
                if r.plans[k].1.is_empty() || rows > 8 * r.plans[k].0 {
                    let literals = &r.literals;
                    let source = |i: usize| match literals.binary_search(&i) {
                        Ok(_) if i == delta => Source::Delta,
                        Ok(_) if i < delta => Source::Old,
                        _ => Source::All,
                    };
                    let mut bound = vec![false; r.rule.vars.len()];
                    let (body, once) = (&r.rule.body, &r.compiled.once);
                    let mut context = run.context();
                    let steps =
                        plan::compile(body, &mut bound, once, &source, Some(delta), false, &mut context);
                    let order = context.order;
                    run.note_order(r.rule, &order, Some(delta));
                    r.plans[k] = (rows, steps);
                }
                let source = r.rule.source;
                let sink =
                    if number < flat_start { Sink::write(source) } else { Sink::derive(source, false) };
                run.run(r.rule, &r.compiled, &r.plans[k].1, sink)?;
                run.machine.state.domains[atom.pred].old_end = old_end;
            }
        }
        for rule in &growing_late {
            let compiled = run.compile(rule, grows);
            let steps = run.whole_plan(rule, &compiled);
            run.run(rule, &compiled, &steps, Sink::derive(rule.source, true))?;
        }
        run.machine.state.poll()?;
    }
    debug_assert!(
        members.iter().all(|&p| !run.machine.state.domains[p].advance()),
        "a predicate grew unseen"
    );
    for &pred in members {
        run.make_old(pred);
        run.machine.state.domains[pred].update_indexes(run.machine.state.symbols);
    }
    recursive.iter().for_each(|r| note_projected(run, r.rule));
    for rule in late {
        let compiled = run.compile(rule, grows);
        let steps = run.whole_plan(rule, &compiled);
        run.run(rule, &compiled, &steps, Sink::write(rule.source))?;
    }
    Ok(())
}

/// Runs a rule that reads complete domains only.
fn run_once(run: &mut Instantiator<'_>, rule: &Rule) -> Flow {
    let unfolded = unfolding::apply(run, rule);
    for rule in unfolded.as_deref().unwrap_or(std::slice::from_ref(rule)) {
        if !run.account(rule, |run| exclusion::try_rule(run, rule))? {
            improve::run_rule(run, rule)?;
        }
    }
    Ok(())
}

/// How many rows a projection's rule has projected in earlier calls; `None` for any other rule.
fn projected(run: &Instantiator<'_>, rule: &Rule) -> Option<Row> {
    let Head::Atom(head) = &rule.head else { return None };
    run.machine.state.predicates[head.pred].projected
}

/// Runs a projection's rule over the rows that are new since it last ran.
fn run_projection(run: &mut Instantiator<'_>, rule: &Rule) -> Flow {
    let Some(Literal::Atom(_, atom)) = rule.body.first() else { return Ok(()) };
    let from = projected(run, rule).unwrap_or(0);
    let state = &mut run.machine.state;
    let domain = &mut state.domains[atom.pred];
    if from < domain.len() {
        domain.old_end = from;
        domain.update_indexes(state.symbols);
        let compiled = run.compile(rule, Growing::NOTHING);
        let mut bound = vec![false; rule.vars.len()];
        let source = |_| Source::Delta;
        let mut context = run.context();
        let steps =
            plan::compile(&rule.body, &mut bound, &compiled.once, &source, Some(0), false, &mut context);
        let order = context.order;
        run.note_order(rule, &order, (from > 0).then_some(0));
        run.run(rule, &compiled, &steps, Sink::write(rule.source))?;
        run.make_old(atom.pred);
    }
    note_projected(run, rule);
    Ok(())
}

/// Records how many rows a projection's rule has projected.
fn note_projected(run: &mut Instantiator<'_>, rule: &Rule) {
    let (Head::Atom(head), Some(Literal::Atom(_, atom))) = (&rule.head, rule.body.first()) else { return };
    let state = &mut run.machine.state;
    let rows = state.domains[atom.pred].len();
    if let Some(projected) = &mut state.predicates[head.pred].projected {
        *projected = rows;
    }
}

/// One rule for each element of a late head: body and condition derive the element's atom.
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
