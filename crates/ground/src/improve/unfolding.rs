//! Applies [`asp_rewrite::improve::unfolding`] and [`asp_rewrite::improve::sums`] to a rule before all others.
//!
//! Invariant: the rules of a predicate are left out only if each constraint that reads it is unfolded. A constraint may have
//! several predicates unfolded: each decision builds on those before.

use crate::domain::Domain;
use crate::instantiate::Instantiator;
use asp_base::index_vec::IndexVec;
use asp_base::symbol::Symbols;
use asp_rewrite::improve::sums::{self, Columns};
use asp_rewrite::improve::{Rewriting, outlook, unfolding};
use asp_rewrite::predicate::PredId;
use asp_rewrite::rule::{Atom, Head, Rule};

/// The domains and whether they are complete.
struct Known<'a> {
    domains: &'a IndexVec<PredId, Domain>,
    complete: &'a IndexVec<PredId, bool>,
}

impl Columns for Known<'_> {
    fn is_complete(&self, pred: PredId) -> bool {
        self.complete[pred]
    }
    fn range(&self, pred: PredId, column: usize, symbols: &Symbols) -> Option<(i64, i64)> {
        self.domains[pred].range(column, symbols)
    }
}

/// The rules to run in place of one, if it changes.
pub(crate) fn apply(run: &mut Instantiator<'_>, rule: &Rule) -> Option<Vec<Rule>> {
    if let Head::Atom(head) = &rule.head
        && is_unfolded(run, head.pred)
    {
        note(run, Rewriting::Unfolding, rule, &[]);
        return Some(Vec::new());
    }
    let unfolded = unfold(run, rule);
    if let Some(unfolded) = &unfolded {
        note(run, Rewriting::Unfolding, rule, unfolded);
    }
    let mut any = unfolded.is_some();
    let mut out = Vec::new();
    for rule in unfolded.unwrap_or_else(|| vec![rule.clone()]) {
        match merged(run, &rule) {
            Some(merged) => {
                note(run, Rewriting::Sums, &rule, &merged);
                any = true;
                out.extend(merged);
            }
            None => out.push(rule),
        }
    }
    any.then_some(out)
}

/// A rule with its compared sums merged.
fn merged(run: &mut Instantiator<'_>, rule: &Rule) -> Option<Vec<Rule>> {
    let keeps = !matches!(rule.head, Head::Constraint)
        && (run.readers.have_objective || run.readers.keeps_instances(rule));
    let state = &mut run.machine.state;
    if !state.options.rewritings.has(Rewriting::Sums) || keeps {
        return None;
    }
    let known = Known { domains: &*state.domains, complete: &state.complete };
    sums::merged(rule, &known, state.symbols)
}

/// A constraint with the bodies of definitions in place of what it reads.
fn unfold(run: &mut Instantiator<'_>, rule: &Rule) -> Option<Vec<Rule>> {
    if !matches!(rule.head, Head::Constraint) || !may_unfold(run) {
        return None;
    }
    let rules = run.readers.rules;
    let mut preds: Vec<PredId> = unfolding::reads(rule).collect();
    preds.dedup();
    let hidden: Vec<PredId> = preds.iter().copied().filter(|&p| is_unfolded(run, p)).collect();
    let with = |run: &Instantiator<'_>, preds: &[PredId]| {
        unfolding::unfold(rule, &|a: &Atom| {
            let numbers = run.readers.hidden.definition(a.pred).filter(|_| preds.contains(&a.pred))?;
            Some(numbers.iter().map(|&i| &rules[i]).collect())
        })
    };
    // Sums that are joined by a comparison are merged even if answers show them.
    let assigns = |run: &Instantiator<'_>, p: PredId| {
        let numbers = run.readers.hidden.definition(p);
        numbers.is_some_and(|n| n.len() == 1 && sums::count(&rules[n[0]].body) > 0)
    };
    let both: Vec<PredId> = preds.into_iter().filter(|&p| hidden.contains(&p) || assigns(run, p)).collect();
    let several = unfolding::reads(rule).filter(|&p| assigns(run, p)).count() > 1;
    if several
        && both.len() > hidden.len()
        && let Some(found) = with(run, &both)
    {
        let all =
            found.iter().all(|r| merged(run, r).is_some_and(|m| m.iter().all(|r| sums::count(&r.body) == 0)));
        if all {
            return Some(found);
        }
    }
    // What was decided for all readers at once has been tried with this one, together with what was decided before.
    let found = with(run, &hidden);
    debug_assert_eq!(found.is_some(), !hidden.is_empty(), "a constraint reads a predicate without rules");
    found
}

fn may_unfold(run: &Instantiator<'_>) -> bool {
    let state = &run.machine.state;
    state.options.rewritings.has(Rewriting::Unfolding) && !state.parity.by_statements()
}

/// Whether the rules of a predicate are left out, because its readers have their bodies instead.
fn is_unfolded(run: &mut Instantiator<'_>, pred: PredId) -> bool {
    if let Some(&known) = run.readers.unfolded.get(&pred) {
        return known;
    }
    let found = may_unfold(run) && decide(run, pred).unwrap_or(false);
    run.readers.unfolded.insert(pred, found);
    found
}

fn decide(run: &mut Instantiator<'_>, pred: PredId) -> Option<bool> {
    let rules = run.readers.rules;
    let readers = run.readers.hidden.constraints(pred, rules)?;
    let own: Vec<&Rule> = run.readers.hidden.definition(pred)?.iter().map(|&i| &rules[i]).collect();
    let is_known = |run: &Instantiator<'_>, p: PredId| {
        run.machine.state.complete[p] || run.readers.hidden.constraints(p, rules).is_some()
    };
    if !readers.iter().all(|&r| unfolding::reads(&rules[r]).all(|p| is_known(run, p))) {
        return None;
    }
    let assigns = own.iter().any(|r| sums::count(&r.body) > 0);
    let mut now = 0.0;
    for &reader in &readers {
        let taken = |p: PredId| p == pred || run.readers.unfolded.get(&p) == Some(&true);
        let found = unfolding::unfold(&rules[reader], &|a: &Atom| {
            let numbers = run.readers.hidden.definition(a.pred).filter(|_| taken(a.pred))?;
            Some(numbers.iter().map(|&i| &rules[i]).collect())
        })?;
        for rule in &found {
            if assigns {
                let merged = merged(run, rule)?;
                if merged.iter().any(|r| sums::count(&r.body) > sums::count(&rules[reader].body)) {
                    return None;
                }
            }
            now += outlook::work(rule, &mut run.machine.state);
        }
    }
    let state = &mut run.machine.state;
    if state.options.rewritings.is_eager() || assigns {
        return Some(true);
    }
    let (mut was, mut rows) = (0.0, 0.0);
    for rule in own {
        was += outlook::work(rule, state);
        rows += outlook::instances(rule, state);
    }
    was += rows * readers.len() as f64;
    Some(now <= was && was - now >= unfolding::MIN_SAVED)
}

/// Records a rewriting.
fn note(run: &mut Instantiator<'_>, rewriting: Rewriting, rule: &Rule, became: &[Rule]) {
    let state = &run.machine.state;
    if !state.options.explain {
        return;
    }
    let became = became.iter().map(|r| state.print(r)).collect();
    run.recorder.journal.rewritten.push(state.rewritten(rewriting.name(), rule, became));
}
