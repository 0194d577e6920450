//! The state of decisions: the order of variables, their phases, and that of lookahead.

use crate::decide::DecisionHeuristic;
use crate::parameters::{Candidates, SolverParameters};
use crate::phase::Phases;
use crate::store::literal::{Lit, Var};
use asp_base::index_vec::Idx;

/// The state of lookahead.
#[derive(Clone, Debug)]
pub(crate) struct Lookahead {
    pub(crate) candidates: Vec<Var>,
    /// Rounds left.
    pub(crate) left: u64,
    /// Whether the next decision is on the variable whose two literals imply the most.
    pub(crate) decides: bool,
    /// By literal: the last round in which it was implied.
    pub(crate) implied: Vec<u64>,
}

impl Lookahead {
    pub(crate) fn new(candidates: Vec<Var>, rounds: u64, decides: bool) -> Self {
        Self { candidates, left: rounds, decides, implied: Vec::new() }
    }
}

/// The variables to try: those that are literals of atoms, the others, or all.
pub(crate) fn candidates(kind: Candidates, atoms: &[Lit], vars: usize) -> Vec<Var> {
    let mut is_atom = vec![false; vars];
    for lit in atoms {
        is_atom[lit.var().index()] = true;
    }
    let wanted = |v: &usize| match kind {
        Candidates::Atoms => is_atom[*v],
        Candidates::Bodies => !is_atom[*v],
        Candidates::All => true,
    };
    (0..vars).filter(wanted).map(|v| Var(v as u32)).collect()
}

/// The state of decisions.
#[derive(Debug)]
pub(crate) struct Decisions {
    pub(crate) order: DecisionHeuristic,
    pub(crate) phases: Phases,
    /// Whether variables have their initial activities.
    pub(crate) scored: bool,
    pub(crate) lookahead: Option<Lookahead>,
    /// Literals tried so far.
    pub(crate) looked: u64,
    /// Whether the assignments being undone were only trials.
    pub(crate) is_looking: bool,
}

impl Decisions {
    pub(crate) fn new(p: &SolverParameters) -> Self {
        Self {
            order: DecisionHeuristic::new(p),
            phases: Phases::new(&p.phase, p.seed),
            scored: false,
            lookahead: None,
            looked: 0,
            is_looking: false,
        }
    }
    pub(crate) fn new_var(&mut self) {
        self.order.new_var();
        self.phases.new_var();
    }
}
