//! Counters of an engine.

/// Counters of an engine so far, and its sizes.
#[derive(Clone, Debug, Default)]
pub struct Counters {
    /// Decisions.
    pub choices: u64,
    /// Conflicts.
    pub conflicts: u64,
    /// Conflicts that backjumped over more than one level.
    pub backjumps: u64,
    /// Levels undone by backjumps, in total and at most.
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
    /// Sum of the LBD of nogoods learned from conflicts.
    pub lbd_sum: u64,
    /// Conflicts since the last restart.
    pub since_restart: u64,
    /// Learned nogoods deleted.
    pub deleted: u64,
    /// Literals propagated.
    pub propagations: u64,
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
    /// Peak number of live learned nogoods.
    pub peak_learned: u64,
}

impl Counters {
    /// The counters with those of earlier calls added; sizes stay as they are.
    pub fn after(self, past: &Self) -> Self {
        let pair = |a: (u64, u64), b: (u64, u64)| (a.0 + b.0, a.1 + b.1);
        let now = self;
        Self {
            choices: past.choices + now.choices,
            conflicts: past.conflicts + now.conflicts,
            backjumps: past.backjumps + now.backjumps,
            jumped_levels: (
                past.jumped_levels.0 + now.jumped_levels.0,
                past.jumped_levels.1.max(now.jumped_levels.1),
            ),
            model_levels: past.model_levels + now.model_levels,
            restarts: past.restarts + now.restarts,
            learned: past.learned + now.learned,
            learned_literals: pair(past.learned_literals, now.learned_literals),
            learned_short: pair(past.learned_short, now.learned_short),
            deleted: past.deleted + now.deleted,
            propagations: past.propagations + now.propagations,
            shared: pair(past.shared, now.shared),
            probed: pair(past.probed, now.probed),
            substituted: past.substituted + now.substituted,
            subsumed: pair(past.subsumed, now.subsumed),
            vivified: pair(past.vivified, now.vivified),
            symmetries: past.symmetries + now.symmetries,
            peak_learned: past.peak_learned.max(now.peak_learned),
            lbd_sum: past.lbd_sum + now.lbd_sum,
            ..now
        }
    }
}
