//! Explanations of weight constraints, made when conflict analysis asks for them.
//!
//! A sum cannot reach its bound because of false literals; for a block these are the ones heavier than its best
//! remaining literal, or simply its true literal. A sum must reach its bound because of true literals; for an
//! exactly-one block also false literals that are lighter than its least remaining one. Only literals assigned before
//! the explained one are used, and those that the slack makes unnecessary are left out, singles of small weight first.
//! Invariant: the appended literals are false, were assigned before the explained one, and imply it together with the
//! constraint.

use crate::store::assignment::Assignment;
use crate::store::literal::Lit;
use crate::store::weight::{Block, Constraint, NOTHING, Term, Weights};

/// A question to a constraint.
#[derive(Clone, Copy)]
pub(super) struct Question<'a> {
    pub(super) assignment: &'a Assignment,
    /// The literal to explain, or [`Lit::NONE`] if it is not a term of the sum.
    pub(super) lit: Lit,
    /// The term of a block that the complement of that literal is, or [`NOTHING`].
    pub(super) asked: u32,
    /// Only earlier trail positions count.
    pub(super) before: u32,
    /// The bound that the sum reaches or misses.
    pub(super) bound: i128,
}

impl Question<'_> {
    #[inline]
    pub(super) fn is_false(&self, lit: Lit) -> bool {
        self.assignment.is_false(lit) && self.assignment.position_of(lit) < self.before
    }
    #[inline]
    fn is_fixed(&self, lit: Lit) -> bool {
        self.assignment.level_of(lit) == 0
    }
}

/// How far a sum is beyond what is required: what an explanation may leave out.
struct Spare(i128);

impl Spare {
    fn new(spare: i128) -> Self {
        debug_assert!(spare >= 0);
        Self(spare)
    }
    /// Leaves a literal out of the clause if its effect on the sum is not needed; returns whether it did.
    fn leave_out(&mut self, gain: i128, lit: Lit, clause: &mut Vec<Lit>) -> bool {
        let spared = gain <= self.0;
        if spared {
            self.0 -= gain.max(0);
        } else {
            clause.push(lit);
        }
        spared
    }
}

