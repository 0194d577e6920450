//! Initial activity of variables, by their occurrences in short clauses, so that the first decisions propagate much.
//!
//! A clause of k literals adds 2^-k to each of its variables; an at-most-one group counts as its pairs. Ties go to the
//! variable with the greater weight in sums: a small rest is easily met with small weights, hardly with great ones. All scores
//! together stay below one reward of a conflict, which soon outweighs them; the queue of focused phases starts in their
//! order. Invariant: scores are assigned once, before the first decision; later variables have none.
//! Source: Jeroslow and Wang, *Solving propositional satisfiability problems*, Annals of Mathematics and AI 1990 (both signs
//! added up).

use crate::Engine;
use crate::store::literal::{Lit, Var};
use asp_base::index_vec::IndexVec;

/// What a binary clause adds.
const BINARY: f64 = 0.25;
/// The highest score, in rewards.
const MAX_SCORE: f64 = 0.99;
/// The most that weights add: less than any difference between the scores of short clauses.
const MAX_WEIGHT_BONUS: f64 = 1e-9;

impl Engine {
    /// Assigns initial activities, unless that has been done.
    pub(super) fn give_initial_activity(&mut self) {
        if self.decisions.scored || !self.parameters.heuristic.initial_activity.unwrap_or(true) {
            return;
        }
        self.decisions.scored = true;
        let mut scores = IndexVec::<Var, f64>::from_elem(0.0, self.num_vars());
        for code in 0..2 * self.num_vars() {
            let lit = Lit::from_code(code);
            let pairs: usize = self
                .constraints
                .at_most_one
                .groups_of(!lit)
                .iter()
                .map(|&g| self.constraints.at_most_one.members(g).len() - 1)
                .sum();
            scores[lit.var()] += BINARY * (self.clauses.watches.binary[code].len() + pairs) as f64;
        }
        for clause in self.clauses.arena.iter().filter(|&c| !self.clauses.arena.is_learned(c)) {
            let count = 0.5f64.powi(self.clauses.arena.len(clause).min(1000) as i32);
            for lit in self.clauses.arena.literals(clause) {
                scores[lit.var()] += count;
            }
        }
        let mut shares = IndexVec::<Var, f64>::from_elem(0.0, self.num_vars());
        for (lit, share) in self.constraints.weights.shares() {
            shares[lit.var()] += share;
        }
        let greatest = |of: &IndexVec<Var, f64>| of.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let (highest, most) = (greatest(&scores), greatest(&shares));
        for var in shares.indices() {
            scores[var] = scores[var] / highest * MAX_SCORE + shares[var] / most * MAX_WEIGHT_BONUS;
        }
        let mut order: Vec<Var> = scores.indices().collect();
        order.sort_by(|&a, &b| scores[a].total_cmp(&scores[b]));
        for var in order {
            self.decisions.order.add_activity(var, scores[var]);
            self.decisions.order.bump_queue(var, self.assignment.is_free(Lit::pos(var)));
        }
    }
}
