//! Aggregates: a bound is a weight rule, or excludes values.
//!
//! A hole in the values (`!=`) is written apart from the bounds around it, as "more, or less". Weights stay as written, the
//! positive ones first.

use super::super::LowerError;
use super::super::measure::{self, Measure, Weighted};
use super::Telling;
use crate::atom_table::Literal;
use crate::ground_program::{AggregateElement, Function, Guard, Relation};
use crate::intervals::{Interval, sum_intervals};

/// A bound on what counts.
enum Bound {
    Settled(bool),
    Literal(Literal),
}

impl Telling<'_, '_> {
    /// A literal for an aggregate.
    pub(super) fn aggregate(
        &mut self,
        function: Function,
        guards: &[Guard],
        elements: &[AggregateElement],
    ) -> Result<Literal, LowerError> {
        let tuples = self.lower.tuples(function, elements);
        let mut weighted = Vec::with_capacity(tuples.len());
        for (first, conditions) in tuples {
            let conditions = conditions.iter().map(|&c| self.lower.program.literals(c).to_vec()).collect();
            weighted.push(Weighted { first, literal: Some(self.any_of_all(conditions)?) });
        }
        self.guarded(function, guards, &weighted)
    }

    /// Whether a recursive aggregate can be written like any other: more tuples can only satisfy its lower bound and
    /// violate its upper bound.
    pub(super) fn is_one_sided(
        &self,
        function: Function,
        guards: &[Guard],
        elements: &[AggregateElement],
    ) -> bool {
        let weight = |e: &AggregateElement| {
            let terms = self.lower.program.terms(e.tuple);
            terms.first().and_then(|&t| self.lower.symbols.as_num(t)).unwrap_or(0)
        };
        let no_hole = guards.iter().all(|g| g.relation != Relation::NotEqual);
        no_hole && (function != Function::Sum || elements.iter().all(|e| weight(e) >= 0))
    }

    /// A literal for the guards of an aggregate whose tuples have literals.
    pub(super) fn guarded(
        &mut self,
        function: Function,
        guards: &[Guard],
        tuples: &[Weighted],
    ) -> Result<Literal, LowerError> {
        let (holes, bounds): (Vec<Guard>, Vec<Guard>) =
            guards.iter().partition(|g| g.relation == Relation::NotEqual);
        let measure = self.measure(function, tuples);
        let (least, greatest) = measure.range();
        let mut literals = Vec::new();
        let allowed = self.intervals(function, &measure, &bounds, tuples);
        // The ends alone do not say that no value between them will do.
        let (Some(&(low, _)), Some(&(_, high))) = (allowed.first(), allowed.last()) else {
            return Ok(!self.truth());
        };
        if (low, high) != (least, greatest) {
            match self.between(&measure, low, high)? {
                Bound::Settled(false) => return Ok(!self.truth()),
                Bound::Settled(true) => {}
                Bound::Literal(l) => literals.push(l),
            }
        }
        for hole in holes {
            for (from, to) in measure.complement(&self.intervals(function, &measure, &[hole], tuples)) {
                // What is above the hole, or not as much as it.
                if from > high || to < low {
                    continue;
                }
                if let Measure::Rank { levels } = &measure {
                    let literal = self.rank_hole(levels, from);
                    literals.push(literal);
                    continue;
                }
                let mut sides = Vec::new();
                let (above, reaches) = (self.at_least(&measure, to + 1)?, self.at_least(&measure, from)?);
                if let (Bound::Settled(true), _) | (_, Bound::Settled(false)) = (&above, &reaches) {
                    continue;
                }
                if let Bound::Literal(l) = above {
                    sides.push(l);
                }
                if let Bound::Literal(l) = reaches {
                    sides.push(self.not(l));
                }
                let literal = self.any_or_one(sides);
                literals.push(literal);
            }
        }
        Ok(match literals[..] {
            [one] => one,
            _ => self.all(literals),
        })
    }

