//! What is legal and often a mistake: global variables in tuples, variables that occur once, tuples that collapse, heads
//! of one name with several arities; and recursion whose terms grow without end.
//!
//! Invariant: rules are not changed, and each place is named once.

use super::dependency::Components;
use super::predicate::{PredId, Predicates};
use super::rule::{Atom, Head, Literal, Rule, Term, Var, VarInfo};
use super::translate::literal_vars;
use crate::base::diagnostic::{Diagnostic, WarningKind};
use crate::base::map::{Map, Set};
use crate::base::span::Span;
use crate::base::symbol::{StrId, Symbols};
use crate::syntax::ast::{AggregateFunction, Relation, Sign};

/// A variable that occurs once.
pub const SINGLE_VARIABLE: WarningKind = WarningKind::Lint("singleton-variable");
/// A signature of `#show` that no atom has.
pub const SHOW_UNMATCHED: WarningKind = WarningKind::Lint("show-unmatched");
/// A head predicate with several arities.
pub const ARITY_MISMATCH: WarningKind = WarningKind::Lint("arity-mismatch");
/// Elements whose tuples may be equal and then count once.
pub const TUPLE_COLLAPSE: WarningKind = WarningKind::Lint("tuple-collapse");

/// All lints on rules. `reported` holds the places that have been named before.
pub fn check(
    rules: &[Rule],
    predicates: &Predicates,
    symbols: &Symbols,
    reported: &mut Set<(&'static str, Span)>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut found = Vec::new();
    let mut arities: Map<(StrId, bool), Vec<(u32, Span)>> = Map::default();
    let mut names: Vec<(StrId, bool)> = Vec::new();
    for rule in rules.iter().filter(|r| !is_auxiliary(r, predicates)) {
        tuples(rule, symbols, &mut found);
        single_variables(rule, symbols, &mut found);
        rule.head.for_each_atom(&mut |a| {
            let s = predicates[a.pred].signature;
            let known = arities.entry((s.name, s.negative)).or_insert_with(|| {
                names.push((s.name, s.negative));
                Vec::new()
            });
            if !known.iter().any(|(n, _)| *n == s.arity) {
                known.push((s.arity, a.span));
            }
        });
    }
    for name in names {
        if let [(n, first), .., (m, last)] = arities[&name][..] {
            let name = symbols.str(name.0);
            found.push(
                Diagnostic::info(ARITY_MISMATCH, last, format!("`{name}` has heads of several arities"))
                    .caption(format!("`{name}/{m}`"))
                    .label(first, format!("`{name}/{n}`")),
            );
        }
    }
    for d in found {
        let name = d.kind.map_or("", WarningKind::name);
        if reported.insert((name, d.labels.first().map_or(Span::NONE, |l| l.span))) {
            diagnostics.push(d);
        }
    }
}

fn is_auxiliary(rule: &Rule, predicates: &Predicates) -> bool {
    matches!(&rule.head, Head::Atom(a) if predicates[a.pred].auxiliary)
}

/// Global variables in tuples of aggregates, and tuples of two elements that are the same.
fn tuples(rule: &Rule, symbols: &Symbols, found: &mut Vec<Diagnostic>) {
    let mut element = |tuple: &[Term], weighted: bool, seen: &mut Vec<(Vec<Term>, Span)>, span: Span| {
        let mut vars: Vec<Var> = Vec::new();
        tuple.iter().for_each(|t| t.for_each_var(&mut |v| vars.push(v)));
        for v in vars {
            let VarInfo { name: Some(name), span: at, local: false } = rule.vars[v.0 as usize] else {
                continue;
            };
            let text = format!("global variable in tuple of aggregate element: `{}`", symbols.str(name));
            let mut note = Diagnostic::info(WarningKind::GlobalVariable, span, text);
            if at != span {
                note = note.label(at, "the rule binds it here");
            }
            found.push(note);
        }
        if !weighted {
            return;
        }
        match seen.iter().find(|(t, _)| t == tuple) {
            Some(&(_, first)) if first != span => found.push(
                Diagnostic::info(TUPLE_COLLAPSE, span, "two elements with the same tuple count once")
                    .label(first, "the tuple stands here first")
                    .help("add a term that tells them apart, or write one element"),
            ),
            Some(_) => {}
            None => seen.push((tuple.to_vec(), span)),
        }
    };
    let sums = |f: AggregateFunction| matches!(f, AggregateFunction::Sum | AggregateFunction::SumPlus);
    for l in &rule.body {
        if let Literal::Aggregate(a) = l {
            let mut seen = Vec::new();
            for e in a.elements.iter().filter(|_| !a.set) {
                element(&e.tuple, sums(a.function), &mut seen, e.span);
            }
        }
    }
    if let Head::Aggregate { function, set: false, elements, .. } = &rule.head {
        let mut seen = Vec::new();
        elements.iter().for_each(|e| element(&e.tuple, sums(*function), &mut seen, e.span));
    }
}

/// Named variables that occur once: a misspelling, or `_` would say so.
fn single_variables(rule: &Rule, symbols: &Symbols, found: &mut Vec<Diagnostic>) {
    let mut count = vec![0u32; rule.vars.len()];
    let mut add = |v: Var| count[v.0 as usize] += 1;
    fn all(l: &Literal, add: &mut impl FnMut(Var)) {
        match l {
            Literal::Aggregate(a) => {
                a.guards.iter().for_each(|(_, t)| t.for_each_var(add));
                for e in &a.elements {
                    // The tuple of a set aggregate is made from its literal.
                    e.tuple.iter().filter(|_| !a.set).for_each(|t| t.for_each_var(add));
                    e.condition.iter().for_each(|l| all(l, add));
                }
            }
            Literal::Conditional(c) => c.heads.iter().flatten().chain(&c.condition).for_each(|l| all(l, add)),
            Literal::Theory(_, a) => {
                a.args.iter().for_each(|t| t.for_each_var(add));
                a.guard.iter().for_each(|(_, t)| t.for_each_var(add));
                for e in &a.elements {
                    e.terms.iter().for_each(|t| t.for_each_var(add));
                    e.condition.iter().for_each(|l| all(l, add));
                }
            }
            l => literal_vars(l, add),
        }
    }
    rule.body.iter().for_each(|l| all(l, &mut add));
    rule.head.terms().into_iter().for_each(|t| t.for_each_var(&mut add));
    let tuples = matches!(rule.head, Head::Aggregate { set: false, .. });
    for e in rule.head.elements() {
        let args = e.atom().into_iter().flat_map(|a| &a.args);
        e.tuple.iter().filter(|_| tuples).chain(args).for_each(|t| t.for_each_var(&mut add));
        e.literals().for_each(|l| all(l, &mut add));
    }
    if let Head::Theory(a) = &rule.head {
        all(&Literal::Theory(Sign::None, a.clone()), &mut add);
    }
    for (info, n) in rule.vars.iter().zip(count) {
        let (Some(name), 1) = (info.name, n) else { continue };
        let name = symbols.str(name);
        // A name that starts with an underscore says that it is meant.
        if !name.starts_with('_') {
            let text = format!("variable `{name}` occurs once");
            found.push(Diagnostic::info(SINGLE_VARIABLE, info.span, text).help("write `_` if that is meant"));
        }
    }
}

/// Warns about rules of a recursive component whose head holds a term that grows with each round and that no
/// comparison of the body bounds: `p(X+1) :- p(X).`, `q(f(X)) :- q(X).`
///
/// A term grows if it is a function around a variable that only literals of the component itself bind, or that variable
/// plus something. It is bounded if the variable, or one that an equation makes of it, is compared by an order, or if a
/// literal outside the component has it, too.
pub fn endless(
    rules: &[Rule],
    components: &Components,
    symbols: &Symbols,
    reported: &mut Set<(&'static str, Span)>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for (c, numbers) in components.rules.iter().enumerate() {
        let inside = |p: PredId| components.of_predicate.get(p.0 as usize) == Some(&(c as u32));
        for rule in numbers.iter().map(|&i| &rules[i as usize]) {
            let Head::Atom(head) = &rule.head else { continue };
            // Variables of the recursion with their depths, and those that something else bounds.
            let (mut recursive, mut bounded) = (Map::default(), Set::default());
            for l in &rule.body {
                match l {
                    Literal::Atom(Sign::None, a) if inside(a.pred) => {
                        a.args.iter().for_each(|t| depths_of(t, 0, &mut recursive));
                    }
                    Literal::Compare(Relation::Equal | Relation::NotEqual, ..)
                    | Literal::Atom(Sign::Not | Sign::NotNot, _) => {}
                    l => literal_vars(l, &mut |v| {
                        bounded.insert(v);
                    }),
                }
            }
            // What is equal to something over bounded variables only is bounded, too; and the other way round.
            let mut made: Map<Var, &Term> = Map::default();
            for _ in 0..=rule.body.len() {
                for l in &rule.body {
                    let Literal::Compare(Relation::Equal, s, t, _) = l else { continue };
                    for (s, t) in [(s, t), (t, s)] {
                        let Term::Var(v) = s else { continue };
                        let mut vars = Vec::new();
                        t.for_each_var(&mut |v| vars.push(v));
                        if vars.iter().all(|v| bounded.contains(v)) {
                            bounded.insert(*v);
                        }
                        if bounded.contains(v) {
                            bounded.extend(vars);
                        } else if !recursive.contains_key(v) {
                            made.insert(*v, t);
                        }
                    }
                }
            }
            let growing = head.args.iter().find(|t| {
                let t = match t {
                    Term::Var(v) => made.get(v).copied().unwrap_or(t),
                    t => t,
                };
                grows(t, 0, &|v| recursive.get(&v).copied().filter(|_| !bounded.contains(&v)))
            });
            if growing.is_some()
                && !walks(rule, head, &inside, &recursive)
                && reported.insert(("endless", head.span))
            {
                let name = symbols.str(match &growing {
                    Some(t) => first_name(t, &rule.vars),
                    None => StrId::EMPTY,
                });
                diagnostics.push(
                    Diagnostic::warning(WarningKind::Other, head.span, "grounding may not end")
                        .caption(format!("an argument grows with `{name}` in each round"))
                        .label(rule.span, "the rule feeds itself")
                        .help(format!("bound it: add `{name} < limit`, or a literal that knows all values")),
                );
            }
        }
    }
}

/// Whether a literal outside the component leads on from a value of the recursion that the head does not keep: then the
/// data may end it, as when walking along edges.
fn walks(rule: &Rule, head: &Atom, inside: &dyn Fn(PredId) -> bool, recursive: &Map<Var, u32>) -> bool {
    let kept = |v: Var| head.args.contains(&Term::Var(v));
    rule.body.iter().any(|l| match l {
        Literal::Atom(Sign::None, a) if !inside(a.pred) => {
            let mut found = false;
            literal_vars(l, &mut |v| found |= recursive.contains_key(&v) && !kept(v));
            found
        }
        _ => false,
    })
}

fn first_name(t: &Term, vars: &[VarInfo]) -> StrId {
    let mut name = StrId::EMPTY;
    t.for_each_var(&mut |v| {
        if name == StrId::EMPTY {
            name = vars[v.0 as usize].name.unwrap_or(StrId::EMPTY);
        }
    });
    name
}

/// How many functions stand around each variable of a term, at most.
fn depths_of(t: &Term, depth: u32, depths: &mut Map<Var, u32>) {
    match t {
        Term::Fun(_, _, args) | Term::Tuple(args) => {
            args.iter().for_each(|a| depths_of(a, depth + 1, depths))
        }
        t => t.for_each_var(&mut |v| {
            let known = depths.entry(v).or_insert(depth);
            *known = depth.max(*known);
        }),
    }
}

/// Whether a term is another value than that of its variables, each time a greater or deeper one. `before` tells, for the
/// variables that matter, how many functions stand around them where they come from.
fn grows(t: &Term, depth: u32, before: &dyn Fn(Var) -> Option<u32>) -> bool {
    let mut open = None;
    t.for_each_var(&mut |v| open = open.max(before(v)));
    let Some(known) = open else { return false };
    match t {
        Term::Var(_) => depth > known,
        Term::Linear { coefficient, offset, .. } => {
            *coefficient != 1 && *coefficient != -1 || *offset != 0 || depth > known
        }
        Term::Fun(_, _, args) | Term::Tuple(args) => args.iter().any(|a| grows(a, depth + 1, before)),
        Term::Sym(_) | Term::Negated(..) | Term::External(..) => false,
        Term::Unary(..) | Term::Absolute(..) => false,
        Term::Binary(op, ..) => {
            use crate::syntax::ast::BinaryOp::{Add, Mul, Pow, Sub};
            matches!(op, Add | Sub | Mul | Pow)
        }
    }
}
