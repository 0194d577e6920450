//! What can be read, and means something else to who knows another language or begins: choices of one element, pools that differ
//! from everything, names in single quotes, `X^2`.
//!
//! Invariant: only what one statement says is judged, and constants, which may have another value in another run, are not.

use super::orders;
use super::whole::Known;
use asp_base::diagnostic::{Diagnostic, WarningKind};
use asp_base::span::Span;
use asp_base::symbol::{StrId, SymView, Symbols};
use asp_syntax::ast::*;
use asp_syntax::print;
use asp_syntax::walk::Parts;

/// `{ q(X) } = 1 :- p(X).`
const CHOICE_OF_ONE: WarningKind = WarningKind::Lint("choice-of-one");
/// `X != (1;2)`
pub(super) const ALWAYS_HOLDS: WarningKind = WarningKind::Lint("always-holds");
/// `X != Y != Z`
const UNEQUAL_CHAIN: WarningKind = WarningKind::Lint("unequal-chain");
/// `'ann'`
pub(super) const QUOTED_NAME: WarningKind = WarningKind::Lint("quoted-name");
/// A comparison or a body that never holds.
pub const NEVER_HOLDS: WarningKind = WarningKind::Lint("never-holds");
/// `day(1-7).`
pub(super) const INTERVAL_DASH: WarningKind = WarningKind::Lint("interval-dash");
/// `X^2`
pub(super) const NO_FUNCTION: WarningKind = WarningKind::Lint("no-function");

/// All lints on a statement; `compared` are the literals that may be comparisons.
pub(super) fn check(
    parts: &Parts<'_>,
    compared: &[&Literal],
    known: &Known<'_>,
    symbols: &Symbols,
    found: &mut Vec<Diagnostic>,
) {
    if let Some(head) = parts.head {
        match &head.kind {
            HeadKind::Choice { guards, elements } => {
                found.extend(choice_of_one(guards, elements, parts.body, head.span, symbols));
            }
            HeadKind::Literal(literal) if parts.body.is_empty() => {
                found.extend(definition(literal, known, symbols));
                found.extend(dash_in_fact(literal, known, symbols));
            }
            _ => {}
        }
        for (literal, _) in head.derived() {
            if let LiteralKind::Atom(atom) = &literal.kind {
                atom.args.iter().flatten().for_each(|t| found.extend(subtraction(t, symbols)));
            }
        }
    }
    // In a head, each value of an interval says something of its own.
    let head = parts.head.map_or(Span::NONE, |head| head.span);
    for literal in compared {
        found.extend(differs_from_pool(literal, known, symbols));
        if literal.span != head {
            found.extend(differs_from_interval(literal, symbols));
        }
        found.extend(unequal_chain(literal, compared, symbols));
        if parts.head.is_some() {
            found.extend(dash_of_domain(literal, compared, head, known, symbols));
        }
    }
    let literals = parts.body.iter().filter(|e| matches!(e.kind, BodyElementKind::Literal(_)));
    found.extend(orders::contradiction(
        &literals.flat_map(BodyElement::literals).collect::<Vec<_>>(),
        symbols,
    ));
}

/// A name in single quotes, or a square that is none.
pub(super) fn term(t: &Term, symbols: &Symbols, found: &mut Vec<Diagnostic>) {
    match &t.kind {
        TermKind::Function { name, args, external: false } if args.iter().all(Vec::is_empty) => {
            found.extend(Some(symbols.str(*name)).filter(|n| is_quoted(n)).map(|n| quoted(n, t.span)));
        }
        TermKind::Symbol(s) => {
            if let SymView::Fun { name, args, .. } = symbols.view(*s)
                && args.is_empty()
            {
                found.extend(Some(symbols.str(name)).filter(|n| is_quoted(n)).map(|n| quoted(n, t.span)));
            }
        }
        TermKind::Binary(BinaryOp::Xor, base, exponent)
            if matches!(base.kind, TermKind::Variable(_))
                && matches!(number(exponent, symbols), Some(2 | 3)) =>
        {
            let (base, exponent) = (print::plain_term(base, symbols), print::plain_term(exponent, symbols));
            let text = "`^` is the exclusive or of the bits of two numbers";
            let told = Diagnostic::warning(NO_FUNCTION, t.span, text);
            found.push(told.help(format!("a power is written `{base}**{exponent}`")));
        }
        _ => {}
    }
}

