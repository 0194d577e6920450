//! Formulas over ground literals under partial knowledge: whether they are certainly true or false, and what follows.
//!
//! Invariant: truth is Kleene's: what is known under partial knowledge holds in all its completions; what
//! [`Formula::follow`] reports holds in every completion in which the formula has the required value.

use asp_base::symbol::{Sym, Symbols};
use asp_program::Literal;
use asp_program::ground_program::{Function, Guard, Relation};

/// What is known about each atom.
pub(crate) type Values = [Option<bool>];

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Formula {
    Literal(Literal),
    /// All hold; an empty conjunction is true.
    All(Vec<Formula>),
    /// At least one holds; an empty disjunction is false.
    Some(Vec<Formula>),
    Not(Box<Formula>),
    /// The sum of the weights of those that hold satisfies all bounds.
    Sum {
        /// Weights and the formulas under which they count.
        terms: Vec<(i64, Formula)>,
        /// Relations from the sum to numbers.
        bounds: Vec<(Relation, i64)>,
    },
    /// The least or greatest term among those that hold satisfies all bounds.
    Extreme {
        /// [`Function::Min`] or [`Function::Max`].
        function: Function,
        /// Terms and when they count.
        terms: Vec<(Sym, Formula)>,
        guards: Vec<Guard>,
    },
}

/// Kleene's conjunction.
fn all(truths: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    let mut result = Some(true);
    for truth in truths {
        match truth {
            Some(false) => return Some(false),
            None => result = None,
            Some(true) => {}
        }
    }
    result
}

/// The value of a literal.
pub(crate) fn value(literal: Literal, values: &Values) -> Option<bool> {
    values.get(literal.atom().0 as usize).copied().flatten().map(|v| v != literal.is_neg())
}

impl Formula {
    pub(crate) fn all_of(literals: &[Literal]) -> Formula {
        match literals {
            [one] => Formula::Literal(*one),
            _ => Formula::All(literals.iter().map(|&l| Formula::Literal(l)).collect()),
        }
    }

    /// The negation of a formula.
    pub(crate) fn negated(self) -> Formula {
        match self {
            Formula::Not(inner) => *inner,
            Formula::Literal(l) => Formula::Literal(!l),
            other => Formula::Not(Box::new(other)),
        }
    }

    /// Calls `f` with each literal.
    pub(crate) fn for_each(&self, f: &mut dyn FnMut(Literal)) {
        match self {
            Formula::Literal(l) => f(*l),
            Formula::All(parts) | Formula::Some(parts) => parts.iter().for_each(|p| p.for_each(f)),
            Formula::Not(inner) => inner.for_each(f),
            Formula::Sum { terms, .. } => terms.iter().for_each(|(_, p)| p.for_each(f)),
            Formula::Extreme { terms, .. } => terms.iter().for_each(|(_, p)| p.for_each(f)),
        }
    }

    /// Its truth, as far as it is known.
    pub(crate) fn truth(&self, values: &Values, symbols: &Symbols) -> Option<bool> {
        match self {
            Formula::Literal(l) => value(*l, values),
            Formula::All(parts) => all(parts.iter().map(|p| p.truth(values, symbols))),
            Formula::Some(parts) => {
                all(parts.iter().map(|p| p.truth(values, symbols).map(|t| !t))).map(|t| !t)
            }
            Formula::Not(inner) => inner.truth(values, symbols).map(|t| !t),
            Formula::Sum { terms, bounds } => {
                let known = |(w, p): &(i64, Formula)| (i128::from(*w), p.truth(values, symbols));
                sum_truth(terms.iter().map(known), bounds)
            }
            Formula::Extreme { function, terms, guards } => {
                let known = terms.iter().map(|(t, p)| (*t, p.truth(values, symbols)));
                extreme_truth(*function, known, guards, symbols)
            }
        }
    }

    /// Reports literals that must hold if the formula is to have the value `wanted`.
    pub(crate) fn follow(
        &self,
        wanted: bool,
        values: &Values,
        symbols: &Symbols,
        found: &mut dyn FnMut(Literal),
    ) {
        match (self, wanted) {
            (Formula::Literal(l), _) => {
                if value(*l, values).is_none() {
                    found(if wanted { *l } else { !*l });
                }
            }
            (Formula::Not(inner), _) => inner.follow(!wanted, values, symbols, found),
            (Formula::All(parts), true) | (Formula::Some(parts), false) => {
                parts.iter().for_each(|p| p.follow(wanted, values, symbols, found));
            }
            (Formula::All(parts), false) | (Formula::Some(parts), true) => {
                // The only part that is not known to have the wrong value.
                let mut open = None;
                for part in parts {
                    match part.truth(values, symbols) {
                        Some(truth) if truth == wanted => return,
                        Some(_) => {}
                        None if open.is_some() => return,
                        None => open = Some(part),
                    }
                }
                if let Some(part) = open {
                    part.follow(wanted, values, symbols, found);
                }
            }
            (Formula::Sum { terms, bounds }, _) => {
                let known: Vec<(i128, Option<bool>)> =
                    terms.iter().map(|(w, p)| (i128::from(*w), p.truth(values, symbols))).collect();
                let least = |(w, t): &(i128, Option<bool>)| {
                    if *t == Some(true) || t.is_none() && *w < 0 { *w } else { 0 }
                };
                let most = |(w, t): &(i128, Option<bool>)| {
                    if *t == Some(true) || t.is_none() && *w > 0 { *w } else { 0 }
                };
                let (low, high): (i128, i128) = (known.iter().map(least).sum(), known.iter().map(most).sum());
                if range_truth(low, high, bounds).is_some() {
                    return;
                }
                for (entry, (_, part)) in known.iter().zip(terms).filter(|(k, _)| k.1.is_none()) {
                    for guess in [true, false] {
                        let w = if guess { entry.0 } else { 0 };
                        let truth = range_truth(low - least(entry) + w, high - most(entry) + w, bounds);
                        if truth == Some(!wanted) {
                            part.follow(!guess, values, symbols, found);
                            break;
                        }
                    }
                }
            }
            (Formula::Extreme { function, terms, guards }, _) => {
                let mut known: Vec<(Sym, Option<bool>)> =
                    terms.iter().map(|(t, p)| (*t, p.truth(values, symbols))).collect();
                for (i, (_, part)) in terms.iter().enumerate() {
                    if known[i].1.is_some() {
                        continue;
                    }
                    for guess in [true, false] {
                        known[i].1 = Some(guess);
                        let truth = extreme_truth(*function, known.iter().copied(), guards, symbols);
                        known[i].1 = None;
                        if truth == Some(!wanted) {
                            part.follow(!guess, values, symbols, found);
                            break;
                        }
                    }
                }
            }
        }
    }
}

