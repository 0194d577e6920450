//! What a body implies: `:- at(A,U,T), at(A,V,T+1), at(B,V,T), at(B,U,T+1).` gets `e(U,V)`, `e(V,U)`; of `p(A,B) :- s(A), s(B).`
//! with `:- s(X), s(Y), X != Y.` only `p(A,A) :- s(A).` is left.
//!
//! - *Keys*: two atoms that hold and agree in some columns agree in others, because a constraint says so, or because at most one
//!   atom for each value of these columns can hold (a choice of at most one). Atoms of a body that agree in a key are made to agree
//!   in what it determines; a body that asks for the opposite never holds.
//! - *Support*: an atom that only one rule can derive holds only if the rule's body does. Variables of that body which keys
//!   determine are replaced; atoms over facts whose variables are all known are added.
//! - Where `X = Y` would make a body contradictory, `X != Y` is redundant; so is `X < Y` if the rest of the body is the same
//!   with X and Y exchanged, as instances with `X > Y` have the body of one with `X < Y`. Without them the body may be cut.
//!
//! Proof that the answer sets stay the same: in each answer set, of the program before or after, a body that holds implies what is
//! added to it, as all that is used stays as it is: constraints that say a key are never changed, and other keys and supports come
//! from rules of complete predicates, which are written already. So the instances that are left out have a body that holds in no answer
//! set; without them an answer set stays one (they are satisfied by it and by each of its subsets), and no other becomes one (they
//! are satisfied by it). Source: the chase of conjunctive queries, Maier, Mendelzon and Sagiv, *Testing implications of data
//! dependencies*, TODS 1979.

use super::exchange::{Exchange, mirrored, same_term};
use super::{Sizes, outlook};
use crate::linear::linear;
use crate::predicate::PredId;
use crate::rule::{Atom, Head, HeadElement, Literal, Rule, Term, Var};
use crate::unify::all_unify;
use asp_base::map::Map;
use asp_base::symbol::{Sym, Symbols};
use asp_syntax::ast::{Relation, Sign};

/// Rules of less work are left alone.
const MIN_WORK: f64 = 20_000.0;
/// The work must be divided by this.
const MIN_FACTOR: f64 = 2.0;
/// Rounds of the chase.
const MAX_ROUNDS: usize = 20;
/// Bodies with more literals are left alone.
const MAX_LITERALS: usize = 30;

/// A key that a constraint says: atoms that agree in the columns agree in one more.
#[derive(Clone, Debug)]
pub struct Key {
    /// The predicate whose atoms agree in all columns if they do in those.
    pub pred: PredId,
    /// The columns that determine, ascending.
    pub columns: Vec<usize>,
    /// The column that they determine.
    pub determined: usize,
}

/// The chase's view of the domains.
pub trait Known: Sizes {
    /// The columns that others (ascending) determine.
    fn determined(&mut self, pred: PredId, by: &[usize]) -> Vec<usize>;
    /// The least and the greatest value of a column that has nothing but integers.
    fn range(&mut self, pred: PredId, column: usize) -> Option<(i64, i64)>;
    /// Whether a predicate has a fact whose values, by column, all fit.
    fn has_fact(&self, pred: PredId, fits: &dyn Fn(usize, Sym) -> bool) -> bool;
    /// The value of a term that is an integer.
    fn number(&self, term: Sym) -> Option<i64>;
    /// The table of terms.
    fn symbols(&mut self) -> &mut Symbols;
}

/// The result for a rule.
#[derive(Debug)]
pub enum Chased {
    /// It has more literals, or fewer variables; also without redundant comparisons, if there are any.
    Rule(Box<(Rule, Option<Rule>)>),
    /// Its body never holds.
    Dead,
}

