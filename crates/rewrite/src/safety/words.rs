//! Messages about unsafe variables: where they occur, and what binds them.

use crate::bounds::Bounds;
use crate::constants::Constants;
use crate::rule::{Atom, Head, Literal, Rule, Term, Var, VarInfo, literal_vars};
use asp_base::diagnostic::Diagnostic;
use asp_base::map::Set;
use asp_base::span::Span;
use asp_base::symbol::Symbols;
use asp_syntax::ast::{AggregateFunction, Relation, Sign};

pub(super) fn message(
    rule: &Rule,
    (unsafe_vars, bounds): (&[Var], &[Bounds]),
    constants: &Constants,
    symbols: &Symbols,
) -> Diagnostic {
    let name = |v: Var| match rule.vars[v.0 as usize].name {
        Some(name) => symbols.str(name),
        None => "_",
    };
    let mut named: Vec<Var> = unsafe_vars.to_vec();
    // An auxiliary variable is unsafe only because a named one is: report the named one.
    if named.iter().any(|&v| rule.vars[v.0 as usize].name.is_some()) {
        named.retain(|&v| rule.vars[v.0 as usize].name.is_some());
    }
    named.sort_by_key(|v| rule.vars[v.0 as usize].span);
    // The members of a pool, and the copies of an element of `#distinct`, each have their own variable for one that is
    // written once.
    named.dedup_by_key(|v| {
        let VarInfo { name, span, .. } = rule.vars[v.0 as usize];
        (span, name.filter(|_| span.is_none()))
    });
    let mut list: Vec<String> = named.iter().map(|&v| format!("`{}`", name(v))).collect();
    let mut seen: Set<String> = Set::default();
    list.retain(|name| seen.insert(name.clone()));
    let text = match &list[..] {
        [one] => format!("unsafe variable {one}"),
        many => format!("unsafe variables {}", many.join(", ")),
    };
    let mut out = Diagnostic::error(Span::NONE, text);
    let mut one_sided = None;
    for &v in &named {
        let text = match bounds[v.0 as usize] {
            Bounds { low: Some(_), high: None } => "has a lower bound but no upper one",
            Bounds { low: None, high: Some(_) } => "has an upper bound but no lower one",
            _ => "is not bound",
        };
        if text != "is not bound" {
            one_sided = one_sided.or(Some((v, text.starts_with("has a lower"))));
        }
        out = out.label(rule.vars[v.0 as usize].span, format!("`{}` {text}", name(v)));
    }
    let mut arithmetic = None;
    visit_equations(&rule.body, &mut |pattern, t, span| {
        if let Term::Var(p) = pattern
            && rule.vars[p.0 as usize].name.is_none()
        {
            t.for_each_var(&mut |v| {
                if named.contains(&v) && arithmetic.is_none() {
                    arithmetic = Some((v, span));
                }
            });
        }
    });
    if let Some((v, span)) = arithmetic {
        out = out.label(span, format!("this cannot be solved for `{}`", name(v)));
    }
    let meant = missing_condition(rule, &named)
        .or_else(|| meant_for_constant(rule, &list))
        .or_else(|| in_braces(rule, &named))
        .or_else(|| compared(rule, &named, symbols))
        .or_else(|| only_denied(rule, &named, symbols));
    if let Some(help) = meant {
        return out.help(help);
    }
    if matches!(rule.head, Head::Theory(_)) && rule.body.is_empty() {
        out = out.help("integer variables are terms in small letters, as `x` or `start(a)`");
    }
    if let Some(help) = constant(&list, constants, symbols) {
        out = out.help(help);
    } else if let Some((v, above)) = one_sided {
        let (v, end) = (name(v), if above { "<= 100" } else { ">= 0" });
        out = out.help(format!("a comparison with a number bounds it too: `{v} {end}`"));
    }
    if let Some(other) = alone(rule, &named, symbols) {
        out = out.help(format!("`{other}` occurs nowhere else: is it meant here?"));
    }
    out.help(match list.len() {
        1 => "bind it by a positive literal of the body, by `X = term` or by `X = low..high`",
        _ => "bind each of them by a positive literal of the body, by `X = term` or by `X = low..high`",
    })
}

/// Explains a variable that is written as a constant of the program in capitals: `p(1..N)` beside `#const n = 3.`
fn constant(names: &[String], constants: &Constants, symbols: &Symbols) -> Option<String> {
    // `MaxLoad` is `max_load`, too.
    let letters = |name: &str| name.replace('_', "").to_lowercase();
    names.iter().map(|name| name.trim_matches('`')).find_map(|name| {
        let known = constants.keys().map(|&known| symbols.str(known));
        let meant = known.filter(|known| letters(known) == letters(name)).min()?;
        Some(format!(
            "did you mean the constant `{meant}`? `{name}` is a variable, as it begins with a capital letter"
        ))
    })
}

