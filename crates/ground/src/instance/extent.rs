//! The values that an aggregate may take, given its certain and uncertain tuples.
//!
//! Invariant: whichever conditions hold in the end, the value lies between the two ends of the extent, and both ends can be
//! reached.

use std::cmp::Ordering;

use super::tuples::Tuples;
use asp_base::symbol::{Sym, Symbols};
use asp_syntax::ast::{AggregateFunction, Relation};

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

fn weight(t: &[Sym], symbols: &Symbols) -> i128 {
    t.first().and_then(|&s| symbols.as_num(s)).map_or(0, i128::from)
}

impl Extent {
    /// The extent of an aggregate over tuples.
    pub(crate) fn of(function: AggregateFunction, g: &Tuples, symbols: &Symbols) -> Extent {
        let weight = |t: &[Sym]| weight(t, symbols);
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

    /// The extent where a tuple counts as often as it comes.
    pub(super) fn widened(self, function: AggregateFunction, g: &Tuples, symbols: &Symbols) -> Extent {
        let Extent::Numbers(low, high) = self else { return self };
        let weights = g.repeats().map(|t| match function {
            AggregateFunction::Count => 1,
            _ => weight(t, symbols),
        });
        let (low, high) = weights.fold((low, high), |(low, high), w| (low + w.min(0), high + w.max(0)));
        Extent::Numbers(low, high)
    }

    /// Whether `value relation t` holds for all values of the extent or for none; `None` if only for some.
    pub(crate) fn decide(self, relation: Relation, t: Sym, symbols: &Symbols) -> Option<bool> {
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

/// Whether a comparison holds for all sets of tuples.
pub(crate) fn always(function: AggregateFunction, relation: Relation, t: Sym) -> bool {
    let least = match relation {
        Relation::GreaterEqual => 0,
        Relation::Greater => -1,
        _ => return false,
    };
    matches!(function, AggregateFunction::Count | AggregateFunction::SumPlus)
        && t.as_small().is_some_and(|n| n <= least)
}

/// Whether no value meets two bounds.
pub(super) fn contradict(bounds: &[(Relation, Sym)], symbols: &Symbols) -> bool {
    use Relation::*;
    let [(r, s), (q, t)] = bounds else { return false };
    let order = symbols.cmp(*s, *t);
    match (r, q) {
        (Greater, Less | LessEqual | Equal) | (GreaterEqual | Equal, Less) => order.is_ge(),
        (GreaterEqual | Equal, LessEqual | Equal) => {
            order.is_gt() || (r, q) == (&Equal, &Equal) && order.is_ne()
        }
        (Less, Greater | GreaterEqual | Equal) | (LessEqual | Equal, Greater) => order.is_le(),
        (LessEqual | Equal, GreaterEqual) => order.is_lt(),
        (LessEqual, Equal) => order.is_lt(),
        (Equal, NotEqual) | (NotEqual, Equal) => order.is_eq(),
        _ => false,
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
