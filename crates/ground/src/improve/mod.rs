//! Applies the rewritings of [`asp_rewrite::improve`] to a rule that reads complete domains only.
//!
//! Invariant: counting the instances of the original rule changes nothing but the journal.

pub(super) mod chase;
mod demand;
pub(super) mod exclusion;
mod free;
pub(super) mod functional;
pub(super) mod lazy;
pub(super) mod recursion;
mod threshold;
pub(super) mod unfolding;

use self::threshold::Why;
use super::compile::Growing;
use super::instantiate::Instantiator;
use super::options::GroundOptions;
use super::sink::Sink;
use super::state::{Flow, Halt, State};
use asp_base::interrupt::StopReason;
use asp_base::symbol::Symbols;
use asp_program::journal::{Count, Journal, Large, Rewritten};
use asp_rewrite::improve::chase::Chased;
use asp_rewrite::improve::cut::{self, Body};
use asp_rewrite::improve::equations::{self, May};
use asp_rewrite::improve::sharing::{self, Definition};
use asp_rewrite::improve::{
    Rewriting, Rewritings, Sizes, decomposition, denial, outlook, partial_sums, projection, symmetry,
};
use asp_rewrite::predicate::{PredId, Predicates};
use asp_rewrite::print;
use asp_rewrite::rule::{Literal, Rule};
use asp_rewrite::safety;
use asp_syntax::ast::Sign;

/// Instances of the original rule are counted up to this number, for the report.
const MAX_COUNTED: u64 = 2_000_000;
/// From this many expected instances on, a rule is reported as large.
const MIN_LARGE: f64 = 1_000_000.0;
/// Estimates may be wrong: without a try, a constraint is kept only if this many times too many instances are expected.
const CERTAIN: f64 = 20.0;

/// The rewritings applied to a rule, for the journal.
#[derive(Debug, Default)]
struct History {
    names: Vec<&'static str>,
    rules: Vec<String>,
}

impl History {
    fn add(&mut self, rewriting: Rewriting) {
        if !self.names.contains(&rewriting.name()) {
            self.names.push(rewriting.name());
        }
    }
}

/// Turns rules that only their own head stops into constraints. `stays`: predicates that are skipped.
pub(super) fn deny(
    rules: &mut [Rule],
    stays: impl Fn(PredId) -> bool,
    predicates: &Predicates,
    symbols: &Symbols,
    journal: Option<&mut Journal>,
) {
    let mut entries = Vec::new();
    denial::apply(rules, stays, |rule, constraint| {
        if journal.is_some() {
            let name = Rewriting::Denial.name().to_string();
            let was = print::rule(rule, predicates, symbols);
            let became = vec![print::rule(constraint, predicates, symbols)];
            entries.push(Rewritten { name, span: rule.span, was, became, instances: None, expected: None });
        }
    });
    if let Some(journal) = journal {
        journal.rewritten.append(&mut entries);
    }
}

/// The rules of a component with what they read of its own predicates projected.
pub(super) struct Projected {
    pub(super) rules: Vec<Rule>,
    pub(super) definitions: Vec<Definition>,
}

/// Projects what the rules of a component read of its own predicates, if its values would multiply. Only in the first call:
/// later, the auxiliary predicates would begin with all atoms of earlier calls.
pub(super) fn project_growing(
    run: &mut Instantiator<'_>,
    rules: &[&Rule],
    grows: &dyn Fn(PredId) -> bool,
) -> Option<Projected> {
    let state = &mut run.machine.state;
    if !state.options.rewritings.has(Rewriting::Projection) || state.first_atom.0 > 0 {
        return None;
    }
    let mut definitions: Vec<Definition> = Vec::new();
    let (mut projected, mut changed) = (Vec::new(), Vec::new());
    for &rule in rules {
        let mut left: Option<Rule> = None;
        let mut became = Vec::new();
        let whole = run.readers.keeps_whole(rule);
        while !whole
            && let Some((i, scope)) = projection::find_growing(left.as_ref().unwrap_or(rule), grows, state)
        {
            let now = left.as_ref().unwrap_or(rule);
            let known = definitions.iter().find_map(|d| Some((d.pred, d.in_place_of(&now.body[i], &scope)?)));
            let pred = match known {
                Some((pred, _)) => pred,
                None => state.add_auxiliary(scope.len()),
            };
            let (part, mut rest) = cut::apply(now, &[i], &scope, pred);
            match (known, &mut rest.body[0]) {
                (Some((_, args)), Literal::Atom(_, atom)) => atom.args = args,
                _ => {
                    became.push(state.print(&part));
                    definitions.push(Definition { pred, scope, body: part.body.clone() });
                    projected.push(part);
                }
            }
            left = Some(rest);
        }
        let Some(rest) = left else {
            projected.push(rule.clone());
            continue;
        };
        if state.options.explain {
            became.push(state.print(&rest));
            changed.push(state.rewritten(Rewriting::Projection.name(), rule, became));
        }
        projected.push(rest);
    }
    run.recorder.journal.rewritten.append(&mut changed);
    (!definitions.is_empty()).then_some(Projected { rules: projected, definitions })
}

