//! Integers calculated from columns of a row or from variables, by which an index may group rows: of `q(R,C), R-C = D` with `D`
//! known, only the rows with that difference are visited.

use asp_base::symbol::{Sym, Symbols};
use asp_rewrite::arithmetic::integer_operation;
use asp_rewrite::rule::{Term, Var};
use asp_syntax::ast::{BinaryOp, UnaryOp};

/// An integer calculated from numbered terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Calculated {
    /// The term with this number, a column or a variable.
    Given(u32),
    Constant(i64),
    Unary(UnaryOp, Box<Calculated>),
    Absolute(Box<Calculated>),
    Binary(BinaryOp, Box<Calculated>, Box<Calculated>),
}

impl Calculated {
    /// The value of a term, if it is arithmetic; `given` has the numbers of its variables.
    pub(crate) fn of_term(t: &Term, given: &dyn Fn(Var) -> Option<u32>, symbols: &Symbols) -> Option<Self> {
        let of = |t: &Term| Self::of_term(t, given, symbols).map(Box::new);
        Some(match t {
            Term::Sym(s) => Self::Constant(symbols.as_num(*s)?),
            Term::Var(v) => Self::Given(given(*v)?),
            Term::Linear { coefficient, var, offset, .. } => {
                Self::multiple(*coefficient, given(*var)?).plus(Self::Constant(*offset))
            }
            Term::Negated(v, _) => Self::Unary(UnaryOp::Minus, Box::new(Self::Given(given(*v)?))),
            Term::Unary(op, t, _) => Self::Unary(*op, of(t)?),
            Term::Absolute(t, _) => Self::Absolute(of(t)?),
            Term::Binary(op, s, t, _) => Self::Binary(*op, of(s)?, of(t)?),
            Term::Fun(..) | Term::Tuple(_) | Term::External(..) => return None,
        })
    }

    /// A sum of multiples of numbered terms, if there are any.
    pub(crate) fn of_sum(mut terms: impl Iterator<Item = (i64, u32)>) -> Option<Self> {
        let first = terms.next().map(|(c, n)| Self::multiple(c, n))?;
        Some(terms.fold(first, |sum, (c, n)| sum.plus(Self::multiple(c, n))))
    }

    fn multiple(coefficient: i64, number: u32) -> Self {
        match coefficient {
            1 => Self::Given(number),
            c => Self::Binary(BinaryOp::Mul, Box::new(Self::Constant(c)), Box::new(Self::Given(number))),
        }
    }

    /// The sum of two.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self::Binary(BinaryOp::Add, Box::new(self), Box::new(other))
    }

    /// The value where the numbered terms are `given`; `None` if an operation has none or it is no 64-bit integer.
    pub(crate) fn value(&self, given: &dyn Fn(u32) -> Sym, symbols: &Symbols) -> Option<i64> {
        let of = |c: &Self| c.value(given, symbols);
        match self {
            Self::Given(n) => symbols.as_num(given(*n)),
            Self::Constant(n) => Some(*n),
            Self::Unary(UnaryOp::Minus, c) => of(c)?.checked_neg(),
            Self::Unary(UnaryOp::Complement, c) => of(c).map(|n| !n),
            Self::Absolute(c) => of(c)?.checked_abs(),
            Self::Binary(op, a, b) => integer_operation(*op, of(a)?, of(b)?).ok(),
        }
    }
}
