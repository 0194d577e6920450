//! Runs join plans: a nested loop over the steps of a plan, without recursion and without allocation per instance.
//!
//! Each step has a cursor. Opening a step sets its cursor from the bound variables; advancing it yields the next match, removes
//! the ground literals of its last match and adds those of the new one. Registers need no undoing: what a step reads was written
//! by an earlier step of the same path. Literals with plans of their own are run by the machine's caller ([`Nested`]).
//!
//! Invariant: between calls `cursors` and `scratch` are empty, and `literals` holds the ground body of the path so far.

use super::plan::{PlanStep, Scan, Source};
use crate::sink::Sink;
use crate::state::{Flow, Halt, State};
use asp_base::symbol::Sym;
use asp_program::Literal;
use asp_rewrite::rule::Term;
use asp_syntax::ast::Relation;

/// How many rows may be examined between two polls for stop requests.
const ROWS_BETWEEN_POLLS: i64 = 1 << 20;

/// The position of a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cursor {
    /// Next position, and one past the last.
    pub(crate) at: i64,
    pub(crate) end: i64,
    /// Number of ground literals before this step.
    height: u32,
    /// Whether the step's match depends on a condition that is not written.
    open: bool,
}

/// Whether a literal with plans of its own holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Holds {
    /// It cannot hold.
    No,
    /// It may hold; the literals include what it depends on.
    Yes,
    /// It may hold; no literal says what it depends on, because nothing is written.
    Open,
}

impl From<bool> for Holds {
    fn from(holds: bool) -> Self {
        if holds { Holds::Yes } else { Holds::No }
    }
}

/// Runs the literals of a body that have plans of their own. The defaults are for bodies without such literals.
pub(crate) trait Nested {
    fn sink(&self) -> Sink;
    /// Runs an aggregate, conditional literal or theory atom.
    fn check(&mut self, _machine: &mut Machine<'_>, _step: &PlanStep) -> Result<Holds, Halt> {
        Ok(Holds::No)
    }
    /// The positions of the values that an aggregate may take.
    fn open_values(
        &mut self,
        _machine: &mut Machine<'_>,
        _aggregate: usize,
        _guard: usize,
    ) -> Result<(i64, i64), Halt> {
        Ok((0, 0))
    }
    /// The value at one of these positions.
    fn value(&self, _aggregate: usize, _place: usize) -> Sym {
        Sym::INF
    }
    /// Whether the aggregate may take the value at a position.
    fn has_value(
        &mut self,
        _machine: &mut Machine<'_>,
        _aggregate: usize,
        _guard: usize,
        _place: usize,
    ) -> Result<Holds, Halt> {
        Ok(Holds::No)
    }
}

/// Conditions of elements are plain.
impl Nested for Sink {
    fn sink(&self) -> Sink {
        *self
    }
}

/// The registers of a running plan, over the state of grounding.
pub(crate) struct Machine<'a> {
    pub(crate) state: State<'a>,
    /// Values of the current rule's variables.
    pub(crate) regs: Vec<Sym>,
    /// The ground body so far.
    pub(crate) literals: Vec<Literal>,
    /// Arguments under construction.
    pub(crate) scratch: Vec<Sym>,
    pub(super) cursors: Vec<Cursor>,
    /// By cursor: the values of a user-defined function.
    values: Vec<Vec<Sym>>,
    /// Rows to examine until the next poll for stop requests.
    fuel: i64,
    /// Matches of single literals so far.
    pub(crate) matches: u64,
}

impl<'a> Machine<'a> {
    /// An idle machine.
    pub(crate) fn new(state: State<'a>) -> Self {
        Self {
            state,
            regs: Vec::new(),
            literals: Vec::new(),
            scratch: Vec::new(),
            cursors: Vec::new(),
            values: Vec::new(),
            fuel: ROWS_BETWEEN_POLLS,
            matches: 0,
        }
    }

    /// Makes room for the variables of a rule.
    pub(crate) fn start(&mut self, variables: usize) {
        self.regs.clear();
        self.regs.resize(variables, Sym::INF);
    }

    /// Whether the body of the current path certainly holds.
    pub(crate) fn is_certain(&self) -> bool {
        self.literals.is_empty() && !self.cursors.iter().any(|c| c.open)
    }

