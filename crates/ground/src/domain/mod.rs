//! Domains: the atoms of one predicate that may hold, as rows of a flat array.
//!
//! Invariants: rows are append-only, a row number identifies an atom; a row is a fact or has a ground atom (or both, if
//! it became a fact after its atom had been used); `lookup` holds row numbers only. Semi-naive evaluation divides the
//! rows into `old | delta | new` by two row numbers: a tuple is in exactly one, and moves from right to left.

pub(crate) mod calculated;
pub mod index;
pub mod table;

use asp_base::map::Set;
use asp_base::symbol::{Sym, Symbols};
use asp_program::AtomId;
use calculated::Calculated;
use index::Index;
use table::{Row, Table};

const FACT: u32 = 1 << 31;
const NO_ATOM: u32 = FACT - 1;

/// All atoms of one predicate that may hold.
#[derive(Clone, Debug)]
pub struct Domain {
    table: Table,
    state: Vec<u32>,
    /// Rows before this one are old in the current round.
    pub old_end: Row,
    /// Rows before this one that are not old are the delta; the others are new.
    pub delta_end: Row,
    /// Atoms that were used under negation before anything derived them.
    reserved: Table,
    reserved_atoms: Vec<AtomId>,
    /// Number of the signature in the atom table, once an atom exists.
    pub signature: Option<u32>,
    /// Indexes by binding pattern.
    pub(crate) indexes: Vec<Index>,
    /// Number of rows that are facts.
    facts: Row,
    /// Facts that are weak, as `parity` says.
    weak: Set<Row>,
    /// Estimated number of distinct values by column, with the row count at the time.
    distinct: Vec<(Row, u32)>,
}

