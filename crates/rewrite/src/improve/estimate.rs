//! Expected sizes of joins, from the sizes of the domains.
//!
//! System R's selectivities: a join on a variable divides the product of the sizes by all numbers of distinct values but
//! the smallest; an equation divides by the number of values, an order by two; inequality and negation keep all. An
//! aggregate that gives its values to a variable multiplies by their number. Source: Selinger et al., *Access path
//! selection in a relational database management system*, SIGMOD 1979.

use super::Sizes;
use crate::rule::{Aggregate, Literal, Term, Var, literal_vars};
use asp_syntax::ast::{Relation, Sign};

/// Number of values assumed for a term about which nothing is known.
const UNKNOWN: f64 = 10.0;

/// A literal as the estimate sees it.
#[derive(Clone, Debug)]
pub(crate) struct Size {
    /// Its variables, each once, with the number of values of each.
    pub vars: Vec<(Var, f64)>,
    /// Expected number of matches; for a check the fraction that passes.
    pub rows: f64,
    /// Whether it enumerates.
    pub binds: bool,
    /// Whether it does so only once everything else is bound: an aggregate that assigns its value to a variable.
    pub late: bool,
}

/// The size of a literal. `once` marks variables whose values are never read; facts that differ only there count once.
pub(crate) fn size(l: &Literal, once: &[bool], sizes: &mut dyn Sizes) -> Size {
    let mut vars: Vec<(Var, f64)> = Vec::new();
    match l {
        Literal::Atom(Sign::None, a) => {
            let mut rows = sizes.rows(a.pred);
            let mut groups = 1.0;
            for (c, t) in a.args.iter().enumerate() {
                let d = sizes.distinct(a.pred, c);
                let idle = matches!(t, Term::Var(v) if once[v.0 as usize]);
                if !idle {
                    groups *= d;
                }
                let mut ground = true;
                t.for_each_var(&mut |v| {
                    ground = false;
                    match vars.iter_mut().find(|x| x.0 == v) {
                        Some(x) => {
                            rows /= x.1.max(d);
                            x.1 = x.1.min(d);
                        }
                        None => vars.push((v, d)),
                    }
                });
                if ground {
                    rows /= d;
                }
            }
            if sizes.is_complete(a.pred) && sizes.is_all_facts(a.pred) {
                rows = rows.min(groups);
            }
            vars.iter_mut().for_each(|x| x.1 = x.1.min(rows.max(1.0)));
            Size { vars, rows, binds: true, late: false }
        }
        Literal::Range(Term::Var(v), Term::Sym(_), Term::Sym(_), _) => {
            Size { vars: vec![(*v, UNKNOWN)], rows: UNKNOWN, binds: true, late: false }
        }
        Literal::Aggregate(a) if assigned(a).next().is_some() => {
            let rows = if is_certain(a, sizes) { 1.0 } else { UNKNOWN };
            for v in assigned(a) {
                if !vars.iter().any(|x| x.0 == v) {
                    vars.push((v, rows));
                }
            }
            Size { vars, rows, binds: true, late: true }
        }
        l => {
            literal_vars(l, &mut |v| {
                if !vars.iter().any(|x| x.0 == v) {
                    vars.push((v, f64::INFINITY));
                }
            });
            let rows = match l {
                Literal::Compare(Relation::NotEqual, ..) | Literal::Atom(..) => 1.0,
                Literal::Compare(Relation::Equal, ..) => 0.0, // see `join`
                _ => 0.5,
            };
            Size { vars, rows, binds: false, late: false }
        }
    }
}

/// The variables to which an aggregate assigns its value.
fn assigned(a: &Aggregate) -> impl Iterator<Item = Var> {
    let equal = |g: &&(Relation, Term)| a.sign == Sign::None && g.0 == Relation::Equal;
    a.guards.iter().filter(equal).filter_map(|g| if let Term::Var(v) = g.1 { Some(v) } else { None })
}

