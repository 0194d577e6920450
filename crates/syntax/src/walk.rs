//! Walks over statements, heads, bodies, literals and terms, in the order of the text.
//!
//! Invariants: every kind is named, none handled by a catch-all arm, so that a new one does not compile until it is
//! handled here; a term comes before its parts; nothing recurses, and a leaf takes no space.

use std::{iter, slice};

use super::ast::{
    Atom, BodyElement, BodyElementKind, ConditionalLiteral, GlobalAtom, GlobalElement, Guards, Head,
    HeadKind, Literal, LiteralKind, Statement, StatementKind, Term, TermKind, TheoryAtom,
};
use asp_base::span::Span;
use asp_base::symbol::StrId;

/// A term and all of its parts: see [`Term::walk`].
pub struct Walk<'a> {
    next: Option<&'a Term>,
    /// What comes after `next`, the first on top.
    rest: Vec<&'a Term>,
}

impl<'a> Iterator for Walk<'a> {
    type Item = &'a Term;

    fn next(&mut self) -> Option<&'a Term> {
        let term = self.next.take()?;
        let parts = self.rest.len();
        match &term.kind {
            TermKind::Symbol(_) | TermKind::Variable(_) | TermKind::Anonymous => {}
            TermKind::Unary(_, a) => self.rest.push(a),
            TermKind::Binary(_, a, b) | TermKind::Interval(a, b) => self.rest.extend([&**a, &**b]),
            TermKind::Function { args, .. } | TermKind::Value { args, .. } => {
                self.rest.extend(args.iter().flatten())
            }
            TermKind::Absolute(ts) | TermKind::Tuple(ts) | TermKind::Pool(ts) => self.rest.extend(ts),
        }
        self.rest[parts..].reverse();
        self.next = self.rest.pop();
        Some(term)
    }
}

impl Term {
    /// The term, then its parts, each before its own parts.
    pub fn walk(&self) -> Walk<'_> {
        Walk { next: Some(self), rest: Vec::new() }
    }
    /// Calls `f` for each part of the term, but not for the parts of these.
    pub fn each_part_mut(&mut self, f: &mut dyn FnMut(&mut Term)) {
        match &mut self.kind {
            TermKind::Symbol(_) | TermKind::Variable(_) | TermKind::Anonymous => {}
            TermKind::Unary(_, a) => f(a),
            TermKind::Binary(_, a, b) | TermKind::Interval(a, b) => [a, b].into_iter().for_each(|t| f(t)),
            TermKind::Function { args, .. } | TermKind::Value { args, .. } => {
                args.iter_mut().flatten().for_each(f);
            }
            TermKind::Absolute(ts) | TermKind::Tuple(ts) | TermKind::Pool(ts) => ts.iter_mut().for_each(f),
        }
    }
    /// The named variables and their places, as often as they occur.
    pub fn variables(&self) -> impl Iterator<Item = (StrId, Span)> {
        self.walk().filter_map(|t| match t.kind {
            TermKind::Variable(name) => Some((name, t.span)),
            _ => None,
        })
    }
    /// The places of the anonymous variables.
    pub fn anonymous(&self) -> impl Iterator<Item = Span> {
        self.walk().filter(|t| matches!(t.kind, TermKind::Anonymous)).map(|t| t.span)
    }
}

