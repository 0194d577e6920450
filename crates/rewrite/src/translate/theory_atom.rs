//! Theory atoms, read by their definitions.
//!
//! With `+ : 1, binary, left` and `* : 2, binary, left`, the sequence `1 + 2 * X` is `+(1,*(2,X))`: operators are
//! parsed by precedence with a stack (Dijkstra's shunting yard, 1961).
//!
//! Invariant: a translated atom has a definition that allows it where it stands, and uses only the operators defined
//! there.

use super::scope::Scope;
use super::translator::Translator;
use super::unpool;
use crate::integers::{self, argument, is_told_apart, tell_apart};
use crate::rule::{Literal, Term, TheoryAtom, TheoryElement, TheoryTerm, literal_vars};
use crate::theory::{TermDefinition, Theories, Theory};
use asp_base::diagnostic::Diagnostic;
use asp_base::map::Set;
use asp_base::span::Span;
use asp_base::symbol::StrId;
use asp_syntax::ast::{self, Fixity, TheoryAtomKind, TheoryTermKind};

/// Where a theory atom stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Body,
    /// In a head; of a fact if the flag is set.
    Head(bool),
}

impl<'a> Translator<'a> {
    /// A theory atom, read by its definition; `None` after an error.
    pub(super) fn theory_atom(
        &mut self,
        a: &ast::TheoryAtom,
        place: Place,
        scope: &mut Scope,
        sink: &mut Vec<Literal>,
    ) -> Option<TheoryAtom> {
        let theories: &'a Theories = self.theories;
        let args = a.args.first().map_or(&[][..], Vec::as_slice);
        let name = format!("&{}/{}", self.symbols.str(a.name), args.len());
        let key = theories.key(a, place == Place::Body, self.symbols);
        let Some(definition) = theories.atoms.get(&key) else {
            self.diagnostics.extend(theories.missing(a.name, args.len(), a.span, self.symbols));
            return None;
        };
        let wrong = match (definition.kind, place) {
            (TheoryAtomKind::Head | TheoryAtomKind::Directive, Place::Body) => Some("a body"),
            (TheoryAtomKind::Body, Place::Head(_)) => Some("a head"),
            (TheoryAtomKind::Directive, Place::Head(false)) => Some("the head of a rule with a body"),
            _ => None,
        };
        if let Some(wrong) = wrong {
            let kind = match definition.kind {
                TheoryAtomKind::Head => "for heads only",
                TheoryAtomKind::Body => "for bodies only",
                TheoryAtomKind::Any => "for heads and bodies",
                TheoryAtomKind::Directive => "a directive",
            };
            let error = Diagnostic::error(a.span, format!("theory atom `{name}` cannot occur in {wrong}"));
            self.diagnostics.push(match theories.elsewhere(a.name, args.len(), self.symbols) {
                Some(help) => error.help(help),
                None => error.label(definition.span, format!("it is defined {kind} here")),
            });
            return None;
        }
        let theory = &theories.theories[definition.theory];
        let arity = args.len();
        let of_integers = theories.has_integer_atom(a.name, arity, self.symbols);
        let written = integers::written(self.symbols.str(a.name));
        let element = self.term_definition(theory, definition.element, a.span, definition.span)?;
        let guard = match (&a.guard, &definition.guard) {
            (None, _) => None,
            (Some(_), None) => {
                let error = Diagnostic::error(a.span, format!("theory atom `{name}` takes no guard"));
                self.diagnostics.push(match written.filter(|_| of_integers) {
                    Some(help) => error.help(help),
                    None => error.label(definition.span, "it is defined without one here"),
                });
                return None;
            }
            (Some((operator, term)), Some((operators, kind))) => {
                if !operators.contains(operator) {
                    let text = self.symbols.str(*operator);
                    let list: Vec<String> =
                        operators.iter().map(|&o| format!("`{}`", self.symbols.str(o))).collect();
                    let text = format!("the guard of theory atom `{name}` cannot start with `{text}`");
                    let mut error =
                        Diagnostic::error(a.span, text).help(format!("one of {}", list.join(", ")));
                    if of_integers && self.symbols.str(a.name) == "diff" {
                        error = error.help(
                            "a difference is bounded from above: turn it round, `&diff { y-x } <= -3` for `x-y >= 3`, or write `&sum { x; -y } >= 3`",
                        );
                    }
                    if of_integers && matches!(self.symbols.str(*operator), "+" | "-" | "*") {
                        error = error.help("all of a sum stands within the braces: `&sum { x; y } <= z`");
                    }
                    let known = operators.iter().map(|&o| self.symbols.str(o));
                    if let Some(help) = apart(self.symbols.str(*operator), known) {
                        error = error.help(help);
                    }
                    self.diagnostics.push(error);
                    return None;
                }
                let kind = self.term_definition(theory, *kind, a.span, definition.span)?;
                Some((*operator, self.theory_term(term, kind, scope)?))
            }
        };
        let terms = self.terms(args, scope, sink).into_iter();
        let args: Vec<TheoryTerm> = match of_integers {
            false => terms.map(TheoryTerm::Plain).collect(),
            true => match terms.map(|t| argument(t, self.symbols)).collect() {
                Ok(args) => args,
                Err(span) => {
                    let text =
                        format!("an argument of theory atom `{name}` is a sum, which has no such operation");
                    let error =
                        Diagnostic::error(span, text).help("give the number a name in the body: `N = |X|`");
                    self.diagnostics.push(error);
                    return None;
                }
            },
        };
        let mut elements = Vec::new();
        for e in &a.elements {
            for condition in unpool::literals(&e.condition) {
                let translated = scope.element(|scope| {
                    let terms =
                        e.tuple.iter().map(|t| self.theory_term(t, element, scope)).collect::<Option<_>>()?;
                    let condition = self.condition(&condition, scope);
                    Some(TheoryElement { terms, condition, span: e.span })
                });
                elements.push(translated?);
            }
        }
        let is_written = theories.is_written_multiset(a.name, self.symbols);
        if of_integers {
            let count = theories.terms_of(a.name, arity, self.symbols);
            let is_wrong = |e: &&TheoryElement| {
                e.terms.len() != count && !(is_written && is_told_apart(e, self.symbols))
            };
            if let Some(wrong) = elements.iter().find(is_wrong) {
                let text = match count {
                    1 => "an element of a constraint over integers is one term".into(),
                    n => format!("an element of `{name}` has {n} terms, with commas between them"),
                };
                let error = Diagnostic::error(wrong.span, text);
                self.diagnostics.push(match written {
                    Some(help) => error.help(help),
                    None => error,
                });
                return None;
            }
        }
        if theories.is_multiset(a.name, arity, self.symbols) {
            tell_apart(&mut elements, is_written, scope, self.symbols);
        }
        let mut globals = Set::default();
        let mut add = |v| {
            globals.insert(v);
        };
        args.iter().for_each(|t| t.for_each_var(&mut add));
        guard.iter().for_each(|(_, t)| t.for_each_var(&mut add));
        for e in &elements {
            e.terms.iter().for_each(|t| t.for_each_var(&mut add));
            e.condition.iter().for_each(|l| literal_vars(l, &mut add));
        }
        let globals = scope.globals(globals);
        let directive = definition.kind == TheoryAtomKind::Directive;
        Some(TheoryAtom { name: key.0, args, elements, guard, globals, directive, span: a.span })
    }

