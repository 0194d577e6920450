//! Parts of recursive bodies that do not grow: `r(X,Z) :- d(D), e(X,D), r(X,Y), r(Y,Z).` becomes `#1(X) :- d(D), e(X,D).` and
//! `r(X,Z) :- #1(X), r(X,Y), r(Y,Z).`
//!
//! The sizes of growing predicates are unknown, so the part alone decides: how many of its matches agree in what the rest needs,
//! and whether the rest has a variable of its own that multiplies them. [`super::cut`] has the proof, which only requires that
//! the predicates of the part are complete.

use super::Sizes;
use super::cut::{Body, Cut};
use super::estimate;
use crate::predicate::PredId;
use crate::rule::{Literal, Rule, Var};

/// So many matches of the part must agree in what the rest needs, ...
const MIN_FACTOR: f64 = 3.0;
/// ... and the part must have so many of them more than are left.
const MIN_SAVED: f64 = 200.0;

/// A recursive body, of which nothing that grows may be cut out; `None` if its rule is left alone.
pub fn body(rule: &Rule, grows: &dyn Fn(PredId) -> bool, sizes: &mut dyn Sizes) -> Option<Body> {
    let mut body = Body::new(rule, sizes, true)?;
    for (l, movable) in rule.body.iter().zip(&mut body.movable) {
        *movable &= !matches!(l, Literal::Atom(_, a) if grows(a.pred));
    }
    Some(body)
}

/// A part of a recursive body worth cutting out: its literals (ascending) and the variables that the rest needs.
pub fn find(rule: &Rule, body: &Body, eager: bool) -> Option<(Vec<usize>, Vec<Var>)> {
    let mut vars: Vec<Var> = Vec::new();
    for v in (0..rule.vars.len() as u32).map(Var) {
        // Nothing that stays needs it.
        let mut any = false;
        let movable = body.literals_of(v).all(|i| {
            any = true;
            body.movable[i]
        });
        if any && movable && !body.kept[v.0 as usize] {
            vars.push(v);
        }
    }
    let mut best: Option<(f64, Vec<usize>, Vec<Var>)> = None;
    for &v in &vars {
        for wide in [false, true] {
            let Some(cut) = body.cut(rule, around(body, v, &vars, wide)) else { continue };
            let (rows, values) = estimate::join(cut.part.iter().map(|&i| &body.sizes[i]));
            let left = estimate::values(&cut.scope, rows, &values).max(1.0);
            let pays = rows >= MIN_FACTOR * left && rows - left >= MIN_SAVED && multiplies(body, &cut);
            let factor = rows / left;
            if (eager || pays) && best.as_ref().is_none_or(|b| b.0 < factor) {
                best = Some((factor, cut.part, cut.scope));
            }
        }
    }
    best.map(|(_, part, scope)| (part, scope))
}

/// The literals with a variable; if `wide`, also those that connect it to others of `vars`. Comparisons of their variables join
/// them.
fn around(body: &Body, v: Var, vars: &[Var], wide: bool) -> Vec<usize> {
    let (mut own, mut at) = (vec![v], 0);
    let mut part: Vec<usize> = Vec::new();
    while let Some(&v) = own.get(at) {
        at += 1;
        for i in body.literals_of(v) {
            if part.contains(&i) {
                continue;
            }
            part.push(i);
            if wide {
                let others = body.sizes[i].vars.iter().map(|x| x.0);
                let new: Vec<Var> = others.filter(|w| vars.contains(w) && !own.contains(w)).collect();
                own.extend(new);
            }
        }
    }
    let bound = |w: Var| part.iter().any(|&i| body.sizes[i].binds && has(body, i, w));
    let inside = |i: usize| {
        !body.sizes[i].vars.is_empty() && body.movable[i] && body.sizes[i].vars.iter().all(|x| bound(x.0))
    };
    let more: Vec<usize> = (0..body.sizes.len()).filter(|&i| !part.contains(&i) && inside(i)).collect();
    part.extend(more);
    part.sort_unstable();
    part
}

fn has(body: &Body, literal: usize, v: Var) -> bool {
    body.sizes[literal].vars.iter().any(|x| x.0 == v)
}

/// Whether the rest enumerates values of a variable that the part does not have.
fn multiplies(body: &Body, cut: &Cut) -> bool {
    let rest = (0..body.sizes.len()).filter(|i| !cut.part.contains(i) && body.sizes[*i].binds);
    rest.into_iter().any(|i| body.sizes[i].vars.iter().any(|x| !cut.scope.contains(&x.0)))
}
