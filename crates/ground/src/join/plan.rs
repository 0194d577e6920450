//! Join plans: the literals of a body in an order in which each one's inputs are available, and the access path of
//! each.
//!
//! Checks and equations run as soon as their variables are bound; a linear equation is solved for its last variable;
//! among the literals that enumerate, the one with the fewest expected matches comes next (greedy; System R's
//! selectivities: Selinger et al., *Access path selection*, SIGMOD 1979); order comparisons with one unbound variable
//! become ranges of an ordered index, and equations that do not give a variable its value keys of an index on calculated
//! values. Aggregates and conditional literals come last.
//!
//! Invariant: a step reads only variables that earlier steps (or the rule, for a nested plan) have bound.

use super::calculated::{self, CalculatedKey};
use crate::domain::Domain;
use crate::parity::{Known, Parity};
use crate::state::Pending;
use asp_base::index_vec::IndexVec;
use asp_base::span::Span;
use asp_base::symbol::{StrId, Sym, Symbols};
pub(crate) use asp_rewrite::linear::Linear;
use asp_rewrite::linear::difference;
use asp_rewrite::predicate::PredId;
use asp_rewrite::rule::{Atom, Literal, Term, Var};
use asp_rewrite::safety::is_bound;
use asp_syntax::ast::{Relation, Sign, UnaryOp};

/// Which rows of a domain a literal ranges over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// All rows that existed when the round started (for a complete domain: all).
    All,
    /// Rows older than the delta.
    Old,
    Delta,
}

/// How a value is matched.
#[derive(Clone, Debug)]
pub(crate) enum Match {
    /// Must be this.
    Is(Sym),
    /// Must be what the variable holds.
    Same(Var),
    /// Binds the variable.
    Bind(Var),
    /// Must be the term's value.
    Equal(Term),
    /// `coefficient * var + offset`: binds the variable if there is a solution.
    Solve(i64, Var, i64),
    /// `-var`
    Negate(Var),
    /// A function with matching arguments.
    Fun(StrId, bool, Vec<Match>),
    /// A tuple with matching members.
    Tuple(Vec<Match>),
}

/// An end of a range on an ordered index.
#[derive(Clone, Debug)]
pub(crate) enum BoundValue {
    /// The term's value, in the order of terms.
    Term(Term),
    /// `sum / divisor`, an integer; rounded towards the inside of the range.
    Quotient(Linear, i64),
}

/// One side of a range.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    /// Whether values must be below.
    pub upper: bool,
    /// Whether the end itself is included.
    pub inclusive: bool,
    pub value: BoundValue,
}

/// Enumerates rows of a domain.
#[derive(Clone, Debug)]
pub(crate) struct Scan {
    pub pred: PredId,
    /// Which of its rows.
    pub source: Source,
    /// The index and the key's terms, one for each of its columns.
    pub index: Option<(usize, Vec<Term>)>,
    /// A more selective index on the same columns, in the same order.
    pub calculated: Option<CalculatedKey>,
    /// Ends of the range on the index's order column.
    pub bounds: Vec<Bound>,
    /// The index's order column.
    pub order: Option<u32>,
    /// Whether one row suffices, since the others would bind nothing that is used.
    pub first_only: bool,
    /// An index whose groups need one row each, since the other columns bind nothing that is used.
    pub groups: Option<usize>,
    /// How to match the other columns.
    pub matches: Vec<(u32, Match)>,
}