/// Whether an aggregate has only one value: all its elements are certain.
fn is_certain(a: &Aggregate, sizes: &dyn Sizes) -> bool {
    a.elements.iter().flat_map(|e| &e.condition).all(|l| match l {
        Literal::Atom(_, a) => sizes.is_complete(a.pred) && sizes.is_all_facts(a.pred),
        Literal::Compare(..) | Literal::Range(..) | Literal::False(_) => true,
        Literal::Aggregate(_) | Literal::Conditional(_) | Literal::Theory(..) => false,
    })
}

/// Expected number of matches of a join, and the number of values of each variable in it.
pub(crate) fn join<'a>(parts: impl Iterator<Item = &'a Size> + Clone) -> (f64, Vec<(Var, f64)>) {
    let mut rows = 1.0;
    let mut values: Vec<(Var, f64)> = Vec::new();
    for part in parts.clone().filter(|p| p.binds) {
        rows *= part.rows;
        for &(v, d) in &part.vars {
            match values.iter_mut().find(|x| x.0 == v) {
                Some(x) => {
                    rows /= x.1.max(d).max(1.0);
                    x.1 = x.1.min(d);
                }
                None => values.push((v, d)),
            }
        }
    }
    for part in parts.filter(|p| !p.binds) {
        let known = |v: Var| values.iter().find(|x| x.0 == v).map(|x| x.1);
        if part.rows > 0.0 {
            rows *= part.rows;
        } else if part.vars.iter().all(|x| known(x.0).is_some()) {
            // An equation between bound terms; one with a free variable defines that variable.
            rows /= part.vars.iter().filter_map(|x| known(x.0)).fold(1.0, f64::max);
        } else {
            let defined: f64 = part.vars.iter().filter_map(|x| known(x.0)).product();
            for &(v, _) in &part.vars {
                if known(v).is_none() {
                    values.push((v, defined.max(1.0)));
                    break;
                }
            }
        }
    }
    values.iter_mut().for_each(|x| x.1 = x.1.min(rows.max(1.0)));
    (rows, values)
}

/// Expected number of distinct combinations of values that some variables take.
pub(crate) fn values(vars: &[Var], rows: f64, values: &[(Var, f64)]) -> f64 {
    let known = |v: &Var| values.iter().find(|x| x.0 == *v).map_or(UNKNOWN, |x| x.1);
    vars.iter().map(known).product::<f64>().min(rows)
}

/// Expected work of a join: matches of each literal in a greedy order, and the instances themselves.
pub(crate) fn work(parts: &[Size]) -> f64 {
    let mut rest: Vec<&Size> = parts.iter().collect();
    let mut taken: Vec<&Size> = Vec::new();
    let mut total = 0.0;
    while !rest.is_empty() {
        let bound = |v: Var| taken.iter().any(|t| t.vars.iter().any(|x| x.0 == v));
        // Checks as soon as they can run, then the smallest of those joined to the rest. An equation with one free variable
        // defines it.
        let open = |p: &Size| p.vars.iter().filter(|x| !bound(x.0)).count();
        let check = rest.iter().position(|p| !p.binds && open(p) <= usize::from(p.rows == 0.0));
        let next = check.or_else(|| {
            let cost = |p: &Size| {
                let (rows, _) = join(taken.iter().copied().chain([p]));
                (if p.binds { i32::from(p.late) } else { 2 }, rows)
            };
            let costs: Vec<(i32, f64)> = rest.iter().map(|p| cost(p)).collect();
            (0..rest.len())
                .min_by(|&i, &j| costs[i].0.cmp(&costs[j].0).then(costs[i].1.total_cmp(&costs[j].1)))
        });
        let Some(i) = next else { break };
        taken.push(rest.remove(i));
        total += join(taken.iter().copied()).0;
    }
    total + join(taken.iter().copied()).0
}
