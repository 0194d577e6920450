//! Compared assigned aggregates: `:- S = #sum { V,I : a(I,V) }, T = #sum { V,I : b(I,V) }, S > T+5.` becomes
//! `:- #sum { V,0,I : a(I,V); -V,1,I : b(I,V) } > 5.`
//!
//! A variable is *free* if an aggregate assigns it and it occurs elsewhere only in comparisons that are linear in free variables
//! of sums and counts, or that compare a minimum or maximum alone with a term without free variables. Each such comparison
//! becomes one aggregate. `|s| > t` is `s > t` or `-s > t`, `|s| < t` is `s < t` and `-s < t`.
//!
//! Proof that the answer sets stay the same. In a given set of atoms the aggregate has exactly one value, so there is exactly one
//! value of the free variable with which the body can hold: the body holds if and only if the comparisons do with that value.
//! The value of a sum over tuples `(w,t)` times `c` is the sum over `(c*w,k,t)`, where `c` is not 0 and `k` tells the tuples of
//! the aggregates apart; all weights are integers (near misses are left alone) and small enough that no sum can overflow. What the
//! conditions read is complete, so no loop leads through them: as in [`equations`](super::equations), old and new rules support
//! the same atoms in the same sets.

use super::linear_form::{Form, Guard, form, inline, negated_form};
use crate::predicate::PredId;
use crate::rule::{Aggregate, AggregateElement, Head, Literal, Rule, Term, Var, VarInfo, literal_vars};
use crate::safety;
use asp_base::map::Map;
use asp_base::span::Span;
use asp_base::symbol::Symbols;
use asp_syntax::ast::{AggregateFunction, BinaryOp, Relation, Sign, UnaryOp};

/// No multiple of a weight may exceed this.
const MAX_WEIGHT: i128 = 1 << 40;
/// Comparisons of absolute values in one body that are taken apart.
const MAX_ABSOLUTE: usize = 3;
/// Bodies with more literals are left alone.
const MAX_LITERALS: usize = 200;

/// The pass's view of the domains.
pub trait Columns {
    /// Whether a predicate's domain is final.
    fn is_complete(&self, pred: PredId) -> bool;
    /// The least and the greatest value of a column that has nothing but integers.
    fn range(&self, pred: PredId, column: usize, symbols: &Symbols) -> Option<(i64, i64)>;
}

/// A rule, and what is known of what it reads.
#[derive(Clone, Copy)]
struct Scene<'a> {
    rule: &'a Rule,
    known: &'a dyn Columns,
    symbols: &'a Symbols,
}

/// An aggregate that assigns its value to a variable.
struct Assigned {
    literal: usize,
    var: Var,
    function: AggregateFunction,
}

/// Whether an aggregate gives its value to a variable that is not bound by others.
fn assigned(l: &Literal) -> Option<(&Aggregate, Var)> {
    match l {
        Literal::Aggregate(a) if a.sign == Sign::None => match a.guards[..] {
            [(Relation::Equal, Term::Var(v))] => Some((a, v)),
            _ => None,
        },
        _ => None,
    }
}

/// How many aggregates of a body assign their value to a variable.
pub fn count(body: &[Literal]) -> usize {
    body.iter().filter(|l| assigned(l).is_some()).count()
}

/// The rules with comparisons of aggregates in place of their values, if there are any.
pub fn merged(rule: &Rule, known: &dyn Columns, symbols: &mut Symbols) -> Option<Vec<Rule>> {
    let suits = matches!(rule.head, Head::Constraint | Head::Atom(_)) && rule.body.len() <= MAX_LITERALS;
    if !suits || count(&rule.body) == 0 {
        return None;
    }
    let mut rule = told_apart(rule);
    let in_head = |v: Var| rule.head.terms().iter().any(|t| t.has(v));
    rule.body = inline(&rule, &in_head).0;
    let merged: Option<Vec<Rule>> =
        split_absolute(&rule).iter().map(|rule| merge(rule, known, symbols)).collect();
    merged
}

/// The rule with a variable of its own for each aggregate.
fn told_apart(rule: &Rule) -> Rule {
    let mut out = rule.clone();
    let mut seen: Vec<Var> = Vec::new();
    for i in 0..rule.body.len() {
        let Some((a, v)) = assigned(&rule.body[i]) else { continue };
        if !seen.contains(&v) {
            seen.push(v);
            continue;
        }
        let own = Var(out.vars.len() as u32);
        out.vars.push(VarInfo { name: None, ..rule.vars[v.0 as usize] });
        let guards = vec![(Relation::Equal, Term::Var(own))];
        out.body[i] = Literal::Aggregate(Box::new(Aggregate { guards, ..a.clone() }));
        out.body.push(Literal::Compare(Relation::Equal, Term::Var(v), Term::Var(own), a.span));
    }
    out
}

