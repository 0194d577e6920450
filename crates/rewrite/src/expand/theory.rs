//! Construction of theory atoms and their terms.

use asp_base::aggregate::Relation;
use asp_base::span::Span;
use asp_base::symbol::{StrId, Sym, Symbols};
use asp_syntax::ast::{TheoryAtom, TheoryElement, TheoryTerm, TheoryTermKind};

/// A term without parts.
pub(super) fn leaf(kind: TheoryTermKind, span: Span) -> TheoryTerm {
    TheoryTerm { kind, span, depth: 1 }
}

/// A small number.
pub(super) fn number(n: i64, span: Span) -> TheoryTerm {
    leaf(TheoryTermKind::Symbol(Sym::small(n).unwrap_or(Sym::INF)), span)
}

/// `name(args)`, or `name` without arguments.
pub(super) fn function(name: StrId, args: Vec<TheoryTerm>, span: Span) -> TheoryTerm {
    if args.is_empty() {
        return leaf(TheoryTermKind::Constant(name), span);
    }
    let depth = 1 + args.iter().map(|t| t.depth).max().unwrap_or(0);
    TheoryTerm { kind: TheoryTermKind::Function(name, args), span, depth }
}

/// Operators and terms, at least one.
pub(super) fn sequence(parts: Vec<(Vec<StrId>, TheoryTerm)>) -> TheoryTerm {
    let depth = 1 + parts.iter().map(|p| p.1.depth).max().unwrap_or(0);
    let span = parts.iter().map(|p| p.1.span).reduce(Span::to).unwrap_or(Span::NONE);
    TheoryTerm { kind: TheoryTermKind::Unparsed(parts), span, depth }
}

/// `a operator b`
pub(super) fn operation(a: TheoryTerm, operator: &str, b: TheoryTerm, symbols: &mut Symbols) -> TheoryTerm {
    sequence(vec![(Vec::new(), a), (vec![symbols.intern(operator)], b)])
}

/// `&name { elements } relation right`
pub(super) fn atom(
    name: &str,
    elements: Vec<TheoryElement>,
    guard: Option<(Relation, TheoryTerm)>,
    span: Span,
    symbols: &mut Symbols,
) -> TheoryAtom {
    let guard = guard.map(|(relation, right)| (symbols.intern(relation.as_str()), right));
    TheoryAtom { name: symbols.intern(name), args: vec![Vec::new()], elements, guard, span }
}

pub(super) fn variables(t: &TheoryTerm) -> Vec<StrId> {
    let (mut todo, mut found) = (vec![t], Vec::new());
    while let Some(t) = todo.pop() {
        match &t.kind {
            TheoryTermKind::Symbol(_) | TheoryTermKind::Constant(_) => {}
            TheoryTermKind::Variable(name) => found.push(*name),
            TheoryTermKind::Function(_, ts)
            | TheoryTermKind::Tuple(ts)
            | TheoryTermKind::List(ts)
            | TheoryTermKind::Set(ts) => todo.extend(ts),
            TheoryTermKind::Unparsed(parts) => todo.extend(parts.iter().map(|p| &p.1)),
        }
    }
    found
}
