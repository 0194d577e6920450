//! Interned tuples of one arity, numbered in order of arrival, as rows of a flat array.
//!
//! Invariants: rows are append-only, a row number identifies a tuple; `lookup` holds row numbers only, so no tuple is
//! stored twice.

use hashbrown::HashTable;

use asp_base::map::hash_words;
use asp_base::symbol::Sym;

/// The number of a tuple.
pub(crate) type Row = u32;

/// Rows without an order: interned tuples of one arity.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    arity: usize,
    args: Vec<Sym>,
    rows: u32,
    lookup: HashTable<Row>,
}

fn hash(args: &[Sym]) -> u64 {
    hash_words(args.len() as u64, args.iter().map(|a| a.raw()))
}

impl Table {
    /// An empty table of tuples of an arity.
    pub(crate) fn new(arity: usize) -> Self {
        Self { arity, ..Self::default() }
    }
    /// Number of rows.
    #[inline]
    pub(crate) fn len(&self) -> u32 {
        self.rows
    }
    /// Whether there are none.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.rows == 0
    }
    /// The tuple of a row.
    #[inline]
    pub(crate) fn args(&self, row: Row) -> &[Sym] {
        let start = row as usize * self.arity;
        &self.args[start..start + self.arity]
    }
    #[inline]
    pub(crate) fn arg(&self, row: Row, column: usize) -> Sym {
        self.args[row as usize * self.arity + column]
    }
    /// The row of a tuple.
    #[inline]
    pub(crate) fn find(&self, args: &[Sym]) -> Option<Row> {
        self.lookup.find(hash(args), |&r| self.args(r) == args).copied()
    }
    /// The row of a tuple, and whether it is new.
    #[inline]
    pub(crate) fn insert(&mut self, args: &[Sym]) -> (Row, bool) {
        debug_assert_eq!(args.len(), self.arity);
        let h = hash(args);
        if let Some(&row) = self.lookup.find(h, |&r| self.args(r) == args) {
            return (row, false);
        }
        let row = self.rows;
        self.args.extend_from_slice(args);
        self.rows += 1;
        let (all, arity) = (&self.args, self.arity);
        self.lookup.insert_unique(h, row, |&r| hash(&all[r as usize * arity..][..arity]));
        (row, true)
    }
}