/// Taking a statement apart by `&` and by `&mut`, from one definition.
macro_rules! parts {
    ($Parts:ident, $parts:ident $(, $mutable:tt)?) => {
        /// The parts of a statement, whatever its kind: see [`StatementKind::parts`].
        pub struct $Parts<'a> {
            /// The head of a rule.
            pub head: Option<&'a $($mutable)? Head>,
            /// The atom that a directive is about.
            pub atom: Option<&'a $($mutable)? Atom>,
            /// Terms outside head and body, in rows, mostly one; each instance belongs to one row.
            pub rows: Vec<Vec<&'a $($mutable)? Term>>,
            /// When it applies.
            pub body: &'a $($mutable)? [BodyElement],
        }

        impl StatementKind {
            /// The parts of a statement that has instances (only those may contain variables and pools); none of any
            /// other. Code that treats all kinds alike uses this, so that a new kind is taken apart here and nowhere
            /// else.
            pub fn $parts(&$($mutable)? self) -> $Parts<'_> {
                let none = || $Parts { head: None, atom: None, rows: vec![Vec::new()], body: &$($mutable)? [] };
                match self {
                    Self::Rule { head, body } => $Parts { head: Some(head), body, ..none() },
                    Self::Minimize { weight, priority, tuple, body, maximize: _ } => {
                        let row = iter::once(weight).chain(priority).chain(tuple).collect();
                        $Parts { rows: vec![row], body, ..none() }
                    }
                    Self::ShowTerm { term, body } => $Parts { rows: vec![vec![term]], body, ..none() },
                    Self::ProjectAtom { atom, body } => $Parts { atom: Some(atom), body, ..none() },
                    Self::External { atom, body, value } => {
                        $Parts { atom: Some(atom), rows: vec![value.into_iter().collect()], body, ..none() }
                    }
                    Self::Heuristic { atom, body, weight, priority, modifier } => {
                        let row = iter::once(weight).chain(priority).chain([modifier]).collect();
                        $Parts { atom: Some(atom), rows: vec![row], body, ..none() }
                    }
                    Self::Edge { pairs, body } => {
                        let rows = pairs.into_iter().map(|(u, v)| vec![u, v]).collect();
                        $Parts { rows, body, ..none() }
                    }
                    Self::ShowNothing
                    | Self::ShowSignature(_)
                    | Self::ProjectSignature(_)
                    | Self::Defined(_)
                    | Self::Const { .. }
                    | Self::Part { .. }
                    | Self::Theory(_)
                    | Self::Script { .. }
                    | Self::Include { .. }
                    | Self::IncludeBuiltin { .. }
                    | Self::Query(_) => none(),
                }
            }
        }
    };
}

parts!(Parts, parts);
parts!(PartsMut, parts_mut, mut);

impl StatementKind {
    /// The body of a statement that may have one.
    pub fn body_mut(&mut self) -> Option<&mut Vec<BodyElement>> {
        match self {
            Self::Rule { body, .. }
            | Self::Minimize { body, .. }
            | Self::ShowTerm { body, .. }
            | Self::ProjectAtom { body, .. }
            | Self::External { body, .. }
            | Self::Heuristic { body, .. }
            | Self::Edge { body, .. } => Some(body),
            Self::ShowNothing
            | Self::ShowSignature(_)
            | Self::ProjectSignature(_)
            | Self::Defined(_)
            | Self::Const { .. }
            | Self::Part { .. }
            | Self::Theory(_)
            | Self::Script { .. }
            | Self::Include { .. }
            | Self::IncludeBuiltin { .. }
            | Self::Query(_) => None,
        }
    }
    /// Calls `f` for each term that is no part of another one; what theory atoms are about are no terms.
    pub fn each_term<'a>(&'a self, f: &mut dyn FnMut(&'a Term)) {
        let Parts { head, atom, rows, body } = self.parts();
        rows.into_iter().flatten().for_each(&mut *f);
        atom.into_iter().flat_map(Atom::terms).for_each(&mut *f);
        if let Some(head) = head {
            for (literal, condition) in head.derived() {
                literal.terms().chain(condition.iter().flat_map(Literal::terms)).for_each(&mut *f);
            }
            head.conditions().flat_map(Literal::terms).for_each(&mut *f);
            match &head.kind {
                HeadKind::Literal(_) | HeadKind::Disjunction(_) => {}
                HeadKind::Choice { guards, .. } => guards.terms().for_each(&mut *f),
                HeadKind::Aggregate { guards, elements, .. } => {
                    guards.terms().chain(elements.iter().flat_map(|e| &e.tuple)).for_each(&mut *f);
                }
                HeadKind::Theory(a) => a.args.iter().flatten().for_each(&mut *f),
                HeadKind::Global(a) => a.terms().for_each(&mut *f),
            }
        }
        for e in body {
            e.literals().flat_map(Literal::terms).for_each(&mut *f);
            match &e.kind {
                BodyElementKind::Literal(_) | BodyElementKind::Conditional(_) => {}
                BodyElementKind::SetAggregate { guards, .. } => guards.terms().for_each(&mut *f),
                BodyElementKind::Aggregate { guards, elements, .. } => {
                    guards.terms().chain(elements.iter().flat_map(|e| &e.tuple)).for_each(&mut *f);
                }
                BodyElementKind::Theory { atom, .. } => atom.args.iter().flatten().for_each(&mut *f),
                BodyElementKind::Global { atom, .. } => atom.terms().for_each(&mut *f),
            }
        }
    }

