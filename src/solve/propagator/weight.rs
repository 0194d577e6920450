//! Weight constraints: `sum of w_i * l_i >= bound`, plain or reified by a literal, by counters with lazy explanation.
//!
//! For each constraint two sums are kept: `reached` over true literals and `possible` over literals that are not false.
//! If the constraint must hold, a literal whose weight is more than `possible - bound` must be true; if it must fail, a
//! literal whose weight would lift `reached` to the bound must be false. Explanations are made when conflict analysis
//! asks, from the literals that were assigned before the one to explain, without those that the slack does not need.
//! Invariant: the sums count exactly the literals at trail positions below `head`; terms are sorted by falling weight.
//! Source: Gebser, Kaminski, Kaufmann and Schaub, *On the implementation of weight constraint rules in
//! conflict-driven ASP solvers*, ICLP 2009.

use crate::solve::assignment::{Assignment, Reason};
use crate::solve::literal::Lit;

/// A literal and its weight.
#[derive(Clone, Copy, Debug)]
struct Term {
    weight: i64,
    lit: Lit,
}

/// Where a literal occurs: in which constraint, with which weight. The literal that reifies it has weight 0.
#[derive(Clone, Copy, Debug)]
struct Occurrence {
    weight: i64,
    constraint: u32,
}

#[derive(Clone, Debug)]
struct Constraint {
    start: u32,
    end: u32,
    /// `lit <-> sum >= bound`; [`Lit::NONE`] if the sum must reach the bound.
    reified: Lit,
    /// Only `reified -> sum >= bound`.
    half: bool,
    bound: i128,
    reached: i128,
    possible: i128,
    total: i128,
    queued: bool,
    /// The constraint is looked at again after each backtracking: it was added or tightened above the root.
    unsettled: bool,
}

/// What a constraint found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WeightConflict {
    /// This constraint cannot be satisfied any more.
    Constraint(u32),
}

/// All weight constraints.
#[derive(Debug, Default)]
pub(crate) struct Weights {
    terms: Vec<Term>,
    constraints: Vec<Constraint>,
    occurrences: Vec<Vec<Occurrence>>,
    queue: Vec<u32>,
    unsettled: Vec<u32>,
    head: usize,
}

