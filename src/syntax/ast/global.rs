//! Constraints over the values of several terms: `#distinct`, `#disjoint`, `#cumulative`.

use super::{Literal, Relation, Term};
use crate::base::span::Span;

/// A constraint over the values of several terms.
#[derive(Clone, Debug)]
pub struct GlobalAtom {
    /// Which one.
    pub kind: GlobalKind,
    /// Its elements.
    pub elements: Vec<GlobalElement>,
    /// The bound of `#cumulative`: `<` or `<=` and a term.
    pub bound: Option<(Relation, Term)>,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of constraints over several terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GlobalKind {
    /// `#distinct`: no two terms have the same value.
    Distinct,
    /// `#disjoint`: no two intervals overlap.
    Disjoint,
    /// `#cumulative`: at no time do the amounts of the intervals exceed the bound.
    Cumulative,
}

impl GlobalKind {
    /// As written.
    pub fn as_str(self) -> &'static str {
        match self {
            GlobalKind::Distinct => "#distinct",
            GlobalKind::Disjoint => "#disjoint",
            GlobalKind::Cumulative => "#cumulative",
        }
    }
}

/// `term@duration,amount : condition`
#[derive(Clone, Debug)]
pub struct GlobalElement {
    /// The term, or the start of an interval.
    pub term: Term,
    /// The length of the interval; not in `#distinct`.
    pub duration: Option<Term>,
    /// What it needs, in `#cumulative` only; 1 if absent.
    pub amount: Option<Term>,
    /// For which instances.
    pub condition: Vec<Literal>,
    /// Where it stands.
    pub span: Span,
}
