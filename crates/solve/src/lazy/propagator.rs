//! The propagator of the constraints of one grounding call.
//!
//! A true literal is an event for each row that it represents, and for each row of which it is the complement if that table is
//! negated. Events are handled in the order of the trail, so that each instance is found once, by its latest row; they are
//! undone in reverse order.
//!
//! Invariants: `done` and then `waiting` are the literals received that are still true, in that order; `journal` has the events
//! of `done`, and all matches of counts among them are recorded. All instances among facts and the first `checked` events were
//! sought where all literals had values.

use super::counter::Counter;
use super::matcher::{Given, Goes, Matcher};
use super::reasons::Reasons;
use crate::translate::atom_lits::AtomLits;
use asp_base::csr::Csr;
use asp_base::symbol::Sym;
use asp_engine::propagator::{Conflict, Context, Keep, Propagator, View};
use asp_engine::store::literal::Lit;
use asp_program::Literal;
use asp_program::lazy::Batch;
use asp_program::lazy::plan::Start;
use std::sync::Arc;

/// A row that has become true, or false if the flag is set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Event {
    table: u32,
    row: u32,
    negative: bool,
}

/// A plan: the numbers of its constraint and of itself.
#[derive(Clone, Copy, Debug)]
struct Entry {
    constraint: u32,
    plan: u32,
    /// Whether it runs at every change, or only before a model is accepted.
    is_early: bool,
    /// Whether it is run before a model leaves.
    is_late: bool,
}

/// The constraints of one grounding call.
pub(crate) struct Lazy {
    matcher: Matcher,
    /// By code of a literal: the rows that it stands for, numbered through all tables.
    rows: Csr<u32>,
    /// By table: the number of its first row.
    first: Vec<u32>,
    /// By table: what starts with a row that is true, and with one that is false.
    starts: Vec<[Vec<Entry>; 2]>,
    /// By constraint: what starts with a key.
    key_plans: Vec<Vec<Entry>>,
    /// By constraint, if it counts.
    counters: Vec<Option<Counter>>,
    /// Keys, with their constraints, that just reached their greatest number of tuples.
    full: Vec<(u32, u32)>,
    key: Vec<Sym>,
    /// Rows that always hold, and how many of them were handled.
    facts: Vec<Event>,
    begun: usize,
    facts_checked: bool,
    done: Vec<(Lit, u32)>,
    waiting: Vec<Lit>,
    journal: Vec<Event>,
    checked: usize,
    reasons: Reasons,
    lits: Vec<Lit>,
    /// By constraint: instances that were conflicts or implied something.
    pub(crate) made: Vec<u64>,
}

