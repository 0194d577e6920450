//! Bound chains: weight constraints over one sum with different bounds, each reified by a literal of its own.
//!
//! Values of aggregates (`X = #sum {...}`) make a constraint for each value that the sum may take. Here they share
//! their terms and counters, and the literals, the thresholds, are chained by binary clauses: reaching a bound implies
//! reaching all lower ones. So only the outermost thresholds need to be examined, and learned clauses contain few of
//! them, as with the order encoding of integers. Invariant: thresholds are sorted by bound, and at fixpoints true ones
//! precede free ones, which precede false ones.
//! Source: Ohrimenko, Stuckey and Codish, *Propagation via lazy clause generation*, Constraints 2009.

use crate::store::assignment::{Assignment, Reason};
use crate::store::literal::Lit;
use crate::store::weight::{Constraint, Sum, Threshold, Violated, Weights};
use crate::store::weight_explain::Question;

impl Weights {
    /// Adds a chain. Pre: thresholds are sorted by bound, no variable occurs twice in thresholds and sum, and the
    /// clauses of the chain have been added.
    pub(crate) fn add_chain(&mut self, sum: &Sum, thresholds: &[Threshold], assignment: &Assignment) -> u32 {
        let constraint = self.add(None, sum, 0, false, assignment);
        let first = self.thresholds.len() as u32;
        for (i, threshold) in thresholds.iter().enumerate() {
            self.notice(threshold.lit, constraint, first + i as u32);
            self.thresholds.push(*threshold);
        }
        let c = &mut self.constraints[constraint as usize];
        (c.first_threshold, c.end_threshold) = (first, first + thresholds.len() as u32);
        constraint
    }
    fn thresholds_of(&self, c: &Constraint) -> &[Threshold] {
        &self.thresholds[c.first_threshold as usize..c.end_threshold as usize]
    }
    /// The highest true threshold and the lowest false one.
    fn outermost(
        thresholds: &[Threshold],
        assignment: &Assignment,
    ) -> (Option<Threshold>, Option<Threshold>) {
        let above = thresholds.partition_point(|r| assignment.is_true(r.lit));
        let below = thresholds.partition_point(|r| !assignment.is_false(r.lit));
        // The search may miss the position if the chain has not been propagated.
        let holds = above.checked_sub(1).map(|i| thresholds[i]).filter(|r| assignment.is_true(r.lit));
        let fails = thresholds.get(below).copied().filter(|r| assignment.is_false(r.lit));
        (holds, fails)
    }
    pub(super) fn propagate_chain(&self, index: u32, assignment: &mut Assignment) -> Result<(), Violated> {
        let c = &self.constraints[index as usize];
        let reason = Reason::weight(index);
        let thresholds = self.thresholds_of(c);
        let (holds, fails) = Self::outermost(thresholds, assignment);
        if holds.is_some_and(|r| c.possible < r.bound) || fails.is_some_and(|r| c.reached >= r.bound) {
            return Err(Violated(index));
        }
        let due = thresholds.partition_point(|r| r.bound <= c.reached);
        if let Some(threshold) = due.checked_sub(1).map(|i| thresholds[i])
            && assignment.is_free(threshold.lit)
        {
            assignment.assign(threshold.lit, reason);
        }
        let open = thresholds.partition_point(|r| r.bound <= c.possible);
        if let Some(threshold) = thresholds.get(open)
            && assignment.is_free(threshold.lit)
        {
            assignment.assign(!threshold.lit, reason);
        }
        if let Some(threshold) = holds {
            let slack = c.possible - threshold.bound;
            if threshold.bound > c.reached && slack < c.spread {
                self.demand(c, slack, reason, assignment);
            }
        }
        if let Some(threshold) = fails {
            let slack = threshold.bound - 1 - c.reached;
            if threshold.bound <= c.possible && slack < c.spread {
                self.forbid(c, slack, reason, assignment);
            }
        }
        Ok(())
    }
    /// See [`Weights::explain`]; the question is about `lit` as a threshold, not a term.
    pub(super) fn explain_chain(&self, index: u32, lit: Lit, question: Question<'_>, clause: &mut Vec<Lit>) {
        let c = &self.constraints[index as usize];
        let threshold = self
            .occurrences
            .of(lit)
            .iter()
            .find(|o| o.constraint == index && (c.first_threshold..c.end_threshold).contains(&o.term))
            .and_then(|o| self.thresholds.get(o.term as usize))
            .filter(|r| r.lit.var() == lit.var());
        match threshold {
            Some(r) if r.lit == lit => {
                self.explain_reached(c, Question { bound: r.bound, ..question }, clause)
            }
            Some(r) => self.explain_missed(c, Question { bound: r.bound, ..question }, clause),
            None => {
                let question = Question { lit, asked: self.asked(index, lit), ..question };
                self.explain_violated_threshold(c, question, question.before, clause);
            }
        }
    }
    /// The sum contradicts a threshold that was assigned before a position.
    pub(super) fn explain_violated_threshold(
        &self,
        c: &Constraint,
        question: Question<'_>,
        before: u32,
        clause: &mut Vec<Lit>,
    ) {
        let assignment = question.assignment;
        let earlier = |lit: Lit| assignment.is_true(lit) && assignment.position_of(lit) < before;
        let thresholds = self.thresholds_of(c);
        if let Some(r) = thresholds.iter().rev().find(|r| earlier(r.lit))
            && self.most(c, question) < r.bound
        {
            clause.push(!r.lit);
            self.explain_missed(c, Question { bound: r.bound, ..question }, clause);
        } else if let Some(r) = thresholds.iter().find(|r| earlier(!r.lit)) {
            clause.push(r.lit);
            self.explain_reached(c, Question { bound: r.bound, ..question }, clause);
        }
    }

    /// Checks that the thresholds agree with the counters, and that nothing is left to propagate at a fixpoint.
    #[cfg(debug_assertions)]
    pub(super) fn check_chain(&self, c: &Constraint, assignment: &Assignment) {
        let thresholds = self.thresholds_of(c);
        let (holds, fails) = Self::outermost(thresholds, assignment);
        for r in thresholds {
            assert!(r.bound > c.reached || assignment.is_true(r.lit), "a threshold was reached");
            assert!(r.bound <= c.possible || assignment.is_false(r.lit), "a threshold was missed");
            assert!(
                !assignment.is_true(r.lit) || holds.is_some_and(|h| h.bound >= r.bound),
                "true thresholds"
            );
            assert!(
                !assignment.is_false(r.lit) || fails.is_some_and(|f| f.bound <= r.bound),
                "false thresholds"
            );
        }
        let lower = holds.map_or(i128::MIN, |r| r.bound);
        let upper = fails.map_or(i128::MAX, |r| r.bound);
        for t in self.singles(c).iter().filter(|t| assignment.is_free(t.lit)) {
            assert!(c.possible - i128::from(t.weight) >= lower, "{:?} is needed", t.lit);
            assert!(c.reached + i128::from(t.weight) < upper, "{:?} is too much", t.lit);
        }
        for block in self.blocks_of(c) {
            for t in self.members(block).iter().filter(|t| assignment.is_free(t.lit)) {
                let (most, least) = self.swing(block, t.weight);
                assert!(c.possible + most >= lower, "{:?} is too small", t.lit);
                assert!(c.reached + least < upper, "{:?} is too much", t.lit);
            }
        }
    }
}
