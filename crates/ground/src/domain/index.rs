//! Hash indexes on some columns of a table and on values calculated from columns, with the rows of each group in one
//! run of an arena.
//!
//! Invariants: a group's rows are in ascending order or, if the index is ordered, sorted by the order column in the
//! order of terms; a group is found by its key through a representative row, so no key is stored twice. It is built in
//! two passes over the rows (count, then fill); later rows are appended, and a full run moves to a place with twice the
//! room.

use hashbrown::HashTable;

use super::calculated::Calculated;
use super::table::{Row, Table};
use asp_base::map::hash_words;
use asp_base::symbol::{Sym, Symbols};

#[derive(Clone, Copy, Debug)]
struct Group {
    start: u32,
    len: u32,
    room: u32,
    representative: Row,
}

/// An index of one table.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    key: Key,
    order: Option<u32>,
    lookup: HashTable<u32>,
    groups: Vec<Group>,
    rows: Vec<Row>,
    upto: Row,
}

/// What the rows of a group share: values of columns, then values calculated from columns.
#[derive(Clone, Debug)]
struct Key {
    columns: Box<[u32]>,
    calculated: Box<[Calculated]>,
    /// The calculated values of each row.
    values: Vec<Sym>,
    /// Whether each row has all of them.
    is_total: bool,
}

impl Key {
    #[inline]
    fn of<'a>(&'a self, table: &'a Table, row: Row) -> impl Iterator<Item = Sym> + 'a {
        let n = self.calculated.len();
        let values = &self.values[row as usize * n..(row as usize + 1) * n];
        self.columns.iter().map(move |&c| table.arg(row, c as usize)).chain(values.iter().copied())
    }

    /// Calculates what the key has of a new row; whether it has all.
    fn add(&mut self, table: &Table, row: Row, symbols: &Symbols) -> bool {
        let given = |column: u32| table.arg(row, column as usize);
        let mut values = self.calculated.iter().map(|c| c.value(&given, symbols).and_then(Sym::small));
        values.all(|value| value.map(|value| self.values.push(value)).is_some())
    }
}

#[inline]
fn hash_key(key: impl Iterator<Item = Sym>) -> u64 {
    hash_words(7, key.map(Sym::raw))
}

impl Index {
    /// An index without rows.
    pub(crate) fn new(columns: &[u32], calculated: &[Calculated], order: Option<u32>) -> Self {
        let (values, is_total) = (Vec::new(), true);
        Self {
            key: Key { columns: columns.into(), calculated: calculated.into(), values, is_total },
            order,
            lookup: HashTable::new(),
            groups: Vec::new(),
            rows: Vec::new(),
            upto: 0,
        }
    }
    /// Whether this is the index on a key.
    pub(crate) fn is_on(&self, columns: &[u32], calculated: &[Calculated]) -> bool {
        *self.key.columns == *columns && *self.key.calculated == *calculated
    }
    /// Whether each row has a value, a small integer, for all that is calculated.
    pub(crate) fn is_total(&self) -> bool {
        self.key.is_total
    }
    /// The column that orders the groups.
    pub(crate) fn order(&self) -> Option<u32> {
        self.order
    }
    /// Number of groups.
    pub(crate) fn group_count(&self) -> usize {
        self.groups.len()
    }
    #[inline]
    pub(crate) fn representative(&self, group: u32) -> Row {
        self.groups[group as usize].representative
    }
    /// The group of a key.
    #[inline]
    pub(crate) fn find(&self, table: &Table, key: &[Sym]) -> Option<u32> {
        let same = |&g: &u32| {
            let r = self.groups[g as usize].representative;
            self.key.of(table, r).eq(key.iter().copied())
        };
        self.lookup.find(hash_key(key.iter().copied()), same).copied()
    }
    #[inline]
    pub(crate) fn rows(&self, group: u32) -> &[Row] {
        let g = self.groups[group as usize];
        &self.rows[g.start as usize..(g.start + g.len) as usize]
    }
    /// The row at a position of the arena, in the range that [`run`](Self::run) returns.
    #[inline]
    pub(crate) fn row_at(&self, place: u32) -> Row {
        self.rows[place as usize]
    }
    /// The range of a group's rows in the arena.
    #[inline]
    pub(crate) fn run(&self, group: u32) -> (u32, u32) {
        let g = self.groups[group as usize];
        (g.start, g.start + g.len)
    }

