//! Integer decisions: the first integer among those with the fewest values.
//!
//! A heap of widths, updated at a decision with what has changed since the last one. Invariant: each decidable integer with
//! several values has its width in the heap, or is noted as changed; other entries are stale.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::integer::store::{Int, Side};
use asp_base::index_vec::Idx;

/// The integers that are decided, by their widths.
#[derive(Debug, Default)]
pub(super) struct Order {
    heap: BinaryHeap<Reverse<(i64, Int)>>,
    changed: Vec<Int>,
    /// By integer: whether it is among the changed ones, or is never decided.
    is_noted: Vec<bool>,
}

/// The greatest value less the least one.
fn width(int: Int, least: &[i64]) -> i64 {
    let at = Side::of(int, false).at();
    -least[at + 1] - least[at]
}

impl Order {
    /// Takes up a new integer. To be called for each of them.
    pub(super) fn add(&mut self, int: Int, is_decided: bool) {
        self.is_noted.resize(int.index(), true);
        self.is_noted.push(true);
        if is_decided {
            self.changed.push(int);
        }
    }
    /// To be called when a bound has changed.
    #[inline]
    pub(super) fn note(&mut self, int: Int) {
        if !std::mem::replace(&mut self.is_noted[int.index()], true) {
            self.changed.push(int);
        }
    }
    /// The next one, of all that are decided; `None` if each has a value.
    pub(super) fn first(&mut self, own: &[Int], least: &[i64]) -> Option<Int> {
        let entry = |&int: &Int| Some(Reverse((width(int, least), int))).filter(|e| e.0.0 > 0);
        self.changed.iter().for_each(|int| self.is_noted[int.index()] = false);
        self.heap.extend(self.changed.drain(..).filter_map(|int| entry(&int)));
        if self.heap.len() > 4 * own.len() {
            // Most are stale.
            self.heap.clear();
            self.heap.extend(own.iter().filter_map(entry));
        }
        while let Some(&Reverse((noted, int))) = self.heap.peek() {
            if width(int, least) == noted {
                return Some(int);
            }
            self.heap.pop();
        }
        None
    }
}