/// The key that a constraint says: `:- p(K,X,_), p(K,Y,_), X != Y.`
pub fn key(rule: &Rule) -> Option<Key> {
    let (Head::Constraint, [a, b, c]) = (&rule.head, &rule.body[..]) else { return None };
    let mut atoms: Vec<&Atom> = Vec::new();
    let mut apart = None;
    for l in [a, b, c] {
        match l {
            Literal::Atom(Sign::None, a) => atoms.push(a),
            Literal::Compare(
                Relation::NotEqual | Relation::Less | Relation::Greater,
                Term::Var(v),
                Term::Var(w),
                _,
            ) => {
                apart = Some((*v, *w));
            }
            _ => return None,
        }
    }
    let ([first, second], Some((v, w))) = (&atoms[..], apart) else { return None };
    let vars = |a: &Atom| -> Option<Vec<Var>> {
        a.args.iter().map(|t| if let Term::Var(v) = t { Some(*v) } else { None }).collect()
    };
    let (left, right) = (vars(first)?, vars(second)?);
    let once = |of: &[Var]| of.iter().enumerate().all(|(i, v)| !of[..i].contains(v));
    if first.pred != second.pred || !once(&left) || !once(&right) {
        return None;
    }
    let (mut columns, mut determined) = (Vec::new(), None);
    for (c, (&x, &y)) in left.iter().zip(&right).enumerate() {
        if x == y {
            columns.push(c);
        } else if (x, y) == (v, w) || (y, x) == (v, w) {
            // `p(X,Y), p(Y,X), X != Y` speaks of an atom and its mirror image.
            if determined.replace(c).is_some() {
                return None;
            }
        } else if right.contains(&x) || left.contains(&y) || [v, w].contains(&x) || [v, w].contains(&y) {
            return None;
        }
    }
    let key = Key { pred: first.pred, columns, determined: determined? };
    (!left.iter().zip(&right).any(|(x, y)| x == y && [v, w].contains(x))).then_some(key)
}

/// The rule with what its body implies, if that pays. `rules`: all of the call, not including the rule unless it is unchanged.
pub fn chase(rule: &Rule, rules: &[Rule], known: &mut dyn Known, eager: bool) -> Option<Chased> {
    let atoms = rule.body.iter().filter(|l| matches!(l, Literal::Atom(Sign::None, _))).count();
    let suits = matches!(rule.head, Head::Constraint | Head::Atom(_)) && atoms > 1;
    if !suits || rule.body.len() > MAX_LITERALS || key(rule).is_some() {
        return None;
    }
    let work = outlook::work(rule, known);
    if !eager && work < MIN_WORK {
        return None;
    }
    let mut now = rule.clone();
    let mut changed = false;
    for _ in 0..MAX_ROUNDS {
        let merged = merge(&mut now, known)?;
        if is_dead(&now) {
            return Some(Chased::Dead);
        }
        let added = implied(&now, rules, known);
        if !merged && added.is_empty() {
            break;
        }
        now.body.extend(added);
        changed = true;
    }
    let pays = |known: &mut dyn Known| outlook::work(&now, known) * MIN_FACTOR <= work;
    if !changed || !eager && !pays(known) {
        return None;
    }
    let free = without_comparisons(&now, known);
    Some(Chased::Rule(Box::new((now, free))))
}

/// A constraint without redundant inequalities, and without orders of terms known to differ where exchanging variables maps the
/// rest to itself.
fn without_comparisons(rule: &Rule, known: &mut dyn Known) -> Option<Rule> {
    if !matches!(rule.head, Head::Constraint) {
        return None;
    }
    let mut now = rule.clone();
    // Orders first: one may be dropped because of an inequality that it implies in turn.
    let all = || (0..rule.body.len()).rev();
    let of = |i: &usize, order: bool| match rule.body[*i] {
        Literal::Compare(r, ..) => order == matches!(r, Relation::Less | Relation::Greater),
        _ => false,
    };
    let mut open: Vec<usize> = all().filter(|i| of(i, true)).chain(all().filter(|i| of(i, false))).collect();
    open.reverse();
    while let Some(i) = open.pop() {
        let Literal::Compare(relation, Term::Var(v), Term::Var(w), _) = now.body[i] else { continue };
        let mut rest = now.clone();
        rest.body.remove(i);
        let goes = match relation {
            Relation::NotEqual => true,
            Relation::Less | Relation::Greater => is_symmetric(&rest.body, v, w),
            _ => false,
        };
        if goes && never_equal(&rest, v, w, known) {
            now = rest;
            open.iter_mut().filter(|k| **k > i).for_each(|k| *k -= 1);
        }
    }
    (now.body.len() < rule.body.len()).then_some(now)
}