/// The rule without absolute values beside orders.
fn split_absolute(rule: &Rule) -> Vec<Rule> {
    let mut done = Vec::new();
    let mut open = vec![(rule.clone(), MAX_ABSOLUTE)];
    while let Some((mut rule, left)) = open.pop() {
        let found = rule.body.iter().enumerate().find_map(|(i, l)| Some((i, absolute(l)?)));
        let Some((i, (relation, inner, other, span))) = found.filter(|_| left > 0) else {
            done.push(rule);
            continue;
        };
        let minus = Term::Unary(UnaryOp::Minus, Box::new(inner.clone()), span);
        let [plus, minus] = [inner, minus].map(|t| Literal::Compare(relation, t, other.clone(), span));
        if matches!(relation, Relation::Less | Relation::LessEqual) {
            rule.body[i] = plus;
            rule.body.push(minus);
        } else {
            let mut second = rule.clone();
            (rule.body[i], second.body[i]) = (plus, minus);
            open.push((second, left - 1));
        }
        open.push((rule, left - 1));
    }
    done
}

/// `|s| relation t`, if the relation is an order.
fn absolute(l: &Literal) -> Option<(Relation, Term, Term, Span)> {
    let Literal::Compare(relation, s, t, span) = l else { return None };
    let (relation, inner, other) = match (s, t) {
        (Term::Absolute(s, _), t) if !matches!(t, Term::Absolute(..)) => (*relation, s, t),
        (s, Term::Absolute(t, _)) if !matches!(s, Term::Absolute(..)) => (relation.flip(), t, s),
        _ => return None,
    };
    // `|t|` has no value where `t` is no number; `t` has one.
    let arithmetic = matches!(**inner, Term::Binary(..) | Term::Linear { .. });
    let order = !matches!(relation, Relation::Equal | Relation::NotEqual);
    (order && arithmetic).then(|| (relation, (**inner).clone(), other.clone(), *span))
}

/// One rule; `None` if nothing can be merged.
fn merge(rule: &Rule, known: &dyn Columns, symbols: &mut Symbols) -> Option<Rule> {
    let (free, forms) = Scene { rule, known, symbols }.settle();
    if free.is_empty() {
        return None;
    }
    let mut out = rule.clone();
    let stays = |i: usize| !free.iter().any(|f| f.literal == i) && !forms.iter().any(|f| f.0 == i);
    out.body = (0..rule.body.len()).filter(|&i| stays(i)).map(|i| rule.body[i].clone()).collect();
    let mut written: Vec<(Vec<(i64, Var)>, usize)> = Vec::new();
    for (i, form) in forms {
        let Literal::Compare(.., span) = rule.body[i] else { return None };
        let form = if form.terms.first().is_some_and(|t| t.0 < 0) { negated_form(form)? } else { form };
        let guard = (form.relation, form.guard.term(span, symbols));
        // Two bounds of the same sum are one aggregate.
        let same = written.iter().find(|(terms, at)| {
            *terms == form.terms && matches!(&out.body[*at], Literal::Aggregate(a) if a.guards.len() < 2)
        });
        if let Some(Literal::Aggregate(a)) = same.map(|&(_, at)| at).and_then(|at| out.body.get_mut(at)) {
            a.guards.push(guard);
            continue;
        }
        written.push((form.terms.clone(), out.body.len()));
        let one = written_sum(rule, &form.terms, &free, guard, span, &mut out.vars, symbols)?;
        out.body.push(Literal::Aggregate(Box::new(one)));
    }
    let mut bound = vec![false; out.vars.len()];
    let mut safe = safety::binds_all(&out.body, &mut bound);
    out.head.terms().iter().for_each(|t| t.for_each_var(&mut |v| safe &= bound[v.0 as usize]));
    safe.then_some(out)
}

/// Terms that are nested deeper are left alone.
const MAX_DEPTH: u32 = 50;

