//! Constraints left to the solver: variables with digits, and constraints over them.
//!
//! Invariant: as for the encoder. Constraints are linear, except products; a product of variables whose values are atoms has values
//! that are atoms, too.

use super::Compiler;
use super::constraint::{Constraint, Read, Sum, Task, Test};
use super::encode::Encoder;
use asp_base::diagnostic::Diagnostic;
use asp_program::integers::Variable;
use asp_program::integers::kept::{
    Digits, Kept, KeptConstraint, Linear, MAX_SUM, Product, Quantity, range_of,
};
use asp_program::{AtomId, Literal};

type Error = Box<Diagnostic>;

impl Compiler {
    /// Notes for what variables are used.
    pub(crate) fn note_uses(&mut self, read: &Read) {
        for posted in &read.posted {
            match &posted.constraint {
                Constraint::Domain(variable, _) => self.data.variables[variable.0 as usize].has_domain = true,
                Constraint::Distinct(sums) => {
                    for (_, product) in sums.iter().filter(|s| s.terms.len() == 1).flat_map(|s| &s.terms) {
                        product.iter().for_each(|v| self.data.variables[v.0 as usize].is_distinct = true);
                    }
                }
                _ => {}
            }
        }
    }
}

impl Encoder<'_> {
    /// Binary digits for a variable, which may be chosen.
    pub(crate) fn digits(&mut self, number: usize) -> Digits {
        let known = &self.integers.data.variables[number];
        let (base, greatest) = known.domain.bounds().unwrap_or((0, 0));
        self.at(known.span);
        let count = u64::BITS - greatest.abs_diff(base).leading_zeros();
        // The greatest is the first, so that it comes first in decisions.
        let atoms: Vec<AtomId> = (0..count).map(|_| self.aux()).collect();
        self.program.rules.add(true, &atoms, &[], self.source);
        Digits { base, literals: atoms.into_iter().rev().map(Literal::pos).collect() }
    }

    /// Whether a sum has variables with digits.
    pub(crate) fn is_wide(&self, sum: &Sum) -> bool {
        sum.variables().any(|v| self.integers.data.variables[v.0 as usize].digits.is_some())
    }

    pub(crate) fn keep(&mut self, when: Option<Literal>, constraint: KeptConstraint) -> Result<(), Error> {
        self.integers.data.kept.push(Kept { when, constraint });
        self.count(1)
    }

    /// The sum as the solver keeps it.
    pub(crate) fn linear(&mut self, sum: &Sum) -> Result<Linear, Error> {
        let mut terms = Vec::new();
        for (factor, product) in &sum.terms {
            let quantity = match product[..] {
                [variable] => Quantity::Variable(variable),
                _ => Quantity::Product(self.kept_product(product)?),
            };
            // Where a value other than 0 is possible, the factor is limited, too.
            if self.integers.data.range(quantity) != (0, 0) {
                terms.push((*factor, quantity));
            }
        }
        let sum = Linear { terms, constant: sum.constant };
        if self.integers.data.size(&sum) > MAX_SUM { self.overflow() } else { Ok(sum) }
    }

    /// The number of a product in constraints that the solver keeps.
    fn kept_product(&mut self, product: &[Variable]) -> Result<u32, Error> {
        if let Some(&known) = self.integers.product_of.get(product) {
            return Ok(known);
        }
        let kept = if self.is_wide(&Sum::product(product)) {
            let of = |v: Variable| self.integers.data.domain_of(v);
            let Some(_) = range_of(product, of) else { return self.overflow() };
            Product::Factors(product.to_vec())
        } else {
            Product::Column(self.of_product(product)?)
        };
        let number = self.integers.data.products.len() as u32;
        self.integers.data.products.push(kept);
        self.integers.product_of.insert(product.to_vec(), number);
        Ok(number)
    }

    /// A comparison with 0 that the solver keeps.
    pub(crate) fn keep_comparison(
        &mut self,
        when: Option<Literal>,
        sum: &Sum,
        test: Test,
    ) -> Result<(), Error> {
        let negated = sum.subtracted_from(0);
        let (Some(negated), Some(less), Some(more)) = (negated, sum.plus(1), sum.subtracted_from(1)) else {
            return self.overflow();
        };
        match test {
            Test::AtMost => {
                let sum = self.linear(sum)?;
                self.keep(when, KeptConstraint::AtMost(sum))
            }
            Test::Equal => {
                for sum in [sum, &negated] {
                    let sum = self.linear(sum)?;
                    self.keep(when, KeptConstraint::AtMost(sum))?;
                }
                if sum.terms.len() > 1 && sum.terms.iter().any(|t| t.0.abs() > 1) {
                    let sum = self.linear(sum)?;
                    self.keep(when, KeptConstraint::Equal(sum))?;
                }
                Ok(())
            }
            Test::NotEqual => {
                let sums = [self.linear(&less)?, self.linear(&more)?];
                self.keep(when, KeptConstraint::Either(sums))
            }
        }
    }

    /// All sums differ.
    pub(crate) fn keep_distinct(&mut self, when: Option<Literal>, sums: &[Sum]) -> Result<(), Error> {
        let sums = sums.iter().map(|sum| self.linear(sum)).collect::<Result<_, _>>()?;
        self.keep(when, KeptConstraint::Distinct(sums))
    }

    /// The starts of tasks. All of them one after another, with their demands, are within the limit.
    fn starts(&mut self, tasks: &[Task]) -> Result<Vec<Linear>, Error> {
        let starts = tasks.iter().map(|task| self.linear(&task.start)).collect::<Result<Vec<_>, _>>()?;
        let last = starts.iter().map(|start| self.integers.data.size(start)).max().unwrap_or(0);
        let lengths: i128 = tasks.iter().map(|task| i128::from(task.length)).sum();
        if last.saturating_add(lengths) > MAX_SUM { self.overflow() } else { Ok(starts) }
    }

    /// Of any two intervals, one ends before the other begins.
    pub(crate) fn keep_disjoint(&mut self, when: Option<Literal>, tasks: &[Task]) -> Result<(), Error> {
        for (i, a) in tasks.iter().enumerate() {
            for b in &tasks[i + 1..] {
                let first = a.start.minus(&b.start).and_then(|s| s.plus(a.length));
                let second = b.start.minus(&a.start).and_then(|s| s.plus(b.length));
                let (Some(first), Some(second)) = (first, second) else { return self.overflow() };
                let sums = [self.linear(&first)?, self.linear(&second)?];
                self.keep(when, KeptConstraint::Either(sums))?;
            }
        }
        let tasks: Vec<(Linear, i64)> =
            self.starts(tasks)?.into_iter().zip(tasks).map(|(start, task)| (start, task.length)).collect();
        if tasks.len() > 2 { self.keep(when, KeptConstraint::Disjoint(tasks)) } else { Ok(()) }
    }

    /// Tasks that run at a time need no more than there is.
    pub(crate) fn keep_cumulative(
        &mut self,
        when: Option<Literal>,
        tasks: &[Task],
        capacity: i64,
    ) -> Result<(), Error> {
        let starts = self.starts(tasks)?.into_iter().zip(tasks);
        let tasks = starts.map(|(start, task)| (start, task.length, task.demand)).collect();
        self.keep(when, KeptConstraint::Cumulative(tasks, capacity))
    }
}
