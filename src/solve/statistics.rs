//! Counters of the search.

/// Counters of the search, as `--stats` prints them.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// Decisions.
    pub choices: u64,
    /// Conflicts.
    pub conflicts: u64,
    /// Conflicts that backjumped over more than one level.
    pub backjumps: u64,
    /// Levels that backjumps went back over, in all and at most.
    pub jumped_levels: (u64, u64),
    /// Decision levels of the models, summed up.
    pub model_levels: u64,
    /// Restarts.
    pub restarts: u64,
    /// Learned nogoods from conflicts.
    pub learned: u64,
    /// Literals in learned nogoods before and after minimisation.
    pub learned_literals: (u64, u64),
    /// Learned nogoods of two and three literals.
    pub learned_short: (u64, u64),
    /// Loop nogoods from unfounded sets.
    pub loops: u64,
    /// Literals in them.
    pub loop_literals: u64,
    /// Sum of the glue of nogoods learned from conflicts.
    pub glue: u64,
    /// Conflicts since the last restart.
    pub since_restart: u64,
    /// Learned nogoods deleted.
    pub deleted: u64,
    /// Literals propagated.
    pub propagations: u64,
    /// Rules, atoms and bodies after preprocessing.
    pub rules: u64,
    /// Of the rules, choices, disjunctions and those with weight bodies; and objectives.
    pub rule_kinds: RuleKinds,
    /// Atoms.
    pub atoms: u64,
    /// Bodies.
    pub bodies: u64,
    /// Pairs of atoms or bodies found equivalent.
    pub equivalences: u64,
    /// Whether the program is tight (no positive recursion left).
    pub tight: bool,
    /// Non-trivial components and atoms in them.
    pub sccs: (u64, u64),
    /// Solver variables, and those eliminated by preprocessing.
    pub variables: (u64, u64),
    /// Variables that must not be eliminated.
    pub frozen: u64,
    /// Constraints by size: binary, ternary, longer; and propagators (at-most-one groups, weight constraints).
    pub constraints: (u64, u64, u64),
    /// At-most-one groups and weight constraints.
    pub groups: (u64, u64),
    /// Clauses sent to other threads, and received from them.
    pub shared: (u64, u64),
    /// Literals probed, and how many failed.
    pub probed: (u64, u64),
    /// Clauses in which equivalent literals were replaced.
    pub substituted: u64,
    /// Clauses subsumed, and strengthened.
    pub subsumed: (u64, u64),
    /// Clauses that vivification tried, and shortened.
    pub vivified: (u64, u64),
    /// Generators of the program's symmetries that were broken.
    pub symmetries: u64,
    /// Tests of the second-level checker for disjunctive components, and how many failed.
    pub stability_tests: (u64, u64),
    /// Peak number of live learned nogoods.
    pub peak_learned: u64,
    /// By thread, if there was more than one; the counters above are then those of all together.
    pub threads: Vec<Statistics>,
}

/// Numbers of rules by kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RuleKinds {
    /// Choices.
    pub choice: u64,
    /// Disjunctions.
    pub disjunctive: u64,
    /// Rules with weight bodies.
    pub weight: u64,
    /// Levels of the objective.
    pub minimize: u64,
}
