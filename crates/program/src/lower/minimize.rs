//! The objective: tuples become weighted literals, level by level.
//!
//! Invariant: equal tuples with equal weight and priority count once, also over several calls; an auxiliary atom for a
//! tuple never gets another rule later but is replaced by a new one.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::{Lower, LowerError};
use crate::atom_table::Literal;
use crate::ground_program::Objective;
use crate::lowered::TupleRow;
use crate::rule::RuleSource;

impl Lower<'_> {
    /// Builds the objectives anew from the tuples of all calls.
    pub(super) fn minimize(&mut self) -> Result<(), LowerError> {
        let start = self.program.lowered.minimize;
        if start >= self.program.minimize.len() {
            return Ok(());
        }
        self.source = RuleSource::NONE;
        let mut known = std::mem::take(&mut self.program.lowered.tuples);
        let old_rows = known.rows.len();
        let mut conditions: BTreeMap<usize, Vec<Vec<Literal>>> = BTreeMap::new();
        for i in start..self.program.minimize.len() {
            let element = self.program.minimize[i];
            let (weight, priority) = (element.weight, element.priority);
            let key = (weight, priority, self.program.terms(element.tuple).to_vec());
            let place = *known.places.entry(key).or_insert_with(|| {
                known.rows.push(TupleRow { weight, priority, literal: None });
                known.rows.len() - 1
            });
            conditions.entry(place).or_default().push(self.program.literals(element.condition).to_vec());
        }
        for (place, mut conditions) in conditions {
            if place < old_rows {
                // Without a literal the condition is empty.
                conditions.push(known.rows[place].literal.into_iter().collect());
            }
            known.rows[place].literal = self.tuple_literal(conditions, false);
        }
        self.program.lowered.minimize = self.program.minimize.len();
        let objectives = objectives(&known.rows);
        self.program.lowered.tuples = known;
        self.program.objectives = objectives?;
        Ok(())
    }
}

/// Sums up the rows by level and literal.
fn objectives(rows: &[TupleRow]) -> Result<Vec<Objective>, LowerError> {
    let mut levels: BTreeMap<Reverse<i64>, (i128, BTreeMap<Literal, i128>)> = BTreeMap::new();
    for row in rows {
        let (constant, literals) = levels.entry(Reverse(row.priority)).or_default();
        let sum = match row.literal {
            None => constant,
            Some(literal) => literals.entry(literal).or_default(),
        };
        *sum += i128::from(row.weight);
    }
    let level = |(Reverse(priority), (constant, literals)): (_, (i128, BTreeMap<Literal, i128>))| {
        let size =
            literals.values().fold(constant.unsigned_abs(), |sum, w| sum.saturating_add(w.unsigned_abs()));
        if size > i64::MAX as u128 {
            return Err(LowerError::ObjectiveOverflow { priority });
        }
        let literals = literals.into_iter().filter(|l| l.1 != 0).map(|(l, w)| (l, w as i64)).collect();
        Ok(Objective { priority, constant: constant as i64, literals })
    };
    levels.into_iter().map(level).collect()
}
