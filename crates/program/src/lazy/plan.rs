//! Plans: the order in which the atoms of a constraint are joined when one of them becomes true.
//!
//! A plan begins with the row of one atom, the *start* (or with the key of a count). The other atoms follow, the one with the fewest expected rows
//! first; comparisons and negated atoms are tested as soon as their variables have values. Atoms range over the rows that
//! are true; with an *open* atom, that one comes last and ranges over all rows that are not false.
//!
//! Invariant: a step reads only variables that the start and earlier steps have bound.

use super::condition::{Condition, Side};
use super::table::Table;
use super::{BodyAtom, Constraint};
use asp_base::aggregate::Relation;

/// The expected share of an atom's rows that are true.
const TRUE_SHARE: f64 = 0.1;
/// With more rows expected on the way to its matches, a plan has no open atom.
const MAX_OPEN_ROWS: f64 = 200_000.0;
/// With more atoms that need not hold, no plan has an open atom.
const MAX_OPEN_ATOMS: usize = 6;

/// Which rows a step ranges over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rows {
    /// All: they always hold.
    All,
    /// Those that are true.
    True,
    /// Those that are not false.
    Open,
}

/// A step of a plan.
#[derive(Clone, Debug)]
pub enum Step {
    /// Enumerates rows of an atom's table.
    Join {
        /// Which table.
        table: u32,
        /// The index on the columns that are bound.
        index: u32,
        /// The variables of these columns.
        key: Vec<u32>,
        /// The other columns and the variables that they bind.
        binds: Vec<(u32, u32)>,
        /// Which rows.
        rows: Rows,
    },
    /// A negated atom must not be true.
    Negative {
        /// Which table.
        table: u32,
        /// The index on all columns.
        index: u32,
        /// Their variables.
        key: Vec<u32>,
    },
    /// The comparison with this number must hold.
    Test(u32),
    /// A variable gets the value of a side of an equation: the left one, if the flag is set.
    Assign(u32, u32, bool),
    /// A variable gets the value that makes an equation hold.
    Solve(u32, u32),
}

/// The start of a plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// A row of the atom with this number.
    Atom(u32),
    /// The key of a count.
    Key,
}

/// A plan.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Its start.
    pub start: Start,
    /// Whether an atom is open.
    pub is_open: bool,
    /// Its steps.
    pub steps: Vec<Step>,
}

/// The plans of a constraint: one for each atom that need not hold without an open atom, then those with one, if expected
/// to be cheap. `None`: it cannot be planned, has less than two such atoms, or all of them are negated.
pub(super) fn plans(c: &Constraint, tables: &mut [Table]) -> Option<Vec<Plan>> {
    let open: Vec<u32> =
        (0..c.atoms.len() as u32).filter(|&a| tables[c.atoms[a as usize].table as usize].is_open()).collect();
    if open.len() < if c.count.is_some() { 1 } else { 2 } {
        return None;
    }
    // Of an instance whose negated atoms are in no table, no row would tell.
    if open.iter().all(|&a| c.atoms[a as usize].negative) {
        return None;
    }
    let mut plans = Vec::new();
    for &start in &open {
        plans.push(Planner::new(c, tables).plan(Start::Atom(start), None)?.0);
    }
    if open.len() > MAX_OPEN_ATOMS {
        return Some(plans);
    }
    let (mut opened, mut rows) = (Vec::new(), 0.0);
    for &start in &open {
        for &last in open.iter().filter(|&&last| last != start && !c.atoms[last as usize].negative) {
            let (plan, cost) = Planner::new(c, tables).plan(Start::Atom(start), Some(last))?;
            rows += cost;
            opened.push(plan);
        }
    }
    if c.count.is_some() {
        for &last in &open {
            let (plan, cost) = Planner::new(c, tables).plan(Start::Key, Some(last))?;
            rows += cost;
            opened.push(plan);
        }
    }
    if rows <= MAX_OPEN_ROWS {
        plans.append(&mut opened);
    }
    Some(plans)
}

struct Planner<'a> {
    c: &'a Constraint,
    tables: &'a mut [Table],
    bound: Vec<bool>,
    steps: Vec<Step>,
}

impl<'a> Planner<'a> {
    fn new(c: &'a Constraint, tables: &'a mut [Table]) -> Self {
        Self { c, tables, bound: vec![false; c.vars as usize], steps: Vec::new() }
    }

    fn bind(&mut self, var: u32) {
        self.bound[var as usize] = true;
    }

