//! Variables that occur once: `:- p(X,Y), q(X,Z).` becomes `#1(X) :- p(X,Y).` and `:- #1(X), q(X,Z).`
//!
//! The part that is cut out is one literal; [`super::cut`] has the proof. It pays where the values of variables that
//! nothing else reads would multiply, not where they add up. Facts that differ only in such variables need no rule: the
//! join plan takes one of each (if this rewriting is on).

use super::cut::{Body, Cut};
use crate::rewrite::rule::Rule;

/// The best projection of a body, if one pays.
pub(crate) fn find(rule: &Rule, body: &Body) -> Option<Cut> {
    let candidates = (0..rule.body.len()).filter(|&i| body.sizes[i].binds);
    let cuts = candidates.filter_map(|i| body.cut(rule, vec![i])).filter(|c| body.pays(c.work));
    cuts.min_by(|a, b| a.work.total_cmp(&b.work))
}
