//! Parameters of learning: what is learned from conflicts and unfounded sets, and what is forgotten between calls.
//!
//! Invariant: as for all solver parameters, the defaults are those of a run without options.

/// Which literals of a new clause are watched first, if there is a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FirstWatches {
    /// The first ones.
    #[default]
    First,
    /// Those with the shortest lists.
    Least,
    /// Random ones.
    Random,
}

/// Which antecedents the minimisation of learned clauses follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Antecedents {
    /// All.
    #[default]
    All,
    /// Those of two or three literals.
    Short,
    /// Those of two.
    Binary,
}

/// What is learned from an unfounded set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LoopNogoods {
    /// A nogood for one of its atoms; those of the others are made when a conflict needs them.
    #[default]
    Common,
    /// A nogood for each of its atoms.
    Distinct,
    /// None: reasons are made when a conflict needs them, and not kept.
    Never,
}

/// When inequalities are learned from conflicts of sums.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CuttingPlanes {
    /// In turns with clauses.
    #[default]
    Turns,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// What is learned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LearningParameters {
    /// Whether clauses are learned; otherwise a conflict flips the last decision.
    pub enabled: bool,
    /// Minimise learned clauses.
    pub minimize: bool,
    /// Whether minimisation looks beyond the antecedent of each literal.
    pub recursive: bool,
    /// Which antecedents it follows.
    pub antecedents: Antecedents,
    /// Learned clauses of this many literals are shrunk, if they are minimised.
    pub shrink: usize,
    /// Strengthen learned clauses by binary clauses and at-most-one groups.
    pub strengthen: bool,
    /// Whether inequalities are learned from conflicts of sums.
    pub cutting_planes: CuttingPlanes,
    /// Which literals are watched first.
    pub watches: FirstWatches,
    /// What is learned from unfounded sets.
    pub loops: LoopNogoods,
}

impl Default for LearningParameters {
    fn default() -> Self {
        Self {
            enabled: true,
            minimize: true,
            recursive: true,
            antecedents: Antecedents::All,
            shrink: 200,
            strengthen: true,
            cutting_planes: CuttingPlanes::Turns,
            watches: FirstWatches::First,
            loops: LoopNogoods::Common,
        }
    }
}

/// What is forgotten between calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Forget {
    /// Activities of variables.
    pub scores: bool,
    /// Saved values of variables.
    pub signs: bool,
    /// Scores of learned clauses.
    pub lemma_scores: bool,
    /// Learned clauses.
    pub lemmas: bool,
}