#[derive(Clone, Debug)]
pub(crate) enum PlanStep {
    /// A positive literal that binds something.
    Scan(Scan),
    /// A positive literal whose arguments are bound. With `reserve`, an atom that may still be derived counts as
    /// possible.
    Lookup {
        pred: PredId,
        args: Vec<Term>,
        /// Which rows count.
        source: Source,
        /// Whether atoms without a row count if their domain is incomplete.
        reserve: bool,
    },
    /// `not a`, or `not not a` if `double`.
    Negative {
        pred: PredId,
        args: Vec<Term>,
        /// Whether it is negated twice.
        double: bool,
        /// Whether some rule may derive such an atom.
        grows: bool,
    },
    /// A comparison of bound terms.
    Compare(Relation, Term, Term),
    /// `pattern = term`
    Assign(Match, Term),
    /// `coefficient * var + sum = 0`
    Solve(i64, Var, Linear),
    /// `match` lies in `lo..hi` and within bounds; enumerates.
    Range(Match, Term, Term, Vec<Bound>, Span),
    /// A bound term lies in `lo..hi`.
    InRange(Term, Term, Term, Span),
    /// Never holds.
    False,
    /// The rule's aggregate with this number, all guards bound.
    Aggregate(usize),
    /// The same, with one guard, by its number, still to be matched: enumerates the aggregate's possible values.
    AggregateValue(usize, usize, Match),
    /// The rule's conditional literal with this number.
    Conditional(usize),
    /// The rule's theory atom with this number.
    Theory(usize, Sign),
}

/// The planner's view of the grounding so far.
pub(crate) struct PlanContext<'a> {
    /// Domains by predicate.
    pub domains: &'a mut IndexVec<PredId, Domain>,
    /// Whether a predicate's domain is complete.
    pub complete: &'a IndexVec<PredId, bool>,
    /// The atoms that rules may still derive.
    pub pending: &'a Pending<'a>,
    /// The decisions that follow gringo's.
    pub parity: &'a Parity,
    /// All terms.
    pub symbols: &'a Symbols,
    /// The literals of the body planned last, in the order of the plan.
    pub order: Vec<usize>,
}

impl<'a> PlanContext<'a> {
    /// The known atoms.
    pub(crate) fn known(&self) -> Known<'a> {
        Known { complete: self.complete, pending: self.pending, symbols: self.symbols }
    }
}

/// Compiles the matching of a value against a pattern; marks what it binds.
pub(crate) fn matcher(t: &Term, bound: &mut [bool]) -> Match {
    match t {
        Term::Sym(s) => Match::Is(*s),
        Term::Var(v) if bound[v.0 as usize] => Match::Same(*v),
        t if is_bound(t, bound) => Match::Equal(t.clone()),
        Term::Var(v) => {
            bound[v.0 as usize] = true;
            Match::Bind(*v)
        }
        Term::Linear { coefficient, var, offset, .. } => {
            bound[var.0 as usize] = true;
            Match::Solve(*coefficient, *var, *offset)
        }
        Term::Negated(v, _) => {
            bound[v.0 as usize] = true;
            Match::Negate(*v)
        }
        Term::Fun(name, negative, args) => {
            Match::Fun(*name, *negative, args.iter().map(|a| matcher(a, bound)).collect())
        }
        Term::Tuple(args) => Match::Tuple(args.iter().map(|a| matcher(a, bound)).collect()),
        other => Match::Equal(other.clone()),
    }
}

