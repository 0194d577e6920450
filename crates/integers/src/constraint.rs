//! Variables, sums and constraints.
//!
//! Invariant: products in a sum are ascending lists of variables, each once, with factors other than 0.

use std::collections::BTreeMap;

use asp_base::span::Span;
use asp_base::symbol::{StrId, Sym};
use asp_program::AtomId;
use asp_program::integers::Variable;

/// A sum of multiples of products of variables, and a constant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) struct Sum {
    pub(crate) terms: Vec<(i64, Vec<Variable>)>,
    pub(crate) constant: i64,
}

impl Sum {
    /// From factors by product; the constant has the empty one. `None` if a number does not fit 64 bits.
    pub(crate) fn of(factors: BTreeMap<Vec<Variable>, i128>) -> Option<Sum> {
        let mut sum = Sum::default();
        for (product, factor) in factors {
            let factor = i64::try_from(factor).ok()?;
            match product.is_empty() {
                true => sum.constant = factor,
                false if factor != 0 => sum.terms.push((factor, product)),
                false => {}
            }
        }
        Some(sum)
    }

    pub(crate) fn product(product: &[Variable]) -> Sum {
        Sum { terms: vec![(1, product.to_vec())], constant: 0 }
    }

    /// `offset - self`; `None` if a number does not fit 64 bits.
    pub(crate) fn subtracted_from(&self, offset: i64) -> Option<Sum> {
        let negated =
            |(factor, product): &(i64, Vec<Variable>)| Some((factor.checked_neg()?, product.clone()));
        let terms = self.terms.iter().map(negated).collect::<Option<_>>()?;
        Some(Sum { terms, constant: offset.checked_sub(self.constant)? })
    }

    /// With a greater constant; `None` if a number does not fit 64 bits.
    pub(crate) fn plus(&self, more: i64) -> Option<Sum> {
        Some(Sum { terms: self.terms.clone(), constant: self.constant.checked_add(more)? })
    }

    /// The difference; `None` if a number does not fit 64 bits.
    pub(crate) fn minus(&self, other: &Sum) -> Option<Sum> {
        let mut factors: BTreeMap<Vec<Variable>, i128> = BTreeMap::new();
        for (sum, sign) in [(self, 1), (other, -1)] {
            for (factor, product) in &sum.terms {
                *factors.entry(product.clone()).or_default() += sign * i128::from(*factor);
            }
            *factors.entry(Vec::new()).or_default() += sign * i128::from(sum.constant);
        }
        Sum::of(factors)
    }

    /// Its variables, with repetitions.
    pub(crate) fn variables(&self) -> impl Iterator<Item = Variable> {
        self.terms.iter().flat_map(|t| &t.1).copied()
    }
}

/// The comparison of a sum with 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Test {
    AtMost,
    Equal,
    NotEqual,
}

#[derive(Clone, Debug)]
pub(crate) enum Constraint {
    Compare(Sum, Test),
    /// Sums with different values.
    Distinct(Vec<Sum>),
    /// Tasks that do not overlap.
    Disjoint(Vec<Task>),
    /// Tasks that need no more than a number at any time.
    Cumulative(Vec<Task>, i64),
    /// A variable with a value in one of the ranges.
    Domain(Variable, Vec<(i64, i64)>),
    /// A multiple of the number of sums that are 0, and another sum, compared with 0.
    Count {
        sums: Vec<Sum>,
        factor: i64,
        rest: Sum,
        test: Test,
    },
    /// In one of the lists all comparisons with 0 hold.
    Any(Vec<Vec<(Sum, Test)>>),
}

/// A start, a length greater than 0, and what is needed meanwhile.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub start: Sum,
    pub length: i64,
    pub demand: i64,
}

/// A theory atom that was read.
#[derive(Clone, Debug)]
pub(crate) struct Posted {
    pub(crate) atom: AtomId,
    /// Whether it holds if and only if the constraint does.
    pub(crate) strict: bool,
    pub(crate) constraint: Constraint,
    pub(crate) span: Span,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Read {
    pub(crate) posted: Vec<Posted>,
    /// The objective, by level.
    pub(crate) objectives: BTreeMap<i64, (Sum, Span)>,
    /// The patterns of `&show`, if there is one.
    pub(crate) shows: Option<Vec<Pattern>>,
}

/// An element of `&show`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pattern {
    Signature(StrId, usize),
    Name(Sym),
}