    fn term_definition(
        &mut self,
        theory: &'a Theory,
        name: StrId,
        used: Span,
        defined: Span,
    ) -> Option<&'a TermDefinition> {
        let found = theory.terms.iter().find(|t| t.name == name);
        if found.is_none() {
            let text = format!("theory term `{}` is not defined", self.symbols.str(name));
            self.diagnostics
                .push(Diagnostic::error(used, text).label(defined, "this definition asks for it"));
        }
        found
    }

    fn theory_term(
        &mut self,
        t: &ast::TheoryTerm,
        definition: &'a TermDefinition,
        scope: &mut Scope,
    ) -> Option<TheoryTerm> {
        Some(match &t.kind {
            TheoryTermKind::Symbol(s) => TheoryTerm::Plain(Term::Sym(*s)),
            TheoryTermKind::Variable(StrId::EMPTY) => TheoryTerm::Plain(Term::Var(scope.fresh(t.span))),
            TheoryTermKind::Variable(name) => TheoryTerm::Plain(Term::Var(scope.named(*name, t.span))),
            TheoryTermKind::Constant(name) => {
                let value = self.constants.get(name).copied();
                TheoryTerm::Plain(Term::Sym(value.unwrap_or_else(|| self.symbols.constant(*name))))
            }
            TheoryTermKind::Function(name, args) => {
                TheoryTerm::Function(*name, self.theory_terms(args, definition, scope)?)
            }
            TheoryTermKind::Tuple(args) => TheoryTerm::Tuple(self.theory_terms(args, definition, scope)?),
            TheoryTermKind::List(args) => TheoryTerm::List(self.theory_terms(args, definition, scope)?),
            TheoryTermKind::Set(args) => TheoryTerm::Set(self.theory_terms(args, definition, scope)?),
            TheoryTermKind::Unparsed(parts) => self.operators(parts, t.span, definition, scope)?,
        })
    }

    fn theory_terms(
        &mut self,
        ts: &[ast::TheoryTerm],
        definition: &'a TermDefinition,
        scope: &mut Scope,
    ) -> Option<Vec<TheoryTerm>> {
        ts.iter().map(|t| self.theory_term(t, definition, scope)).collect()
    }

    /// Parses a sequence of operators and terms by precedence.
    fn operators(
        &mut self,
        parts: &[(Vec<StrId>, ast::TheoryTerm)],
        span: Span,
        definition: &'a TermDefinition,
        scope: &mut Scope,
    ) -> Option<TheoryTerm> {
        let mut terms: Vec<TheoryTerm> = Vec::new();
        // Operators waiting for their right side: name, priority, whether unary.
        let mut waiting: Vec<(StrId, u32, bool)> = Vec::new();
        let apply = |terms: &mut Vec<TheoryTerm>, (op, _, unary): (StrId, u32, bool)| {
            let at = terms.len().saturating_sub(if unary { 1 } else { 2 });
            let args = terms.split_off(at);
            terms.push(TheoryTerm::Function(op, args));
        };
        for (i, (operators, term)) in parts.iter().enumerate() {
            for (k, &op) in operators.iter().enumerate() {
                let unary = i == 0 || k > 0;
                let Some(&(priority, fixity, _)) = definition.operators.get(&(op, unary)) else {
                    let arity = if unary { "unary" } else { "binary" };
                    let text = format!("{arity} theory operator `{}` is not defined", self.symbols.str(op));
                    let of = format!("operators of `{}` are defined here", self.symbols.str(definition.name));
                    let mut error = Diagnostic::error(span, text).label(definition.span, of);
                    let known = definition.operators.keys().map(|&(o, _)| self.symbols.str(o));
                    if matches!(self.symbols.str(op), "=" | "!=" | "<" | ">" | "<=" | ">=") {
                        error =
                            error.help("a comparison stands behind the braces, as in `&sum { x; y } <= 3`");
                    } else if let Some(help) = apart(self.symbols.str(op), known.chain([";"])) {
                        error = error.help(help);
                    } else if definition.operators.is_empty() {
                        error = error
                            .help("there is no arithmetic here: give a number a name in the body, `N = -1`");
                    }
                    self.diagnostics.push(error);
                    return None;
                };
                if !unary {
                    while let Some(&top) = waiting.last() {
                        if top.1 < priority || top.1 == priority && fixity == Fixity::Right {
                            break;
                        }
                        waiting.pop();
                        apply(&mut terms, top);
                    }
                }
                waiting.push((op, priority, unary));
            }
            let term = self.theory_term(term, definition, scope)?;
            terms.push(term);
        }
        while let Some(top) = waiting.pop() {
            apply(&mut terms, top);
        }
        terms.pop()
    }
}

/// What to write where an operator begins with a known one: adjacent operator characters are one.
fn apart<'a>(operator: &str, known: impl Iterator<Item = &'a str> + Clone) -> Option<String> {
    let turned: String = operator.chars().rev().collect();
    if operator.len() > 1 && known.clone().any(|k| k == turned) {
        return Some(format!("did you mean `{turned}`?"));
    }
    let first =
        known.filter(|k| operator.len() > k.len() && operator.starts_with(k)).max_by_key(|k| k.len())?;
    let rest = &operator[first.len()..];
    Some(format!("`{operator}` is read as one operator; write `{first} {rest}` with a blank"))
}
