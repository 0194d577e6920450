//! What is legal but often a mistake: global variables in tuples, variables that occur once, tuples that collapse,
//! heads with one name and several arities.
//!
//! Invariant: rules are not changed, and each place is reported once.

pub mod columns;
mod habits;
pub mod idle;
pub mod kinds;
pub mod never;
mod orders;
mod ranking;
mod redundant;
mod single;
pub mod termination;
pub mod variables;
mod weighed;
pub mod whole;

use super::predicate::{PredId, Predicates};
use super::rule::{
    AggregateElement, Atom, Head, Literal, Rule, Term, TheoryAtom, Var, VarInfo, literal_vars,
};
use asp_base::diagnostic::{Diagnostic, Severity, WarningKind};
use asp_base::map::{Map, Set};
use asp_base::span::Span;
use asp_base::symbol::{StrId, Sym, SymView, Symbols};
use asp_syntax::ast::{AggregateFunction, Sign};
use columns::MAX_FACTS;
pub use habits::NEVER_HOLDS;

/// A variable that occurs once.
pub(crate) const SINGLE_VARIABLE: WarningKind = WarningKind::Lint("singleton-variable");
/// The same where a fact has that name in small letters there.
const CAPITAL_NAME: WarningKind = WarningKind::Lint("capital-name");
/// A signature of `#show` that no atom has.
pub const SHOW_UNMATCHED: WarningKind = WarningKind::Lint("show-unmatched");
/// A head predicate with several arities.
pub(crate) const ARITY_MISMATCH: WarningKind = WarningKind::Lint("arity-mismatch");
/// Elements whose tuples may be equal and then count once.
pub const TUPLE_COLLAPSE: WarningKind = WarningKind::Lint("tuple-collapse");
/// Elements with the same number as weight and nothing else.
pub const WEIGHT_ONCE: WarningKind = WarningKind::Lint("weight-once");

/// A term compared where a value was meant.
pub const TERM_COMPARED: WarningKind = WarningKind::Lint("term-compared");

/// A variable that would have to be of two kinds.
pub const NEVER_MEETS: WarningKind = WarningKind::Lint("never-meets");

/// A column of facts with constants and strings.
pub(crate) const MIXED_COLUMN: WarningKind = WarningKind::Lint("mixed-column");