/// Runs a rule that reads complete domains only, after applying suitable rewritings.
pub(super) fn run_rule(run: &mut Instantiator<'_>, rule: &Rule) -> Flow {
    let &GroundOptions { rewritings, lazy, .. } = run.machine.state.options;
    let is_small = rule.vars.len() < 2 || rule.body.len() < 2;
    if is_small && lazy != Some(0) {
        return run.run_whole(rule);
    }
    if is_small || rewritings == Rewritings::none() {
        return run_large(run, rule);
    }
    let (instances, mut history, mut times) =
        (run.machine.state.progress.instances, History::default(), None);
    let mut rewritten = None;
    let mut is_free = false;
    match chase::chased(run, rule) {
        Some(Chased::Dead) => {
            history.add(Rewriting::Chase);
            return tell(run, rule, &[], (instances, history, None));
        }
        Some(Chased::Rule(chased)) if !may_equate(run, rule) => {
            let (chased, free) = *chased;
            history.add(Rewriting::Chase);
            let freed = free.filter(|free| may_cut(run, free, &chased));
            is_free = freed.is_some();
            rewritten = Some(freed.unwrap_or(chased));
        }
        _ => {}
    }
    let whole = rule;
    let chased = rewritten.take();
    let rule = chased.as_ref().unwrap_or(rule);
    if rewritings.has(Rewriting::Demand)
        && let Some(restricted) = demand::restrict(run, rule)?
    {
        history.add(Rewriting::Demand);
        history.rules = restricted.told;
        rewritten = restricted.rule;
        if rewritten.is_none() {
            return tell(run, whole, &[], (instances, history, times));
        }
    }
    if rewritings.has(Rewriting::Symmetry)
        && !is_free
        && let Some((ordered, each)) = symmetry::order(rewritten.as_ref().unwrap_or(rule))
    {
        history.add(Rewriting::Symmetry);
        times = each.filter(|_| rewritten.is_none());
        rewritten = Some(ordered);
    }
    let (sums, is_kept) = match equate(run, rewritten.as_ref().unwrap_or(rule), &mut history)? {
        Equated::Kept => (None, true),
        Equated::No => (None, false),
        Equated::Sums(sums) => (Some(sums), false),
    };
    times = times.filter(|_| sums.is_none());
    let mut rules = sums.or(rewritten.map(|r| vec![r])).unwrap_or_default();
    if is_kept || rules.len() < 2 && sooner(run, rules.first().unwrap_or(rule), None)? {
        if history.names.is_empty() {
            return Ok(());
        }
        return tell(run, whole, &rules, (instances, history, None));
    }
    if rules.len() < 2
        && !run.readers.keeps_whole(rule)
        && let Some(cut) = cut_up(run, rules.first().unwrap_or(rule), &mut history)?
    {
        (rules, times) = (vec![cut], None);
    }
    if rewritings.has(Rewriting::PartialSums)
        && rules.len() < 2
        && !run.readers.keeps_instances(rule)
        && let Some(bounded) = bound_parts(run, rules.first().unwrap_or(rule), &mut history)
    {
        times = if rules.is_empty() { Some(1) } else { times };
        rules = vec![bounded];
    }
    if let (true, Some(chased)) = (rules.is_empty(), &chased) {
        (rules, times) = (vec![chased.clone()], None);
    }
    if rules.is_empty() {
        return run_large(run, rule);
    }
    rules.iter().try_for_each(|rule| run_large(run, rule))?;
    tell(run, whole, &rules, (instances, history, times.filter(|_| chased.is_none())))
}

/// The state of grounding, and what a rewriting has found out besides.
struct Knowledge<'k, 'a, T> {
    state: &'k mut State<'a>,
    found: T,
}

