//! The value of an aggregate as a number that grows with the tuples that count, and bounds on it as forms.
//!
//! `#count`, `#sum` and `#sum+` are sums; the value of `#min` and `#max` is represented by its rank among the possible
//! values. Guards become a set of intervals of such numbers, so that all functions share one translation of bounds.
//! Invariants: a literal occurs once in a sum, with a weight other than 0; only the first level of a rank may be empty.

use std::cmp::Ordering;

use super::{Form, Lower, LowerError};
use crate::atom_table::Literal;
use crate::ground_program::{Function, Guard};
use crate::intervals::{Interval, gaps, sum_intervals};
use asp_base::symbol::{Sym, Symbols};
use asp_base::weight::{self, Shape};

/// A tuple and what it requires to count; without literals it always counts.
pub(super) struct Weighted {
    /// The tuple's first term.
    pub(super) first: Option<Sym>,
    pub(super) literal: Option<Literal>,
}

pub(super) enum Measure {
    Sum {
        base: i128,
        items: Vec<(Literal, i128)>,
    },
    /// `levels[i]` raises the rank to at least `i + 1`.
    Rank {
        levels: Vec<Vec<Literal>>,
    },
}

/// Whether tuples with this first term count for the function at all.
pub(super) fn counts(function: Function, first: Option<Sym>, symbols: &Symbols) -> bool {
    let zero = matches!(function, Function::Sum | Function::SumPlus)
        && first.and_then(|t| symbols.as_num(t)) == Some(0);
    !zero && !function.ignores(first, symbols)
}

/// The measure of the tuples, and the values that satisfy all guards (ascending intervals that do not touch, restricted
/// to what the measure can reach).
pub(super) fn measure(
    function: Function,
    tuples: &[Weighted],
    guards: &[Guard],
    symbols: &Symbols,
) -> (Measure, Vec<Interval>) {
    match function {
        Function::Count | Function::Sum | Function::SumPlus => {
            let mut base = 0i128;
            let mut items: Vec<(Literal, i128)> = Vec::with_capacity(tuples.len());
            for tuple in tuples {
                let weight = match function {
                    Function::Count => 1,
                    _ => tuple.first.and_then(|t| symbols.as_num(t)).unwrap_or(0),
                };
                match tuple.literal {
                    None => base += i128::from(weight),
                    Some(literal) => items.push((literal, weight.into())),
                }
            }
            weight::merge(&mut items);
            let measure = Measure::Sum { base, items };
            let (least, greatest) = measure.range();
            (measure, sum_intervals(guards, least, greatest, symbols))
        }
        Function::Min | Function::Max => {
            let sign = |o: Ordering| if function == Function::Max { o } else { o.reverse() };
            let start = if function == Function::Max { Sym::INF } else { Sym::SUP };
            let firsts = tuples.iter().filter_map(|t| Some((t.first?, t.literal)));
            let mut base = start;
            for (value, literal) in firsts.clone() {
                if literal.is_none() && sign(symbols.cmp(value, base)).is_gt() {
                    base = value;
                }
            }
            let mut ranked: Vec<(Sym, Literal)> = firsts
                .filter_map(|(value, literal)| Some((value, literal?)))
                .filter(|&(value, _)| sign(symbols.cmp(value, base)).is_gt())
                .collect();
            ranked.sort_by(|a, b| sign(symbols.cmp(a.0, b.0)).then(a.1.cmp(&b.1)));
            ranked.dedup();
            let (mut values, mut levels) = (vec![base], Vec::<Vec<Literal>>::new());
            for (value, literal) in ranked {
                if values.last() != Some(&value) {
                    values.push(value);
                    levels.push(Vec::new());
                }
                if let Some(level) = levels.last_mut() {
                    level.push(literal);
                }
            }
            let mut intervals: Vec<Interval> = Vec::new();
            for (rank, &value) in (0i128..).zip(&values) {
                if guards.iter().all(|g| g.relation.holds(symbols.cmp(value, g.term))) {
                    match intervals.last_mut() {
                        Some(last) if last.1 + 1 == rank => last.1 = rank,
                        _ => intervals.push((rank, rank)),
                    }
                }
            }
            (Measure::Rank { levels }, intervals)
        }
    }
}