impl Lazy {
    /// The propagator of a batch for an engine with the literals of its atoms.
    pub(crate) fn new(batch: Arc<Batch>, atoms: &AtomLits, vars: usize) -> Self {
        let truth = atoms.truth;
        let lit = |l: &Option<Literal>| l.map_or(truth, |l| atoms.of(l));
        let lits: Vec<Vec<Lit>> =
            batch.tables.iter().map(|t| t.literals().iter().map(lit).collect()).collect();
        let mut starts: Vec<[Vec<Entry>; 2]> = batch.tables.iter().map(|_| Default::default()).collect();
        let mut key_plans = Vec::new();
        for (c, constraint) in (0..).zip(&batch.constraints) {
            let (counts, mut by_key) = (constraint.count.is_some(), Vec::new());
            let has_open = constraint.plans.iter().any(|p| p.is_open);
            for (p, plan) in (0..).zip(&constraint.plans) {
                let is_early = counts || plan.is_open == has_open;
                let entry = Entry { constraint: c, plan: p, is_early, is_late: !counts && !plan.is_open };
                match plan.start {
                    Start::Atom(a) => {
                        let atom = &constraint.atoms[a as usize];
                        starts[atom.table as usize][usize::from(atom.negative)].push(entry);
                    }
                    Start::Key => by_key.push(entry),
                }
            }
            key_plans.push(by_key);
        }
        let (mut first, mut next) = (Vec::new(), 0);
        for table in &lits {
            first.push(next);
            next += table.len() as u32;
        }
        let all = (0..).zip(lits.iter().flatten()).filter(|(_, l)| l.var() != truth.var());
        let rows = Csr::group(2 * vars, all.map(|(row, l)| (l.code() as u32, row)));
        let mut facts = Vec::new();
        for (t, table) in (0..).zip(&lits) {
            if !starts[t as usize].iter().all(Vec::is_empty) {
                let fixed = (0..).zip(table).filter(|(_, l)| l.var() == truth.var());
                facts.extend(fixed.map(|(row, &l)| Event { table: t, row, negative: l != truth }));
            }
        }
        let made = vec![0; batch.constraints.len()];
        let counters = batch.constraints.iter().map(|c| c.count.as_ref().map(Counter::new)).collect();
        let mut matcher = Matcher::new(batch, lits, truth);
        facts.iter().filter(|e| !e.negative).for_each(|e| matcher.insert(e.table as usize, e.row));
        Self {
            matcher,
            rows,
            first,
            starts,
            key_plans,
            counters,
            full: Vec::new(),
            key: Vec::new(),
            facts,
            begun: 0,
            facts_checked: false,
            done: Vec::new(),
            waiting: Vec::new(),
            journal: Vec::new(),
            checked: 0,
            reasons: Reasons::default(),
            lits: Vec::new(),
            made,
        }
    }

    /// The table of a row by its number, and its number there.
    fn place(&self, number: u32) -> (u32, u32) {
        let table = self.first.partition_point(|&first| first <= number) - 1;
        (table as u32, number - self.first[table])
    }

    /// A row that a literal stands for.
    fn row_of(&self, lit: Lit, at: usize) -> Option<(u32, u32)> {
        let code = lit.code();
        if code >= self.rows.len() {
            return None;
        }
        self.rows.row(code).get(at).map(|&number| self.place(number))
    }

    /// Handles what is waiting.
    fn handle(&mut self, context: &mut Context<'_>) -> Result<(), Conflict> {
        self.reasons.keep(context)?;
        while let Some(&event) = self.facts.get(self.begun) {
            self.join(event, 0, |entry| entry.is_early, context)?;
            self.begun += 1;
        }
        // The next one is the last in reverse order.
        self.waiting.reverse();
        let mut result = Ok(());
        while result.is_ok()
            && let Some(lit) = self.waiting.pop()
        {
            self.done.push((lit, self.journal.len() as u32));
            result = self.handle_literal(lit, context);
            if result.is_err() {
                // If it stays true, it is handled again.
                self.retract(self.done.len() - 1);
                self.waiting.push(lit);
            }
        }
        self.waiting.reverse();
        result
    }

    fn handle_literal(&mut self, lit: Lit, context: &mut Context<'_>) -> Result<(), Conflict> {
        let from = self.journal.len();
        let mut at = 0;
        while let Some((table, row)) = self.row_of(lit, at) {
            self.matcher.insert(table as usize, row);
            self.journal.push(Event { table, row, negative: false });
            at += 1;
        }
        at = 0;
        while let Some((table, row)) = self.row_of(!lit, at) {
            if !self.starts[table as usize][1].is_empty() {
                self.journal.push(Event { table, row, negative: true });
            }
            at += 1;
        }
        for i in from..self.journal.len() {
            // Records of the whole literal are taken back together.
            self.join(self.journal[i], from as u32 + 1, |entry| entry.is_early, context)?;
        }
        Ok(())
    }

    /// Takes back all literals that were handled from one on.
    fn retract(&mut self, at: usize) {
        let start = self.done[at].1 as usize;
        for i in (start..self.journal.len()).rev() {
            let event = self.journal[i];
            if !event.negative {
                self.matcher.remove(event.table as usize, event.row);
            }
        }
        self.journal.truncate(start);
        self.done.truncate(at);
        self.checked = self.checked.min(start);
        self.counters.iter_mut().flatten().for_each(|counter| counter.undo(start as u32));
    }

