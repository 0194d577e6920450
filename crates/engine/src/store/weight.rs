//! Weight constraints: `sum of w_i * l_i >= bound`, plain or reified by a literal, by counters with lazy explanation.
//!
//! The terms are single literals and blocks: sets of literals of which at most one, or exactly one, is true. A block
//! counts with its best literal that is not false, not with the sum of all, which makes the bounds of sums over digits,
//! successors or assignments tight. Two sums are kept for each constraint: `possible`, the most that can still be
//! reached, and `reached`, the least that must be. If the constraint must hold, a literal without which `possible` is
//! below the bound must be true, and a literal of a block that is too small must be false; if it must fail, literals
//! that would raise `reached` to the bound must be false. Explanations are made when conflict analysis asks for them
//! (see [`crate::store::weight_explain`]). Invariant: the sums count exactly the literals at trail
//! positions below `head`; terms are sorted by decreasing weight.
//! Source: Gebser, Kaminski, Kaufmann and Schaub, *On the implementation of weight constraint rules in
//! conflict-driven ASP solvers*, ICLP 2009; bounds over exactly-one groups as in multi-valued decision problems, e.g.
//! Ansótegui et al., *Automated reasoning with at-most-one constraints and pseudo-Boolean constraints*, 2019.

use crate::store::assignment::{Assignment, Reason};
use crate::store::literal::Lit;
use crate::store::literal_lists::LiteralLists;

const SINGLE: u32 = u32::MAX;
/// No term.
pub(super) const NOTHING: u32 = u32::MAX;

/// `lit <-> sum >= bound`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Threshold {
    pub(crate) bound: i128,
    pub(crate) lit: Lit,
}

/// A sum reified by literals. No weight is negative.
pub(crate) struct Reified {
    pub(crate) terms: Vec<(Lit, i64)>,
    pub(crate) thresholds: Vec<Threshold>,
    /// The greatest value of the sum.
    pub(crate) most: i128,
    /// Whether literals only imply that their bound is reached.
    pub(crate) half: bool,
}

/// A literal and its weight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term {
    pub(super) weight: i64,
    pub(super) lit: Lit,
}

/// An occurrence of a literal. A literal that reifies a constraint or is a threshold occurs as a single with weight 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Occurrence {
    weight: i64,
    pub(super) constraint: u32,
    block: u32,
    /// Index of the term, or of the threshold.
    pub(super) term: u32,
}

impl Occurrence {
    /// Whether it is a term of a block.
    pub(super) fn is_in_block(&self) -> bool {
        self.block != SINGLE
    }
}

/// An at-most-one set of literals.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// Start of its terms, which are sorted by decreasing weight.
    pub(super) start: u32,
    pub(super) end: u32,
    /// Whether exactly one is true.
    pub(super) exact: bool,
    /// The first term that is not false, and the end after the last one.
    high: u32,
    low: u32,
    /// Weight of the first term that is not false.
    best: i64,
    /// Weight that the block certainly contributes.
    sure: i64,
    /// The counted term that is true, or [`NOTHING`].
    pub(super) chosen: u32,
}

#[derive(Clone, Debug)]
pub(super) struct Constraint {
    /// Terms that are in no block.
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) first_block: u32,
    pub(super) end_block: u32,
    /// `lit <-> sum >= bound`; [`Lit::NONE`] if the sum must reach the bound.
    pub(super) reified: Lit,
    /// Only `reified -> sum >= bound`.
    pub(super) half: bool,
    /// For a chain: its thresholds, instead of `reified` and `bound`.
    pub(super) first_threshold: u32,
    pub(super) end_threshold: u32,
    pub(super) bound: i128,
    pub(super) reached: i128,
    pub(super) possible: i128,
    /// The greatest change that one block or single can make: if the slack is at least that, there is nothing to do.
    pub(super) spread: i128,
    queued: bool,
    /// Whether to examine the constraint after each backtracking, since it was added or tightened above the root.
    rechecked: bool,
}

/// A constraint that can no longer be satisfied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Violated(pub(crate) u32);

