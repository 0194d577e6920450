//! Bounds on an objective from its linear relaxation.
//!
//! A sum of constraints `A x >= b`, multiplied by numbers `m >= 0` and taken off the objective `c x`, leaves *reduced costs*
//! `r = c - m A`, and `c x >= r x + m b` in every model. So what must cost at most `u` satisfies `r x <= u - m b`, one more
//! sum, which combines the objective with many constraints: what is left of a knapsack, or of an
//! assignment of successors. The multipliers that make the least value of `r x + m b` as great as possible are those of the
//! optimum of the [linear programme](programme) over the rows, and over cuts, which models satisfy and its solutions do not.
//! Groups of which at most one literal holds stay as they are instead of being multiplied, since sums know them.
//! Invariant: rounding affects how good the multipliers are, never what is claimed: the sum is computed from whole
//! multipliers without rounding.
//! Source: Neumaier and Shcherbina, *Safe bounds in linear and mixed-integer linear programming*, Mathematical Programming 2004;
//! reduced costs that fix variables: Focacci, Lodi and Milano, *Cost-based domain filtering*, CP 1999.

pub mod bounding;
pub(crate) mod cuts;
mod dives;
pub(crate) mod problem;
pub(crate) mod programme;
pub(crate) mod rows;

use crate::Engine;
use crate::integer::store::Int;
use crate::propagator::PropagatorId;
use crate::relaxation::bounding::Bounding;
use crate::relaxation::problem::{Problem, Subject};
use crate::relaxation::programme::Programme;
pub use crate::relaxation::programme::Separator;
use crate::store::literal::{Lit, Var};
use asp_base::interrupt::Interrupt;

/// Terms of all rows up to which a relaxation is tried.
const MAX_TERMS: usize = 200_000;
/// The part of the gap between cost and bound that a relaxation must close to be used.
const MIN_GAIN: f64 = 0.01;

/// An objective: terms over literals and over integers, and what is added to them.
#[derive(Debug, Default)]
pub(crate) struct Objective {
    pub(crate) lits: Vec<(Lit, i64)>,
    pub(crate) ints: Vec<(i64, Int)>,
    pub(crate) constant: i128,
}

/// `scale * objective >= terms + ints + base` in every model under the assumptions.
#[derive(Debug)]
pub struct Relaxed {
    /// Literals with their reduced costs.
    pub(crate) terms: Vec<(Lit, i64)>,
    /// Integers with theirs.
    pub(crate) ints: Vec<(i64, Int)>,
    scale: i128,
    base: i128,
    /// The lower bound of the objective.
    pub lower: i128,
    /// The same without the constraints, but for groups.
    trivial: i128,
    /// Variables with their values in the solution of the relaxation, from 0 to 1.
    solution: Vec<(Var, f32)>,
}

impl Relaxed {
    /// The upper bound of the terms, if the objective is at most the goal.
    pub fn goal(&self, goal: i128) -> Option<i64> {
        i64::try_from(self.scale.checked_mul(goal)?.checked_sub(self.base)?).ok()
    }

    /// Variables with their values in the solution of the relaxation, from 0 to 1.
    pub fn solution(&self) -> &[(Var, f32)] {
        &self.solution
    }
}

/// The relaxation of an objective.
pub struct Relaxation(Programme);

impl Relaxation {
    /// The relaxation of an objective under assumptions. Pre: the engine is at the root.
    pub fn new(engine: &mut Engine, terms: &[(Lit, i64)], assumptions: &[Lit]) -> Option<Self> {
        let objective = engine.folded(terms);
        let (lits, ints) = (objective.lits.iter().map(|t| t.0), objective.ints.iter().map(|t| t.1));
        let rows = engine.linear_rows(lits, ints, assumptions, MAX_TERMS)?;
        Programme::new(Problem::new(&objective, rows, engine.integers())?).map(Self)
    }

    /// Its bound, if that is better than the trivial one. `upper` is the value of its terms in some model.
    pub fn solve(
        &mut self,
        upper: i128,
        separator: &mut Separator<'_>,
        interrupt: &Interrupt,
    ) -> Option<Relaxed> {
        self.0.solve(upper, separator, interrupt);
        let relaxed = self.0.relaxed()?;
        let closed = (relaxed.lower - relaxed.trivial) as f64;
        (closed > 0.0 && closed >= MIN_GAIN * (upper - relaxed.trivial) as f64).then_some(relaxed)
    }

    /// Uses the programme in the search once something is [demanded](Bounding::demand), by an existing propagator or a new
    /// one, for an initial share of the work in percent; 100: everywhere. Pre: the engine is at the root.
    pub fn install(self, engine: &mut Engine, id: Option<PropagatorId>, percent: u32) -> PropagatorId {
        let id = id.unwrap_or_else(|| engine.attach_propagator(Box::new(Bounding::new())));
        for subject in &self.0.problem.subjects {
            if let &Subject::Var(var) = subject {
                engine.freeze(var);
            }
        }
        let steps = engine.steps();
        engine.with_propagator(id, |bounding: &mut Bounding, _| {
            bounding.install(self.0, steps, f64::from(percent) / 100.0)
        });
        id
    }
}
