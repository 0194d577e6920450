//! Runs join plans: a nested loop over the steps of a plan, without recursion and without allocation per instance.
//!
//! Each step has a cursor. Opening a step sets its cursor from what is bound; advancing it yields the next match, undoes
//! the ground literals that its last match added and adds those of the new one. Registers need no undoing: what a step
//! reads has been written by an earlier step of the same path.
//!
//! Invariant: between calls `cursors` and `scratch` are empty, and `literals` holds the ground body of the path so far.

use super::aggregate::Gathered;
use super::compile::CompiledRule;
use super::domain::Domain;
use super::plan::{Bound, BoundValue, Scan, Source, Step};
use crate::base::diagnostic::Diagnostic;
use crate::base::index_vec::IndexVec;
use crate::base::interrupt::{Interrupt, StopReason};
use crate::base::map::Set;
use crate::base::span::Span;
use crate::base::symbol::{Sym, Symbols};
use crate::program::{AtomId, Literal, Program, RuleSource};
use crate::rewrite::arithmetic::NoValue;
use crate::rewrite::improve::Rewritings;
use crate::rewrite::predicate::{PredId, Predicates};
use crate::rewrite::rule::Term;

/// Rows that may be looked at before stop requests are.
const ROWS_BETWEEN_POLLS: i64 = 1 << 20;

/// Why instantiation ends early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Halt {
    /// A limit or a signal.
    Stopped(StopReason),
    /// An error that is among the diagnostics.
    Failed,
}

/// Result of a step of instantiation.
pub(super) type Flow = Result<(), Halt>;

/// Where a step is.
#[derive(Clone, Copy, Debug, Default)]
struct Cursor {
    /// Next position, and one past the last.
    at: i64,
    end: i64,
    /// Ground literals before this step.
    height: u32,
}

/// The state of instantiation.
pub(super) struct Instantiator<'a> {
    /// All terms.
    pub(super) symbols: &'a mut Symbols,
    /// The ground program under construction.
    pub(super) program: &'a mut Program,
    /// Domains by predicate.
    pub(super) domains: &'a mut IndexVec<PredId, Domain>,
    /// Predicates' names.
    pub(super) predicates: &'a mut Predicates,
    /// Whether a predicate's domain will not grow any more.
    pub(super) complete: IndexVec<PredId, bool>,
    /// Stop requests.
    pub(super) interrupt: &'a Interrupt,
    /// Messages.
    pub(super) diagnostics: &'a mut Vec<Diagnostic>,
    /// Places that have been reported.
    pub(super) reported: &'a mut Set<Span>,
    /// Theory data so far.
    pub(super) theory: &'a mut super::theory::TheoryTable,
    /// The journal.
    pub(super) recorder: &'a mut super::improve::Recorder,
    /// Which rewritings are done.
    pub(super) rewritings: Rewritings,
    /// Common joins and auxiliary predicates.
    pub(super) shared: super::improve::Shared,
    /// Whether costs are written down.
    pub(super) profiling: bool,
    /// Whether rewritings are written down.
    pub(super) explaining: bool,
    /// Matches of single literals so far.
    pub(super) matches: u64,
    /// Rows to look at until stop requests are looked for.
    fuel: i64,
    /// Values of the current rule's variables.
    pub(super) regs: Vec<Sym>,
    /// The ground body so far.
    pub(super) literals: Vec<Literal>,
    /// Arguments under construction.
    pub(super) scratch: Vec<Sym>,
    cursors: Vec<Cursor>,
    /// Elements of the aggregate at hand.
    pub(super) gathered: Gathered,
    /// Results for aggregates by number, global variables and guards.
    pub(super) cache: Vec<super::aggregate::Cache>,
    /// Whether only heads are to be derived, no rules written.
    pub(super) deriving: bool,
    /// Whether an error was reported that ends grounding.
    pub(super) failed: bool,
    /// How many terms had no value so far.
    pub(super) undefined: u64,
    /// Instances so far, and the most that are allowed.
    pub(super) instances: u64,
    /// Limit on `instances`; 0 for none.
    pub(super) limit: u64,
    /// Source of the current rule.
    pub(super) source: RuleSource,
    /// Whether facts are kept for the writers.
    pub(super) keep_facts: bool,
}

