//! Lists by row, all in one array (compressed sparse rows).
//!
//! Invariant: `starts` has one entry more than there are rows, rises, and ends with the number of items; a row keeps the
//! order in which its items were given.

use std::ops::Range;

/// Lists of items by row number.
#[derive(Clone, Debug)]
pub struct Csr<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for Csr<T> {
    fn default() -> Self {
        Self { starts: vec![0], items: Vec::new() }
    }
}

impl<T> Csr<T> {
    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }
    /// Positions of a row's items.
    #[inline]
    pub fn range(&self, row: usize) -> Range<usize> {
        self.starts[row] as usize..self.starts[row + 1] as usize
    }
    /// The items of a row.
    #[inline]
    pub fn row(&self, row: usize) -> &[T] {
        &self.items[self.range(row)]
    }
    /// All rows in order.
    pub fn rows(&self) -> impl Iterator<Item = &[T]> {
        (0..self.len()).map(|row| self.row(row))
    }
}

impl<T: Copy> Csr<T> {
    /// An item by its position among those of all rows.
    #[inline]
    pub fn item(&self, position: usize) -> T {
        self.items[position]
    }
    /// Appends a row.
    pub fn push_row(&mut self, items: &[T]) {
        self.items.extend_from_slice(items);
        self.starts.push(self.items.len() as u32);
    }
}

impl<T: Copy + Ord> Csr<T> {
    /// Sorts each row, then drops items that are `alike` the one before them.
    pub fn sort_and_dedup_by(&mut self, alike: impl Fn(T, T) -> bool) {
        let (mut read, mut written) = (0, 0);
        for row in 1..self.starts.len() {
            let end = self.starts[row] as usize;
            self.items[read..end].sort_unstable();
            let first = written;
            for at in read..end {
                let item = self.items[at];
                if written == first || !alike(self.items[written - 1], item) {
                    self.items[written] = item;
                    written += 1;
                }
            }
            self.starts[row] = written as u32;
            read = end;
        }
        self.items.truncate(written);
    }
}

impl<T: Copy + Default> Csr<T> {
    /// Groups pairs of a row and an item by row, by counting.
    pub fn group(rows: usize, pairs: impl Iterator<Item = (u32, T)> + Clone) -> Self {
        // Counts are kept two places ahead, so that filling the rows leaves each start where it belongs.
        let mut starts = vec![0u32; rows + 2];
        let mut total = 0;
        for (row, _) in pairs.clone() {
            starts[row as usize + 2] += 1;
            total += 1;
        }
        for i in 2..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut items = vec![T::default(); total];
        for (row, item) in pairs {
            let next = &mut starts[row as usize + 1];
            items[*next as usize] = item;
            *next += 1;
        }
        starts.pop();
        Self { starts, items }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_keep_the_order_of_their_items() {
        let pairs = [(2, 'a'), (0, 'b'), (2, 'c'), (3, 'd'), (2, 'e')];
        let grouped = Csr::group(5, pairs.into_iter());
        assert_eq!(grouped.rows().collect::<Vec<_>>(), [&['b'][..], &[], &['a', 'c', 'e'], &['d'], &[]]);
        assert_eq!((grouped.range(2), grouped.item(3)), (1..4, 'e'));
        let mut pushed = Csr::default();
        grouped.rows().for_each(|row| pushed.push_row(row));
        assert_eq!((pushed.len(), pushed.row(2)), (5, &['a', 'c', 'e'][..]));
        let mut mixed = Csr::group(3, [(0, 5), (2, 4), (0, 2), (2, 5), (0, 3)].into_iter());
        mixed.sort_and_dedup_by(|a, b| a / 2 == b / 2);
        assert_eq!(mixed.rows().collect::<Vec<_>>(), [&[2, 5][..], &[], &[4]]);
    }
}
