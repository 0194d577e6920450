//! Constraints that the solver keeps as such, because some of their variables have too many values for atoms.
//!
//! Such a variable is known to the program by its binary digits: atoms that any rule may choose. Invariant: sums are linear; for
//! each answer set and each assignment of values there is one way to choose the digits.

use super::super::atom_table::Literal;
use super::constraint::Variable;

/// A part of a linear sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Quantity {
    /// A variable.
    Variable(Variable),
    /// A product of variables whose values are atoms: its column among the products.
    Product(u32),
}

/// A sum of multiples, and a constant.
#[derive(Clone, Debug)]
pub(crate) struct Linear {
    pub(crate) terms: Vec<(i64, Quantity)>,
    pub(crate) constant: i64,
}

/// A constraint that holds under a condition.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    pub(crate) when: Option<Literal>,
    pub(crate) constraint: KeptConstraint,
}

/// What is kept.
#[derive(Clone, Debug)]
pub(crate) enum KeptConstraint {
    /// The sum is at most 0.
    AtMost(Linear),
    /// One of the sums is at most 0; both cannot be.
    Either([Linear; 2]),
    /// The variable has a value in one of the ranges, which are apart and ascend.
    Within(Variable, Vec<(i64, i64)>),
}

/// The binary digits of a variable, the least first; it is their sum and a base.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Digits {
    pub(crate) base: i64,
    pub(crate) literals: Vec<Literal>,
}

impl Digits {
    /// The value, by the literals that hold.
    pub(crate) fn value(&self, holds: impl Fn(Literal) -> bool) -> i64 {
        let ones = self.literals.iter().enumerate().filter(|&(_, &l)| holds(l));
        ones.fold(self.base, |value, (k, _)| value + (1 << k))
    }
}
