//! Which predicates and constants a program mentions, so that facts can be made to fit it.
//!
//! Invariant: plain facts do not count: they are what a puzzle provides, not what the program uses.

use asp_base::span::Sources;
use asp_base::symbol::{StrId, Symbols};
use asp_control::Source;
use asp_data::puzzle::Names;
use asp_syntax::ast::{Atom, BodyElement, Head, Literal, LiteralKind, SignatureRef, StatementKind};
use asp_syntax::{self as syntax, Loader};

/// The names that texts mention; errors in them are not reported here.
pub fn names(texts: &[Source], loader: &mut dyn Loader) -> Names {
    let (mut symbols, mut sources) = (Symbols::new(), Sources::new());
    let inputs = texts.iter().cloned().map(Source::into_input).collect();
    let program = syntax::parse(inputs, &mut symbols, &mut sources, loader).program;
    let mut walk = Walk { symbols: &symbols, names: Names::default() };
    let mut set: Vec<String> = Vec::new();
    for statement in &program.statements {
        let parts = statement.kind.parts();
        parts.body.iter().flat_map(BodyElement::literals).for_each(|l| walk.literal(l));
        for (literal, condition) in parts.head.into_iter().flat_map(Head::derived) {
            walk.literal(literal);
            condition.iter().for_each(|l| walk.literal(l));
        }
        parts.head.into_iter().flat_map(Head::conditions).for_each(|l| walk.literal(l));
        statement.kind.each_value(&mut |name, arity, _| walk.name(name, arity as usize));
        match &statement.kind {
            StatementKind::Defined(signature) => walk.signature(signature),
            StatementKind::ShowSignature(signature) => {
                let name = (walk.symbols.str(signature.name).to_string(), signature.arity as usize);
                walk.names.shows.insert(name);
            }
            StatementKind::Const { name, is_override, .. } => {
                let name = symbols.str(*name).to_string();
                walk.names.replaced.insert(name.clone());
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
}
