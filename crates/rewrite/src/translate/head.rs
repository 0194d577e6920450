//! Heads: the part that derives atoms, and the part that moves to the body.
//!
//! `not a :- b.` becomes `:- b, not not a.`; a comparison in a head becomes a constraint with its negation in the body.

use super::scope::Scope;
use super::theory_atom::Place;
use super::translator::Translator;
use super::unpool;
use crate::rule::{Head, HeadElement, HeadLiteral, Literal, Term, literal_vars};
use asp_base::span::Span;
use asp_syntax::ast::{self, AggregateFunction, Relation, Sign};

/// The translation of a head.
pub(crate) enum Heads {
    One(Head),
    /// A chain of comparisons: each link must hold.
    NegatedChain(Term, Vec<(Relation, Term)>),
}

impl Translator<'_> {
    /// The head of a rule (of a fact if `fact`); what does not derive anything moves to the body. `None` if the rule is
    /// redundant.
    pub(crate) fn head(
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
                let (mut out, mut ordinal) = (Vec::new(), 0);
                for element in elements {
                    if element.condition.is_empty() {
                        // Its pools and intervals belong to the rule.
                        let literal = &element.literal;
                        let mut disjunct = |scope: &mut Scope| {
                            self.disjunct(ordinal, (literal, literal), &[], element.span, scope)
                        };
                        let mut e = if is_chain(literal) { scope.element(disjunct) } else { disjunct(scope) };
                        e.ranges
                            .iter()
                            .for_each(|l| literal_vars(l, &mut |v| scope.vars[v.0 as usize].local = false));
                        body.append(&mut e.ranges);
                        out.push(e);
                        ordinal += 1;
                        continue;
                    }
                    for condition in unpool::literals(&element.condition) {
                        for literal in unpool::whole_literal(&element.literal) {
                            let literals = (&literal, &element.literal);
                            out.push(scope.element(|scope| {
                                self.disjunct(ordinal, literals, &condition, element.span, scope)
                            }));
                        }
                        ordinal += 1;
                    }
                }
                one(Head::Disjunction(out))
            }
            ast::HeadKind::Choice { guards, elements } => {
                let guards = self.guards(guards, scope, body);
                let mut out = Vec::new();
                for element in elements {
                    // The alternatives of a negated chain are one element.
                    let links = unpool::links(&element.literal);
                    let first = out.len();
                    for (i, literal) in unpool::literal(&element.literal).iter().enumerate() {
                        let (number, conditions) = unpool::conditions(&element.condition);
                        for (k, condition) in &conditions {
                            let ordinal = first + i / links * number + k;
                            out.push(scope.element(|scope| {
                                let mut e =
                                    self.head_element(ordinal, literal, condition, element.span, scope);
                                if links > 1 {
                                    e.tuple.truncate(1);
                                    e.tuple
                                        .extend(scope.variables(&element.literal).into_iter().map(Term::Var));
                                }
                                e
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
                                        self.head_element(0, &literal, &condition, element.span, scope);
                                    e.tuple = self.terms(&tuple, scope, &mut e.condition);
                                    e
                                }));
                            }
                        }
                    }
                }
                one(Head::Aggregate { function: *function, set: false, guards, elements: out })
            }
            // It has been expanded before.
            ast::HeadKind::Global(_) => None,
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
            (ast::LiteralKind::Atom(a), sign) => {
                // `not a :- b.` is `:- b, not not a.`; `not not a :- b.` is `:- b, not a.`
                let sign = if sign == Sign::Not { Sign::NotNot } else { Sign::Not };
                self.negated_head_atom(sign, a, scope, body);
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

    /// An element of a choice or head aggregate; its tuple is the literal, or its `ordinal` and variables.
    fn head_element(
        &mut self,
        ordinal: usize,
        l: &ast::Literal,
        condition: &[ast::Literal],
        span: Span,
        scope: &mut Scope,
    ) -> HeadElement {
        let mut condition = self.condition(condition, scope);
        let (literal, tuple) = match (&l.kind, l.sign) {
            (ast::LiteralKind::Atom(a), Sign::None) => {
                let atom = self.head_atom(a, scope, &mut condition);
                let tuple = vec![Term::Sym(self.symbols.num(0)), self.atom_term(&atom)];
                (HeadLiteral::Atom(atom), tuple)
            }
            (kind, sign) => {
                let mut out = Vec::new();
                match kind {
                    ast::LiteralKind::Atom(a) => self.negated_head_atom(sign, a, scope, &mut out),
                    _ => self.literal(l, scope, &mut out),
                }
                let tuple = self.literal_tuple(ordinal, &out);
                (HeadLiteral::Other(vec![out]), tuple)
            }
        };
        HeadElement { tuple, literal, ranges: Vec::new(), condition, span }
    }

    /// A disjunct; its tuple is its `ordinal` and the variables of `whole`, the literal with its pools.
    fn disjunct(
        &mut self,
        ordinal: i64,
        (l, whole): (&ast::Literal, &ast::Literal),
        condition: &[ast::Literal],
        span: Span,
        scope: &mut Scope,
    ) -> HeadElement {
        let condition = self.condition(condition, scope);
        let mut ranges = Vec::new();
        let literal = match (&l.kind, l.sign) {
            (ast::LiteralKind::Atom(a), Sign::None) => {
                HeadLiteral::Atom(self.head_atom(a, scope, &mut ranges))
            }
            (ast::LiteralKind::Comparison(first, rest), sign) => {
                let mut left = self.term(first, scope, &mut ranges);
                let mut links = Vec::new();
                for (relation, right) in rest {
                    let right = self.term(right, scope, &mut ranges);
                    let relation = if sign == Sign::Not { relation.negate() } else { *relation };
                    links.push(Literal::Compare(relation, left, right.clone(), l.span));
                    left = right;
                }
                // A negated chain holds if one of its links does not.
                let negated = sign == Sign::Not;
                HeadLiteral::Other(if negated {
                    links.into_iter().map(|l| vec![l]).collect()
                } else {
                    vec![links]
                })
            }
            (kind, sign) => {
                let mut out = Vec::new();
                match kind {
                    ast::LiteralKind::Atom(a) => self.negated_head_atom(sign, a, scope, &mut out),
                    _ => self.literal(l, scope, &mut out),
                }
                let (intervals, rest) = out.into_iter().partition(|l| matches!(l, Literal::Range(..)));
                ranges = intervals;
                HeadLiteral::Other(vec![rest])
            }
        };
        let mut tuple = vec![Term::Sym(self.symbols.num(ordinal))];
        tuple.extend(scope.variables(whole).into_iter().map(Term::Var));
        HeadElement { tuple, literal, ranges, condition, span }
    }
}

/// Whether a disjunct is several comparisons, so that it stays in the head.
fn is_chain(l: &ast::Literal) -> bool {
    matches!(&l.kind, ast::LiteralKind::Comparison(_, rest) if rest.len() > 1) && l.sign != Sign::Not
}