/// Explains a fact whose arguments are words in capitals, and a `#show` of an atom with variables.
fn meant_for_constant(rule: &Rule, names: &[String]) -> Option<String> {
    let name = names.first()?.trim_matches('`');
    let is_word = name.chars().filter(|c| c.is_ascii_lowercase()).count() >= 2;
    match &rule.head {
        Head::Show(Term::Fun(..)) if rule.body.is_empty() => {
            Some("atoms are shown by name and number of arguments, `#show p/1.`; a term needs a condition, `#show X : p(X).`".into())
        }
        Head::Atom(_) | Head::Aggregate { .. } | Head::Disjunction(_) if rule.body.is_empty() && is_word => {
            let lower: String = name.chars().take(1).flat_map(char::to_lowercase).chain(name.chars().skip(1)).collect();
            if let Some(text) = lower.strip_prefix('\'').and_then(|t| t.strip_suffix('\'')) {
                let first = text.chars().take(1).flat_map(char::to_uppercase);
                let text: String = first.chain(text.chars().skip(1)).collect();
                return Some(format!("a text stands in double quotes: `\"{text}\"`; a constant begins with a lower-case letter"));
            }
            Some(format!("a word that begins with a capital letter is a variable; the constant is written `{lower}`"))
        }
        _ => None,
    }
}

/// How often each variable occurs in the literals of the body and the terms of the head.
fn places(rule: &Rule) -> Vec<u32> {
    let mut places = vec![0; rule.vars.len()];
    let mut count = |v: Var| places[v.0 as usize] += 1;
    rule.body.iter().for_each(|l| literal_vars(l, &mut count));
    rule.head.for_each_atom(&mut |a| a.args.iter().for_each(|t| t.for_each_var(&mut count)));
    rule.head.terms().into_iter().for_each(|t| t.for_each_var(&mut count));
    rule.head.elements().iter().flat_map(|e| e.literals()).for_each(|l| literal_vars(l, &mut count));
    places
}

/// Explains variables that occur only in one negative literal: `p(X) :- q(X), not r(X,Y).`
fn only_denied(rule: &Rule, named: &[Var], symbols: &Symbols) -> Option<String> {
    let places = places(rule);
    let has_all = |a: &Atom| named.iter().all(|v| a.args.contains(&Term::Var(*v)));
    let denies = |l: &Literal| matches!(l, Literal::Atom(Sign::Not, a) if has_all(a));
    if named.iter().any(|v| places[v.0 as usize] != 1) || !rule.body.iter().any(denies) {
        return None;
    }
    let names: Option<Vec<&str>> =
        named.iter().map(|v| rule.vars[v.0 as usize].name.map(|n| symbols.str(n))).collect();
    let (names, it) = (names?.join("` and `"), if named.len() == 1 { "it" } else { "them" });
    Some(format!(
        "write `_` for `{names}` to say that no such atom holds; else bind {it} by a positive literal"
    ))
}

/// Explains an atom that stands where the terms of an element should, without a condition: `#count { p(X) }`.
fn missing_condition(rule: &Rule, named: &[Var]) -> Option<String> {
    let is_unbound = |t: &Term| has_some(t, named);
    let is_atom = |t: &Term| is_unbound(t) && matches!(t, Term::Fun(..));
    for l in &rule.body {
        let Literal::Aggregate(a) = l else { continue };
        let elements = || a.elements.iter().filter(|e| !a.set && e.condition.is_empty());
        let is_several = a.elements.len() > 1;
        let is_wrong = |t: &Term| if is_several { is_atom(t) } else { is_unbound(t) };
        if elements().any(|e| e.tuple.iter().any(is_wrong)) {
            if a.elements.len() > 1 && a.elements.iter().any(|e| !e.condition.is_empty()) {
                return Some(
                    "`;` begins another element; within a condition, literals are separated by `,`".into(),
                );
            }
            let (name, example) = (a.function.as_str(), example(a.function));
            return Some(format!("an element has terms, a colon and a condition: `{name} {{ {example} }}`"));
        }
    }
    if matches!(rule.head, Head::Minimize { .. })
        && rule.body.is_empty()
        && rule.head.terms().into_iter().any(is_atom)
    {
        return Some("an element has a weight, terms, a colon and a condition: `{ W,X : p(X,W) }`".into());
    }
    None
}

fn example(function: AggregateFunction) -> &'static str {
    match function {
        AggregateFunction::Sum | AggregateFunction::SumPlus => "W,X : p(X,W)",
        _ => "X : p(X)",
    }
}

fn has_some(t: &Term, vars: &[Var]) -> bool {
    let mut found = false;
    t.for_each_var(&mut |v| found |= vars.contains(&v));
    found
}

