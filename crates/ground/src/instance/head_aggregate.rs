//! Choices and aggregates in heads: derives the atoms of the elements and writes the ground rule.
//!
//! Invariant: if no choice among the elements can meet the guards, no atom becomes possible, and the body is a constraint,
//! unless guards may be dropped later (`open_bounds`).

use super::head::possible;
use super::tuples::{ignored, no_weight};
use crate::compile::CompiledRule;
use crate::join::machine::Machine;
use crate::sink::Sink;
use crate::state::{Flow, Halt};
use asp_base::map::Map;
use asp_base::symbol::{Sym, Symbols};
use asp_program::ground_program::{Function, Guard, HeadAggregate, HeadElement, Literals, Relation, Terms};
use asp_program::intervals::sum_intervals;
use asp_program::{AtomId, Literal, Program};
use asp_rewrite::predicate::PredId;
use asp_rewrite::rule::{Head, Rule, Term};
use std::cmp::Ordering;
use std::ops::Range;

/// Handles one instance of a rule with a head aggregate.
pub(crate) fn emit(
    m: &mut Machine<'_>,
    sink: Sink,
    rule: &Rule,
    (function, set): (Function, bool),
    guards: &[(Relation, Term)],
    compiled: &CompiledRule,
) -> Flow {
    let mut bounds = Vec::new();
    for (relation, t) in guards {
        let Some(term) = m.eval(t) else { return m.state.check_failure() };
        bounds.push(Guard { relation: *relation, term });
    }
    // Non-integer weights are never derived; `narrow_to_positive` deals with negative ones.
    let counted = if function == Function::SumPlus { Function::Sum } else { function };
    if bounds.is_empty() || !sink.writes() && !m.state.parity.by_statements() {
        // Several elements without conditions are a plain choice, and so is one without a tuple, as in gringo.
        let Head::Aggregate { elements: all, .. } = &rule.head else { return Ok(()) };
        let is_choice = match &all[..] {
            [e] => e.tuple.is_empty(),
            all => all.iter().all(|e| e.condition.is_empty()),
        };
        let counted = (bounds.is_empty() && !set && !is_choice).then_some(counted);
        let elements = elements(m, sink, counted, compiled)?;
        if sink.writes() {
            write_choice(m, sink, elements, compiled);
        }
        return Ok(());
    }
    let (mut found, args) = find(m, sink, function, compiled)?;
    let first = |f: &Found| m.state.program.terms(f.tuple).first().copied();
    found.retain(|f| !counted.ignores(first(f), m.state.symbols));
    let holds = m.state.opens.bounds || can_hold(function, &found, &bounds, m.state.program, m.state.symbols);
    if !holds {
        if sink.writes() {
            sink.rule(m.state.program, false, &[], &m.literals);
        }
        return Ok(());
    }
    let derive = |f: Found| {
        let atom = f.atom.and_then(|(pred, place)| {
            let (row, _) = m.state.domains[pred].insert(&args[place]);
            let fact = m.state.domains[pred].is_fact(row);
            if fact { None } else { Some(m.state.atom_of(pred, row, sink.source)) }
        });
        HeadElement { tuple: f.tuple, atom, condition: f.condition }
    };
    let elements = found.into_iter().map(derive).collect();
    if sink.writes() {
        write(m, sink, (function, set), bounds, elements);
    }
    Ok(())
}

/// An element that is not derived yet.
struct Found {
    /// Its predicate and where its arguments are; none for a fact.
    atom: Option<(PredId, Range<usize>)>,
    tuple: Terms,
    condition: Literals,
}

