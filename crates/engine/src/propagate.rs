//! Propagation to a fixpoint: binary clauses, groups and long clauses first, then weight constraints, then propagators.
//!
//! Invariant: literals before `head` were propagated through all clauses and groups; a conflict leaves `head` where it
//! was found, since backtracking follows.
//! Source: Moskewicz et al., *Chaff*, DAC 2001; Biere's blocking literals as in *Lingeling and friends*, 2010.

use std::cell::Cell;

use crate::Engine;
use crate::propagator::ConflictKind;
use crate::store::assignment::{Reason, ReasonKind};
use crate::store::clause_db::ClauseDb;
use crate::store::constraints::Inequality;
use crate::store::literal::Lit;
use crate::store::watch::Watch;
use crate::store::weight::Violated;

impl Engine {
    /// Propagates everything that is assigned. Post without conflict: [`check_invariants`](Engine::check_invariants)
    /// holds and no propagator has pending changes.
    pub fn propagate(&mut self) -> Result<(), ConflictKind> {
        let start = self.assignment.head;
        if std::mem::take(&mut self.call.pending_conflict)
            && let Some(conflict) = self.missed_conflict()
        {
            return Err(conflict);
        }
        let result = self.propagate_all();
        self.stats.propagations += self.assignment.head.saturating_sub(start) as u64;
        #[cfg(debug_assertions)]
        // From scratch, which takes long where there are many clauses, as enumeration records them.
        if result.is_ok() && self.num_vars() <= 100 && self.clauses.arena.size() <= 2_000 {
            self.check_invariants();
        }
        result
    }
    fn propagate_all(&mut self) -> Result<(), ConflictKind> {
        loop {
            self.propagate_without_propagators()?;
            if !self.constraints.integers.is_empty() {
                self.propagate_integers()?;
                if self.assignment.head < self.assignment.trail.len() {
                    continue;
                }
            }
            if self.propagators.is_empty() || !self.call_propagators().map_err(|c| c.kind)? {
                if self.call.jump.is_some() {
                    // What is left to be done here would be undone.
                    return self.propagate_without_propagators();
                }
                if self.assignment.head < self.assignment.trail.len() {
                    continue;
                }
                return Ok(());
            }
        }
    }
    /// Propagates at the root, without propagators. `false`: there is no model at all any more.
    pub fn propagate_root_units(&mut self) -> bool {
        debug_assert_eq!(self.level(), 0);
        self.clauses.unsat |= self.propagate_without_propagators().is_err();
        !self.clauses.unsat
    }
    /// Propagates clauses, groups and weight constraints.
    #[inline]
    pub(crate) fn propagate_without_propagators(&mut self) -> Result<(), ConflictKind> {
        loop {
            self.propagate_units()?;
            if !self.constraints.weights.is_pending(&self.assignment) {
                if self.propagate_cuts()? {
                    continue;
                }
                return Ok(());
            }
            let before = self.assignment.trail.len();
            let result = self.constraints.weights.propagate(&mut self.assignment);
            if self.proof.is_some() {
                self.log_weights(before, result);
            }
            if let Err(Violated(constraint)) = result {
                self.constraints.violated = Some(Inequality::Weight(constraint));
                self.analyzer.conflict.clear();
                self.constraints.weights.explain_conflict(
                    constraint,
                    &self.assignment,
                    &mut self.analyzer.conflict,
                );
                return Err(ConflictKind::Buffer);
            }
            if self.assignment.trail.len() == before && !self.propagate_cuts()? {
                return Ok(());
            }
        }
    }
    /// Logs what weight constraints imply at the root, or why one is violated, if unit propagation does not derive it.
    fn log_weights(&mut self, before: usize, result: Result<(), Violated>) {
        let Some(proof) = &mut self.proof else { return };
        let (mut clause, mut facts) = (Vec::new(), Vec::new());
        let new = if self.assignment.level() == 0 { &self.assignment.trail[before..] } else { &[] };
        for &lit in new {
            if let ReasonKind::Weight(constraint) = self.assignment.reason_of(lit).kind()
                && proof.has_blocks(constraint)
            {
                clause.clear();
                self.constraints.weights.explain(constraint, lit, &self.assignment, &mut clause);
                clause.push(lit);
                if proof.explain(constraint, &clause, lit, &self.assignment) {
                    facts.push(lit);
                }
            }
        }
        proof.facts(facts.into_iter());
        if let Err(Violated(constraint)) = result
            && proof.has_blocks(constraint)
        {
            clause.clear();
            self.constraints.weights.explain_conflict(constraint, &self.assignment, &mut clause);
            proof.explain(constraint, &clause, Lit::NONE, &self.assignment);
        }
    }
    pub(crate) fn propagate_units(&mut self) -> Result<(), ConflictKind> {
        let Self { assignment, clauses, constraints, control, .. } = self;
        let (ClauseDb { arena, watches, .. }, groups) = (clauses, &constraints.at_most_one);
        let mut cost = 0u64;
        let mut conflict = None;
        while assignment.head < assignment.trail.len() {
            let lit = assignment.trail[assignment.head];
            assignment.head += 1;
            let falsified = !lit;
            for &other in &watches.binary[falsified.code()] {
                let value = assignment.value(other);
                if value < 0 {
                    conflict = Some(ConflictKind::Binary(falsified, other));
                    break;
                }
                if value == 0 {
                    assignment.assign(other, Reason::binary(falsified));
                }
            }
            if conflict.is_some() {
                break;
            }
            if let Err(other) = groups.propagate(lit, assignment) {
                conflict = Some(ConflictKind::Binary(falsified, !other));
                break;
            }
            let mut list = std::mem::take(&mut watches.long[falsified.code()]);
            cost += 1 + list.len() as u64 / 8;
            let entries = Cell::from_mut(list.as_mut_slice()).as_slice_of_cells();
            let mut kept = entries.iter();
            let mut next = entries.iter();
            for entry in next.by_ref() {
                let watch = entry.get();
                let Some(place) = kept.next() else { break };
                if assignment.values[watch.blocker.code()] > 0 {
                    place.set(watch);
                    continue;
                }
                cost += 1;
                let clause = watch.clause;
                let [first, second, rest @ ..] = arena.words_mut(clause) else { break };
                let other = Lit::from_word(*first ^ *second ^ falsified.word());
                let value = assignment.values[other.code()];
                if value > 0 {
                    place.set(Watch { blocker: other, clause });
                    continue;
                }
                let replacement = rest.iter_mut().find(|w| assignment.values[**w as usize] >= 0);
                if let Some(word) = replacement {
                    let found = Lit::from_word(*word);
                    if assignment.values[found.code()] > 0 {
                        place.set(Watch { blocker: found, clause });
                        continue;
                    }
                    *first = other.word();
                    *second = found.word();
                    *word = falsified.word();
                    watches.long[found.code()].push(Watch { blocker: other, clause });
                    kept = entries[entries.len() - kept.len() - 1..].iter();
                    continue;
                }
                place.set(Watch { blocker: other, clause });
                if value == 0 {
                    assignment.assign(other, Reason::clause(clause));
                } else {
                    conflict = Some(ConflictKind::Clause(clause));
                    break;
                }
            }
            let (kept, next) = (entries.len() - kept.len(), entries.len() - next.len());
            if kept < next {
                list.copy_within(next.., kept);
                list.truncate(kept + list.len() - next);
            }
            watches.long[falsified.code()] = list;
            if conflict.is_some() {
                break;
            }
        }
        control.ticks += cost;
        conflict.map_or(Ok(()), Err)
    }

    /// The watch invariant, from scratch.
    #[cfg(debug_assertions)]
    pub(crate) fn check_watches(&self) {
        let a = &self.assignment;
        for c in self.clauses.arena.iter() {
            for i in 0..2 {
                let lit = self.clauses.arena.literal(c, i);
                let entries = self.clauses.watches.long[lit.code()].iter().filter(|w| w.clause == c).count();
                assert_eq!(
                    entries,
                    1,
                    "clause {:?} in the list of {lit:?}",
                    self.clauses.arena.literals(c).collect::<Vec<_>>()
                );
            }
            let literals: Vec<Lit> = self.clauses.arena.literals(c).collect();
            let is_true = literals.iter().any(|&l| a.is_true(l));
            let free = literals.iter().filter(|&&l| a.is_free(l)).count();
            assert!(is_true || free >= 2, "clause {literals:?} is not propagated");
        }
        for (code, list) in self.clauses.watches.binary.iter().enumerate() {
            let lit = Lit::from_code(code);
            for &other in list {
                let satisfied = a.is_true(lit) || a.is_true(other);
                assert!(
                    satisfied || a.is_free(lit) && a.is_free(other),
                    "clause {lit:?} {other:?} is not propagated"
                );
            }
        }
    }
}
