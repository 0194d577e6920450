//! Adding at-most-one groups and weight constraints: normal form and cheaper forms.
//!
//! Invariant: a sum that becomes a weight constraint has positive weights and each variable once, and its bound is
//! neither trivially reached nor trivially missed; what is equivalent to a clause, a gate or an at-most-one group
//! becomes that.
//! Source: Gebser, Kaminski, Kaufmann and Schaub, *On the implementation of weight constraint rules in
//! conflict-driven ASP solvers*, ICLP 2009.

use std::cmp::Ordering;

use crate::Engine;
use crate::integer::build::MAX_SUM;
use crate::integer::store::Int;
use crate::relaxation::Relaxed;
use crate::store::literal::Lit;
use asp_base::weight::{self, Shape};

/// An upper bound that can be changed.
#[derive(Clone, Copy, Debug)]
pub enum UpperBound {
    /// `sum of weights of true literals <= base - bound of the constraint`.
    Weights {
        /// Number of the constraint.
        constraint: u32,
        /// What the bound is subtracted from.
        base: i128,
    },
    /// A sum over integers, whose bound is that of the weights and a number.
    Integers {
        /// Number of the sum.
        sum: u32,
        /// What its bound exceeds that of the weights by.
        shift: i128,
    },
}

impl Engine {
    /// Adds a group of which at most one literal may be true. `false`: there are no more models.
    pub fn add_at_most_one(&mut self, literals: &[Lit]) -> bool {
        if self.is_unsat() {
            return false;
        }
        self.return_to_root();
        let mut group: Vec<Lit> =
            literals.iter().copied().filter(|&l| self.fixed(l) != Some(false)).collect();
        group.sort_unstable();
        // A literal that occurs twice must be false; of a literal and its complement, one is true.
        let mut fixed: Vec<Lit> = group.windows(2).filter(|w| w[0] == w[1]).map(|w| !w[0]).collect();
        group.dedup();
        if let Some(pair) = group.windows(2).find(|w| w[0] == !w[1]) {
            let var = pair[0].var();
            fixed.extend(group.iter().filter(|l| l.var() != var).map(|&l| !l));
            // Several complementary pairs contradict each other, and the fixed literals express that.
            let pairs: Vec<Lit> = group.windows(2).filter(|w| w[0] == !w[1]).map(|w| w[0]).collect();
            fixed.extend(pairs.iter().skip(1).flat_map(|&l| [l, !l]));
            group.clear();
        }
        if let Some(&lit) = group.iter().find(|&&l| self.fixed(l) == Some(true)) {
            fixed.extend(group.iter().filter(|&&l| l != lit).map(|&l| !l));
            group.clear();
        }
        for lit in fixed {
            if let Some(proof) = &mut self.proof {
                proof.rup(&[lit]);
            }
            if !self.add_clause(&[lit]) {
                return false;
            }
        }
        group.retain(|&l| self.fixed(l) != Some(false));
        self.install_group(&group)
    }

