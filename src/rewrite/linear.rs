//! Terms as sums of multiples of variables.
//!
//! Invariant: coefficients are not 0 and each variable occurs once; what does not fit 64 bits is no sum.

use super::rule::{Term, Var};
use crate::base::symbol::Symbols;
use crate::syntax::ast::{BinaryOp, UnaryOp};

/// A sum of multiples of variables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Linear {
    /// Coefficients, not 0, each variable once.
    pub terms: Vec<(i64, Var)>,
    /// Summand.
    pub constant: i64,
}

/// Writes a term as a sum of multiples of variables, if it is one.
pub(crate) fn linear(t: &Term, symbols: &Symbols) -> Option<Linear> {
    let mut out = Linear::default();
    add_linear(t, 1, symbols, &mut out)?;
    // A variable that cancels out must still be an integer.
    out.terms.iter().all(|&(c, _)| c != 0).then_some(out)
}

fn add_linear(t: &Term, factor: i64, symbols: &Symbols, out: &mut Linear) -> Option<()> {
    let add_var = |out: &mut Linear, c: i64, v: Var| {
        match out.terms.iter_mut().find(|(_, w)| *w == v) {
            Some((d, _)) => *d = d.checked_add(c)?,
            None => out.terms.push((c, v)),
        }
        Some(())
    };
    match t {
        Term::Sym(s) => {
            let n = symbols.as_num(*s)?.checked_mul(factor)?;
            out.constant = out.constant.checked_add(n)?;
            Some(())
        }
        Term::Var(v) => add_var(out, factor, *v),
        Term::Linear { coefficient, var, offset, .. } => {
            out.constant = out.constant.checked_add(offset.checked_mul(factor)?)?;
            add_var(out, coefficient.checked_mul(factor)?, *var)
        }
        Term::Unary(UnaryOp::Minus, a, _) => add_linear(a, factor.checked_neg()?, symbols, out),
        Term::Binary(BinaryOp::Add, a, b, _) => {
            add_linear(a, factor, symbols, out)?;
            add_linear(b, factor, symbols, out)
        }
        Term::Binary(BinaryOp::Sub, a, b, _) => {
            add_linear(a, factor, symbols, out)?;
            add_linear(b, factor.checked_neg()?, symbols, out)
        }
        Term::Binary(BinaryOp::Mul, a, b, _) => match (&**a, &**b) {
            (Term::Sym(s), t) | (t, Term::Sym(s)) => {
                add_linear(t, factor.checked_mul(symbols.as_num(*s)?)?, symbols, out)
            }
            _ => None,
        },
        _ => None,
    }
}

/// `left - right` as a sum, for comparisons in which some arithmetic makes sure that only integers matter.
pub(crate) fn difference(left: &Term, right: &Term, symbols: &Symbols) -> Option<Linear> {
    let arithmetic = |t: &Term| !matches!(t, Term::Sym(_) | Term::Var(_));
    if !arithmetic(left) && !arithmetic(right) {
        return None;
    }
    let mut out = linear(left, symbols)?;
    add_linear(right, -1, symbols, &mut out)?;
    out.terms.iter().all(|&(c, _)| c != 0).then_some(out)
}
