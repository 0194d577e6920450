//! Removing rows from a programme.
//!
//! Invariant: only rows whose logical variable is in the basis leave, so that the rest of the basis stays one.

use crate::simplex::{Place, Simplex};

impl Simplex {
    /// Whether a row is away from its bounds, so that it could be [removed](Self::remove_rows).
    pub fn is_slack(&self, row: usize) -> bool {
        matches!(self.place[self.size + row], Place::Basic(_))
    }

    /// Removes rows that are [slack](Self::is_slack); the others keep their order.
    pub fn remove_rows(&mut self, is_wanted: impl Fn(usize) -> bool) {
        let stays: Vec<bool> = (0..self.rows.len()).map(|r| is_wanted(r) || !self.is_slack(r)).collect();
        if stays.iter().all(|&s| s) {
            return;
        }
        let mut place_of: Vec<u32> = vec![u32::MAX; self.size + self.rows.len()];
        let (mut next, mut kept) = (self.size, 0u32);
        let mut new_row = vec![u32::MAX; self.rows.len()];
        for (v, place) in place_of.iter_mut().enumerate() {
            if v < self.size {
                *place = v as u32;
            } else if stays[v - self.size] {
                *place = next as u32;
                next += 1;
                new_row[v - self.size] = kept;
                kept += 1;
            }
        }
        let mut at = 0;
        let size = self.size;
        let mut keep = || {
            at += 1;
            at - 1 < size || stays[at - 1 - size]
        };
        let kept_variables: Vec<bool> = (0..place_of.len()).map(|_| keep()).collect();
        retain(&mut self.costs, &kept_variables);
        retain(&mut self.lower, &kept_variables);
        retain(&mut self.upper, &kept_variables);
        retain(&mut self.reduced, &kept_variables);
        retain(&mut self.entries, &kept_variables);
        retain(&mut self.rows, &stays);
        let mut place = vec![Place::Lower; next];
        for (old, &new) in place_of.iter().enumerate().filter(|p| *p.1 != u32::MAX) {
            place[new as usize] = self.place[old];
        }
        let basic: Vec<bool> = self.head.iter().map(|&v| place_of[v as usize] != u32::MAX).collect();
        retain(&mut self.head, &basic);
        retain(&mut self.values, &basic);
        retain(&mut self.weights, &basic);
        for (position, variable) in self.head.iter_mut().enumerate() {
            *variable = place_of[*variable as usize];
            place[*variable as usize] = Place::Basic(position as u32);
        }
        self.place = place;
        for column in &mut self.columns {
            column.retain_mut(|entry| {
                entry.0 = new_row[entry.0 as usize];
                entry.0 != u32::MAX
            });
        }
        self.is_factored = false;
    }
}

/// Keeps the items that are wanted.
fn retain<T>(items: &mut Vec<T>, wanted: &[bool]) {
    let mut at = 0;
    items.retain(|_| {
        at += 1;
        wanted[at - 1]
    });
}