impl Domain {
    /// An empty domain of an arity.
    pub(crate) fn new(arity: usize) -> Self {
        Self {
            table: Table::new(arity),
            state: Vec::new(),
            old_end: 0,
            delta_end: 0,
            reserved: Table::new(arity),
            reserved_atoms: Vec::new(),
            signature: None,
            indexes: Vec::new(),
            facts: 0,
            weak: Set::default(),
            distinct: Vec::new(),
        }
    }
    /// Number of rows.
    #[inline]
    pub(crate) fn len(&self) -> Row {
        self.table.len()
    }
    /// The rows as a table.
    #[inline]
    pub(crate) fn table(&self) -> &Table {
        &self.table
    }
    /// The row of a tuple.
    #[inline]
    pub(crate) fn find(&self, args: &[Sym]) -> Option<Row> {
        self.table.find(args)
    }
    /// Whether a row certainly holds.
    #[inline]
    pub(crate) fn is_fact(&self, row: Row) -> bool {
        self.state[row as usize] & FACT != 0
    }
    /// The ground atom of a row.
    #[inline]
    pub(crate) fn atom(&self, row: Row) -> Option<AtomId> {
        let a = self.state[row as usize] & NO_ATOM;
        (a != NO_ATOM).then_some(AtomId(a))
    }
    /// Whether all rows are facts.
    #[inline]
    pub(crate) fn is_all_facts(&self) -> bool {
        self.facts == self.table.len()
    }
    /// Gives a row its ground atom.
    #[inline]
    pub(crate) fn set_atom(&mut self, row: Row, atom: AtomId) {
        let fact = self.state[row as usize] & FACT;
        self.state[row as usize] = fact | atom.0;
    }
    /// Makes a row a fact.
    #[inline]
    pub(crate) fn set_fact(&mut self, row: Row) {
        self.facts += Row::from(!self.is_fact(row));
        self.state[row as usize] |= FACT;
    }
    /// Makes a row a fact no more.
    pub(crate) fn forget_fact(&mut self, row: Row) {
        self.facts -= Row::from(self.is_fact(row));
        self.state[row as usize] &= !FACT;
    }
    /// Whether a row is a weak fact.
    pub(crate) fn is_weak(&self, row: Row) -> bool {
        self.weak.contains(&row)
    }
    /// Notes whether a fact is weak; what is a fact once without being weak stays so.
    pub(crate) fn note_weak(&mut self, row: Row, weak: bool) {
        if weak && !self.is_fact(row) {
            self.weak.insert(row);
        } else if !weak && !self.weak.is_empty() {
            self.weak.remove(&row);
        }
    }
    /// The row of a tuple, and whether it is new. A new row takes over an atom that was reserved for it.
    #[inline]
    pub(crate) fn insert(&mut self, args: &[Sym]) -> (Row, bool) {
        let (row, new) = self.table.insert(args);
        if new {
            let reserved = if self.reserved.is_empty() { None } else { self.reserved.find(args) };
            self.state.push(reserved.map_or(NO_ATOM, |r| self.reserved_atoms[r as usize].0));
        }
        (row, new)
    }
    /// The atom reserved for a tuple without a row; `make` creates it.
    pub(crate) fn reserve(&mut self, args: &[Sym], make: impl FnOnce() -> AtomId) -> AtomId {
        let (row, new) = self.reserved.insert(args);
        if new {
            self.reserved_atoms.push(make());
        }
        self.reserved_atoms[row as usize]
    }
    /// Reserves another atom for a reserved tuple.
    pub(crate) fn replace_reserved(&mut self, args: &[Sym], atom: AtomId) {
        let (row, _) = self.reserved.insert(args);
        self.reserved_atoms[row as usize] = atom;
    }
    /// Starts a round: the delta becomes old, new rows become the delta. Returns whether the delta has any rows.
    pub(crate) fn advance(&mut self) -> bool {
        self.old_end = self.delta_end;
        self.delta_end = self.table.len();
        self.old_end < self.delta_end
    }
    /// The least and the greatest value of a column that has nothing but integers.
    pub(crate) fn range(&self, column: usize, symbols: &Symbols) -> Option<(i64, i64)> {
        let mut values = (0..self.table.len()).map(|row| symbols.as_num(self.table.arg(row, column)));
        let first = values.next()??;
        values.try_fold((first, first), |(low, high), n| n.map(|n| (low.min(n), high.max(n))))
    }
    /// The number of distinct values in a column; estimated from a sample if there are many rows.
    pub(crate) fn distinct(&mut self, column: usize) -> u32 {
        const SAMPLE: u32 = 4096;
        let n = self.table.len();
        // A declaration may name any arity; what is joined has that many terms.
        if self.distinct.len() <= column {
            self.distinct.resize(column + 1, (0, 0));
        }
        let (at, known) = self.distinct[column];
        if n == 0 || (at > 0 && n / 2 <= at && at <= n) {
            return known.max(1);
        }
        // Odd, as tables of facts often repeat after an even number of rows.
        let step = (n / SAMPLE).max(1) | 1;
        let mut values: Vec<u32> =
            (0..n).step_by(step as usize).map(|r| self.table.arg(r, column).raw()).collect();
        let sampled = values.len() as u64;
        values.sort_unstable();
        values.dedup();
        let seen = values.len() as u64;
        // With few repetitions in the sample, the column grows with the rows; with many, the sample has seen all
        // values.
        let estimate = if step == 1 {
            seen
        } else if seen * 10 >= sampled * 9 {
            u64::from(n) * seen / sampled
        } else {
            seen * sampled / (sampled - seen).max(1)
        };
        let estimate = estimate.clamp(seen, u64::from(n)) as u32;
        self.distinct[column] = (n, estimate);
        estimate
    }
    /// The number of the index on some columns (ascending) and calculated values, each group sorted by `order` if given; built
    /// if it is new.
    pub(crate) fn index(
        &mut self,
        columns: &[u32],
        calculated: &[Calculated],
        order: Option<u32>,
        symbols: &Symbols,
    ) -> usize {
        let found = self.indexes.iter().position(|i| i.is_on(columns, calculated) && i.order() == order);
        let i = found.unwrap_or_else(|| {
            self.indexes.push(Index::new(columns, calculated, order));
            self.indexes.len() - 1
        });
        self.indexes[i].update(&self.table, symbols);
        i
    }
    /// Brings all indexes up to date.
    pub(crate) fn update_indexes(&mut self, symbols: &Symbols) {
        for index in &mut self.indexes {
            index.update(&self.table, symbols);
        }
    }
}