    /// Adds `reified <-> sum of w * l >= bound`, or that the sum must reach the bound. Weights may have either sign,
    /// literals may occur twice. `false`: there are no more models.
    pub fn add_weight(&mut self, reified: Option<Lit>, terms: &[(Lit, i64)], bound: i64) -> bool {
        if self.is_unsat() {
            return false;
        }
        self.return_to_root();
        let (mut terms, offset) = self.normalize_terms(terms);
        let bound = i128::from(bound) - offset;
        let full = if reified.is_some() { terms.clone() } else { Vec::new() };
        weight::saturate(bound.max(1), &mut terms);
        let value = match weight::shape(bound, &terms) {
            Shape::True => true,
            Shape::False => false,
            shape @ (Shape::All | Shape::Any) => {
                let literals: Vec<Lit> = terms.iter().map(|t| t.0).collect();
                return self.add_gate(reified, &literals, shape == Shape::All);
            }
            Shape::Sum => return self.add_sum(reified, terms, full, bound),
        };
        match reified {
            Some(r) => self.add_clause(&[if value { r } else { !r }]),
            None => value || self.add_clause(&[]),
        }
    }
    /// Adds a constraint that is no simpler than a sum; `full` are its terms before their weights were saturated,
    /// needed if it is reified.
    fn add_sum(
        &mut self,
        reified: Option<Lit>,
        mut terms: Vec<(Lit, i128)>,
        full: Vec<(Lit, i128)>,
        mut bound: i128,
    ) -> bool {
        let mut total: i128 = terms.iter().map(|t| t.1).sum();
        if reified.is_none() {
            // Literals that cannot be missing are true; the others share the rest of the bound.
            let (needed, rest): (Vec<_>, Vec<_>) = terms.iter().copied().partition(|t| total - t.1 < bound);
            for &(lit, weight) in &needed {
                if !self.add_clause(&[lit]) {
                    return false;
                }
                bound -= weight;
                total -= weight;
            }
            terms = rest;
            if bound <= 0 {
                return true;
            }
        }
        let least_two = {
            let mut least = [i128::MAX; 2];
            for t in &terms {
                if t.1 < least[0] {
                    least = [t.1, least[0]];
                } else if t.1 < least[1] {
                    least[1] = t.1;
                }
            }
            least[0] + least[1]
        };
        if reified.is_none() && total - least_two < bound {
            // At most one may be missing.
            return self.add_at_most_one(&terms.iter().map(|t| !t.0).collect::<Vec<_>>());
        }
        let mut reified = reified;
        if let Some(r) = reified
            && terms.iter().any(|t| t.0.var() == r.var())
        {
            // The constraint needs a literal of its own.
            let own = Lit::pos(self.new_var());
            if let Some(proof) = &mut self.proof {
                proof.alias(own, r);
            }
            if !(self.add_clause(&[own, !r]) && self.add_clause(&[!own, r])) {
                return false;
            }
            reified = Some(own);
        }
        let terms = if reified.is_some() { full } else { terms };
        self.stage_weight(reified, terms, bound);
        true
    }
    /// Adds `sum of w * l <= bound` with a bound that [`set_upper_bound`](Self::set_upper_bound) can change, for
    /// optimisation; without a bound it always holds. With a guard the bound is in force only while the guard is true.
    pub fn add_upper_bound(
        &mut self,
        guard: Option<Lit>,
        terms: &[(Lit, i64)],
        bound: Option<i64>,
    ) -> UpperBound {
        self.return_to_root();
        if let Some((folded, shift)) = self.fold_digits(terms) {
            return self.bound_integers(guard, &folded, shift, bound);
        }
        // sum w * l <= b is sum w * !l >= total - b.
        let (terms, offset) = self.normalize_terms(terms);
        let total: i128 = terms.iter().map(|t| t.1).sum();
        let negated: Vec<(Lit, i128)> = terms.iter().map(|&(l, w)| (!l, w)).collect();
        let lower = bound.map_or(0, |b| total - (i128::from(b) - offset));
        let (constraint, shift) = self.install_lower_bound(guard, &negated, lower);
        UpperBound::Weights { constraint, base: total + offset - shift }
    }
    /// Bounds the sum of a relaxation while the guard is true; `None` if the sum is too large.
    pub fn add_relaxed_bound(&mut self, guard: Lit, relaxed: &Relaxed, most: i64) -> Option<UpperBound> {
        self.return_to_root();
        if relaxed.ints.is_empty() {
            return Some(self.add_upper_bound(Some(guard), &relaxed.terms, Some(most)));
        }
        let (ints, shift) = self.integers_alone(&relaxed.terms, relaxed.ints.clone())?;
        Some(self.bound_integers(Some(guard), &ints, shift, Some(most)))
    }
    fn bound_integers(
        &mut self,
        guard: Option<Lit>,
        terms: &[(i64, Int)],
        shift: i128,
        bound: Option<i64>,
    ) -> UpperBound {
        let most = bound.map_or(MAX_SUM, |b| i128::from(b) + shift);
        UpperBound::Integers { sum: self.add_conditional_sum(guard, terms, within_sums(most)), shift }
    }
    /// Changes an upper bound. It must only become tighter, unless no clause was learned from it since it was set.
    pub fn set_upper_bound(&mut self, upper: UpperBound, bound: i64) {
        match upper {
            UpperBound::Weights { constraint, base } => {
                self.set_lower_bound(constraint, base - i128::from(bound));
            }
            UpperBound::Integers { sum, shift } => {
                self.tighten_sum(sum, within_sums(i128::from(bound) + shift));
            }
        }
    }
    /// Adds `reified <-> literals` as a conjunction or a disjunction.
    fn add_gate(&mut self, reified: Option<Lit>, literals: &[Lit], conjunction: bool) -> bool {
        match (reified, conjunction) {
            (None, true) => literals.iter().all(|&l| self.add_clause(&[l])),
            (None, false) => self.add_clause(literals),
            (Some(r), _) => {
                let (r, flip) = if conjunction { (!r, true) } else { (r, false) };
                // After complementing: r <-> one of the literals.
                let mut long: Vec<Lit> = literals.iter().map(|&l| if flip { !l } else { l }).collect();
                long.iter().all(|&l| self.add_clause(&[r, !l])) && {
                    long.push(!r);
                    self.add_clause(&long)
                }
            }
        }
    }
    /// Terms with positive weights and each variable once, without those fixed at the root, and the constant removed
    /// from the sum.
    fn normalize_terms(&self, terms: &[(Lit, i64)]) -> (Vec<(Lit, i128)>, i128) {
        let mut offset = 0i128;
        let mut sorted: Vec<(Lit, i128)> = terms.iter().map(|&(l, w)| (l, i128::from(w))).collect();
        sorted.sort_by_key(|t| t.0);
        let mut result: Vec<(Lit, i128)> = Vec::with_capacity(sorted.len());
        for chunk in sorted.chunk_by(|a, b| a.0.var() == b.0.var()) {
            let positive = Lit::pos(chunk[0].0.var());
            // p * l + n * !l = n + (p - n) * l
            let p: i128 = chunk.iter().filter(|t| t.0 == positive).map(|t| t.1).sum();
            let n: i128 = chunk.iter().filter(|t| t.0 != positive).map(|t| t.1).sum();
            match self.fixed(positive) {
                Some(true) => offset += p,
                Some(false) => offset += n,
                None => {
                    offset += p.min(n);
                    match p.cmp(&n) {
                        Ordering::Greater => result.push((positive, p - n)),
                        Ordering::Less => result.push((!positive, n - p)),
                        Ordering::Equal => {}
                    }
                }
            }
        }
        (result, offset)
    }
}

/// A bound that says the same of any sum over integers.
fn within_sums(bound: i128) -> i64 {
    bound.clamp(-MAX_SUM, MAX_SUM) as i64
}