    /// Runs plans from the row of an event; records get the number `mark`.
    fn join(
        &mut self,
        event: Event,
        mark: u32,
        wanted: impl Fn(Entry) -> bool,
        context: &mut Context<'_>,
    ) -> Result<(), Conflict> {
        let side = usize::from(event.negative);
        for i in 0..self.starts[event.table as usize][side].len() {
            let entry = self.starts[event.table as usize][side][i];
            if !wanted(entry) {
                continue;
            }
            if self.counters[entry.constraint as usize].is_some() {
                self.count(entry, Given::Row(event.row), mark, context)?;
                self.close(context)?;
            } else {
                self.run(entry, event.row, false, context)?;
            }
        }
        Ok(())
    }

    fn run(
        &mut self,
        entry: Entry,
        row: u32,
        by_value: bool,
        context: &mut Context<'_>,
    ) -> Result<(), Conflict> {
        let batch = Arc::clone(&self.matcher.batch);
        let constraint = &batch.constraints[entry.constraint as usize];
        let plan = &constraint.plans[entry.plan as usize];
        let Self { matcher, reasons, lits, made, .. } = self;
        let mut result = Ok(());
        let _ = matcher.run(
            (constraint, plan),
            Given::Row(row),
            by_value,
            context,
            |c| c.view(),
            |m, context| {
                made[entry.constraint as usize] += 1;
                lits.clear();
                lits.extend_from_slice(&m.chosen);
                result = conclude(lits, m.open, !plan.is_open, reasons, context);
                if result.is_err() { Goes::Break(()) } else { Goes::Continue(()) }
            },
        );
        result
    }

    /// Runs a plan of a constraint that counts.
    fn count(
        &mut self,
        entry: Entry,
        given: Given<'_>,
        mark: u32,
        context: &mut Context<'_>,
    ) -> Result<(), Conflict> {
        let batch = Arc::clone(&self.matcher.batch);
        let constraint = &batch.constraints[entry.constraint as usize];
        let plan = &constraint.plans[entry.plan as usize];
        let Self { matcher, reasons, lits, made, counters, full, .. } = self;
        let (Some(count), Some(counter)) = (&constraint.count, &mut counters[entry.constraint as usize])
        else {
            return Ok(());
        };
        let mut result = Ok(());
        let _ = matcher.run(
            (constraint, plan),
            given,
            false,
            context,
            |c| c.view(),
            |m, context| {
                let key = match (plan.is_open, m.open != Lit::NONE) {
                    (true, true) => counter.is_last(count, m),
                    // A true row that is not in the lists yet is found later.
                    (true, false) | (false, true) => None,
                    (false, false) => match counter.add(count, m, mark) {
                        Some((key, counted)) if counted > count.most => Some(key),
                        Some((key, counted)) if counted == count.most => {
                            full.push((entry.constraint, key));
                            None
                        }
                        _ => None,
                    },
                };
                let Some(key) = key else { return Goes::Continue(()) };
                made[entry.constraint as usize] += 1;
                lits.clear();
                counter.explain(key, lits);
                if m.open != Lit::NONE {
                    lits.extend_from_slice(&m.chosen);
                }
                result = conclude(lits, m.open, false, reasons, context);
                if result.is_err() { Goes::Break(()) } else { Goes::Continue(()) }
            },
        );
        result
    }

    /// Makes false what would be one tuple too many for a full key.
    fn close(&mut self, context: &mut Context<'_>) -> Result<(), Conflict> {
        while let Some((constraint, key)) = self.full.pop() {
            let mut values = std::mem::take(&mut self.key);
            if let Some(counter) = &self.counters[constraint as usize] {
                counter.key(key, &mut values);
            }
            let mut result = Ok(());
            for i in 0..self.key_plans[constraint as usize].len() {
                let entry = self.key_plans[constraint as usize][i];
                result = self.count(entry, Given::Key(&values), 0, context);
                if result.is_err() {
                    self.full.clear();
                    break;
                }
            }
            self.key = values;
            result?;
        }
        Ok(())
    }
}