impl<T> Sizes for Knowledge<'_, '_, T> {
    fn is_complete(&self, pred: PredId) -> bool {
        self.state.is_complete(pred)
    }
    fn is_all_facts(&self, pred: PredId) -> bool {
        self.state.is_all_facts(pred)
    }
    fn rows(&self, pred: PredId) -> f64 {
        self.state.rows(pred)
    }
    fn distinct(&mut self, pred: PredId, column: usize) -> f64 {
        self.state.distinct(pred, column)
    }
}

/// Whether a rule may become one with sums as it stands.
fn may_equate(run: &mut Instantiator<'_>, rule: &Rule) -> bool {
    let rewritings = run.machine.state.options.rewritings;
    let may = May { eager: rewritings.is_eager(), split: false };
    let mut known = Knowledge { state: &mut run.machine.state, found: &mut run.functional };
    let may_change = rewritings.has(Rewriting::Equations) && !run.readers.keeps_instances(rule);
    may_change && equations::recognise(rule, &mut known, may).is_some()
}

/// Whether a rule without comparisons may be cut so that it is much less work than with them.
fn may_cut(run: &mut Instantiator<'_>, free: &Rule, rule: &Rule) -> bool {
    let state = &mut run.machine.state;
    let rewritings = state.options.rewritings;
    if !rewritings.has(Rewriting::Decomposition) {
        return false;
    }
    let body = Body::new(free, state, rewritings.is_eager());
    let cut = body.and_then(|body| decomposition::find(free, &body));
    cut.is_some_and(|cut| rewritings.is_eager() || cut.work * 3.0 <= outlook::work(rule, state))
}

/// Keeps a constraint for the search before it is cut, if cuts would leave too much of it; if it would become sums otherwise, it
/// is not cut.
fn sooner(run: &mut Instantiator<'_>, rule: &Rule, sums: Option<usize>) -> Result<bool, Halt> {
    let state = &mut run.machine.state;
    let rewritings = state.options.rewritings;
    let Some(least) = state.options.lazy else { return Ok(false) };
    let Some(all) = lazy::expected(rule, state).filter(|&all| all >= least as f64) else { return Ok(false) };
    if let Some(sums) = sums {
        return match threshold::in_place_of_sums(run, rule, sums) {
            Some(why) => lazy::keep(run, rule, all, why),
            None => Ok(false),
        };
    }
    let Some((_, why)) = threshold::threshold(run, rule, all).filter(|t| t.0 == least) else {
        return Ok(false);
    };
    let state = &mut run.machine.state;
    if least > 0 {
        let Some(body) = Body::new(rule, state, rewritings.is_eager()) else { return Ok(false) };
        let cuts = [projection::find(rule, &body), decomposition::find(rule, &body)];
        if cuts.iter().flatten().any(|cut| cut.work < least as f64) {
            return Ok(false);
        }
    }
    lazy::keep(run, rule, all, why)
}

/// Runs a rule as it is; if many instances are expected, records why.
fn run_large(run: &mut Instantiator<'_>, rule: &Rule) -> Flow {
    let state = &mut run.machine.state;
    let expected = outlook::instances(rule, state);
    if state.options.lazy.is_some()
        && let Some(all) = lazy::expected(rule, state)
        && let Some((least, why)) = threshold::threshold(run, rule, all)
    {
        let is_sure = all >= CERTAIN * least as f64 || !lazy::is_plain(rule) && all >= least as f64;
        if is_sure && lazy::keep(run, rule, all, why)? {
            return Ok(());
        }
        if least > 0 && lazy::is_plain(rule) {
            return run_most(run, rule, (least, why), all);
        }
    }
    run_all(run, rule, expected)
}

/// Runs a constraint until it has too many instances; then it is kept for the search instead.
fn run_most(run: &mut Instantiator<'_>, rule: &Rule, (most, why): (u64, Why), expected: f64) -> Flow {
    let state = &mut run.machine.state;
    let (instances, rules) = (state.progress.instances, state.program.rules.len());
    state.progress.most = instances.saturating_add(most);
    let result = run_all(run, rule, expected);
    let state = &mut run.machine.state;
    state.progress.most = u64::MAX;
    if result != Err(Halt::TooMany) {
        return result;
    }
    state.program.rules.truncate(rules);
    state.progress.instances = instances;
    state.progress.outlook = None;
    match lazy::keep(run, rule, expected.max(most as f64), why)? {
        true => Ok(()),
        false => run_all(run, rule, expected),
    }
}