/// Plans a body. `bound` marks the variables that are bound before, and afterwards; `once` those that occur only once
/// in the rule; `source` gives the rows of each positive literal by its position; `first` is the literal to start with
/// (the delta); `reserve` is as in [`PlanStep::Lookup`].
pub(crate) fn compile(
    body: &[Literal],
    bound: &mut [bool],
    once: &[bool],
    source: &dyn Fn(usize) -> Source,
    first: Option<usize>,
    reserve: bool,
    context: &mut PlanContext<'_>,
) -> Vec<PlanStep> {
    let mut planner = Planner { body, bound, once, source, reserve, context, nested: nested_numbers(body) };
    let mut rest: Vec<usize> = (0..body.len()).collect();
    let mut steps = Vec::with_capacity(body.len());
    let mut order = Vec::with_capacity(body.len());
    let mut first = first;
    while !rest.is_empty() {
        let from_last = planner.context.parity.in_order;
        let cheap = |i: &&usize| planner.is_cheap(**i);
        let next = if from_last { rest.iter().rfind(cheap) } else { rest.iter().find(cheap) };
        let place = if let Some(p) = next.and_then(|n| rest.iter().position(|i| i == n)) {
            p
        } else if let Some(p) = first.take().and_then(|f| rest.iter().position(|&i| i == f)) {
            p
        } else {
            let costs: Vec<f64> = rest.iter().map(|&i| planner.cost(i, &rest)).collect();
            let costs = costs.iter().enumerate();
            let best = match from_last {
                true => costs.rev().min_by(|a, b| a.1.total_cmp(b.1)),
                false => costs.min_by(|a, b| a.1.total_cmp(b.1)),
            };
            match best {
                Some((p, c)) if c.is_finite() => p,
                _ => break, // cannot happen for a safe rule
            }
        };
        let i = rest.remove(place);
        let step = planner.step(i, &rest);
        steps.push(step);
        order.push(i);
    }
    planner.context.order = order;
    debug_assert!(rest.is_empty(), "unsafe literals reached the planner");
    steps
}

/// The number of each aggregate among the body's aggregates; likewise for conditional literals and theory atoms.
fn nested_numbers(body: &[Literal]) -> Vec<usize> {
    let (mut aggregates, mut conditionals, mut theories) = (0, 0, 0);
    body.iter()
        .map(|l| {
            let counter = match l {
                Literal::Aggregate(_) => &mut aggregates,
                Literal::Conditional(_) => &mut conditionals,
                Literal::Theory(..) => &mut theories,
                _ => return 0,
            };
            *counter += 1;
            *counter - 1
        })
        .collect()
}

/// The expected number of rows with a given value in each of some columns.
fn expected_rows(domain: &mut Domain, rows: u32, columns: &[u32]) -> f64 {
    columns.iter().fold(f64::from(rows), |rows, &c| rows / f64::from(domain.distinct(c as usize).max(1)))
}

struct Planner<'a, 'b> {
    body: &'a [Literal],
    bound: &'a mut [bool],
    once: &'a [bool],
    source: &'a dyn Fn(usize) -> Source,
    reserve: bool,
    context: &'a mut PlanContext<'b>,
    nested: Vec<usize>,
}

impl Planner<'_, '_> {
    fn bound(&self, t: &Term) -> bool {
        is_bound(t, self.bound)
    }

    /// The columns of an atom whose terms are bound.
    fn keys(&self, a: &Atom) -> Vec<u32> {
        (0..a.args.len() as u32).filter(|&c| self.bound(&a.args[c as usize])).collect()
    }

    /// The only unbound variable of a sum, with its coefficient.
    fn unknown(&self, l: &Linear) -> Option<(i64, Var)> {
        let mut unbound = l.terms.iter().filter(|(_, v)| !self.bound[v.0 as usize]);
        let one = unbound.next().copied();
        if unbound.next().is_some() { None } else { one }
    }

    fn solvable(&self, s: &Term, t: &Term) -> Option<(i64, Var, Linear)> {
        let mut sum = difference(s, t, self.context.symbols)?;
        let (c, v) = self.unknown(&sum)?;
        sum.terms.retain(|&(_, w)| w != v);
        Some((c, v, sum))
    }

    /// Whether a literal runs without enumerating.
    fn is_cheap(&self, i: usize) -> bool {
        match &self.body[i] {
            Literal::Atom(_, a) => a.args.iter().all(|t| self.bound(t)),
            Literal::Compare(Relation::Equal, s, t, _) => {
                let (left, right) = (self.bound(s), self.bound(t));
                (left && (right || t.is_pattern()))
                    || (right && s.is_pattern())
                    || self.solvable(s, t).is_some()
            }
            Literal::Compare(_, s, t, _) => self.bound(s) && self.bound(t),
            Literal::Range(t, lo, hi, _) => self.bound(t) && self.bound(lo) && self.bound(hi),
            Literal::False(_) => true,
            Literal::Aggregate(_) | Literal::Conditional(_) | Literal::Theory(..) => false,
        }
    }

