//! Shrinking: the literals of one level in a long learned clause become their implication point, where one is found.
//!
//! A queen attacks hundreds of cells, and a clause that contains many of them says little more about a level than one
//! literal does. So the literals of each level are resolved with their reasons until one of that level is left, as long as
//! all other literals of these reasons follow from the clause. The result is short, but weaker where one member of a group
//! implies that all others are false; so only clauses too long to be of use beyond their assertion are shrunk. Invariants:
//! the number of levels in the clause stays as it is; removed literals are implied by those that stay. Source: Fleury and
//! Biere, *Efficient all-UIP learned clause minimization*, SAT 2021.

use crate::Engine;
use crate::store::analyzer::{SEEN, SHRINKABLE};
use crate::store::literal::Lit;

impl Engine {
    /// Shrinks the learned clause behind its first literal. Pre: it has been minimised.
    pub(super) fn shrink(&mut self) {
        let mut learned = std::mem::take(&mut self.analyzer.learned);
        let mut places = std::mem::take(&mut self.analyzer.places);
        places.clear();
        places.extend(learned[1..].iter().map(|&lit| {
            let info = self.assignment.vars[lit.var()];
            (info.level, info.position, lit)
        }));
        places.sort_unstable_by_key(|&(level, position, _)| std::cmp::Reverse((level, position)));
        learned.truncate(1);
        for block in places.chunk_by(|a, b| a.0 == b.0) {
            match self.implication_point(block) {
                Some(lit) => learned.push(!lit),
                None => learned.extend(block.iter().map(|place| place.2)),
            }
        }
        self.analyzer.places = places;
        self.analyzer.learned = learned;
    }
    /// The single true literal of their level that, with the rest of the clause, implies that these literals are false.
    /// Pre: the latest one comes first.
    fn implication_point(&mut self, block: &[(u32, u32, Lit)]) -> Option<Lit> {
        let &[(level, latest, _), _, ..] = block else { return None };
        for &(_, _, lit) in block {
            self.analyzer.marks[lit.var()] |= SHRINKABLE;
            self.analyzer.shrinkable.push(lit.var());
        }
        let mut open = block.len();
        let mut at = latest as usize;
        let found = loop {
            let lit = self.assignment.trail[at];
            if self.analyzer.marks[lit.var()] & SHRINKABLE == 0 {
                at -= 1;
                continue;
            }
            if open == 1 {
                break Some(lit);
            }
            if self.assignment.vars[lit.var()].reason.is_open() {
                break None;
            }
            match self.replace_by_reason(lit, level) {
                Some(new) => open = open + new - 1,
                None => break None,
            }
            at -= 1;
        };
        for var in self.analyzer.shrinkable.drain(..) {
            self.analyzer.marks[var] &= !SHRINKABLE;
        }
        if let Some(lit) = found {
            self.analyzer.levels.counts[level as usize].earliest = at as u32;
            let mark = &mut self.analyzer.marks[lit.var()];
            if *mark & SEEN == 0 {
                *mark |= SEEN;
                self.analyzer.analyzed.push(lit.var());
            }
        }
        found
    }
    /// Marks the literals of a level in the reason of one; returns how many are new. `None`: another one does not follow
    /// from the clause.
    fn replace_by_reason(&mut self, lit: Lit, level: u32) -> Option<usize> {
        let antecedent = self.antecedent(lit);
        let mut new = 0;
        for i in 0..self.antecedent_len(antecedent) {
            let other = self.antecedent_literal(antecedent, i);
            if other == lit {
                continue;
            }
            if self.assignment.level_of(other) == level {
                let mark = &mut self.analyzer.marks[other.var()];
                if *mark & SHRINKABLE == 0 {
                    *mark |= SHRINKABLE;
                    self.analyzer.shrinkable.push(other.var());
                    new += 1;
                }
            } else if !self.follows(other) {
                return None;
            }
        }
        Some(new)
    }
}