/// Whether some exchange of two variables and others maps a body to itself.
fn is_symmetric(body: &[Literal], v: Var, w: Var) -> bool {
    let mut start = Exchange::default();
    let found = if start.pair(v, w) { start.extend(body) } else { None };
    found.is_some_and(|x| body.iter().all(|l| body.iter().any(|m| mirrored(l, m, &x))))
}

/// Whether a body never holds if two variables are the same.
fn never_equal(rule: &Rule, v: Var, w: Var, known: &mut dyn Known) -> bool {
    let mut one = |x: Var| if x == w { v } else { x };
    let body: Option<Vec<Literal>> = rule.body.iter().map(|l| l.map_vars(&mut one)).collect();
    let Some(body) = body else { return false };
    let mut same = Rule { body, ..rule.clone() };
    is_dead(&same) || merge(&mut same, known).is_some() && is_dead(&same)
}

/// Whether a comparison of a body never holds.
fn is_dead(rule: &Rule) -> bool {
    rule.body.iter().any(|l| match l {
        Literal::Compare(Relation::NotEqual | Relation::Less | Relation::Greater, s, t, _) => same_term(s, t),
        _ => false,
    })
}

/// The columns in which two atoms have the same terms.
fn common(a: &Atom, b: &Atom) -> Vec<usize> {
    (0..a.args.len()).filter(|&c| same_term(&a.args[c], &b.args[c])).collect()
}

/// Makes atoms agree in what keys determine; `None` if that cannot be written.
fn merge(rule: &mut Rule, known: &mut dyn Known) -> Option<bool> {
    let mut any = false;
    while let Some((i, j, column)) = next_pair(rule, known) {
        any = true;
        let (Literal::Atom(_, a), Literal::Atom(_, b)) = (&rule.body[i], &rule.body[j]) else { return None };
        let Some(column) = column else {
            rule.body.remove(j);
            continue;
        };
        let (s, t, span) = (a.args[column].clone(), b.args[column].clone(), b.span);
        if let (Term::Var(v), Term::Var(w)) = (&s, &t) {
            let (v, w) = (*v.min(w), *v.max(w));
            let mut one = |x: Var| if x == w { v } else { x };
            let body: Option<Vec<Literal>> = rule.body.iter().map(|l| l.map_vars(&mut one)).collect();
            rule.body = body?;
            if let Head::Atom(a) = &rule.head {
                rule.head = Head::Atom(a.map_vars(&mut one));
            }
        } else {
            rule.body.push(Literal::Compare(Relation::Equal, s, t, span));
        }
    }
    Some(any)
}

/// Two atoms that are equal, or that a key makes agree in a column in which their terms differ.
fn next_pair(rule: &Rule, known: &mut dyn Known) -> Option<(usize, usize, Option<usize>)> {
    let atom = |i: usize| match &rule.body[i] {
        Literal::Atom(Sign::None, a) => Some(a),
        _ => None,
    };
    let said = |s: &Term, t: &Term| {
        rule.body.iter().any(|l| match l {
            Literal::Compare(Relation::Equal, u, v, _) => same_term(u, s) && same_term(v, t),
            _ => false,
        })
    };
    for j in 0..rule.body.len() {
        for i in 0..j {
            let (Some(a), Some(b)) = (atom(i), atom(j)) else { continue };
            if a.pred != b.pred || !known.is_complete(a.pred) {
                continue;
            }
            let by = common(a, b);
            if by.len() == a.args.len() {
                return Some((i, j, None));
            }
            let more = known.determined(a.pred, &by);
            let open = |&c: &usize| !by.contains(&c) && !said(&a.args[c], &b.args[c]);
            if let Some(c) = more.into_iter().find(open) {
                return Some((i, j, Some(c)));
            }
        }
    }
    None
}