    /// Calls `f` for the name and place of each value `$p(...)`, with the number of arguments of its atoms.
    pub fn each_value(&self, f: &mut dyn FnMut(StrId, u32, Span)) {
        self.each_term(&mut |t| {
            for t in t.walk() {
                if let TermKind::Value { name, args } = &t.kind {
                    args.iter().for_each(|list| f(*name, list.len() as u32 + 1, t.span));
                }
            }
        });
    }
}

impl Statement {
    /// The theory atoms of a statement.
    pub fn theory_atoms(&self) -> impl Iterator<Item = &TheoryAtom> {
        let Parts { head, body, .. } = self.kind.parts();
        let of_head = head.and_then(|h| if let HeadKind::Theory(atom) = &h.kind { Some(atom) } else { None });
        let of_body = body.iter().filter_map(|e| match &e.kind {
            BodyElementKind::Theory { atom, .. } => Some(atom),
            _ => None,
        });
        of_head.into_iter().chain(of_body)
    }
}

impl GlobalAtom {
    /// The terms of its elements, and its bound.
    pub fn terms(&self) -> impl Iterator<Item = &Term> {
        let bound = self.bound.iter().map(|(_, t)| t);
        self.elements.iter().flat_map(GlobalElement::terms).chain(bound)
    }
}

impl GlobalElement {
    /// The terms before its condition.
    pub fn terms(&self) -> impl Iterator<Item = &Term> {
        iter::once(&self.term).chain(&self.duration).chain(&self.amount)
    }
}

impl Head {
    /// The literals that it may derive, each with its condition; a theory atom derives nothing, nor does a constraint.
    pub fn derived(&self) -> impl Iterator<Item = (&Literal, &[Literal])> {
        let (plain, conditional, aggregate) = match &self.kind {
            HeadKind::Literal(l) => (Some(l), &[][..], &[][..]),
            HeadKind::Disjunction(elements) | HeadKind::Choice { elements, .. } => {
                (None, &elements[..], &[][..])
            }
            HeadKind::Aggregate { elements, .. } => (None, &[][..], &elements[..]),
            HeadKind::Theory(_) | HeadKind::Global(_) => (None, &[][..], &[][..]),
        };
        let conditional = conditional.iter().map(|c| (&c.literal, &c.condition[..]));
        let aggregate = aggregate.iter().map(|e| (&e.literal, &e.condition[..]));
        plain.into_iter().map(|l| (l, &[][..])).chain(conditional).chain(aggregate)
    }

    /// The conditions in a head that derives nothing.
    pub fn conditions(&self) -> impl Iterator<Item = &Literal> {
        let (theory, global) = match &self.kind {
            HeadKind::Theory(a) => (&a.elements[..], &[][..]),
            HeadKind::Global(a) => (&[][..], &a.elements[..]),
            HeadKind::Literal(_)
            | HeadKind::Disjunction(_)
            | HeadKind::Choice { .. }
            | HeadKind::Aggregate { .. } => (&[][..], &[][..]),
        };
        let theory = theory.iter().flat_map(|e| &e.condition);
        theory.chain(global.iter().flat_map(|e| &e.condition))
    }
}

