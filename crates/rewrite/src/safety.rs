//! Safety: every variable must be bound by a positive part of the body.
//!
//! A positive atom binds the variables of its patterns; an equation binds those of one side once the other side's are
//! bound; a range binds its term once its ends are bound; an aggregate compared by `=` binds its guard. What is local
//! to an element must be bound by the element's own condition. Source: the ASP-Core-2 standard, section 5, extended to
//! invertible arithmetic as in the gringo input language.

use super::bounds::{self, Bounds};
use super::rule::{AggregateElement, Head, HeadLiteral, Literal, Rule, Term, Var, VarInfo, literal_vars};
use asp_base::diagnostic::Diagnostic;
use asp_base::map::Set;
use asp_base::span::Span;
use asp_base::symbol::Symbols;
use asp_syntax::ast::{AggregateFunction, Relation, Sign};

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

/// Marks what a literal binds, given what is bound; returns whether that adds anything.
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
/// any.
pub fn check(rule: &mut Rule, symbols: &mut Symbols, diagnostics: &mut Vec<Diagnostic>) -> bool {
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
    diagnostics.push(message(rule, &still_open, &bounds, symbols));
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

fn message(rule: &Rule, unsafe_vars: &[Var], bounds: &[Bounds], symbols: &Symbols) -> Diagnostic {
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
    let meant = missing_condition(rule, &named).or_else(|| meant_for_constant(rule, &list));
    if let Some(help) = meant.or_else(|| only_denied(rule, &named, symbols)) {
        return out.help(help);
    }
    if matches!(rule.head, Head::Theory(_)) && rule.body.is_empty() {
        out = out.help("integer variables are terms in small letters, as `x` or `start(a)`");
    }
    if let Some((v, above)) = one_sided {
        let (v, end) = (name(v), if above { "<= 100" } else { ">= 0" });
        out = out.help(format!("a comparison with a number bounds it too: `{v} {end}`"));
    }
    out.help(match list.len() {
        1 => "bind it by a positive literal of the body, by `X = term` or by `X = low..high`",
        _ => "bind each of them by a positive literal of the body, by `X = term` or by `X = low..high`",
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

/// Explains a variable that stands in one negative literal alone: `p(X) :- q(X), not r(X,Y).`
fn only_denied(rule: &Rule, named: &[Var], symbols: &Symbols) -> Option<String> {
    let [v] = named else { return None };
    let mut places = 0;
    let mut count = |w: Var| places += u32::from(w == *v);
    rule.body.iter().for_each(|l| literal_vars(l, &mut count));
    rule.head.for_each_atom(&mut |a| a.args.iter().for_each(|t| t.for_each_var(&mut count)));
    rule.head.terms().into_iter().for_each(|t| t.for_each_var(&mut count));
    let is_it = |t: &Term| matches!(t, Term::Var(w) if w == v);
    let denies = |l: &Literal| matches!(l, Literal::Atom(Sign::Not, a) if a.args.iter().any(is_it));
    let name = symbols.str(rule.vars[v.0 as usize].name?);
    let help =
        format!("write `_` for `{name}` to say that no such atom holds; else bind it by a positive literal");
    (places == 1 && rule.body.iter().any(denies)).then_some(help)
}

/// Explains an atom that stands where the terms of an element should, without a condition: `#count { p(X) }`.
fn missing_condition(rule: &Rule, named: &[Var]) -> Option<String> {
    let is_atom = |t: &Term| {
        let mut found = false;
        t.for_each_var(&mut |v| found |= named.contains(&v));
        found && matches!(t, Term::Fun(..))
    };
    let example = |function: AggregateFunction| match function {
        AggregateFunction::Sum | AggregateFunction::SumPlus => "W,X : p(X,W)",
        _ => "X : p(X)",
    };
    for l in &rule.body {
        let Literal::Aggregate(a) = l else { continue };
        let mut elements = a.elements.iter().filter(|e| e.condition.is_empty());
        if !a.set && elements.any(|e| e.tuple.iter().any(is_atom)) {
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
