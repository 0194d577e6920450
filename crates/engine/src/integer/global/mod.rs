//! Global constraints over integers: their propagation and explanations.
//!
//! A constraint reads bounds and lists findings: implied bounds, or a violation. A finding used above the root is noted
//! with two numbers that the constraint chooses (the Hall interval, the time), and the note is the reason of the literal.
//! Only if it is resolved on, the constraint lists the bounds behind it, the weaker the better. A finding that contradicts
//! bounds makes the constraint's condition false if that is undecided.
//!
//! | file | constraint |
//! |---|---|
//! | `product` | a variable is the product of two, or a square |
//! | `congruence` | an equation of which few variables are open |
//! | `distinct` | all values differ |
//! | `cumulative` | tasks that run at a time need no more than there is |
//! | `disjunctive` | no two tasks run at a time: what must be first or last |
//!
//! Invariants: findings depend on bounds alone, and none is lost when bounds rise; notes are in the order of the trail.

pub mod congruence;
pub mod cumulative;
pub mod disjunctive;
pub mod distinct;
pub mod product;

use crate::Engine;
use crate::integer::linear::Sum;
use crate::integer::store::{Int, Integers, Side};
use crate::propagator::ConflictKind;
use crate::store::assignment::{Assignment, Reason};
use crate::store::literal::Lit;
use congruence::Congruence;
use cumulative::Cumulative;
use disjunctive::Disjunctive;
use distinct::Distinct;
use product::Product;

/// That a side is at least a number.
pub(crate) type Bound = (Side, i64);

/// A side and what is added to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    pub(crate) side: Side,
    pub(crate) offset: i64,
}

impl View {
    /// A multiple, by 1 or -1, of a variable, and an offset.
    pub fn new(int: Int, negative: bool, offset: i64) -> Self {
        Self { side: Side::of(int, negative), offset }
    }
    pub(crate) fn negated(self) -> Self {
        Self { side: self.side.opposite(), offset: -self.offset }
    }
    #[inline]
    pub(super) fn least(self, least: &[i64]) -> i64 {
        least[self.side.at()] + self.offset
    }
    #[inline]
    pub(super) fn greatest(self, least: &[i64]) -> i64 {
        -least[self.side.opposite().at()] + self.offset
    }
    /// That it is at least a number.
    pub(super) fn at_least(self, value: i64) -> Bound {
        (self.side, value - self.offset)
    }
    /// That it is at most a number.
    pub(super) fn at_most(self, value: i64) -> Bound {
        self.negated().at_least(-value)
    }
}

/// An implied bound, or a violation, with notes for its explanation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Finding {
    pub(crate) bound: Option<Bound>,
    pub(crate) note: [i64; 2],
}

impl Finding {
    pub(super) const VIOLATED: Finding = Finding { bound: None, note: [0, 0] };

    pub(super) fn of(bound: Bound) -> Self {
        Self { bound: Some(bound), note: [0, 0] }
    }
}

/// The bounds before a position of the trail, and at the root.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Past<'a> {
    pub(crate) integers: &'a Integers,
    pub(crate) position: u32,
}

impl Past<'_> {
    pub(super) fn least(self, side: Side) -> i64 {
        self.integers.bound_before(side, self.position)
    }
    pub(super) fn root(self, side: Side) -> i64 {
        self.integers.root[side.at()]
    }
}

/// A constraint over several integers that no sum says.
#[derive(Debug)]
pub enum Global {
    /// `x * y = z`.
    Product(Product),
    /// A sum that leaves a remainder.
    Congruence(Congruence),
    /// All values differ.
    Distinct(Distinct),
    /// Tasks that share a resource.
    Cumulative(Cumulative),
    /// Tasks that do not overlap.
    Disjunctive(Disjunctive),
}

impl Global {
    /// The sides that wake it when they rise.
    fn sides(&self) -> Vec<Side> {
        let both = |v: &View| [v.side, v.side.opposite()];
        let mut sides: Vec<Side> = match self {
            Global::Product(p) => {
                p.ints().iter().flat_map(|&i| [Side::of(i, false), Side::of(i, true)]).collect()
            }
            Global::Congruence(c) => c.terms.iter().flat_map(|t| both(&Congruence::view(t.1))).collect(),
            Global::Distinct(d) => d.0.iter().flat_map(both).collect(),
            Global::Cumulative(c) => c.tasks.iter().flat_map(|t| both(&t.start)).collect(),
            Global::Disjunctive(d) => d.0.iter().flat_map(|t| both(&t.start)).collect(),
        };
        sides.sort_unstable();
        sides.dedup();
        sides
    }
    /// Lists what follows from bounds, and returns the work this took. A finding may need those before it, unless the
    /// constraint is `open`: then none of them is applied, and each follows from the bounds alone.
    pub(crate) fn propagate(&self, least: &[i64], open: bool, found: &mut Vec<Finding>) -> u64 {
        match self {
            Global::Product(p) => p.propagate(least, found),
            Global::Congruence(c) => c.propagate(least, found),
            Global::Distinct(d) => d.propagate(least, found),
            Global::Cumulative(c) => c.propagate(least, open, found),
            Global::Disjunctive(d) => d.propagate(least, found),
        }
    }
    /// Appends bounds that held before and from which the finding follows.
    pub(crate) fn explain(&self, finding: Finding, past: Past, bounds: &mut Vec<Bound>) {
        match self {
            Global::Product(p) => p.explain(finding, past, bounds),
            Global::Congruence(c) => c.explain(finding, past, bounds),
            Global::Distinct(d) => d.explain(finding, past, bounds),
            Global::Cumulative(c) => c.explain(finding, past, bounds),
            Global::Disjunctive(d) => d.explain(finding, past, bounds),
        }
    }
}

