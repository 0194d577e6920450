//! Literals of a body that add nothing, since the atom for another literal fits them too: `:- in(X,Y), in(X,Z).` forbids every
//! `in(X,Y)`.
//!
//! A body is condensed (Gottlob and Fermüller, "Removing Redundancy from a Clause", Artificial Intelligence 61, 1993):
//! if a substitution maps it to a part of itself and leaves the head alone, that part is equivalent to it. Comparisons
//! that the substitution makes true are dropped, too. Invariant: only variables of the literal that goes are replaced.

use crate::linear::{Linear, integer};
use crate::rule::{Atom, Head, Literal, Rule, Term, Var, literal_vars};
use asp_base::diagnostic::{Diagnostic, WarningKind};
use asp_base::symbol::Symbols;
use asp_syntax::ast::{Relation, Sign};

/// A literal that adds nothing.
const REDUNDANT: WarningKind = WarningKind::Lint("redundant-literal");
/// Bodies with more literals are made by programs, not by hand.
const MAX_LITERALS: usize = 32;

/// A replacement of variables by others.
type Substitution = Vec<(Var, Var)>;

/// Reports a literal of a rule that adds nothing. Returns the variables that tell it from the other one.
pub(super) fn check(rule: &Rule, symbols: &Symbols, found: &mut Vec<Diagnostic>) -> Substitution {
    if rule.body.len() > MAX_LITERALS || matches!(rule.head, Head::Theory(_)) {
        return Vec::new();
    }
    let atoms = || {
        rule.body.iter().enumerate().filter_map(|(i, l)| match l {
            Literal::Atom(Sign::None, atom) => Some((i, atom)),
            _ => None,
        })
    };
    for (gone, second) in atoms().collect::<Vec<_>>().into_iter().rev() {
        for (kept, first) in atoms() {
            if kept == gone || first.pred != second.pred {
                continue;
            }
            let Some(replaced) = renaming(second, first) else { continue };
            if !replaced.is_empty()
                && !in_head(&rule.head, &replaced)
                && condenses(rule, gone, &replaced, symbols)
            {
                found.push(told(rule, (first, second), &replaced, symbols));
                return replaced;
            }
        }
    }
    Vec::new()
}

/// The replacement of variables that makes an atom another one.
fn renaming(from: &Atom, to: &Atom) -> Option<Substitution> {
    let mut replaced: Substitution = Vec::new();
    let mut occurring: Vec<Var> = Vec::new();
    from.args.iter().for_each(|t| t.for_each_var(&mut |v| occurring.push(v)));
    let mut images: Vec<Var> = Vec::new();
    to.args.iter().for_each(|t| t.for_each_var(&mut |v| images.push(v)));
    if occurring.len() != images.len() {
        return None;
    }
    for (&v, &image) in occurring.iter().zip(&images) {
        match replaced.iter().find(|r| r.0 == v) {
            Some(known) if known.1 != image => return None,
            Some(_) => {}
            None => replaced.push((v, image)),
        }
    }
    let same = from.args.iter().zip(&to.args).all(|(s, t)| same(&rename(s, &replaced), t));
    replaced.retain(|(v, image)| v != image);
    same.then_some(replaced)
}

fn rename(t: &Term, replaced: &Substitution) -> Term {
    t.map_vars(&mut |v| replaced.iter().find(|r| r.0 == v).map_or(v, |r| r.1))
}

/// Whether two terms are the same but for where they stand.
fn same(s: &Term, t: &Term) -> bool {
    match (s, t) {
        (Term::Fun(f, negative, s), Term::Fun(g, other, t)) => {
            f == g && negative == other && s.len() == t.len() && s.iter().zip(t).all(|(s, t)| same(s, t))
        }
        (Term::Tuple(s), Term::Tuple(t)) => s.len() == t.len() && s.iter().zip(t).all(|(s, t)| same(s, t)),
        (Term::Sym(_) | Term::Var(_), _) => s == t,
        (
            Term::Linear { coefficient: a, var: v, offset: b, .. },
            Term::Linear { coefficient: c, var: w, offset: d, .. },
        ) => (a, v, b) == (c, w, d),
        _ => false,
    }
}