/// Instantiates a rule as it stands.
fn run_all(run: &mut Instantiator<'_>, rule: &Rule, expected: f64) -> Flow {
    let state = &mut run.machine.state;
    if expected < MIN_LARGE {
        return run.run_whole(rule);
    }
    let why = match state.options.rewritings == Rewritings::none() {
        true => "all rewritings are switched off (`--rewrite=none`)".to_string(),
        false => outlook::why(rule, state.predicates, state.symbols),
    };
    state.progress.outlook = Some((expected as u64, why.clone()));
    let before = state.progress.instances;
    let result = run.run_whole(rule);
    let state = &mut run.machine.state;
    let is_told = state.options.rewritings != Rewritings::none() && result != Err(Halt::TooMany);
    if state.options.explain && is_told {
        let (made, expected) = (state.progress.instances - before, expected as u64);
        let rule = (rule.span, state.print(rule));
        run.recorder.journal.large.push(Large { span: rule.0, rule: rule.1, expected, made, why });
    }
    if result.is_ok() {
        run.machine.state.progress.outlook = None;
    }
    result
}

/// Records how a rule was rewritten: the number of its instances before, and how many each new instance replaces.
fn tell(
    run: &mut Instantiator<'_>,
    rule: &Rule,
    rewritten: &[Rule],
    (instances, mut history, times): (u64, History, Option<u64>),
) -> Flow {
    if run.machine.state.options.explain {
        let expected = Some(outlook::instances(rule, &mut run.machine.state) as u64);
        let after = run.machine.state.progress.instances - instances;
        let before = match times {
            Some(times) => Count::Exactly(after * times),
            None => count(run, rule)?,
        };
        let state = &run.machine.state;
        history.rules.extend(rewritten.iter().map(|r| state.print(r)));
        let entry = state.rewritten(history.names.join(", "), rule, history.rules);
        let instances = Some((before, after));
        run.recorder.journal.rewritten.push(Rewritten { instances, expected, ..entry });
    }
    Ok(())
}

/// Bounds the parts of long sums.
fn bound_parts(run: &mut Instantiator<'_>, rule: &Rule, history: &mut History) -> Option<Rule> {
    let state = &mut run.machine.state;
    let domains = &*state.domains;
    let range = |pred: PredId, column: usize, symbols: &Symbols| domains[pred].range(column, symbols);
    let bounded = partial_sums::bounded(rule, &range, state.symbols)?;
    history.add(Rewriting::PartialSums);
    Some(bounded)
}

/// The outcome of rewriting the comparisons of a rule.
enum Equated {
    /// They stay.
    No,
    /// Sums do not say them well enough, so the constraint is kept for the search.
    Kept,
    /// The rules with sums.
    Sums(Vec<Rule>),
}

/// Joins functional atoms by sums, if that pays.
fn equate(run: &mut Instantiator<'_>, rule: &Rule, history: &mut History) -> Result<Equated, Halt> {
    let rewritings = run.machine.state.options.rewritings;
    if !rewritings.has(Rewriting::Equations) || run.readers.keeps_instances(rule) {
        return Ok(Equated::No);
    }
    // Later calls may have the same tuples.
    let split = if run.machine.state.options.answers_only {
        run.readers.splits(rule, run.machine.state.symbols)
    } else {
        None
    };
    let may = May { eager: rewritings.is_eager(), split: split.is_some() };
    let mut known = Knowledge { state: &mut run.machine.state, found: &mut run.functional };
    let Some(found) = equations::recognise(rule, &mut known, may) else { return Ok(Equated::No) };
    if sooner(run, rule, Some(found.sums()))? {
        return Ok(Equated::Kept);
    }
    let mut keys = Vec::new();
    for (pred, columns) in found.functions() {
        keys.push((pred, columns, run.functional.keys(pred, columns, &mut run.machine.state)));
    }
    let key = |pred: PredId, columns: &[usize]| {
        keys.iter().find(|k| (k.0, k.1) == (pred, columns)).map_or(pred, |k| k.2)
    };
    history.add(Rewriting::Equations);
    Ok(Equated::Sums(found.rules(rule, split, &key, run.machine.state.symbols)))
}