/// A finding that is the reason of a literal.
#[derive(Clone, Copy, Debug)]
struct Note {
    sum: u32,
    /// Where the literal is on the trail.
    position: u32,
    finding: Finding,
}

/// All constraints of this kind.
#[derive(Debug, Default)]
pub(crate) struct Globals {
    pub(super) all: Vec<Global>,
    notes: Vec<Note>,
    /// Room for what is found.
    found: Vec<Finding>,
}

impl Globals {
    /// Forgets notes. Pre: the trail is about to be cut to `len` literals.
    pub(super) fn undo(&mut self, len: usize) {
        while self.notes.last().is_some_and(|n| n.position as usize >= len) {
            self.notes.pop();
        }
    }
    fn note(&mut self, sum: u32, assignment: &Assignment, finding: Finding) -> Reason {
        if assignment.level() == 0 {
            return Reason::NONE;
        }
        self.notes.push(Note { sum, position: assignment.trail.len() as u32, finding });
        Reason::noted(self.notes.len() as u32 - 1)
    }
}

impl Integers {
    /// Appends the false literals of the clause by which a noted finding implied a literal at a position of the trail.
    pub(crate) fn explain_note(
        &self,
        note: u32,
        lit: Lit,
        position: u32,
        assignment: &Assignment,
        clause: &mut Vec<Lit>,
    ) {
        let Note { sum, finding, .. } = self.globals.notes[note as usize];
        let condition = self.sums.get(sum).condition;
        let is_violated = condition != Lit::NONE && lit == !condition;
        if condition != Lit::NONE && !is_violated {
            clause.push(!condition);
        }
        self.explain_finding(sum, finding, is_violated, position, assignment, clause);
    }
    /// Appends the false literals of bounds from which a finding follows and, where needed, of the bound that it
    /// contradicts.
    fn explain_finding(
        &self,
        sum: u32,
        finding: Finding,
        contradicts: bool,
        position: u32,
        assignment: &Assignment,
        clause: &mut Vec<Lit>,
    ) {
        let global = &self.globals.all[self.sums.get(sum).global as usize];
        let mut bounds = Vec::new();
        global.explain(finding, Past { integers: self, position }, &mut bounds);
        if let (Some((side, value)), true) = (finding.bound, contradicts) {
            bounds.push((side.opposite(), 1 - value));
        }
        for (side, value) in bounds {
            debug_assert!(self.bound_before(side, position) >= value, "{side:?} >= {value} did not hold");
            clause.extend(self.cause(side, value, assignment).1.map(|l| !l));
        }
    }
}

impl Engine {
    /// Adds a constraint, under a condition if there is one.
    pub fn add_global(&mut self, condition: Option<Lit>, global: Global) {
        self.leave_to_root();
        let sides = global.sides();
        let is_about = |int| sides.iter().any(|s| s.int() == int);
        let condition = self.own_condition(condition, is_about);
        let number = self.constraints.integers.globals.all.len() as u32;
        self.constraints.integers.globals.all.push(global);
        self.constraints.integers.sums.add_global(condition, &sides, number);
    }
    /// Looks at a constraint; `open` says that its condition is not decided.
    pub(super) fn propagate_global(&mut self, number: u32, sum: Sum, open: bool) -> Result<(), ConflictKind> {
        let Integers { least, globals, .. } = &mut self.constraints.integers;
        let mut found = std::mem::take(&mut globals.found);
        found.clear();
        self.control.ticks += 1 + globals.all[sum.global as usize].propagate(least, open, &mut found);
        let result = found.iter().try_for_each(|&finding| self.apply(number, sum, open, finding));
        self.constraints.integers.globals.found = found;
        result
    }
    fn apply(&mut self, number: u32, sum: Sum, open: bool, finding: Finding) -> Result<(), ConflictKind> {
        let bound = finding.bound.filter(|&(side, value)| value <= self.constraints.integers.greatest(side));
        match bound {
            Some((side, value)) if !open && value > self.constraints.integers.least[side.at()] => {
                let reason = self.constraints.integers.globals.note(number, &self.assignment, finding);
                self.raise(side, value, reason)
            }
            Some(_) => Ok(()),
            None if open => {
                if self.assignment.is_free(sum.condition) {
                    let reason = self.constraints.integers.globals.note(number, &self.assignment, finding);
                    self.assignment.assign(!sum.condition, reason);
                }
                Ok(())
            }
            None => {
                let clause = &mut self.analyzer.conflict;
                clause.clear();
                clause.extend((sum.condition != Lit::NONE).then_some(!sum.condition));
                let (integers, assignment) = (&self.constraints.integers, &self.assignment);
                integers.explain_finding(number, finding, true, u32::MAX, assignment, clause);
                Err(ConflictKind::Buffer)
            }
        }
    }
}
