//! Safety: every variable must be bound by a positive part of the body.
//!
//! A positive atom binds the variables of its patterns; an equation binds those of one side once the other side's are
//! bound; a range binds its term once its ends are bound; an aggregate compared by `=` binds its guard. What is local
//! to an element must be bound by the element's own condition. Source: the ASP-Core-2 standard, section 5, extended to
//! invertible arithmetic as in the gringo input language.

mod words;

use super::bounds;
use super::constants::Constants;
use super::rule::{AggregateElement, Head, HeadLiteral, Literal, Rule, Term, Var, literal_vars};
use asp_base::diagnostic::Diagnostic;
use asp_base::symbol::Symbols;
use asp_syntax::ast::{Relation, Sign};

/// Whether all variables of a term are bound.
pub fn is_bound(t: &Term, bound: &[bool]) -> bool {
    let mut all = true;
    t.for_each_var(&mut |v| all &= bound[v.0 as usize]);
    all
}

fn bind(t: &Term, bound: &mut [bool]) -> bool {
    let mut changed = false;
    if t.is_pattern() {
        t.for_each_var(&mut |v| changed |= !std::mem::replace(&mut bound[v.0 as usize], true));
    }
    changed
}

/// Marks the variables that a literal binds, given those bound; returns whether that adds any.
pub(crate) fn bind_literal(l: &Literal, bound: &mut [bool]) -> bool {
    match l {
        Literal::Atom(Sign::None, a) => a.args.iter().fold(false, |c, t| bind(t, bound) | c),
        Literal::Compare(Relation::Equal, s, t, _) => {
            let (left, right) = (is_bound(s, bound), is_bound(t, bound));
            (left && bind(t, bound)) | (right && bind(s, bound))
        }
        Literal::Range(t, lo, hi, _) => is_bound(lo, bound) && is_bound(hi, bound) && bind(t, bound),
        Literal::Aggregate(a) if a.sign == Sign::None => {
            a.globals.iter().all(|v| bound[v.0 as usize])
                && a.guards
                    .iter()
                    .filter(|(r, _)| *r == Relation::Equal)
                    .fold(false, |c, (_, t)| bind(t, bound) | c)
        }
        _ => false,
    }
}

/// Marks all that a body binds; returns whether that is all that it uses.
pub fn binds_all(ls: &[Literal], bound: &mut [bool]) -> bool {
    bind_all(ls, bound);
    let mut all = true;
    ls.iter().for_each(|l| literal_vars(l, &mut |v| all &= bound[v.0 as usize]));
    all
}

fn bind_all(ls: &[Literal], bound: &mut [bool]) {
    while ls.iter().fold(false, |changed, l| bind_literal(l, bound) | changed) {}
}

/// Checks a rule, and adds ranges to it where comparisons bind; pushes one error that names all unsafe variables, if
/// any, and constants that they may be meant for.
pub fn check(
    rule: &mut Rule,
    constants: &Constants,
    symbols: &mut Symbols,
    diagnostics: &mut Vec<Diagnostic>,
) -> bool {
    split_guards(rule);
    let mut open = unsafe_vars(rule);
    if !open.is_empty() && (join_lone_element(rule) | move_comparisons(rule)) {
        open = unsafe_vars(rule);
    }
    if !open.is_empty() && drop_false(rule, &open) {
        open = unsafe_vars(rule);
    }
    if open.is_empty() {
        return true;
    }
    let bounds = bounds::bind(rule, &open, symbols);
    let still_open = unsafe_vars(rule);
    if still_open.is_empty() {
        return true;
    }
    diagnostics.push(words::message(rule, (&still_open, &bounds), constants, symbols));
    false
}

/// `X = #sum { .. } > -X` is `X = #sum { .. }, #sum { .. } > -X`: one guard may need what the other binds.
fn split_guards(rule: &mut Rule) {
    for i in 0..rule.body.len() {
        let Literal::Aggregate(a) = &rule.body[i] else { continue };
        let [(r, s), (q, t)] = &a.guards[..] else { continue };
        if a.sign != Sign::None || ![r, q].contains(&&Relation::Equal) {
            continue;
        }
        let mut bound = vec![false; rule.vars.len()];
        let (before, after) = rule.body.split_at(i);
        let mut bind =
            || before.iter().chain(&after[1..]).fold(false, |c, l| bind_literal(l, &mut bound) | c);
        while bind() {}
        if is_bound(s, &bound) || is_bound(t, &bound) {
            continue;
        }
        let mut second = a.clone();
        second.guards.remove(0);
        rule.body.push(Literal::Aggregate(second));
        if let Literal::Aggregate(a) = &mut rule.body[i] {
            a.guards.pop();
        }
    }
}

/// `{ p(X) : q(X) } :- X > 1.` is `{ p(X) } :- X > 1, q(X).`: the condition of a lone element without guards is part of
/// the body, and so are its variables.
fn join_lone_element(rule: &mut Rule) -> bool {
    let Rule { head: Head::Aggregate { guards, elements, .. }, body, vars, .. } = rule else { return false };
    let ([], [element]) = (&guards[..], &mut elements[..]) else { return false };
    body.append(&mut element.condition);
    if let HeadLiteral::Other(any) = &element.literal {
        body.extend(any.iter().flatten().cloned());
    }
    body.iter().for_each(|l| literal_vars(l, &mut |v| vars[v.0 as usize].local = false));
    true
}

/// `p(X) ; X > 3 :- B.` is `p(X) :- B, X <= 3.`: negated, the comparison may bind.
fn move_comparisons(rule: &mut Rule) -> bool {
    let Head::Disjunction(elements) = &mut rule.head else { return false };
    let before = rule.body.len();
    elements.retain(|e| {
        let HeadLiteral::Other(any) = &e.literal else { return true };
        let comparisons: Vec<Literal> = any.iter().filter_map(|one| negated_comparison(one)).collect();
        let moves = e.condition.is_empty() && comparisons.len() == any.len();
        if moves {
            rule.body.extend(comparisons);
        }
        !moves
    });
    if elements.is_empty() {
        rule.head = Head::Constraint;
    }
    rule.body.len() > before
}

