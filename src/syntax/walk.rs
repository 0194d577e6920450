//! Walks over terms, atoms and literals, in the order of the text.
//!
//! Invariant: a term comes before its parts; nothing recurses, and a leaf takes no space.

use std::iter;

use super::ast::{
    Atom, BodyElementKind, Guards, HeadKind, Literal, LiteralKind, Statement, StatementKind, Term, TermKind,
    TheoryAtom,
};
use crate::base::span::Span;
use crate::base::symbol::StrId;

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
            TermKind::Function { args, .. } => self.rest.extend(args.iter().flatten()),
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

impl Statement {
    /// The theory atoms of a statement.
    pub fn theory_atoms(&self) -> impl Iterator<Item = &TheoryAtom> {
        use StatementKind as K;
        let (head, body) = match &self.kind {
            K::Rule { head, body } => (Some(head), &body[..]),
            K::Minimize { body, .. }
            | K::ShowTerm { body, .. }
            | K::ProjectAtom { body, .. }
            | K::External { body, .. }
            | K::Heuristic { body, .. }
            | K::Edge { body, .. } => (None, &body[..]),
            _ => (None, &[][..]),
        };
        let of_head = head.and_then(|h| if let HeadKind::Theory(atom) = &h.kind { Some(atom) } else { None });
        let of_body = body.iter().filter_map(|e| match &e.kind {
            BodyElementKind::Theory { atom, .. } => Some(atom),
            _ => None,
        });
        of_head.into_iter().chain(of_body)
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
    /// The bounds.
    pub fn terms(&self) -> impl Iterator<Item = &Term> {
        self.left.iter().map(|(t, _)| t).chain(self.right.iter().map(|(_, t)| t))
    }
}

#[cfg(test)]
mod tests {
    use crate::base::span::Sources;
    use crate::base::symbol::Symbols;
    use crate::syntax::ast::{BodyElementKind, StatementKind};
    use crate::syntax::{Input, NoFiles, parse};

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
