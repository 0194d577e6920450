//! An objective that is least where nothing is chosen, as nothing in the program asks for what it counts.
//!
//! Invariant: it is told only if the answer set in which no choice is made violates nothing: what depends on choices occurs in bodies
//! without negation, and in aggregates only under bounds that more of it meets. That weights and bounds of sums are not negative, the
//! caller sees to.

use asp_base::map::Set;
use asp_base::signature::Signature;
use asp_base::span::Span;
use asp_base::symbol::{StrId, Symbols};
use asp_syntax::ast::*;

/// How many statements are looked at: those of a program written by hand.
const MAX_STATEMENTS: usize = 1000;

/// The first objective that counts what is chosen, and a predicate of choices; `opposed` are the names of atoms that are denied with `-`.
pub fn objective<'a>(
    statements: impl Iterator<Item = &'a Statement> + Clone,
    opposed: Set<StrId>,
    symbols: &Symbols,
) -> Option<(Span, Signature)> {
    if statements.clone().count() > MAX_STATEMENTS {
        return None;
    }
    // A total that is only shown asks for nothing.
    let mut read: Set<StrId> = statements.clone().flat_map(self::read).collect();
    read.extend(opposed);
    let is_total = |e: &BodyElement| matches!(e.kind, BodyElementKind::Aggregate { sign: Sign::None, .. });
    let tells = |s: &&Statement| match &s.kind {
        StatementKind::Rule { head: Head { kind: HeadKind::Literal(l), .. }, body } => match &l.kind {
            LiteralKind::Atom(atom) => {
                let is_plain = l.sign == Sign::None && !atom.negative && !read.contains(&atom.name);
                is_plain
                    && body.iter().any(is_total)
                    && body.iter().flat_map(BodyElement::literals).all(|l| l.sign == Sign::None)
            }
            _ => false,
        },
        _ => false,
    };
    let statements = statements.filter(|s| !tells(s));
    let mut chosen: Vec<Signature> = Vec::new();
    for statement in statements.clone() {
        match &statement.kind {
            StatementKind::Rule { head, .. } => match &head.kind {
                HeadKind::Literal(_) => {}
                HeadKind::Choice { guards, elements } if allows_none(guards, symbols) => {
                    chosen.extend(elements.iter().flat_map(|e| signatures(&e.literal)));
                }
                _ => return None,
            },
            StatementKind::External { .. } | StatementKind::Edge { .. } | StatementKind::Script { .. } => {
                return None;
            }
            StatementKind::Minimize { maximize: true, .. } => return None,
            _ => {}
        }
    }
    let depending = depending(statements.clone(), &chosen);
    let depends = |l: &Literal| signatures(l).any(|s| depending.contains(&s));
    let asks = |l: &Literal| l.sign != Sign::None && depends(l);
    let (mut found, mut is_read) = (None, false);
    let (all, mut counted) = (statements.clone(), Vec::new());
    for statement in statements {
        match &statement.kind {
            StatementKind::Rule { head, body } => {
                let is_constraint = matches!(&head.kind, HeadKind::Literal(l) if matches!(l.kind, LiteralKind::Boolean(false)));
                is_read |= is_constraint && body.iter().flat_map(BodyElement::literals).any(depends);
                let conditions = head.derived().flat_map(|(_, condition)| condition);
                let denies = |l: &Literal| l.sign != Sign::None && !matches!(l.kind, LiteralKind::Boolean(_));
                let asked = head.derived().any(|(l, _)| denies(l)) || conditions.into_iter().any(asks);
                if asked || body.iter().any(|e| e.literals().any(depends) && !grows(e, &asks, symbols)) {
                    return None;
                }
            }
            StatementKind::Minimize { weight, body, .. } => {
                if is_negative(weight, symbols)
                    || body.iter().any(|e| !matches!(e.kind, BodyElementKind::Literal(_)))
                {
                    return None;
                }
                if body.iter().flat_map(BodyElement::literals).any(asks) {
                    return None;
                }
                if body.iter().flat_map(BodyElement::literals).any(depends) {
                    counted.extend(body.iter().flat_map(BodyElement::literals).flat_map(signatures));
                    let is_of_data = number(weight, symbols).is_none() && body.len() > 1;
                    let (place, is_any) = found.unwrap_or((statement.span, false));
                    found = Some((place, is_any || is_of_data));
                }
            }
            _ => {}
        }
    }
    // Programs that try out a statement have neither constraints nor weights in their data.
    let (place, is_of_data) = found?;
    let counted: Set<Signature> = counted.into_iter().collect();
    let leads = |own: &&Signature| !counted.is_disjoint(&self::depending(all.clone(), &[**own]));
    let named = chosen.iter().find(|own| counted.contains(*own)).or_else(|| chosen.iter().find(leads));
    (is_of_data || is_read).then_some((place, *named?))
}

