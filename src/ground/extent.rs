//! The values that an aggregate may take, judging by its certain and uncertain tuples.
//!
//! Invariant: whichever conditions hold in the end, the value lies between the two ends of the extent, and both ends
//! can be reached.

use std::cmp::Ordering;

use super::tuples::Tuples;
use crate::base::symbol::{Sym, Symbols};
use crate::syntax::ast::{AggregateFunction, Relation};

/// The least and greatest value that an aggregate may take.
#[derive(Clone, Copy, Debug)]
pub(super) enum Extent {
    Numbers(i128, i128),
    Terms(Sym, Sym),
}

/// Compares an integer that may exceed 64 bits with a term.
fn compare_number(n: i128, t: Sym, symbols: &Symbols) -> Ordering {
    match symbols.as_num(t) {
        Some(m) => n.cmp(&i128::from(m)),
        None if t == Sym::INF => Ordering::Greater,
        None => Ordering::Less,
    }
}

impl Extent {
    /// The extent of an aggregate over tuples.
    pub(super) fn of(function: AggregateFunction, g: &Tuples, symbols: &Symbols) -> Extent {
        let weight = |t: &[Sym]| t.first().and_then(|&s| symbols.as_num(s)).map_or(0, i128::from);
        match function {
            AggregateFunction::Count => {
                let certain = g.tuples().filter(|t| t.1).count() as i128;
                Extent::Numbers(certain, g.tuples().count() as i128)
            }
            AggregateFunction::Sum | AggregateFunction::SumPlus => {
                let (mut low, mut high) = (0, 0);
                for (t, certain) in g.tuples() {
                    let w = weight(t);
                    if certain || w < 0 {
                        low += w;
                    }
                    if certain || w > 0 {
                        high += w;
                    }
                }
                Extent::Numbers(low, high)
            }
            AggregateFunction::Min | AggregateFunction::Max => {
                let max = function == AggregateFunction::Max;
                let better = |a: Sym, b: Sym| {
                    let o = symbols.cmp(a, b);
                    if o.is_gt() == max { a } else { b }
                };
                let empty = if max { Sym::INF } else { Sym::SUP };
                let (mut certain, mut all) = (empty, empty);
                for (t, is_certain) in g.tuples() {
                    let Some(&v) = t.first() else { continue };
                    all = better(v, all);
                    if is_certain {
                        certain = better(v, certain);
                    }
                }
                if max { Extent::Terms(certain, all) } else { Extent::Terms(all, certain) }
            }
        }
    }

    /// Whether `value relation t` holds for all values of the extent or for none; `None` if only for some.
    pub(super) fn decide(self, relation: Relation, t: Sym, symbols: &Symbols) -> Option<bool> {
        let (low, high) = match self {
            Extent::Numbers(a, b) => (compare_number(a, t, symbols), compare_number(b, t, symbols)),
            Extent::Terms(a, b) => (symbols.cmp(a, t), symbols.cmp(b, t)),
        };
        match relation {
            Relation::Equal if low.is_gt() || high.is_lt() => Some(false),
            Relation::Equal if low.is_eq() && high.is_eq() => Some(true),
            Relation::NotEqual if low.is_gt() || high.is_lt() => Some(true),
            Relation::NotEqual if low.is_eq() && high.is_eq() => Some(false),
            Relation::Equal | Relation::NotEqual => None,
            _ => {
                let (a, b) = (relation.holds(low), relation.holds(high));
                (a == b).then_some(a)
            }
        }
    }
}

/// Whether a comparison that holds for a growing aggregate continues to hold.
pub(super) fn is_monotone(function: AggregateFunction, relation: Relation) -> bool {
    use AggregateFunction::*;
    match relation {
        Relation::Greater | Relation::GreaterEqual => matches!(function, Count | SumPlus | Max),
        Relation::Less | Relation::LessEqual => matches!(function, Min),
        _ => false,
    }
}
