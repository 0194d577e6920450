//! Narrows domains by unconditional constraints, before anything is encoded.
//!
//! Bounds of each variable follow from the bounds of the others in a sum, until nothing changes. Invariant: only values
//! that no assignment uses are removed; variables that are encoded keep theirs. It may stop early: then domains are
//! wider than need be. A negative cycle of differences would narrow domains value by value; such cycles are found
//! before that (Bellman, *On a routing problem*, 1958). An equation whose factors have a common divisor that does not
//! divide its constant has no solution at all.

use std::collections::BTreeSet;

use super::Compiler;
use super::constraint::{Constraint, Read, Sum, Test};
use asp_base::interval::{self, Interval};
use asp_base::weight::gcd;
use asp_program::integers::Integers;
use asp_program::integers::Variable;
use asp_program::integers::domain::Domain;
use asp_program::integers::kept::multiplied;

/// The most terms examined: a fraction of a second.
const WORK_BUDGET: usize = 1_000_000;
/// The most differences examined in the search for a cycle.
const CYCLE_BUDGET: usize = 10_000_000;

/// Greater products are taken for this one.
const CAP: i128 = 1 << 62;
/// Greater than the absolute value of any product.
const FAR: i128 = 1 << 126;

/// A sum that is at most 0, or that is not 0.
struct Bound {
    sum: Sum,
    differs: bool,
}

/// Narrows the domains of the variables from `first` on.
pub(crate) fn narrow(compiler: &mut Compiler, first: usize, read: &Read) {
    let Compiler { data: integers, certain, .. } = compiler;
    let mut bounds = Vec::new();
    let mut has_solution = true;
    for posted in &read.posted {
        let holds = match certain.get(&posted.atom) {
            Some(true) => true,
            Some(false) if posted.strict => false,
            _ => continue,
        };
        match &posted.constraint {
            Constraint::Compare(sum, test) => {
                let at_most = |sum: &Sum| Bound { sum: sum.clone(), differs: false };
                let (over, under) = (sum.subtracted_from(1), sum.subtracted_from(0));
                match (test, holds) {
                    (Test::AtMost, true) => bounds.push(at_most(sum)),
                    (Test::AtMost, false) => bounds.extend(over.as_ref().map(at_most)),
                    (Test::Equal, true) | (Test::NotEqual, false) => {
                        has_solution &= is_divisible(sum);
                        bounds.push(at_most(sum));
                        bounds.extend(under.as_ref().map(at_most));
                    }
                    (Test::NotEqual, true) | (Test::Equal, false) => {
                        bounds.push(Bound { sum: sum.clone(), differs: true });
                    }
                }
            }
            Constraint::Domain(variable, ranges) if holds && variable.0 as usize >= first => {
                integers.variables[variable.0 as usize].domain.intersect(&Domain::union(ranges));
            }
            _ => {}
        }
    }
    if (!has_solution || is_cyclic(&bounds, integers.variables.len()))
        && let Some(known) = integers.variables.get_mut(first)
    {
        // There is no assignment at all.
        known.domain = Domain::of(1, 0);
        return;
    }
    let mut of_variable: Vec<Vec<usize>> = vec![Vec::new(); integers.variables.len()];
    for (i, bound) in bounds.iter().enumerate() {
        bound.sum.variables().for_each(|v| of_variable[v.0 as usize].push(i));
    }
    // Up and down in turns, so that a chain is done after two sweeps whichever way it runs (Yen, *An algorithm for finding shortest
    // routes from all source nodes to a given destination in general networks*, 1970).
    let mut waiting: BTreeSet<usize> = (0..bounds.len()).collect();
    let (mut up, mut rest) = (true, 0..bounds.len());
    let mut work = 0;
    while !waiting.is_empty() {
        let mut ahead = waiting.range(rest.clone());
        let Some(&i) = (if up { ahead.next() } else { ahead.next_back() }) else {
            (up, rest) = (!up, 0..bounds.len());
            continue;
        };
        rest = if up { i + 1..bounds.len() } else { 0..i };
        waiting.remove(&i);
        work += bounds[i].sum.terms.len();
        if work > WORK_BUDGET {
            return;
        }
        for variable in tighten(integers, first, &bounds[i]) {
            integers.variables[variable.0 as usize].is_narrowed = true;
            waiting.extend(&of_variable[variable.0 as usize]);
        }
    }
}

/// Whether the common divisor of the factors divides the constant.
fn is_divisible(sum: &Sum) -> bool {
    let divisor = sum.terms.iter().fold(0, |divisor, t| gcd(divisor, t.0.into()));
    divisor == 0 || i128::from(sum.constant) % divisor == 0
}

