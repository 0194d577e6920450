//! The heads of a program, each with what must hold below it.

use std::borrow::Cow;
use std::rc::Rc;

use crate::inquiry::Inquiry;
use crate::inquiry::relaxed_facts::{self, Shown};
use crate::matching::Binding;
use crate::steps;
use asp_base::map::Map;
use asp_base::signature::Signature;
use asp_base::span::Span;
use asp_syntax::ast::{
    Atom, BodyElement, BodyElementKind, HeadKind, Literal, LiteralKind, Sign, StatementKind, Term, TermKind,
};

/// A head with all that must hold below it.
#[derive(Clone)]
pub(super) struct Rule<'a> {
    pub(super) terms: Cow<'a, [Term]>,
    pub(super) body: Vec<&'a Literal>,
    /// What else its body has.
    pub(super) rest: Vec<&'a BodyElement>,
    pub(super) span: Span,
    pub(super) is_fact: bool,
    /// The values of its part's parameters, each time that the part was grounded.
    pub(super) steps: Rc<[Binding]>,
}

impl Rule<'_> {
    /// Whether it calculates, so that numbers may go on from one head to the next, as in `p(T+1) :- p(T)`.
    pub(super) fn computes(&self) -> bool {
        let is_computed = |t: &Term| t.walk().any(|t| matches!(t.kind, TermKind::Binary(..)));
        let in_body = |literal: &&Literal| match &literal.kind {
            LiteralKind::Atom(atom) => atom.terms().any(is_computed),
            LiteralKind::Comparison(first, rest) => {
                is_computed(first) || rest.iter().any(|(_, t)| is_computed(t))
            }
            LiteralKind::Boolean(_) => false,
        };
        self.terms.iter().any(is_computed) || self.body.iter().any(in_body)
    }
}

/// The heads of a program by signature.
pub(super) fn rules<'a>(inquiry: &'a Inquiry) -> Map<Signature, Vec<Rule<'a>>> {
    let mut rules: Map<Signature, Vec<Rule<'a>>> = Map::default();
    let mut add = |name, negative, rule: Rule<'a>| {
        let signature = Signature { name, arity: rule.terms.len() as u32, negative };
        rules.entry(signature).or_default().push(rule);
    };
    for (statement, own_steps) in steps::of_statements(inquiry) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Rule { head, body } => {
                let is_fact = body.is_empty() && matches!(head.kind, HeadKind::Literal(_));
                let rest: Vec<&BodyElement> = body.iter().filter(|e| !is_literal(e)).collect();
                for (literal, condition) in head.derived() {
                    let (LiteralKind::Atom(atom), Sign::None) = (&literal.kind, literal.sign) else {
                        continue;
                    };
                    for terms in &atom.args {
                        let (body, rest) = (literals(body).chain(condition).collect(), rest.clone());
                        let steps = own_steps.clone();
                        add(
                            atom.name,
                            atom.negative,
                            Rule { terms: terms.into(), body, rest, span, is_fact, steps },
                        );
                    }
                }
            }
            StatementKind::ShowTerm { term, body } if inquiry.shown != Shown::None => {
                let (negative, name, args) = relaxed_facts::shown(term);
                for terms in args {
                    let rest = body.iter().filter(|e| !is_literal(e)).collect();
                    let body = literals(body).collect();
                    let (terms, steps) = (terms.into(), own_steps.clone());
                    add(name, negative, Rule { terms, body, rest, span, is_fact: false, steps });
                }
            }
            _ => {}
        }
    }
    rules
}

fn is_literal(element: &BodyElement) -> bool {
    matches!(element.kind, BodyElementKind::Literal(_))
}

fn literals(body: &[BodyElement]) -> impl Iterator<Item = &Literal> {
    body.iter().filter_map(|element| match &element.kind {
        BodyElementKind::Literal(literal) => Some(literal),
        _ => None,
    })
}

/// The atom of a literal without a sign.
pub(super) fn positive(literal: &Literal) -> Option<&Atom> {
    match (&literal.kind, literal.sign) {
        (LiteralKind::Atom(atom), Sign::None) => Some(atom),
        _ => None,
    }
}
