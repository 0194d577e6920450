//! Comparisons of a constraint, and their values under a binding.
//!
//! Invariant: an operation has a value for all values that its variables may have, and fits 62 bits.

use asp_base::aggregate::Relation;
use asp_base::map::Map;
use asp_base::symbol::Sym;
use std::cmp::Ordering;

/// A step of a calculation on a stack of integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    /// A number.
    Number(i64),
    /// The value of a variable.
    Var(u32),
    /// The sum of two.
    Add,
    /// The difference of two.
    Sub,
    /// The product of two.
    Mul,
    /// The quotient of two, rounded towards 0; the divisor is never 0.
    Div,
    /// The remainder of that division.
    Mod,
    /// The absolute value.
    Abs,
}

/// A side of a comparison.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Side {
    /// A term.
    Sym(Sym),
    /// The value of a variable.
    Var(u32),
    /// An integer.
    Code(Vec<Op>),
}

/// A sum of multiples of variables and a constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sum {
    /// Coefficients, not 0, of variables, each once.
    pub terms: Vec<(i64, u32)>,
    /// What is added.
    pub constant: i64,
}

/// A comparison: of two terms, or of two tuples of the same length.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    /// How they are compared.
    pub relation: Relation,
    /// The compared pairs, the most important first.
    pub sides: Vec<(Side, Side)>,
    /// A sum that must be 0, if it is an equation of integers.
    pub sum: Option<Sum>,
}

impl Side {
    /// Calls `f` for each variable.
    pub fn for_each_var(&self, mut f: impl FnMut(u32)) {
        match self {
            Side::Sym(_) => {}
            Side::Var(v) => f(*v),
            Side::Code(code) => code.iter().for_each(|op| {
                if let Op::Var(v) = op {
                    f(*v);
                }
            }),
        }
    }
    /// Its value; `None` if it is an integer that is no small one.
    #[inline]
    pub fn value(&self, values: &[Sym], stack: &mut Vec<i64>) -> Option<Sym> {
        match self {
            Side::Sym(s) => Some(*s),
            Side::Var(v) => Some(values[*v as usize]),
            Side::Code(code) => Sym::small(run(code, values, stack)),
        }
    }
}

/// The value of a calculation.
fn run(code: &[Op], values: &[Sym], stack: &mut Vec<i64>) -> i64 {
    stack.clear();
    for op in code {
        let value = match *op {
            Op::Number(n) => n,
            Op::Var(v) => values[v as usize].as_small().unwrap_or(0),
            Op::Abs => stack.pop().unwrap_or(0).saturating_abs(),
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod => {
                let right = stack.pop().unwrap_or(0);
                let left = stack.pop().unwrap_or(0);
                match op {
                    Op::Add => left.saturating_add(right),
                    Op::Sub => left.saturating_sub(right),
                    Op::Mul => left.saturating_mul(right),
                    Op::Div => left.checked_div(right).unwrap_or(0),
                    _ => left.checked_rem(right).unwrap_or(0),
                }
            }
        };
        stack.push(value);
    }
    stack.pop().unwrap_or(0)
}

impl Condition {
    /// Calls `f` for each variable.
    pub fn for_each_var(&self, mut f: impl FnMut(u32)) {
        for (left, right) in &self.sides {
            left.for_each_var(&mut f);
            right.for_each_var(&mut f);
        }
    }
    /// Whether it holds. Pre: its variables have values.
    #[inline]
    pub fn holds(&self, values: &[Sym], ranks: &Map<Sym, u32>, stack: &mut Vec<i64>) -> bool {
        let plain = matches!(self.relation, Relation::Equal | Relation::NotEqual);
        let mut order = Ordering::Equal;
        for (left, right) in &self.sides {
            order = match (left, right) {
                (Side::Code(code), other) => {
                    let left = run(code, values, stack);
                    match other {
                        Side::Code(code) => left.cmp(&run(code, values, stack)),
                        // Equality with what is no integer never holds; no order compares the two.
                        other => match other.value(values, stack).and_then(Sym::as_small) {
                            Some(right) => left.cmp(&right),
                            None => Ordering::Less,
                        },
                    }
                }
                (other, Side::Code(code)) => {
                    let right = run(code, values, stack);
                    match other.value(values, stack).and_then(Sym::as_small) {
                        Some(left) => left.cmp(&right),
                        None => Ordering::Less,
                    }
                }
                (left, right) => {
                    let (Some(x), Some(y)) = (left.value(values, stack), right.value(values, stack)) else {
                        return false;
                    };
                    match (x == y, plain) {
                        (true, _) => Ordering::Equal,
                        (false, true) => Ordering::Less,
                        _ => match (x.as_small(), y.as_small()) {
                            (Some(m), Some(n)) => m.cmp(&n),
                            _ => ranks.get(&x).cmp(&ranks.get(&y)),
                        },
                    }
                }
            };
            if order.is_ne() {
                break;
            }
        }
        self.relation.holds(order)
    }
}

impl Sum {
    /// The value of one of its variables that makes it 0, if that is a small integer. Pre: the others have values.
    pub fn solve(&self, var: u32, values: &[Sym]) -> Option<Sym> {
        let (mut total, mut factor) = (i128::from(self.constant), 0);
        for &(c, v) in &self.terms {
            if v == var {
                factor = i128::from(c);
            } else {
                total += i128::from(c) * i128::from(values[v as usize].as_small()?);
            }
        }
        if factor == 0 || total % factor != 0 {
            return None;
        }
        i64::try_from(-total / factor).ok().and_then(Sym::small)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(n: i64) -> Sym {
        Sym::small(n).unwrap_or(Sym::INF)
    }

    #[test]
    fn tuples_are_compared_from_the_left() {
        let var = Side::Var;
        let before = Condition {
            relation: Relation::Less,
            sides: vec![(var(0), var(2)), (var(1), var(3))],
            sum: None,
        };
        let holds = |values: [i64; 4]| before.holds(&values.map(number), &Map::default(), &mut Vec::new());
        assert!(holds([1, 9, 2, 0]) && holds([1, 2, 1, 3]));
        assert!(!holds([1, 2, 1, 2]) && !holds([2, 0, 1, 9]));
    }

    #[test]
    fn an_equation_is_solved_where_it_divides() {
        // 2x - 3y + 1 = 0
        let sum = Sum { terms: vec![(2, 0), (-3, 1)], constant: 1 };
        assert_eq!(sum.solve(0, &[Sym::INF, number(5)]), Some(number(7)));
        assert_eq!(sum.solve(0, &[Sym::INF, number(2)]), None);
        assert_eq!(sum.solve(1, &[number(7), Sym::INF]), Some(number(5)));
        assert_eq!(sum.solve(1, &[Sym::SUP, Sym::INF]), None);
    }
}