/// Whether differences of variables contradict each other, whatever the domains are.
fn is_cyclic(bounds: &[Bound], variables: usize) -> bool {
    // x - y <= d, from y to x.
    let difference = |bound: &Bound| match &bound.sum.terms[..] {
        [(a, x), (b, y)] if !bound.differs && i128::from(*a) + i128::from(*b) == 0 => {
            let (&[x], &[y]) = (&x[..], &y[..]) else { return None };
            let (x, y, factor) = if *a > 0 { (x, y, *a) } else { (y, x, *b) };
            let most = (-i128::from(bound.sum.constant)).div_euclid(factor.into());
            Some((y.0 as usize, x.0 as usize, most))
        }
        _ => None,
    };
    let edges: Vec<(usize, usize, i128)> = bounds.iter().filter_map(difference).collect();
    let mut distance = vec![0i128; variables];
    for round in 0.. {
        let mut changed = false;
        for &(from, to, most) in &edges {
            if distance[from] + most < distance[to] {
                distance[to] = distance[from] + most;
                changed = true;
            }
        }
        if !changed || round * edges.len() > CYCLE_BUDGET {
            return false;
        }
        if round > variables {
            return true;
        }
    }
    false
}

/// The range of a product; `None` if that of a variable is empty. Numbers that are too great represent greater ones.
fn range(integers: &Integers, product: &[Variable]) -> Option<Interval> {
    if product.iter().any(|v| integers.variables[v.0 as usize].domain.bounds().is_none()) {
        return None;
    }
    let limit = |n: i128| n.clamp(-CAP, CAP);
    multiplied(
        product,
        |v| integers.domain_of(v),
        |a, b, is_square| {
            let (low, high) = if is_square { interval::square(a) } else { interval::product(a, b) };
            Some((limit(low), limit(high)))
        },
    )
}

/// The values that a variable may have, given the values of a product that contains it; `None` if there are none.
fn factor(
    integers: &Integers,
    product: &[Variable],
    variable: Variable,
    values: Interval,
) -> Option<Interval> {
    let own = integers.domain_of(variable);
    let (same, others): (Vec<Variable>, Vec<Variable>) = product.iter().partition(|&&v| v == variable);
    let (low, high) = range(integers, &same)?;
    let ends = (if low <= -CAP { -FAR } else { low }, if high >= CAP { FAR } else { high });
    let power = match range(integers, &others) {
        _ if others.is_empty() => interval::meet(values, ends)?,
        Some((low, high)) if -CAP < low && high < CAP => interval::quotient(values, (low, high), ends)?,
        _ => ends,
    };
    interval::root(power, same.len() as u32, own)
}

/// Narrows the variables of one sum; returns those that changed.
fn tighten(integers: &mut Integers, first: usize, bound: &Bound) -> Vec<Variable> {
    let Bound { sum, differs } = bound;
    let multiple = |(factor, product): &(i64, Vec<Variable>)| {
        let range = range(integers, product)?;
        Some(interval::product(range, ((*factor).into(), (*factor).into())))
    };
    let ranges: Option<Vec<Interval>> = sum.terms.iter().map(multiple).collect();
    // An empty domain has been found: nothing else matters.
    let Some(ranges) = ranges else { return Vec::new() };
    let start = i128::from(sum.constant);
    let least = ranges.iter().fold(start, |n, r| n.saturating_add(r.0));
    let greatest = ranges.iter().fold(start, |n, r| n.saturating_add(r.1));
    let mut changed = Vec::new();
    let is_open = |(factor, _): &(i64, _), range: &Interval| {
        let most = i128::from(*factor).abs() * CAP;
        -range.0 >= most || range.1 >= most || -range.1 >= most || range.0 >= most
    };
    let open = sum.terms.iter().zip(&ranges).filter(|(t, r)| is_open(t, r)).count();
    if least.unsigned_abs().max(greatest.unsigned_abs()) > FAR.unsigned_abs() {
        return changed;
    }
    for (term @ &(f, ref product), range) in sum.terms.iter().zip(&ranges) {
        // Nothing is known of the others if one of them may be greater than any number.
        if open > usize::from(is_open(term, range)) {
            continue;
        }
        let f = i128::from(f);
        let others = least.saturating_sub(range.0);
        if *differs {
            let &[variable] = &product[..] else { continue };
            // Only one value is left for the others together.
            let value = -others;
            let alone = others == greatest.saturating_sub(range.1) && value % f == 0;
            if alone && (variable.0 as usize) >= first {
                let domain = &mut integers.variables[variable.0 as usize].domain;
                if i64::try_from(value / f).is_ok_and(|v| domain.remove(v)) {
                    changed.push(variable);
                    break;
                }
            }
            continue;
        }
        // At most the quotient, or at least that, rounded up.
        let values = match f > 0 {
            true => (-FAR, (-others).div_euclid(f)),
            false => (-(-others).div_euclid(-f), FAR),
        };
        let own: BTreeSet<Variable> = product.iter().copied().collect();
        // Encoded variables keep their values.
        for variable in own.into_iter().filter(|v| v.0 as usize >= first) {
            let narrowed = factor(integers, product, variable, values);
            let known = &mut integers.variables[variable.0 as usize];
            let Some((low, high)) = known.domain.bounds() else { return changed };
            let (from, to) = narrowed.map_or((1, 0), |n| (clamp(n.0), clamp(n.1)));
            if (from > low || to < high) && known.domain.intersect(&Domain::of(from, to)) {
                changed.push(variable);
                if known.domain.bounds().is_none() {
                    return changed;
                }
            }
        }
    }
    changed
}

fn clamp(n: i128) -> i64 {
    n.clamp(i64::MIN.into(), i64::MAX.into()) as i64
}