/// The instances of the elements, with the arguments of their atoms.
fn find(
    m: &mut Machine<'_>,
    mut sink: Sink,
    function: Function,
    compiled: &CompiledRule,
) -> Result<(Vec<Found>, Vec<Sym>), Halt> {
    let (height, writes) = (m.literals.len(), sink.writes());
    let (mut found, mut values) = (Vec::new(), Vec::new());
    for e in &compiled.elements {
        m.run(&mut sink, &e.condition, &mut |m, _| {
            let mut atom = None;
            if let Some((pred, args)) = &e.atom {
                let Some(start) = m.eval_args(args) else { return m.state.check_failure() };
                let domain = &m.state.domains[*pred];
                if !domain.find(&m.scratch[start..]).is_some_and(|row| domain.is_fact(row)) {
                    let first = values.len();
                    values.extend_from_slice(&m.scratch[start..]);
                    atom = Some((*pred, first..values.len()));
                }
                m.scratch.truncate(start);
            }
            let Some(start) = m.eval_args(&e.tuple) else { return m.state.check_failure() };
            if function.ignores(m.scratch.get(start).copied(), m.state.symbols) && writes {
                ignored(m, e.span, start, no_weight(function == Function::SumPlus));
            }
            let tuple = m.state.program.push_terms(&m.scratch[start..]);
            m.scratch.truncate(start);
            let condition = m.state.program.push_literals(&m.literals[height..]);
            found.push(Found { atom, tuple, condition });
            Ok(())
        })?;
    }
    Ok((found, values))
}

/// Whether the range of the values that the elements can reach meets the guards. As in gringo, not every
/// value within the range need be one.
fn can_hold(
    function: Function,
    found: &[Found],
    guards: &[Guard],
    program: &Program,
    symbols: &Symbols,
) -> bool {
    // By tuple: whether it counts for certain.
    let mut tuples: Map<&[Sym], bool> = Map::default();
    for f in found {
        let tuple = program.terms(f.tuple);
        if !function.ignores(tuple.first().copied(), symbols) {
            let certain = f.atom.is_none() && program.literals(f.condition).is_empty();
            *tuples.entry(tuple).or_default() |= certain;
        }
    }
    match function {
        Function::Count | Function::Sum | Function::SumPlus => {
            let (mut least, mut greatest) = (0i128, 0i128);
            for (tuple, certain) in tuples {
                let number = || tuple.first().and_then(|&t| symbols.as_num(t)).unwrap_or(0);
                let weight = i128::from(if function == Function::Count { 1 } else { number() });
                if certain || weight < 0 {
                    least += weight;
                }
                if certain || weight > 0 {
                    greatest += weight;
                }
            }
            !sum_intervals(guards, least, greatest, symbols).is_empty()
        }
        Function::Min | Function::Max => {
            let better = |o: Ordering| if function == Function::Max { o.is_gt() } else { o.is_lt() };
            let start = if function == Function::Max { Sym::INF } else { Sym::SUP };
            let (mut certain_end, mut end) = (start, start);
            for (tuple, certain) in tuples {
                let Some(&value) = tuple.first() else { continue };
                for (at, counts) in [(&mut certain_end, certain), (&mut end, true)] {
                    if counts && better(symbols.cmp(value, *at)) {
                        *at = value;
                    }
                }
            }
            let range = if function == Function::Max { (certain_end, end) } else { (end, certain_end) };
            meets_terms(range, guards, symbols)
        }
    }
}

/// Whether some term of a range may meet all guards.
fn meets_terms((low, high): (Sym, Sym), guards: &[Guard], symbols: &Symbols) -> bool {
    // Each end with whether it is left out.
    let (mut low, mut high) = ((low, false), (high, false));
    for g in guards {
        let tighter_low = |open: bool, low: (Sym, bool)| match symbols.cmp(g.term, low.0) {
            Ordering::Greater => (g.term, open),
            Ordering::Equal => (low.0, low.1 || open),
            Ordering::Less => low,
        };
        let tighter_high = |open: bool, high: (Sym, bool)| match symbols.cmp(g.term, high.0) {
            Ordering::Less => (g.term, open),
            Ordering::Equal => (high.0, high.1 || open),
            Ordering::Greater => high,
        };
        match g.relation {
            Relation::Less => high = tighter_high(true, high),
            Relation::LessEqual => high = tighter_high(false, high),
            Relation::Greater => low = tighter_low(true, low),
            Relation::GreaterEqual => low = tighter_low(false, low),
            Relation::Equal => (low, high) = (tighter_low(false, low), tighter_high(false, high)),
            Relation::NotEqual => {}
        }
    }
    let hole = guards.iter().any(|g| g.relation == Relation::NotEqual && g.term == low.0);
    match symbols.cmp(low.0, high.0) {
        Ordering::Less => true,
        Ordering::Equal => !low.1 && !high.1 && !hole,
        Ordering::Greater => false,
    }
}

