//! Heads: what derives atoms, and what goes to the body instead.
//!
//! `not a :- b.` is `:- b, not not a.`; a comparison in a head is a constraint with its negation in the body.

use super::rule::{Head, HeadElement, HeadLiteral, Literal, Term};
use super::scope::Scope;
use super::theory::Place;
use super::translate::Translator;
use super::unpool;
use crate::base::span::Span;
use crate::syntax::ast::{self, AggregateFunction, Relation, Sign};

/// What a head turned out to be.
pub(super) enum Heads {
    /// A head.
    One(Head),
    /// A chain of comparisons: each link must hold.
    NegatedChain(Term, Vec<(Relation, Term)>),
}

impl Translator<'_> {
    /// The head of a rule (of a fact if `fact`); what does not derive anything goes to the body. `None` if the rule says nothing.
    pub(super) fn head(
        &mut self,
        head: &ast::Head,
        fact: bool,
        scope: &mut Scope,
        body: &mut Vec<Literal>,
    ) -> Option<Heads> {
        let one = |head| Some(Heads::One(head));
        match &head.kind {
            ast::HeadKind::Literal(l) => self.head_literal(l, scope, body),
            ast::HeadKind::Disjunction(elements) => {
                let mut out = Vec::new();
                for element in elements {
                    for condition in unpool::literals(&element.condition) {
                        if element.condition.is_empty() {
                            out.push(self.head_element(
                                &element.literal,
                                &[],
                                element.span,
                                scope,
                                Some(&mut *body),
                            ));
                        } else {
                            out.push(scope.element(|scope| {
                                self.head_element(&element.literal, &condition, element.span, scope, None)
                            }));
                        }
                    }
                }
                one(Head::Disjunction(out))
            }
            ast::HeadKind::Choice { guards, elements } => {
                let guards = self.guards(guards, scope, body);
                let mut out = Vec::new();
                for element in elements {
                    for literal in unpool::literal(&element.literal) {
                        for condition in unpool::literals(&element.condition) {
                            out.push(scope.element(|scope| {
                                self.head_element(&literal, &condition, element.span, scope, None)
                            }));
                        }
                    }
                }
                one(Head::Aggregate { function: AggregateFunction::Count, set: true, guards, elements: out })
            }
            ast::HeadKind::Aggregate { function, guards, elements } => {
                let guards = self.guards(guards, scope, body);
                let mut out = Vec::new();
                for element in elements {
                    for tuple in unpool::terms(&element.tuple) {
                        for literal in unpool::literal(&element.literal) {
                            for condition in unpool::literals(&element.condition) {
                                out.push(scope.element(|scope| {
                                    let mut e =
                                        self.head_element(&literal, &condition, element.span, scope, None);
                                    e.tuple = self.terms(&tuple, scope, &mut e.condition);
                                    e
                                }));
                            }
                        }
                    }
                }
                // In heads the reference system counts negative weights under `#sum+` too.
                let function = match function {
                    AggregateFunction::SumPlus => AggregateFunction::Sum,
                    other => *other,
                };
                one(Head::Aggregate { function, set: false, guards, elements: out })
            }
            ast::HeadKind::Theory(atom) => {
                let atom = self.theory_atom(atom, Place::Head(fact), scope, body)?;
                one(Head::Theory(Box::new(atom)))
            }
        }
    }

    fn head_literal(
        &mut self,
        l: &ast::Literal,
        scope: &mut Scope,
        body: &mut Vec<Literal>,
    ) -> Option<Heads> {
        match (&l.kind, l.sign) {
            (ast::LiteralKind::Boolean(value), sign) => {
                (*value == (sign == Sign::Not)).then_some(Heads::One(Head::Constraint))
            }
            (ast::LiteralKind::Atom(a), Sign::None) => {
                Some(Heads::One(Head::Atom(self.head_atom(a, scope, body))))
            }
            (ast::LiteralKind::Atom(_), sign) => {
                // `not a :- b.` is `:- b, not not a.`; `not not a :- b.` is `:- b, not a.`
                let sign = if sign == Sign::Not { Sign::NotNot } else { Sign::Not };
                self.literal(&ast::Literal { sign, ..l.clone() }, scope, body);
                Some(Heads::One(Head::Constraint))
            }
            (ast::LiteralKind::Comparison(first, rest), Sign::Not) => {
                let mut left = self.term(first, scope, body);
                for (relation, right) in rest {
                    let right = self.term(right, scope, body);
                    body.push(Literal::Compare(*relation, left, right.clone(), l.span));
                    left = right;
                }
                Some(Heads::One(Head::Constraint))
            }
            (ast::LiteralKind::Comparison(first, rest), _) => {
                let first = self.term(first, scope, body);
                let rest = rest.iter().map(|(r, t)| (*r, self.term(t, scope, body))).collect();
                Some(Heads::NegatedChain(first, rest))
            }
        }
    }

    /// An element of a head. `outer` takes the intervals of an unconditional disjunct: they belong to the rule.
    fn head_element(
        &mut self,
        l: &ast::Literal,
        condition: &[ast::Literal],
        span: Span,
        scope: &mut Scope,
        outer: Option<&mut Vec<Literal>>,
    ) -> HeadElement {
        let mut condition = self.condition(condition, scope);
        let sink = outer.unwrap_or(&mut condition);
        let (literal, tuple) = match (&l.kind, l.sign) {
            (ast::LiteralKind::Atom(a), Sign::None) => {
                let atom = self.head_atom(a, scope, sink);
                let tuple = vec![Term::Sym(self.symbols.num(0)), self.atom_term(&atom)];
                (HeadLiteral::Atom(atom), tuple)
            }
            _ => {
                let mut out = Vec::new();
                self.literal(l, scope, &mut out);
                let tuple = self.literal_tuple(span.lo as usize, &out);
                // A chain of comparisons is more than one literal: all but the last are conditions of the element's
                // truth; nothing is derived either way, so they may be joined through the last.
                let last = out.pop();
                sink.append(&mut out);
                let last = last.unwrap_or_else(|| {
                    let zero = Term::Sym(self.symbols.num(0));
                    Literal::Compare(Relation::Equal, zero.clone(), zero, l.span)
                });
                (HeadLiteral::Other(last), tuple)
            }
        };
        HeadElement { tuple, literal, condition, span }
    }
}
