//! Narrows domains by the constraints that hold in any case, before anything is encoded.
//!
//! Bounds of each variable follow from the bounds of the others in a sum, until nothing changes. Invariant: only values that no
//! assignment uses are removed; variables that are encoded keep theirs. It may stop early: then domains are wider than need be.
//! Differences that add up to less than nothing on a cycle would narrow domains one by one; they are found before that (Bellman, *On a
//! routing problem*, 1958).

use std::collections::VecDeque;

use super::constraint::{Constraint, Read, Sum, Test, Variable};
use super::domain::Domain;
use super::state::Integers;

/// Terms that are looked at before it stops.
const WORK: usize = 10_000_000;

/// A sum that is at most 0, or that is not 0.
struct Bound {
    sum: Sum,
    differs: bool,
}

/// Narrows the domains of the variables from `first` on.
pub(super) fn narrow(integers: &mut Integers, first: usize, read: &Read) {
    let mut bounds = Vec::new();
    for posted in &read.posted {
        let holds = match integers.certain.get(&posted.atom) {
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
    if is_cyclic(&bounds, integers.variables.len())
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
    let mut queue: VecDeque<usize> = (0..bounds.len()).collect();
    let mut waiting = vec![true; bounds.len()];
    let mut work = 0;
    while let Some(i) = queue.pop_front() {
        waiting[i] = false;
        work += bounds[i].sum.terms.len();
        if work > WORK {
            return;
        }
        for variable in tighten(integers, first, &bounds[i]) {
            for &other in &of_variable[variable.0 as usize] {
                if !std::mem::replace(&mut waiting[other], true) {
                    queue.push_back(other);
                }
            }
        }
    }
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
        if !changed || round * edges.len() > WORK {
            return false;
        }
        if round > variables {
            return true;
        }
    }
    false
}

/// The least and the greatest value of a multiple of a product.
fn range(integers: &Integers, factor: i64, product: &[Variable]) -> Option<(i128, i128)> {
    let mut range = (i128::from(factor), i128::from(factor));
    for v in product {
        let (low, high) = integers.variables[v.0 as usize].domain.bounds()?;
        let ends = [range.0, range.1];
        let all = ends.iter().flat_map(|e| [low, high].map(|b| e.saturating_mul(b.into())));
        range = all.fold((i128::MAX, i128::MIN), |r, n| (r.0.min(n), r.1.max(n)));
    }
    Some(range)
}

/// Narrows the variables of one sum; returns those that changed.
fn tighten(integers: &mut Integers, first: usize, bound: &Bound) -> Vec<Variable> {
    let Bound { sum, differs } = bound;
    let ranges: Option<Vec<(i128, i128)>> = sum.terms.iter().map(|(f, p)| range(integers, *f, p)).collect();
    // An empty domain has been found: nothing else matters.
    let Some(ranges) = ranges else { return Vec::new() };
    let start = i128::from(sum.constant);
    let least = ranges.iter().fold(start, |n, r| n.saturating_add(r.0));
    let greatest = ranges.iter().fold(start, |n, r| n.saturating_add(r.1));
    let mut changed = Vec::new();
    for (&(factor, ref product), range) in sum.terms.iter().zip(&ranges) {
        let &[variable] = &product[..] else { continue };
        let known = &mut integers.variables[variable.0 as usize];
        // What is encoded keeps its values.
        if (variable.0 as usize) < first {
            continue;
        }
        let Some((low, high)) = known.domain.bounds() else { continue };
        let factor = i128::from(factor);
        let others = least.saturating_sub(range.0);
        let narrowed = if *differs {
            // Only one value is left for the others together.
            let value = -others;
            let alone = others == greatest.saturating_sub(range.1) && value % factor == 0;
            alone && i64::try_from(value / factor).is_ok_and(|v| known.domain.remove(v))
        } else if factor > 0 {
            let most = (-others).div_euclid(factor);
            most < high.into() && known.domain.intersect(&Domain::of(low, clamp(most)))
        } else {
            // At least the quotient, rounded up.
            let most = others.div_euclid(-factor) + i128::from(others.rem_euclid(-factor) != 0);
            most > low.into() && known.domain.intersect(&Domain::of(clamp(most), high))
        };
        if narrowed {
            changed.push(variable);
            if *differs || known.domain.bounds().is_none() {
                break;
            }
        }
    }
    changed
}

fn clamp(n: i128) -> i64 {
    n.clamp(i64::MIN.into(), i64::MAX.into()) as i64
}
