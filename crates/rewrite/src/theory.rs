//! Theories: the definitions of their terms, operators and atoms.
//!
//! Invariant: a second definition is an error, and the first one counts. Source: Gebser, Kaminski, Kaufmann,
//! Ostrowski, Schaub, Wanko, *Theory solving made easy with clingo 5*, ICLP 2016.

use asp_base::diagnostic::Diagnostic;
use asp_base::map::Map;
use asp_base::span::Span;
use asp_base::symbol::{StrId, Symbols};
use asp_syntax::ast::{self, Fixity, TheoryAtomKind};

/// Operators of a kind of terms; unary ones apart from binary ones.
#[derive(Clone, Debug)]
pub(super) struct TermDefinition {
    pub(super) name: StrId,
    pub(super) span: Span,
    pub(super) operators: Map<(StrId, bool), (u32, Fixity, Span)>,
}

#[derive(Clone, Debug)]
pub(super) struct AtomDefinition {
    pub(super) theory: usize,
    pub(super) element: StrId,
    pub(super) guard: Option<(Vec<StrId>, StrId)>,
    pub(super) kind: TheoryAtomKind,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) struct Theory {
    pub(super) name: StrId,
    pub(super) span: Span,
    pub(super) terms: Vec<TermDefinition>,
}

/// All theories of a program.
#[derive(Clone, Debug, Default)]
pub struct Theories {
    pub(super) theories: Vec<Theory>,
    pub(super) atoms: Map<(StrId, u32), AtomDefinition>,
    /// Whether the theory of integers is among them, which no text defines.
    pub integers: bool,
}

impl Theories {
    /// Adds a definition; a second one for a name is an error.
    pub fn add(
        &mut self,
        definition: &ast::TheoryDefinition,
        span: Span,
        symbols: &Symbols,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let mut twice = |what: String, new: Span, old: Span| {
            diagnostics.push(
                Diagnostic::error(new, format!("{what} is defined twice"))
                    .caption("second definition")
                    .label(old, "first definition"),
            );
        };
        if let Some(old) = self.theories.iter().find(|t| t.name == definition.name) {
            return twice(format!("theory `{}`", symbols.str(definition.name)), span, old.span);
        }
        let mut theory = Theory { name: definition.name, span, terms: Vec::new() };
        for d in &definition.terms {
            if let Some(old) = theory.terms.iter().find(|t| t.name == d.name) {
                twice(format!("theory term `{}`", symbols.str(d.name)), d.span, old.span);
                continue;
            }
            let mut term = TermDefinition { name: d.name, span: d.span, operators: Map::default() };
            for o in &d.operators {
                let key = (o.op, o.fixity == Fixity::Unary);
                if let Some(&(_, _, old)) = term.operators.get(&key) {
                    let arity = if key.1 { "unary" } else { "binary" };
                    twice(format!("{arity} theory operator `{}`", symbols.str(o.op)), o.span, old);
                } else {
                    term.operators.insert(key, (o.priority, o.fixity, o.span));
                }
            }
            theory.terms.push(term);
        }
        for a in &definition.atoms {
            if let Some(old) = self.atoms.get(&(a.name, a.arity)) {
                twice(format!("theory atom `&{}/{}`", symbols.str(a.name), a.arity), a.span, old.span);
                continue;
            }
            let atom = AtomDefinition {
                theory: self.theories.len(),
                element: a.element,
                guard: a.guard.clone(),
                kind: a.kind,
                span: a.span,
            };
            self.atoms.insert((a.name, a.arity), atom);
        }
        self.theories.push(theory);
    }

    /// The error for a theory atom that has no definition.
    pub fn missing(&self, name: StrId, arity: usize, span: Span, symbols: &Symbols) -> Option<Diagnostic> {
        if self.atoms.contains_key(&(name, arity as u32)) || self.has_integer_atom(name, arity, symbols) {
            return None;
        }
        let text = symbols.str(name);
        let error = Diagnostic::error(span, format!("theory atom `&{text}/{arity}` is not defined"));
        let least = self.atoms.keys().filter(|k| k.0 == name).map(|k| k.1).min();
        Some(match least {
            Some(n) => error.help(format!("`&{text}/{n}` is")),
            None => error.help(
                self.how_written(text, symbols).unwrap_or("a `#theory` definition must declare it".into()),
            ),
        })
    }
}