    /// The value does not have a rank: a literal of a higher rank holds, or none of this rank.
    fn rank_hole(&mut self, levels: &[Vec<Literal>], rank: i128) -> Literal {
        let rank = usize::try_from(rank).unwrap_or(0);
        let mut sides: Vec<Literal> = levels[rank..].iter().flatten().copied().collect();
        if rank > 0 {
            let none = levels[rank - 1].iter().map(|&l| self.not(l)).collect();
            sides.push(self.all(none));
        }
        self.any_or_one(sides)
    }

    fn measure(&self, function: Function, tuples: &[Weighted]) -> Measure {
        if matches!(function, Function::Min | Function::Max) {
            return measure::measure(function, tuples, &[], self.lower.symbols).0;
        }
        let weight = |t: &Weighted| match function {
            Function::Count => 1,
            _ => i128::from(t.first.and_then(|t| self.lower.symbols.as_num(t)).unwrap_or(0)),
        };
        let items = tuples.iter().filter_map(|t| Some((t.literal?, weight(t)))).collect();
        Measure::Sum { base: 0, items }
    }

    fn intervals(
        &self,
        function: Function,
        measure: &Measure,
        guards: &[Guard],
        tuples: &[Weighted],
    ) -> Vec<Interval> {
        let symbols = self.lower.symbols;
        match measure {
            Measure::Sum { .. } => {
                let (least, greatest) = measure.range();
                sum_intervals(guards, least, greatest, symbols)
            }
            Measure::Rank { .. } => measure::measure(function, tuples, guards, symbols).1,
        }
    }

    /// The value lies between two bounds.
    fn between(&mut self, measure: &Measure, low: i128, high: i128) -> Result<Bound, LowerError> {
        let below = self.at_least(measure, low)?;
        let beyond = self.at_least(measure, high + 1)?;
        let beyond = match beyond {
            Bound::Settled(value) => Bound::Settled(!value),
            Bound::Literal(l) => Bound::Literal(self.not(l)),
        };
        Ok(match (below, beyond) {
            (Bound::Settled(false), _) | (_, Bound::Settled(false)) => Bound::Settled(false),
            (Bound::Settled(true), other) | (other, Bound::Settled(true)) => other,
            (Bound::Literal(low), Bound::Literal(high)) => {
                let atom = self.aux();
                let both = if matches!(measure, Measure::Rank { .. }) { [high, low] } else { [low, high] };
                self.lower.rule(&[atom], &both);
                Bound::Literal(Literal::pos(atom))
            }
        })
    }

    /// The value is at least a bound.
    fn at_least(&mut self, measure: &Measure, bound: i128) -> Result<Bound, LowerError> {
        let (least, greatest) = measure.range();
        if bound <= least || bound > greatest {
            return Ok(Bound::Settled(bound <= least));
        }
        match measure {
            Measure::Rank { levels } => {
                let from = usize::try_from(bound - 1).unwrap_or(0);
                let literals = levels[from..].iter().flatten().copied().collect();
                Ok(Bound::Literal(self.any_or_one(literals)))
            }
            Measure::Sum { items, .. } => {
                if let [(literal, weight)] = items[..] {
                    return Ok(Bound::Literal(if weight < 0 { self.not(literal) } else { literal }));
                }
                let total = items.iter().map(|i| i.1.abs()).sum::<i128>();
                if total > i128::from(i64::MAX) {
                    return Err(LowerError::SumOverflow { source: self.lower.source });
                }
                let head = self.aux();
                let positive = items.iter().filter(|i| i.1 > 0).map(|&(l, w)| (l, w as i64));
                let mut body: Vec<(Literal, i64)> = positive.collect();
                for &(literal, weight) in items.iter().filter(|i| i.1 < 0) {
                    body.push((self.not(literal), -weight as i64));
                }
                let (bound, source) = ((bound - least) as i64, self.lower.source);
                self.lower.program.rules.add_weight(false, &[head], bound, &body, source);
                Ok(Bound::Literal(Literal::pos(head)))
            }
        }
    }
}
