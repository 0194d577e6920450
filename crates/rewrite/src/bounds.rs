//! Comparisons as bounds: variables that nothing else binds range over the integers between their bounds.
//!
//! `p(X) :- 1 <= X < 4.` becomes `p(X) :- X in 1..3, 1 <= X, X < 4.` Comparisons of linear terms are read as
//! inequalities `sum >= bound`, and bounds are propagated to a fixpoint: an inequality in which at most one variable is
//! unbounded bounds each variable. Integers are adjacent in the order of terms, so a variable between two integers is
//! an integer. The elements of a rule start from the bounds of the rule's own level. If no integers satisfy the
//! inequalities, their variables get an empty range. Source: the input language of gringo 5.8.
//!
//! Invariant: no instance is lost by restricting a variable to its range. Ranges are added for unsafe variables only.

use super::improve::exchange::same_term;
use super::linear::{self, Linear};
use super::rule::{Condition, Head, HeadLiteral, Literal, Rule, Term, Var, VarInfo};
use asp_base::symbol::Symbols;
use asp_syntax::ast::Relation;
use std::collections::VecDeque;

/// The limit on tightening steps, beyond two per variable; after that, ranges stay wide.
const MAX_STEPS: usize = 1_000_000;

/// The bounds of a variable, both inclusive.
#[derive(Clone, Copy, Default)]
pub(crate) struct Bounds {
    pub low: Option<i64>,
    pub high: Option<i64>,
}

/// `sum >= bound`; each variable once, no coefficient 0.
struct Inequality {
    terms: Vec<(i64, Var)>,
    bound: i128,
}

/// Adds ranges for those of the `open` variables that have two bounds. Returns the bounds of the rule's own level.
pub(crate) fn bind(rule: &mut Rule, open: &[Var], symbols: &mut Symbols) -> Vec<Bounds> {
    let Rule { head, body, vars, .. } = rule;
    let mut is_open = vec![false; vars.len()];
    open.iter().for_each(|v| is_open[v.0 as usize] = true);
    let fresh = vars.len() as u32;
    let inequalities = gather(body, fresh, symbols);
    let own = propagate(&inequalities, |_| Bounds::default());
    let mut outer = vec![Bounds::default(); vars.len()];
    own.iter().filter(|(v, _)| v.0 < fresh).for_each(|&(v, b)| outer[v.0 as usize] = b);
    let mut all = outer.clone();
    let mut element = |condition: &mut Condition, inequalities: &[Inequality], symbols: &mut Symbols| {
        let bounds = propagate(inequalities, |v| outer.get(v.0 as usize).copied().unwrap_or_default());
        for &(v, b) in bounds.iter().filter(|(v, _)| v.0 < fresh) {
            let all = &mut all[v.0 as usize];
            *all = Bounds { low: all.low.or(b.low), high: all.high.or(b.high) };
        }
        add(condition, &bounds, (vars, true), &is_open, symbols);
    };
    for l in body.iter_mut() {
        match l {
            Literal::Aggregate(a) => {
                for e in &mut a.elements {
                    let inequalities = gather(&e.condition, fresh, symbols);
                    element(&mut e.condition, &inequalities, symbols);
                }
            }
            Literal::Conditional(c) => {
                let inequalities = gather(&c.condition, fresh, symbols);
                element(&mut c.condition, &inequalities, symbols);
            }
            _ => {}
        }
    }
    let choice = matches!(head, Head::Aggregate { .. });
    if let Head::Disjunction(elements) | Head::Aggregate { elements, .. } = head {
        for e in elements {
            let mut inequalities = gather(&e.condition, fresh, symbols);
            // An element of a choice counts only where its comparison holds.
            if let (true, HeadLiteral::Other(any)) = (choice, &e.literal)
                && let [one] = &any[..]
            {
                inequalities.append(&mut gather(one, fresh, symbols));
            }
            element(&mut e.condition, &inequalities, symbols);
        }
    }
    add(body, &own, (vars, false), &is_open, symbols);
    all
}

/// Adds the ranges of open variables of one level.
fn add(
    body: &mut Vec<Literal>,
    bounds: &[(Var, Bounds)],
    (vars, local): (&[VarInfo], bool),
    open: &[bool],
    symbols: &mut Symbols,
) {
    for &(v, bounds) in bounds {
        let i = v.0 as usize;
        if vars.get(i).is_none_or(|info| info.local != local) || !open[i] {
            continue;
        }
        if let (Some(low), Some(high)) = (bounds.low, bounds.high) {
            let ends = [symbols.num(low), symbols.num(high)].map(Term::Sym);
            let [low, high] = ends;
            body.push(Literal::Range(Term::Var(v), low, high, vars[i].span));
        }
    }
}

/// The inequalities of a level. A term that is not matched on a side of an equation counts as a variable of its own (from
/// `fresh` on), the same wherever it stands; with two such sides nothing cancels out.
fn gather(ls: &[Literal], fresh: u32, symbols: &Symbols) -> Vec<Inequality> {
    let (mut out, mut named) = (Vec::new(), Vec::new());
    let mut side = |term: &Term, out: &mut Vec<Inequality>| {
        if term.is_pattern() {
            return term.clone();
        }
        let number = named.iter().position(|known| same_term(known, term)).unwrap_or(named.len());
        let own = Term::Var(Var(fresh + number as u32));
        if number == named.len() {
            named.push(term.clone());
            compare(Relation::Equal, &own, term, symbols, out);
        }
        own
    };
    for l in ls {
        match l {
            Literal::Compare(relation, s, t, _) => {
                let equation = *relation == Relation::Equal;
                if !equation || s.is_pattern() || t.is_pattern() {
                    compare(*relation, s, t, symbols, &mut out);
                }
                if equation && !(s.is_pattern() && t.is_pattern()) {
                    let (s, t) = (side(s, &mut out), side(t, &mut out));
                    compare(Relation::Equal, &s, &t, symbols, &mut out);
                }
            }
            Literal::Range(t, low, high, _) => {
                at_least(t, low, 0, symbols, &mut out);
                at_least(high, t, 0, symbols, &mut out);
            }
            _ => {}
        }
    }
    out
}

