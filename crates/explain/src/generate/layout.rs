//! The part of an instance that a new one shares with it: everything but the facts that are made anew.
//!
//! Invariant: what stays is as it was written, comments aside.

use super::recipe::Recipe;
use asp_base::span::{Sources, Span};
use asp_base::symbol::{SymView, Symbols};
use asp_control::Source;
use asp_syntax::ast::{HeadKind, LiteralKind, StatementKind};
use asp_syntax::{self as syntax, Input, Loader};

/// The statements of a text without the facts that the comments of a puzzle make, one a line or as they were written;
/// and how many facts were left out. A text with errors stays as it is, so that they are reported.
pub(super) fn layout(source: &Source, recipe: &Recipe, loader: &mut dyn Loader) -> (Source, usize) {
    let (mut symbols, mut sources) = (Symbols::new(), Sources::new());
    let input = Input::new(source.name.clone(), source.text.clone());
    let parsed = syntax::parse(vec![input], &mut symbols, &mut sources, loader);
    if !parsed.diagnostics.is_empty() {
        return (source.clone(), 0);
    }
    let mut kept: Vec<Span> = Vec::new();
    let mut dropped = 0;
    let mut sort = |span: Span, made: bool| if made { dropped += 1 } else { kept.push(span) };
    for fact in &parsed.program.facts {
        let made = match symbols.view(fact.atom) {
            SymView::Fun { name, args, .. } => recipe.makes(symbols.str(name), args.len()),
            _ => false,
        };
        sort(fact.span, made);
    }
    for statement in &parsed.program.statements {
        let made = match &statement.kind {
            StatementKind::Rule { head, body } if body.is_empty() => match &head.kind {
                HeadKind::Literal(literal) => match &literal.kind {
                    LiteralKind::Atom(atom) => {
                        atom.args.iter().any(|args| recipe.makes(symbols.str(atom.name), args.len()))
                    }
                    _ => false,
                },
                _ => false,
            },
            _ => false,
        };
        sort(statement.span, made);
    }
    kept.sort_unstable();
    kept.dedup();
    let mut text = String::new();
    let mut last = None;
    for span in kept {
        let line = sources.locate(span).map(|place| place.1);
        if last.replace(line).is_some_and(|last| last != line) {
            text.push('\n');
        } else if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(sources.text(span));
    }
    text.push('\n');
    (Source::new(source.name.clone(), text), dropped)
}
