//! Decomposition of large bodies: `:- p(A,B), p(B,C), p(C,D), p(D,E).` in rules over fewer variables.
//!
//! A variable is eliminated by joining all literals that have it, which leaves a relation over their other variables:
//! the next one is eliminated from what is left. Such an order of elimination is a tree decomposition of the body's
//! hypergraph, a joined set of literals with its variables one of its bags. Here the order is chosen by expected work,
//! step by step, and only as far as it pays; [`super::cut`] has the proof for one step. Sources: Dechter, *Bucket
//! elimination: a unifying framework for reasoning*, AIJ 1999; Morak and Woltran, *Preprocessing of complex non-ground
//! rules in answer set programming*, ICLP 2012.

use super::cut::{Body, Cut};
use crate::rewrite::rule::{Rule, Var};

/// The best elimination of a variable from a body, if one pays.
pub(crate) fn find(rule: &Rule, body: &Body) -> Option<Cut> {
    let vars = (0..rule.vars.len() as u32).map(Var).filter(|v| !body.kept[v.0 as usize]);
    let cuts = vars.filter_map(|v| {
        let mut part: Vec<usize> = body.literals_of(v).collect();
        // What has no variable of its own goes along and makes the part smaller.
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
    cuts.filter(|c| body.pays(c.work)).min_by(|a, b| a.work.total_cmp(&b.work))
}
