//! Terms as sums of multiples of variables.
//!
//! Invariant: coefficients are not 0, and each variable occurs once; a term whose numbers exceed 64 bits is not linear.

use super::rule::{Term, Var};
use asp_base::symbol::Symbols;
use asp_syntax::ast::{BinaryOp, UnaryOp};

/// A sum of multiples of variables.
#[derive(Clone, Debug, Default)]
pub struct Linear {
    /// Coefficients, not 0, each variable once.
    pub terms: Vec<(i64, Var)>,
    /// The constant summand.
    pub constant: i64,
}

/// Writes a term as a sum of multiples of variables, if it is one.
pub(crate) fn linear(t: &Term, symbols: &Symbols) -> Option<Linear> {
    let mut out = Linear::default();
    add(t, 1, false, symbols, &mut out)?;
    // A variable that cancels out must still be an integer.
    out.terms.iter().all(|&(c, _)| c != 0).then_some(out)
}

/// Adds `factor * t`; `-X` is linear only if `X` is known to be an `integer`, as constants have a negation, too.
fn add(t: &Term, factor: i64, integer: bool, symbols: &Symbols, out: &mut Linear) -> Option<()> {
    let mut open = vec![(t, factor)];
    while let Some((t, factor)) = open.pop() {
        let (c, v) = match t {
            Term::Sym(s) => {
                let n = symbols.as_num(*s)?.checked_mul(factor)?;
                out.constant = out.constant.checked_add(n)?;
                continue;
            }
            Term::Var(v) => (factor, *v),
            Term::Negated(v, _) if integer => (factor.checked_neg()?, *v),
            Term::Linear { coefficient, var, offset, .. } => {
                out.constant = out.constant.checked_add(offset.checked_mul(factor)?)?;
                (coefficient.checked_mul(factor)?, *var)
            }
            Term::Unary(UnaryOp::Minus, a, _) => {
                open.push((a, factor.checked_neg()?));
                continue;
            }
            Term::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b, _) => {
                open.push((b, if *op == BinaryOp::Sub { factor.checked_neg()? } else { factor }));
                open.push((a, factor));
                continue;
            }
            Term::Binary(BinaryOp::Mul, a, b, _) => match (&**a, &**b) {
                (Term::Sym(s), t) | (t, Term::Sym(s)) => {
                    open.push((t, factor.checked_mul(symbols.as_num(*s)?)?));
                    continue;
                }
                _ => return None,
            },
            _ => return None,
        };
        match out.terms.iter_mut().find(|(_, w)| *w == v) {
            Some((d, _)) => *d = d.checked_add(c)?,
            None => out.terms.push((c, v)),
        }
    }
    Some(())
}

/// `left - right` as a sum, for comparisons in which some arithmetic ensures that only integers matter.
pub fn difference(left: &Term, right: &Term, symbols: &Symbols) -> Option<Linear> {
    let arithmetic = |t: &Term| !matches!(t, Term::Sym(_) | Term::Var(_));
    if !arithmetic(left) && !arithmetic(right) {
        return None;
    }
    let mut out = linear(left, symbols)?;
    add(right, -1, false, symbols, &mut out)?;
    out.terms.iter().all(|&(c, _)| c != 0).then_some(out)
}

/// The term as a sum where it is known to be an integer; coefficients may be 0.
pub(crate) fn integer(t: &Term, symbols: &Symbols) -> Option<Linear> {
    let mut out = Linear::default();
    add(t, 1, true, symbols, &mut out)?;
    Some(out)
}