/// Whether single quotes stand around a name.
pub(super) fn is_quoted(name: &str) -> bool {
    name.len() > 2 && name.starts_with('\'') && name.ends_with('\'')
}

/// The warning about a name in single quotes.
pub(super) fn quoted(name: &str, span: Span) -> Diagnostic {
    let inner = name.trim_matches('\'');
    let told = Diagnostic::warning(QUOTED_NAME, span, "these quotes belong to the name");
    told.help(format!("write `{inner}` or `\"{inner}\"`; `{inner}` and `{name}` are two names"))
}

fn number(t: &Term, symbols: &Symbols) -> Option<i64> {
    match &t.kind {
        TermKind::Symbol(s) => symbols.as_num(*s),
        _ => None,
    }
}

/// `day(1-7)`
fn subtraction(t: &Term, symbols: &Symbols) -> Option<Diagnostic> {
    let TermKind::Binary(BinaryOp::Sub, a, b) = &t.kind else { return None };
    dash(number(a, symbols)?, number(b, symbols)?, t.span)
}

/// A difference of two numbers that were meant as the ends of an interval.
pub(super) fn dash(a: i64, b: i64, span: Span) -> Option<Diagnostic> {
    let told =
        Diagnostic::warning(INTERVAL_DASH, span, format!("`{a}-{b}` is the number {}", a.checked_sub(b)?));
    (0 <= a && a < b).then(|| told.help(format!("an interval is written `{a}..{b}`")))
}

/// A constant subtracted from 0 or 1, as in `1-n` where `1..n` is meant; a small one may be counted down or exchanged with the other.
fn named_dash(t: &Term, known: &Known<'_>, symbols: &Symbols) -> Option<Diagnostic> {
    let TermKind::Binary(BinaryOp::Sub, a, b) = &t.kind else { return None };
    let first = number(a, symbols).filter(|first| matches!(first, 0 | 1))?;
    let TermKind::Function { name, args, external: false } = &b.kind else { return None };
    let value = known.constants.iter().find(|c| c.0 == *name).and_then(|c| symbols.as_num(c.1));
    if value.is_none_or(|value| value < 2) || !args.iter().all(Vec::is_empty) {
        return None;
    }
    let name = symbols.str(*name);
    let told = Diagnostic::warning(INTERVAL_DASH, t.span, format!("`{first}-{name}` is one number"));
    Some(told.help(format!("an interval is written `{first}..{name}`")))
}

/// `row(1-n).`, the only argument.
fn dash_in_fact(literal: &Literal, known: &Known<'_>, symbols: &Symbols) -> Option<Diagnostic> {
    let LiteralKind::Atom(atom) = &literal.kind else { return None };
    let [list] = &atom.args[..] else { return None };
    let [only] = &list[..] else { return None };
    named_dash(only, known, symbols)
}

/// `R = 1-n`, where nothing else says what `R` is, and nothing computes with it.
fn dash_of_domain(
    literal: &Literal,
    all: &[&Literal],
    head: Span,
    known: &Known<'_>,
    symbols: &Symbols,
) -> Option<Diagnostic> {
    let LiteralKind::Comparison(left, rest) = &literal.kind else { return None };
    let ([(Relation::Equal, right)], Sign::None) = (&rest[..], literal.sign) else { return None };
    let TermKind::Variable(name) = left.kind else { return None };
    let told = named_dash(right, known, symbols)?;
    let computes = |l: &&Literal| {
        let is_comparison = matches!(l.kind, LiteralKind::Comparison(..));
        let has = |t: &Term| t.variables().any(|(other, _)| other == name);
        l.span != literal.span
            && l.terms().any(|t| has(t) && (is_comparison || !matches!(t.kind, TermKind::Variable(_))))
    };
    let others = all.iter().copied().filter(|other| other.span != head);
    (!bound(others).contains(&name) && !all.iter().any(computes)).then_some(told)
}