impl BodyElement {
    /// The literals in it, those of conditions among them.
    pub fn literals(&self) -> impl Iterator<Item = &Literal> {
        let (first, conditional, conditions): (_, &[ConditionalLiteral], Vec<&[Literal]>) = match &self.kind {
            BodyElementKind::Literal(l) => (Some(l), &[], Vec::new()),
            BodyElementKind::Conditional(c) => (None, slice::from_ref(c), Vec::new()),
            BodyElementKind::SetAggregate { elements, .. } => (None, elements, Vec::new()),
            BodyElementKind::Aggregate { elements, .. } => {
                (None, &[], elements.iter().map(|e| &e.condition[..]).collect())
            }
            BodyElementKind::Global { atom, .. } => {
                (None, &[], atom.elements.iter().map(|e| &e.condition[..]).collect())
            }
            BodyElementKind::Theory { atom, .. } => {
                (None, &[], atom.elements.iter().map(|e| &e.condition[..]).collect())
            }
        };
        let conditional = conditional.iter().flat_map(|c| iter::once(&c.literal).chain(&c.condition));
        first.into_iter().chain(conditional).chain(conditions.into_iter().flatten())
    }
}

impl Atom {
    /// The arguments, of all members of a pool.
    pub fn terms(&self) -> impl Iterator<Item = &Term> {
        self.args.iter().flatten()
    }
}

impl Literal {
    /// The arguments of an atom, or the sides of a comparison.
    pub fn terms(&self) -> impl Iterator<Item = &Term> {
        let (atom, sides) = match &self.kind {
            LiteralKind::Boolean(_) => (None, None),
            LiteralKind::Atom(atom) => (Some(atom), None),
            LiteralKind::Comparison(first, rest) => (None, Some((first, rest))),
        };
        let sides =
            sides.into_iter().flat_map(|(first, rest)| iter::once(first).chain(rest.iter().map(|(_, t)| t)));
        atom.into_iter().flat_map(Atom::terms).chain(sides)
    }
}

impl Guards {
    /// The terms that the value is compared with, left to right.
    pub fn terms(&self) -> impl Iterator<Item = &Term> {
        self.left.iter().map(|(t, _)| t).chain(self.right.iter().map(|(_, t)| t))
    }
}

#[cfg(test)]
mod tests {
    use crate::ast::{BodyElementKind, StatementKind};
    use crate::{Input, NoFiles, parse};
    use asp_base::span::Sources;
    use asp_base::symbol::Symbols;

    /// The parts of the terms of the first literal of a constraint, as they stand in the text.
    #[track_caller]
    fn check(text: &str, wanted: &[&str]) {
        let (mut symbols, mut sources) = (Symbols::new(), Sources::new());
        let parsed = parse(vec![Input::new("t", text)], &mut symbols, &mut sources, &mut NoFiles);
        let StatementKind::Rule { body, .. } = &parsed.program.statements[0].kind else { unreachable!() };
        let BodyElementKind::Literal(literal) = &body[0].kind else { unreachable!() };
        let parts: Vec<&str> = literal.terms().flat_map(|t| t.walk()).map(|t| sources.text(t.span)).collect();
        assert_eq!(parts, wanted);
    }

    #[test]
    fn each_before_its_parts() {
        check(":- not p(f(X,_),1..|Y|;(a,)).", &["f(X,_)", "X", "_", "1..|Y|", "1", "|Y|", "Y", "(a,)", "a"]);
        check(":- X < -Y+2 != (a;b).", &["X", "-Y+2", "-Y", "Y", "2", "(a;b)", "a", "b"]);
        check(":- #true.", &[]);
    }
}