    /// A plan and the rows that it is expected to look at.
    fn plan(mut self, start: Start, open: Option<u32>) -> Option<(Plan, f64)> {
        let c = self.c;
        let given = match start {
            Start::Atom(a) => &c.atoms[a as usize].vars[..],
            Start::Key => c.count.as_ref().map_or(&[][..], |count| &count.key),
        };
        given.iter().for_each(|&var| self.bind(var));
        let others = (0..c.atoms.len() as u32).filter(|&a| start != Start::Atom(a));
        let (mut negative, mut positive): (Vec<u32>, Vec<u32>) =
            others.partition(|&a| c.atoms[a as usize].negative);
        positive.retain(|&a| Some(a) != open);
        let mut conditions: Vec<u32> = (0..c.conditions.len() as u32).collect();
        let (mut last, mut expected, mut rows) = (open, 1.0, 0.0);
        loop {
            self.test(&mut conditions, &mut negative);
            let size = |this: &mut Self, a: u32| this.expected(&c.atoms[a as usize]);
            let sizes: Vec<f64> = positive.iter().map(|&a| size(&mut self, a)).collect();
            let best = sizes.iter().enumerate().min_by(|x, y| x.1.total_cmp(y.1));
            let (next, share) = match best {
                Some((at, &size)) => (positive.remove(at), size),
                None => match last.take() {
                    Some(last) => (last, size(&mut self, last) / TRUE_SHARE),
                    None => break,
                },
            };
            expected *= share;
            rows += expected;
            self.join(next, Some(next) == open);
        }
        let mut is_done = conditions.is_empty() && negative.is_empty();
        if let Some(count) = &c.count {
            is_done &= count.key.iter().all(|&v| self.bound[v as usize]);
            let tuple = count.tuple.iter();
            tuple.for_each(|side| side.for_each_var(|v| is_done &= self.bound[v as usize]));
        }
        is_done.then_some((Plan { start, is_open: open.is_some(), steps: self.steps }, rows))
    }

    /// How many rows of an atom are expected.
    fn expected(&mut self, atom: &BodyAtom) -> f64 {
        let table = &mut self.tables[atom.table as usize];
        let mut rows = f64::from(table.len());
        for (column, &var) in atom.vars.iter().enumerate() {
            if self.bound[var as usize] {
                rows /= f64::from(table.distinct(column as u32));
            }
        }
        if table.is_open() { rows * TRUE_SHARE } else { rows }
    }

    /// The bound columns of an atom with their variables; the others are bound now.
    fn split(&mut self, atom: &BodyAtom) -> (Vec<u32>, Vec<u32>, Vec<(u32, u32)>) {
        let columns = atom.vars.iter().copied().zip(0..);
        let (keys, binds): (Vec<_>, Vec<_>) = columns.partition(|&(var, _)| self.bound[var as usize]);
        binds.iter().for_each(|b| self.bound[b.0 as usize] = true);
        let (key, columns) = keys.into_iter().unzip();
        (key, columns, binds.into_iter().map(|(var, column)| (column, var)).collect())
    }

    fn join(&mut self, a: u32, is_open: bool) {
        let atom = &self.c.atoms[a as usize];
        let (key, columns, binds) = self.split(atom);
        let table = &mut self.tables[atom.table as usize];
        let rows = match (table.is_open(), is_open) {
            (false, _) => Rows::All,
            (true, false) => Rows::True,
            (true, true) => Rows::Open,
        };
        let index = table.index(&columns);
        self.steps.push(Step::Join { table: atom.table, index, key, binds, rows });
    }

    /// Adds the tests whose variables are bound, and the equations that bind one.
    fn test(&mut self, conditions: &mut Vec<u32>, negative: &mut Vec<u32>) {
        loop {
            let before = self.steps.len();
            conditions.retain(|&number| match self.condition(number) {
                Some(step) => {
                    self.steps.push(step);
                    false
                }
                None => true,
            });
            negative.retain(|&a| {
                let atom = &self.c.atoms[a as usize];
                if !atom.vars.iter().all(|&v| self.bound[v as usize]) {
                    return true;
                }
                let columns: Vec<u32> = (0..atom.vars.len() as u32).collect();
                let index = self.tables[atom.table as usize].index(&columns);
                let key = atom.vars.clone();
                self.steps.push(Step::Negative { table: atom.table, index, key });
                false
            });
            if self.steps.len() == before {
                return;
            }
        }
    }

    /// The step for a comparison now, if any.
    fn condition(&mut self, number: u32) -> Option<Step> {
        let condition = &self.c.conditions[number as usize];
        let mut unbound: Option<u32> = None;
        let mut several = false;
        condition.for_each_var(|v| {
            if !self.bound[v as usize] {
                several |= unbound.is_some_and(|u| u != v);
                unbound = Some(v);
            }
        });
        let Some(var) = unbound else { return Some(Step::Test(number)) };
        if several {
            return None;
        }
        let step = self.binding(condition, number, var)?;
        self.bind(var);
        Some(step)
    }

    /// How an equation binds its only unbound variable.
    fn binding(&self, condition: &Condition, number: u32, var: u32) -> Option<Step> {
        if let Some(sum) = &condition.sum {
            return sum.terms.iter().any(|t| t.1 == var).then_some(Step::Solve(var, number));
        }
        let (Relation::Equal, [(left, right)]) = (condition.relation, &condition.sides[..]) else {
            return None;
        };
        let reads = |side: &Side| {
            let mut reads = false;
            side.for_each_var(|v| reads |= v == var);
            reads
        };
        match (left, right) {
            (Side::Var(v), other) if *v == var && !reads(other) => Some(Step::Assign(var, number, false)),
            (other, Side::Var(v)) if *v == var && !reads(other) => Some(Step::Assign(var, number, true)),
            _ => None,
        }
    }
}