impl Weights {
    pub(crate) fn new_var(&mut self) {
        self.occurrences.extend([Vec::new(), Vec::new()]);
    }
    /// Number of constraints.
    pub(crate) fn len(&self) -> usize {
        self.constraints.len()
    }
    /// Whether a call of [`propagate`](Self::propagate) may find something.
    #[inline]
    pub(crate) fn is_pending(&self, assignment: &Assignment) -> bool {
        !self.constraints.is_empty() && (self.head < assignment.trail.len() || !self.queue.is_empty())
    }
    /// Adds a constraint. Pre: weights are positive, no variable twice, none is the reifying one.
    pub(crate) fn add(
        &mut self,
        reified: Option<Lit>,
        terms: &[(Lit, i64)],
        bound: i128,
        half: bool,
        assignment: &Assignment,
    ) -> u32 {
        let index = self.constraints.len() as u32;
        let start = self.terms.len() as u32;
        self.terms.extend(terms.iter().map(|&(lit, weight)| Term { weight, lit }));
        self.terms[start as usize..].sort_by_key(|t| std::cmp::Reverse(t.weight));
        let total = terms.iter().map(|t| i128::from(t.1)).sum();
        let (mut reached, mut possible) = (0, total);
        if self.constraints.is_empty() {
            self.head = assignment.trail.len();
        }
        let counted =
            |lit: Lit| !assignment.is_free(lit) && (assignment.position_of(lit) as usize) < self.head;
        for &(lit, weight) in terms {
            self.occurrences[lit.code()].push(Occurrence { weight, constraint: index });
            if counted(lit) {
                if assignment.is_true(lit) {
                    reached += i128::from(weight);
                } else {
                    possible -= i128::from(weight);
                }
            }
        }
        if let Some(r) = reified {
            self.occurrences[r.code()].push(Occurrence { weight: 0, constraint: index });
        }
        self.constraints.push(Constraint {
            start,
            end: self.terms.len() as u32,
            reified: reified.unwrap_or(Lit::NONE),
            half,
            bound,
            reached,
            possible,
            total,
            queued: false,
            unsettled: false,
        });
        self.unsettle(index);
        index
    }
    /// Raises the bound of a constraint that is not reified, or is reified by a literal that only matters if true.
    pub(crate) fn set_bound(&mut self, constraint: u32, bound: i128) {
        self.constraints[constraint as usize].bound = bound;
        self.unsettle(constraint);
    }
    /// Looks at the constraint now and after each backtracking, until the root has been seen.
    fn unsettle(&mut self, constraint: u32) {
        self.enqueue(constraint);
        let c = &mut self.constraints[constraint as usize];
        if !c.unsettled {
            c.unsettled = true;
            self.unsettled.push(constraint);
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
            for occurrence in &self.occurrences[lit.code()] {
                self.constraints[occurrence.constraint as usize].reached -= i128::from(occurrence.weight);
            }
            for occurrence in &self.occurrences[(!lit).code()] {
                self.constraints[occurrence.constraint as usize].possible += i128::from(occurrence.weight);
            }
        }
        for constraint in self.queue.drain(..) {
            self.constraints[constraint as usize].queued = false;
        }
        let unsettled = std::mem::take(&mut self.unsettled);
        for &constraint in &unsettled {
            self.enqueue(constraint);
            self.constraints[constraint as usize].unsettled = level > 0;
        }
        if level > 0 {
            self.unsettled = unsettled;
        }
    }
    /// Counts new trail literals and propagates the constraints that they touch. Post: the counters agree with the
    /// whole trail as it was at the start of the call.
    pub(crate) fn propagate(&mut self, assignment: &mut Assignment) -> Result<(), WeightConflict> {
        while self.head < assignment.trail.len() {
            let lit = assignment.trail[self.head];
            self.head += 1;
            for i in 0..self.occurrences[lit.code()].len() {
                let Occurrence { weight, constraint } = self.occurrences[lit.code()][i];
                self.constraints[constraint as usize].reached += i128::from(weight);
                self.enqueue(constraint);
            }
            for i in 0..self.occurrences[(!lit).code()].len() {
                let Occurrence { weight, constraint } = self.occurrences[(!lit).code()][i];
                self.constraints[constraint as usize].possible -= i128::from(weight);
                self.enqueue(constraint);
            }
        }
        while let Some(constraint) = self.queue.pop() {
            self.constraints[constraint as usize].queued = false;
            self.propagate_constraint(constraint, assignment)?;
        }
        Ok(())
    }
    fn propagate_constraint(&self, index: u32, assignment: &mut Assignment) -> Result<(), WeightConflict> {
        let c = &self.constraints[index as usize];
        let terms = &self.terms[c.start as usize..c.end as usize];
        let reason = Reason::weight(index);
        let mut value = if c.reified == Lit::NONE { 1 } else { assignment.value(c.reified) };
        if c.possible < c.bound {
            match value {
                1 => return Err(WeightConflict::Constraint(index)),
                0 => assignment.assign(!c.reified, reason),
                _ => {}
            }
            return Ok(());
        }
        if c.half && value < 1 {
            return Ok(());
        }
        if c.reached >= c.bound {
            match value {
                -1 => return Err(WeightConflict::Constraint(index)),
                0 => assignment.assign(c.reified, reason),
                _ => {}
            }
            value = 0;
        }
        if value > 0 {
            let slack = c.possible - c.bound;
            for term in terms.iter().take_while(|t| i128::from(t.weight) > slack) {
                if assignment.is_free(term.lit) {
                    assignment.assign(term.lit, reason);
                }
            }
        } else if value < 0 {
            let slack = c.bound - 1 - c.reached;
            for term in terms.iter().take_while(|t| i128::from(t.weight) > slack) {
                if assignment.is_free(term.lit) {
                    assignment.assign(!term.lit, reason);
                }
            }
        }
        Ok(())
    }
    /// The false literals of the clause that implied `lit`, appended to `clause`. Pre: the constraint implied it.
    pub(crate) fn explain(&self, constraint: u32, lit: Lit, assignment: &Assignment, clause: &mut Vec<Lit>) {
        let c = &self.constraints[constraint as usize];
        let before = assignment.position_of(lit);
        if lit == c.reified {
            self.explain_reached(c, Lit::NONE, before, c.bound, assignment, clause);
        } else if lit == !c.reified {
            self.explain_missed(c, Lit::NONE, before, c.bound, assignment, clause);
        } else if c.reified == Lit::NONE || assignment.is_true(c.reified) {
            if c.reified != Lit::NONE {
                clause.push(!c.reified);
            }
            self.explain_missed(c, lit, before, c.bound, assignment, clause);
        } else {
            clause.push(c.reified);
            self.explain_reached(c, !lit, before, c.bound, assignment, clause);
        }
    }
    /// The false clause of a conflict.
    pub(crate) fn explain_conflict(&self, constraint: u32, assignment: &Assignment, clause: &mut Vec<Lit>) {
        let c = &self.constraints[constraint as usize];
        let before = self.head as u32;
        if c.reified == Lit::NONE || assignment.is_true(c.reified) {
            if c.reified != Lit::NONE {
                clause.push(!c.reified);
            }
            self.explain_missed(c, Lit::NONE, before, c.bound, assignment, clause);
        } else {
            clause.push(c.reified);
            self.explain_reached(c, Lit::NONE, before, c.bound, assignment, clause);
        }
    }
    /// False literals without which the sum (not counting `except`) could reach the bound.
    fn explain_missed(
        &self,
        c: &Constraint,
        except: Lit,
        before: u32,
        bound: i128,
        assignment: &Assignment,
        clause: &mut Vec<Lit>,
    ) {
        let counts = |t: &&Term| {
            t.lit != except && assignment.is_false(t.lit) && assignment.position_of(t.lit) < before
        };
        let terms = &self.terms[c.start as usize..c.end as usize];
        let missing: i128 = terms.iter().filter(counts).map(|t| i128::from(t.weight)).sum();
        let skipped = if except == Lit::NONE {
            0
        } else {
            terms.iter().find(|t| t.lit == except).map_or(0, |t| i128::from(t.weight))
        };
        // What stays possible is below the bound by this much more than needed.
        let spare = bound - 1 - (c.total - skipped - missing);
        debug_assert!(spare >= 0);
        Self::collect(terms, counts, spare, assignment, |lit| lit, clause);
    }
    /// True literals (complemented) whose weights, with that of `except`, reach the bound.
    fn explain_reached(
        &self,
        c: &Constraint,
        except: Lit,
        before: u32,
        bound: i128,
        assignment: &Assignment,
        clause: &mut Vec<Lit>,
    ) {
        let counts = |t: &&Term| {
            t.lit != except && assignment.is_true(t.lit) && assignment.position_of(t.lit) < before
        };
        let terms = &self.terms[c.start as usize..c.end as usize];
        let reached: i128 = terms.iter().filter(counts).map(|t| i128::from(t.weight)).sum();
        let added = if except == Lit::NONE {
            0
        } else {
            terms.iter().find(|t| t.lit == except).map_or(0, |t| i128::from(t.weight))
        };
        let spare = reached + added - bound;
        debug_assert!(spare >= 0);
        Self::collect(terms, counts, spare, assignment, |lit| !lit, clause);
    }
    /// Pushes the counted literals, leaving out some whose weights sum up to `spare` at most: the small ones first.
    fn collect(
        terms: &[Term],
        counts: impl Fn(&&Term) -> bool,
        mut spare: i128,
        assignment: &Assignment,
        polarity: impl Fn(Lit) -> Lit,
        clause: &mut Vec<Lit>,
    ) {
        for term in terms.iter().rev().filter(counts) {
            if assignment.level_of(term.lit) == 0 {
                continue;
            }
            if i128::from(term.weight) <= spare {
                spare -= i128::from(term.weight);
                continue;
            }
            clause.push(polarity(term.lit));
        }
    }

