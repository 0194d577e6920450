//! Tasks that share a resource, as rules over the atoms of their starts.
//!
//! The demand is greatest when some task starts. So at each possible start, the running tasks must not exceed the capacity.
//! Invariant: as for the encoder.

use std::collections::BTreeMap;

use super::constraint::Task;
use super::encode::Encoder;
use asp_base::diagnostic::Diagnostic;
use asp_program::Literal;

impl Encoder<'_> {
    /// Tasks need no more than a number at any time.
    pub(crate) fn tasks(
        &mut self,
        when: Option<Literal>,
        tasks: &[Task],
        capacity: i64,
    ) -> Result<(), Box<Diagnostic>> {
        let mut columns = Vec::new();
        for task in tasks {
            columns.push((self.of_sum(&task.start)?, task.length, task.demand));
        }
        let mut starts: Vec<i64> = columns.iter().flat_map(|(c, ..)| c.0.iter().map(|e| e.0)).collect();
        starts.sort_unstable();
        starts.dedup();
        for time in starts {
            let (mut certain, mut items) = (0i128, Vec::new());
            for (column, length, demand) in &columns {
                let after = column.0.partition_point(|e| e.0 <= time.saturating_sub(*length));
                let end = column.0.partition_point(|e| e.0 <= time);
                for (_, literal) in &column.0[after.min(end)..end] {
                    match literal {
                        Some(l) => items.push((*l, *demand)),
                        None => certain += i128::from(*demand),
                    }
                }
            }
            if capacity == 1 && items.iter().all(|i| i.1 == 1) {
                let literals = items.iter().map(|i| i.0).collect();
                self.exclusive(when, BTreeMap::from([(time, (certain.min(2) as usize, literals))]))?;
                continue;
            }
            let most = i128::from(capacity) - certain;
            let total: i128 = items.iter().map(|i| i128::from(i.1)).sum();
            if most < 0 {
                return self.forbid(when, &[]);
            }
            if total > most {
                let Ok(bound) = i64::try_from(most + 1) else { continue };
                // More than the bound is as good as the bound.
                items.iter_mut().for_each(|i| i.1 = i.1.min(bound));
                let formula = self.at_least(bound, &items, when.is_none())?;
                self.forbid_formula(when, &[], formula)?;
            }
        }
        Ok(())
    }
}
