//! Constraints that the solver propagates itself, because some variables have too many values for atoms.
//!
//! Such a variable is represented by its binary digits: atoms that any rule may choose. Invariant: sums are linear; for
//! each answer set and each assignment of values there is one way to choose the digits.

use super::super::atom_table::Literal;
use super::column::Column;
use super::state::Variable;
use asp_base::interval::{self, Interval};

/// The greatest absolute value of a sum over variables with digits, and of a product.
pub const MAX_SUM: i128 = 1 << 61;

/// A part of a linear sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantity {
    /// A variable of the program.
    Variable(Variable),
    /// A product of variables, by number.
    Product(u32),
    /// 1 if a literal holds, and otherwise 0.
    Literal(Literal),
}

/// A product of variables.
#[derive(Clone, Debug)]
pub enum Product {
    /// The values, where those of all variables are atoms.
    Column(Column),
    /// The variables, sorted.
    Factors(Vec<Variable>),
}

/// Multiplies out sorted variables, by squares (for which `times` gets `true`) and products of two; `None` if that fails.
pub fn multiplied<T: Copy>(
    product: &[Variable],
    mut of: impl FnMut(Variable) -> T,
    mut times: impl FnMut(T, T, bool) -> Option<T>,
) -> Option<T> {
    let mut all: Option<T> = None;
    for power in product.chunk_by(|a, b| a == b) {
        let (base, exponent) = (of(power[0]), power.len());
        let mut value = base;
        // By the digits of the exponent after the first.
        for digit in (0..exponent.ilog2()).rev() {
            value = times(value, value, true)?;
            if exponent >> digit & 1 == 1 {
                value = times(value, base, false)?;
            }
        }
        all = Some(match all {
            Some(before) => times(before, value, false)?,
            None => value,
        });
    }
    all
}

/// Where the values of a product lie; `None` if those of a part do not fit.
pub fn range_of(product: &[Variable], of: impl FnMut(Variable) -> Interval) -> Option<Interval> {
    multiplied(product, of, |a, b, is_square| {
        let range = if is_square { interval::square(a) } else { interval::product(a, b) };
        (-MAX_SUM <= range.0 && range.1 <= MAX_SUM).then_some(range)
    })
}

/// A sum of multiples, and a constant.
#[derive(Clone, Debug)]
pub struct Linear {
    /// Factors and what they multiply.
    pub terms: Vec<(i64, Quantity)>,
    /// What is added.
    pub constant: i64,
}

impl Linear {
    /// The difference of two sums; numbers as great as these fit.
    pub fn minus(&self, other: &Self) -> Self {
        let negated = other.terms.iter().map(|&(factor, quantity)| (-factor, quantity));
        Self {
            terms: self.terms.iter().copied().chain(negated).collect(),
            constant: self.constant.saturating_sub(other.constant),
        }
    }
}

/// A constraint that holds under a condition.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The condition; `None` if it always holds.
    pub when: Option<Literal>,
    /// What holds then.
    pub constraint: KeptConstraint,
}

/// What is kept.
#[derive(Clone, Debug)]
pub enum KeptConstraint {
    /// The sum is at most 0.
    AtMost(Linear),
    /// The sum is 0. It follows from others, but tells more.
    Equal(Linear),
    /// One of the sums is at most 0; both cannot be.
    Either([Linear; 2]),
    /// The variable has a value in one of the ranges, which are apart and ascend.
    Within(Variable, Vec<(i64, i64)>),
    /// All sums differ.
    Distinct(Vec<Linear>),
    /// No two tasks with these lengths overlap. Redundant, but propagates more.
    Disjoint(Vec<(Linear, i64)>),
    /// The tasks running at a time never exceed the capacity: starts, lengths and demands.
    Cumulative(Vec<(Linear, i64, i64)>, i64),
}

/// The binary digits of a variable, the least first; its value is a base plus their sum.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Digits {
    /// What is added to the digits.
    pub base: i64,
    /// By place: whether the digit is 1.
    pub literals: Vec<Literal>,
}

impl Digits {
    /// The value, by the literals that hold.
    pub fn value(&self, holds: impl Fn(Literal) -> bool) -> i64 {
        let ones = self.literals.iter().enumerate().filter(|&(_, &l)| holds(l));
        ones.fold(self.base, |value, (k, _)| value + (1 << k))
    }
}