impl Weights {
    /// The false literals of the clause that implied `lit`, appended to `clause`. Pre: the constraint implied it.
    pub(crate) fn explain(&self, constraint: u32, lit: Lit, assignment: &Assignment, clause: &mut Vec<Lit>) {
        let c = &self.constraints[constraint as usize];
        let before = assignment.position_of(lit);
        let about =
            |lit| Question { assignment, lit, asked: self.asked(constraint, lit), before, bound: c.bound };
        if c.first_threshold < c.end_threshold {
            self.explain_chain(constraint, lit, about(Lit::NONE), clause);
        } else if lit == c.reified {
            self.explain_reached(c, about(Lit::NONE), clause);
        } else if c.reified != Lit::NONE && lit == !c.reified {
            self.explain_missed(c, about(Lit::NONE), clause);
        } else {
            self.explain_side(c, about(lit), clause);
        }
    }
    /// The false clause of a conflict.
    pub(crate) fn explain_conflict(&self, constraint: u32, assignment: &Assignment, clause: &mut Vec<Lit>) {
        let c = &self.constraints[constraint as usize];
        let (lit, asked) = (Lit::NONE, NOTHING);
        let question = Question { assignment, lit, asked, before: self.head as u32, bound: c.bound };
        if c.first_threshold < c.end_threshold {
            self.explain_violated_threshold(c, question, u32::MAX, clause);
        } else {
            self.explain_side(c, question, clause);
        }
    }
    fn explain_side(&self, c: &Constraint, question: Question<'_>, clause: &mut Vec<Lit>) {
        if c.reified == Lit::NONE || question.assignment.is_true(c.reified) {
            if c.reified != Lit::NONE {
                clause.push(!c.reified);
            }
            self.explain_missed(c, question, clause);
        } else {
            clause.push(c.reified);
            self.explain_reached(c, question, clause);
        }
    }
    /// The greatest value of the sum if the literal in question were false.
    pub(super) fn most(&self, c: &Constraint, q: Question<'_>) -> i128 {
        self.singles_most(c, q)
            + self.blocks_of(c).iter().map(|b| i128::from(self.block_most(b, q).0)).sum::<i128>()
    }
    fn singles_most(&self, c: &Constraint, q: Question<'_>) -> i128 {
        let open = |t: &&Term| t.lit != q.lit && !q.is_false(t.lit);
        self.singles(c).iter().filter(open).map(|t| i128::from(t.weight)).sum()
    }
    /// False literals without which the sum could reach the bound even if the literal in question is false.
    pub(super) fn explain_missed(&self, c: &Constraint, q: Question<'_>, clause: &mut Vec<Lit>) {
        // Results for the first blocks, which are examined twice.
        let mut known = [(0, Lit::NONE); 16];
        let mut most = self.singles_most(c, q);
        for (i, block) in self.blocks_of(c).iter().enumerate() {
            let of_block = self.block_most(block, q);
            most += i128::from(of_block.0);
            if let Some(place) = known.get_mut(i) {
                *place = of_block;
            }
        }
        let mut spare = Spare::new(q.bound - 1 - most);
        for t in self.singles(c).iter().rev().filter(|t| t.lit != q.lit && q.is_false(t.lit)) {
            if q.is_fixed(t.lit) {
                continue;
            }
            spare.leave_out(t.weight.into(), t.lit, clause);
        }
        for (i, block) in self.blocks_of(c).iter().enumerate() {
            let members = self.members(block);
            let (most, chosen) = known.get(i).copied().unwrap_or_else(|| self.block_most(block, q));
            if chosen == !q.lit {
                continue;
            }
            // The most that the block could contribute if nothing were known about it.
            let ceiling = members
                .iter()
                .find(|t| t.lit != q.lit && !(q.is_false(t.lit) && q.is_fixed(t.lit)))
                .map_or(0, |t| t.weight);
            if chosen != Lit::NONE {
                if !q.is_fixed(chosen) {
                    spare.leave_out(i128::from(ceiling) - i128::from(most), !chosen, clause);
                }
                continue;
            }
            let mut limit = i128::from(most);
            let heavy = members.iter().filter(|t| t.weight > most && t.lit != q.lit && !q.is_fixed(t.lit));
            for t in heavy.rev() {
                if spare.leave_out(i128::from(t.weight) - limit, t.lit, clause) {
                    limit = t.weight.into();
                }
            }
        }
    }
    /// The most that a block can contribute, and the true literal that limits it, if there is one. If the question is
    /// about a literal of the block whose complement would choose it, that literal.
    fn block_most(&self, block: &Block, q: Question<'_>) -> (i64, Lit) {
        if let Some(t) = self.chosen(block, q) {
            return (t.weight, t.lit);
        }
        let open = self.members(block).iter().find(|t| t.lit != q.lit && !q.is_false(t.lit));
        (open.map_or(0, |t| t.weight), Lit::NONE)
    }
    /// The chosen member of a block: because it is true, or because the literal in question is false.
    #[inline]
    fn chosen(&self, block: &Block, q: Question<'_>) -> Option<&Term> {
        if (block.start..block.end).contains(&q.asked) {
            return self.terms.get(q.asked as usize);
        }
        if q.before <= self.head as u32 {
            return self.terms.get(block.chosen as usize).filter(|t| q.is_false(!t.lit));
        }
        self.members(block).iter().find(|t| q.is_false(!t.lit))
    }
    /// The term of a block that is the complement of a literal, or [`NOTHING`].
    pub(super) fn asked(&self, constraint: u32, lit: Lit) -> u32 {
        if lit == Lit::NONE {
            return NOTHING;
        }
        let of_constraint = self.occurrences.of(!lit).iter().find(|o| o.constraint == constraint);
        of_constraint.filter(|o| o.is_in_block()).map_or(NOTHING, |o| o.term)
    }
    /// Literals because of which the sum reaches the bound even if the literal in question is false.
    pub(super) fn explain_reached(&self, c: &Constraint, q: Question<'_>, clause: &mut Vec<Lit>) {
        let counts = |t: &&Term| q.lit != !t.lit && q.is_false(!t.lit);
        let singles = self.singles(c);
        let mut reached: i128 = singles.iter().filter(counts).map(|t| i128::from(t.weight)).sum();
        reached += singles.iter().filter(|t| t.lit == !q.lit).map(|t| i128::from(t.weight)).sum::<i128>();
        for block in self.blocks_of(c) {
            reached += i128::from(self.block_least(block, q).0);
        }
        let mut spare = Spare::new(reached - q.bound);
        for t in singles.iter().rev().filter(counts) {
            if q.is_fixed(t.lit) {
                continue;
            }
            spare.leave_out(t.weight.into(), !t.lit, clause);
        }
        for block in self.blocks_of(c) {
            let members = self.members(block);
            let (least, chosen) = self.block_least(block, q);
            if chosen == !q.lit {
                continue;
            }
            let floor = if block.exact {
                members
                    .iter()
                    .rev()
                    .find(|t| !(q.is_false(t.lit) && q.is_fixed(t.lit)))
                    .map_or(0, |t| t.weight)
            } else {
                0
            };
            if chosen != Lit::NONE {
                if !q.is_fixed(chosen) {
                    spare.leave_out(i128::from(least) - i128::from(floor), !chosen, clause);
                }
                continue;
            }
            if !block.exact {
                continue;
            }
            let mut limit = i128::from(least);
            for t in members.iter().filter(|t| t.weight < least && !q.is_fixed(t.lit)) {
                if spare.leave_out(limit - i128::from(t.weight), t.lit, clause) {
                    limit = t.weight.into();
                }
            }
        }
    }
    /// The least that a block contributes, and the true literal that ensures it, if there is one.
    fn block_least(&self, block: &Block, q: Question<'_>) -> (i64, Lit) {
        let members = self.members(block);
        if let Some(t) = self.chosen(block, q) {
            return (t.weight, t.lit);
        }
        if !block.exact {
            return (0, Lit::NONE);
        }
        // Where the trail runs ahead of the sum, all may be false: then whatever they would contribute follows from those
        // that contribute less.
        let open = members.iter().rev().find(|t| !q.is_false(t.lit)).or(members.first());
        (open.map_or(0, |t| t.weight), Lit::NONE)
    }
}