    /// Expected number of matches; infinite if the literal cannot run yet.
    fn cost(&mut self, i: usize, rest: &[usize]) -> f64 {
        let source = (self.source)(i);
        match &self.body[i] {
            Literal::Atom(Sign::None, a) => {
                let keys = self.keys(a);
                let domain = &mut self.context.domains[a.pred];
                let rows = match source {
                    Source::All => domain.len(),
                    Source::Old => domain.old_end,
                    Source::Delta => domain.delta_end - domain.old_end,
                };
                let mut expected = expected_rows(domain, rows, &keys);
                if rows > 16 && !self.scan_bounds(a, rest).is_empty() {
                    expected /= 4.0;
                }
                // An atom that may be reserved comes after what binds its arguments.
                if self.reserve { expected + 1e16 } else { expected }
            }
            Literal::Range(t, lo, hi, _) if t.is_pattern() && self.bound(lo) && self.bound(hi) => {
                match (lo, hi) {
                    (Term::Sym(lo), Term::Sym(hi)) => {
                        match (self.context.symbols.as_num(*lo), self.context.symbols.as_num(*hi)) {
                            (Some(lo), Some(hi)) => (hi as f64 - lo as f64 + 1.0).max(0.0),
                            _ => 0.0,
                        }
                    }
                    _ => 10.0,
                }
            }
            Literal::Aggregate(a) => {
                let ready = a.globals.iter().all(|v| self.bound[v.0 as usize]);
                let open = a.guards.iter().filter(|(_, t)| !self.bound(t)).count();
                let assignable =
                    a.guards.iter().any(|(r, t)| *r == Relation::Equal && t.is_pattern() && !self.bound(t));
                match (ready, open) {
                    (true, 0) => 1e18,
                    (true, 1) if assignable && a.sign == Sign::None => 1e19,
                    _ => f64::INFINITY,
                }
            }
            Literal::Conditional(c) if c.globals.iter().all(|v| self.bound[v.0 as usize]) => 1e18,
            Literal::Theory(_, a) if a.globals.iter().all(|v| self.bound[v.0 as usize]) => 1e18,
            _ => f64::INFINITY,
        }
    }

    /// The bounds that later comparisons put on columns of a scan, each with its column.
    fn scan_bounds(&self, a: &Atom, rest: &[usize]) -> Vec<(u32, Bound)> {
        self.bounds(&|v| a.args.iter().position(|t| *t == Term::Var(v)).map(|c| c as u32), rest)
    }

    /// The bounds that later comparisons put on the values of an interval; only those that have a value.
    fn range_bounds(&self, t: &Term, rest: &[usize]) -> Vec<Bound> {
        let Term::Var(own) = t else { return Vec::new() };
        let bounds = self.bounds(&|v| (v == *own).then_some(0), rest).into_iter().map(|(_, b)| b);
        let has_value = |b: &Bound| match &b.value {
            BoundValue::Term(t) => matches!(t, Term::Sym(_) | Term::Var(_)),
            BoundValue::Quotient(..) => true,
        };
        bounds.filter(has_value).collect()
    }