/// All lints on rules. `reported` holds the places that have been reported before.
pub fn check(
    rules: &[Rule],
    facts: &[(PredId, Sym)],
    predicates: &Predicates,
    symbols: &Symbols,
    reported: &mut Set<(&'static str, Span)>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut found = Vec::new();
    let mut arities: Map<(StrId, bool), Vec<(u32, Span)>> = Map::default();
    let mut names: Vec<(StrId, bool)> = Vec::new();
    // Of a rule with an error something may be left out.
    let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error);
    let wrong: Vec<Span> = errors.filter_map(|d| Some(d.labels.first()?.span)).collect();
    let is_wrong = |rule: &Rule| wrong.iter().any(|e| rule.span.lo <= e.lo && e.hi <= rule.span.hi);
    for rule in rules.iter().filter(|r| !is_auxiliary(r, predicates) && !is_wrong(r)) {
        tuples(rule, symbols, &mut found);
        weights(rule, symbols, &mut found);
        let apart = redundant::check(rule, symbols, &mut found);
        single_variables(rule, facts, &apart, symbols, &mut found);
        rule.head.for_each_atom(&mut |a| {
            if is_projection(a, &rule.body, predicates) {
                return;
            }
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
    let mut told = Set::default();
    for d in found {
        let place = (d.kind.map_or("", WarningKind::name), d.labels.first().map_or(Span::NONE, |l| l.span));
        // Of an element's variables each is told.
        let name = (d.kind == Some(WarningKind::GlobalVariable)).then(|| d.message.clone());
        if !reported.contains(&place) && told.insert((place, name)) {
            diagnostics.push(d);
        }
    }
    reported.extend(told.into_iter().map(|(place, _)| place));
}

fn is_auxiliary(rule: &Rule, predicates: &Predicates) -> bool {
    matches!(&rule.head, Head::Atom(a) if predicates[a.pred].auxiliary)
}

/// Whether an atom is one of a body without some of its arguments: `move(D,T) :- move(D,_,T).`
fn is_projection(head: &Atom, body: &[Literal], predicates: &Predicates) -> bool {
    let own = predicates[head.pred].signature;
    body.iter().any(|l| {
        let Literal::Atom(Sign::None, atom) = l else { return false };
        let s = predicates[atom.pred].signature;
        (s.name, s.negative) == (own.name, own.negative)
            && s.arity > own.arity
            && head.args.iter().all(|t| atom.args.contains(t))
    })
}

/// Global variables in tuples of aggregates, and tuples of two elements that are the same.
fn tuples<'r>(rule: &'r Rule, symbols: &Symbols, found: &mut Vec<Diagnostic>) {
    let mut element = |tuple: &'r [Term],
                       condition: &[Literal],
                       weighted: bool,
                       (seen, told): &mut (Map<&'r [Term], Span>, Set<Var>),
                       span: Span| {
        let mut vars: Vec<Var> = Vec::new();
        tuple.iter().for_each(|t| t.for_each_var(&mut |v| vars.push(v)));
        let is_local = |v: Var| rule.vars[v.0 as usize].local;
        let mut apart: Vec<&str> = Vec::new();
        for l in condition.iter().filter(|_| !vars.iter().any(|&v| is_local(v))) {
            literal_vars(l, &mut |v| {
                let name = rule.vars[v.0 as usize].name.map_or("", |n| symbols.str(n));
                if is_local(v) && !name.is_empty() && !apart.contains(&name) {
                    apart.push(name);
                }
            });
        }
        for v in vars {
            let VarInfo { name: Some(name), span: at, local: false } = rule.vars[v.0 as usize] else {
                continue;
            };
            if !told.insert(v) {
                continue;
            }
            let text = format!("global variable in tuple of aggregate element: `{}`", symbols.str(name));
            let mut note = Diagnostic::info(WarningKind::GlobalVariable, span, text);
            if at != span {
                note = note.label(at, "the rule binds it here");
            }
            if let [first, ..] = apart[..] {
                note = note.help(format!(
                    "each element has the same tuple, which counts once whatever `{first}` is: put `{}` into it",
                    apart.join(",")
                ));
            }
            found.push(note);
        }
        if !weighted {
            return;
        }
        match seen.get(tuple) {
            Some(&first) if first != span => found.push(
                Diagnostic::info(TUPLE_COLLAPSE, span, "two elements with the same tuple count once")
                    .label(first, "the tuple is first used here")
                    .help("add a term that tells them apart, or write one element"),
            ),
            Some(_) => {}
            None => {
                seen.insert(tuple, span);
            }
        }
    };
    let sums = |f: AggregateFunction| matches!(f, AggregateFunction::Sum | AggregateFunction::SumPlus);
    for l in &rule.body {
        if let Literal::Aggregate(a) = l {
            let mut seen = Default::default();
            let least_or_greatest = matches!(a.function, AggregateFunction::Min | AggregateFunction::Max);
            // `#max { X; Y }` is the greater of two values.
            let is_meant = |e: &&AggregateElement| least_or_greatest && e.condition.is_empty();
            for e in a.elements.iter().filter(|e| !a.set && !is_meant(e)) {
                element(&e.tuple, &e.condition, sums(a.function), &mut seen, e.span);
            }
        }
    }
    if let Head::Aggregate { function, set: false, elements, .. } = &rule.head {
        let mut seen = Default::default();
        elements.iter().for_each(|e| element(&e.tuple, &e.condition, sums(*function), &mut seen, e.span));
    }
}

/// Sums over weights alone, where equal weights of different things count once: `#sum { W : take(I), item(I,W) }`.
fn weights(rule: &Rule, symbols: &Symbols, found: &mut Vec<Diagnostic>) {
    let mut collapse = |tuple: &[&Term], condition: &[Literal], local: bool, span: Span| {
        let mut kept: Vec<Var> = Vec::new();
        tuple.iter().for_each(|t| t.for_each_var(&mut |v| kept.push(v)));
        let mut lost: Vec<Var> = Vec::new();
        for l in condition.iter().filter(|l| matches!(l, Literal::Atom(Sign::None, _))) {
            literal_vars(l, &mut |v| {
                let info = &rule.vars[v.0 as usize];
                if info.name.is_some() && (info.local || !local) && !kept.contains(&v) && !lost.contains(&v) {
                    lost.push(v);
                }
            });
        }
        let name = |v: &Var| rule.vars[v.0 as usize].name.map_or("", |n| symbols.str(n));
        let names: Vec<&str> = lost.iter().map(name).collect();
        if let ([first, ..], [Term::Sym(_), ..]) = (&names[..], tuple) {
            let text = format!("the weight counts once, whatever `{first}` is");
            let terms = names.join(",");
            found.push(Diagnostic::warning(WEIGHT_ONCE, span, text).help(format!(
                "to count each, put what tells them apart after the weight, as in `weight,{terms}`; if once is meant, write `_`"
            )));
        } else if let [first, ..] = names[..] {
            let text = format!("equal weights count once, whatever `{first}` is");
            let terms = names.join(",");
            found.push(
                Diagnostic::info(TUPLE_COLLAPSE, span, text)
                    .help(format!("put what tells them apart after the weight, as in `weight,{terms}`")),
            );
        }
    };
    for l in &rule.body {
        let Literal::Aggregate(a) = l else { continue };
        if !a.set && matches!(a.function, AggregateFunction::Sum | AggregateFunction::SumPlus) {
            for e in a.elements.iter().filter(|e| e.tuple.len() == 1) {
                collapse(&[&e.tuple[0]], &e.condition, true, e.span);
            }
        }
    }
    if let Head::Minimize { weight, priority, tuple } = &rule.head
        && tuple.is_empty()
    {
        collapse(&[weight, priority], &rule.body, false, rule.span);
    }
}

/// Whether a variable occurs in a sum over weights alone, where `_` would hide that tuples collapse, in an atom of braces, whose
/// atoms it tells apart, or in an element of a theory atom, of which there is one for each of its values.
fn in_weights(v: Var, rule: &Rule) -> bool {
    let sums = |f: AggregateFunction| matches!(f, AggregateFunction::Sum | AggregateFunction::SumPlus);
    let mut found = false;
    for l in &rule.body {
        let Literal::Aggregate(a) = l else { continue };
        found |= a.set && a.elements.iter().any(|e| e.tuple.iter().any(|t| t.has(v)));
        for e in a.elements.iter().filter(|e| !a.set && sums(a.function) && e.tuple.len() == 1) {
            e.condition.iter().for_each(|l| literal_vars(l, &mut |w| found |= v == w));
        }
    }
    let mut theory = |a: &TheoryAtom| {
        for e in &a.elements {
            e.condition.iter().for_each(|l| literal_vars(l, &mut |w| found |= v == w));
        }
    };
    for l in &rule.body {
        if let Literal::Theory(_, a) = l {
            theory(a);
        }
    }
    if let Head::Theory(a) = &rule.head {
        theory(a);
    }
    found || matches!(&rule.head, Head::Minimize { tuple, .. } if tuple.is_empty())
}

/// The constant of the program that a variable's name is with another first letter.
fn constant_of(variable: &str, symbols: &Symbols) -> Option<Sym> {
    let mut lower = variable.to_string();
    lower.get_mut(..1)?.make_ascii_lowercase();
    let is_word = lower.len() > 2 && lower.chars().skip(1).all(|c| c.is_lowercase() || c == '_');
    if is_word { symbols.find_fun(symbols.find_name(&lower)?, &[], false) } else { None }
}

/// Named variables that occur once: a spelling mistake, or `_` should be written. Nothing is said of those that tell two
/// literals apart.
fn single_variables(
    rule: &Rule,
    facts: &[(PredId, Sym)],
    apart: &[(Var, Var)],
    symbols: &Symbols,
    found: &mut Vec<Diagnostic>,
) {
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
    for (slot, (info, n)) in rule.vars.iter().zip(count).enumerate() {
        let (Some(name), 1) = (info.name, n) else { continue };
        let name = symbols.str(name);
        let told = apart.iter().any(|pair| [pair.0, pair.1].contains(&Var(slot as u32)));
        // A leading underscore says that it is intended.
        if !told && !name.starts_with('_') && !in_weights(Var(slot as u32), rule) {
            let is_there = |constant: Sym| {
                rule.body.iter().any(|l| match l {
                    Literal::Atom(Sign::None, atom) => {
                        let column = atom.args.iter().position(|t| *t == Term::Var(Var(slot as u32)));
                        let has = |&(pred, fact): &(PredId, Sym)| match (column, symbols.view(fact)) {
                            (Some(i), SymView::Fun { args, .. }) => {
                                pred == atom.pred && args.get(i) == Some(&constant)
                            }
                            _ => false,
                        };
                        facts.iter().take(MAX_FACTS).any(has)
                    }
                    _ => false,
                })
            };
            found.push(match constant_of(name, symbols).filter(|&constant| is_there(constant)) {
                Some(constant) => {
                    let constant = symbols.display(constant);
                    let text = format!("`{name}` is a variable, which may be anything, and occurs once");
                    let help =
                        format!("the constant is written `{constant}`; write `_` if anything is meant");
                    Diagnostic::warning(CAPITAL_NAME, info.span, text).help(help)
                }
                None => {
                    let text = format!("variable `{}` occurs once", name.trim_start_matches('#'));
                    Diagnostic::info(SINGLE_VARIABLE, info.span, text).help("write `_` if that is meant")
                }
            });
        }
    }
}
