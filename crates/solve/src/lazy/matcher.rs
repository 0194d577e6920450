//! Runs a plan from one row: a nested loop over its steps, without recursion and without allocation per match.
//!
//! The true rows of each table are linked lists, one for each group of an index that a plan joins by. A row is pushed when it
//! becomes true and popped in reverse order.
//!
//! Invariant: a list has the rows whose literals are true and that were [`insert`](Matcher::insert)ed; `chosen` has the
//! literals of the path that are true, `open` the one that has no value.

use asp_base::symbol::Sym;
use asp_engine::propagator::View;
use asp_engine::store::literal::Lit;
use asp_program::lazy::plan::{Plan, Rows, Start, Step};
use asp_program::lazy::table::Table;
use asp_program::lazy::{Batch, Constraint};
use std::sync::Arc;

const NONE: u32 = u32::MAX;

/// The true rows of a table, by group of an index; empty if no plan needs it.
#[derive(Debug, Default)]
struct Lists {
    first: Vec<u32>,
    next: Vec<u32>,
}

/// Where a step is.
#[derive(Clone, Copy, Debug)]
struct Cursor {
    at: u32,
    end: u32,
    chosen: u32,
    open: Lit,
}

/// The start of a plan.
#[derive(Clone, Copy)]
pub(super) enum Given<'a> {
    Row(u32),
    /// The values of a key.
    Key(&'a [Sym]),
}

/// Whether to go on.
pub(super) type Goes = std::ops::ControlFlow<()>;

/// The state of joins over the tables of a batch.
pub(super) struct Matcher {
    pub(super) batch: Arc<Batch>,
    /// By table: the engine's literals of its rows.
    pub(super) lits: Vec<Vec<Lit>>,
    pub(super) truth: Lit,
    /// By table and index.
    lists: Vec<Vec<Lists>>,
    pub(super) values: Vec<Sym>,
    cursors: Vec<Cursor>,
    key: Vec<Sym>,
    pub(super) stack: Vec<i64>,
    pub(super) chosen: Vec<Lit>,
    pub(super) open: Lit,
    /// Rows that were looked at.
    pub(super) looked: u64,
}

impl Matcher {
    /// A matcher over tables whose rows have these literals. No row is in a list yet.
    pub(super) fn new(batch: Arc<Batch>, lits: Vec<Vec<Lit>>, truth: Lit) -> Self {
        let mut lists: Vec<Vec<Lists>> =
            batch.tables.iter().map(|t| t.indexes.iter().map(|_| Lists::default()).collect()).collect();
        let steps = batch.constraints.iter().flat_map(|c| &c.plans).flat_map(|p| &p.steps);
        for step in steps {
            if let &Step::Join { table, index, rows: Rows::True, .. } = step {
                let of = &batch.tables[table as usize];
                let lists = &mut lists[table as usize][index as usize];
                lists.first.resize(of.indexes[index as usize].rows.len(), NONE);
                lists.next.resize(of.len() as usize, NONE);
            }
        }
        Self {
            batch,
            lits,
            truth,
            lists,
            values: Vec::new(),
            cursors: Vec::new(),
            key: Vec::new(),
            stack: Vec::new(),
            chosen: Vec::new(),
            open: Lit::NONE,
            looked: 0,
        }
    }

    /// Puts a row into the lists of its table.
    pub(super) fn insert(&mut self, table: usize, row: u32) {
        for (lists, index) in self.lists[table].iter_mut().zip(&self.batch.tables[table].indexes) {
            if !lists.first.is_empty() {
                let first = &mut lists.first[index.group_of[row as usize] as usize];
                lists.next[row as usize] = *first;
                *first = row;
            }
        }
    }

    /// Takes the row that was put in last out of the lists of its table.
    pub(super) fn remove(&mut self, table: usize, row: u32) {
        for (lists, index) in self.lists[table].iter_mut().zip(&self.batch.tables[table].indexes) {
            if !lists.first.is_empty() {
                let first = &mut lists.first[index.group_of[row as usize] as usize];
                debug_assert_eq!(*first, row);
                *first = lists.next[row as usize];
            }
        }
    }