    /// The bounds that later comparisons put on unbound variables that have a column.
    fn bounds(&self, column: &dyn Fn(Var) -> Option<u32>, rest: &[usize]) -> Vec<(u32, Bound)> {
        let unbound = |t: &Term| match t {
            Term::Var(v) if !self.bound[v.0 as usize] => column(*v),
            _ => None,
        };
        let mut out: Vec<(u32, Bound)> = Vec::new();
        // With `numbers`, only where all terms are numbers.
        let mut consider = |relation: Relation, s: &Term, t: &Term, numbers: bool| -> Option<()> {
            let mut side = |relation: Relation, column, value| {
                let (upper, inclusive) = match relation {
                    Relation::Less => (true, false),
                    Relation::LessEqual => (true, true),
                    Relation::Greater => (false, false),
                    Relation::GreaterEqual => (false, true),
                    Relation::Equal | Relation::NotEqual => return,
                };
                out.push((column, Bound { upper, inclusive, value }));
            };
            if let (Some(c), true, false) = (unbound(s), self.bound(t), numbers) {
                side(relation, c, BoundValue::Term(t.clone()));
            } else if let (Some(c), true, false) = (unbound(t), self.bound(s), numbers) {
                side(relation.flip(), c, BoundValue::Term(s.clone()));
            } else {
                let (coefficient, v, mut sum) = self.solvable(s, t)?;
                // coefficient * v + sum  relation  0, so v  relation  -sum / coefficient (flipped if negative).
                let c = column(v)?;
                let relation = if coefficient < 0 { relation.flip() } else { relation };
                if coefficient > 0 {
                    for (c, _) in &mut sum.terms {
                        *c = c.checked_neg()?;
                    }
                    sum.constant = sum.constant.checked_neg()?;
                }
                side(relation, c, BoundValue::Quotient(sum, coefficient.checked_abs()?));
            }
            Some(())
        };
        for &j in rest {
            let Literal::Compare(relation, s, t, span) = &self.body[j] else { continue };
            let (relation, s, t) = match t {
                Term::Absolute(..) => (relation.flip(), t, s),
                _ => (*relation, s, t),
            };
            match (s, relation) {
                // `|e| <= t` is `-t <= e <= t` if `t` is a number; else all of them are less, or greater.
                (Term::Absolute(e, _), Relation::Less | Relation::LessEqual) => {
                    consider(relation, e, t, false);
                    let negated = Term::Unary(UnaryOp::Minus, Box::new(t.clone()), *span);
                    consider(relation.flip(), e, &negated, true);
                }
                _ => {
                    consider(relation, s, t, false);
                }
            }
        }
        out
    }

    fn step(&mut self, i: usize, rest: &[usize]) -> PlanStep {
        match &self.body[i] {
            Literal::Atom(Sign::None, a) => {
                if a.args.iter().all(|t| self.bound(t)) {
                    let source = (self.source)(i);
                    return PlanStep::Lookup {
                        pred: a.pred,
                        args: a.args.clone(),
                        source,
                        reserve: self.reserve
                            && self.context.pending.may_derive(a.pred, &a.args, self.context.symbols),
                    };
                }
                self.scan(i, rest)
            }
            Literal::Atom(sign, a) => {
                let (args, double) = (a.args.clone(), *sign == Sign::NotNot);
                let grows = self.context.pending.may_derive(a.pred, &args, self.context.symbols);
                PlanStep::Negative { pred: a.pred, args, double, grows }
            }
            Literal::Compare(relation, s, t, _) => {
                let (left, right) = (self.bound(s), self.bound(t));
                if left && right || *relation != Relation::Equal {
                    PlanStep::Compare(*relation, s.clone(), t.clone())
                } else if left && t.is_pattern() {
                    PlanStep::Assign(matcher(t, self.bound), s.clone())
                } else if right && s.is_pattern() {
                    PlanStep::Assign(matcher(s, self.bound), t.clone())
                } else if let Some((c, v, sum)) = self.solvable(s, t) {
                    self.bound[v.0 as usize] = true;
                    PlanStep::Solve(c, v, sum)
                } else {
                    PlanStep::False
                }
            }
            Literal::Range(t, lo, hi, span) => {
                if self.bound(t) {
                    PlanStep::InRange(t.clone(), lo.clone(), hi.clone(), *span)
                } else {
                    let bounds = self.range_bounds(t, rest);
                    PlanStep::Range(matcher(t, self.bound), lo.clone(), hi.clone(), bounds, *span)
                }
            }
            Literal::False(_) => PlanStep::False,
            Literal::Theory(sign, _) => PlanStep::Theory(self.nested[i], *sign),
            Literal::Aggregate(a) => {
                let open = a.guards.iter().position(|(_, t)| !self.bound(t));
                match open {
                    None => PlanStep::Aggregate(self.nested[i]),
                    Some(g) => {
                        let m = matcher(&a.guards[g].1, self.bound);
                        PlanStep::AggregateValue(self.nested[i], g, m)
                    }
                }
            }
            Literal::Conditional(_) => PlanStep::Conditional(self.nested[i]),
        }
    }