/// `p ; 1 <= X != Y :- q(X).` is `p :- q(X).`: with a value for Y that X has, the comparison does not hold. As in
/// gringo, each comparison of the chain is negated by itself, and must bind what is its own.
fn drop_false(rule: &mut Rule, open: &[Var]) -> bool {
    let Head::Disjunction(elements) = &mut rule.head else { return false };
    let mut bound = vec![false; rule.vars.len()];
    bind_all(&rule.body, &mut bound);
    let before = elements.len();
    elements.retain(|e| {
        let HeadLiteral::Other(any) = &e.literal else { return true };
        let (mut equates, mut safe) = (false, true);
        for l in any.iter().flatten() {
            let Some(negated) = negated_comparison(std::slice::from_ref(l)) else { return true };
            let own: Vec<Literal> = e.condition.iter().cloned().chain([negated]).collect();
            safe &= binds_all(&own, &mut bound.clone());
            literal_vars(l, &mut |v| equates |= open.contains(&v));
        }
        !(safe && equates)
    });
    if elements.is_empty() {
        rule.head = Head::Constraint;
        return true;
    }
    elements.len() < before
}

fn negated_comparison(ls: &[Literal]) -> Option<Literal> {
    let [Literal::Compare(relation, s, t, span)] = ls else { return None };
    Some(Literal::Compare(relation.negate(), s.clone(), t.clone(), *span))
}

fn unsafe_vars(rule: &Rule) -> Vec<Var> {
    let mut bound = vec![false; rule.vars.len()];
    bind_all(&rule.body, &mut bound);
    let mut unsafe_vars: Vec<Var> = Vec::new();
    let mut found = vec![false; rule.vars.len()];
    let mut need = |v: Var, bound: &[bool]| {
        if !bound[v.0 as usize] && !std::mem::replace(&mut found[v.0 as usize], true) {
            unsafe_vars.push(v);
        }
    };
    rule.body.iter().for_each(|l| literal_vars(l, &mut |v| need(v, &bound)));
    rule.head.terms().into_iter().for_each(|t| t.for_each_var(&mut |v| need(v, &bound)));
    if let Head::Theory(a) = &rule.head {
        a.globals.iter().for_each(|&v| need(v, &bound));
    }
    if let Head::Disjunction(elements) = &rule.head {
        // A disjunct without a condition has no variables of its own.
        let mut global = |v: Var| {
            if !rule.vars[v.0 as usize].local {
                need(v, &bound);
            }
        };
        for e in elements {
            match &e.literal {
                HeadLiteral::Atom(a) => a.args.iter().for_each(|t| t.for_each_var(&mut global)),
                HeadLiteral::Other(any) => any.iter().flatten().for_each(|l| literal_vars(l, &mut global)),
            }
        }
    }
    // Elements: with the rule's own variables bound, the condition must bind the local ones.
    let outer: Vec<bool> = rule.vars.iter().zip(&bound).map(|(v, &b)| b || !v.local).collect();
    let mut element = |conditions: &[&[Literal]], others: &[&[Literal]], terms: &[&Term]| {
        let mut bound = outer.clone();
        conditions.iter().for_each(|c| bind_all(c, &mut bound));
        let all = conditions.iter().chain(others).flat_map(|c| c.iter());
        all.for_each(|l| literal_vars(l, &mut |v| need(v, &bound)));
        terms.iter().for_each(|t| t.for_each_var(&mut |v| need(v, &bound)));
    };
    for e in rule.head.elements() {
        let mut terms: Vec<&Term> = e.tuple.iter().collect();
        // A literal of a head binds nothing; only its intervals bind.
        let mut others: Vec<&[Literal]> = Vec::new();
        let ranges: Vec<Literal> = match &e.literal {
            HeadLiteral::Atom(a) => {
                terms.extend(&a.args);
                Vec::new()
            }
            HeadLiteral::Other(any) => {
                others.extend(any.iter().map(Vec::as_slice));
                any.iter().flatten().filter(|l| matches!(l, Literal::Range(..))).cloned().collect()
            }
        };
        element(&[&e.condition, &e.ranges, &ranges], &others, &terms);
    }
    for l in &rule.body {
        match l {
            Literal::Aggregate(a) => {
                for AggregateElement { tuple, condition, .. } in &a.elements {
                    element(&[condition], &[], &tuple.iter().collect::<Vec<_>>());
                }
            }
            Literal::Conditional(c) => {
                // A head binds its own variables, as it is looked up like a literal; the condition comes before it.
                element(&[&c.condition], &[], &[]);
                for head in &c.heads {
                    element(&[&c.condition, head], &[], &[]);
                }
            }
            Literal::Theory(..)
            | Literal::Atom(..)
            | Literal::Compare(..)
            | Literal::Range(..)
            | Literal::False(_) => {}
        }
    }
    let theory = rule.body.iter().filter_map(|l| if let Literal::Theory(_, a) = l { Some(a) } else { None });
    let head = if let Head::Theory(a) = &rule.head { Some(a) } else { None };
    for a in theory.chain(head) {
        for e in &a.elements {
            let mut bound = outer.clone();
            bind_all(&e.condition, &mut bound);
            e.condition.iter().for_each(|l| literal_vars(l, &mut |v| need(v, &bound)));
            e.terms.iter().for_each(|t| t.for_each_var(&mut |v| need(v, &bound)));
        }
    }
    unsafe_vars
}