impl Measure {
    /// The least and the greatest value.
    pub(super) fn range(&self) -> Interval {
        match self {
            Measure::Sum { base, items } => {
                let (mut least, mut greatest) = (*base, *base);
                for &(_, weight) in items {
                    let end = if weight < 0 { &mut least } else { &mut greatest };
                    *end += weight;
                }
                (least, greatest)
            }
            Measure::Rank { levels } => (0, levels.len() as i128),
        }
    }
    /// The values that are not in the intervals.
    pub(super) fn complement(&self, intervals: &[Interval]) -> Vec<Interval> {
        gaps(self.range(), intervals.iter().copied())
    }
    /// Whether more literals can make the value smaller.
    pub(super) fn can_shrink(&self) -> bool {
        matches!(self, Measure::Sum { items, .. } if items.iter().any(|i| i.1 < 0))
    }
    /// Negates a sum of negative weights, and the intervals, so that all weights are positive.
    pub(super) fn turn(&mut self, intervals: &mut Vec<Interval>) {
        let Measure::Sum { base, items } = self else { return };
        if items.iter().any(|i| i.1 > 0) {
            return;
        }
        *base = -*base;
        items.iter_mut().for_each(|i| i.1 = -i.1);
        *intervals = intervals.iter().rev().map(|&(low, high)| (-high, -low)).collect();
    }
}

/// Returns a literal for "this literal does not hold".
pub(super) type Complement<'c> = &'c mut dyn FnMut(&mut Lower<'_>, Literal) -> Literal;

impl Lower<'_> {
    /// The value is at least `bound`; literals of negative weight are complemented.
    pub(super) fn at_least(
        &mut self,
        measure: &Measure,
        bound: i128,
        complement: Complement<'_>,
    ) -> Result<Form, LowerError> {
        let (least, greatest) = measure.range();
        if bound <= least || bound > greatest {
            return Ok(Form::truth(bound <= least));
        }
        match measure {
            Measure::Sum { items, .. } => {
                let items = items.iter().map(|&(literal, weight)| {
                    let literal = if weight < 0 { complement(self, literal) } else { literal };
                    (literal, weight.abs())
                });
                let items = items.collect();
                self.weight_form(bound - least, items)
            }
            Measure::Rank { levels } => {
                let from = usize::try_from(bound - 1).unwrap_or(0);
                Ok(Form::Bodies(levels[from..].iter().flatten().map(|&l| vec![l]).collect()))
            }
        }
    }

    /// The value is at most `bound`; literals of positive weight are complemented.
    pub(super) fn at_most(
        &mut self,
        measure: &Measure,
        bound: i128,
        complement: Complement<'_>,
    ) -> Result<Form, LowerError> {
        let (least, greatest) = measure.range();
        if bound >= greatest || bound < least {
            return Ok(Form::truth(bound >= greatest));
        }
        match measure {
            Measure::Sum { items, .. } => {
                let items = items.iter().map(|&(literal, weight)| {
                    let literal = if weight > 0 { complement(self, literal) } else { literal };
                    (literal, weight.abs())
                });
                let items = items.collect();
                self.weight_form(greatest - bound, items)
            }
            Measure::Rank { levels } => {
                let from = usize::try_from(bound).unwrap_or(0);
                let literals = levels[from..].iter().flatten().map(|&l| complement(self, l));
                Ok(Form::conjunction(literals.collect()))
            }
        }
    }

    /// The weights of the literals that hold add up to at least `bound`, which is positive and can be reached.
    fn weight_form(&self, bound: i128, mut items: Vec<(Literal, i128)>) -> Result<Form, LowerError> {
        weight::saturate(bound, &mut items);
        match weight::shape(bound, &items) {
            Shape::True => return Ok(Form::truth(true)),
            Shape::False => return Ok(Form::truth(false)),
            Shape::Any => return Ok(Form::Bodies(items.iter().map(|i| vec![i.0]).collect())),
            Shape::All => return Ok(Form::conjunction(items.iter().map(|i| i.0).collect())),
            Shape::Sum => {}
        }
        let divided = weight::divide(bound, &mut items);
        // The bound and each weight are at most the total.
        if items.iter().map(|i| i.1).sum::<i128>() > i128::from(i64::MAX) {
            return Err(LowerError::SumOverflow { source: self.source });
        }
        Ok(Form::Weight(divided as i64, items.iter().map(|i| (i.0, i.1 as i64)).collect()))
    }
}
