//! Variables that occur once: `:- p(X,Y), q(X,Z).` becomes `#1(X) :- p(X,Y).` and `:- #1(X), q(X,Z).`
//!
//! The part that is cut out is one literal; [`super::cut`] has the proof. It pays where the values of variables that nothing
//! else reads would multiply, not where they add up. Facts that differ only in such variables need no rule: the join plan takes
//! one of each (if this rewriting is on).
//!
//! In recursion, as in `p(T+1,X) :- p(T,X,_), q(T,Y)`, the sizes are not known yet. There the auxiliary predicate belongs to
//! the component that it reads, and what counts is whether the rest of the body has a variable of its own that multiplies.

use super::Sizes;
use super::cut::{Body, Cut, is_kept, is_safe};
use crate::predicate::PredId;
use crate::rule::{Literal, Rule, Term, Var, literal_vars};
use asp_syntax::ast::Sign;

/// The best projection of a body, if one pays.
pub fn find(rule: &Rule, body: &Body) -> Option<Cut> {
    let candidates = (0..rule.body.len()).filter(|&i| body.sizes[i].binds);
    let cuts = candidates.filter_map(|i| body.cut(rule, vec![i])).filter(|c| body.pays(c.work));
    cuts.min_by(|a, b| a.work.total_cmp(&b.work))
}

/// A complete rest of the body multiplies from this many expected matches on.
const MIN_MATCHES: f64 = 2.0;

/// A literal over a growing predicate with variables that nothing else uses, where the rest of the body would multiply
/// them: its position, and its other variables.
pub fn find_growing(
    rule: &Rule,
    grows: &dyn Fn(PredId) -> bool,
    sizes: &mut dyn Sizes,
) -> Option<(usize, Vec<Var>)> {
    let mut count = vec![0u32; rule.vars.len()];
    rule.body.iter().for_each(|l| literal_vars(l, &mut |v| count[v.0 as usize] += 1));
    (0..rule.body.len()).find_map(|i| {
        let Literal::Atom(Sign::None, atom) = &rule.body[i] else { return None };
        if !grows(atom.pred) {
            return None;
        }
        let mut vars = Vec::new();
        literal_vars(&rule.body[i], &mut |v| vars.push(v));
        vars.sort_unstable();
        vars.dedup();
        let (eliminated, scope): (Vec<Var>, Vec<Var>) =
            vars.into_iter().partition(|&v| count[v.0 as usize] == 1 && !is_kept(rule, v));
        let multiplies = |l: &Literal, sizes: &mut dyn Sizes| {
            let Literal::Atom(Sign::None, a) = l else { return false };
            let is_open = |t: &Term| {
                let mut open = false;
                t.for_each_var(&mut |v| open |= !scope.contains(&v));
                open
            };
            let open: Vec<usize> = (0..a.args.len()).filter(|&c| is_open(&a.args[c])).collect();
            let known = (0..a.args.len()).filter(|c| !open.contains(c));
            !open.is_empty()
                && (!sizes.is_complete(a.pred) || {
                    let groups: f64 = known.map(|c| sizes.distinct(a.pred, c)).product();
                    sizes.rows(a.pred) / groups >= MIN_MATCHES
                })
        };
        let found = !eliminated.is_empty()
            && (0..rule.body.len()).any(|j| j != i && multiplies(&rule.body[j], sizes))
            && is_safe(rule, &[i], &scope);
        found.then_some((i, scope))
    })
}