/// `n = 6.`
fn definition(literal: &Literal, known: &Known<'_>, symbols: &Symbols) -> Option<Diagnostic> {
    let LiteralKind::Comparison(left, rest) = &literal.kind else { return None };
    let ([(Relation::Equal, right)], Sign::None) = (&rest[..], literal.sign) else { return None };
    let TermKind::Function { name, args, external: false } = &left.kind else { return None };
    if !args.iter().all(Vec::is_empty) || (known.is_constant)(*name) {
        return None;
    }
    let value = match &right.kind {
        TermKind::Symbol(_) => print::plain_term(right, symbols),
        TermKind::Function { args, external: false, name: other }
            if other != name && args.iter().all(Vec::is_empty) =>
        {
            print::plain_term(right, symbols)
        }
        _ => return None,
    };
    let name = symbols.str(*name);
    let text = format!(
        "this compares the name `{name}` with `{value}` and is false, so that there is no answer set"
    );
    let told = Diagnostic::warning(NEVER_HOLDS, literal.span, text);
    Some(told.help(format!("a constant is defined by `#const {name} = {value}.`")))
}

/// The variables that atoms of a body bind.
fn bound<'a>(literals: impl Iterator<Item = &'a Literal>) -> Vec<StrId> {
    let atoms = literals.filter(|l| l.sign == Sign::None && matches!(l.kind, LiteralKind::Atom(_)));
    atoms.flat_map(|l| l.terms()).flat_map(|t| t.variables().map(|(name, _)| name)).collect()
}

/// A choice of one atom that its bounds leave no choice, or that they do not bound.
fn choice_of_one(
    guards: &Guards,
    elements: &[ConditionalLiteral],
    body: &[BodyElement],
    span: Span,
    symbols: &Symbols,
) -> Option<Diagnostic> {
    let [element] = elements else { return None };
    let LiteralKind::Atom(atom) = &element.literal.kind else { return None };
    let [list] = &atom.args[..] else { return None };
    let is_plain = |t: &Term| {
        t.walk().all(|t| {
            !matches!(
                t.kind,
                TermKind::Interval(..) | TermKind::Pool(_) | TermKind::Anonymous | TermKind::Value { .. }
            ) && !matches!(&t.kind, TermKind::Function { args, .. } if args.len() > 1)
        })
    };
    let literals = || {
        body.iter().filter(|e| matches!(e.kind, BodyElementKind::Literal(_))).flat_map(BodyElement::literals)
    };
    let bound = bound(literals());
    let terms = || element.condition.iter().flat_map(|l| l.terms()).chain(list);
    let variables = || terms().flat_map(|t| t.variables().map(|(name, _)| name));
    if list.is_empty() || variables().next().is_none() || !terms().all(is_plain) {
        return None;
    }
    let is_repeated = !element.condition.is_empty();
    if is_repeated && !variables().all(|v| bound.contains(&v)) {
        return None;
    }
    let left = guards.left.iter().map(|(t, relation)| (relation.flip(), t));
    let (mut least, mut most) = (None, None);
    for (relation, t) in left.chain(guards.right.iter().map(|(relation, t)| (*relation, t))) {
        let n = number(t, symbols)?;
        match relation {
            Relation::Equal => (least, most) = (Some(n), Some(n)),
            Relation::GreaterEqual => least = Some(n),
            Relation::LessEqual => most = Some(n),
            _ => return None,
        }
    }
    let text = match (least, most) {
        (Some(1), None | Some(1..)) => "this is a choice among one atom, of which one holds: it holds always",
        (None | Some(..=0), Some(1..)) => {
            "this bounds a choice among one atom, of which there are never more"
        }
        _ => return None,
    };
    let told = Diagnostic::warning(CHOICE_OF_ONE, span, text);
    let written = print::plain_literal(&element.literal, symbols);
    Some(told.help(match is_repeated {
        true => "the body binds all variables of the element, and there is a choice for each of their values: leave the \
                 condition out of the body"
            .to_string(),
        false => format!(
            "there is a choice for each instance of the body; what is chosen from stands in the braces: `{{ {written} : ... }}`"
        ),
    }))
}