fn sum_truth(terms: impl Iterator<Item = (i128, Option<bool>)>, bounds: &[(Relation, i64)]) -> Option<bool> {
    let (mut low, mut high) = (0, 0);
    for (w, truth) in terms {
        low += if truth == Some(true) || truth.is_none() && w < 0 { w } else { 0 };
        high += if truth == Some(true) || truth.is_none() && w > 0 { w } else { 0 };
    }
    range_truth(low, high, bounds)
}

/// Whether the numbers of a range satisfy all bounds: all of them, none, or (`None`) only some.
fn range_truth(low: i128, high: i128, bounds: &[(Relation, i64)]) -> Option<bool> {
    all(bounds.iter().map(|&(relation, n)| relation.between(low.cmp(&n.into()), high.cmp(&n.into()))))
}

fn extreme_truth(
    function: Function,
    terms: impl Iterator<Item = (Sym, Option<bool>)>,
    guards: &[Guard],
    symbols: &Symbols,
) -> Option<bool> {
    let least = function == Function::Min;
    let start = if least { Sym::SUP } else { Sym::INF };
    // What certainly counts, and what may count.
    let (mut sure, mut perhaps) = (start, start);
    let better = |old: Sym, new: Sym| {
        let order = symbols.cmp(new, old);
        if (least && order.is_lt()) || (!least && order.is_gt()) { new } else { old }
    };
    for (term, truth) in terms {
        if truth == Some(true) {
            sure = better(sure, term);
        }
        if truth != Some(false) {
            perhaps = better(perhaps, term);
        }
    }
    let (low, high) = if least { (perhaps, sure) } else { (sure, perhaps) };
    all(guards.iter().map(|g| g.relation.between(symbols.cmp(low, g.term), symbols.cmp(high, g.term))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use asp_program::AtomId;

    fn lit(n: i32) -> Formula {
        Formula::Literal(Literal::new(AtomId(n.unsigned_abs()), n < 0))
    }

    /// What follows if the formula must be `wanted`; literals are written as positive and negative numbers.
    #[track_caller]
    fn check(f: &Formula, wanted: bool, known: &[i32], follows: &[i32]) {
        let mut values = vec![None; 10];
        known.iter().for_each(|n| values[n.unsigned_abs() as usize] = Some(*n > 0));
        let mut found = Vec::new();
        f.follow(wanted, &values, &Symbols::new(), &mut |l| {
            found.push(l.atom().0 as i32 * if l.is_neg() { -1 } else { 1 });
        });
        assert_eq!(found, follows);
    }

    #[test]
    fn what_follows() {
        let both = Formula::All(vec![lit(1), lit(2)]);
        check(&both, true, &[], &[1, 2]);
        check(&both, false, &[], &[]);
        check(&both, false, &[1], &[-2]);
        check(&both.clone().negated(), true, &[1], &[-2]);
        check(&Formula::Some(vec![both, lit(-3)]), true, &[3], &[1, 2]);
        let one = Formula::Sum {
            terms: (1..=3).map(|n| (1, lit(n))).collect(),
            bounds: vec![(Relation::Equal, 1)],
        };
        check(&one, true, &[1], &[-2, -3]);
        check(&one, true, &[-1, -2], &[3]);
        check(&one, true, &[-1], &[]);
        check(&one, false, &[-1, -2], &[-3]);
        let mixed = Formula::Sum {
            terms: vec![(5, lit(1)), (-2, lit(2)), (1, Formula::All(vec![lit(3), lit(4)]))],
            bounds: vec![(Relation::GreaterEqual, 6)],
        };
        check(&mixed, true, &[], &[1, -2, 3, 4]);
        let num = |n| Sym::small(n).expect("small");
        let least = Formula::Extreme {
            function: Function::Min,
            terms: (1..=3).map(|n| (num(n.into()), lit(n))).collect(),
            guards: vec![Guard { relation: Relation::Greater, term: num(1) }],
        };
        check(&least, true, &[], &[-1]);
        check(&least, false, &[], &[1]);
    }
}
