//! Columns: the values of an expression, each with a literal for "it has this value".
//!
//! A variable has one by definition; products and sums get theirs value by value. Invariants: values ascend; in every answer set
//! exactly one of the literals holds; a single value has no literal.

use std::collections::BTreeMap;

use super::super::atom_table::Literal;

/// The values of an expression.
#[derive(Clone, Debug)]
pub struct Column(pub Vec<(i64, Option<Literal>)>);

impl Column {
    /// The column that is the same number under all assignments.
    pub fn constant(value: i64) -> Self {
        Self(vec![(value, None)])
    }
    /// The value, if there is only one.
    pub fn fixed(&self) -> Option<i64> {
        if let [(value, _)] = self.0[..] { Some(value) } else { None }
    }
    /// The literal for a value; `None` if it is none of them.
    pub fn literal(&self, value: i64) -> Option<Literal> {
        let at = self.0.binary_search_by_key(&value, |e| e.0).ok()?;
        self.0[at].1
    }
    /// Values with their literals; none if there is only one.
    pub fn entries(&self) -> impl Iterator<Item = (i64, Literal)> {
        self.0.iter().filter_map(|&(value, literal)| Some((value, literal?)))
    }
    /// The entries by the value of a function; `None` if it has none for some value.
    pub fn by(&self, f: impl Fn(i64) -> Option<i64>) -> Option<BTreeMap<i64, Vec<Literal>>> {
        let mut out: BTreeMap<i64, Vec<Literal>> = BTreeMap::new();
        for &(value, literal) in &self.0 {
            out.entry(f(value)?).or_default().extend(literal);
        }
        Some(out)
    }
}
