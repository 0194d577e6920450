//! Values calculated from the columns of a row, by which an index may group rows: of `q(R,C), R-C = D` with `D` known,
//! the rows with that difference are found without looking at all.

use super::table::{Row, Table};
use asp_base::symbol::Symbols;
use asp_rewrite::arithmetic::integer_operation;
use asp_rewrite::linear::Linear;
use asp_rewrite::rule::{Term, Var};
use asp_syntax::ast::{BinaryOp, UnaryOp};

/// An integer calculated from columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Calculated {
    Column(u32),
    Constant(i64),
    Unary(UnaryOp, Box<Calculated>),
    Absolute(Box<Calculated>),
    Binary(BinaryOp, Box<Calculated>, Box<Calculated>),
}

impl Calculated {
    /// A term whose variables are columns, if it is arithmetic.
    pub(crate) fn of_term(t: &Term, column: &dyn Fn(Var) -> Option<u32>, symbols: &Symbols) -> Option<Self> {
        let of = |t: &Term| Self::of_term(t, column, symbols).map(Box::new);
        Some(match t {
            Term::Sym(s) => Self::Constant(symbols.as_num(*s)?),
            Term::Var(v) => Self::Column(column(*v)?),
            Term::Linear { coefficient, var, offset, .. } => {
                Self::multiple(*coefficient, column(*var)?).plus(Self::Constant(*offset))
            }
            Term::Unary(op, t, _) => Self::Unary(*op, of(t)?),
            Term::Absolute(t, _) => Self::Absolute(of(t)?),
            Term::Binary(op, s, t, _) => Self::Binary(*op, of(s)?, of(t)?),
            Term::Fun(..) | Term::Tuple(_) | Term::Negated(..) | Term::External(..) => return None,
        })
    }

    /// The part of a sum whose variables are columns, if there is one.
    pub(crate) fn of_sum(sum: &Linear, column: &dyn Fn(Var) -> Option<u32>) -> Option<Self> {
        let own = sum.terms.iter().filter_map(|&(c, v)| Some(Self::multiple(c, column(v)?)));
        own.reduce(Self::plus)
    }

    fn multiple(coefficient: i64, column: u32) -> Self {
        match coefficient {
            1 => Self::Column(column),
            c => Self::Binary(BinaryOp::Mul, Box::new(Self::Constant(c)), Box::new(Self::Column(column))),
        }
    }

    fn plus(self, other: Self) -> Self {
        Self::Binary(BinaryOp::Add, Box::new(self), Box::new(other))
    }

    /// The value for a row; `None` if an operation has none or it is no 64-bit integer.
    pub(super) fn value(&self, table: &Table, row: Row, symbols: &Symbols) -> Option<i64> {
        let of = |c: &Self| c.value(table, row, symbols);
        match self {
            Self::Column(c) => symbols.as_num(table.arg(row, *c as usize)),
            Self::Constant(n) => Some(*n),
            Self::Unary(UnaryOp::Minus, c) => of(c)?.checked_neg(),
            Self::Unary(UnaryOp::Complement, c) => of(c).map(|n| !n),
            Self::Absolute(c) => of(c)?.checked_abs(),
            Self::Binary(op, a, b) => integer_operation(*op, of(a)?, of(b)?).ok(),
        }
    }
}