/// The sum of a new constraint: singles, and blocks, each with whether exactly one of its literals is true.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sum {
    pub(crate) singles: Vec<(Lit, i64)>,
    pub(crate) blocks: Vec<(bool, Vec<(Lit, i64)>)>,
    /// Blocks that add the same whichever literal holds, which is no part of the sum.
    pub(crate) constant: Vec<(bool, Vec<(Lit, i64)>)>,
}

/// All weight constraints.
#[derive(Debug, Default)]
pub(crate) struct Weights {
    pub(super) terms: Vec<Term>,
    pub(super) blocks: Vec<Block>,
    pub(super) constraints: Vec<Constraint>,
    pub(super) thresholds: Vec<Threshold>,
    pub(super) occurrences: LiteralLists<Occurrence>,
    queue: Vec<u32>,
    rechecked: Vec<u32>,
    pub(super) head: usize,
}

/// Whether a literal has been counted as false.
#[inline]
fn counted_false(assignment: &Assignment, head: usize, lit: Lit) -> bool {
    assignment.is_false(lit) && (assignment.position_of(lit) as usize) < head
}

impl Weights {
    /// Number of constraints.
    pub(crate) fn len(&self) -> usize {
        self.constraints.len()
    }
    /// Number of their blocks.
    #[cfg(test)]
    pub(crate) fn num_blocks(&self) -> usize {
        self.blocks.len()
    }
    /// Whether a call of [`propagate`](Self::propagate) may find something.
    #[inline]
    pub(crate) fn is_pending(&self, assignment: &Assignment) -> bool {
        !self.constraints.is_empty() && (self.head < assignment.trail.len() || !self.queue.is_empty())
    }
    /// Adds a constraint. Pre: weights of singles are positive, those in blocks not negative; no variable occurs twice
    /// or is the reifying one.
    pub(crate) fn add(
        &mut self,
        reified: Option<Lit>,
        sum: &Sum,
        bound: i128,
        half: bool,
        assignment: &Assignment,
    ) -> u32 {
        if self.constraints.is_empty() {
            self.head = assignment.trail.len();
        }
        let constraint = self.constraints.len() as u32;
        let first_block = self.blocks.len() as u32;
        for (exact, members) in &sum.blocks {
            let (start, end) = self.add_terms(members, constraint, self.blocks.len() as u32);
            let (high, low, chosen) = (start, end, NOTHING);
            let mut block = Block { start, end, exact: *exact, high, low, best: 0, sure: 0, chosen };
            self.refresh(&mut block, assignment);
            self.blocks.push(block);
        }
        let (start, end) = self.add_terms(&sum.singles, constraint, SINGLE);
        if let Some(r) = reified {
            self.notice(r, constraint, SINGLE);
        }
        let blocks = &self.blocks[first_block as usize..];
        let (mut reached, mut possible, mut spread) = (0i128, 0i128, 0i128);
        for block in blocks {
            reached += i128::from(block.sure);
            possible += i128::from(block.best);
            spread = spread.max(i128::from(self.terms[block.start as usize].weight));
        }
        for term in &self.terms[start as usize..end as usize] {
            let weight = i128::from(term.weight);
            spread = spread.max(weight);
            if !counted_false(assignment, self.head, term.lit) {
                possible += weight;
            }
            if counted_false(assignment, self.head, !term.lit) {
                reached += weight;
            }
        }
        self.constraints.push(Constraint {
            start,
            end,
            first_block,
            end_block: self.blocks.len() as u32,
            reified: reified.unwrap_or(Lit::NONE),
            half,
            first_threshold: 0,
            end_threshold: 0,
            bound,
            reached,
            possible,
            spread,
            queued: false,
            rechecked: false,
        });
        self.recheck(constraint);
        constraint
    }
    /// Examines the constraint whenever the literal is assigned.
    pub(super) fn notice(&mut self, lit: Lit, constraint: u32, term: u32) {
        let occurrence = Occurrence { weight: 0, constraint, block: SINGLE, term };
        self.occurrences.push(lit, occurrence);
        self.occurrences.push(!lit, occurrence);
    }
    fn add_terms(&mut self, terms: &[(Lit, i64)], constraint: u32, block: u32) -> (u32, u32) {
        let start = self.terms.len();
        self.terms.extend(terms.iter().map(|&(lit, weight)| Term { weight, lit }));
        self.terms[start..].sort_by_key(|t| std::cmp::Reverse(t.weight));
        for (i, term) in self.terms.iter().enumerate().skip(start) {
            let occurrence = Occurrence { weight: term.weight, constraint, block, term: i as u32 };
            self.occurrences.push(term.lit, occurrence);
        }
        (start as u32, self.terms.len() as u32)
    }
    /// Computes a block's bounds from scratch.
    fn refresh(&self, block: &mut Block, assignment: &Assignment) {
        let is_open = |i: &u32| !counted_false(assignment, self.head, self.terms[*i as usize].lit);
        block.high = (block.start..block.end).find(is_open).unwrap_or(block.end);
        block.low = (block.start..block.end).rev().find(is_open).map_or(block.start, |i| i + 1);
        block.best = if block.high < block.end { self.terms[block.high as usize].weight } else { 0 };
        let chosen = (block.start..block.end)
            .find(|&i| counted_false(assignment, self.head, !self.terms[i as usize].lit));
        block.chosen = chosen.unwrap_or(NOTHING);
        block.sure = if block.exact {
            if block.low > block.start { self.terms[block.low as usize - 1].weight } else { 0 }
        } else {
            chosen.map_or(0, |i| self.terms[i as usize].weight)
        };
    }
    /// Changes the bound of a constraint; as long as clauses learned from it are kept, it must only become tighter.
    pub(crate) fn set_bound(&mut self, constraint: u32, bound: i128) {
        self.constraints[constraint as usize].bound = bound;
        self.recheck(constraint);
    }
    /// Examines the constraint now and after each backtracking, until that reaches the root.
    fn recheck(&mut self, constraint: u32) {
        self.enqueue(constraint);
        let c = &mut self.constraints[constraint as usize];
        if !c.rechecked {
            c.rechecked = true;
            self.rechecked.push(constraint);
        }
    }
    #[inline]
    fn enqueue(&mut self, constraint: u32) {
        let c = &mut self.constraints[constraint as usize];
        if !c.queued {
            c.queued = true;
            self.queue.push(constraint);
        }
    }
    /// Uncounts the literals at positions from `len` on. Pre: they are still on the trail.
    pub(crate) fn undo(&mut self, trail: &[Lit], len: usize, level: u32) {
        while self.head > len {
            self.head -= 1;
            let lit = trail[self.head];
            for &o in self.occurrences.of(lit) {
                let c = &mut self.constraints[o.constraint as usize];
                if o.block == SINGLE {
                    c.reached -= i128::from(o.weight);
                } else {
                    let block = &mut self.blocks[o.block as usize];
                    block.chosen = NOTHING;
                    if !block.exact {
                        c.reached -= i128::from(block.sure);
                        block.sure = 0;
                    }
                }
            }
            for &o in self.occurrences.of(!lit) {
                let c = &mut self.constraints[o.constraint as usize];
                if o.block == SINGLE {
                    c.possible += i128::from(o.weight);
                    continue;
                }
                let block = &mut self.blocks[o.block as usize];
                if o.term < block.high {
                    c.possible += i128::from(o.weight) - i128::from(block.best);
                    block.high = o.term;
                    block.best = o.weight;
                }
                if o.term >= block.low {
                    block.low = o.term + 1;
                    if block.exact {
                        c.reached += i128::from(o.weight) - i128::from(block.sure);
                        block.sure = o.weight;
                    }
                }
            }
        }
        for constraint in self.queue.drain(..) {
            self.constraints[constraint as usize].queued = false;
        }
        let rechecked = std::mem::take(&mut self.rechecked);
        for &constraint in &rechecked {
            self.enqueue(constraint);
            self.constraints[constraint as usize].rechecked = level > 0;
        }
        if level > 0 {
            self.rechecked = rechecked;
        }
    }
    /// Counts new trail literals and propagates the constraints that contain them. Post: the counters agree with the
    /// whole trail as of the start of the call.
    pub(crate) fn propagate(&mut self, assignment: &mut Assignment) -> Result<(), Violated> {
        while self.head < assignment.trail.len() {
            let lit = assignment.trail[self.head];
            self.head += 1;
            for i in 0..self.occurrences.of(lit).len() {
                let o = self.occurrences.of(lit)[i];
                self.count_true(o);
                self.enqueue(o.constraint);
            }
            for i in 0..self.occurrences.of(!lit).len() {
                let o = self.occurrences.of(!lit)[i];
                if self.count_false(o, assignment) {
                    self.enqueue(o.constraint);
                }
            }
        }
        while let Some(constraint) = self.queue.pop() {
            self.constraints[constraint as usize].queued = false;
            self.propagate_constraint(constraint, assignment)?;
        }
        Ok(())
    }
    #[inline]
    fn count_true(&mut self, o: Occurrence) {
        let c = &mut self.constraints[o.constraint as usize];
        if o.block == SINGLE {
            c.reached += i128::from(o.weight);
        } else {
            let block = &mut self.blocks[o.block as usize];
            block.chosen = o.term;
            if !block.exact {
                c.reached += i128::from(o.weight) - i128::from(block.sure);
                block.sure = o.weight;
            }
        }
    }
    /// Counts a literal as false; returns whether a bound changed.
    #[inline]
    fn count_false(&mut self, o: Occurrence, assignment: &Assignment) -> bool {
        let c = &mut self.constraints[o.constraint as usize];
        if o.block == SINGLE {
            c.possible -= i128::from(o.weight);
            return true;
        }
        let block = &mut self.blocks[o.block as usize];
        let mut changed = false;
        if o.term == block.high {
            while block.high < block.end
                && counted_false(assignment, self.head, self.terms[block.high as usize].lit)
            {
                block.high += 1;
            }
            let best = if block.high < block.end { self.terms[block.high as usize].weight } else { 0 };
            changed = best != block.best;
            c.possible -= i128::from(block.best) - i128::from(best);
            block.best = best;
        }
        if o.term + 1 == block.low {
            while block.low > block.start
                && counted_false(assignment, self.head, self.terms[block.low as usize - 1].lit)
            {
                block.low -= 1;
            }
            if block.exact {
                let sure =
                    if block.low > block.start { self.terms[block.low as usize - 1].weight } else { 0 };
                changed |= sure != block.sure;
                c.reached += i128::from(sure) - i128::from(block.sure);
                block.sure = sure;
            }
        }
        // If the second-best literal of a block becomes false, the best one may become necessary.
        changed || !block.exact
    }
    fn propagate_constraint(&self, index: u32, assignment: &mut Assignment) -> Result<(), Violated> {
        let c = &self.constraints[index as usize];
        let reason = Reason::weight(index);
        if c.first_threshold < c.end_threshold {
            return self.propagate_chain(index, assignment);
        }
        let mut value = if c.reified == Lit::NONE { 1 } else { assignment.value(c.reified) };
        if c.possible < c.bound {
            match value {
                1 => return Err(Violated(index)),
                0 => assignment.assign(!c.reified, reason),
                _ => {}
            }
            value = -1;
        }
        if c.half && value < 1 {
            return Ok(());
        }
        if c.reached >= c.bound {
            match value {
                -1 => return Err(Violated(index)),
                0 => assignment.assign(c.reified, reason),
                _ => {}
            }
            return Ok(());
        }
        if value > 0 {
            let slack = c.possible - c.bound;
            if slack < c.spread {
                self.demand(c, slack, reason, assignment);
            }
        } else if value < 0 {
            let slack = c.bound - 1 - c.reached;
            if slack < c.spread {
                self.forbid(c, slack, reason, assignment);
            }
        }
        Ok(())
    }
    /// The constraint must hold: makes necessary literals true, and literals with too little weight false.
    pub(super) fn demand(&self, c: &Constraint, slack: i128, reason: Reason, assignment: &mut Assignment) {
        for term in self.singles(c).iter().take_while(|t| i128::from(t.weight) > slack) {
            if assignment.is_free(term.lit) {
                assignment.assign(term.lit, reason);
            }
        }
        for block in self.blocks_of(c) {
            let least = i128::from(block.best) - slack;
            if least <= 0 {
                continue;
            }
            let terms = &self.terms[block.high as usize..block.low.max(block.high) as usize];
            for term in terms.iter().rev().take_while(|t| i128::from(t.weight) < least) {
                if assignment.is_free(term.lit) {
                    assignment.assign(!term.lit, reason);
                }
            }
            if !block.exact {
                let mut able = terms
                    .iter()
                    .take_while(|t| i128::from(t.weight) >= least)
                    .filter(|t| !assignment.is_false(t.lit));
                if let (Some(term), None) = (able.next(), able.next())
                    && assignment.is_free(term.lit)
                {
                    assignment.assign(term.lit, reason);
                }
            }
        }
    }
    /// The constraint must fail: makes literals false that would raise the sum to the bound.
    pub(super) fn forbid(&self, c: &Constraint, slack: i128, reason: Reason, assignment: &mut Assignment) {
        for term in self.singles(c).iter().take_while(|t| i128::from(t.weight) > slack) {
            if assignment.is_free(term.lit) {
                assignment.assign(!term.lit, reason);
            }
        }
        for block in self.blocks_of(c) {
            let most = i128::from(block.sure) + slack;
            let terms = &self.terms[block.high as usize..block.low.max(block.high) as usize];
            for term in terms.iter().take_while(|t| i128::from(t.weight) > most) {
                if assignment.is_free(term.lit) {
                    assignment.assign(!term.lit, reason);
                }
            }
        }
    }
    /// The constraints whose sum must reach a bound, or stay below one, if these literals have values: their terms, whose
    /// weights may be negative, and the least total.
    pub(crate) fn demanded<'a>(
        &'a self,
        value: impl Fn(Lit) -> Option<bool> + Copy + 'a,
    ) -> impl Iterator<Item = (impl Iterator<Item = (Lit, i64)> + 'a, i128)> + 'a {
        let must = move |lit| if lit == Lit::NONE { Some(true) } else { value(lit) };
        self.constraints.iter().flat_map(move |c| {
            let chain = &self.thresholds[c.first_threshold as usize..c.end_threshold as usize];
            let own = chain.is_empty().then_some(Threshold { bound: c.bound, lit: c.reified });
            let thresholds = own.into_iter().chain(chain.iter().copied());
            let demands = thresholds.filter_map(move |t| Some((t.bound, must(t.lit)?)));
            demands.filter(|&(_, holds)| holds || !c.half).map(move |(bound, holds)| {
                let blocks = self.blocks_of(c).iter().flat_map(|b| self.members(b));
                let terms = self.singles(c).iter().chain(blocks);
                let sign = if holds { 1 } else { -1 };
                (terms.map(move |t| (t.lit, sign * t.weight)), if holds { bound } else { 1 - bound })
            })
        })
    }
    /// The constraints reified by literals: terms, thresholds by rising bounds, the greatest value of the sum, and whether
    /// reaching it does not imply the literal.
    pub(crate) fn reified(&self) -> impl Iterator<Item = Reified> {
        let open =
            self.constraints.iter().filter(|c| c.first_threshold < c.end_threshold || c.reified != Lit::NONE);
        open.filter_map(|c| {
            let chain = &self.thresholds[c.first_threshold as usize..c.end_threshold as usize];
            let own = chain.is_empty().then_some(Threshold { bound: c.bound, lit: c.reified });
            let blocks = || self.blocks_of(c).iter().map(|b| self.members(b));
            let terms: Vec<_> =
                self.singles(c).iter().chain(blocks().flatten()).map(|t| (t.lit, t.weight)).collect();
            let most = self.singles(c).iter().map(|t| i128::from(t.weight)).sum::<i128>();
            let most = most + blocks().filter_map(<[_]>::first).map(|t| i128::from(t.weight)).sum::<i128>();
            let thresholds = own.into_iter().chain(chain.iter().copied()).collect();
            let is_plain = terms.iter().all(|t| t.1 >= 0);
            is_plain.then_some(Reified { terms, thresholds, most, half: c.half })
        })
    }
    /// The terms outside blocks of sums with several weights: each literal with its share of the greatest weight.
    pub(crate) fn shares(&self) -> impl Iterator<Item = (Lit, f64)> {
        self.constraints.iter().flat_map(|c| {
            let terms = self.singles(c);
            let ends = terms.first().zip(terms.last()).map_or((1, 1), |(a, b)| (a.weight, b.weight));
            let uneven = if ends.0 == ends.1 { &[] } else { terms };
            uneven.iter().map(move |t| (t.lit, t.weight as f64 / ends.0 as f64))
        })
    }
    pub(super) fn singles(&self, c: &Constraint) -> &[Term] {
        &self.terms[c.start as usize..c.end as usize]
    }
    pub(super) fn blocks_of(&self, c: &Constraint) -> &[Block] {
        &self.blocks[c.first_block as usize..c.end_block as usize]
    }
    pub(super) fn members(&self, block: &Block) -> &[Term] {
        &self.terms[block.start as usize..block.end as usize]
    }

    /// How the bounds change if a term of this weight is chosen in a block.
    #[cfg(debug_assertions)]
    pub(super) fn swing(&self, block: &Block, weight: i64) -> (i128, i128) {
        let weight = i128::from(weight);
        (weight - i128::from(block.best), weight - i128::from(block.sure))
    }
    /// Checks that the counters agree with the counted part of the trail, and that nothing is left to propagate at a
    /// fixpoint.
    #[cfg(debug_assertions)]
    pub(crate) fn check(&self, assignment: &Assignment) {
        for (i, c) in self.constraints.iter().enumerate() {
            let is_false = |l: Lit| counted_false(assignment, self.head, l);
            let (mut reached, mut possible) = (0i128, 0i128);
            for t in self.singles(c) {
                possible += if is_false(t.lit) { 0 } else { i128::from(t.weight) };
                reached += if is_false(!t.lit) { i128::from(t.weight) } else { 0 };
            }
            for block in self.blocks_of(c) {
                let mut fresh = block.clone();
                self.refresh(&mut fresh, assignment);
                let state = |b: &Block| (b.best, b.sure, b.chosen);
                assert_eq!(state(&fresh), state(block), "block of constraint {i}");
                possible += i128::from(block.best);
                reached += i128::from(block.sure);
            }
            assert_eq!(c.reached, reached, "reached of constraint {i}");
            assert_eq!(c.possible, possible, "possible of constraint {i}");
            if c.first_threshold < c.end_threshold {
                self.check_chain(c, assignment);
                continue;
            }
            let value = if c.reified == Lit::NONE { 1 } else { assignment.value(c.reified) };
            assert!(c.possible >= c.bound || value == -1, "constraint {i} missed its bound");
            if c.half && value < 1 {
                continue;
            }
            assert!(c.reached < c.bound || value == 1, "constraint {i} reached its bound");
            if c.reached >= c.bound || c.possible < c.bound {
                continue;
            }
            for t in self.singles(c).iter().filter(|t| assignment.is_free(t.lit)) {
                let weight = i128::from(t.weight);
                assert!(value != 1 || c.possible - weight >= c.bound, "constraint {i}: {:?}", t.lit);
                assert!(value != -1 || c.reached + weight < c.bound, "constraint {i}: -{:?}", t.lit);
            }
            for block in self.blocks_of(c) {
                for t in self.members(block).iter().filter(|t| assignment.is_free(t.lit)) {
                    let weight = i128::from(t.weight);
                    let possible = c.possible - i128::from(block.best) + weight;
                    let reached = c.reached - i128::from(block.sure) + weight;
                    assert!(value != 1 || possible >= c.bound, "constraint {i}: -{:?}", t.lit);
                    assert!(value != -1 || reached < c.bound, "constraint {i}: -{:?}", t.lit);
                }
            }
        }
    }
}
