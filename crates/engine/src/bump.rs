//! The variables that a conflict rewards, so that they are decided earlier: those resolved on or in the learned clause, and
//! those that implied a literal of it.
//!
//! A variable that implies a literal of the learned clause is likely to be resolved on soon. Rewarding it now takes one
//! look at the reason of each literal. If this finds many more variables than the clause has, it says little, and is
//! suspended for a while. Invariant: each variable is rewarded once per conflict, and is marked until the analysis
//! ends. Source: Liang, Ganesh, Poupart and Czarnecki, *Learning rate based branching heuristic for SAT solvers*, SAT
//! 2016; the limits follow Biere, Fazekas, Fleury and Heisinger, *CaDiCaL, Kissat, Paracooba, Plingeling and
//! Treengeling entering the SAT competition 2020*.

use crate::Engine;
use crate::store::analyzer::{Analyzer, Antecedent, SEEN};
use crate::store::assignment::ReasonKind;
use crate::store::literal::Lit;

/// More variables than this per literal of the learned clause are too many.
const MAX_PER_LITERAL: usize = 10;
/// With more decisions per conflict than this, variables that imply literals are rarely decided next.
const MAX_CHOICES: u64 = 100;

impl Engine {
    /// Rewards the variables of the conflict. Pre: the learned clause is complete.
    pub(super) fn bump_variables(&mut self) {
        if self.parameters.heuristic.in_order {
            return;
        }
        if self.parameters.heuristic.bump_reasons {
            self.add_reasons();
        }
        let mut analyzed = std::mem::take(&mut self.analyzer.analyzed);
        if self.control.restart.is_stable() || self.decisions.order.uses_heap_only() {
            for &var in &analyzed {
                // Names are never decided as long as they are in no clause.
                if !self.constraints.integers.names.is_passing(var) {
                    self.decisions.order.bump_activity(var);
                }
            }
            self.decisions.order.decay();
        }
        if !self.control.restart.is_stable() {
            analyzed.sort_unstable_by_key(|&var| self.decisions.order.stamp(var));
            let moved = self.parameters.heuristic.moved;
            for &var in &analyzed[analyzed.len().saturating_sub(moved)..] {
                self.decisions.order.bump_queue(var, self.assignment.is_free(Lit::pos(var)));
            }
        }
        self.analyzer.analyzed = analyzed;
    }
    /// Rewards once more the variables of the conflict's level that learned clauses of smaller LBD implied.
    pub(super) fn reward_lbd(&mut self, lbd: u32) {
        let level = self.level();
        for i in 0..self.analyzer.analyzed.len() {
            let info = self.assignment.vars[self.analyzer.analyzed[i]];
            if let (ReasonKind::Clause(c), true) = (info.reason.kind(), info.level == level)
                && self.clauses.arena.is_learned(c)
                && self.clauses.arena.lbd(c) < lbd
            {
                self.decisions.order.bump_activity(self.analyzer.analyzed[i]);
            }
        }
    }
    /// Adds the variables that implied literals of the learned clause, unless there are too many.
    fn add_reasons(&mut self) {
        if self.stats.choices > MAX_CHOICES * self.stats.conflicts {
            return;
        }
        if self.analyzer.reasons.wait > 0 {
            self.analyzer.reasons.wait -= 1;
            return;
        }
        let before = self.analyzer.analyzed.len();
        let most = before + MAX_PER_LITERAL * self.analyzer.learned.len();
        for i in 0..self.analyzer.learned.len() {
            self.add_reason(self.analyzer.learned[i]);
            if self.analyzer.analyzed.len() > most {
                break;
            }
        }
        let next_wait = &mut self.analyzer.reasons.next_wait;
        if self.analyzer.analyzed.len() > most {
            for var in self.analyzer.analyzed.drain(before..) {
                self.analyzer.marks[var] &= !SEEN;
            }
            *next_wait += 1;
        } else {
            *next_wait /= 2;
        }
        self.analyzer.reasons.wait = *next_wait;
    }
    /// Adds the variables that made a literal false.
    fn add_reason(&mut self, lit: Lit) {
        let info = self.assignment.vars[lit.var()];
        if info.reason.is_open() || info.level == 0 {
            return;
        }
        let antecedent = self.antecedent(!lit);
        let Analyzer { marks, analyzed, explanations, .. } = &mut self.analyzer;
        let vars = &self.assignment.vars;
        let mut add = |lit: Lit| {
            let mark = &mut marks[lit.var()];
            if *mark & SEEN == 0 && vars[lit.var()].level > 0 {
                *mark |= SEEN;
                analyzed.push(lit.var());
            }
        };
        match antecedent {
            Antecedent::One(other) => add(other),
            Antecedent::Clause(c, _) => {
                self.clauses.arena.words(c).iter().for_each(|&word| add(Lit::from_word(word)));
            }
            Antecedent::Buffer(start, end) => {
                explanations.literals[start as usize..end as usize].iter().for_each(|&other| add(other));
            }
        }
    }
}
