//! Pools removed: `p(1;2)` stands for each of its members.
//!
//! Where a pool stands decides what "each" means: in a body literal, a plain head, a guard or a directive it makes
//! several statements; in an element of an aggregate or choice several elements; in the head of a body's conditional
//! literal a disjunction. [`unpool_statement`] handles the first case; `translate` calls [`literal`], [`literals`] and
//! [`terms`] for the others. A negated chain of comparisons is a disjunction, so it is a pool of negated comparisons.

use asp_base::map::Set;
use asp_base::symbol::{Sym, Symbols};
use asp_syntax::ast::*;
use asp_syntax::print;

/// All ways to choose one value from each list.
fn product<T: Clone>(lists: Vec<Vec<T>>) -> Vec<Vec<T>> {
    let mut out = vec![Vec::with_capacity(lists.len())];
    for list in lists {
        if let [one] = &list[..] {
            out.iter_mut().for_each(|row| row.push(one.clone()));
        } else {
            out = out
                .iter()
                .flat_map(|row| list.iter().map(move |x| row.iter().cloned().chain([x.clone()]).collect()))
                .collect();
        }
    }
    out
}

pub(crate) fn has_pool(t: &Term) -> bool {
    t.walk().any(|t| match &t.kind {
        TermKind::Absolute(ts) => ts.len() > 1,
        TermKind::Function { args, .. } | TermKind::Value { args, .. } => args.len() > 1,
        TermKind::Pool(_) => true,
        _ => false,
    })
}

/// Whether a term contains an interval or a call.
pub(crate) fn has_interval(t: &Term) -> bool {
    t.walk().any(|t| matches!(t.kind, TermKind::Interval(..) | TermKind::Function { external: true, .. }))
}

/// The members of a term.
pub(crate) fn term(t: &Term) -> Vec<Term> {
    if !has_pool(t) {
        return vec![t.clone()];
    }
    let with = |kind| Term { kind, span: t.span, depth: t.depth };
    match &t.kind {
        TermKind::Symbol(_) | TermKind::Variable(_) | TermKind::Anonymous => vec![t.clone()],
        TermKind::Unary(op, a) => {
            term(a).into_iter().map(|a| with(TermKind::Unary(*op, Box::new(a)))).collect()
        }
        TermKind::Absolute(ts) => {
            ts.iter().flat_map(term).map(|a| with(TermKind::Absolute(vec![a]))).collect()
        }
        TermKind::Binary(op, a, b) => pairs(a, b, |a, b| with(TermKind::Binary(*op, a, b))),
        TermKind::Interval(a, b) => pairs(a, b, |a, b| with(TermKind::Interval(a, b))),
        TermKind::Function { name, args, external } => args
            .iter()
            .flat_map(|list| terms(list))
            .map(|list| with(TermKind::Function { name: *name, args: vec![list], external: *external }))
            .collect(),
        TermKind::Value { name, args } => args
            .iter()
            .flat_map(|list| terms(list))
            .map(|list| with(TermKind::Value { name: *name, args: vec![list] }))
            .collect(),
        TermKind::Tuple(ts) => terms(ts).into_iter().map(|ts| with(TermKind::Tuple(ts))).collect(),
        TermKind::Pool(ts) => ts.iter().flat_map(term).collect(),
    }
}

fn pairs(a: &Term, b: &Term, make: impl Fn(Box<Term>, Box<Term>) -> Term) -> Vec<Term> {
    let right = term(b);
    term(a)
        .into_iter()
        .flat_map(|a| right.iter().map(move |b| (a.clone(), b.clone())))
        .map(|(a, b)| make(Box::new(a), Box::new(b)))
        .collect()
}

/// The members of a list of terms.
pub(crate) fn terms(ts: &[Term]) -> Vec<Vec<Term>> {
    product(ts.iter().map(term).collect())
}

/// The members of an atom.
pub(crate) fn atom(a: &Atom) -> Vec<Atom> {
    a.args
        .iter()
        .flat_map(|list| terms(list))
        .map(|list| Atom { name: a.name, args: vec![list], negative: a.negative, span: a.span })
        .collect()
}

