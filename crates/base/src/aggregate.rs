//! Relations of comparisons and functions of aggregates, from the text to the ground program.
//!
//! Invariant: `as_str` is what the language writes and the parser reads.

use std::cmp::Ordering;

use super::symbol::{Sym, Symbols};

/// Relations between terms; for an aggregate's bound, from the aggregate's value (left) to the term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Relation {
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `=`, `==`
    Equal,
    /// `!=`
    NotEqual,
}

impl Relation {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Less, Self::LessEqual, Self::Greater, Self::GreaterEqual, Self::Equal, Self::NotEqual];

    /// The relation that holds exactly when this one does not.
    pub fn negate(self) -> Self {
        use Relation::*;
        match self {
            Less => GreaterEqual,
            LessEqual => Greater,
            Greater => LessEqual,
            GreaterEqual => Less,
            Equal => NotEqual,
            NotEqual => Equal,
        }
    }
    /// The relation with its sides exchanged.
    pub fn flip(self) -> Self {
        use Relation::*;
        match self {
            Less => Greater,
            LessEqual => GreaterEqual,
            Greater => Less,
            GreaterEqual => LessEqual,
            same => same,
        }
    }
    /// Whether it holds for two values that compare like this.
    pub fn holds(self, order: Ordering) -> bool {
        use Relation::*;
        match self {
            Less => order.is_lt(),
            LessEqual => order.is_le(),
            Greater => order.is_gt(),
            GreaterEqual => order.is_ge(),
            Equal => order.is_eq(),
            NotEqual => order.is_ne(),
        }
    }
    /// Whether it holds for all values between one that compares to the bound like `low` and one that compares like `high`,
    /// for none, or (`None`) for some.
    pub fn between(self, low: Ordering, high: Ordering) -> Option<bool> {
        let orders = [Ordering::Less, Ordering::Equal, Ordering::Greater];
        let mut possible = orders.into_iter().filter(|&o| low <= o && o <= high).map(|o| self.holds(o));
        let first = possible.next()?;
        possible.all(|p| p == first).then_some(first)
    }
    /// As written.
    pub fn as_str(self) -> &'static str {
        use Relation::*;
        match self {
            Less => "<",
            LessEqual => "<=",
            Greater => ">",
            GreaterEqual => ">=",
            Equal => "=",
            NotEqual => "!=",
        }
    }
}

/// Functions of aggregates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AggregateFunction {
    /// `#count`: number of tuples.
    Count,
    /// `#sum`: sum of the tuples' first terms; tuples whose first term is no integer do not count.
    Sum,
    /// `#sum+`: the same, without negative terms.
    SumPlus,
    /// `#min`: least first term; `#sup` for no tuple.
    Min,
    /// `#max`: greatest first term; `#inf` for no tuple.
    Max,
}

impl AggregateFunction {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Count, Self::Sum, Self::SumPlus, Self::Min, Self::Max];

    /// Whether a tuple with this first term (`None` for the empty tuple) cannot influence the value: its weight is no
    /// integer, or one that the function skips. In a head with guards such an element derives nothing either.
    pub fn ignores(self, first: Option<Sym>, symbols: &Symbols) -> bool {
        match self {
            Self::Count => false,
            Self::Sum => first.and_then(|t| symbols.as_num(t)).is_none(),
            Self::SumPlus => first.and_then(|t| symbols.as_num(t)).is_none_or(|w| w < 0),
            Self::Min | Self::Max => first.is_none(),
        }
    }
    /// As written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Count => "#count",
            Self::Sum => "#sum",
            Self::SumPlus => "#sum+",
            Self::Min => "#min",
            Self::Max => "#max",
        }
    }
}