    /// The counters agree with the counted part of the trail, and nothing is left to propagate at a fixpoint.
    #[cfg(test)]
    pub(crate) fn check(&self, assignment: &Assignment) {
        for (i, c) in self.constraints.iter().enumerate() {
            let terms = &self.terms[c.start as usize..c.end as usize];
            let sum = |keep: &dyn Fn(Lit) -> bool| -> i128 {
                terms.iter().filter(|t| keep(t.lit)).map(|t| i128::from(t.weight)).sum()
            };
            let counted = |l: Lit| !assignment.is_free(l) && (assignment.position_of(l) as usize) < self.head;
            assert_eq!(c.reached, sum(&|l| counted(l) && assignment.is_true(l)), "reached of constraint {i}");
            assert_eq!(
                c.possible,
                sum(&|l| !counted(l) || assignment.is_true(l)),
                "possible of constraint {i}"
            );
            let value = if c.reified == Lit::NONE { 1 } else { assignment.value(c.reified) };
            assert!(c.possible >= c.bound || value == -1, "constraint {i} missed its bound");
            if c.half && value < 1 {
                continue;
            }
            assert!(c.reached < c.bound || value == 1, "constraint {i} reached its bound");
            for t in terms.iter().filter(|t| assignment.is_free(t.lit)) {
                assert!(
                    value != 1 || c.possible - i128::from(t.weight) >= c.bound,
                    "constraint {i}: {:?}",
                    t.lit
                );
                assert!(
                    value != -1 || c.reached + i128::from(t.weight) < c.bound,
                    "constraint {i}: -{:?}",
                    t.lit
                );
            }
        }
    }
}