/// The members of a literal; those of a negated chain of comparisons are its negated links.
pub(crate) fn literal(l: &Literal) -> Vec<Literal> {
    let with = |sign, kind| Literal { sign, kind, span: l.span };
    match &l.kind {
        LiteralKind::Boolean(_) => vec![l.clone()],
        LiteralKind::Atom(a) => atom(a).into_iter().map(|a| with(l.sign, LiteralKind::Atom(a))).collect(),
        LiteralKind::Comparison(_, rest) => {
            let all: Vec<Term> = l.terms().cloned().collect();
            terms(&all)
                .into_iter()
                .flat_map(|row| {
                    let links = rest.iter().zip(row.windows(2));
                    if l.sign == Sign::Not {
                        links
                            .enumerate()
                            .map(|(i, ((rel, _), pair))| {
                                let mut rest = vec![(rel.negate(), pair[1].clone())];
                                // Intervals and calls are literals beside the whole chain: where they have no value, no
                                // link holds. `#inf <= t` requires a value and nothing else.
                                let others = row.iter().enumerate().filter(|(k, _)| *k != i && *k != i + 1);
                                for (_, other) in others.filter(|(_, t)| has_interval(t)) {
                                    let least = TermKind::Symbol(Sym::INF);
                                    let least = Term { kind: least, span: other.span, depth: 1 };
                                    rest.push((Relation::GreaterEqual, least));
                                    rest.push((Relation::LessEqual, other.clone()));
                                }
                                with(Sign::None, LiteralKind::Comparison(pair[0].clone(), rest))
                            })
                            .collect::<Vec<_>>()
                    } else {
                        let rest = links.map(|((rel, _), pair)| (*rel, pair[1].clone())).collect();
                        vec![with(l.sign, LiteralKind::Comparison(row[0].clone(), rest))]
                    }
                })
                .collect()
        }
    }
}

/// How many alternatives of [`literal`] come from one literal: the links of a negated chain of comparisons.
pub(crate) fn links(l: &Literal) -> usize {
    match &l.kind {
        LiteralKind::Comparison(_, rest) if l.sign == Sign::Not => rest.len(),
        _ => 1,
    }
}

/// The members of a literal; a negated chain of comparisons is kept in one piece.
pub(crate) fn whole_literal(l: &Literal) -> Vec<Literal> {
    let LiteralKind::Comparison(_, rest) = &l.kind else { return literal(l) };
    let all: Vec<Term> = l.terms().cloned().collect();
    terms(&all)
        .into_iter()
        .map(|mut row| {
            let rest = rest.iter().map(|(r, _)| *r).zip(row.split_off(1)).collect();
            let kind = LiteralKind::Comparison(row.swap_remove(0), rest);
            Literal { sign: l.sign, kind, span: l.span }
        })
        .collect()
}

/// The members of a list of literals.
pub(crate) fn literals(ls: &[Literal]) -> Vec<Vec<Literal>> {
    product(ls.iter().map(literal).collect())
}

/// The members of an element's condition, each with the number of its element: the alternatives of a negated chain of comparisons
/// have one, and those of a pool one each. And how many elements there are.
pub(crate) fn conditions(ls: &[Literal]) -> (usize, Vec<(usize, Vec<Literal>)>) {
    let mut number = 1;
    let members = |l: &Literal| {
        let links = links(l);
        let all = literal(l);
        let (of_pool, own) = (number, all.len() / links);
        number *= own;
        all.into_iter().enumerate().map(|(i, l)| (i / links * of_pool, l)).collect()
    };
    let rows = product(ls.iter().map(members).collect());
    let numbered = rows.into_iter().map(|row: Vec<(usize, Literal)>| {
        let (numbers, literals): (Vec<usize>, Vec<Literal>) = row.into_iter().unzip();
        (numbers.iter().sum(), literals)
    });
    let numbered = numbered.collect();
    (number, numbered)
}

fn guards(g: &Guards) -> Vec<Guards> {
    let left: Vec<Option<(Term, Relation)>> = match &g.left {
        None => vec![None],
        Some((t, r)) => term(t).into_iter().map(|t| Some((t, *r))).collect(),
    };
    let right: Vec<Option<(Relation, Term)>> = match &g.right {
        None => vec![None],
        Some((r, t)) => term(t).into_iter().map(|t| Some((*r, t))).collect(),
    };
    left.into_iter()
        .flat_map(|left| right.iter().map(move |right| Guards { left: left.clone(), right: right.clone() }))
        .collect()
}

fn body_element(e: &BodyElement) -> Vec<BodyElement> {
    let with = |kind| BodyElement { kind, span: e.span };
    match &e.kind {
        BodyElementKind::Literal(l) => {
            literal(l).into_iter().map(|l| with(BodyElementKind::Literal(l))).collect()
        }
        BodyElementKind::Aggregate { sign, function, guards: g, elements } => guards(g)
            .into_iter()
            .map(|guards| {
                let (sign, function, elements) = (*sign, *function, elements.clone());
                with(BodyElementKind::Aggregate { sign, function, guards, elements })
            })
            .collect(),
        BodyElementKind::SetAggregate { sign, guards: g, elements } => guards(g)
            .into_iter()
            .map(|guards| {
                with(BodyElementKind::SetAggregate { sign: *sign, guards, elements: elements.clone() })
            })
            .collect(),
        BodyElementKind::Theory { sign, atom } => theory_atom(atom)
            .into_iter()
            .map(|atom| with(BodyElementKind::Theory { sign: *sign, atom }))
            .collect(),
        BodyElementKind::Conditional(_) | BodyElementKind::Global { .. } => vec![e.clone()],
    }
}

