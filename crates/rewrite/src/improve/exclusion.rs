//! Pairwise exclusion: constraints that say "at most one of a group".
//!
//! `:- p(R,C,N), p(R,D,N), C != D.` over n rows, columns and numbers has n^4 instances; it says that for each key (R,N)
//! at most one atom p(R,_,N) holds, which one pass over the domain writes as n^2 weight constraints `2 <= sum`.
//!
//! Proof that the answer sets stay the same: let s be an exchange of variables that maps the body, without the
//! comparisons that tell the sides apart, to itself. Every literal is then in one of four sets: *shared* (no variable
//! of s), *first* (only one variable of each pair), *second* (the mirror images of the first), and comparisons that mix
//! both. A *member* is an assignment that satisfies shared and first. An instance of the body is a pair of members that
//! agree on the shared variables and on each term t of a mixed equation `t = s(t)` (together the *key*), and that
//! differ in each term of a mixed inequality `t != s(t)` (a *class*). So the constraint says: two members with one key
//! whose classes all differ do not both hold. Let a group be the members with one key. If any two of its members differ
//! in all classes, at most one holds; if there is one class, which members share, at most one value of it has members
//! that hold. An order `t < s(t)` in place of one inequality selects one of each two mirrored instances, whose ground
//! bodies are equal. A member that needs several atoms is an auxiliary atom with a rule that says so, an explicit
//! definition.

use super::Sizes;
use super::exchange::{Exchange, Side, mirrored, same_term};
use crate::linear::linear;
use crate::rule::{Head, Literal, Rule, Term, Var, literal_vars};
use crate::safety::bind_literal;
use asp_base::span::Span;
use asp_base::symbol::Symbols;
use asp_syntax::ast::{BinaryOp, Relation, Sign, UnaryOp};

/// A constraint recognised as pairwise exclusion.
#[derive(Clone, Debug)]
pub struct Exclusion {
    /// The body of one side.
    pub body: Vec<Literal>,
    /// Literals over shared variables that are not certain: the exclusion holds under them.
    pub condition: Vec<Literal>,
    /// Terms whose values form the key; the shared variables come first.
    pub key: Vec<Term>,
    /// How many terms of the key are shared variables.
    pub shared: usize,
    /// Terms whose values must all differ; empty if any two members of a group do.
    pub classes: Vec<Term>,
    /// Whether the constraint as written has two instances for each pair of members.
    pub twice: bool,
}

/// Recognises a constraint; yields several if it is a disjunction of exclusions.
pub fn recognise(rule: &Rule, sizes: &dyn Sizes, symbols: &Symbols) -> Option<Vec<Exclusion>> {
    let plain = |l: &Literal| matches!(l, Literal::Atom(..) | Literal::Compare(..) | Literal::Range(..));
    if !matches!(rule.head, Head::Constraint) || !rule.body.iter().all(plain) {
        return None;
    }
    split_absolute(rule).iter().map(|body| of_body(body, sizes, symbols)).collect()
}

/// `|s| = |t|` holds if `s = t` or `s = -t`, one body for each, where one of them is a number if it has a value.
fn split_absolute(rule: &Rule) -> Vec<Vec<Literal>> {
    let at = rule.body.iter().position(|l| {
        matches!(l, Literal::Compare(Relation::Equal, Term::Absolute(..), Term::Absolute(..), _))
    });
    let Some(at) = at else { return vec![rule.body.clone()] };
    let Literal::Compare(_, Term::Absolute(s, _), Term::Absolute(t, _), span) = &rule.body[at] else {
        return vec![rule.body.clone()];
    };
    let is_number = |t: &Term| matches!(t, Term::Binary(..) | Term::Linear { .. });
    if !is_number(s) && !is_number(t) {
        return vec![rule.body.clone()];
    }
    let with = |right: Term| {
        let mut body = rule.body.clone();
        body[at] = Literal::Compare(Relation::Equal, (**s).clone(), right, *span);
        body
    };
    vec![with((**t).clone()), with(Term::Unary(UnaryOp::Minus, t.clone(), *span))]
}

fn of_body(body: &[Literal], sizes: &dyn Sizes, symbols: &Symbols) -> Option<Exclusion> {
    for l in body {
        if let Literal::Compare(Relation::NotEqual | Relation::Less | Relation::Greater, s, t, _) = l {
            let mut start = Exchange::default();
            if start.unify(s, t)
                && !start.first.is_empty()
                && let Some(x) = start.extend(body)
                && let Some(found) = with_exchange(body, &x, sizes, symbols)
            {
                return Some(found);
            }
        }
    }
    None
}

/// Whether all instances of a literal are facts.
fn is_certain(l: &Literal, sizes: &dyn Sizes) -> bool {
    match l {
        Literal::Atom(_, a) => sizes.is_complete(a.pred) && sizes.is_all_facts(a.pred),
        _ => true,
    }
}

