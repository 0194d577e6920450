//! When to restart, delete learned clauses and inprocess: the state of the schedules.
//!
//! Invariant: everything is counted in conflicts and ticks, never in time.

use crate::parameters::{ReduceParameters, SolverParameters};
use crate::restart::Restart;
use crate::schedule::Sequence;
use crate::store::arena::ClauseRef;

/// The greatest LBD of clauses that are kept while they are in use.
pub(crate) const MIDDLE_LBD: u32 = 6;
/// Schedule of reductions.
#[derive(Debug)]
pub(crate) struct Reduce {
    /// Conflicts at which the next one is due; `None`: it does not depend on conflicts.
    pub(crate) limit: Option<u64>,
    pub(crate) sequence: Option<Sequence>,
    pub(crate) size: Size,
    /// Root literals on the trail when satisfied clauses were last removed.
    pub(crate) fixed: usize,
    pub(crate) candidates: Vec<(ClauseRef, u32, u32)>,
}

/// Limits on the number of learned clauses.
#[derive(Debug)]
pub(crate) struct Size {
    pub(crate) limit: Option<f64>,
    /// The limit does not grow beyond this.
    pub(crate) stop: f64,
    /// When it grows.
    pub(crate) sequence: Option<Sequence>,
    pub(crate) next_growth: u64,
    /// Number of clauses that are not counted.
    pub(crate) free: u64,
    /// The number left by the last reduction, and some more: fewer are never too many.
    pub(crate) floor: u64,
}

impl Reduce {
    pub(crate) fn new(p: &ReduceParameters) -> Self {
        let sequence = p.schedule.map(Sequence::new);
        let growth = p.size.and_then(|s| s.schedule).map(Sequence::new);
        Self {
            limit: sequence.map(|s| s.length()),
            sequence,
            size: Size {
                limit: None,
                stop: f64::INFINITY,
                next_growth: growth.map_or(u64::MAX, |s| s.length()),
                sequence: growth,
                free: 0,
                floor: 0,
            },
            fixed: 0,
            candidates: Vec::new(),
        }
    }
}

/// The schedule of inprocessing.
#[derive(Debug)]
pub(crate) struct Inprocess {
    pub(crate) limit: u64,
    pub(crate) interval: u64,
    pub(crate) rounds: u64,
    /// Ticks at the end of the last round.
    pub(crate) ticks: u64,
    /// Number of binary clauses at the last search for equivalent literals.
    pub(crate) substituted_at: u64,
    /// Where the last round of probing stopped.
    pub(crate) next_probe: usize,
    /// Ticks at which the current pass ends.
    pub(crate) deadline: u64,
}

impl Inprocess {
    pub(crate) fn new(interval: u64) -> Self {
        Self { limit: interval, interval, rounds: 0, ticks: 0, substituted_at: 0, next_probe: 0, deadline: 0 }
    }
}

/// The limits of one engine call, of which a solve call makes many; `None` for no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Conflicts.
    pub conflicts: Option<u64>,
    /// Restarts.
    pub restarts: Option<u64>,
    /// Work, in the units of [`Engine::steps`](crate::Engine::steps).
    pub steps: Option<u64>,
}

/// All schedules and limits of an engine.
#[derive(Debug)]
pub(crate) struct Schedules {
    /// Memory accesses of propagation, the clock of all schedules.
    pub(crate) ticks: u64,
    /// The work of conflict analysis in steps, which no schedule of the search counts.
    pub(crate) analysis: u64,
    pub(crate) restart: Restart,
    pub(crate) reduce: Reduce,
    pub(crate) inprocess: Inprocess,
    pub(crate) limits: Limits,
}

impl Schedules {
    pub(crate) fn new(p: &SolverParameters) -> Self {
        Self {
            ticks: 0,
            analysis: 0,
            restart: Restart::new(p),
            reduce: Reduce::new(&p.reduce),
            inprocess: Inprocess::new(p.inprocess.interval),
            limits: Limits::default(),
        }
    }
}