    fn scan(&mut self, i: usize, rest: &[usize]) -> PlanStep {
        let Literal::Atom(_, a) = &self.body[i] else { return PlanStep::False };
        let source = (self.source)(i);
        let keys = self.keys(a);
        let (mut bounds, mut values) = (Vec::new(), Vec::new());
        let mut order = None;
        if self.context.complete[a.pred] && self.context.domains[a.pred].len() > 16 {
            let domain = &mut self.context.domains[a.pred];
            if expected_rows(domain, domain.len(), &keys) > calculated::FEW {
                let equations = rest.iter().filter_map(|&j| match &self.body[j] {
                    Literal::Compare(Relation::Equal, s, t, _) => Some((s, t)),
                    _ => None,
                });
                values = calculated::values(a, equations, self.bound, self.context.symbols);
            }
            let all = self.scan_bounds(a, rest);
            // One column only: the one with the most bounds.
            order = all
                .iter()
                .map(|(c, _)| *c)
                .max_by_key(|c| (all.iter().filter(|(d, _)| d == c).count(), std::cmp::Reverse(*c)));
            bounds = all.into_iter().filter(|(c, _)| Some(*c) == order).map(|(_, b)| b).collect();
        }
        let index = (!keys.is_empty() || order.is_some()).then(|| {
            let terms = keys.iter().map(|&c| a.args[c as usize].clone()).collect();
            (self.context.domains[a.pred].index(&keys, &[], order, self.context.symbols), terms)
        });
        let mut columns: Vec<u32> = (0..a.args.len() as u32).filter(|c| !keys.contains(c)).collect();
        // Of facts that differ only in unused columns, one suffices.
        let idle = |c: &u32| matches!(&a.args[*c as usize], Term::Var(v) if self.once[v.0 as usize]);
        let (mut first_only, mut groups) = (false, None);
        let facts = self.context.complete[a.pred] && self.context.domains[a.pred].is_all_facts();
        if facts && source == Source::All && order.is_none() && columns.iter().any(idle) {
            if columns.iter().all(idle) {
                first_only = true;
            } else if keys.is_empty() {
                let used: Vec<u32> = columns.iter().copied().filter(|c| !idle(c)).collect();
                groups = Some(self.context.domains[a.pred].index(&used, &[], None, self.context.symbols));
                columns = used;
            }
        }
        let domain = &mut self.context.domains[a.pred];
        let is_plain = first_only || groups.is_some() || values.is_empty();
        let calculated = (!is_plain).then(|| {
            let (values, wanted): (Vec<_>, _) = values.into_iter().unzip();
            CalculatedKey { index: domain.index(&keys, &values, order, self.context.symbols), wanted }
        });
        let calculated = calculated.filter(|key| domain.indexes[key.index].is_total());
        // Binding columns first, so that later ones can be checked against them.
        let mut matches = Vec::with_capacity(columns.len());
        for &c in &columns {
            matches.push((c, matcher(&a.args[c as usize], self.bound)));
        }
        PlanStep::Scan(Scan {
            pred: a.pred,
            source,
            index,
            calculated,
            bounds,
            order,
            first_only,
            groups,
            matches,
        })
    }
}