/// Derives the atoms of a head aggregate's elements, except those whose tuples the function ignores; returns the elements if
/// they are to be written.
fn elements(
    m: &mut Machine<'_>,
    mut sink: Sink,
    counted: Option<Function>,
    compiled: &CompiledRule,
) -> Result<Vec<HeadElement>, Halt> {
    let height = m.literals.len();
    let mut out = Vec::new();
    for e in &compiled.elements {
        m.run(&mut sink, &e.condition, &mut |m, sink| {
            if let Some(function) = counted {
                let Some(start) = m.eval_args(&e.tuple) else { return m.state.check_failure() };
                let first = m.scratch.get(start).copied();
                m.scratch.truncate(start);
                if function.ignores(first, m.state.symbols) {
                    return Ok(());
                }
            }
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
    (mut function, set): (Function, bool),
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
        let after = m.state.program.rules.len();
        m.state.program.head_aggregates.push(HeadAggregate {
            function,
            set,
            guards,
            elements,
            body,
            source: sink.source,
            after,
        });
        return;
    }
    let body = m.literals.clone();
    write_elements(m, sink, elements, &body, false);
}

/// Writes a choice without guards.
fn write_choice(m: &mut Machine<'_>, sink: Sink, elements: Vec<HeadElement>, compiled: &CompiledRule) {
    if m.state.parity.in_order {
        if compiled.elements.len() > 1 && compiled.elements.iter().any(|e| !e.condition.is_empty()) {
            let body = m.state.program.push_literals(&m.literals);
            let (after, source) = (m.state.program.rules.len(), sink.source);
            let (function, guards) = (Function::Count, Vec::new());
            let rule = HeadAggregate { function, set: true, guards, elements, body, source, after };
            m.state.program.head_aggregates.push(rule);
            return;
        }
        let body = m.literals.clone();
        return write_elements(m, sink, elements, &body, compiled.elements.len() == 1);
    }
    let mut body = m.literals.clone();
    // Where a body has an atom of the head, see `keep_support` of lowering.
    let own = |a: AtomId| body.iter().any(|l| l.atom() == a);
    let conditional =
        compiled.elements.len() > 1 && compiled.elements.iter().any(|e| !e.condition.is_empty());
    let contradicts = || body.iter().any(|l| !l.is_neg() && body.contains(&!*l));
    if conditional && (elements.iter().filter_map(|e| e.atom).any(own) || contradicts()) {
        let aux = m.state.program.atoms.add_aux();
        sink.rule(m.state.program, false, &[aux], &body);
        body = vec![Literal::pos(aux)];
    }
    write_elements(m, sink, elements, &body, false);
}

/// Makes each element a choice of its own; those without conditions share a rule, unless all are to be `apart`.
fn write_elements(
    m: &mut Machine<'_>,
    sink: Sink,
    elements: Vec<HeadElement>,
    body: &[Literal],
    apart: bool,
) {
    let mut plain: Vec<AtomId> = Vec::new();
    for e in elements {
        let Some(atom) = e.atom else { continue };
        let condition = m.state.program.literals(e.condition);
        if condition.is_empty() && !apart {
            plain.push(atom);
        } else {
            let body: Vec<Literal> = body.iter().chain(condition).copied().collect();
            sink.rule(m.state.program, true, &[atom], &body);
        }
    }
    if !plain.is_empty() {
        sink.rule(m.state.program, true, &plain, body);
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
    let intervals = sum_intervals(guards, least, greatest, m.state.symbols);
    let (Some(&(low, _)), Some(&(_, high))) = (intervals.first(), intervals.last()) else { return false };
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
    for pair in intervals.windows(2) {
        (pair[0].1 + 1..pair[1].0).for_each(|hole| guard(Relation::NotEqual, hole));
    }
    true
}
