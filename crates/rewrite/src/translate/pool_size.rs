//! The expanded size of a statement's pools, computed before expansion.
//!
//! Pools multiply: a body of ten atoms `p(1;2;3;4)` stands for a million statements. That is reported as an error
//! before memory is filled. Invariant: counts do not wrap; they are upper bounds of what [`unpool`](super::unpool)
//! makes.

use asp_syntax::ast::*;

/// Number of members, and the literals and terms of each.
#[derive(Clone, Copy)]
struct Size {
    members: u64,
    parts: u64,
}

const ONE: Size = Size { members: 1, parts: 1 };

impl Size {
    /// The product: each member of one combined with each of the other.
    fn and(self, other: Self) -> Self {
        Self {
            members: self.members.saturating_mul(other.members),
            parts: self.parts.saturating_add(other.parts),
        }
    }
    /// The sum: the members of both.
    fn or(self, other: Self) -> Self {
        Self { members: self.members.saturating_add(other.members), parts: self.parts.max(other.parts) }
    }
    fn total(self) -> u64 {
        self.members.saturating_mul(self.parts)
    }
}

fn every(sizes: impl Iterator<Item = Size>) -> Size {
    sizes.fold(ONE, Size::and)
}

fn any(sizes: impl Iterator<Item = Size>) -> Size {
    sizes.fold(Size { members: 0, parts: 0 }, Size::or)
}

fn term(t: &Term) -> Size {
    match &t.kind {
        TermKind::Symbol(_) | TermKind::Variable(_) | TermKind::Anonymous => ONE,
        TermKind::Unary(_, t) => ONE.and(term(t)),
        TermKind::Absolute(ts) | TermKind::Pool(ts) => ONE.and(any(ts.iter().map(term))),
        TermKind::Binary(_, s, t) | TermKind::Interval(s, t) => ONE.and(term(s)).and(term(t)),
        TermKind::Function { args, .. } | TermKind::Value { args, .. } => {
            any(args.iter().map(|list| terms(list)))
        }
        TermKind::Tuple(ts) => terms(ts),
    }
}

fn terms(ts: &[Term]) -> Size {
    every(ts.iter().map(term))
}

fn atom(a: &Atom) -> Size {
    any(a.args.iter().map(|list| terms(list)))
}

fn literal(l: &Literal) -> Size {
    match &l.kind {
        LiteralKind::Boolean(_) => ONE,
        LiteralKind::Atom(a) => atom(a),
        LiteralKind::Comparison(_, rest) => {
            let row = every(l.terms().map(term));
            let links = if l.sign == Sign::Not { rest.len() as u64 } else { 1 };
            Size { members: row.members.saturating_mul(links), ..row }
        }
    }
}

fn literals(ls: &[Literal]) -> Size {
    every(ls.iter().map(literal))
}

fn guards(g: &Guards) -> Size {
    every(g.terms().map(term))
}

/// The size of the rule's own level, and the total size of elements.
#[derive(Clone, Copy)]
struct Sizes {
    outer: Size,
    inner: u64,
}

impl Sizes {
    fn plain(outer: Size) -> Self {
        Self { outer, inner: 0 }
    }
    fn and(self, other: Self) -> Self {
        Self { outer: self.outer.and(other.outer), inner: self.inner.saturating_add(other.inner) }
    }
}

fn with_elements(outer: Size, elements: impl Iterator<Item = Size>) -> Sizes {
    Sizes { outer, inner: elements.map(Size::total).fold(0, u64::saturating_add) }
}

fn conditional(c: &ConditionalLiteral) -> Size {
    literal(&c.literal).and(literals(&c.condition))
}

fn theory(a: &TheoryAtom) -> Sizes {
    let elements = a.elements.iter().map(|e| literals(&e.condition));
    with_elements(any(a.args.iter().map(|list| terms(list))), elements)
}

fn global(a: &GlobalAtom) -> Sizes {
    let elements = a.elements.iter().map(|e| every(e.terms().map(term)).and(literals(&e.condition)));
    with_elements(every(a.bound.iter().map(|(_, t)| term(t))), elements)
}

fn body(b: &[BodyElement]) -> Sizes {
    let sizes = b.iter().map(|e| match &e.kind {
        BodyElementKind::Literal(l) => Sizes::plain(literal(l)),
        BodyElementKind::Aggregate { guards: g, elements, .. } => {
            with_elements(guards(g), elements.iter().map(|e| terms(&e.tuple).and(literals(&e.condition))))
        }
        BodyElementKind::SetAggregate { guards: g, elements, .. } => {
            with_elements(guards(g), elements.iter().map(conditional))
        }
        BodyElementKind::Conditional(c) => with_elements(ONE, std::iter::once(conditional(c))),
        BodyElementKind::Theory { atom, .. } => theory(atom),
        BodyElementKind::Global { atom, .. } => global(atom),
    });
    sizes.fold(Sizes::plain(ONE), Sizes::and)
}

fn head(h: &Head) -> Sizes {
    match &h.kind {
        HeadKind::Literal(l) => Sizes::plain(literal(l)),
        HeadKind::Disjunction(elements) => {
            let plain = |e: &&ConditionalLiteral| e.condition.is_empty();
            let outer = every(elements.iter().filter(plain).map(|e| literal(&e.literal)));
            with_elements(outer, elements.iter().filter(|e| !plain(e)).map(conditional))
        }
        HeadKind::Choice { guards: g, elements } => {
            with_elements(guards(g), elements.iter().map(conditional))
        }
        HeadKind::Aggregate { guards: g, elements, .. } => {
            let size = |e: &HeadAggregateElement| {
                terms(&e.tuple).and(literal(&e.literal)).and(literals(&e.condition))
            };
            with_elements(guards(g), elements.iter().map(size))
        }
        HeadKind::Theory(a) => theory(a),
        HeadKind::Global(a) => global(a),
    }
}

/// An upper bound on the literals and terms of all statements that a statement with pools stands for.
pub(super) fn of_statement(s: &Statement) -> u64 {
    let parts = s.kind.parts();
    let rows = any(parts.rows.iter().map(|row| every(row.iter().map(|t| term(t)))));
    let plain = Sizes::plain(rows.and(parts.atom.map_or(ONE, atom)));
    let sizes = plain.and(parts.head.map_or(Sizes::plain(ONE), head)).and(body(parts.body));
    sizes.outer.members.saturating_mul(sizes.outer.parts.saturating_add(sizes.inner))
}
