//! Adding at-most-one groups and weight constraints: normal form, cheaper forms, and the structure of sums.
//!
//! Invariant: a sum that becomes a weight constraint has positive weights, each variable once, and the bound can be
//! neither reached nor missed trivially; what is a clause, a gate or an at-most-one group in disguise becomes that.
//! Source: Gebser, Kaminski, Kaufmann and Schaub, *On the implementation of weight constraint rules in
//! conflict-driven ASP solvers*, ICLP 2009.

use crate::base::map::{Map, Set};
use crate::base::weight::{self, Shape};
use crate::solve::engine::Engine;
use crate::solve::engine::store::ladder::Rung;
use crate::solve::engine::store::literal::{Lit, Var};
use crate::solve::engine::store::weight::Sum;

crate::define_index! {
    /// An upper bound that can be changed.
    pub struct BoundId
}

/// `sum of weights of true literals <= base - bound of the constraint`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound {
    constraint: u32,
    base: i128,
}

/// A weight constraint that is installed when the search begins.
#[derive(Clone, Debug)]
pub(crate) struct Staged {
    reified: Option<Lit>,
    terms: Vec<(Lit, i128)>,
    bound: i128,
}

impl Staged {
    /// Of the two ways to say it, `r <-> sum of w * l >= b` and `!r <-> sum of w * !l >= total - b + 1`, takes that
    /// whose first literal is positive, so that equal sums look alike. Pre: the terms are sorted.
    fn turn(&mut self) {
        if let Some(r) = self.reified
            && self.terms.first().is_some_and(|t| t.0.is_neg())
        {
            let total: i128 = self.terms.iter().map(|t| t.1).sum();
            self.terms.iter_mut().for_each(|t| t.0 = !t.0);
            self.bound = total - self.bound + 1;
            self.reified = Some(!r);
        }
    }
}

impl Engine {
    /// Adds a group of which at most one literal may be true. `false`: there is no model at all any more.
    pub fn add_at_most_one(&mut self, literals: &[Lit]) -> bool {
        if self.unsat {
            return false;
        }
        if self.floor.is_none() {
            self.backtrack(0);
        }
        let mut group: Vec<Lit> =
            literals.iter().copied().filter(|&l| !self.assignment.is_fixed_false(l)).collect();
        group.sort_unstable();
        // A literal that comes twice must be false; where a pair of complements comes, one of them is true.
        let mut fixed: Vec<Lit> = group.windows(2).filter(|w| w[0] == w[1]).map(|w| !w[0]).collect();
        group.dedup();
        if let Some(pair) = group.windows(2).find(|w| w[0] == !w[1]) {
            let var = pair[0].var();
            fixed.extend(group.iter().filter(|l| l.var() != var).map(|&l| !l));
            // Several pairs contradict each other, and the fixed literals say so.
            let pairs: Vec<Lit> = group.windows(2).filter(|w| w[0] == !w[1]).map(|w| w[0]).collect();
            fixed.extend(pairs.iter().skip(1).flat_map(|&l| [l, !l]));
            group.clear();
        }
        if let Some(&lit) = group.iter().find(|&&l| self.assignment.is_fixed_true(l)) {
            fixed.extend(group.iter().filter(|&&l| l != lit).map(|&l| !l));
            group.clear();
        }
        for lit in fixed {
            if !self.add_clause(&[lit]) {
                return false;
            }
        }
        group.retain(|&l| !self.assignment.is_fixed_false(l));
        if (group.len() as u64) < self.parameters.constraint.least_group.max(3) || self.level() > 0 {
            for (i, &a) in group.iter().enumerate() {
                for &b in &group[i + 1..] {
                    if !self.add_clause(&[!a, !b]) {
                        return false;
                    }
                }
            }
            return !self.unsat;
        }
        for &lit in &group {
            self.freeze(lit.var());
        }
        // Facts that are still to be propagated do the rest through the group; others were filtered out above.
        self.groups.add(&group);
        self.additions += 1;
        true
    }

