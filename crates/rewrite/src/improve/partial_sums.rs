//! Bounds of the parts of a long sum: with values from 0 to 9, `100*A+10*B+C = 905` also says that `100*A` lies between 806
//! and 905, and `100*A+10*B` between 896 and 905.
//!
//! A comparison is checked when all of its variables are bound, or all but one. Until then a join enumerates values without any
//! instance: of eight letters with ten values each, ten million combinations. So the parts of the sum, the terms that vary most
//! first, are compared with what the others can compensate, where that leaves at most half of a part's range.
//!
//! Proof that the instances stay the same: only variables that an atom of the body binds by a column of integers are considered,
//! so that they lie between the least and the greatest of them in each instance. What is added follows from that and the
//! comparison. Source: Marriott and Stuckey, *Programming with constraints*, 1998 (bounds consistency).

use crate::linear::difference;
use crate::predicate::PredId;
use crate::rule::{Literal, Rule, Term, Var};
use asp_base::map::{Map, Set};
use asp_base::span::Span;
use asp_base::symbol::Symbols;
use asp_syntax::ast::{BinaryOp, Relation, Sign};

/// The least and the greatest value.
pub(crate) type Range = (i64, i64);

/// The rule with bounds, if there are any. `range`: of a predicate's column, if it has only integers.
pub fn bounded(
    rule: &Rule,
    range: &dyn Fn(PredId, usize, &Symbols) -> Option<Range>,
    symbols: &mut Symbols,
) -> Option<Rule> {
    let sums: Vec<_> = rule.body.iter().filter_map(|l| long_sum(l, symbols)).collect();
    if sums.is_empty() {
        return None;
    }
    let ranges = ranges(&rule.body, &sums, range, symbols);
    let added: Vec<_> = sums.iter().flat_map(|sum| sum.bounds(&ranges, symbols)).collect();
    let body = rule.body.iter().cloned().chain(added.iter().cloned()).collect();
    (!added.is_empty()).then(|| Rule { body, ..rule.clone() })
}

/// A comparison of a sum with 0.
struct Sum {
    terms: Vec<(i64, Var)>,
    constant: i128,
    /// Whether the sum is at most a bound, and at least one.
    bounded: (bool, bool),
    /// 1 if the comparison is strict.
    strict: i128,
    span: Span,
}

fn long_sum(l: &Literal, symbols: &Symbols) -> Option<Sum> {
    let Literal::Compare(relation, s, t, span) = l else { return None };
    let (bounded, strict) = match relation {
        Relation::Equal => ((true, true), 0),
        Relation::LessEqual => ((true, false), 0),
        Relation::Less => ((true, false), 1),
        Relation::GreaterEqual => ((false, true), 0),
        Relation::Greater => ((false, true), 1),
        Relation::NotEqual => return None,
    };
    let sum = difference(s, t, symbols).filter(|sum| sum.terms.len() > 2)?;
    Some(Sum { terms: sum.terms, constant: sum.constant.into(), bounded, strict, span: *span })
}

/// The ranges of the sums' variables, as atoms and comparisons with numbers say.
fn ranges(
    body: &[Literal],
    sums: &[Sum],
    range: &dyn Fn(PredId, usize, &Symbols) -> Option<Range>,
    symbols: &Symbols,
) -> Map<Var, Range> {
    let wanted: Set<Var> = sums.iter().flat_map(|sum| &sum.terms).map(|t| t.1).collect();
    let mut ranges: Map<Var, Range> = Map::default();
    // Each column is read once.
    let mut of_columns: Map<(PredId, usize), Option<Range>> = Map::default();
    for l in body {
        let Literal::Atom(Sign::None, a) = l else { continue };
        for (column, t) in a.args.iter().enumerate() {
            let Term::Var(v) = t else { continue };
            if !wanted.contains(v) {
                continue;
            }
            let of_column =
                of_columns.entry((a.pred, column)).or_insert_with(|| range(a.pred, column, symbols));
            if let Some((low, high)) = *of_column {
                let known = ranges.entry(*v).or_insert((low, high));
                *known = (known.0.max(low), known.1.min(high));
            }
        }
    }
    for l in body {
        let Literal::Compare(relation, s, t, _) = l else { continue };
        let (relation, v, n) = match (s, t) {
            (Term::Var(v), Term::Sym(n)) => (*relation, v, n),
            (Term::Sym(n), Term::Var(v)) => (relation.flip(), v, n),
            _ => continue,
        };
        let (Some((low, high)), Some(n)) = (ranges.get_mut(v), symbols.as_num(*n)) else { continue };
        match relation {
            Relation::LessEqual => *high = n.min(*high),
            Relation::Less => *high = n.saturating_sub(1).min(*high),
            Relation::GreaterEqual => *low = n.max(*low),
            Relation::Greater => *low = n.saturating_add(1).max(*low),
            Relation::Equal => (*low, *high) = (n.max(*low), n.min(*high)),
            Relation::NotEqual => {}
        }
    }
    ranges
}

impl Sum {
    /// The bounds of its parts that are worth looking at.
    fn bounds(&self, ranges: &Map<Var, Range>, symbols: &mut Symbols) -> Vec<Literal> {
        let mut parts: Vec<((i128, i128), (i64, Var))> = Vec::new();
        for &(c, v) in &self.terms {
            let Some(&(low, high)) = ranges.get(&v).filter(|r| r.0 <= r.1) else { return Vec::new() };
            let ends = [low, high].map(|end| i128::from(c) * i128::from(end));
            parts.push(((ends[0].min(ends[1]), ends[0].max(ends[1])), (c, v)));
        }
        parts.sort_by_key(|(ends, _)| ends.0 - ends.1);
        let (mut low, mut high) = (self.constant, self.constant);
        let mut rest = parts.iter().fold((0, 0), |sum, (ends, _)| (sum.0 + ends.0, sum.1 + ends.1));
        let mut out = Vec::new();
        let mut term: Option<Term> = None;
        // With all but one bound, the join propagates by itself.
        for &((least, most), (coefficient, var)) in &parts[..parts.len() - 2] {
            (low, high) = (low + least, high + most);
            rest = (rest.0 - least, rest.1 - most);
            // Computed bounds have to fit where the comparison does.
            let computed = [least, most, low - self.constant, high - self.constant];
            if computed.iter().any(|&n| i64::try_from(n).is_err()) {
                break;
            }
            let next = Term::Linear { coefficient, var, offset: 0, span: self.span };
            let part = match term.take() {
                None => next,
                Some(t) => Term::Binary(BinaryOp::Add, Box::new(t), Box::new(next), self.span),
            };
            term = Some(part.clone());
            // The part with the constant is to lie between these.
            let ceiling = if self.bounded.0 { -rest.0 - self.strict } else { high };
            let floor = if self.bounded.1 { -rest.1 + self.strict } else { low };
            if 2 * (ceiling.min(high) - floor.max(low) + 1) > high - low + 1 {
                continue;
            }
            for (relation, bound, cuts) in
                [(Relation::LessEqual, ceiling, ceiling < high), (Relation::GreaterEqual, floor, floor > low)]
            {
                if let (true, Ok(bound)) = (cuts, i64::try_from(bound - self.constant)) {
                    let bound = Term::Sym(symbols.num(bound));
                    out.push(Literal::Compare(relation, part.clone(), bound, self.span));
                }
            }
        }
        out
    }
}