fn with_exchange(body: &[Literal], x: &Exchange, sizes: &dyn Sizes, symbols: &Symbols) -> Option<Exclusion> {
    let side = |l: &Literal| {
        let mut side = Side::Shared;
        literal_vars(l, &mut |v| side = side.with(x.side(v)));
        side
    };
    let (mut own, mut condition) = (Vec::new(), Vec::new());
    let (mut first, mut second, mut mixed) = (Vec::new(), Vec::new(), Vec::new());
    for l in body {
        match side(l) {
            Side::Shared if is_certain(l, sizes) => own.push(l.clone()),
            Side::Shared => condition.push(l.clone()),
            Side::First => first.push(l),
            Side::Second => second.push(l),
            Side::Mixed => mixed.push(l),
        }
    }
    // Each literal of one side has its mirror image on the other.
    if !first.iter().all(|l| second.iter().any(|m| mirrored(l, m, x)))
        || !second.iter().all(|l| first.iter().any(|m| mirrored(l, m, x)))
    {
        return None;
    }
    let complete = |l: &Literal| match l {
        Literal::Atom(_, a) => sizes.is_complete(a.pred),
        _ => true,
    };
    if !body.iter().all(complete) || !first.iter().any(|l| matches!(l, Literal::Atom(Sign::None, _))) {
        return None;
    }
    own.extend(first.into_iter().cloned());
    // Shared variables form the key; so do terms equated with their mirror images.
    let mut shared: Vec<Var> = Vec::new();
    own.iter().chain(&condition).for_each(|l| {
        literal_vars(l, &mut |v| {
            if x.side(v) == Side::Shared && !shared.contains(&v) {
                shared.push(v);
            }
        });
    });
    shared.sort_unstable();
    let mut key: Vec<Term> = shared.iter().copied().map(Term::Var).collect();
    let (mut classes, mut ordered) = (Vec::new(), false);
    for l in mixed {
        let Literal::Compare(relation, s, t, _) = l else { return None };
        match relation {
            Relation::Equal => key.push(separated(s, t, x, symbols)?),
            Relation::LessEqual | Relation::GreaterEqual => return None,
            // One order selects one of two mirrored instances; a second one would say more.
            _ if ordered && *relation != Relation::NotEqual => return None,
            _ => {
                ordered |= *relation != Relation::NotEqual;
                classes.push(told_apart(s, t, x)?);
            }
        }
    }
    if classes.is_empty() || !binds(&own, &key, &classes, body) {
        return None;
    }
    // Members of a group differ in all classes if the key and any class identify the member.
    let fixes = |class: &Term| {
        let mut fixed: Vec<Var> = Vec::new();
        key.iter().chain([class]).for_each(|t| plain_vars(t, &mut fixed));
        x.first.iter().all(|v| fixed.contains(v))
    };
    // A class without a value is in no group.
    if classes.iter().all(|class| fixes(class) && class.is_total()) {
        classes.clear();
    }
    Some(Exclusion { body: own, condition, shared: shared.len(), key, classes, twice: !ordered })
}

/// Variables that a term's value determines.
fn plain_vars(t: &Term, out: &mut Vec<Var>) {
    match t {
        Term::Var(v) | Term::Linear { var: v, .. } | Term::Negated(v, _) => out.push(*v),
        Term::Tuple(args) | Term::Fun(_, _, args) => args.iter().for_each(|a| plain_vars(a, out)),
        _ => {}
    }
}

/// Whether the body of one side binds all that it and its terms need.
fn binds(own: &[Literal], key: &[Term], classes: &[Term], body: &[Literal]) -> bool {
    let mut vars = 0;
    body.iter().for_each(|l| literal_vars(l, &mut |v| vars = vars.max(v.0 as usize + 1)));
    let mut bound = vec![false; vars];
    while own.iter().fold(false, |c, l| bind_literal(l, &mut bound) | c) {}
    let mut safe = true;
    own.iter().for_each(|l| literal_vars(l, &mut |v| safe &= bound[v.0 as usize]));
    key.iter().chain(classes).for_each(|t| t.for_each_var(&mut |v| safe &= bound[v.0 as usize]));
    safe
}

/// The term over the first side whose equality with its mirror image `s = t` expresses.
fn separated(s: &Term, t: &Term, x: &Exchange, symbols: &Symbols) -> Option<Term> {
    for (u, v) in [(s, t), (t, s)] {
        if x.term_side(u) == Side::First && same_term(&x.term(u), v) {
            return Some(u.clone());
        }
    }
    // A linear equation: first - mirrored first = 0.
    let span = Span::NONE;
    let difference = Term::Binary(BinaryOp::Sub, Box::new(s.clone()), Box::new(t.clone()), span);
    let sum = linear(&difference, symbols)?;
    if sum.constant != 0 {
        return None;
    }
    let coefficient = |v: Var| sum.terms.iter().find(|(_, w)| *w == v).map_or(0, |(c, _)| *c);
    let mut key: Option<Term> = None;
    for &(c, v) in &sum.terms {
        match x.side(v) {
            Side::First => {
                if coefficient(x.partner(v)?) != c.checked_neg()? {
                    return None;
                }
                let term = Term::Linear { coefficient: c, var: v, offset: 0, span };
                key = Some(match key {
                    None => term,
                    Some(k) => Term::Binary(BinaryOp::Add, Box::new(k), Box::new(term), span),
                });
            }
            Side::Second if coefficient(x.partner(v)?) == c.checked_neg()? => {}
            _ => return None,
        }
    }
    key
}

/// The term over the first side in which the two must differ. Shared parts of a tuple never differ.
fn told_apart(s: &Term, t: &Term, x: &Exchange) -> Option<Term> {
    if !same_term(&x.term(s), t) {
        return None;
    }
    // Either side may come first.
    match x.term_side(s) {
        Side::First => Some(s.clone()),
        Side::Second => Some(t.clone()),
        _ => None,
    }
}
