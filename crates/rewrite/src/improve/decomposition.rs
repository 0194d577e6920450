//! Decomposition of large bodies: `:- p(A,B), p(B,C), p(C,D), p(D,E).` in rules over fewer variables.
//!
//! A variable is eliminated by joining all literals that contain it, which leaves a relation over their other
//! variables; the next one is eliminated from the result. Such an elimination order is a tree decomposition of the
//! body's hypergraph, and the variables of the literals joined in one step are one of its bags. Here the order is
//! chosen by expected work, step by step, and only as far as it pays; [`super::cut`] has the proof for one step.
//!
//! Where no single variable pays, several may: of a body that two or three variables, a *separator*, divide into parts with no
//! variable in common but these, each part is a candidate, too: `:- p(M,A), q(M,A,W), r(W,B), s(W,B,M).` is cut at `{M,W}`.
//! Sources: Dechter, *Bucket elimination: a unifying framework for reasoning*, AIJ 1999; Morak and Woltran,
//! *Preprocessing of complex non-ground rules in answer set programming*, ICLP 2012.

use super::cut::{Body, Cut};
use crate::rule::{Rule, Var};

/// The best elimination of a variable from a body, if one pays.
pub fn find(rule: &Rule, body: &Body) -> Option<Cut> {
    let vars = (0..rule.vars.len() as u32).map(Var).filter(|v| !body.kept[v.0 as usize]);
    let cuts = vars.filter_map(|v| {
        let mut part: Vec<usize> = body.literals_of(v).collect();
        // Literals without a variable of their own join the part and make it smaller.
        let inside = |i: usize, part: &[usize]| {
            let has = |w: Var| part.iter().any(|&j| body.sizes[j].vars.iter().any(|x| x.0 == w));
            !body.sizes[i].vars.is_empty() && body.sizes[i].vars.iter().all(|x| has(x.0))
        };
        let more: Vec<usize> = (0..rule.body.len())
            .filter(|&i| !part.contains(&i) && body.movable[i] && inside(i, &part))
            .collect();
        part.extend(more);
        part.sort_unstable();
        if part.len() < 2 { None } else { body.cut(rule, part) }
    });
    let cuts = cuts.chain(separated(rule, body));
    cuts.filter(|c| body.pays(c.work)).min_by(|a, b| a.work.total_cmp(&b.work))
}

/// Bodies of less work are not searched for separators; nor are bodies of more variables.
const MIN_WORK: f64 = 20_000.0;
const MAX_VARS: usize = 14;

/// The parts into which two or three variables divide a body, if they eliminate more than one variable.
fn separated(rule: &Rule, body: &Body) -> Vec<Cut> {
    let mut vars: Vec<Var> = body.sizes.iter().flat_map(|s| s.vars.iter().map(|x| x.0)).collect();
    vars.sort_unstable();
    vars.dedup();
    if body.work < MIN_WORK && !body.eager || vars.len() > MAX_VARS {
        return Vec::new();
    }
    let mut out: Vec<Cut> = Vec::new();
    let mut seen: Vec<Vec<usize>> = Vec::new();
    for (i, &u) in vars.iter().enumerate() {
        for (j, &v) in vars.iter().enumerate().skip(i + 1) {
            for separator in std::iter::once(vec![u, v]).chain(vars[j + 1..].iter().map(|&w| vec![u, v, w])) {
                for part in parts(body, &vars, &separator) {
                    if !seen.contains(&part) {
                        out.extend(body.cut(rule, part.clone()));
                        seen.push(part);
                    }
                }
            }
        }
    }
    out
}

/// The literals of each part between which there is only a separator, if the part has more than one variable of its own and none
/// that is kept.
fn parts(body: &Body, vars: &[Var], separator: &[Var]) -> Vec<Vec<usize>> {
    let mut out = Vec::new();
    let mut done: Vec<Var> = separator.to_vec();
    for &start in vars {
        if done.contains(&start) {
            continue;
        }
        let (mut own, mut at) = (vec![start], 0);
        while let Some(&v) = own.get(at) {
            at += 1;
            for i in body.literals_of(v) {
                let others = body.sizes[i].vars.iter().map(|x| x.0).filter(|w| !separator.contains(w));
                let new: Vec<Var> = others.filter(|w| !own.contains(w)).collect();
                own.extend(new);
            }
        }
        done.extend_from_slice(&own);
        let all_others = own.len() + separator.len() == vars.len();
        if own.len() > 1 && !all_others && !own.iter().any(|v| body.kept[v.0 as usize]) {
            let has = |i: &usize| body.sizes[*i].vars.iter().any(|x| own.contains(&x.0));
            out.push((0..body.sizes.len()).filter(has).collect());
        }
    }
    out
}
