//! Tables: the instances of a literal, as rows of values with ground literals, and indexes on them.
//!
//! Invariant: rows differ in their values; an index covers all rows of its table.

use crate::atom_table::Literal;
use asp_base::csr::Csr;
use asp_base::map::hash_words;
use asp_base::symbol::Sym;
use hashbrown::HashTable;

/// The rows of a literal.
#[derive(Debug, Default)]
pub struct Table {
    arity: usize,
    values: Vec<Sym>,
    literals: Vec<Option<Literal>>,
    is_open: bool,
    /// By column, once they were counted: the number of different values.
    distinct: Vec<u32>,
    /// The indexes.
    pub indexes: Vec<Index>,
}

impl Table {
    /// A table without rows.
    pub fn new(arity: usize) -> Self {
        Self { arity, ..Self::default() }
    }
    /// Appends a row; without a literal, it always holds. Pre: there is no index.
    pub fn push(&mut self, values: impl Iterator<Item = Sym>, literal: Option<Literal>) {
        debug_assert!(self.indexes.is_empty());
        self.values.extend(values);
        self.literals.push(literal);
        self.is_open |= literal.is_some();
    }
    /// Number of rows.
    pub fn len(&self) -> u32 {
        self.literals.len() as u32
    }
    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.literals.is_empty()
    }
    /// Whether some row need not hold.
    pub fn is_open(&self) -> bool {
        self.is_open
    }
    /// A value of a row.
    #[inline]
    pub fn value(&self, row: u32, column: u32) -> Sym {
        self.values[row as usize * self.arity + column as usize]
    }
    /// The values of a column.
    pub fn column(&self, column: u32) -> impl Iterator<Item = Sym> + '_ {
        (0..self.len()).map(move |row| self.value(row, column))
    }
    /// The literals of all rows; `None` for what always holds.
    pub fn literals(&self) -> &[Option<Literal>] {
        &self.literals
    }
    /// The number of different values of a column, at least 1.
    pub fn distinct(&mut self, column: u32) -> u32 {
        if self.distinct.is_empty() {
            let mut values = Vec::new();
            for c in 0..self.arity as u32 {
                values.clear();
                values.extend(self.column(c));
                values.sort_unstable();
                values.dedup();
                self.distinct.push(values.len().max(1) as u32);
            }
        }
        self.distinct[column as usize]
    }
    /// The number of the index on some columns, in ascending order; built if it is new.
    pub fn index(&mut self, columns: &[u32]) -> u32 {
        let known = self.indexes.iter().position(|i| i.columns == columns);
        known.unwrap_or_else(|| {
            let index = Index::new(self, columns);
            self.indexes.push(index);
            self.indexes.len() - 1
        }) as u32
    }
    /// The group of an index whose columns have these values.
    #[inline]
    pub fn find(&self, index: u32, key: &[Sym]) -> Option<u32> {
        let index = &self.indexes[index as usize];
        let same = |&group: &u32| {
            let row = index.rows.row(group as usize)[0];
            index.columns.iter().zip(key).all(|(&c, &k)| self.value(row, c) == k)
        };
        index.lookup.find(hash(key.iter().copied()), same).copied()
    }
}

/// The rows of a table, grouped by some columns.
#[derive(Debug)]
pub struct Index {
    columns: Vec<u32>,
    lookup: HashTable<u32>,
    /// By row: its group.
    pub group_of: Vec<u32>,
    /// By group: its rows.
    pub rows: Csr<u32>,
}

fn hash(key: impl Iterator<Item = Sym>) -> u64 {
    hash_words(0, key.map(Sym::raw))
}

impl Index {
    fn new(table: &Table, columns: &[u32]) -> Self {
        let key = |row: u32| columns.iter().map(move |&c| table.value(row, c));
        let mut lookup: HashTable<u32> = HashTable::new();
        let (mut group_of, mut first): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        for row in 0..table.len() {
            let code = hash(key(row));
            let found = lookup.find(code, |&g| key(first[g as usize]).eq(key(row))).copied();
            group_of.push(found.unwrap_or_else(|| {
                let group = first.len() as u32;
                first.push(row);
                lookup.insert_unique(code, group, |&g| hash(key(first[g as usize])));
                group
            }));
        }
        let rows = Csr::group(first.len(), group_of.iter().copied().zip(0..));
        Self { columns: columns.to_vec(), lookup, group_of, rows }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_have_all_rows_with_a_key() {
        let number = |n: i64| Sym::small(n).unwrap_or(Sym::INF);
        let mut table = Table::new(2);
        for n in 0..60 {
            table.push([number(n % 4), number(n)].into_iter(), None);
        }
        let (by_first, all, none) = (table.index(&[0]), table.index(&[0, 1]), table.index(&[]));
        assert_eq!(table.index(&[0]), by_first);
        let group = table.find(by_first, &[number(3)]).unwrap();
        let rows = table.indexes[by_first as usize].rows.row(group as usize);
        assert_eq!(rows, (0..15).map(|n| 4 * n + 3).collect::<Vec<u32>>());
        assert_eq!(table.find(by_first, &[number(4)]), None);
        assert_eq!(table.find(all, &[number(1), number(2)]), None);
        let group = table.find(none, &[]).unwrap();
        assert_eq!(table.indexes[none as usize].rows.row(group as usize).len(), 60);
        assert_eq!((table.distinct(0), table.distinct(1)), (4, 60));
    }
}