/// The atoms over facts implied by the supports of a body's atoms, and missing in it.
fn implied(rule: &Rule, rules: &[Rule], known: &mut dyn Known) -> Vec<Literal> {
    let mut out: Vec<Literal> = Vec::new();
    for l in &rule.body {
        let Literal::Atom(Sign::None, atom) = l else { continue };
        if !known.is_complete(atom.pred) || known.is_all_facts(atom.pred) {
            continue;
        }
        let Some((source, element)) = only_source(atom, rule, rules, known) else { continue };
        let Some(head) = element.atom() else { continue };
        let mut map = matched(head, atom, known.symbols());
        let literals = || source.body.iter().chain(&element.condition);
        determine(rule, literals, &mut map, known);
        for l in literals() {
            let Literal::Atom(Sign::None, a) = l else { continue };
            if !known.is_complete(a.pred) || !known.is_all_facts(a.pred) {
                continue;
            }
            let args: Option<Vec<Term>> = a.args.iter().map(|t| placed(t, &map, known.symbols())).collect();
            let Some(args) = args else { continue };
            let atom = Atom { pred: a.pred, args, span: atom.span };
            let same = |l: &Literal| matches!(l, Literal::Atom(Sign::None, b) if b.pred == atom.pred && common(b, &atom).len() == b.args.len());
            if !rule.body.iter().chain(&out).any(same) {
                out.push(Literal::Atom(Sign::None, atom));
            }
        }
    }
    out
}

/// The one element of a choice that can derive an atom of a body.
fn only_source<'r>(
    atom: &Atom,
    rule: &Rule,
    rules: &'r [Rule],
    known: &mut dyn Known,
) -> Option<(&'r Rule, &'r HeadElement)> {
    let mut only = None;
    for source in rules {
        match &source.head {
            head if !head.derives(|a| a.pred == atom.pred) => {}
            // All that these derive are facts.
            Head::Atom(_) if is_certain(source, known) => {}
            Head::Aggregate { elements, .. } => {
                for e in elements {
                    let symbols = known.symbols();
                    let meets = |a: &Atom| a.pred == atom.pred && all_unify(&a.args, &atom.args, symbols);
                    if e.atom().is_some_and(meets) && only.replace((source, e)).is_some() {
                        return None;
                    }
                }
            }
            _ => return None,
        }
    }
    let only = only?;
    let ranges: Vec<Option<(i64, i64)>> = (0..atom.args.len())
        .map(|c| match &atom.args[c] {
            Term::Var(v) | Term::Linear { var: v, .. } => range(*v, rule, known),
            _ => None,
        })
        .collect();
    let fits = |c: usize, value: Sym| match (&atom.args[c], ranges[c]) {
        (Term::Sym(s), _) => *s == value,
        (Term::Var(_), Some((low, high))) => known.number(value).is_some_and(|n| low <= n && n <= high),
        (Term::Linear { coefficient, offset, .. }, Some((low, high))) => {
            known.number(value).is_some_and(|n| {
                let (n, c) = (i128::from(n) - i128::from(*offset), i128::from(*coefficient));
                n % c == 0 && i128::from(low) <= n / c && n / c <= i128::from(high)
            })
        }
        _ => true,
    };
    (!known.has_fact(atom.pred, &fits)).then_some(only)
}

/// Whether all instances of a rule have certain bodies.
fn is_certain(rule: &Rule, known: &dyn Known) -> bool {
    rule.body.iter().all(|l| match l {
        Literal::Atom(Sign::None, a) => known.is_complete(a.pred) && known.is_all_facts(a.pred),
        Literal::Compare(..) | Literal::Range(..) => true,
        _ => false,
    })
}