    fn group_of(&mut self, table: &Table, row: Row) -> u32 {
        let key_of = |r: Row| self.key.of(table, r);
        let groups = &self.groups;
        let h = hash_key(key_of(row));
        let same = |&g: &u32| key_of(groups[g as usize].representative).eq(key_of(row));
        if let Some(&g) = self.lookup.find(h, same) {
            return g;
        }
        let g = self.groups.len() as u32;
        self.groups.push(Group { start: 0, len: 0, room: 0, representative: row });
        let groups = &self.groups;
        self.lookup.insert_unique(h, g, |&g| hash_key(key_of(groups[g as usize].representative)));
        g
    }

    /// Adds the rows that came since the last call.
    pub(crate) fn update(&mut self, table: &Table, symbols: &Symbols) {
        let end = table.len();
        if self.upto == end {
            return;
        }
        let first = self.upto;
        self.upto = end;
        // Without a value for each row it is of no use.
        self.key.is_total = self.key.is_total && (first..end).all(|row| self.key.add(table, row, symbols));
        if !self.key.is_total {
            return;
        }
        let groups: Vec<u32> = (first..end).map(|row| self.group_of(table, row)).collect();
        if first == 0 {
            for &g in &groups {
                self.groups[g as usize].room += 1;
            }
            let mut start = 0;
            for g in &mut self.groups {
                g.start = start;
                start += g.room;
            }
            self.rows = vec![0; end as usize];
        }
        for (row, &g) in (first..end).zip(&groups) {
            self.append(g, row);
        }
        if let Some(column) = self.order {
            let column = column as usize;
            let mut touched = groups;
            touched.sort_unstable();
            touched.dedup();
            for g in touched {
                let (a, b) = self.run(g);
                self.rows[a as usize..b as usize]
                    .sort_by(|&r, &s| symbols.cmp(table.arg(r, column), table.arg(s, column)));
            }
        }
    }

    fn append(&mut self, group: u32, row: Row) {
        let g = &mut self.groups[group as usize];
        if g.len == g.room {
            let start = self.rows.len() as u32;
            g.room = (g.room * 2).max(4);
            self.rows.extend_from_within(g.start as usize..(g.start + g.len) as usize);
            self.rows.resize((start + g.room) as usize, 0);
            g.start = start;
        }
        self.rows[(g.start + g.len) as usize] = row;
        g.len += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_grow_and_stay_in_order() {
        let mut symbols = Symbols::new();
        let mut table = Table::new(2);
        let mut index = Index::new(&[0], &[], None);
        let mut ordered = Index::new(&[0], &[], Some(1));
        for round in 0..5 {
            for i in 0..100 {
                let tuple = [symbols.num(i % 7), symbols.num(1000 - i - 100 * round)];
                table.insert(&tuple);
            }
            index.update(&table, &symbols);
            ordered.update(&table, &symbols);
            for k in 0..7 {
                let key = [symbols.num(k)];
                let expected: Vec<Row> = (0..table.len()).filter(|&r| table.arg(r, 0) == key[0]).collect();
                let group = index.find(&table, &key).unwrap();
                assert_eq!(index.rows(group), expected);
                let group = ordered.find(&table, &key).unwrap();
                let values: Vec<_> =
                    ordered.rows(group).iter().map(|&r| symbols.as_num(table.arg(r, 1)).unwrap()).collect();
                assert!(values.is_sorted() && values.len() == expected.len());
            }
        }
        assert_eq!(index.find(&table, &[Sym::INF]), None);
    }
}