fn compare(relation: Relation, s: &Term, t: &Term, symbols: &Symbols, out: &mut Vec<Inequality>) {
    if matches!(relation, Relation::GreaterEqual | Relation::Equal) {
        at_least(s, t, 0, symbols, out);
    }
    match relation {
        Relation::Greater => at_least(s, t, 1, symbols, out),
        Relation::LessEqual | Relation::Equal => at_least(t, s, 0, symbols, out),
        Relation::Less => at_least(t, s, 1, symbols, out),
        Relation::GreaterEqual | Relation::NotEqual => {}
    }
}

/// `s - t >= bound`, if both are linear.
fn at_least(s: &Term, t: &Term, bound: i128, symbols: &Symbols, out: &mut Vec<Inequality>) {
    let (Some(Linear { mut terms, constant }), Some(other)) =
        (linear::integer(s, symbols), linear::integer(t, symbols))
    else {
        return;
    };
    for (c, v) in other.terms {
        let own = terms.iter().position(|&(_, w)| w == v).unwrap_or(terms.len());
        if own == terms.len() {
            terms.push((0, v));
        }
        let Some(difference) = terms[own].0.checked_sub(c) else { return };
        terms[own].0 = difference;
    }
    terms.retain(|&(c, _)| c != 0);
    out.push(Inequality { terms, bound: bound + i128::from(other.constant) - i128::from(constant) });
}

/// The variables of the inequalities, in their order, and their bounds, given those that are known before.
fn propagate(inequalities: &[Inequality], known: impl Fn(Var) -> Bounds) -> Vec<(Var, Bounds)> {
    let mut vars: Vec<Var> = inequalities.iter().flat_map(|i| i.terms.iter().map(|&(_, v)| v)).collect();
    vars.sort_unstable();
    vars.dedup();
    let place = |v: Var| vars.binary_search(&v).unwrap_or_default();
    let mut bounds: Vec<Bounds> = vars.iter().map(|&v| known(v)).collect();
    let mut uses: Vec<Vec<u32>> = vec![Vec::new(); vars.len()];
    let terms: Vec<Vec<(i64, usize)>> =
        inequalities.iter().map(|i| i.terms.iter().map(|&(c, v)| (c, place(v))).collect()).collect();
    for (i, terms) in terms.iter().enumerate() {
        terms.iter().for_each(|&(_, v)| uses[v].push(i as u32));
    }
    let mut queue: VecDeque<u32> = (0..inequalities.len() as u32).collect();
    let mut queued = vec![true; inequalities.len()];
    let mut steps = MAX_STEPS;
    while let Some(i) = queue.pop_front() {
        queued[i as usize] = false;
        let (terms, bound) = (&terms[i as usize], inequalities[i as usize].bound);
        // The amount missing to the bound when all terms are at their greatest.
        let (mut missing, mut unbounded) = (Some(bound), 0);
        for &(c, v) in terms {
            match greatest(c, bounds[v]) {
                Some(n) => missing = missing.and_then(|m| m.checked_sub(n)),
                None => unbounded += 1,
            }
        }
        // Sums beyond 128 bits bound nothing.
        let Some(missing) = missing else { continue };
        if unbounded == 0 && missing > 0 {
            bounds.fill(Bounds { low: Some(1), high: Some(0) });
            break;
        }
        if unbounded > 1 {
            continue;
        }
        for &(c, v) in terms {
            let own = greatest(c, bounds[v]);
            if unbounded == 1 && own.is_some() {
                continue;
            }
            let Some(least) = missing.checked_add(own.unwrap_or(0)) else { continue };
            let fresh = if c > 0 { bounds[v].low } else { bounds[v].high }.is_none();
            if tighten(&mut bounds[v], c, least) && (fresh || steps > 0) {
                steps = steps.saturating_sub(usize::from(!fresh));
                for &use_ in &uses[v] {
                    if !std::mem::replace(&mut queued[use_ as usize], true) {
                        queue.push_back(use_);
                    }
                }
            }
        }
    }
    vars.into_iter().zip(bounds).collect()
}

/// The greatest value of `c` times a variable.
fn greatest(c: i64, b: Bounds) -> Option<i128> {
    let end = if c > 0 { b.high } else { b.low };
    end.map(|n| i128::from(c) * i128::from(n))
}

/// Makes `c` times a variable at least `least`; returns whether that changes its bounds. Rounds outwards, as gringo does: the
/// comparison itself decides the last value.
fn tighten(b: &mut Bounds, c: i64, least: i128) -> bool {
    let c = i128::from(c);
    let outwards = i128::from(least % c != 0 && (least < 0) != (c < 0));
    let clamp = |n: i128| n.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
    let end = if c > 0 { &mut b.low } else { &mut b.high };
    let new = clamp(if c > 0 { least / c - outwards } else { least / c + outwards });
    let tighter = end.is_none_or(|old| if c > 0 { new > old } else { new < old });
    if tighter {
        *end = Some(new);
    }
    tighter
}
