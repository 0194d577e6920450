//! Counters of the search and sizes of the program.

use asp_engine::counters::Counters;

/// Counters of the search, as `--stats` prints them.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// The engine's counters.
    pub search: Counters,
    /// Loop nogoods from unfounded sets.
    pub loops: u64,
    /// Literals in them.
    pub loop_literals: u64,
    /// Rules, atoms and bodies after preprocessing.
    pub rules: u64,
    /// The numbers of choices, disjunctions, rules with weight bodies, and levels of the objective.
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
    /// Tests of the second-level checker for disjunctive components, and how many failed.
    pub stability_tests: (u64, u64),
    /// Constraints kept for the search, and the instances that it made of them.
    pub lazy: (u64, u64),
    /// By thread, if there were several; the counters above are then the totals.
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

impl Statistics {
    /// The counters with those of earlier calls added; sizes are those of the latest translation.
    pub(crate) fn after(self, past: &Self) -> Self {
        let tests = (past.stability_tests, self.stability_tests);
        Self {
            search: self.search.after(&past.search),
            loops: past.loops + self.loops,
            loop_literals: past.loop_literals + self.loop_literals,
            stability_tests: (tests.0.0 + tests.1.0, tests.0.1 + tests.1.1),
            lazy: (self.lazy.0, past.lazy.1 + self.lazy.1),
            ..self
        }
    }
}
