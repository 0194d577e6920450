//! Rules in which `X != Y` finds each pair twice.
//!
//! If exchanging variables in pairs maps a rule to itself and takes the left side of `X != Y` to the right one, then
//! its instances with `X > Y` repeat those with `X < Y`, and writing `X < Y` halves them. Invariant: the exchange is
//! checked on the whole rule, up to the order of commutative parts.

use asp_base::map::Map;
use asp_base::span::Span;
use asp_base::symbol::{StrId, Symbols};
use asp_syntax::ast::*;
use asp_syntax::print;

/// If there are more other variables than this, not all pairings are tried.
const MAX_VARIABLES: usize = 6;

/// Which variable each variable becomes; those that are missing stay.
type Exchange = Map<StrId, StrId>;

/// The span between the sides of the first comparison `X != Y` that may be written `X < Y`. Only the first: changing it
/// changes the rule.
pub fn symmetric_inequality(statement: &Statement, symbols: &Symbols) -> Option<Span> {
    let StatementKind::Rule { head, body } = &statement.kind else { return None };
    let HeadKind::Literal(head) = &head.kind else { return None };
    let mut literals = Vec::with_capacity(body.len());
    for element in body {
        let BodyElementKind::Literal(literal) = &element.kind else { return None };
        literals.push(literal);
    }
    let mut names = Vec::new();
    for literal in &literals {
        let Some((left, right)) = inequality(literal) else { continue };
        let mut exchange = Exchange::default();
        if !pair(left, right, &mut exchange) {
            continue;
        }
        if names.is_empty() {
            let terms = literals.iter().copied().chain([head]).flat_map(Literal::terms);
            for (name, _) in terms.flat_map(Term::variables) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        let others: Vec<StrId> = names.iter().copied().filter(|n| !exchange.contains_key(n)).collect();
        if others.len() > MAX_VARIABLES {
            continue;
        }
        let maps = |exchange: &Exchange| {
            let text = |e: &Exchange| {
                let mut texts: Vec<String> = literals.iter().map(|l| canonical(l, e, symbols)).collect();
                texts.sort();
                texts
            };
            let none = Exchange::default();
            canonical(head, exchange, symbols) == canonical(head, &none, symbols)
                && text(exchange) == text(&none)
        };
        if pairings(&others, &mut exchange, &maps) {
            return Some(Span::new(left.span.hi, right.span.lo));
        }
    }
    None
}

/// The sides of `X != Y`.
fn inequality(literal: &Literal) -> Option<(&Term, &Term)> {
    match &literal.kind {
        LiteralKind::Comparison(left, rest) if literal.sign == Sign::None => match &rest[..] {
            [(Relation::NotEqual, right)] => Some((left, right)),
            _ => None,
        },
        _ => None,
    }
}

/// Notes the exchange of two variables, or of two tuples of variables, part by part.
fn pair(left: &Term, right: &Term, exchange: &mut Exchange) -> bool {
    match (&left.kind, &right.kind) {
        (TermKind::Variable(x), TermKind::Variable(y)) => {
            let known = [(x, y), (y, x)].iter().any(|(a, b)| exchange.get(*a).is_some_and(|c| c != *b));
            exchange.insert(*x, *y);
            exchange.insert(*y, *x);
            !known && x != y
        }
        (TermKind::Tuple(xs), TermKind::Tuple(ys)) => {
            xs.len() == ys.len()
                && xs
                    .iter()
                    .zip(ys)
                    .all(|(x, y)| matches!(x.kind, TermKind::Variable(_)) && pair(x, y, exchange))
        }
        _ => false,
    }
}

/// Whether the exchange, with some pairing of the other variables, satisfies `wanted`.
fn pairings(others: &[StrId], exchange: &mut Exchange, wanted: &dyn Fn(&Exchange) -> bool) -> bool {
    let Some((&first, rest)) = others.split_first() else { return wanted(exchange) };
    for (i, &partner) in rest.iter().enumerate() {
        let mut left = rest.to_vec();
        left.remove(i);
        exchange.insert(first, partner);
        exchange.insert(partner, first);
        if pairings(&left, exchange, wanted) {
            return true;
        }
        exchange.remove(&first);
        exchange.remove(&partner);
    }
    pairings(rest, exchange, wanted)
}

/// A literal after an exchange, written the same way whatever the order of its commutative parts.
fn canonical(literal: &Literal, exchange: &Exchange, symbols: &Symbols) -> String {
    let write = |t: &Term| term(t, exchange, symbols);
    let inner = match &literal.kind {
        LiteralKind::Boolean(value) => format!("#{value}"),
        LiteralKind::Atom(atom) => {
            let sign = if atom.negative { "-" } else { "" };
            format!("{sign}{}({})", symbols.str(atom.name), lists(&atom.args, exchange, symbols))
        }
        LiteralKind::Comparison(left, rest) => match &rest[..] {
            [(relation, right)] => {
                let (l, r) = (write(left), write(right));
                let turned = match relation {
                    Relation::Equal | Relation::NotEqual => r < l,
                    Relation::Greater | Relation::GreaterEqual => true,
                    Relation::Less | Relation::LessEqual => false,
                };
                let (l, relation, r) = if turned { (r, relation.flip(), l) } else { (l, *relation, r) };
                format!("{l} {} {r}", relation.as_str())
            }
            _ => {
                let rest = rest.iter().map(|(relation, t)| format!(" {} {}", relation.as_str(), write(t)));
                format!("{}{}", write(left), rest.collect::<String>())
            }
        },
    };
    format!("{:?} {inner}", literal.sign)
}

fn lists(lists: &[Vec<Term>], exchange: &Exchange, symbols: &Symbols) -> String {
    let list = |ts: &Vec<Term>| joined(ts, ",", exchange, symbols);
    lists.iter().map(list).collect::<Vec<_>>().join(";")
}

fn joined(ts: &[Term], separator: &str, exchange: &Exchange, symbols: &Symbols) -> String {
    ts.iter().map(|t| term(t, exchange, symbols)).collect::<Vec<_>>().join(separator)
}

fn term(t: &Term, exchange: &Exchange, symbols: &Symbols) -> String {
    let write = |t: &Term| term(t, exchange, symbols);
    let sorted = |s: &Term, t: &Term| {
        let mut sides = [write(s), write(t)];
        sides.sort();
        sides
    };
    match &t.kind {
        TermKind::Symbol(_) | TermKind::Anonymous => print::term(t, symbols),
        TermKind::Variable(name) => symbols.str(*exchange.get(name).unwrap_or(name)).to_string(),
        TermKind::Unary(op, t) => format!("{op:?}({})", write(t)),
        TermKind::Absolute(ts) => match &ts[..] {
            // |X-Y| is |Y-X|.
            [Term { kind: TermKind::Binary(BinaryOp::Sub, s, t), .. }] => {
                format!("|{}|", sorted(s, t).join("-"))
            }
            _ => format!("|{}|", joined(ts, ";", exchange, symbols)),
        },
        TermKind::Binary(op, s, t) => {
            use BinaryOp::{Add, And, Mul, Or, Xor};
            let [s, t] = match op {
                Add | Mul | And | Or | Xor => sorted(s, t),
                _ => [write(s), write(t)],
            };
            format!("{op:?}({s},{t})")
        }
        TermKind::Interval(s, t) => format!("({}..{})", write(s), write(t)),
        TermKind::Function { name, args, external } => {
            let at = if *external { "@" } else { "" };
            format!("{at}{}({})", symbols.str(*name), lists(args, exchange, symbols))
        }
        TermKind::Value { name, args } => {
            format!("${}({})", symbols.str(*name), lists(args, exchange, symbols))
        }
        TermKind::Tuple(ts) => format!("({},)", joined(ts, ",", exchange, symbols)),
        TermKind::Pool(ts) => format!("({})", joined(ts, ";", exchange, symbols)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use asp_base::span::Sources;
    use asp_syntax::{Input, NoFiles, parse};

    #[track_caller]
    fn check(text: &str, wanted: bool) {
        let (mut symbols, mut sources) = (Symbols::new(), Sources::new());
        let parsed = parse(vec![Input::new("t", text)], &mut symbols, &mut sources, &mut NoFiles);
        let found = symmetric_inequality(&parsed.program.statements[0], &symbols);
        assert_eq!(found.is_some(), wanted, "{text}");
        if let Some(span) = found {
            assert_eq!(sources.text(span).trim(), "!=");
        }
    }

    #[test]
    fn pairs_that_are_found_twice() {
        check(":- p(X), p(Y), X != Y.", true);
        check(":- p(R,X), p(R,Y), X != Y.", true);
        check(":- queen(R,C), queen(S,D), R != S, |R-S| = |C-D|.", true);
        check(":- q(R,C), q(S,D), (R,C) != (S,D), R+C = D+S.", true);
        check("clash :- p(X), p(Y), X != Y, not q(X), not q(Y).", true);
        check(":- p(X), p(Y), p(Z), X != Y, Y != Z, X != Z.", true);
    }

    #[test]
    fn pairs_that_differ() {
        check(":- p(X), q(Y), X != Y.", false);
        check("r(X) :- p(X), p(Y), X != Y.", false);
        check(":- p(X), p(Y), p(Z), X < Y, Y != Z.", false);
        check(":- p(X), p(Y), X != Y, X-Y = 3.", false);
        check(":- p(X), p(Y), X != Y, not q(X).", false);
        check(":- p(X), p(Y), not X != Y.", false);
        check(":- p(X), p(Y), X != Y+1.", false);
        check(":- p(X,Y), X != Y.", false);
        check(":- p(X), p(Y), X != Y, #count { Z : r(X,Z) } > 1.", false);
    }
}