fn theory_atom(a: &TheoryAtom) -> Vec<TheoryAtom> {
    a.args
        .iter()
        .flat_map(|list| terms(list))
        .map(|list| TheoryAtom { args: vec![list], ..a.clone() })
        .collect()
}

fn body(b: &[BodyElement]) -> Vec<Vec<BodyElement>> {
    product(b.iter().map(body_element).collect())
}

fn head(h: &Head) -> Vec<Head> {
    let with = |kind| Head { kind, span: h.span };
    match &h.kind {
        // The head of a rule is a conjunction of its members, but the body of the constraint that a negated chain
        // becomes is a disjunction: keep the chain in one piece, `translate` takes it apart.
        HeadKind::Literal(l) => whole_literal(l).into_iter().map(|l| with(HeadKind::Literal(l))).collect(),
        HeadKind::Disjunction(elements) => product(
            elements
                .iter()
                .map(|e| {
                    // With a condition, the members form one disjunct together.
                    if !e.condition.is_empty() {
                        return vec![e.clone()];
                    }
                    whole_literal(&e.literal)
                        .into_iter()
                        .map(|literal| ConditionalLiteral { literal, ..e.clone() })
                        .collect()
                })
                .collect(),
        )
        .into_iter()
        .map(|elements| with(HeadKind::Disjunction(elements)))
        .collect(),
        HeadKind::Choice { guards: g, elements } => guards(g)
            .into_iter()
            .map(|guards| with(HeadKind::Choice { guards, elements: elements.clone() }))
            .collect(),
        HeadKind::Aggregate { function, guards: g, elements } => guards(g)
            .into_iter()
            .map(|guards| {
                with(HeadKind::Aggregate { function: *function, guards, elements: elements.clone() })
            })
            .collect(),
        HeadKind::Global(_) => vec![h.clone()],
        HeadKind::Theory(a) => theory_atom(a).into_iter().map(|a| with(HeadKind::Theory(a))).collect(),
    }
}

/// The members of a part that a statement may have.
fn optional<T>(part: Option<&T>, members: impl Fn(&T) -> Vec<T>) -> Vec<Option<T>> {
    part.map_or_else(|| vec![None], |part| members(part).into_iter().map(Some).collect())
}

/// The statements that a statement with pools at rule level stands for.
pub(crate) fn unpool_statement(s: &Statement) -> Vec<StatementKind> {
    let parts = s.kind.parts();
    let (heads, atoms, bodies) = (optional(parts.head, head), optional(parts.atom, atom), body(parts.body));
    let rows = parts.rows.iter().flat_map(|row| product(row.iter().map(|t| term(t)).collect()));
    let rows: Vec<Vec<Term>> = rows.collect();
    let mut out: Vec<StatementKind> = Vec::new();
    for head in &heads {
        for atom in &atoms {
            for row in &rows {
                for body in &bodies {
                    // Not the statement itself: with a long pool in it, that would be quadratic.
                    let mut kind = out.last().unwrap_or(&s.kind).clone();
                    if let StatementKind::Edge { pairs, .. } = &mut kind {
                        pairs.truncate(1);
                    }
                    let parts = kind.parts_mut();
                    parts.head.zip(head.as_ref()).into_iter().for_each(|(place, h)| place.clone_from(h));
                    parts.atom.zip(atom.as_ref()).into_iter().for_each(|(place, a)| place.clone_from(a));
                    parts.rows.into_iter().flatten().zip(row).for_each(|(place, t)| place.clone_from(t));
                    parts.body.clone_from_slice(body);
                    out.push(kind);
                }
            }
        }
    }
    out
}
/// Leaves out rules whose bodies differ from that of another in the order of their literals only: of the four for
/// `:- p(A;B), p(A;B).` three are left.
pub(crate) fn distinct(kinds: Vec<StatementKind>, symbols: &Symbols) -> Vec<StatementKind> {
    if kinds.len() < 2 {
        return kinds;
    }
    let mut seen: Set<Vec<String>> = Set::default();
    kinds.into_iter().filter(|kind| shape(kind, symbols).is_none_or(|shape| seen.insert(shape))).collect()
}

/// The text of a rule's head and those of its literals, in order.
fn shape(kind: &StatementKind, symbols: &Symbols) -> Option<Vec<String>> {
    let StatementKind::Rule { head, body } = kind else { return None };
    let HeadKind::Literal(head) = &head.kind else { return None };
    let text = |e: &BodyElement| match &e.kind {
        BodyElementKind::Literal(l) => Some(print::literal(l, symbols)),
        _ => None,
    };
    let mut shape = body.iter().map(text).collect::<Option<Vec<String>>>()?;
    if shape.len() < 2 {
        return None;
    }
    shape.sort_unstable();
    shape.dedup();
    shape.push(print::literal(head, symbols));
    Some(shape)
}
