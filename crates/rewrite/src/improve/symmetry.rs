//! Interchangeable variables in ascending order: `:- p(X), p(Y), r(X,Y), r(Y,X), X != Y.` gets `X < Y`.
//!
//! Proof that the answer sets stay the same: let s be an exchange of variables that maps the body to itself (and the
//! head, if there is one) and exchanges X and Y. An instance of the rule and the instance with the values exchanged
//! have the same set of body literals and the same head, so one of the two suffices: the one with X <= Y in the order
//! of terms. If for any two of X1, ..., Xk there is such an exchange that leaves the others where they are, the
//! exchanges generate all permutations of the k values, and each class of instances has one with X1 <= ... <= Xk. Where
//! the body has `Xi != Xj`, `<=` and `!=` together are `<`. A tuple of an objective may tell the two instances apart
//! (they then count twice), so weak constraints are left alone.

use super::exchange::{Exchange, mirrored};
use crate::rule::{Head, Literal, Rule, Term, Var, literal_vars};
use asp_base::span::Span;
use asp_syntax::ast::{Relation, Sign};

/// The rule with its interchangeable variables in order, if it has any, and the number of instances that each instance
/// represents, if that is the same for all.
pub fn order(rule: &Rule) -> Option<(Rule, Option<u64>)> {
    if !matches!(rule.head, Head::Constraint | Head::Atom(_)) || rule.body.len() > 32 || rule.vars.len() > 32
    {
        return None;
    }
    let unequal = |v: Var, w: Var| {
        rule.body.iter().position(|l| {
            matches!(l, Literal::Compare(Relation::NotEqual, Term::Var(a), Term::Var(b), _)
                if (*a, *b) == (v, w) || (*a, *b) == (w, v))
        })
    };
    let candidates = candidates(rule);
    // Greedy: the first variable that has partners, and those interchangeable with all chosen so far.
    for (i, &v) in candidates.iter().enumerate() {
        let mut chain = vec![v];
        for &w in &candidates[i + 1..] {
            if chain.iter().all(|&u| exchange(rule, u, w, &chain).is_some()) {
                chain.push(w);
            }
        }
        if chain.len() < 2 {
            continue;
        }
        let mut body = rule.body.clone();
        let mut strict = true;
        for pair in chain.windows(2) {
            let (x, y) = (Term::Var(pair[0]), Term::Var(pair[1]));
            match unequal(pair[0], pair[1]) {
                Some(at) => body[at] = Literal::Compare(Relation::Less, x, y, body[at].span()),
                None => {
                    strict = false;
                    body.push(Literal::Compare(Relation::LessEqual, x, y, rule.span));
                }
            }
        }
        if strict {
            // The order of the chain implies that the others differ.
            body.retain(|l| {
                !matches!(l, Literal::Compare(Relation::NotEqual, Term::Var(a), Term::Var(b), _)
                    if chain.contains(a) && chain.contains(b) && a != b)
            });
        }
        let times = strict.then(|| (1..=chain.len() as u64).product());
        return Some((Rule { body, ..rule.clone() }, times));
    }
    None
}

/// Variables that may have a partner: arguments of atoms, at least two of one predicate and column or in a comparison.
fn candidates(rule: &Rule) -> Vec<Var> {
    let mut out = Vec::new();
    for l in &rule.body {
        if let Literal::Atom(Sign::None, _) = l {
            literal_vars(l, &mut |v| {
                if !out.contains(&v) {
                    out.push(v);
                }
            });
        }
    }
    out.sort_unstable();
    out
}

/// An exchange of two variables that maps the rule to itself and leaves the other variables of the chain.
fn exchange(rule: &Rule, v: Var, w: Var, chain: &[Var]) -> Option<Exchange> {
    let mut start = Exchange::default();
    if !start.pair(v, w) || !chain.iter().all(|&u| u == v || start.pair(u, u)) {
        return None;
    }
    let x = start.extend(&rule.body)?;
    let touched = |l: &Literal| {
        let mut any = false;
        literal_vars(l, &mut |v| any |= x.partner(v).is_some());
        any
    };
    let kept = rule.body.iter().all(|l| !touched(l) || rule.body.iter().any(|m| mirrored(l, m, &x)));
    let head = match &rule.head {
        Head::Atom(a) => a.args.iter().all(|t| x.term(t) == *t),
        _ => true,
    };
    (kept && head).then_some(x)
}

impl Literal {
    /// Where a comparison or range stands.
    fn span(&self) -> Span {
        match self {
            Literal::Compare(_, _, _, span) | Literal::Range(_, _, _, span) | Literal::False(span) => *span,
            Literal::Atom(_, a) => a.span,
            Literal::Aggregate(a) => a.span,
            Literal::Conditional(c) => c.span,
            Literal::Theory(_, a) => a.span,
        }
    }
}
