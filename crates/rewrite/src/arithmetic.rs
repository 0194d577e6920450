//! Arithmetic on ground terms, exact in 64 bits.
//!
//! Invariant: an operation gives clingo's value, is undefined where clingo's is, or reports an overflow; it never
//! wraps.

use asp_base::symbol::{StrId, Sym, SymView, Symbols};
use asp_syntax::ast::{BinaryOp, UnaryOp};

/// Why an operation has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoValue {
    /// Not defined for these operands.
    Undefined,
    /// The result does not fit 64 bits.
    Overflow,
}

/// `op a`; minus also flips the classical negation of constants, functions and tuples.
pub fn unary(symbols: &mut Symbols, op: UnaryOp, a: Sym) -> Result<Sym, NoValue> {
    if let Some(n) = symbols.as_num(a) {
        let value = match op {
            UnaryOp::Minus => n.checked_neg().ok_or(NoValue::Overflow)?,
            UnaryOp::Complement => !n,
        };
        return Ok(symbols.num(value));
    }
    match (op, symbols.view(a)) {
        (UnaryOp::Minus, SymView::Fun { name, args, negative }) => {
            let (args, tuple) = (args.to_vec(), negative && name == StrId::EMPTY);
            Ok(if tuple { symbols.tuple(&args) } else { symbols.fun(name, &args, !negative) })
        }
        (UnaryOp::Minus, SymView::Tuple(args)) => {
            let args = args.to_vec();
            Ok(symbols.fun(StrId::EMPTY, &args, true))
        }
        _ => Err(NoValue::Undefined),
    }
}

/// `|a|`
pub fn absolute(symbols: &mut Symbols, a: Sym) -> Result<Sym, NoValue> {
    let n = symbols.as_num(a).ok_or(NoValue::Undefined)?;
    let value = n.checked_abs().ok_or(NoValue::Overflow)?;
    Ok(symbols.num(value))
}

/// `a op b`
pub fn binary(symbols: &mut Symbols, op: BinaryOp, a: Sym, b: Sym) -> Result<Sym, NoValue> {
    let (Some(m), Some(n)) = (symbols.as_num(a), symbols.as_num(b)) else { return Err(NoValue::Undefined) };
    integer_operation(op, m, n).map(|v| symbols.num(v))
}

/// `m op n` of integers
pub fn integer_operation(op: BinaryOp, m: i64, n: i64) -> Result<i64, NoValue> {
    let exact = |v: Option<i64>| v.ok_or(NoValue::Overflow);
    match op {
        BinaryOp::Add => exact(m.checked_add(n)),
        BinaryOp::Sub => exact(m.checked_sub(n)),
        BinaryOp::Mul => exact(m.checked_mul(n)),
        BinaryOp::Div | BinaryOp::Mod if n == 0 => Err(NoValue::Undefined),
        BinaryOp::Div => exact(m.checked_div(n)),
        BinaryOp::Mod => Ok(m.checked_rem(n).unwrap_or(0)),
        BinaryOp::Pow => power(m, n),
        BinaryOp::And => Ok(m & n),
        BinaryOp::Or => Ok(m | n),
        BinaryOp::Xor => Ok(m ^ n),
    }
}

fn power(m: i64, n: i64) -> Result<i64, NoValue> {
    match (m, n) {
        (0, n) if n < 0 => Err(NoValue::Undefined),
        (_, n) if n < 0 => Ok(0),
        (1, _) => Ok(1),
        (-1, n) => Ok(if n % 2 == 0 { 1 } else { -1 }),
        (0, n) => Ok(i64::from(n == 0)),
        (m, n) => u32::try_from(n).ok().and_then(|n| m.checked_pow(n)).ok_or(NoValue::Overflow),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use BinaryOp::*;

    #[test]
    fn as_clingo_computes() {
        for (op, m, n, value) in [
            (Div, -7, 2, Ok(-3)),
            (Mod, -7, 2, Ok(-1)),
            (Mod, 7, -2, Ok(1)),
            (Div, 1, 0, Err(NoValue::Undefined)),
            (Pow, 2, -1, Ok(0)),
            (Pow, 0, 0, Ok(1)),
            (Pow, 0, -1, Err(NoValue::Undefined)),
            (Pow, 1, -1, Ok(0)),
            (Pow, -1, -3, Ok(0)),
            (Pow, -1, 3, Ok(-1)),
            (Pow, 2, 62, Ok(1 << 62)),
            (Pow, 2, 63, Err(NoValue::Overflow)),
            (Add, i64::MAX, 1, Err(NoValue::Overflow)),
            (Div, i64::MIN, -1, Err(NoValue::Overflow)),
            (Mod, i64::MIN, -1, Ok(0)),
            (Xor, 6, 3, Ok(5)),
        ] {
            assert_eq!(integer_operation(op, m, n), value, "{op:?} {m} {n}");
        }
    }
}
