//! Decomposition of large bodies: `:- p(A,B), p(B,C), p(C,D), p(D,E).` in rules over fewer variables.
//!
//! A variable is eliminated by joining all literals that contain it, which leaves a relation over their other
//! variables; the next one is eliminated from the result. Such an elimination order is a tree decomposition of the
//! body's hypergraph, and the variables of the literals joined in one step are one of its bags. Here the order is
//! chosen by expected work, step by step, and only as far as it pays; [`super::cut`] has the proof for one step.
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
    cuts.filter(|c| body.pays(c.work)).min_by(|a, b| a.work.total_cmp(&b.work))
}
