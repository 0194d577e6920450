//! The state of a program's integers: variables, and how their constraints were encoded.
//!
//! Invariant: nothing here knows the program that contains it.

use std::collections::BTreeMap;

use super::super::atom_table::Literal;
use super::column::Column;
use super::domain::Domain;
use super::functions::Functions;
use super::kept::{Digits, Kept, Linear, MAX_SUM, Product, Quantity, range_of};
use asp_base::interval::Interval;
use asp_base::map::Map;
use asp_base::span::Span;
use asp_base::symbol::{StrId, Sym};

asp_base::define_index! {
    /// An integer variable, by order of appearance.
    pub struct Variable
}

/// The state of a variable.
#[derive(Clone, Debug)]
pub struct Known {
    /// The term that names it.
    pub name: Sym,
    /// An atom that mentions it.
    pub span: Span,
    /// The values that it may have.
    pub domain: Domain,
    /// Whether its values are shown.
    pub shown: bool,
    /// Its values with their literals, once it is encoded by value.
    pub column: Option<Column>,
    /// Its digits, if it has many values.
    pub digits: Option<Digits>,
    /// Whether a `&distinct` is about it, which propagates values.
    pub is_distinct: bool,
    /// Whether a `&dom` is about it.
    pub has_domain: bool,
    /// Whether constraints have left fewer values than `&dom` did.
    pub is_narrowed: bool,
}

impl Known {
    /// Its value, by the literals that hold; `None` if it is not encoded.
    pub fn value(&self, holds: impl Fn(Literal) -> bool) -> Option<i64> {
        if let Some(digits) = &self.digits {
            return Some(digits.value(holds));
        }
        let mut values = self.column.iter().flat_map(|c| &c.0);
        values.find(|(_, literal)| literal.is_none_or(&holds)).map(|v| v.0)
    }
    /// Literals that hold together if and only if it has a value.
    pub fn literals(&self, value: i64) -> Vec<Literal> {
        if let Some(digits) = &self.digits {
            let offset = value.abs_diff(digits.base);
            let digit = |(k, &l): (usize, &Literal)| if offset >> k & 1 == 1 { l } else { !l };
            return digits.literals.iter().enumerate().map(digit).collect();
        }
        let entries = self.column.iter().flat_map(|column| column.entries());
        entries.filter(|(known, _)| *known == value).map(|(_, l)| l).collect()
    }
}

/// All integers of a program.
#[derive(Clone, Debug, Default)]
pub struct Integers {
    /// By number of the variable.
    pub variables: Vec<Known>,
    /// Functions whose values the variables are, if they have no atoms.
    pub functions: Functions,
    /// Their numbers, by name.
    pub of_name: Map<Sym, Variable>,
    /// The symbols that theory terms stand for, by number; `None` if there is none.
    pub terms: Vec<Option<Sym>>,
    /// How many theory atoms have been read.
    pub atoms: usize,
    /// Constraints over variables with digits.
    pub kept: Vec<Kept>,
    /// Whether they have become rules, and variables are only digits.
    pub is_plain: bool,
    /// Products in such constraints.
    pub products: Vec<Product>,
    /// The name of values as terms, once there are any.
    pub csp: Option<StrId>,
    /// Costs of any answer set and of values, by level of the objective.
    pub objectives: BTreeMap<i64, (i64, Vec<(Literal, i64)>)>,
}

impl Integers {
    /// Where the values of a variable lie.
    pub fn domain_of(&self, variable: Variable) -> Interval {
        let (low, high) = self.variables[variable.0 as usize].domain.bounds().unwrap_or((0, 0));
        (low.into(), high.into())
    }

    /// All binary digits: each with the number of its variable, and its position from the least.
    pub fn digits(&self) -> impl Iterator<Item = (Literal, usize, usize)> {
        self.variables.iter().enumerate().flat_map(|(variable, known)| {
            let literals = known.digits.iter().flat_map(|d| d.literals.iter().enumerate());
            literals.map(move |(k, &literal)| (literal, variable, k))
        })
    }

    /// Where the values of a part of a sum lie.
    pub fn range(&self, quantity: Quantity) -> Interval {
        match quantity {
            Quantity::Variable(v) => self.domain_of(v),
            Quantity::Literal(_) => (0, 1),
            Quantity::Product(product) => match &self.products[product as usize] {
                Product::Column(values) => {
                    let of = |end: Option<&(i64, _)>| end.map_or(0, |v| i128::from(v.0));
                    (of(values.0.first()), of(values.0.last()))
                }
                // It fits, as was checked.
                Product::Factors(factors) => {
                    range_of(factors, |v| self.domain_of(v)).unwrap_or((-MAX_SUM, MAX_SUM))
                }
            },
        }
    }

    /// A number that no absolute value of a sum exceeds.
    pub fn size(&self, sum: &Linear) -> i128 {
        sum.terms.iter().fold(i128::from(sum.constant).abs(), |size, &(factor, quantity)| {
            let (low, high) = self.range(quantity);
            size.saturating_add(i128::from(factor).abs() * low.abs().max(high.abs()))
        })
    }

    /// Whether there is anything to print.
    pub fn is_empty(&self) -> bool {
        self.variables.is_empty()
    }

    /// The symbol of a theory term by number, if it was read.
    pub fn symbol(&self, term: usize) -> Option<Sym> {
        self.terms.get(term).copied().flatten()
    }
}
