//! Optional stages of a translation, for options and comparing tests.

use crate::options::{SolveOptions, SumsAsClauses};

/// Conflicts of a call before symmetries are searched for.
const CONFLICTS_BEFORE_SYMMETRY: u64 = 2000;

/// Which stages run; all except in tests.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stages {
    /// The passes of preprocessing.
    pub(crate) passes: Passes,
    /// Whether pairs are covered by at-most-one groups.
    pub(crate) cliques: bool,
    /// Which sums become clauses.
    pub(crate) sums: SumsAsClauses,
    /// Whether counting over groups is used.
    pub(crate) value_sets: bool,
    /// Whether exactly-one groups in order become chains.
    pub(crate) chains: bool,
    /// Whether what bodies of an atom have in common is taken out.
    pub(crate) factors: bool,
    /// Whether unfounded sets are found by source pointers.
    pub(crate) unfounded: bool,
    /// Whether disjunctive components are tested.
    pub(crate) disjunctive: bool,
    /// Whether edges must be acyclic.
    pub(crate) acyclicity: bool,
    /// Conflicts of a call for one model before symmetries are broken; `None` for never.
    pub(crate) symmetry_after: Option<u64>,
    /// Whether a program that has grown keeps its translation and what was learned.
    pub(crate) extension: bool,
}

impl Default for Stages {
    fn default() -> Self {
        Self {
            passes: Passes::default(),
            cliques: true,
            sums: SumsAsClauses::None,
            value_sets: true,
            chains: true,
            factors: true,
            unfounded: true,
            disjunctive: true,
            acyclicity: true,
            symmetry_after: Some(CONFLICTS_BEFORE_SYMMETRY),
            extension: true,
        }
    }
}

/// Which passes run; all except in tests.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Passes {
    /// Passes 1 and 4 of [`preprocess`](super::preprocess).
    pub(crate) constants: bool,
    /// Pass 5.
    pub(crate) equivalences: bool,
    /// Whether to record what became of rules, for a proof.
    pub(crate) trace: bool,
}

impl Default for Passes {
    fn default() -> Self {
        Self { constants: true, equivalences: true, trace: false }
    }
}

impl Stages {
    /// The stages for a proof: without those that cannot be logged.
    pub(crate) fn for_proof(self) -> Self {
        Self {
            passes: Passes { trace: true, ..self.passes },
            sums: SumsAsClauses::None,
            chains: false,
            factors: false,
            symmetry_after: None,
            extension: false,
            ..self
        }
    }
    /// The passes that options leave enabled.
    pub(crate) fn under(self, options: &SolveOptions) -> Self {
        let founded = !options.translate.supported;
        let mut passes = self.passes;
        passes.equivalences &= options.translate.equivalences;
        Self {
            unfounded: self.unfounded && founded,
            disjunctive: self.disjunctive && founded,
            passes,
            sums: options.translate.sums,
            value_sets: self.value_sets && options.translate.value_sets,
            chains: self.chains && options.translate.chains,
            ..self
        }
    }
}
