//! Installing at-most-one groups and weight constraints, and finding the structure of sums.
//!
//! A sum is split into blocks, each a group of literals of which at most one is true, so that its bounds are the best
//! of each block. Constraints wait until the search begins, when all groups are known; those on one sum become a chain
//! of bounds. Invariant: what is installed is equivalent to what was given, and its variables are frozen.

use crate::Engine;
use crate::proof::sums::{Side, Source};
use crate::store::constraints::Staged;
use crate::store::literal::{Lit, Var};
use crate::store::weight::{Sum, Threshold};
use asp_base::map::{Map, Set};
use asp_base::weight;

impl Engine {
    /// Backtracks to the root, unless an enumeration is in progress.
    pub fn return_to_root(&mut self) {
        if self.call.floor.is_none() {
            self.backtrack(0);
        }
    }
    /// Installs a group of which at most one literal may be true. Pre: no variable occurs twice, no literal is false at
    /// the root. `false`: there are no more models.
    pub(crate) fn install_group(&mut self, group: &[Lit]) -> bool {
        if (group.len() as u64) < self.parameters.constraint.least_group.max(3) || self.level() > 0 {
            for (i, &a) in group.iter().enumerate() {
                for &b in &group[i + 1..] {
                    if !self.add_clause(&[!a, !b]) {
                        return false;
                    }
                }
            }
            return !self.is_unsat();
        }
        for &lit in group {
            self.freeze(lit.var());
        }
        // The group propagates facts that have not been propagated; the others were filtered out above.
        self.constraints.at_most_one.add(group);
        self.clauses.additions += 1;
        true
    }