/// Explains an atom without a condition in the braces of a head.
fn in_braces(rule: &Rule, named: &[Var]) -> Option<String> {
    let Head::Aggregate { function, set, guards, elements } = &rule.head else { return None };
    let is_bare = |t: &Term| has_some(t, named);
    let mut bare = elements.iter().filter(|e| e.condition.is_empty());
    bare.find(|e| e.atom().is_some_and(|atom| atom.args.iter().any(is_bare)))?;
    match (set, &guards[..]) {
        (false, [(relation, Term::Sym(bound))]) if rule.body.is_empty() => {
            let (name, example, relation) =
                (function.as_str(), example(*function), relation.negate().as_str());
            let bound = bound.as_small()?;
            Some(format!(
                "in a head, an element is `terms : atom : condition`, and its atom is chosen; what must not be is said by \
                 `:- {name} {{ {example} }} {relation} {bound}.`"
            ))
        }
        (false, _) => {
            Some("in a head, an element is `terms : atom : condition`, and its atom is chosen".into())
        }
        (true, _) if elements.len() > 1 => Some(
            "`;` begins another element; a condition stands behind a `:`, as in `{ p(X) : q(X) }`".into(),
        ),
        (true, _) if rule.body.is_empty() => {
            Some("what is chosen from stands behind a `:`, as in `{ p(X) : q(X) }`".into())
        }
        _ => None,
    }
}

/// Explains a term in a comparison that was meant for an atom: `x(1,A) > x(2,B)`, or the bound of an aggregate among its literals.
fn compared(rule: &Rule, named: &[Var], symbols: &Symbols) -> Option<String> {
    let is_atom = |t: &Term| matches!(t, Term::Fun(..)) && has_some(t, named);
    for l in &rule.body {
        match l {
            Literal::Compare(relation, s, t, _)
                if *relation != Relation::Equal && is_atom(s) && is_atom(t) =>
            {
                let (one, other) = (written(s, rule, symbols)?, written(t, rule, symbols)?);
                let last = |t: &Term| match t {
                    Term::Fun(_, _, args) => written(args.last()?, rule, symbols),
                    _ => None,
                };
                let relation = relation.as_str();
                return Some(format!(
                    "terms are compared here; if atoms are meant, they stand by themselves: `{one}, {other}, {} {relation} {}`",
                    last(s)?,
                    last(t)?
                ));
            }
            Literal::Aggregate(a) => {
                let bounds = a.elements.iter().flat_map(|e| &e.condition).find_map(|l| match l {
                    Literal::Compare(relation, s, Term::Sym(n), _) if is_atom(s) => {
                        Some((relation, n.as_small()?))
                    }
                    _ => None,
                });
                if let Some((relation, n)) = bounds {
                    let (name, relation) = (a.function.as_str(), relation.as_str());
                    let name = if a.set { String::new() } else { format!("{name} ") };
                    return Some(format!(
                        "the bound of an aggregate stands behind its braces: `{name}{{ ... }} {relation} {n}`"
                    ));
                }
            }
            _ => {}
        }
    }
    None
}

/// A term of names, numbers and named variables.
fn written(t: &Term, rule: &Rule, symbols: &Symbols) -> Option<String> {
    match t {
        Term::Sym(s) => Some(symbols.display(*s)),
        Term::Var(v) => Some(rule.vars[v.0 as usize].name.map_or("_", |name| symbols.str(name)).to_string()),
        Term::Fun(name, false, args) => {
            let args: Option<Vec<String>> = args.iter().map(|t| written(t, rule, symbols)).collect();
            Some(format!("{}({})", symbols.str(*name), args?.join(",")))
        }
        _ => None,
    }
}

/// The only variable of a rule's atoms that occurs once, besides the only unsafe one.
fn alone<'s>(rule: &Rule, named: &[Var], symbols: &'s Symbols) -> Option<&'s str> {
    let ([v], false) = (named, matches!(rule.head, Head::Theory(_))) else { return None };
    let places = places(rule);
    let is_atom = |l: &&Literal| matches!(l, Literal::Atom(Sign::None, _));
    let mut once: Vec<Var> = Vec::new();
    for l in rule.body.iter().filter(is_atom) {
        literal_vars(l, &mut |w| once.extend(Some(w).filter(|w| places[w.0 as usize] == 1 && w != v)));
    }
    let named = |w: &Var| rule.vars[w.0 as usize].name.map(|name| symbols.str(name));
    let once: Vec<&str> = once.iter().filter_map(named).collect();
    if let [only] = once[..] { Some(only) } else { None }
}

fn visit_equations<'a>(ls: &'a [Literal], f: &mut impl FnMut(&'a Term, &'a Term, Span)) {
    for l in ls {
        match l {
            Literal::Compare(Relation::Equal, s, t, span) => f(s, t, *span),
            Literal::Aggregate(a) => a.elements.iter().for_each(|e| visit_equations(&e.condition, f)),
            Literal::Conditional(c) => {
                visit_equations(&c.condition, f);
                c.heads.iter().for_each(|h| visit_equations(h, f));
            }
            _ => {}
        }
    }
}