/// The integers between which a variable lies, by the columns in which it stands alone.
fn range(v: Var, rule: &Rule, known: &mut dyn Known) -> Option<(i64, i64)> {
    let mut found: Option<(i64, i64)> = None;
    for l in &rule.body {
        let Literal::Atom(Sign::None, a) = l else { continue };
        for c in (0..a.args.len()).filter(|&c| a.args[c] == Term::Var(v)) {
            if !known.is_complete(a.pred) {
                continue;
            }
            if let Some((low, high)) = known.range(a.pred, c) {
                found = Some(found.map_or((low, high), |f| (f.0.max(low), f.1.min(high))));
            }
        }
    }
    found
}

/// The variables of a head as terms of the body in which it matches an atom; those that cannot be determined are left out.
fn matched(head: &Atom, atom: &Atom, symbols: &mut Symbols) -> Map<Var, Term> {
    let mut map: Map<Var, Term> = Map::default();
    for (s, t) in head.args.iter().zip(&atom.args) {
        if let Term::Var(w) = s {
            map.entry(*w).or_insert_with(|| t.clone());
            continue;
        }
        let (Some(s), Some(t)) = (linear(s, symbols), linear(t, symbols)) else { continue };
        // w + a = t: the atom has an integer there.
        let [(1, w)] = s.terms[..] else { continue };
        let Some(offset) = t.constant.checked_sub(s.constant) else { continue };
        let term = match t.terms[..] {
            [] => Term::Sym(symbols.num(offset)),
            [(1, v)] if offset == 0 => Term::Var(v),
            [(coefficient, var)] => Term::Linear { coefficient, var, offset, span: atom.span },
            _ => continue,
        };
        map.entry(w).or_insert(term);
    }
    map
}

/// Adds the variables of a supporting body that keys determine, by atoms of the body that it supports.
fn determine<'r, I: Iterator<Item = &'r Literal>>(
    rule: &Rule,
    literals: impl Fn() -> I,
    map: &mut Map<Var, Term>,
    known: &mut dyn Known,
) {
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for l in literals() {
            let Literal::Atom(Sign::None, own) = l else { continue };
            let args: Vec<Option<Term>> = own.args.iter().map(|t| placed(t, map, known.symbols())).collect();
            let open = |c: usize| matches!(&own.args[c], Term::Var(_)) && args[c].is_none();
            if !known.is_complete(own.pred) || !(0..args.len()).any(open) {
                continue;
            }
            for other in &rule.body {
                let Literal::Atom(Sign::None, b) = other else { continue };
                if b.pred != own.pred {
                    continue;
                }
                let same = |c: &usize| args[*c].as_ref().is_some_and(|t| same_term(t, &b.args[*c]));
                let by: Vec<usize> = (0..args.len()).filter(same).collect();
                for c in known.determined(own.pred, &by) {
                    if let (true, Term::Var(v)) = (open(c), &own.args[c]) {
                        changed |= map.insert(*v, b.args[c].clone()).is_none();
                    }
                }
            }
        }
    }
}

/// A term with its variables replaced, if all are known and it remains a pattern.
fn placed(t: &Term, map: &Map<Var, Term>, symbols: &mut Symbols) -> Option<Term> {
    Some(match t {
        Term::Sym(_) => t.clone(),
        Term::Var(v) => map.get(v)?.clone(),
        Term::Linear { coefficient: c, var, offset, span } => match map.get(var)? {
            Term::Var(v) => Term::Linear { coefficient: *c, var: *v, offset: *offset, span: *span },
            Term::Linear { coefficient: d, var, offset: o, .. } => {
                let coefficient = c.checked_mul(*d)?;
                let offset = c.checked_mul(*o)?.checked_add(*offset)?;
                if (coefficient, offset) == (1, 0) {
                    return Some(Term::Var(*var));
                }
                Term::Linear { coefficient, var: *var, offset, span: *span }
            }
            Term::Sym(s) => {
                let n = symbols.as_num(*s)?.checked_mul(*c)?.checked_add(*offset)?;
                Term::Sym(symbols.num(n))
            }
            _ => return None,
        },
        _ => return None,
    })
}
