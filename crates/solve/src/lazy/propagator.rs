//! The propagator of the constraints of one grounding call.
//!
//! A literal that has become true is an event for each row that it stands for, and for each row of which it is the
//! complement if that table is negated. Events are handled in the order of the trail, so that each instance is found once,
//! by its latest row; they are taken back in reverse order.
//!
//! Invariants: `done` and then `waiting` are the literals that it was told of and that are still true, in that order;
//! `journal` has the events of `done`. All instances among facts and the first `checked` events were looked for where all
//! literals had values.

use super::matcher::{Goes, Matcher};
use crate::translate::atom_lits::AtomLits;
use asp_base::csr::Csr;
use asp_engine::propagator::{Conflict, Context, Keep, Propagator, View};
use asp_engine::store::literal::Lit;
use asp_program::Literal;
use asp_program::lazy::Batch;
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
struct Start {
    constraint: u32,
    plan: u32,
    /// Whether it is run whenever something has happened; otherwise only before a model leaves.
    is_early: bool,
    /// Whether it has an open atom.
    is_open: bool,
}

/// Sets of slots that remember the instances that were reasons lately.
const SLOTS: usize = 1 << 14;

/// The constraints of one grounding call.
pub(crate) struct Lazy {
    matcher: Matcher,
    /// By code of a literal: the rows that it stands for, numbered through all tables.
    rows: Csr<u32>,
    /// By table: the number of its first row.
    first: Vec<u32>,
    /// By table: what starts with a row that is true, and with one that is false.
    starts: Vec<[Vec<Start>; 2]>,
    /// Rows that always hold.
    facts: Vec<Event>,
    has_begun: bool,
    facts_checked: bool,
    done: Vec<(Lit, u32)>,
    waiting: Vec<Lit>,
    journal: Vec<Event>,
    checked: usize,
    /// Reasons, one after the other, and where they end; cut back by level.
    reasons: Vec<Lit>,
    ends: Vec<u32>,
    marks: Vec<(u32, u32)>,
    /// Instances that were reasons, by their hash.
    used: Vec<u32>,
    /// Clauses to be added, one after the other, and where they end.
    kept: (Vec<Lit>, Vec<u32>),
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
        let mut starts: Vec<[Vec<Start>; 2]> = batch.tables.iter().map(|_| Default::default()).collect();
        for (c, constraint) in (0..).zip(&batch.constraints) {
            let has_open = constraint.plans.iter().any(|p| p.is_open);
            for (p, plan) in (0..).zip(&constraint.plans) {
                let atom = &constraint.atoms[plan.start as usize];
                let (is_early, is_open) = (plan.is_open == has_open, plan.is_open);
                let start = Start { constraint: c, plan: p, is_early, is_open };
                starts[atom.table as usize][usize::from(atom.negative)].push(start);
            }
        }
        let (mut first, mut next) = (Vec::new(), 0);
        for table in &lits {
            first.push(next);
            next += table.len() as u32;
        }
        let open = |l: &Lit| l.var() != truth.var();
        let all = (0..).zip(lits.iter().flatten());
        let all = all.filter(|(_, l)| open(l)).map(|(row, l)| (l.code() as u32, row));
        let rows = Csr::group(2 * vars, all);
        let mut facts = Vec::new();
        for (t, table) in (0..).zip(&lits) {
            if !starts[t as usize][0].is_empty() || !starts[t as usize][1].is_empty() {
                for (row, &lit) in (0..).zip(table) {
                    if lit.var() == truth.var() {
                        facts.push(Event { table: t, row, negative: lit != truth });
                    }
                }
            }
        }
        let made = vec![0; batch.constraints.len()];
        let mut matcher = Matcher::new(batch, lits, truth);
        facts.iter().filter(|e| !e.negative).for_each(|e| matcher.insert(e.table as usize, e.row));
        Self {
            matcher,
            rows,
            first,
            starts,
            facts,
            has_begun: false,
            facts_checked: false,
            done: Vec::new(),
            waiting: Vec::new(),
            journal: Vec::new(),
            checked: 0,
            reasons: Vec::new(),
            ends: vec![0],
            marks: Vec::new(),
            used: vec![0; SLOTS],
            kept: (Vec::new(), Vec::new()),
            made,
        }
    }

    /// The rows that a literal stands for, by table and row.
    fn rows_of(&self, lit: Lit, at: usize) -> Option<(u32, u32)> {
        let code = lit.code();
        if code >= self.rows.len() {
            return None;
        }
        let row = *self.rows.row(code).get(at)?;
        let table = self.first.partition_point(|&first| first <= row) - 1;
        Some((table as u32, row - self.first[table]))
    }

    /// Handles what is waiting.
    fn handle(&mut self, context: &mut Context<'_>) -> Result<(), Conflict> {
        self.keep(context)?;
        if !self.has_begun {
            self.has_begun = true;
            for i in 0..self.facts.len() {
                self.join(self.facts[i], |start| start.is_early, context)?;
            }
        }
        // In their order; what is left after a conflict stays.
        self.waiting.reverse();
        let mut result = Ok(());
        while result.is_ok()
            && let Some(lit) = self.waiting.pop()
        {
            self.done.push((lit, self.journal.len() as u32));
            result = self.handle_literal(lit, context);
        }
        self.waiting.reverse();
        result
    }

    fn handle_literal(&mut self, lit: Lit, context: &mut Context<'_>) -> Result<(), Conflict> {
        let from = self.journal.len();
        let mut at = 0;
        while let Some((table, row)) = self.rows_of(lit, at) {
            self.matcher.insert(table as usize, row);
            self.journal.push(Event { table, row, negative: false });
            at += 1;
        }
        at = 0;
        while let Some((table, row)) = self.rows_of(!lit, at) {
            if !self.starts[table as usize][1].is_empty() {
                self.journal.push(Event { table, row, negative: true });
            }
            at += 1;
        }
        (from..self.journal.len()).try_for_each(|i| self.join(self.journal[i], |start| start.is_early, context))
    }

    /// Runs plans from the row of an event.
    fn join(
        &mut self,
        event: Event,
        wanted: impl Fn(Start) -> bool,
        context: &mut Context<'_>,
    ) -> Result<(), Conflict> {
        let side = usize::from(event.negative);
        for i in 0..self.starts[event.table as usize][side].len() {
            let start = self.starts[event.table as usize][side][i];
            if wanted(start) {
                self.run(start, event.row, false, context)?;
            }
        }
        Ok(())
    }

    fn run(&mut self, start: Start, row: u32, by_value: bool, context: &mut Context<'_>) -> Result<(), Conflict> {
        let batch = Arc::clone(&self.matcher.batch);
        let constraint = &batch.constraints[start.constraint as usize];
        let plan = &constraint.plans[start.plan as usize];
        let Self { matcher, reasons, ends, marks, made, .. } = self;
        let mut result = Ok(());
        let _ = matcher.run((constraint, plan), row, by_value, context, |c| c.view(), |m, context| {
            made[start.constraint as usize] += 1;
            m.chosen.sort_unstable();
            m.chosen.dedup();
            if m.open == Lit::NONE {
                result = Err(if start.is_open {
                    context.conflict(&m.chosen)
                } else {
                    let clause: Vec<Lit> = m.chosen.iter().map(|&l| !l).collect();
                    match context.add_clause(&clause, Keep::WhileUseful) {
                        Err(conflict) => conflict,
                        Ok(()) => context.conflict(&m.chosen),
                    }
                });
                return Goes::Break(());
            }
            let level = context.level();
            while marks.last().is_some_and(|&(other, _)| other > level) {
                cut(reasons, ends, marks);
            }
            let data = if level == 0 {
                0
            } else {
                if marks.last().is_none_or(|&(other, _)| other < level) {
                    marks.push((level, ends.len() as u32));
                }
                reasons.extend_from_slice(&m.chosen);
                ends.push(reasons.len() as u32);
                ends.len() as u32 - 1
            };
            result = context.enqueue(!m.open, data);
            if result.is_err() { Goes::Break(()) } else { Goes::Continue(()) }
        });
        result
    }

    /// Adds the clauses that are to be kept.
    fn keep(&mut self, context: &mut Context<'_>) -> Result<(), Conflict> {
        if self.kept.1.is_empty() {
            return Ok(());
        }
        let (lits, ends) = std::mem::take(&mut self.kept);
        let mut start = 0;
        let mut result = Ok(());
        for end in ends {
            if result.is_ok() {
                result = context.add_clause(&lits[start..end as usize], Keep::WhileUseful);
            }
            start = end as usize;
        }
        result
    }
}