/// `X != (1;2)`
fn differs_from_pool(literal: &Literal, known: &Known<'_>, symbols: &Symbols) -> Option<Diagnostic> {
    let LiteralKind::Comparison(left, rest) = &literal.kind else { return None };
    let [(relation, right)] = &rest[..] else { return None };
    let differs =
        matches!((literal.sign, relation), (Sign::None, Relation::NotEqual) | (Sign::Not, Relation::Equal));
    let (TermKind::Variable(_), TermKind::Pool(values)) = (&left.kind, &right.kind) else { return None };
    let is_value = |t: &&Term| match &t.kind {
        TermKind::Symbol(_) => true,
        TermKind::Function { name, args, external: false } => {
            args.iter().all(Vec::is_empty) && !(known.is_constant)(*name)
        }
        _ => false,
    };
    let values: Vec<String> = values.iter().filter(is_value).map(|t| print::plain_term(t, symbols)).collect();
    if !differs || !values.iter().any(|v| *v != values[0]) {
        return None;
    }
    let left = print::plain_term(left, symbols);
    let all: Vec<String> = values.iter().map(|v| format!("{left} != {v}")).collect();
    let text = "this always holds: the pool stands for one of its values, and one of them is another";
    let told = Diagnostic::warning(ALWAYS_HOLDS, literal.span, text);
    Some(told.help(format!("to exclude all of them, write `{}`", all.join(", "))))
}

/// `X != 1..4`
fn differs_from_interval(literal: &Literal, symbols: &Symbols) -> Option<Diagnostic> {
    let LiteralKind::Comparison(left, rest) = &literal.kind else { return None };
    let [(relation, right)] = &rest[..] else { return None };
    let differs =
        matches!((literal.sign, relation), (Sign::None, Relation::NotEqual) | (Sign::Not, Relation::Equal));
    let (TermKind::Variable(_), TermKind::Interval(lo, hi)) = (&left.kind, &right.kind) else { return None };
    if !differs || number(lo, symbols)? >= number(hi, symbols)? {
        return None;
    }
    let [left, lo, hi] = [left, &**lo, &**hi].map(|t| print::plain_term(t, symbols));
    let text = "this always holds: the interval stands for one of its values, and one of them is another";
    let told = Diagnostic::warning(ALWAYS_HOLDS, literal.span, text);
    Some(told.help(format!("to exclude all of them, write `not {lo} <= {left} <= {hi}`")))
}

/// `X != Y != Z`, where nothing says that `X != Z`.
fn unequal_chain(literal: &Literal, compared: &[&Literal], symbols: &Symbols) -> Option<Diagnostic> {
    let LiteralKind::Comparison(first, rest) = &literal.kind else { return None };
    let (Sign::None, [(Relation::NotEqual, middle), (Relation::NotEqual, last)]) = (literal.sign, &rest[..])
    else {
        return None;
    };
    let is_variable = |t: &Term| matches!(t.kind, TermKind::Variable(_));
    let [a, b, c] = [first, middle, last].map(|t| print::plain_term(t, symbols));
    let says_more = |l: &&Literal| {
        let LiteralKind::Comparison(s, rest) = &l.kind else { return false };
        let terms = std::iter::once(s).chain(rest.iter().map(|(_, t)| t));
        let terms: Vec<String> = terms.map(|t| print::plain_term(t, symbols)).collect();
        terms.windows(2).any(|pair| pair.contains(&a) && pair.contains(&c))
    };
    if a == c || ![first, middle, last].into_iter().all(is_variable) || compared.iter().any(says_more) {
        return None;
    }
    let told =
        Diagnostic::warning(UNEQUAL_CHAIN, literal.span, format!("`{a}` and `{c}` are not compared here"));
    Some(told.help(format!("for three different values, write `{a} != {b}, {b} != {c}, {a} != {c}`")))
}
