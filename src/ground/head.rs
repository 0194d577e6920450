//! Plain heads, choices and aggregates in heads: deriving atoms and writing ground rules.
//!
//! Invariant: an atom derived by a body without literals is a fact and has no rule, unless its ground atom was used
//! before that was known; a rule whose head is a fact is not written.

use super::compile::CompiledRule;
use super::machine::Machine;
use super::sink::Sink;
use super::state::{Flow, Halt};
use super::table::Row;
use crate::base::map::Map;
use crate::base::symbol::Sym;
use crate::program::ground_program::{Function, Guard, HeadAggregate, HeadElement, Relation};
use crate::program::{AtomId, Literal};
use crate::rewrite::predicate::PredId;
use crate::rewrite::rule::{Atom, Term};

/// Derives an atom from the current body.
#[inline]
pub(super) fn derive(m: &mut Machine<'_>, sink: Sink, atom: &Atom) -> Flow {
    let Some(start) = m.eval_args(&atom.args) else { return m.state.check_failure() };
    let (row, _) = m.state.domains[atom.pred].insert(&m.scratch[start..]);
    m.scratch.truncate(start);
    if m.state.domains[atom.pred].is_fact(row) {
        return Ok(());
    }
    let closed = m.literals.is_empty() && !m.state.options.open_rules;
    if closed && (sink.writes() || sink.makes_facts() && m.is_certain()) {
        m.state.make_fact(atom.pred, row, sink.source);
    } else {
        let atom = m.state.atom_of(atom.pred, row, sink.source);
        sink.rule(m.state.program, false, &[atom], &m.literals);
    }
    Ok(())
}

/// The row of a head atom under the current binding, derived by something other than a plain rule.
pub(super) fn possible(m: &mut Machine<'_>, sink: Sink, pred: PredId, args: &[Term]) -> Option<Row> {
    let start = m.eval_args(args)?;
    let (row, _) = m.state.domains[pred].insert(&m.scratch[start..]);
    m.scratch.truncate(start);
    if !m.state.domains[pred].is_fact(row) {
        m.state.atom_of(pred, row, sink.source);
    }
    Some(row)
}

/// Handles one instance of a rule with a head aggregate.
pub(super) fn aggregate(
    m: &mut Machine<'_>,
    sink: Sink,
    (function, set): (Function, bool),
    guards: &[(Relation, Term)],
    compiled: &CompiledRule,
) -> Flow {
    let mut bounds = Vec::new();
    for (relation, t) in guards {
        let Some(term) = m.eval(t) else { return m.state.check_failure() };
        bounds.push(Guard { relation: *relation, term });
    }
    let elements = elements(m, sink, compiled)?;
    if sink.writes() {
        write(m, sink, function, set, bounds, elements);
    }
    Ok(())
}

/// Derives the atoms of a head aggregate's elements; returns the elements if they are to be written.
fn elements(m: &mut Machine<'_>, mut sink: Sink, compiled: &CompiledRule) -> Result<Vec<HeadElement>, Halt> {
    let height = m.literals.len();
    let mut out = Vec::new();
    for e in &compiled.elements {
        m.run(&mut sink, &e.condition, &mut |m, sink| {
            let atom = match &e.atom {
                None => None,
                Some((pred, args)) => {
                    let Some(row) = possible(m, *sink, *pred, args) else { return m.state.check_failure() };
                    if m.state.domains[*pred].is_fact(row) { None } else { m.state.domains[*pred].atom(row) }
                }
            };
            if !sink.writes() {
                return Ok(());
            }
            let Some(start) = m.eval_args(&e.tuple) else { return m.state.check_failure() };
            let tuple = m.state.program.push_terms(&m.scratch[start..]);
            m.scratch.truncate(start);
            let condition = m.state.program.push_literals(&m.literals[height..]);
            out.push(HeadElement { tuple, atom, condition });
            Ok(())
        })?;
    }
    Ok(out)
}