/// Cuts parts out of a rule as long as that pays, and runs the rules for the parts. Returns the remaining rule if
/// anything was cut. Each cut removes variables or literals, so this terminates.
fn cut_up(run: &mut Instantiator<'_>, rule: &Rule, history: &mut History) -> Result<Option<Rule>, Halt> {
    let rewritings = run.machine.state.options.rewritings;
    let mut left: Option<Rule> = None;
    loop {
        let rule = left.as_ref().unwrap_or(rule);
        let Some(body) = Body::new(rule, &mut run.machine.state, rewritings.is_eager()) else {
            return Ok(left);
        };
        if rewritings.has(Rewriting::Sharing)
            && let Some(next) = share(run, rule, &body, history)?
        {
            left = Some(next);
            continue;
        }
        let projection = rewritings.has(Rewriting::Projection).then(|| projection::find(rule, &body));
        let decomposition =
            rewritings.has(Rewriting::Decomposition).then(|| decomposition::find(rule, &body));
        let (cut, rewriting) = match (projection.flatten(), decomposition.flatten()) {
            (Some(p), Some(d)) if d.work < p.work => (d, Rewriting::Decomposition),
            (Some(p), _) => (p, Rewriting::Projection),
            (None, Some(d)) => (d, Rewriting::Decomposition),
            (None, None) => return Ok(left),
        };
        let pred = run.machine.state.add_auxiliary(cut.scope.len());
        let (part, rest) = cut::apply(rule, &cut.part, &cut.scope, pred);
        history.add(rewriting);
        let definition = Definition { pred, scope: cut.scope, body: part.body.clone() };
        define(run, &part, definition, history)?;
        left = Some(rest);
    }
}

/// Runs the rule that defines an auxiliary predicate.
fn define(run: &mut Instantiator<'_>, rule: &Rule, definition: Definition, history: &mut History) -> Flow {
    let smaller = cut_up(run, rule, history)?;
    let rule = smaller.as_ref().unwrap_or(rule);
    run.run_whole(rule)?;
    if run.machine.state.options.explain {
        history.rules.push(run.machine.state.print(rule));
    }
    run.make_old(definition.pred);
    run.machine.state.complete[definition.pred] = true;
    run.shared.definitions.push(definition);
    Ok(())
}

/// Replaces a part of a rule by an auxiliary atom that exists already, or that is worth making for several rules.
fn share(
    run: &mut Instantiator<'_>,
    rule: &Rule,
    body: &Body,
    history: &mut History,
) -> Result<Option<Rule>, Halt> {
    let mut at = 0;
    while at < run.shared.common.len() {
        let found = Definition::of(&run.shared.common[at]).replace(rule, body).is_some();
        if !found {
            at += 1;
            continue;
        }
        // Now or never: the sizes are final.
        let common = run.shared.common.remove(at);
        let eager = run.machine.state.options.rewritings.is_eager();
        if sharing::pays(&common, &mut run.machine.state, eager) {
            let pred = run.machine.state.add_auxiliary(common.scope.len());
            let (part, definition) = sharing::definition(&common, pred);
            history.add(Rewriting::Sharing);
            define(run, &part, definition, history)?;
        }
    }
    let found = run.shared.definitions.iter().find_map(|d| d.replace(rule, body));
    if found.is_some() {
        history.add(Rewriting::Sharing);
    }
    Ok(found)
}

/// Number of instances of a rule without rewritings; aggregates and incomplete domains are ignored.
fn count(run: &mut Instantiator<'_>, rule: &Rule) -> Result<Count, Halt> {
    let looked_at = |l: &&Literal| match l {
        Literal::Atom(sign, a) => *sign == Sign::None || run.machine.state.complete[a.pred],
        Literal::Compare(..) | Literal::Range(..) | Literal::False(_) => true,
        _ => false,
    };
    let body: Vec<Literal> = rule.body.iter().filter(looked_at).cloned().collect();
    if !safety::binds_all(&body, &mut vec![false; rule.vars.len()]) {
        return Ok(Count::MoreThan(0));
    }
    let once = run.compile(rule, Growing::NOTHING).once;
    let (steps, _) = run.plan(&body, &once);
    let m = &mut run.machine;
    m.start(rule.vars.len());
    let (instances, matches) = (m.state.progress.instances, m.matches);
    let mut n = 0;
    let result = m.run(&mut Sink::derive(rule.source, false), &steps, &mut |_, _| {
        n += 1;
        if n > MAX_COUNTED { Err(Halt::Stopped(StopReason::StepLimit)) } else { Ok(()) }
    });
    (m.state.progress.instances, m.matches) = (instances, matches);
    match result {
        Ok(()) => Ok(Count::Exactly(n)),
        Err(Halt::Stopped(StopReason::StepLimit)) if n > MAX_COUNTED => Ok(Count::MoreThan(MAX_COUNTED)),
        Err(halt) => Err(halt),
    }
}