    /// Runs a plan; calls `leaf` for each match of all steps.
    pub(crate) fn run<N: Nested>(
        &mut self,
        nested: &mut N,
        steps: &[PlanStep],
        leaf: &mut dyn FnMut(&mut Self, &mut N) -> Flow,
    ) -> Flow {
        if steps.is_empty() {
            return leaf(self, nested);
        }
        let base = self.cursors.len();
        self.cursors.resize(base + steps.len(), Cursor::default());
        let height = self.literals.len();
        let result = self.run_steps(nested, steps, base, leaf);
        self.cursors.truncate(base);
        self.literals.truncate(height);
        result
    }

    #[inline(never)]
    fn run_steps<N: Nested>(
        &mut self,
        nested: &mut N,
        steps: &[PlanStep],
        base: usize,
        leaf: &mut dyn FnMut(&mut Self, &mut N) -> Flow,
    ) -> Flow {
        let (mut depth, last) = (0, steps.len() - 1);
        self.open(nested, &steps[0], base)?;
        loop {
            if self.advance(nested, &steps[depth], base + depth)? {
                self.matches += 1;
                if depth < last {
                    depth += 1;
                    self.open(nested, &steps[depth], base + depth)?;
                } else {
                    self.state.progress.instances += 1;
                    if self.state.progress.instances & 0xfff == 0 {
                        self.state.poll()?;
                    }
                    leaf(self, nested)?;
                }
            } else if depth == 0 {
                return self.state.check_failure();
            } else {
                depth -= 1;
            }
        }
    }

    /// Sets a step's cursor.
    #[inline(always)]
    fn open<N: Nested>(&mut self, nested: &mut N, step: &PlanStep, c: usize) -> Flow {
        let height = self.literals.len() as u32;
        let (at, end) = match step {
            PlanStep::Scan(Scan { pred, groups: Some(index), .. }) => {
                (0, self.state.domains[*pred].indexes[*index].group_count() as i64)
            }
            PlanStep::Scan(scan) => {
                let (at, end) = self.open_scan(scan);
                (at, if scan.first_only { end.min(at + 1) } else { end })
            }
            PlanStep::Range(_, Term::External(name, args, span), ..) => {
                let values = self.call(*name, args, *span)?;
                let count = values.len() as i64;
                self.values.resize(self.values.len().max(c + 1), Vec::new());
                self.values[c] = values;
                (0, count)
            }
            PlanStep::Range(_, lo, hi, bounds, span) => self.positions(lo, hi, bounds, *span),
            PlanStep::AggregateValue(number, guard, _) => nested.open_values(self, *number, *guard)?,
            _ => (0, 1),
        };
        let cursor = &mut self.cursors[c];
        (cursor.at, cursor.end, cursor.height) = (at, end, height);
        // There may be many rows and no matches, or no rows, so the distance to the next poll is measured in rows, and a step is one.
        self.fuel = self.fuel.saturating_sub(end.saturating_sub(at).max(0)) - 1;
        if self.fuel < 0 {
            self.fuel = ROWS_BETWEEN_POLLS;
            self.state.poll()?;
        }
        Ok(())
    }