    /// Adds `reified <-> sum of w * l >= bound`, or that the sum must reach the bound. Weights may have either sign,
    /// literals may come twice. `false`: there is no model at all any more.
    pub fn add_weight(&mut self, reified: Option<Lit>, terms: &[(Lit, i64)], bound: i64) -> bool {
        if self.unsat {
            return false;
        }
        if self.floor.is_none() {
            self.backtrack(0);
        }
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
    /// Adds a constraint that is nothing simpler than a sum; `full` are its terms as they were before their weights were
    /// saturated, needed where it is reified.
    fn add_sum(
        &mut self,
        reified: Option<Lit>,
        mut terms: Vec<(Lit, i128)>,
        full: Vec<(Lit, i128)>,
        mut bound: i128,
    ) -> bool {
        let mut total: i128 = terms.iter().map(|t| t.1).sum();
        if reified.is_none() {
            // What cannot be missing is true; the others share the rest of the bound.
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
            // No two may be missing.
            return self.add_at_most_one(&terms.iter().map(|t| !t.0).collect::<Vec<_>>());
        }
        let mut reified = reified;
        if let Some(r) = reified
            && terms.iter().any(|t| t.0.var() == r.var())
        {
            // The constraint needs a literal of its own.
            let own = Lit::pos(self.new_var());
            if !(self.add_clause(&[own, !r]) && self.add_clause(&[!own, r])) {
                return false;
            }
            reified = Some(own);
        }
        let terms = if reified.is_some() { full } else { terms };
        self.stage_weight(reified, terms, bound);
        true
    }
    /// Notes a constraint that cannot be simplified; it is installed when the search begins, since its bounds are
    /// better when all groups are known.
    fn stage_weight(&mut self, reified: Option<Lit>, terms: Vec<(Lit, i128)>, bound: i128) {
        for var in terms.iter().map(|t| t.0.var()).chain(reified.map(Lit::var)) {
            self.freeze(var);
        }
        self.staged.push(Staged { reified, terms, bound });
        if self.level() > 0 {
            self.install_staged();
        }
    }
    /// Installs what was noted.
    pub(crate) fn install_staged(&mut self) {
        if self.staged.is_empty() {
            return;
        }
        self.find_exact_groups();
        let mut staged = std::mem::take(&mut self.staged);
        staged.iter_mut().for_each(Staged::turn);
        let mut ladders: Map<&[(Lit, i128)], Vec<usize>> = Map::default();
        let on = self.parameters.constraint.bound_chains && self.level() == 0;
        for (i, s) in staged.iter().enumerate().filter(|(_, s)| on && s.reified.is_some()) {
            ladders.entry(&s.terms).or_default().push(i);
        }
        let mut in_ladder = vec![false; staged.len()];
        let mut ladders: Vec<Vec<usize>> = ladders.into_values().filter(|l| l.len() > 1).collect();
        ladders.sort_unstable();
        for members in ladders {
            let mut rungs: Vec<Rung> = members
                .iter()
                .filter_map(|&i| staged[i].reified.map(|lit| Rung { bound: staged[i].bound, lit }))
                .collect();
            let mut vars: Vec<Var> = rungs.iter().map(|r| r.lit.var()).collect();
            vars.sort_unstable();
            vars.dedup();
            if vars.len() == rungs.len() {
                rungs.sort_by_key(|r| r.bound);
                self.install_ladder(&staged[members[0]].terms, rungs);
                members.iter().for_each(|&i| in_ladder[i] = true);
            }
        }
        for (Staged { reified, mut terms, bound }, _) in staged.into_iter().zip(in_ladder).filter(|s| !s.1) {
            weight::saturate(bound.max(1), &mut terms);
            self.install_weight(reified, &terms, bound, false);
        }
    }
    /// Installs constraints on one sum. Pre: sorted by bound.
    fn install_ladder(&mut self, terms: &[(Lit, i128)], mut rungs: Vec<Rung>) {
        for pair in rungs.windows(2) {
            self.add_clause(&[pair[0].lit, !pair[1].lit]);
            if pair[0].bound == pair[1].bound {
                self.add_clause(&[!pair[0].lit, pair[1].lit]);
            }
        }
        self.additions += 1;
        let (sum, shift) = self.structure(terms, rungs.iter().map(|r| r.lit.var()));
        for lit in sum.blocks.iter().flat_map(|b| &b.1).map(|t| t.0) {
            self.freeze(lit.var());
        }
        rungs.iter_mut().for_each(|r| r.bound -= shift);
        self.weights.add_ladder(&sum, &rungs, &self.assignment);
    }
    /// Installs a constraint; tells its index, and what its bound was lowered by.
    fn install_weight(
        &mut self,
        reified: Option<Lit>,
        terms: &[(Lit, i128)],
        bound: i128,
        half: bool,
    ) -> (u32, i128) {
        self.additions += 1;
        let (sum, shift) = self.structure(terms, reified.map(Lit::var));
        for lit in sum.blocks.iter().flat_map(|b| &b.1).map(|t| t.0) {
            self.freeze(lit.var());
        }
        (self.weights.add(reified, &sum, bound - shift, half, &self.assignment), shift)
    }
    /// Finds the groups of which a clause says that some literal is true.
    fn find_exact_groups(&mut self) {
        let key = (self.groups.len(), self.live_clauses);
        if self.exact_groups.0 == key {
            return;
        }
        let mut exact = vec![false; self.groups.len()];
        let mut common = Vec::new();
        for c in self.arena.iter().filter(|&c| !self.arena.is_learned(c)) {
            common.clear();
            for (i, lit) in self.arena.literals(c).enumerate() {
                let groups = self.groups.groups_of(lit);
                if i == 0 {
                    common.extend_from_slice(groups);
                } else {
                    common.retain(|g| groups.binary_search(g).is_ok());
                }
                if common.is_empty() {
                    break;
                }
            }
            for &g in &common {
                let open = |l: &&Lit| !self.assignment.is_fixed_false(**l);
                exact[g as usize] |= self.groups.members(g).iter().filter(open).count() <= self.arena.len(c);
            }
        }
        self.exact_groups = (key, exact);
    }
    /// Splits a sum into blocks of at-most-one groups, largest first, and singles. The given sum is that of the result
    /// plus the number returned. A block of an exactly-one group takes in literals of either sign, since
    /// `w * !l = w - w * l`, and its least weight is taken out. Variables that reify the sum are in no block.
    fn structure(&self, terms: &[(Lit, i128)], reified: impl IntoIterator<Item = Var>) -> (Sum, i128) {
        let exact = &self.exact_groups.1;
        let is_exact = |g: u32| exact.get(g as usize).copied().unwrap_or(false);
        let mut weights: Map<Lit, i128> = terms.iter().copied().collect();
        let mut used: Set<Var> = reified.into_iter().collect();
        let mut scores: Map<u32, usize> = Map::default();
        for &(lit, _) in terms {
            for &g in self.groups.groups_of(lit) {
                *scores.entry(g).or_default() += 1;
            }
            for &g in self.groups.groups_of(!lit).iter().filter(|&&g| is_exact(g)) {
                *scores.entry(g).or_default() += 1;
            }
        }
        let mut order: Vec<(usize, u32)> =
            scores.into_iter().map(|(g, n)| (n, g)).filter(|s| s.0 >= 2).collect();
        order.sort_unstable_by_key(|&(n, g)| (std::cmp::Reverse(n), g));
        let (mut sum, mut shift) = (Sum::default(), 0i128);
        let narrow = |weight: i128| i64::try_from(weight).ok();
        for (_, g) in order {
            let members = self.groups.members(g);
            let open = || members.iter().copied().filter(|&l| !self.assignment.is_fixed_false(l));
            let present = open().filter(|l| weights.contains_key(l) || weights.contains_key(&!*l)).count();
            let whole =
                is_exact(g) && 2 * present >= open().count() && open().all(|l| !used.contains(&l.var()));
            let mut block: Vec<(Lit, i128)> = Vec::new();
            let mut base = 0;
            for lit in open().filter(|l| !used.contains(&l.var())) {
                match (weights.get(&lit), weights.get(&!lit)) {
                    (Some(&w), _) => block.push((lit, w)),
                    (None, Some(&w)) if whole => {
                        base += w;
                        block.push((lit, -w));
                    }
                    (None, None) if whole => block.push((lit, 0)),
                    _ => {}
                }
            }
            if block.len() < 2 {
                continue;
            }
            if whole {
                let least = block.iter().map(|t| t.1).min().unwrap_or(0);
                base += least;
                block.iter_mut().for_each(|t| t.1 -= least);
            }
            let Some(narrowed) =
                block.iter().map(|&(l, w)| narrow(w).map(|w| (l, w))).collect::<Option<Vec<_>>>()
            else {
                continue;
            };
            shift += base;
            for &(lit, _) in &block {
                used.insert(lit.var());
                weights.remove(&lit);
                weights.remove(&!lit);
            }
            if block.iter().any(|t| t.1 > 0) {
                sum.blocks.push((whole, narrowed));
            }
        }
        for &(lit, _) in terms {
            // A weight past 64 bits, which merging of terms can make, is split; the sum stays exact.
            let mut rest = weights.get(&lit).copied().unwrap_or(0);
            while rest > 0 {
                let part = rest.min(i128::from(i64::MAX));
                sum.singles.push((lit, part as i64));
                rest -= part;
            }
        }
        (sum, shift)
    }
    /// Adds `sum of w * l <= bound` where the bound can be changed by [`set_upper_bound`](Self::set_upper_bound), as
    /// optimisation needs; without a bound it holds always. With a guard the bound only counts while that is true.
    pub fn add_upper_bound(
        &mut self,
        guard: Option<Lit>,
        terms: &[(Lit, i64)],
        bound: Option<i64>,
    ) -> BoundId {
        if self.floor.is_none() {
            self.backtrack(0);
        }
        // sum w * l <= b is sum w * !l >= total - b.
        let (terms, offset) = self.normalize_terms(terms);
        let total: i128 = terms.iter().map(|t| t.1).sum();
        let negated: Vec<(Lit, i128)> = terms.iter().map(|&(l, w)| (!l, w)).collect();
        let lower = bound.map_or(0, |b| total - (i128::from(b) - offset));
        for var in negated.iter().map(|t| t.0.var()).chain(guard.map(Lit::var)) {
            self.freeze(var);
        }
        self.install_staged();
        self.find_exact_groups();
        let (index, shift) = self.install_weight(guard, &negated, lower, guard.is_some());
        self.bounds.push(Bound { constraint: index, base: total + offset - shift });
        BoundId(self.bounds.len() as u32 - 1)
    }
    /// Changes an upper bound. It may only become tighter, unless no clause was learned from it since it was set.
    pub fn set_upper_bound(&mut self, id: BoundId, bound: i64) {
        let Bound { constraint, base } = self.bounds[id.0 as usize];
        self.weights.set_bound(constraint, base - i128::from(bound));
    }
    /// `reified <-> literals` as a disjunction, or a conjunction.
    fn add_gate(&mut self, reified: Option<Lit>, literals: &[Lit], conjunction: bool) -> bool {
        match (reified, conjunction) {
            (None, true) => literals.iter().all(|&l| self.add_clause(&[l])),
            (None, false) => self.add_clause(literals),
            (Some(r), _) => {
                let (r, flip) = if conjunction { (!r, true) } else { (r, false) };
                // r <-> some of the literals, after flipping.
                let mut long: Vec<Lit> = literals.iter().map(|&l| if flip { !l } else { l }).collect();
                long.iter().all(|&l| self.add_clause(&[r, !l])) && {
                    long.push(!r);
                    self.add_clause(&long)
                }
            }
        }
    }
    /// Terms with positive weights and each variable once, without those fixed at the root, and what was taken out of
    /// the sum.
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
            if self.assignment.is_fixed_true(positive) {
                offset += p;
            } else if self.assignment.is_fixed_false(positive) {
                offset += n;
            } else if p > n {
                offset += n;
                result.push((positive, p - n));
            } else {
                offset += p;
            }
            if n > p && !self.view().is_fixed(positive) {
                result.push((!positive, n - p));
            }
        }
        (result, offset)
    }
}
