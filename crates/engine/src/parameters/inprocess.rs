//! Parameters of inprocessing and of variable elimination.
//!
//! Invariant: as for all solver parameters, the defaults are those of a run without options.

/// How clauses are simplified between restarts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InprocessParameters {
    /// Conflicts before the first round; the distance grows by as many each time (0: none).
    pub interval: u64,
    /// Find failed literals.
    pub probe: bool,
    /// Replace equivalent literals in long clauses.
    pub substitute: bool,
    /// Remove subsumed clauses and strengthen others. Off: over 36 programs of the search classes (planning, puzzles,
    /// colouring, random CNF, schedules) in two rounds, 446,000 conflicts and 15.3 s without, 527,000 and 19.5 s with.
    pub subsume: bool,
    /// Shorten clauses by propagation. On: over 64 programs of the search, optimisation, disjunctive and non-tight classes
    /// 1,043,000 conflicts and 20.4 s with, 1,088,000 and 20.9 s without; the geometric means of time are the same.
    pub vivify: bool,
}

impl Default for InprocessParameters {
    fn default() -> Self {
        Self { interval: 2000, probe: true, substitute: true, subsume: false, vivify: true }
    }
}

/// Limits of variable elimination; `None` is no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Elimination {
    /// Rounds over all variables.
    pub rounds: Option<u32>,
    /// A variable is kept if it occurs in more clauses than this both positively and negatively.
    pub occurrences: Option<u32>,
    /// With more clauses than this nothing is eliminated.
    pub clauses: Option<u64>,
    /// With more frozen variables than this, in per cent, nothing is eliminated.
    pub frozen: Option<u32>,
}

impl Default for Elimination {
    fn default() -> Self {
        Self { rounds: Some(20), occurrences: Some(25), clauses: Some(4_000_000), frozen: None }
    }
}