    /// Stores a constraint that cannot be simplified; it is installed when the search begins, since its bounds are
    /// tighter when all groups are known.
    pub(crate) fn stage_weight(&mut self, reified: Option<Lit>, terms: Vec<(Lit, i128)>, bound: i128) {
        for var in terms.iter().map(|t| t.0.var()).chain(reified.map(Lit::var)) {
            self.freeze(var);
        }
        let side = self.proof.as_ref().and_then(|p| p.origin());
        self.constraints.staged.push(Staged { reified, terms, bound, side });
        if self.level() > 0 {
            self.install_staged();
        }
    }
    /// Installs the stored constraints.
    pub(crate) fn install_staged(&mut self) {
        if self.constraints.staged.is_empty() {
            return;
        }
        self.find_exact_groups();
        let mut staged = std::mem::take(&mut self.constraints.staged);
        staged.iter_mut().for_each(Staged::turn);
        let mut chains: Map<&[(Lit, i128)], Vec<usize>> = Map::default();
        let on = self.parameters.constraint.bound_chains && self.level() == 0;
        for (i, s) in staged.iter().enumerate().filter(|(_, s)| on && s.reified.is_some()) {
            chains.entry(&s.terms).or_default().push(i);
        }
        let mut in_chain = vec![false; staged.len()];
        let mut chains: Vec<Vec<usize>> = chains.into_values().filter(|l| l.len() > 1).collect();
        chains.sort_unstable();
        for members in chains {
            let mut thresholds: Vec<Threshold> = members
                .iter()
                .filter_map(|&i| staged[i].reified.map(|lit| Threshold { bound: staged[i].bound, lit }))
                .collect();
            let mut vars: Vec<Var> = thresholds.iter().map(|r| r.lit.var()).collect();
            vars.sort_unstable();
            vars.dedup();
            if vars.len() == thresholds.len() {
                thresholds.sort_by_key(|r| r.bound);
                let side = |lit| {
                    members.iter().find(|&&i| staged[i].reified == Some(lit)).and_then(|&i| staged[i].side)
                };
                let sides: Vec<Option<Side>> = thresholds.iter().map(|t| side(t.lit)).collect();
                if !self.log_chain(&thresholds, &sides) {
                    continue;
                }
                self.install_chain(&staged[members[0]].terms, thresholds, &sides);
                members.iter().for_each(|&i| in_chain[i] = true);
            }
        }
        for (Staged { reified, mut terms, bound, side }, _) in
            staged.into_iter().zip(in_chain).filter(|s| !s.1)
        {
            weight::saturate(bound.max(1), &mut terms);
            self.install_weight(reified, &terms, bound, false, side);
        }
    }
    /// Installs constraints on one sum. Pre: sorted by bound.
    fn install_chain(
        &mut self,
        terms: &[(Lit, i128)],
        mut thresholds: Vec<Threshold>,
        sides: &[Option<Side>],
    ) {
        for pair in thresholds.windows(2) {
            self.add_clause(&[pair[0].lit, !pair[1].lit]);
            if pair[0].bound == pair[1].bound {
                self.add_clause(&[!pair[0].lit, pair[1].lit]);
            }
        }
        self.clauses.additions += 1;
        let split = self.proof.is_none() || sides.iter().all(Option::is_some);
        let (sum, shift) = self.structure(terms, thresholds.iter().map(|r| r.lit.var()), split);
        for lit in sum.blocks.iter().flat_map(|b| &b.1).map(|t| t.0) {
            self.freeze(lit.var());
        }
        thresholds.iter_mut().for_each(|r| r.bound -= shift);
        let sides = thresholds.iter().zip(sides).filter_map(|(t, &side)| Some((t.lit, side?)));
        let sides: Vec<(Lit, Side)> = sides.flat_map(|(l, side)| [(l, side), (!l, side.other())]).collect();
        let constraint = self.constraints.weights.add_chain(&sum, &thresholds, &self.assignment);
        self.log_blocks(constraint, &sum, sides);
    }
    /// Installs a constraint; returns its index, and by how much its bound was lowered.
    fn install_weight(
        &mut self,
        reified: Option<Lit>,
        terms: &[(Lit, i128)],
        bound: i128,
        half: bool,
        side: Option<Side>,
    ) -> (u32, i128) {
        self.clauses.additions += 1;
        let split = self.proof.is_none() || side.is_some();
        let (sum, shift) = self.structure(terms, reified.map(Lit::var), split);
        for lit in sum.blocks.iter().flat_map(|b| &b.1).map(|t| t.0) {
            self.freeze(lit.var());
        }
        let constraint = self.constraints.weights.add(reified, &sum, bound - shift, half, &self.assignment);
        let mut sides = Vec::new();
        sides.extend(side.map(|side| (reified.unwrap_or(Lit::NONE), side)));
        sides.extend(reified.zip(side).filter(|_| !half).map(|(r, side)| (!r, side.other())));
        self.log_blocks(constraint, &sum, sides);
        (constraint, shift)
    }
    /// Explanations of a sum with blocks are steps of a proof.
    fn log_blocks(&mut self, constraint: u32, sum: &Sum, sides: Vec<(Lit, Side)>) {
        let Some(proof) = &mut self.proof else { return };
        let blocks: Vec<&(bool, Vec<(Lit, i64)>)> = sum.blocks.iter().chain(&sum.constant).collect();
        if !blocks.is_empty() {
            proof.install(constraint, sides.into_iter(), &blocks);
        }
    }
    /// Logs that reaching a bound implies reaching all lower ones. `false`: that cannot be logged.
    fn log_chain(&mut self, thresholds: &[Threshold], sides: &[Option<Side>]) -> bool {
        let Some(proof) = &mut self.proof else { return true };
        let known: Vec<(Lit, Side)> =
            thresholds.iter().zip(sides).filter_map(|(t, &side)| Some((t.lit, side?))).collect();
        let ordered = |(i, pair): (usize, &[(Lit, Side)])| {
            proof.order(pair[0], pair[1])
                && (thresholds[i].bound < thresholds[i + 1].bound || proof.order(pair[1], pair[0]))
        };
        known.len() == thresholds.len() && known.windows(2).enumerate().all(ordered)
    }
    /// Finds the groups for which a clause says that some literal is true.
    pub(super) fn find_exact_groups(&mut self) {
        let key = (self.constraints.at_most_one.len(), self.clauses.original);
        if self.constraints.exact_groups.0 == key {
            return;
        }
        let mut exact = vec![false; self.constraints.at_most_one.len()];
        let mut common = Vec::new();
        for c in self.clauses.arena.iter().filter(|&c| !self.clauses.arena.is_learned(c)) {
            common.clear();
            for (i, lit) in self.clauses.arena.literals(c).enumerate() {
                let groups = self.constraints.at_most_one.groups_of(lit);
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
                exact[g as usize] |= self.constraints.at_most_one.members(g).iter().filter(open).count()
                    <= self.clauses.arena.len(c);
            }
        }
        self.constraints.exact_groups = (key, exact);
    }
    /// Splits a sum into blocks of at-most-one groups, largest first, and singles. The given sum is the resulting sum
    /// plus the returned number. A block of an exactly-one group includes literals of either sign, since `w * !l = w -
    /// w * l`, and its least weight is factored out. Variables that reify the sum are in no block.
    /// Without `split`, there are no blocks.
    fn structure(
        &self,
        terms: &[(Lit, i128)],
        reified: impl IntoIterator<Item = Var>,
        split: bool,
    ) -> (Sum, i128) {
        let exact = &self.constraints.exact_groups.1;
        let is_exact = |g: u32| exact.get(g as usize).copied().unwrap_or(false);
        let mut weights: Map<Lit, i128> = terms.iter().copied().collect();
        let mut used: Set<Var> = reified.into_iter().collect();
        let mut scores: Map<u32, usize> = Map::default();
        for &(lit, _) in terms {
            for &g in self.constraints.at_most_one.groups_of(lit) {
                *scores.entry(g).or_default() += 1;
            }
            for &g in self.constraints.at_most_one.groups_of(!lit).iter().filter(|&&g| is_exact(g)) {
                *scores.entry(g).or_default() += 1;
            }
        }
        if !split {
            scores.clear();
        }
        let mut order: Vec<(usize, u32)> =
            scores.into_iter().map(|(g, n)| (n, g)).filter(|s| s.0 >= 2).collect();
        order.sort_unstable_by_key(|&(n, g)| (std::cmp::Reverse(n), g));
        let (mut sum, mut shift) = (Sum::default(), 0i128);
        let narrow = |weight: i128| i64::try_from(weight).ok();
        for (_, g) in order {
            let members = self.constraints.at_most_one.members(g);
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
            let all = if block.iter().any(|t| t.1 > 0) { &mut sum.blocks } else { &mut sum.constant };
            all.push((whole, narrowed));
        }
        for &(lit, _) in terms {
            // Merging may yield a weight beyond 64 bits; it is split, and the sum stays exact.
            let mut rest = weights.get(&lit).copied().unwrap_or(0);
            while rest > 0 {
                let part = rest.min(i128::from(i64::MAX));
                sum.singles.push((lit, part as i64));
                rest -= part;
            }
        }
        (sum, shift)
    }
    /// Installs `guard -> sum of w * l >= bound` at once, as a constraint whose bound can be changed; returns its
    /// index, and by how much its bound was lowered.
    pub(crate) fn install_lower_bound(
        &mut self,
        guard: Option<Lit>,
        terms: &[(Lit, i128)],
        bound: i128,
    ) -> (u32, i128) {
        for var in terms.iter().map(|t| t.0.var()).chain(guard.map(Lit::var)) {
            self.freeze(var);
        }
        self.install_staged();
        self.find_exact_groups();
        let side = self.proof.as_ref().map(|_| Side { source: Source::Demand, misses: true });
        self.install_weight(guard, terms, bound, guard.is_some(), side)
    }
    /// Number of blocks of all installed constraints.
    #[cfg(test)]
    pub(crate) fn num_blocks(&self) -> usize {
        self.constraints.weights.num_blocks()
    }
    /// Changes the bound of a constraint.
    pub(crate) fn set_lower_bound(&mut self, constraint: u32, bound: i128) {
        self.constraints.weights.set_bound(constraint, bound);
    }
}