impl<'a> Instantiator<'a> {
    /// An instantiator over the given state.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn new(
        symbols: &'a mut Symbols,
        program: &'a mut Program,
        domains: &'a mut IndexVec<PredId, Domain>,
        predicates: &'a mut Predicates,
        interrupt: &'a Interrupt,
        diagnostics: &'a mut Vec<Diagnostic>,
        reported: &'a mut Set<Span>,
        theory: &'a mut super::theory::TheoryTable,
        recorder: &'a mut super::improve::Recorder,
    ) -> Self {
        Self {
            complete: IndexVec::from_elem(false, domains.len()),
            symbols,
            program,
            domains,
            predicates,
            interrupt,
            diagnostics,
            reported,
            theory,
            recorder,
            rewritings: Rewritings::none(),
            shared: super::improve::Shared::default(),
            profiling: false,
            explaining: false,
            matches: 0,
            fuel: ROWS_BETWEEN_POLLS,
            regs: Vec::new(),
            literals: Vec::new(),
            scratch: Vec::new(),
            cursors: Vec::new(),
            gathered: Gathered::default(),
            cache: Vec::new(),
            deriving: false,
            failed: false,
            undefined: 0,
            instances: 0,
            limit: 0,
            source: RuleSource::NONE,
            keep_facts: false,
        }
    }

    /// Polls for reasons to end.
    pub(super) fn poll(&self) -> Flow {
        if self.failed {
            return Err(Halt::Failed);
        }
        if self.limit > 0 && self.instances > self.limit {
            return Err(Halt::Stopped(StopReason::StepLimit));
        }
        self.interrupt.note_instances(self.instances);
        self.interrupt.poll().map_or(Ok(()), |r| Err(Halt::Stopped(r)))
    }

    /// Runs a plan; calls `leaf` for each match of all steps.
    pub(super) fn run(
        &mut self,
        rule: &CompiledRule,
        steps: &[Step],
        leaf: &mut dyn FnMut(&mut Self) -> Flow,
    ) -> Flow {
        if steps.is_empty() {
            return leaf(self);
        }
        let base = self.cursors.len();
        self.cursors.resize(base + steps.len(), Cursor::default());
        let height = self.literals.len();
        let result = self.run_steps(rule, steps, base, leaf);
        self.cursors.truncate(base);
        self.literals.truncate(height);
        result
    }

    fn run_steps(
        &mut self,
        rule: &CompiledRule,
        steps: &[Step],
        base: usize,
        leaf: &mut dyn FnMut(&mut Self) -> Flow,
    ) -> Flow {
        let (mut depth, last) = (0, steps.len() - 1);
        self.open(rule, &steps[0], base)?;
        loop {
            if self.advance(rule, &steps[depth], base + depth)? {
                self.matches += 1;
                if depth < last {
                    depth += 1;
                    self.open(rule, &steps[depth], base + depth)?;
                } else {
                    self.instances += 1;
                    if self.instances & 0xfff == 0 {
                        self.poll()?;
                    }
                    leaf(self)?;
                }
            } else if depth == 0 {
                return if self.failed { Err(Halt::Failed) } else { Ok(()) };
            } else {
                depth -= 1;
            }
        }
    }

    /// Sets a step's cursor.
    #[inline]
    fn open(&mut self, rule: &CompiledRule, step: &Step, c: usize) -> Flow {
        let height = self.literals.len() as u32;
        let (at, end) = match step {
            Step::Scan(Scan { pred, groups: Some(index), .. }) => {
                (0, self.domains[*pred].indexes[*index].group_count() as i64)
            }
            Step::Scan(scan) => {
                let (at, end) = self.open_scan(scan);
                (at, if scan.first_only { end.min(at + 1) } else { end })
            }
            Step::Range(_, lo, hi) => self.ends(lo, hi),
            Step::AggregateValue(number, guard, _) => self.open_values(rule, *number, *guard)?,
            _ => (0, 1),
        };
        let cursor = &mut self.cursors[c];
        (cursor.at, cursor.end, cursor.height) = (at, end, height);
        // Rows may be many and matches none: stop requests are looked for by the rows.
        self.fuel = self.fuel.saturating_sub(end.saturating_sub(at));
        if self.fuel < 0 {
            self.fuel = ROWS_BETWEEN_POLLS;
            self.poll()?;
        }
        Ok(())
    }

    /// The integers of an interval as a half-open range; empty if an end is no integer.
    fn ends(&mut self, lo: &Term, hi: &Term) -> (i64, i64) {
        let (Some(lo), Some(hi)) = (self.eval(lo), self.eval(hi)) else { return (0, 0) };
        match (self.symbols.as_num(lo), self.symbols.as_num(hi)) {
            (Some(lo), Some(hi)) if lo <= hi => match hi.checked_add(1) {
                Some(end) => (lo, end),
                None => (lo, hi), // the last of 2^63 values is out of reach anyway
            },
            _ => (0, 0),
        }
    }

    fn open_scan(&mut self, scan: &Scan) -> (i64, i64) {
        let domain = &self.domains[scan.pred];
        let (first, end) = match scan.source {
            Source::All => (0, domain.delta_end),
            Source::Old => (0, domain.old_end),
            Source::Delta => (domain.old_end, domain.delta_end),
        };
        let Some((index, key)) = &scan.index else { return (first.into(), end.into()) };
        let start = self.scratch.len();
        for t in key {
            match self.eval(t) {
                Some(v) => self.scratch.push(v),
                None => {
                    self.scratch.truncate(start);
                    return (0, 0);
                }
            }
        }
        let domain = &self.domains[scan.pred];
        let index = &domain.indexes[*index];
        let group = index.find(domain.table(), &self.scratch[start..]);
        self.scratch.truncate(start);
        let Some(group) = group else { return (0, 0) };
        let (a, b) = index.run(group);
        match scan.order {
            None if first == 0 && end == domain.len() => (a.into(), b.into()),
            None => {
                let rows = index.rows(group);
                let x = rows.partition_point(|&r| r < first) as u32;
                let y = rows.partition_point(|&r| r < end) as u32;
                ((a + x).into(), (a + y).into())
            }
            Some(column) => self.narrow(scan, column as usize, a, b),
        }
    }

    /// The part of a sorted run between the scan's bounds.
    fn narrow(&mut self, scan: &Scan, column: usize, a: u32, b: u32) -> (i64, i64) {
        let (mut low, mut high) = (0, (b - a) as usize);
        for Bound { upper, inclusive, value } in &scan.bounds {
            let (end, inclusive) = match value {
                BoundValue::Term(t) => match self.eval(t) {
                    Some(v) => (v, *inclusive),
                    None => return (0, 0),
                },
                BoundValue::Quotient(l, divisor) => {
                    // Against a term that is no integer the order of terms decides, row by row.
                    let Some(sum) = self.sum(l) else { continue };
                    let d = i128::from(*divisor);
                    // A quotient that is no integer is rounded inwards and then belongs to the range.
                    let (floor, exact) = (sum.div_euclid(d), sum.rem_euclid(d) == 0);
                    let end = if exact || *upper { floor } else { floor + 1 };
                    let end = end.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
                    (self.symbols.num(end), *inclusive || !exact)
                }
            };
            let (l, h) = self.cut(scan, column, (a, b), end, *upper, inclusive);
            (low, high) = (low.max(l), high.min(h));
        }
        if low >= high { (0, 0) } else { (i64::from(a) + low as i64, i64::from(a) + high as i64) }
    }

    /// The part of a sorted run below or above an end, as offsets.
    fn cut(
        &self,
        scan: &Scan,
        column: usize,
        (a, b): (u32, u32),
        end: Sym,
        upper: bool,
        inclusive: bool,
    ) -> (usize, usize) {
        let domain = &self.domains[scan.pred];
        let Some((index, _)) = &scan.index else { return (0, (b - a) as usize) };
        let index = &domain.indexes[*index];
        let table = domain.table();
        let n = (b - a) as usize;
        // First place whose value is not below (or above, if `past`) the end.
        let place = |past: bool| {
            let (mut lo, mut hi) = (0, n);
            while lo < hi {
                let mid = (lo + hi) / 2;
                let o = self.symbols.cmp(table.arg(index.row_at(a + mid as u32), column), end);
                if o.is_lt() || past && o.is_eq() {
                    lo = mid + 1;
                } else {
                    hi = mid;
                }
            }
            lo
        };
        if upper { (0, place(inclusive)) } else { (place(!inclusive), n) }
    }

    /// Moves a step to its next match; `false` if there is none.
    #[inline]
    fn advance(&mut self, rule: &CompiledRule, step: &Step, c: usize) -> Result<bool, Halt> {
        let cursor = &mut self.cursors[c];
        self.literals.truncate(cursor.height as usize);
        if cursor.at >= cursor.end {
            return Ok(false);
        }
        match step {
            Step::Scan(scan) => Ok(self.advance_scan(scan, c)),
            Step::Range(m, ..) => {
                while self.cursors[c].at < self.cursors[c].end {
                    let n = self.cursors[c].at;
                    self.cursors[c].at += 1;
                    let value = self.symbols.num(n);
                    if self.matches(m, value) {
                        return Ok(true);
                    }
                    if n & 0xfff == 0 {
                        self.poll()?;
                    }
                }
                Ok(false)
            }
            Step::AggregateValue(number, guard, m) => {
                while self.cursors[c].at < self.cursors[c].end {
                    let i = self.cursors[c].at as usize;
                    self.cursors[c].at += 1;
                    let value = self.cache[*number].value(i);
                    if self.matches(m, value) && self.aggregate_has_value(rule, *number, *guard, i)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            step => {
                cursor.at = cursor.end;
                self.check(rule, step)
            }
        }
    }

    #[inline]
    fn advance_scan(&mut self, scan: &Scan, c: usize) -> bool {
        'rows: loop {
            let cursor = &mut self.cursors[c];
            if cursor.at >= cursor.end {
                return false;
            }
            let at = cursor.at as u32;
            cursor.at += 1;
            let domain = &self.domains[scan.pred];
            let row = match (&scan.index, scan.groups) {
                (_, Some(index)) => domain.indexes[index].representative(at),
                (None, None) => at,
                (Some((index, _)), None) => domain.indexes[*index].row_at(at),
            };
            for (column, m) in &scan.matches {
                let value = self.domains[scan.pred].table().arg(row, *column as usize);
                if !self.matches(m, value) {
                    continue 'rows;
                }
            }
            let domain = &self.domains[scan.pred];
            if !domain.is_fact(row) {
                if let Some(atom) = domain.atom(row) {
                    self.literals.push(Literal::pos(atom));
                }
            }
            return true;
        }
    }

    /// Runs a step that has at most one match.
    fn check(&mut self, rule: &CompiledRule, step: &Step) -> Result<bool, Halt> {
        Ok(match step {
            Step::Lookup { pred, args, source, reserve } => {
                let Some(start) = self.eval_args(args) else { return Ok(false) };
                let domain = &self.domains[*pred];
                let end = match source {
                    Source::All | Source::Delta => domain.delta_end,
                    Source::Old => domain.old_end,
                };
                let first = if *source == Source::Delta { domain.old_end } else { 0 };
                let row = domain.find(&self.scratch[start..]);
                let found = match row {
                    Some(row) if (first..end).contains(&row) || *reserve => {
                        if !domain.is_fact(row) {
                            if let Some(atom) = domain.atom(row) {
                                self.literals.push(Literal::pos(atom));
                            }
                        }
                        true
                    }
                    None if *reserve && !self.complete[*pred] => {
                        let atom = self.reserve(*pred, start);
                        self.literals.push(Literal::pos(atom));
                        true
                    }
                    _ => false,
                };
                self.scratch.truncate(start);
                found
            }
            Step::Negative { pred, args, double } => {
                let Some(start) = self.eval_args(args) else { return Ok(false) };
                let domain = &self.domains[*pred];
                let row = domain.find(&self.scratch[start..]);
                let atom = match row {
                    Some(row) if domain.is_fact(row) => None,
                    Some(row) => domain.atom(row),
                    None if self.complete[*pred] => {
                        self.scratch.truncate(start);
                        return Ok(!double);
                    }
                    None => Some(self.reserve(*pred, start)),
                };
                self.scratch.truncate(start);
                match atom {
                    None => *double,
                    Some(atom) => {
                        let literal =
                            if *double { Literal::neg(self.negation(atom)) } else { Literal::neg(atom) };
                        self.literals.push(literal);
                        true
                    }
                }
            }
            Step::Compare(relation, s, t) => {
                let (Some(x), Some(y)) = (self.eval(s), self.eval(t)) else { return Ok(false) };
                match relation {
                    crate::syntax::ast::Relation::Equal => x == y,
                    crate::syntax::ast::Relation::NotEqual => x != y,
                    _ => relation.holds(self.symbols.cmp(x, y)),
                }
            }
            Step::Assign(m, t) => match self.eval(t) {
                Some(v) => self.matches(m, v),
                None => false,
            },
            Step::Solve(coefficient, var, rest) => {
                let Some(sum) = self.sum(rest) else { return Ok(false) };
                let c = i128::from(*coefficient);
                if sum % c != 0 {
                    return Ok(false);
                }
                match i64::try_from(-sum / c) {
                    Ok(n) => {
                        self.regs[var.0 as usize] = self.symbols.num(n);
                        true
                    }
                    Err(_) => false,
                }
            }
            Step::InRange(t, lo, hi) => {
                let Some(v) = self.eval(t) else { return Ok(false) };
                let (a, b) = self.ends(lo, hi);
                self.symbols.as_num(v).is_some_and(|n| a <= n && n < b)
            }
            Step::False => false,
            Step::Aggregate(number) => self.check_aggregate(rule, *number)?,
            Step::Theory(number, sign) => self.check_theory(rule, *number, *sign)?,
            Step::Conditional(number) => self.check_conditional(rule, *number)?,
            Step::Scan(_) | Step::Range(..) | Step::AggregateValue(..) => false,
        })
    }

    /// Evaluates arguments onto `scratch`; gives where they start, or nothing (and `scratch` as it was) if one has no
    /// value.
    #[inline]
    pub(super) fn eval_args(&mut self, args: &[Term]) -> Option<usize> {
        let start = self.scratch.len();
        for t in args {
            match self.eval(t) {
                Some(v) => self.scratch.push(v),
                None => {
                    self.scratch.truncate(start);
                    return None;
                }
            }
        }
        Some(start)
    }

    /// The atom for the arguments on `scratch` from `start`, which have no row yet.
    pub(super) fn reserve(&mut self, pred: PredId, start: usize) -> AtomId {
        let signature = self.signature(pred);
        let (domain, program) = (&mut self.domains[pred], &mut *self.program);
        let args = &self.scratch[start..];
        domain.reserve(args, || match signature {
            Some(s) => program.atoms.add(s, args),
            None => program.atoms.add_aux(),
        })
    }

    /// The atom table's number of a predicate's signature; none for auxiliary predicates.
    pub(super) fn signature(&mut self, pred: PredId) -> Option<u32> {
        let predicate = &self.predicates[pred];
        if predicate.auxiliary {
            return None;
        }
        let atoms = &mut self.program.atoms;
        Some(*self.domains[pred].signature.get_or_insert_with(|| atoms.add_signature(predicate.signature)))
    }

    /// An auxiliary atom that stands for `not atom`.
    pub(super) fn negation(&mut self, atom: AtomId) -> AtomId {
        use crate::program::ground_program::{Defined, Definition};
        if self.deriving {
            return atom;
        }
        let aux = self.program.atoms.add_aux();
        let definition = Definition::Negation(atom);
        self.program.definitions.push(Defined { atom: aux, definition, source: self.source });
        aux
    }

    /// Reports an overflow at a place and ends grounding.
    pub(super) fn overflow(&mut self, span: Span) -> Halt {
        self.no_value(NoValue::Overflow, span);
        Halt::Failed
    }
}