impl Scene<'_> {
    /// The free variables with their aggregates, and the comparisons of them as linear forms.
    fn settle(self) -> (Vec<Assigned>, Vec<(usize, Form)>) {
        let mut free: Vec<Assigned> = Vec::new();
        for (literal, l) in self.rule.body.iter().enumerate() {
            let Some((a, var)) = assigned(l) else { continue };
            let used = |(i, m): (usize, &Literal)| {
                let mut found = false;
                let nested = i == literal || !matches!(m, Literal::Compare(..));
                match m {
                    _ if !nested => {}
                    Literal::Aggregate(b) if i == literal => found = b.globals.contains(&var),
                    m => literal_vars(m, &mut |v| found |= v == var),
                }
                found
            };
            let mut elsewhere = self.rule.body.iter().enumerate().any(used);
            self.rule.head.terms().iter().for_each(|t| elsewhere |= t.has(var));
            if !elsewhere && self.is_plain(a) {
                free.push(Assigned { literal, var, function: a.function });
            }
        }
        loop {
            let mut forms = Vec::new();
            let mut taken: Vec<Var> = Vec::new();
            for (i, l) in self.rule.body.iter().enumerate() {
                let Literal::Compare(..) = l else { continue };
                let mut of: Vec<Var> = Vec::new();
                literal_vars(l, &mut |v| of.push(v));
                of.retain(|v| free.iter().any(|f| f.var == *v));
                if of.is_empty() {
                    continue;
                }
                match self.linear(l, &free) {
                    Some(form) => forms.push((i, form)),
                    None => taken.append(&mut of),
                }
            }
            if taken.is_empty() {
                return (free, forms);
            }
            free.retain(|f| !taken.contains(&f.var));
        }
    }

    /// A comparison as a linear form of free variables that can be written as one aggregate.
    fn linear(self, l: &Literal, free: &[Assigned]) -> Option<Form> {
        let Literal::Compare(relation, s, t, _) = l else { return None };
        let find = |v: Var| free.iter().find(|f| f.var == v);
        let is_free = |v: Var| find(v).is_some();
        let has_free = |t: &Term| {
            let mut any = false;
            t.for_each_var(&mut |v| any |= is_free(v));
            any
        };
        let extreme = |v: Var| {
            find(v).is_some_and(|f| matches!(f.function, AggregateFunction::Min | AggregateFunction::Max))
        };
        for (relation, s, t) in [(*relation, s, t), (relation.flip(), t, s)] {
            if let Term::Var(v) = s
                && extreme(*v)
                && !has_free(t)
            {
                let guard = Guard::Exact(t.clone());
                return Some(Form { terms: vec![(1, *v)], products: Vec::new(), relation, guard });
            }
        }
        let mut form = form(*relation, s, t, &is_free, &|s| self.symbols.as_num(s))?;
        form.terms.sort_unstable_by_key(|t| t.1);
        let fits = |&(c, v): &(i64, Var)| {
            let weight = find(v).and_then(|f| self.greatest(&self.rule.body[f.literal]));
            !extreme(v) && weight.is_some_and(|w| i128::from(c).abs() * w <= MAX_WEIGHT)
        };
        (!form.terms.is_empty() && form.terms.iter().all(fits)).then_some(form)
    }

    /// Whether an aggregate's conditions are plain literals over complete predicates.
    fn is_plain(self, a: &Aggregate) -> bool {
        let plain = |l: &Literal| match l {
            Literal::Atom(_, a) => self.known.is_complete(a.pred),
            Literal::Compare(..) | Literal::Range(..) => true,
            _ => false,
        };
        let sums = matches!(a.function, AggregateFunction::Sum | AggregateFunction::SumPlus);
        let weighed = |e: &AggregateElement| e.tuple.first().and_then(|w| self.bounds(w, e, 0));
        let fits = |e: &AggregateElement| match weighed(e) {
            Some((low, _)) => a.function == AggregateFunction::Sum || low >= 0,
            None => false,
        };
        a.elements.iter().all(|e| e.condition.iter().all(plain) && (!sums || fits(e)))
    }

    /// The greatest size of a weight.
    fn greatest(self, l: &Literal) -> Option<i128> {
        let (a, _) = assigned(l)?;
        if a.function == AggregateFunction::Count {
            return Some(1);
        }
        let weight = |e: &AggregateElement| self.bounds(e.tuple.first()?, e, 0);
        let sizes: Option<Vec<i128>> =
            a.elements.iter().map(|e| weight(e).map(|(low, high)| low.abs().max(high.abs()))).collect();
        Some(sizes?.into_iter().max().unwrap_or(0))
    }

    /// Between which integers a term of an element lies, if it has no other values.
    fn bounds(self, t: &Term, e: &AggregateElement, depth: u32) -> Option<(i128, i128)> {
        if depth > MAX_DEPTH {
            return None;
        }
        let again = |t: &Term| self.bounds(t, e, depth + 1);
        let scaled = |(low, high): (i128, i128), c: i64| {
            let (low, high) = (low.checked_mul(c.into())?, high.checked_mul(c.into())?);
            Some((low.min(high), low.max(high)))
        };
        let within = |r: &(i128, i128)| r.0.abs() <= MAX_WEIGHT && r.1.abs() <= MAX_WEIGHT;
        let found = match t {
            Term::Sym(s) => self.symbols.as_num(*s).map(|n| (n.into(), n.into())),
            Term::Var(v) => self.of_variable(*v, e, depth),
            Term::Linear { coefficient, var, offset, .. } => {
                let (low, high) = scaled(self.of_variable(*var, e, depth)?, *coefficient)?;
                Some((low + i128::from(*offset), high + i128::from(*offset)))
            }
            Term::Unary(UnaryOp::Minus, a, _) => again(a).map(|(low, high)| (-high, -low)),
            Term::Absolute(a, _) => again(a).map(|(low, high)| (0, low.abs().max(high.abs()))),
            Term::Binary(op, a, b, _) => {
                let (a, b) = (again(a)?, again(b)?);
                match op {
                    BinaryOp::Add => Some((a.0 + b.0, a.1 + b.1)),
                    BinaryOp::Sub => Some((a.0 - b.1, a.1 - b.0)),
                    BinaryOp::Mul => {
                        let size = a.0.abs().max(a.1.abs()).checked_mul(b.0.abs().max(b.1.abs()))?;
                        let low = if a.0 >= 0 && b.0 >= 0 { 0 } else { -size };
                        Some((low, size))
                    }
                    _ => None,
                }
            }
            _ => None,
        };
        found.filter(within)
    }

    /// The same for a variable that a column, a range or an equation binds.
    fn of_variable(self, v: Var, e: &AggregateElement, depth: u32) -> Option<(i128, i128)> {
        let again = |t: &Term| self.bounds(t, e, depth + 1);
        e.condition.iter().chain(&self.rule.body).find_map(|l| match l {
            Literal::Atom(Sign::None, a) if self.known.is_complete(a.pred) => {
                let columns = (0..a.args.len()).filter(|&c| a.args[c] == Term::Var(v));
                let mut ranges = columns.filter_map(|c| self.known.range(a.pred, c, self.symbols));
                ranges.next().map(|(low, high)| (low.into(), high.into()))
            }
            Literal::Range(t, low, high, _) if *t == Term::Var(v) => Some((again(low)?.0, again(high)?.1)),
            Literal::Compare(Relation::Equal, s, t, _) if *s == Term::Var(v) && !t.has(v) => again(t),
            Literal::Compare(Relation::Equal, s, t, _) if *t == Term::Var(v) && !s.has(v) => again(s),
            _ => None,
        })
    }
}