    /// Runs a plan from its start, and calls `leaf` for each match. With `by_value`, truth is looked up for each row, instead of
    /// in the lists.
    pub(super) fn run<C>(
        &mut self,
        (c, plan): (&Constraint, &Plan),
        given: Given<'_>,
        by_value: bool,
        context: &mut C,
        view: impl for<'v> Fn(&'v C) -> View<'v>,
        mut leaf: impl FnMut(&mut Self, &mut C) -> Goes,
    ) -> Goes {
        let batch = Arc::clone(&self.batch);
        self.values.clear();
        self.values.resize(c.vars as usize, Sym::INF);
        self.chosen.clear();
        self.open = Lit::NONE;
        self.cursors.clear();
        match (plan.start, given) {
            (Start::Atom(a), Given::Row(row)) => {
                let atom = &c.atoms[a as usize];
                let table = &batch.tables[atom.table as usize];
                for (column, &var) in atom.vars.iter().enumerate() {
                    self.values[var as usize] = table.value(row, column as u32);
                }
                let lit = self.lits[atom.table as usize][row as usize];
                self.choose(if atom.negative { !lit } else { lit });
            }
            (_, Given::Key(key)) => {
                let vars = c.count.iter().flat_map(|count| &count.key);
                vars.zip(key).for_each(|(&var, &value)| self.values[var as usize] = value);
            }
            (Start::Key, Given::Row(_)) => return Goes::Continue(()),
        }
        if plan.steps.is_empty() {
            return leaf(self, context);
        }
        self.enter(&batch.tables, &plan.steps[0], by_value);
        let last = plan.steps.len();
        while let Some(depth) = self.cursors.len().checked_sub(1) {
            if !self.advance(&batch.tables, c, &plan.steps[depth], by_value, view(context)) {
                self.cursors.pop();
            } else if depth + 1 < last {
                self.enter(&batch.tables, &plan.steps[depth + 1], by_value);
            } else {
                leaf(self, context)?;
            }
        }
        Goes::Continue(())
    }

    /// Adds a literal that is true to the path.
    #[inline]
    fn choose(&mut self, lit: Lit) {
        if lit != self.truth {
            self.chosen.push(lit);
        }
    }

    /// Looks up a group by the values of variables.
    #[inline]
    fn group(&mut self, table: &Table, index: u32, key: &[u32]) -> Option<u32> {
        self.key.clear();
        self.key.extend(key.iter().map(|&v| self.values[v as usize]));
        table.find(index, &self.key)
    }

    /// Opens a step.
    #[inline]
    fn enter(&mut self, tables: &[Table], step: &Step, by_value: bool) {
        let (at, end) = match step {
            Step::Join { table, index, key, rows, .. } => {
                let of = &tables[*table as usize];
                match self.group(of, *index, key) {
                    None if *rows == Rows::True && !by_value => (NONE, 0),
                    None => (0, 0),
                    Some(group) if *rows == Rows::True && !by_value => {
                        (self.lists[*table as usize][*index as usize].first[group as usize], 0)
                    }
                    Some(group) => {
                        let range = of.indexes[*index as usize].rows.range(group as usize);
                        (range.start as u32, range.end as u32)
                    }
                }
            }
            _ => (0, 1),
        };
        self.cursors.push(Cursor { at, end, chosen: self.chosen.len() as u32, open: self.open });
    }

    /// Moves the last step to its next match; `false` if there is none.
    #[inline]
    fn advance(
        &mut self,
        tables: &[Table],
        c: &Constraint,
        step: &Step,
        by_value: bool,
        view: View<'_>,
    ) -> bool {
        let Some(mut cursor) = self.cursors.last().copied() else { return false };
        self.chosen.truncate(cursor.chosen as usize);
        self.open = cursor.open;
        let found = match step {
            Step::Join { table, index, binds, rows, .. } => {
                let (number, index) = (*table as usize, *index as usize);
                let of = &tables[number];
                loop {
                    let row = if *rows == Rows::True && !by_value {
                        let row = cursor.at;
                        if row == NONE {
                            break false;
                        }
                        cursor.at = self.lists[number][index].next[row as usize];
                        row
                    } else {
                        if cursor.at >= cursor.end {
                            break false;
                        }
                        let row = of.indexes[index].rows.item(cursor.at as usize);
                        cursor.at += 1;
                        row
                    };
                    self.looked += 1;
                    let lit = self.lits[number][row as usize];
                    match rows {
                        Rows::All => {}
                        Rows::True if by_value && !view.is_true(lit) => continue,
                        Rows::True => self.choose(lit),
                        Rows::Open if view.is_false(lit) => continue,
                        Rows::Open if view.is_true(lit) => self.choose(lit),
                        // A negated atom may be open already.
                        Rows::Open if self.open != Lit::NONE && self.open != lit => continue,
                        Rows::Open => self.open = lit,
                    }
                    for &(column, var) in binds {
                        self.values[var as usize] = of.value(row, column);
                    }
                    break true;
                }
            }
            _ if cursor.at == cursor.end => false,
            step => {
                cursor.at = cursor.end;
                self.test(tables, c, step, view)
            }
        };
        if let Some(last) = self.cursors.last_mut() {
            *last = cursor;
        }
        found
    }

    /// Runs a step that has at most one match.
    #[inline]
    fn test(&mut self, tables: &[Table], c: &Constraint, step: &Step, view: View<'_>) -> bool {
        match step {
            Step::Join { .. } => false,
            Step::Negative { table, index, key } => {
                let of = &tables[*table as usize];
                let Some(group) = self.group(of, *index, key) else { return true };
                let row = of.indexes[*index as usize].rows.row(group as usize)[0];
                let lit = self.lits[*table as usize][row as usize];
                match view.value(lit) {
                    Some(true) => false,
                    Some(false) => {
                        self.choose(!lit);
                        true
                    }
                    None if self.open == Lit::NONE || self.open == !lit => {
                        self.open = !lit;
                        true
                    }
                    None => false,
                }
            }
            &Step::Test(number) => {
                c.conditions[number as usize].holds(&self.values, &c.ranks, &mut self.stack)
            }
            &Step::Assign(var, number, left) => {
                let (x, y) = &c.conditions[number as usize].sides[0];
                let value = if left { x } else { y }.value(&self.values, &mut self.stack);
                value.map(|value| self.values[var as usize] = value).is_some()
            }
            &Step::Solve(var, number) => {
                let sum = c.conditions[number as usize].sum.as_ref();
                let value = sum.and_then(|sum| sum.solve(var, &self.values));
                value.map(|value| self.values[var as usize] = value).is_some()
            }
        }
    }
}