    /// Moves a step to its next match; `false` if there is none.
    #[inline]
    fn advance<N: Nested>(&mut self, nested: &mut N, step: &PlanStep, c: usize) -> Result<bool, Halt> {
        let cursor = &mut self.cursors[c];
        self.literals.truncate(cursor.height as usize);
        if cursor.at >= cursor.end {
            return Ok(false);
        }
        match step {
            PlanStep::Scan(scan) => Ok(self.advance_scan(scan, c)),
            PlanStep::Range(m, Term::External(..), ..) => {
                while self.cursors[c].at < self.cursors[c].end {
                    let value = self.values[c][self.cursors[c].at as usize];
                    self.cursors[c].at += 1;
                    if self.matches(m, value) {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            PlanStep::Range(m, lo, ..) => {
                let Some(first) = self.integer(lo) else { return Ok(false) };
                while self.cursors[c].at < self.cursors[c].end {
                    let n = first + self.cursors[c].at;
                    self.cursors[c].at += 1;
                    let value = self.state.symbols.num(n);
                    if self.matches(m, value) {
                        return Ok(true);
                    }
                    if n & 0xfff == 0 {
                        self.state.poll()?;
                    }
                }
                Ok(false)
            }
            PlanStep::AggregateValue(number, guard, m) => {
                while self.cursors[c].at < self.cursors[c].end {
                    let i = self.cursors[c].at as usize;
                    self.cursors[c].at += 1;
                    let value = nested.value(*number, i);
                    if self.matches(m, value) {
                        let holds = nested.has_value(self, *number, *guard, i)?;
                        if self.note(c, holds) {
                            return Ok(true);
                        }
                    }
                }
                Ok(false)
            }
            PlanStep::Aggregate(_) | PlanStep::Conditional(_) | PlanStep::Theory(..) => {
                cursor.at = cursor.end;
                let holds = nested.check(self, step)?;
                Ok(self.note(c, holds))
            }
            step => {
                cursor.at = cursor.end;
                Ok(self.check(nested, step))
            }
        }
    }

    /// Records the result of a step with plans of its own.
    fn note(&mut self, c: usize, holds: Holds) -> bool {
        self.cursors[c].open = holds == Holds::Open;
        holds != Holds::No
    }

    /// Runs a step that has at most one match.
    fn check<N: Nested>(&mut self, nested: &mut N, step: &PlanStep) -> bool {
        match step {
            PlanStep::Lookup { pred, args, source, reserve } => {
                let Some(start) = self.eval_args(args) else { return false };
                let domain = &self.state.domains[*pred];
                let end = match source {
                    Source::All | Source::Delta => domain.delta_end,
                    Source::Old => domain.old_end,
                };
                let first = if *source == Source::Delta { domain.old_end } else { 0 };
                let row = domain.find(&self.scratch[start..]);
                let found = match row {
                    Some(row) if (first..end).contains(&row) || *reserve => {
                        if !domain.is_fact(row)
                            && let Some(atom) = domain.atom(row)
                        {
                            self.literals.push(Literal::pos(atom));
                        }
                        true
                    }
                    None if *reserve && !self.state.complete[*pred] => {
                        let atom = self.state.reserve(*pred, &self.scratch[start..]);
                        self.literals.push(Literal::pos(atom));
                        true
                    }
                    _ => false,
                };
                self.scratch.truncate(start);
                found
            }
            PlanStep::Negative { pred, args, double, grows } => {
                let Some(start) = self.eval_args(args) else { return false };
                let domain = &self.state.domains[*pred];
                let row = domain.find(&self.scratch[start..]);
                let atom = match row {
                    Some(row) if domain.is_fact(row) => {
                        let weak = self.state.parity.opens_weak_facts && domain.is_weak(row);
                        weak.then(|| self.state.atom_of(*pred, row, nested.sink().source))
                    }
                    Some(row) => self.state.open_atom(*pred, row, nested.sink().source),
                    None if !grows || self.state.complete[*pred] => {
                        self.scratch.truncate(start);
                        return !double;
                    }
                    None => Some(self.state.reserve(*pred, &self.scratch[start..])),
                };
                self.scratch.truncate(start);
                match atom {
                    None => *double,
                    Some(atom) => {
                        self.literals.push(if *double {
                            nested.sink().double_negation(self.state.program, atom)
                        } else {
                            Literal::neg(atom)
                        });
                        true
                    }
                }
            }
            PlanStep::Compare(relation, s, t) => {
                let (Some(x), Some(y)) = (self.eval(s), self.eval(t)) else { return false };
                match relation {
                    Relation::Equal => x == y,
                    Relation::NotEqual => x != y,
                    _ => relation.holds(self.state.symbols.cmp(x, y)),
                }
            }
            PlanStep::Assign(m, t) => match self.eval(t) {
                Some(v) => self.matches(m, v),
                None => false,
            },
            PlanStep::Solve(coefficient, var, rest) => {
                let Some(sum) = self.sum(rest) else { return false };
                let c = i128::from(*coefficient);
                if sum % c != 0 {
                    return false;
                }
                match i64::try_from(-sum / c) {
                    Ok(n) => {
                        self.regs[var.0 as usize] = self.state.symbols.num(n);
                        true
                    }
                    Err(_) => false,
                }
            }
            PlanStep::InRange(t, Term::External(name, args, span), ..) => {
                let Some(v) = self.eval(t) else { return false };
                self.call(*name, args, *span).is_ok_and(|values| values.contains(&v))
            }
            PlanStep::InRange(t, lo, hi, span) => {
                let n = self.integer(t);
                let ends = self.ends(lo, hi, *span);
                n.zip(ends).is_some_and(|(n, (lo, hi))| lo <= n && n <= hi)
            }
            PlanStep::False
            | PlanStep::Scan(_)
            | PlanStep::Range(..)
            | PlanStep::Aggregate(_)
            | PlanStep::AggregateValue(..)
            | PlanStep::Conditional(_)
            | PlanStep::Theory(..) => false,
        }
    }
}
