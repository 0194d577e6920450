//! Permanent additions of theories, to be repeated when the program is translated anew.
//!
//! Invariant: entries refer to literals by their numbers, which mean the same in every translation.

use crate::theory::Misuse;
use crate::theory::numbers::Numbers;
use crate::translate::Translation;
use asp_engine::store::literal::Lit;

/// How a literal and a sum belong together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SumKind {
    /// The literal holds if and only if the sum is as wanted.
    Equivalence,
    /// If the literal holds, the sum is as wanted.
    LiteralImpliesSum,
    /// If the sum is as wanted, the literal holds.
    SumImpliesLiteral,
}

/// A constraint that a theory has added.
#[derive(Clone, Debug)]
pub enum Entry {
    /// One of the literals holds.
    Clause(Vec<i32>),
    /// A literal and a sum of weights that reaches a bound, or is equal to it.
    Sum {
        /// The caller's number of the literal.
        literal: i32,
        /// Literals and their weights.
        terms: Vec<(i32, i64)>,
        /// The bound of the sum.
        bound: i64,
        /// Which of literal and sum implies the other.
        kind: SumKind,
        /// Whether the sum is equal to the bound, not only at least as great.
        equal: bool,
    },
}

/// All of them, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Journal(Vec<Entry>);

impl Journal {
    /// Notes a constraint.
    pub(crate) fn note(&mut self, entry: Entry) {
        self.0.push(entry);
    }
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
    /// Those after the first few that speak of numbers up to `most` alone.
    pub(crate) fn split_off(mut self, at: usize, most: usize) -> impl Iterator<Item = Entry> {
        let known = move |entry: &Entry| match entry {
            Entry::Clause(clause) => clause.iter().all(|n| n.unsigned_abs() as usize <= most),
            Entry::Sum { .. } => false,
        };
        self.0.split_off(at).into_iter().filter(known)
    }
    /// Adds all of them to a new translation.
    pub(crate) fn replay(&self, numbers: &mut Numbers, t: &mut Translation) {
        for entry in &self.0 {
            // Their numbers were valid when they were noted.
            if add(entry, numbers, t) != Ok(true) {
                t.ok = false;
            }
        }
    }
}

/// Adds a constraint. Whether there may be a model still.
pub(crate) fn add(entry: &Entry, numbers: &mut Numbers, t: &mut Translation) -> Result<bool, Misuse> {
    let result = match entry {
        Entry::Clause(clause) => {
            let lits = lits(clause, numbers)?;
            t.engine.add_clause(&lits)
        }
        Entry::Sum { literal, terms, bound, kind, equal } => {
            let lit = numbers.lit(*literal)?;
            let terms: Vec<(Lit, i64)> =
                terms.iter().map(|&(n, w)| Ok((numbers.lit(n)?, w))).collect::<Result<_, Misuse>>()?;
            add_sum(t, lit, &terms, *bound, *kind, *equal)
        }
    };
    numbers.sync(&t.engine);
    Ok(result)
}

/// The engine's literals with some numbers.
pub(crate) fn lits(clause: &[i32], numbers: &Numbers) -> Result<Vec<Lit>, Misuse> {
    clause.iter().map(|&n| numbers.lit(n)).collect()
}

fn add_sum(
    t: &mut Translation,
    lit: Lit,
    terms: &[(Lit, i64)],
    bound: i64,
    kind: SumKind,
    equal: bool,
) -> bool {
    let truth = t.atoms.truth;
    if lit == truth && kind != SumKind::SumImpliesLiteral {
        let negated: Vec<(Lit, i64)> = terms.iter().map(|&(l, w)| (l, -w)).collect();
        return t.engine.add_weight(None, terms, bound)
            && (!equal || t.engine.add_weight(None, &negated, -bound));
    }
    let is_reached = Lit::pos(t.engine.new_var());
    if !t.engine.add_weight(Some(is_reached), terms, bound) {
        return false;
    }
    let mut wanted = vec![is_reached];
    if equal {
        let is_passed = Lit::pos(t.engine.new_var());
        if !t.engine.add_weight(Some(is_passed), terms, bound + 1) {
            return false;
        }
        wanted.push(!is_passed);
    }
    let mut ok = true;
    if kind != SumKind::SumImpliesLiteral {
        ok &= wanted.iter().all(|&w| t.engine.add_clause(&[!lit, w]));
    }
    if kind != SumKind::LiteralImpliesSum {
        let clause: Vec<Lit> = wanted.iter().map(|&w| !w).chain([lit]).collect();
        ok &= t.engine.add_clause(&clause);
    }
    ok
}