/// The names that a statement reads, and those that it denies.
fn read(statement: &Statement) -> Vec<StrId> {
    let parts = statement.kind.parts();
    let head = parts.head.into_iter();
    let denied = head.clone().flat_map(|h| h.derived()).map(|(l, _)| l);
    let denied = denied.filter(|l| l.sign != Sign::None || signatures(l).any(|s| s.negative));
    let conditions =
        head.flat_map(|h| h.derived().flat_map(|(_, condition)| condition).chain(h.conditions()));
    let body = parts.body.iter().flat_map(BodyElement::literals);
    let names = denied.chain(conditions).chain(body).flat_map(signatures).map(|s| s.name);
    names.chain(parts.atom.map(|atom| atom.name)).collect()
}

/// The signatures of a literal's atom.
fn signatures(literal: &Literal) -> impl Iterator<Item = Signature> {
    let atom = match &literal.kind {
        LiteralKind::Atom(atom) => Some(atom),
        _ => None,
    };
    let of = |atom: &Atom| {
        let (name, negative) = (atom.name, atom.negative);
        atom.args
            .iter()
            .map(|args| Signature { name, arity: args.len() as u32, negative })
            .collect::<Vec<_>>()
    };
    atom.map(of).into_iter().flatten()
}

/// What is chosen and what rules derive of it.
fn depending<'a>(
    statements: impl Iterator<Item = &'a Statement> + Clone,
    chosen: &[Signature],
) -> Set<Signature> {
    let mut depending: Set<Signature> = chosen.iter().copied().collect();
    loop {
        let before = depending.len();
        for statement in statements.clone() {
            let StatementKind::Rule { head, body } = &statement.kind else { continue };
            let conditions = head.derived().flat_map(|(_, condition)| condition);
            let mut read = body.iter().flat_map(BodyElement::literals).chain(conditions);
            if read.any(|l| signatures(l).any(|s| depending.contains(&s))) {
                depending.extend(head.derived().flat_map(|(l, _)| signatures(l)));
            }
        }
        if depending.len() == before {
            return depending;
        }
    }
}

/// Whether an element of a body that reads what depends on choices fails without them and holds with enough of them.
fn grows(element: &BodyElement, asks: &impl Fn(&Literal) -> bool, symbols: &Symbols) -> bool {
    let (sign, guards) = match &element.kind {
        BodyElementKind::Literal(l) => return !asks(l),
        BodyElementKind::SetAggregate { sign, guards, elements } => {
            if elements.iter().any(|e| asks(&e.literal) || e.condition.iter().any(asks)) {
                return false;
            }
            (sign, guards)
        }
        BodyElementKind::Aggregate { sign, function, guards, elements } => {
            let is_sum = matches!(function, AggregateFunction::Sum | AggregateFunction::SumPlus);
            let shrinks =
                |e: &BodyAggregateElement| is_sum && e.tuple.first().is_some_and(|w| is_negative(w, symbols));
            if !is_sum && *function != AggregateFunction::Count
                || elements.iter().any(|e| shrinks(e) || e.condition.iter().any(asks))
            {
                return false;
            }
            (sign, guards)
        }
        _ => return false,
    };
    // `n < {...}`, `{...} > n`
    let beyond = |relation: Relation, t: &Term| match number(t, symbols) {
        Some(n) => n >= i64::from(relation == Relation::GreaterEqual),
        None => matches!(t.kind, TermKind::Function { .. } | TermKind::Variable(_)),
    };
    let is_above = |relation: Relation, t: &Term| {
        matches!(relation, Relation::Greater | Relation::GreaterEqual) && beyond(relation, t)
    };
    let left = guards.left.as_ref().map(|(t, relation)| is_above(relation.flip(), t));
    let right = guards.right.as_ref().map(|(relation, t)| is_above(*relation, t));
    *sign == Sign::None && (left.is_some() || right.is_some()) && left != Some(false) && right != Some(false)
}

/// Whether bounds of a choice let none be chosen.
fn allows_none(guards: &Guards, symbols: &Symbols) -> bool {
    let allows = |relation: Relation, t: &Term| match (relation, number(t, symbols)) {
        (Relation::LessEqual | Relation::Less, _) => true,
        (Relation::GreaterEqual, Some(n)) => n <= 0,
        _ => false,
    };
    guards.left.as_ref().is_none_or(|(t, relation)| allows(relation.flip(), t))
        && guards.right.as_ref().is_none_or(|(relation, t)| allows(*relation, t))
}

fn number(term: &Term, symbols: &Symbols) -> Option<i64> {
    match &term.kind {
        TermKind::Symbol(s) => symbols.as_num(*s),
        _ => None,
    }
}

fn is_negative(term: &Term, symbols: &Symbols) -> bool {
    matches!(term.kind, TermKind::Unary(UnaryOp::Minus, _)) || number(term, symbols).is_some_and(|n| n < 0)
}
