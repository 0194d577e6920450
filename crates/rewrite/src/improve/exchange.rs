//! Exchanges of variables, and equality of terms and literals up to an exchange.
//!
//! Invariant: an exchange is its own inverse; a variable that it does not name stays.

use crate::rule::{Literal, Term, Var};
use asp_base::map::Map;

/// Pairs of variables that change places.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exchange {
    partner: Map<Var, Var>,
    /// One variable of each pair, in the order in which they came.
    pub first: Vec<Var>,
}

/// Which variables a term or literal contains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    /// None that is exchanged.
    Shared,
    /// Only first ones of pairs (and shared ones).
    First,
    /// Only second ones of pairs (and shared ones).
    Second,
    /// Both.
    Mixed,
}

impl Exchange {
    /// Adds a pair; `false` if it contradicts an earlier one. A variable paired with itself must stay.
    pub(crate) fn pair(&mut self, v: Var, w: Var) -> bool {
        match (self.partner.get(&v), self.partner.get(&w)) {
            (None, None) => {
                self.partner.insert(v, w);
                self.partner.insert(w, v);
                if v != w {
                    self.first.push(v);
                }
                true
            }
            (Some(p), Some(q)) => *p == w && *q == v,
            _ => false,
        }
    }
    /// The variable that this one changes places with.
    pub(crate) fn partner(&self, v: Var) -> Option<Var> {
        self.partner.get(&v).copied().filter(|&w| w != v)
    }
    /// The side of a variable.
    pub(crate) fn side(&self, v: Var) -> Side {
        match self.partner(v) {
            None => Side::Shared,
            Some(_) if self.first.contains(&v) => Side::First,
            Some(_) => Side::Second,
        }
    }
    /// The side of all variables of a term.
    pub(crate) fn term_side(&self, t: &Term) -> Side {
        let mut side = Side::Shared;
        t.for_each_var(&mut |v| side = side.with(self.side(v)));
        side
    }
    /// The term after the exchange.
    pub(crate) fn term(&self, t: &Term) -> Term {
        t.map_vars(&mut |v| self.partner(v).unwrap_or(v))
    }
}

impl Side {
    /// The side of two parts together.
    pub(crate) fn with(self, other: Side) -> Side {
        match (self, other) {
            (Side::Shared, s) | (s, Side::Shared) => s,
            (a, b) if a == b => a,
            _ => Side::Mixed,
        }
    }
}

/// Equality of terms, whatever their places in the text.
pub(crate) fn same_term(a: &Term, b: &Term) -> bool {
    let all =
        |xs: &[Term], ys: &[Term]| xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| same_term(x, y));
    match (a, b) {
        (Term::Sym(x), Term::Sym(y)) => x == y,
        (Term::Var(x), Term::Var(y)) | (Term::Negated(x, _), Term::Negated(y, _)) => x == y,
        (Term::Fun(n, s, xs), Term::Fun(m, t, ys)) => n == m && s == t && all(xs, ys),
        (Term::Tuple(xs), Term::Tuple(ys)) => all(xs, ys),
        (Term::Unary(o, x, _), Term::Unary(p, y, _)) => o == p && same_term(x, y),
        (Term::Absolute(x, _), Term::Absolute(y, _)) => same_term(x, y),
        (Term::Binary(o, x, y, _), Term::Binary(p, v, w, _)) => {
            o == p
                && (same_term(x, v) && same_term(y, w)
                    || o.is_commutative() && same_term(x, w) && same_term(y, v))
        }
        (
            Term::Linear { coefficient: c, var: v, offset: o, .. },
            Term::Linear { coefficient: d, var: w, offset: p, .. },
        ) => c == d && v == w && o == p,
        _ => false,
    }
}