fn in_head(head: &Head, replaced: &Substitution) -> bool {
    let mut found = false;
    let mut look = |v: Var| found |= replaced.iter().any(|r| r.0 == v);
    head.terms().into_iter().for_each(|t| t.for_each_var(&mut look));
    for e in head.elements() {
        let args = e.atom().into_iter().flat_map(|a| &a.args);
        e.tuple.iter().chain(args).for_each(|t| t.for_each_var(&mut look));
        e.literals().for_each(|l| literal_vars(l, &mut look));
    }
    found
}

/// Whether the replacement maps each literal to one of the body but for one literal, or to a true comparison.
fn condenses(rule: &Rule, gone: usize, replaced: &Substitution, symbols: &Symbols) -> bool {
    rule.body.iter().enumerate().all(|(i, l)| {
        let mut moved = false;
        literal_vars(l, &mut |v| moved |= replaced.iter().any(|r| r.0 == v));
        match l {
            _ if !moved => i != gone,
            Literal::Atom(sign, atom) => rule.body.iter().enumerate().any(|(j, other)| {
                let Literal::Atom(own, other) = other else { return false };
                let pairs = || atom.args.iter().zip(&other.args);
                let fits = j != gone && own == sign && other.pred == atom.pred;
                fits && pairs().all(|(s, t)| same(&rename(s, replaced), t))
            }),
            Literal::Compare(relation, s, t, _) => {
                holds(*relation, &rename(s, replaced), &rename(t, replaced), symbols)
            }
            _ => false,
        }
    })
}

/// Whether a comparison holds whatever its variables are, where all of its terms have values.
fn holds(relation: Relation, s: &Term, t: &Term, symbols: &Symbols) -> bool {
    let equal = || {
        if same(s, t) {
            return true;
        }
        let (Some(a), Some(b)) = (sum(s, symbols), sum(t, symbols)) else { return false };
        let coefficient = |of: &Linear, v| of.terms.iter().find(|x| x.1 == v).map_or(0, |x| x.0);
        let alike = |x: &Linear, y: &Linear| x.terms.iter().all(|&(c, v)| coefficient(y, v) == c);
        a.constant == b.constant && alike(&a, &b) && alike(&b, &a)
    };
    matches!(relation, Relation::Equal | Relation::LessEqual | Relation::GreaterEqual) && equal()
}

/// A term as a sum; the absolute value of a sum that is a number is one, too.
fn sum(t: &Term, symbols: &Symbols) -> Option<Linear> {
    let Term::Absolute(inner, _) = t else { return integer(t, symbols) };
    let mut sum = integer(inner, symbols).filter(|sum| sum.terms.iter().all(|&(c, _)| c == 0))?;
    sum.constant = sum.constant.checked_abs()?;
    Some(sum)
}

fn told(
    rule: &Rule,
    (first, second): (&Atom, &Atom),
    replaced: &Substitution,
    symbols: &Symbols,
) -> Diagnostic {
    let text = match rule.head {
        Head::Constraint => "one atom fits both literals, so this forbids every such atom",
        _ => "one atom fits both literals: this one adds nothing",
    };
    let name = |v: Var| rule.vars[v.0 as usize].name.map(|n| symbols.str(n));
    let names: Vec<_> = replaced.iter().filter_map(|r| Some((name(r.0)?, name(r.1)?))).collect();
    let help = match names[..] {
        [(new, old), ..] => format!("where two are meant, say how they differ, as in `{old} != {new}`"),
        [] => "where two are meant, name what differs and compare it, as in `X != Y`".into(),
    };
    Diagnostic::warning(REDUNDANT, second.span, text).label(first.span, "").help(help)
}
