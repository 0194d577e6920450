//! Events of a solve call, and its result.

use std::time::Instant;

use asp_base::interrupt::StopReason;
use asp_engine::store::literal;
use asp_program::{AtomId, Literal};

/// A model as an event shows it.
#[derive(Clone, Copy, Debug)]
pub struct Model<'a> {
    /// Number of the model in this call, from 1.
    pub number: u64,
    /// Truth by atom; for consequences: membership in the current estimate.
    pub(crate) atoms: Atoms<'a>,
    /// By index of [`Program::shows`](asp_program::Program::shows): in consequences mode, whether the entry is in
    /// the current estimate; empty otherwise.
    pub shown: &'a [bool],
    /// In consequences mode, by integer variable, if it has no atoms for its values: the least and the greatest value in
    /// the current estimate. Empty otherwise.
    pub ranges: &'a [Option<(i64, i64)>],
    /// Costs, most important level first; empty without an objective.
    pub costs: &'a [i64],
    /// Whether the costs are proven optimal (second phase of `optN`).
    pub optimal: bool,
    /// With consequences: how many shown items are decided and how many are still open.
    pub consequences: Option<(u64, u64)>,
    /// When it was found, precise to a fraction of a millisecond.
    pub found: Instant,
}

/// Where the truth of atoms is read: models are not copied unless their atoms are asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Atoms<'a> {
    /// By atom.
    Listed(&'a [bool]),
    /// A bit for each atom.
    Packed(&'a [u64]),
    /// From the engine's assignment, by the literals of the atoms.
    Assigned { literals: &'a [literal::Lit], values: &'a [i8] },
}

impl<'a> Model<'a> {
    /// The first model of a call, without costs: truth by atom, and which entries of [`Program::shows`](asp_program::Program::shows)
    /// are in the estimate.
    pub fn from_atoms(atoms: &'a [bool], shown: &'a [bool]) -> Self {
        Self {
            number: 1,
            atoms: Atoms::Listed(atoms),
            shown,
            ranges: &[],
            costs: &[],
            optimal: false,
            consequences: None,
            found: Instant::now(),
        }
    }
    /// Whether an atom is true.
    #[inline]
    pub fn contains(&self, atom: AtomId) -> bool {
        match self.atoms {
            Atoms::Listed(atoms) => atoms[atom.0 as usize],
            Atoms::Packed(words) => words[atom.0 as usize / 64] >> (atom.0 % 64) & 1 == 1,
            Atoms::Assigned { literals, values } => values[literals[atom.0 as usize].code()] > 0,
        }
    }
    /// Whether a literal is true.
    #[inline]
    pub fn holds(&self, literal: Literal) -> bool {
        self.contains(literal.atom()) != literal.is_neg()
    }
    /// Whether an entry with the given condition is shown; for consequences, whether it is in the estimate.
    #[inline]
    pub fn shows(&self, entry: usize, condition: &[Literal]) -> bool {
        match self.shown.get(entry) {
            Some(&shown) => shown,
            None => condition.iter().all(|&l| self.holds(l)),
        }
    }
}

/// An event of a call.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A model was found.
    Model(Model<'a>),
    /// The costs of the last model are optimal; with `optN`, enumeration of optimal models follows.
    Optimum,
    /// Bounds on the objective became tighter: lower bound per level so far.
    LowerBound(&'a [i64]),
}

/// The answer of an event's receiver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// Continue the search.
    Continue,
    /// Continue; some hundred models that follow at once may be counted without an event. [`Model::number`] of the next one and
    /// [`SolveResult::models`] include them.
    Count,
    /// Stop; the result says that the search space was not exhausted.
    Stop,
}

/// How a call ended.
#[derive(Clone, Debug, Default)]
pub struct SolveResult {
    /// Whether a model was found.
    pub satisfiable: bool,
    /// Whether the search space was exhausted (with optimisation: the optimum is proven).
    pub exhausted: bool,
    /// Number of models reported.
    pub models: u64,
    /// Number of models reported as optimal.
    pub optimal_models: u64,
    /// Costs of the best model, most important level first.
    pub costs: Option<Vec<i64>>,
    /// Proven lower bounds, most important level first, as far as known.
    pub lower_bounds: Vec<i64>,
    /// Whether it ended because the costs are proven as close to the optimum as wanted.
    pub is_close: bool,
    /// Why it stopped early, if it did.
    pub stopped: Option<StopReason>,
    /// With assumptions and no model: assumptions that cannot hold together.
    pub core: Vec<Literal>,
    /// Seconds of search, to the first model, and after the last model.
    pub time: SolveTime,
}

impl SolveResult {
    /// Why the call was stopped from outside, if it was. A limit of its own ends only the call and does not count.
    pub fn interrupted(&self) -> Option<StopReason> {
        self.stopped.filter(|&reason| reason != StopReason::StepLimit)
    }
}

/// Seconds spent in a call.
#[derive(Clone, Copy, Debug, Default)]
pub struct SolveTime {
    /// In all.
    pub total: f64,
    /// Until the first model.
    pub first_model: f64,
    /// From the last model to the proof that there are no more.
    pub unsat: f64,
}