/// Forgets the reasons of the highest level.
fn cut(reasons: &mut Vec<Lit>, ends: &mut Vec<u32>, marks: &mut Vec<(u32, u32)>) {
    if let Some((_, count)) = marks.pop() {
        ends.truncate(count as usize);
        reasons.truncate(ends.last().map_or(0, |&end| end as usize));
    }
}

impl Propagator for Lazy {
    fn attach(&mut self, context: &mut Context<'_>) {
        for code in 0..self.rows.len() {
            let lit = Lit::from_code(code);
            let of = |lit: Lit| self.rows.row(lit.code());
            let table = |row: u32| self.first.partition_point(|&first| first <= row) - 1;
            let is_negated = of(!lit).iter().any(|&row| !self.starts[table(row)][1].is_empty());
            if !of(lit).is_empty() || is_negated {
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
        if data == 0 {
            return;
        }
        let reason = &self.reasons[self.ends[data as usize - 1] as usize..self.ends[data as usize] as usize];
        because.extend_from_slice(reason);
        let mix = |l: Lit| (l.code() as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        let hash = reason.iter().fold(mix(!lit), |hash, &l| hash.wrapping_add(mix(l)));
        let (slot, tag) = (hash as usize % SLOTS, (hash >> 32) as u32 | 1);
        if self.used[slot] == tag {
            self.used[slot] = 0;
            self.kept.0.push(lit);
            self.kept.0.extend(reason.iter().map(|&l| !l));
            self.kept.1.push(self.kept.0.len() as u32);
        } else {
            self.used[slot] = tag;
        }
    }

    fn undo(&mut self, level: u32, undone: &[Lit]) {
        while self.marks.last().is_some_and(|&(other, _)| other > level) {
            cut(&mut self.reasons, &mut self.ends, &mut self.marks);
        }
        for &lit in undone {
            if self.waiting.last() == Some(&lit) {
                self.waiting.pop();
                continue;
            }
            // Mostly it is the last one.
            let Some(at) = self.done.iter().rposition(|d| d.0 == lit) else {
                self.waiting.retain(|&l| l != lit);
                continue;
            };
            let start = self.done[at].1 as usize;
            for event in self.journal.drain(start..).rev() {
                if !event.negative {
                    self.matcher.remove(event.table as usize, event.row);
                }
            }
            let after: Vec<Lit> = self.done.drain(at..).skip(1).map(|d| d.0).collect();
            self.waiting.splice(0..0, after);
            self.checked = self.checked.min(start);
        }
    }

    fn check_model(&mut self, context: &mut Context<'_>) -> Result<(), Conflict> {
        self.handle(context)?;
        if !self.facts_checked {
            for i in 0..self.facts.len() {
                self.join(self.facts[i], |start| !start.is_open, context)?;
            }
            self.facts_checked = true;
        }
        while let Some(&event) = self.journal.get(self.checked) {
            self.join(event, |start| !start.is_open, context)?;
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
        for (c, constraint) in (0..).zip(&batch.constraints) {
            for (p, plan) in (0..).zip(&constraint.plans).filter(|(_, plan)| !plan.is_open) {
                let atom = &constraint.atoms[plan.start as usize];
                let rows = batch.tables[atom.table as usize].len();
                for row in 0..rows.min(100) {
                    let lit = self.matcher.lits[atom.table as usize][row as usize];
                    if context.is_true(if atom.negative { !lit } else { lit }) {
                        let start = Start { constraint: c, plan: p, is_early: false, is_open: false };
                        let result = self.run(start, row, true, context);
                        assert!(result.is_ok(), "a model violates a constraint");
                    }
                }
            }
        }
    }
}