fn write(
    m: &mut Machine<'_>,
    sink: Sink,
    mut function: Function,
    set: bool,
    mut guards: Vec<Guard>,
    elements: Vec<HeadElement>,
) {
    if function == Function::SumPlus {
        function = Function::Sum;
        if !narrow_to_positive(m, &mut guards, &elements) {
            sink.rule(m.state.program, false, &[], &m.literals);
            return;
        }
    }
    if !guards.is_empty() {
        let body = m.state.program.push_literals(&m.literals);
        m.state.program.head_aggregates.push(HeadAggregate {
            function,
            set,
            guards,
            elements,
            body,
            source: sink.source,
        });
        return;
    }
    // Without guards each element is a choice by itself; those without conditions share a rule.
    let mut plain: Vec<AtomId> = Vec::new();
    for e in elements {
        let Some(atom) = e.atom else { continue };
        let condition = m.state.program.literals(e.condition);
        if condition.is_empty() {
            plain.push(atom);
        } else {
            let body: Vec<Literal> = m.literals.iter().chain(condition).copied().collect();
            sink.rule(m.state.program, true, &[atom], &body);
        }
    }
    if !plain.is_empty() {
        sink.rule(m.state.program, true, &plain, &m.literals);
    }
}

/// Rewrites the guards of a `#sum+` in a head, where negative weights count: as in gringo, the values that the positive
/// weights can reach decide which guards matter, and whether they can hold at all (the result).
fn narrow_to_positive(m: &mut Machine<'_>, guards: &mut Vec<Guard>, elements: &[HeadElement]) -> bool {
    let mut tuples: Map<&[Sym], (i128, bool)> = Map::default();
    for e in elements {
        let tuple = m.state.program.terms(e.tuple);
        let weight = tuple.first().and_then(|&t| m.state.symbols.as_num(t)).unwrap_or(0);
        let certain = e.atom.is_none() && m.state.program.literals(e.condition).is_empty();
        tuples.entry(tuple).or_insert((weight.into(), false)).1 |= certain;
    }
    if tuples.values().all(|t| t.0 >= 0) {
        return true;
    }
    let positive = || tuples.values().filter(|t| t.0 > 0);
    let least: i128 = positive().filter(|t| t.1).map(|t| t.0).sum();
    let greatest: i128 = positive().map(|t| t.0).sum();
    let (mut low, mut high, mut holes) = (least, greatest, Vec::new());
    let zero = m.state.symbols.num(0);
    for g in guards.iter() {
        let Some(n) = m.state.symbols.as_num(g.term).map(i128::from) else {
            // All integers compare alike with it.
            if !g.relation.holds(m.state.symbols.cmp(zero, g.term)) {
                return false;
            }
            continue;
        };
        match g.relation {
            Relation::Less => high = high.min(n - 1),
            Relation::LessEqual => high = high.min(n),
            Relation::Greater => low = low.max(n + 1),
            Relation::GreaterEqual => low = low.max(n),
            Relation::Equal => (low, high) = (low.max(n), high.min(n)),
            Relation::NotEqual => holes.push(n),
        }
    }
    holes.sort_unstable();
    holes.iter().for_each(|&n| low += i128::from(n == low));
    holes.iter().rev().for_each(|&n| high -= i128::from(n == high));
    if low > high {
        return false;
    }
    guards.clear();
    let symbols = &mut *m.state.symbols;
    let mut guard = |relation, n: i128| {
        // An end that differs from the range's comes from a guard, and so fits.
        if let Ok(n) = i64::try_from(n) {
            guards.push(Guard { relation, term: symbols.num(n) });
        }
    };
    if low > least {
        guard(Relation::GreaterEqual, low);
    }
    if high < greatest {
        guard(Relation::LessEqual, high);
    }
    holes.dedup();
    holes.retain(|&n| low < n && n < high);
    holes.into_iter().for_each(|n| guard(Relation::NotEqual, n));
    true
}
