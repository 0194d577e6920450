//! What the encoder leaves to the solver: variables with digits, and constraints over them.
//!
//! Invariant: as for the encoder. A constraint is linear, but for products of variables whose values are atoms; the values of such a
//! product are atoms, too.

use super::super::atom_table::{AtomId, Literal};
use super::constraint::{Constraint, Read, Sum, Test, Variable};
use super::encode::Encoder;
use super::kept::{Digits, Kept, KeptConstraint, Linear, Quantity};
use super::state::{Integers, MOST_VALUES, Use};
use crate::base::diagnostic::Diagnostic;
use crate::base::symbol::Symbols;

/// The greatest absolute value of a sum over variables with digits.
const GREATEST_SUM: i128 = 1 << 61;

type Error = Box<Diagnostic>;

impl Integers {
    /// Notes for what variables are used.
    pub(super) fn note_uses(&mut self, read: &Read) {
        for posted in &read.posted {
            if let Constraint::Domain(variable, _) = posted.constraint {
                self.variables[variable.0 as usize].has_domain = true;
            }
        }
        let mut note = |variables: &[Variable], using: Use| {
            for v in variables {
                let known = &mut self.variables[v.0 as usize];
                known.using = known.using.max(using);
            }
        };
        let sums = read.posted.iter().flat_map(|p| p.constraint.sums());
        for (_, product) in sums.chain(read.objectives.values().map(|o| &o.0)).flat_map(|sum| &sum.terms) {
            note(product, if product.len() > 1 { Use::Product } else { Use::Sum });
        }
        for posted in &read.posted {
            let Constraint::Distinct(sums) = &posted.constraint else { continue };
            for sum in sums {
                if let [(_, product)] = &sum.terms[..] {
                    note(product, Use::Distinct);
                }
            }
        }
    }
}

impl Encoder<'_> {
    /// Binary digits for a variable, which may be chosen.
    pub(super) fn digits(&mut self, number: usize) -> Digits {
        let known = &self.integers.variables[number];
        let (base, greatest) = known.domain.bounds().unwrap_or((0, 0));
        self.at(known.span);
        let count = u64::BITS - greatest.abs_diff(base).leading_zeros();
        // The greatest is the first, so that it comes first in decisions.
        let atoms: Vec<AtomId> = (0..count).map(|_| self.aux()).collect();
        self.program.rules.add(true, &atoms, &[], self.source);
        Digits { base, literals: atoms.into_iter().rev().map(Literal::pos).collect() }
    }

    /// Whether a sum has variables with digits.
    pub(super) fn is_wide(&self, sum: &Sum) -> bool {
        sum.variables().any(|v| self.integers.variables[v.0 as usize].digits.is_some())
    }

    pub(super) fn keep(&mut self, when: Option<Literal>, constraint: KeptConstraint) -> Result<(), Error> {
        self.integers.kept.push(Kept { when, constraint });
        self.count(1)
    }

    /// The sum as the solver keeps it.
    fn linear(&mut self, sum: &Sum, symbols: &Symbols) -> Result<Linear, Error> {
        let mut size = i128::from(sum.constant).abs();
        let mut terms = Vec::new();
        for (factor, product) in &sum.terms {
            let quantity = match product[..] {
                [variable] => Quantity::Variable(variable),
                _ => Quantity::Product(self.kept_product(product, symbols)?),
            };
            let (low, high) = self.integers.range(quantity);
            size += i128::from(*factor).abs() * i128::from(low.unsigned_abs().max(high.unsigned_abs()));
            terms.push((*factor, quantity));
        }
        if size > GREATEST_SUM { self.overflow() } else { Ok(Linear { terms, constant: sum.constant }) }
    }

    /// The number of a product in constraints that the solver keeps.
    fn kept_product(&mut self, product: &[Variable], symbols: &Symbols) -> Result<u32, Error> {
        if self.is_wide(&Sum::product(product)) {
            return self.product_of(product, symbols);
        }
        if let Some(&known) = self.integers.product_of.get(product) {
            return Ok(known);
        }
        let column = self.of_product(product)?;
        let number = self.integers.products.len() as u32;
        self.integers.products.push(column);
        self.integers.product_of.insert(product.to_vec(), number);
        Ok(number)
    }

    /// A product of a variable with many values is refused.
    pub(super) fn product_of<T>(&self, product: &[Variable], symbols: &Symbols) -> Result<T, Error> {
        let wide =
            product.iter().map(|v| &self.integers.variables[v.0 as usize]).find(|k| k.digits.is_some());
        let Some(known) = wide else { return self.overflow() };
        let (name, values) = (symbols.display(known.name), known.domain.len());
        Err(Box::new(
            Diagnostic::error(self.span, format!("the integer variable `{name}` may have {values} values"))
                .caption("it is part of this product")
                .help(format!("give it a smaller domain: `&dom {{ a..b }} = {name}.`"))
                .help(format!("variables in products may have at most {MOST_VALUES} values, by their domains and the constraints without a body")),
        ))
    }

    /// A comparison with 0 that the solver keeps.
    pub(super) fn keep_comparison(
        &mut self,
        when: Option<Literal>,
        sum: &Sum,
        test: Test,
        symbols: &Symbols,
    ) -> Result<(), Error> {
        let negated = sum.subtracted_from(0);
        let (Some(negated), Some(less), Some(more)) = (negated, sum.plus(1), sum.subtracted_from(1)) else {
            return self.overflow();
        };
        match test {
            Test::AtMost => {
                let sum = self.linear(sum, symbols)?;
                self.keep(when, KeptConstraint::AtMost(sum))
            }
            Test::Equal => {
                for sum in [sum, &negated] {
                    let sum = self.linear(sum, symbols)?;
                    self.keep(when, KeptConstraint::AtMost(sum))?;
                }
                Ok(())
            }
            Test::NotEqual => {
                let sums = [self.linear(&less, symbols)?, self.linear(&more, symbols)?];
                self.keep(when, KeptConstraint::Either(sums))
            }
        }
    }

    /// All sums differ.
    pub(super) fn keep_distinct(
        &mut self,
        when: Option<Literal>,
        sums: &[Sum],
        symbols: &Symbols,
    ) -> Result<(), Error> {
        for (i, a) in sums.iter().enumerate() {
            for b in &sums[i + 1..] {
                let Some(difference) = a.minus(b) else { return self.overflow() };
                self.compare(when, &difference, Test::NotEqual, symbols)?;
            }
        }
        Ok(())
    }

    /// Of any two intervals, one ends before the other begins.
    pub(super) fn keep_disjoint(
        &mut self,
        when: Option<Literal>,
        intervals: &[(Sum, i64)],
        symbols: &Symbols,
    ) -> Result<(), Error> {
        let full: Vec<&(Sum, i64)> = intervals.iter().filter(|i| i.1 > 0).collect();
        for (i, (a, length)) in full.iter().enumerate() {
            for (b, other) in &full[i + 1..] {
                let first = a.minus(b).and_then(|s| s.plus(*length));
                let second = b.minus(a).and_then(|s| s.plus(*other));
                let (Some(first), Some(second)) = (first, second) else { return self.overflow() };
                let sums = [self.linear(&first, symbols)?, self.linear(&second, symbols)?];
                self.keep(when, KeptConstraint::Either(sums))?;
            }
        }
        Ok(())
    }
}