/// What an instance says: its literals are true, except for the open one, if there is one. With `keeps`, one that is a
/// conflict is kept as a clause.
fn conclude(
    lits: &mut Vec<Lit>,
    open: Lit,
    keeps: bool,
    reasons: &mut Reasons,
    context: &mut Context<'_>,
) -> Result<(), Conflict> {
    lits.sort_unstable();
    lits.dedup();
    if open != Lit::NONE {
        let data = reasons.add(lits, context.level());
        return context.enqueue(!open, data);
    }
    if keeps {
        lits.iter_mut().for_each(|l| *l = !*l);
        context.add_clause(lits, Keep::WhileUseful)?;
        lits.iter_mut().for_each(|l| *l = !*l);
    }
    Err(context.conflict(lits))
}

impl Propagator for Lazy {
    fn attach(&mut self, context: &mut Context<'_>) {
        for code in 0..self.rows.len() {
            let lit = Lit::from_code(code);
            let is_negated = |row: &u32| !self.starts[self.place(*row).0 as usize][1].is_empty();
            if !self.rows.row(code).is_empty() || self.rows.row((!lit).code()).iter().any(is_negated) {
                context.watch(lit);
            }
        }
        context.call_again();
    }

    fn propagate(&mut self, context: &mut Context<'_>, changed: &[Lit]) -> Result<(), Conflict> {
        self.waiting.extend_from_slice(changed);
        self.handle(context)
    }

    fn explain(&mut self, _: View<'_>, lit: Lit, data: u32, because: &mut Vec<Lit>) {
        self.reasons.explain(lit, data, because);
    }

    fn undo(&mut self, level: u32, undone: &[Lit]) {
        self.reasons.undo(level);
        for &lit in undone {
            if self.waiting.last() == Some(&lit) {
                self.waiting.pop();
            } else if let Some(at) = self.done.iter().rposition(|d| d.0 == lit) {
                // Mostly it is the last one.
                let after: Vec<Lit> = self.done[at + 1..].iter().map(|d| d.0).collect();
                self.retract(at);
                self.waiting.splice(0..0, after);
            } else {
                self.waiting.retain(|&l| l != lit);
            }
        }
    }

    fn check_model(&mut self, context: &mut Context<'_>) -> Result<(), Conflict> {
        self.handle(context)?;
        if !self.facts_checked {
            for i in 0..self.facts.len() {
                self.join(self.facts[i], 0, |entry| entry.is_late, context)?;
            }
            self.facts_checked = true;
        }
        while let Some(&event) = self.journal.get(self.checked) {
            self.join(event, 0, |entry| entry.is_late, context)?;
            self.checked += 1;
        }
        #[cfg(debug_assertions)]
        self.check_all(context);
        Ok(())
    }

    fn priority(&self) -> u32 {
        20
    }
}

#[cfg(debug_assertions)]
impl Lazy {
    /// Joins over all that is true, from scratch, if that is little.
    fn check_all(&mut self, context: &mut Context<'_>) {
        let batch = Arc::clone(&self.matcher.batch);
        for (c, constraint) in (0..).zip(&batch.constraints).filter(|(_, c)| c.count.is_none()) {
            for (p, plan) in (0..).zip(&constraint.plans).filter(|(_, plan)| !plan.is_open) {
                let Start::Atom(a) = plan.start else { continue };
                let atom = &constraint.atoms[a as usize];
                let rows = batch.tables[atom.table as usize].len();
                for row in 0..rows.min(100) {
                    let lit = self.matcher.lits[atom.table as usize][row as usize];
                    if context.is_true(if atom.negative { !lit } else { lit }) {
                        let entry = Entry { constraint: c, plan: p, is_early: false, is_late: true };
                        let result = self.run(entry, row, true, context);
                        assert!(result.is_ok(), "a model violates a constraint");
                    }
                }
            }
        }
    }
}
