//! Which predicates and constants a program mentions, for facts that are written to fit it.
//!
//! Invariant: plain facts do not count: they are what a puzzle brings, not what the program knows.

use crate::base::span::Sources;
use crate::base::symbol::{StrId, Symbols};
use crate::control::Source;
use crate::data::puzzle::Names;
use crate::syntax::ast::{
    Atom, BodyElement, BodyElementKind, ConditionalLiteral, HeadKind, Literal, LiteralKind, SignatureRef,
    StatementKind,
};
use crate::syntax::{self, Input, Loader};

/// What texts mention; errors in them are not told here.
pub fn names(texts: &[Source], loader: &mut dyn Loader) -> Names {
    let (mut symbols, mut sources) = (Symbols::new(), Sources::new());
    let inputs = texts.iter().map(|s| Input { name: s.name.clone(), text: s.text.clone() }).collect();
    let program = syntax::parse(inputs, &mut symbols, &mut sources, loader).program;
    let mut walk = Walk { symbols: &symbols, names: Names::default() };
    let mut set: Vec<String> = Vec::new();
    for statement in &program.statements {
        match &statement.kind {
            StatementKind::Rule { head, body } => {
                walk.body(body);
                match &head.kind {
                    HeadKind::Literal(literal) => walk.literal(literal),
                    HeadKind::Disjunction(elements) | HeadKind::Choice { elements, .. } => {
                        elements.iter().for_each(|e| walk.conditional(e));
                    }
                    HeadKind::Aggregate { elements, .. } => {
                        for element in elements {
                            walk.literal(&element.literal);
                            walk.literals(&element.condition);
                        }
                    }
                    HeadKind::Theory(_) => {}
                }
            }
            StatementKind::Minimize { body, .. }
            | StatementKind::ShowTerm { body, .. }
            | StatementKind::ProjectAtom { body, .. }
            | StatementKind::External { body, .. }
            | StatementKind::Heuristic { body, .. }
            | StatementKind::Edge { body, .. } => walk.body(body),
            StatementKind::Defined(signature) => walk.signature(signature),
            StatementKind::ShowSignature(signature) => {
                let name = (walk.symbols.str(signature.name).to_string(), signature.arity as usize);
                walk.names.shows.insert(name);
            }
            StatementKind::Const { name, is_override, .. } => {
                let name = symbols.str(*name).to_string();
                if *is_override {
                    set.push(name);
                } else {
                    walk.names.constants.insert(name);
                }
            }
            _ => {}
        }
    }
    let mut names = walk.names;
    names.constants.retain(|name| !set.contains(name));
    names
}

struct Walk<'a> {
    symbols: &'a Symbols,
    names: Names,
}

impl Walk<'_> {
    fn name(&mut self, name: StrId, arity: usize) {
        self.names.uses.insert((self.symbols.str(name).to_string(), arity));
    }
    fn signature(&mut self, signature: &SignatureRef) {
        self.name(signature.name, signature.arity as usize);
    }
    fn atom(&mut self, atom: &Atom) {
        for args in &atom.args {
            self.name(atom.name, args.len());
        }
    }
    fn literal(&mut self, literal: &Literal) {
        if let LiteralKind::Atom(atom) = &literal.kind {
            self.atom(atom);
        }
    }
    fn literals(&mut self, literals: &[Literal]) {
        literals.iter().for_each(|l| self.literal(l));
    }
    fn conditional(&mut self, literal: &ConditionalLiteral) {
        self.literal(&literal.literal);
        self.literals(&literal.condition);
    }
    fn body(&mut self, body: &[BodyElement]) {
        for element in body {
            match &element.kind {
                BodyElementKind::Literal(literal) => self.literal(literal),
                BodyElementKind::Conditional(literal) => self.conditional(literal),
                BodyElementKind::Aggregate { elements, .. } => {
                    elements.iter().for_each(|e| self.literals(&e.condition));
                }
                BodyElementKind::SetAggregate { elements, .. } => {
                    elements.iter().for_each(|e| self.conditional(e));
                }
                BodyElementKind::Theory { .. } => {}
            }
        }
    }
}