/// The aggregate of a linear form.
fn written_sum(
    rule: &Rule,
    terms: &[(i64, Var)],
    free: &[Assigned],
    guard: (Relation, Term),
    span: Span,
    vars: &mut Vec<VarInfo>,
    symbols: &mut Symbols,
) -> Option<Aggregate> {
    let of = |v: Var| free.iter().find(|f| f.var == v).and_then(|f| assigned(&rule.body[f.literal]));
    let mut elements = Vec::new();
    let mut globals: Vec<Var> = Vec::new();
    for (k, &(coefficient, v)) in terms.iter().enumerate() {
        let (a, _) = of(v)?;
        globals.extend_from_slice(&a.globals);
        for e in &a.elements {
            let mut e = with_own_variables(e, vars)?;
            if terms.len() > 1 || coefficient != 1 {
                if a.function == AggregateFunction::Count {
                    e.tuple.insert(0, Term::Sym(symbols.num(1)));
                }
                let weight = e.tuple.first()?;
                let factor = Term::Sym(symbols.num(coefficient));
                e.tuple[0] = match (coefficient, weight) {
                    (1, w) => w.clone(),
                    (c, Term::Sym(s)) => Term::Sym(symbols.num(symbols.as_num(*s)?.checked_mul(c)?)),
                    (-1, w) => Term::Unary(UnaryOp::Minus, Box::new(w.clone()), span),
                    (_, w) => Term::Binary(BinaryOp::Mul, Box::new(factor), Box::new(w.clone()), span),
                };
                if terms.len() > 1 {
                    e.tuple.insert(1, Term::Sym(symbols.num(k as i64)));
                }
            }
            elements.push(e);
        }
    }
    let (first, _) = of(terms.first()?.1)?;
    let alone = terms.len() == 1 && terms[0].0 == 1;
    let function = if alone { first.function } else { AggregateFunction::Sum };
    globals.sort_unstable();
    globals.dedup();
    let guards = vec![guard];
    Some(Aggregate { sign: Sign::None, function, set: false, guards, elements, globals, span })
}

/// An element with variables of its own in place of the local ones.
fn with_own_variables(e: &AggregateElement, vars: &mut Vec<VarInfo>) -> Option<AggregateElement> {
    let mut to: Map<Var, Var> = Map::default();
    let mut own = |v: Var| {
        if !vars[v.0 as usize].local {
            return v;
        }
        *to.entry(v).or_insert_with(|| {
            vars.push(vars[v.0 as usize]);
            Var(vars.len() as u32 - 1)
        })
    };
    e.map_vars(&mut own)
}