/// Whether two terms are the same up to their variables: those in the same position are passed to `pair`, which may
/// refuse.
pub(crate) fn same_up_to(s: &Term, t: &Term, pair: &mut dyn FnMut(Var, Var) -> bool) -> bool {
    let mut all = |ss: &[Term], ts: &[Term]| {
        ss.len() == ts.len() && ss.iter().zip(ts).all(|(s, t)| same_up_to(s, t, pair))
    };
    match (s, t) {
        (Term::Sym(a), Term::Sym(b)) => a == b,
        (Term::Var(v), Term::Var(w)) | (Term::Negated(v, _), Term::Negated(w, _)) => pair(*v, *w),
        (Term::Fun(n, a, ss), Term::Fun(m, b, ts)) => n == m && a == b && all(ss, ts),
        (Term::Tuple(ss), Term::Tuple(ts)) => all(ss, ts),
        (Term::Unary(o, s, _), Term::Unary(p, t, _)) => o == p && same_up_to(s, t, pair),
        (Term::Absolute(s, _), Term::Absolute(t, _)) => same_up_to(s, t, pair),
        (Term::Binary(o, s, u, _), Term::Binary(p, t, w, _)) => {
            o == p && same_up_to(s, t, pair) && same_up_to(u, w, pair)
        }
        (
            Term::Linear { coefficient: c, var: v, offset: o, .. },
            Term::Linear { coefficient: d, var: w, offset: p, .. },
        ) => c == d && o == p && pair(*v, *w),
        _ => false,
    }
}

/// Whether an exchange turns one literal into the other. Aggregates and the like only if it does not touch them.
pub(crate) fn mirrored(l: &Literal, m: &Literal, x: &Exchange) -> bool {
    match (l, m) {
        (Literal::Atom(s, a), Literal::Atom(t, b)) => {
            s == t && a.pred == b.pred && a.args.iter().zip(&b.args).all(|(p, q)| same_term(&x.term(p), q))
        }
        (Literal::Compare(r, a, b, _), Literal::Compare(q, c, d, _)) => {
            let (a, b) = (x.term(a), x.term(b));
            r == q && same_term(&a, c) && same_term(&b, d)
                || r.flip() == *q && same_term(&a, d) && same_term(&b, c)
        }
        (Literal::Range(t, a, b, _), Literal::Range(u, c, d, _)) => {
            [(t, u), (a, c), (b, d)].iter().all(|(p, q)| same_term(&x.term(p), q))
        }
        _ => false,
    }
}

impl Exchange {
    /// Pairs the variables of two terms position by position; `false` if they do not fit.
    pub(crate) fn unify(&mut self, s: &Term, t: &Term) -> bool {
        same_up_to(s, t, &mut |v, w| self.pair(v, w))
    }

    /// Extends the exchange so that it maps the atoms of a body to atoms of the body.
    pub(crate) fn extend(self, body: &[Literal]) -> Option<Exchange> {
        let atoms: Vec<&Literal> = body.iter().filter(|l| matches!(l, Literal::Atom(..))).collect();
        let mut tries = 300;
        self.search(&atoms, &mut vec![false; atoms.len()], &mut tries)
    }

    fn search(self, atoms: &[&Literal], done: &mut [bool], tries: &mut u32) -> Option<Exchange> {
        let moved = |l: &Literal| {
            let mut any = false;
            crate::rule::literal_vars(l, &mut |v| any |= self.partner(v).is_some());
            any
        };
        let Some(i) = (0..atoms.len()).find(|&i| !done[i] && moved(atoms[i])) else { return Some(self) };
        let Literal::Atom(sign, a) = atoms[i] else { return None };
        for j in i..atoms.len() {
            let Literal::Atom(other, b) = atoms[j] else { continue };
            *tries = tries.saturating_sub(1);
            if done[j] || a.pred != b.pred || sign != other || *tries == 0 {
                continue;
            }
            let mut x = self.clone();
            if a.args.iter().zip(&b.args).all(|(s, t)| x.unify(s, t)) {
                (done[i], done[j]) = (true, true);
                if let Some(found) = x.search(atoms, done, tries) {
                    return Some(found);
                }
                (done[i], done[j]) = (false, false);
            }
        }
        None
    }
}
