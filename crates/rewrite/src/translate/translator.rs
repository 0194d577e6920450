//! The state of translation: symbols, predicates, constants, theories; rules and messages.
//!
//! The translation itself is in `term`, `projection`, `literal`, `theory_atom`, `head` and `translate`, each using
//! those before it. Invariant: rules are only added, in the order of their statements.

use crate::constants::Constants;
use crate::predicate::{PredId, Predicates};
use crate::rule::{Rule, Term};
use crate::theory::Theories;
use asp_base::diagnostic::Diagnostic;
use asp_base::map::Map;
use asp_base::signature::Signature;
use asp_base::symbol::Symbols;
use asp_syntax::ast;

/// Translates statements; keep one for all statements of a grounding step.
pub struct Translator<'a> {
    /// All terms.
    pub symbols: &'a mut Symbols,
    /// All predicates.
    pub predicates: &'a mut Predicates,
    /// Values of constants (and of the program part's parameters).
    pub constants: &'a Constants,
    /// Definitions of theories.
    pub theories: &'a Theories,
    /// Errors found.
    pub diagnostics: &'a mut Vec<Diagnostic>,
    /// Whether predicates are numbered in gringo's order: those of a body from the last one, before the head's.
    pub from_last: bool,
    /// The rules so far.
    pub rules: Vec<Rule>,
    pub(crate) projections: &'a mut Projections,
}

impl<'a> Translator<'a> {
    /// A translator without rules.
    pub fn new(
        symbols: &'a mut Symbols,
        predicates: &'a mut Predicates,
        constants: &'a Constants,
        theories: &'a Theories,
        projections: &'a mut Projections,
        diagnostics: &'a mut Vec<Diagnostic>,
    ) -> Self {
        let (from_last, rules) = (false, Vec::new());
        Self { symbols, predicates, constants, theories, projections, diagnostics, from_last, rules }
    }

    /// Numbers the predicates that a statement reads, from the last one.
    pub(crate) fn number_from_last(&mut self, statement: &ast::Statement) {
        let asp_syntax::walk::Parts { head, body, .. } = statement.kind.parts();
        let mut number = |l: &ast::Literal| {
            if let ast::LiteralKind::Atom(a) = &l.kind {
                a.args.iter().for_each(|args| {
                    self.predicate(a, args.len());
                });
            }
        };
        if let Some(head) = head {
            // Of a negated head gringo makes a literal of the body.
            head.derived().map(|d| d.0).filter(|l| l.sign != ast::Sign::None).for_each(&mut number);
            head.derived().for_each(|(_, condition)| condition.iter().rev().for_each(&mut number));
            head.conditions().for_each(&mut number);
        }
        for element in body.iter().rev() {
            match &element.kind {
                ast::BodyElementKind::Conditional(c) => {
                    c.condition.iter().rev().for_each(&mut number);
                    number(&c.literal);
                }
                _ => element.literals().for_each(&mut number),
            }
        }
    }

    pub(crate) fn predicate(&mut self, a: &ast::Atom, arity: usize) -> PredId {
        let pred = self.predicates.get(Signature { name: a.name, arity: arity as u32, negative: a.negative });
        // An expansion made it up.
        self.predicates[pred].auxiliary |= self.symbols.str(a.name).starts_with('#');
        pred
    }
}

/// `auxiliary` holds for values of the kept variables if the pattern does for some values of the others.
#[derive(Clone, Debug)]
pub(crate) struct Projection {
    pub(crate) pattern: Vec<Term>,
    /// For each variable of the pattern: whether it is kept.
    pub(crate) keeps: Vec<bool>,
    pub(crate) auxiliary: PredId,
    /// The last grounding call that used it.
    pub(crate) call: u32,
}

/// All projections, by the projected predicate.
#[derive(Clone, Debug, Default)]
pub struct Projections {
    pub(crate) of: Map<PredId, Vec<Projection>>,
    pub(crate) call: u32,
}

impl Projections {
    /// Begins a grounding call.
    pub fn begin(&mut self) {
        self.call += 1;
    }
}
