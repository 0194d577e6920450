//! The linear programme of a [`Problem`]: rows as far as they are needed, and cuts.
//!
//! The programme begins with the groups. Rows that its solution violates are added, those slack for some rounds leave; when
//! all rows hold, [cuts](super::cuts) are added as rows. So a basis has about as many rows as matter. This goes on while
//! the bound rises, within a limit of work; without progress it ends early. Invariant: at any time the multipliers give a
//! valid bound, by [`Problem::reduced`].

use crate::relaxation::Relaxed;
use crate::relaxation::cuts::clique::{Conflicts, merge};
use crate::relaxation::cuts::halves::halved;
use crate::relaxation::cuts::rounding::{Aggregate, Origin};
use crate::relaxation::cuts::{Cut, most_cuts, select};
use crate::relaxation::problem::{Problem, Whole};
use crate::store::literal::Lit;
use asp_base::interrupt::Interrupt;
use asp_lp::{Outcome, Simplex};

/// Work of all steps of a programme, ...
const WORK: u64 = 60_000_000;
/// ... between two looks at the interrupt, ...
const SLICE: u64 = 1_000_000;
/// ... until then the bound must have risen by [`FIRST_GAIN`], ...
const TRIAL: u64 = 25_000_000;
/// ... and until then, if all rows hold.
const WHOLE_TRIAL: u64 = 4_000_000;
/// The part of the gap that is closed by the first steps.
const FIRST_GAIN: f64 = 0.002;
/// Rows that are added in a round at most.
const MAX_ADDED: usize = 400;
/// Rounds in a row that a row is slack before it leaves.
const MAX_SLACK: u8 = 3;
/// How much a row is violated to be added, relative to its length.
const VIOLATED: f64 = 1e-4;
/// Rounds of rows and clauses at most.
const MAX_ROUNDS: u32 = 1_000;
/// Rounds of cuts at most, ...
const CUT_ROUNDS: u32 = 60;
/// ... and the most in a row that close less than a part of the gap, and of what cuts have raised the bound by so far: the
/// gap of a poor first model means little.
const IDLE_ROUNDS: u32 = 4;
const CUT_GAIN: f64 = 0.01;
const CUT_PART: f64 = 0.03;
/// Work before the search up to which there are rounds of cuts, ...
const FIRST_CUTS: u64 = 4_000_000;
/// ... or up to this many times that of all rows.
const CUT_WORK: u64 = 3;

/// How far a column is from 0 and 1 for its line to be rounded.
const OPEN: f64 = 0.02;
/// Lines that are rounded in a round.
const MAX_LINES: usize = 60;
/// The greatest scale that makes multipliers integers, ...
const MAX_COMMON: u32 = 64;
/// ... and otherwise, rounded.
const SCALE: f64 = 16384.0;
/// The greatest multiplier.
const MAX_FACTOR: f64 = 1e9;

/// Where a row of the simplex comes from.
#[derive(Clone, Copy, Debug)]
enum Source {
    Group,
    /// The row, by what its terms are divided, and how long it has been slack.
    Row {
        row: u32,
        divisor: f64,
        slack: u8,
    },
}

/// Finds clauses that models satisfy and the given literal values violate.
pub type Separator<'a> = dyn FnMut(&dyn Fn(Lit) -> Option<f64>) -> Vec<Vec<Lit>> + 'a;

/// A programme that is being solved.
pub(crate) struct Programme {
    pub(crate) problem: Problem,
    simplex: Simplex,
    sources: Vec<Source>,
    /// By row of the problem: whether it is in the simplex.
    is_active: Vec<bool>,
    /// By what costs are multiplied.
    factor: f64,
    /// By column.
    pub(crate) x: Vec<f64>,
    conflicts: Option<Conflicts>,
    cutting: Cutting,
}

/// How rounds of cuts have gone so far.
#[derive(Default)]
struct Cutting {
    rounds: u32,
    /// Rounds in a row that raised the bound by little.
    idle: u32,
    /// The bound before any, and the greatest since.
    bounds: Option<(f64, f64)>,
    /// The work of finding them.
    work: u64,
}

impl Programme {
    /// The programme of a problem. `None` if there is nothing to minimise.
    pub(crate) fn new(mut problem: Problem) -> Option<Self> {
        merge(&mut problem);
        let mut sizes: Vec<f64> =
            problem.cost.iter().filter(|&&c| c != 0).map(|&c| (c as f64).abs()).collect();
        sizes.sort_by(f64::total_cmp);
        let factor = 10.0 / sizes.get(sizes.len() / 2)?;
        let costs: Vec<f64> = problem.cost.iter().map(|&c| c as f64 * factor).collect();
        let bounds: Vec<(f64, f64)> = problem.sizes.iter().map(|&size| (0.0, size as f64)).collect();
        let mut simplex = Simplex::new(&costs, &bounds);
        for (group, exact) in problem.groups.rows().zip(&problem.exact) {
            let terms: Vec<(u32, f64)> =
                group.iter().map(|&(j, negative)| (j, if negative { -1.0 } else { 1.0 })).collect();
            let most = 1.0 - group.iter().filter(|m| m.1).count() as f64;
            simplex.add_row(&terms, if *exact { most } else { f64::NEG_INFINITY }, most);
        }
        Some(Self {
            simplex,
            sources: vec![Source::Group; problem.groups.len()],
            is_active: vec![false; problem.rows.len()],
            factor,
            x: vec![0.0; costs.len()],
            conflicts: None,
            cutting: Cutting::default(),
            problem,
        })
    }

    /// Raises the bound while that pays, or until interrupted. `upper` is the value of the objective in some model.
    pub(crate) fn solve(&mut self, upper: i128, separator: &mut Separator<'_>, interrupt: &Interrupt) {
        let upper = (upper - self.problem.constant) as f64;
        let first = (self.problem.trivial() - self.problem.constant) as f64;
        let mut whole = None;
        for _ in 0..MAX_ROUNDS {
            let outcome = self.optimize(interrupt);
            for (j, x) in self.x.iter_mut().enumerate() {
                *x = self.simplex.value(j as u32);
            }
            if outcome != Outcome::Optimal {
                return;
            }
            let bound = self.simplex.objective() / self.factor;
            if bound > upper - 1e-6 || self.is_hopeless(TRIAL, bound - first, upper - first) {
                return;
            }
            self.drop_slack();
            if self.add_violated() > 0 || self.add_clauses(separator) {
                continue;
            }
            if self.is_hopeless(WHOLE_TRIAL, bound - first, upper - first) {
                return;
            }
            let is_enough = self.cutting.work + self.simplex.work()
                > FIRST_CUTS.max(CUT_WORK * *whole.get_or_insert(self.simplex.work()));
            if is_enough || !self.cut(upper - bound) {
                return;
            }
        }
    }

    /// A round of cuts, if the last ones paid; returns whether there are any. `gap`: between the bound and the objective of
    /// a model.
    fn cut(&mut self, gap: f64) -> bool {
        let bound = self.simplex.objective() / self.factor;
        let (start, before) = self.cutting.bounds.unwrap_or((bound, f64::NEG_INFINITY));
        let little = (CUT_GAIN * gap).min(CUT_PART * (bound - start));
        self.cutting.idle = if bound - before < little { self.cutting.idle + 1 } else { 0 };
        self.cutting.bounds = Some((start, before.max(bound)));
        self.cutting.rounds += 1;
        self.cutting.rounds <= CUT_ROUNDS && self.cutting.idle <= IDLE_ROUNDS && self.add_cuts()
    }

    /// Whether the first work has raised the bound by next to nothing.
    fn is_hopeless(&self, trial: u64, gain: f64, gap: f64) -> bool {
        self.simplex.work() > trial && gain < FIRST_GAIN * gap.max(1.0)
    }

    /// Solves the programme as it is, within the limit of work.
    fn optimize(&mut self, interrupt: &Interrupt) -> Outcome {
        loop {
            let left = WORK.saturating_sub(self.simplex.work());
            let outcome = self.simplex.solve(left.min(SLICE));
            if outcome != Outcome::Stopped || left <= SLICE || interrupt.poll().is_some() {
                return outcome;
            }
        }
    }

    /// The bound from the multipliers of the current basis.
    pub(crate) fn relaxed(&mut self) -> Option<Relaxed> {
        let whole = self.whole()?;
        Some(self.problem.reduced(whole, &self.x))
    }

    /// The objective less the rows by the multipliers of the present basis.
    fn whole(&mut self) -> Option<Whole> {
        let multipliers = self.simplex.multipliers();
        self.problem.whole(&self.of_rows(&multipliers, self.factor), true)
    }

    /// Rows of the problem with the multipliers that rows of the simplex have, divided.
    fn of_rows(&self, multipliers: &[f64], divided: f64) -> Vec<(u32, f64)> {
        let mut used = Vec::new();
        for (source, &multiplier) in self.sources.iter().zip(multipliers) {
            if let Source::Row { row, divisor, .. } = source
                && multiplier > 1e-9
            {
                used.push((*row, multiplier / divisor / divided));
            }
        }
        used
    }

    /// Bounds a column.
    pub(crate) fn set(&mut self, column: u32, (lower, upper): (i64, i64)) {
        self.simplex.set_bounds(column, lower as f64, upper as f64);
    }

    /// Continues after columns were [set](Self::set), for some rounds of rows: rows with multipliers that prove the
    /// objective above a value, if possible. Also returns whether the solution satisfies all rows.
    pub(crate) fn again(&mut self, goal: i128, limit: u64, rounds: u32) -> (Option<Whole>, bool) {
        let cutoff = ((goal - self.problem.constant) as f64 + 1.0) * self.factor;
        let end = self.simplex.work() + limit;
        for _ in 0..rounds {
            match self.simplex.solve_below(end.saturating_sub(self.simplex.work()), cutoff) {
                Outcome::Infeasible => {
                    let ray = self.simplex.ray().to_vec();
                    let greatest = ray.iter().fold(1e-9, |g: f64, m| g.max(m.abs()));
                    return (self.problem.whole(&self.of_rows(&ray, greatest), false), false);
                }
                Outcome::Optimal => {
                    for (j, x) in self.x.iter_mut().enumerate() {
                        *x = self.simplex.value(j as u32);
                    }
                    if self.add_violated() == 0 {
                        return (self.whole(), true);
                    }
                }
                Outcome::Stopped => break,
            }
        }
        (self.whole(), false)
    }

    /// Adds cuts that the solution of all rows violates, if the last ones paid; returns whether there are any. Pre: the
    /// programme is solved at the root.
    pub(crate) fn tighten(&mut self, goal: i128) -> bool {
        let gap = (goal - self.problem.constant) as f64 + 1.0 - self.simplex.objective() / self.factor;
        self.cut(gap)
    }

    /// The work so far.
    pub(crate) fn work(&self) -> u64 {
        self.simplex.work() + self.cutting.work
    }

    /// Removes rows that have been slack for some rounds.
    pub(crate) fn drop_slack(&mut self) {
        for (row, source) in self.sources.iter_mut().enumerate() {
            if let Source::Row { slack, .. } = source {
                *slack = if self.simplex.is_slack(row) { *slack + 1 } else { 0 };
            }
        }
        let leaves = |source: &Source| matches!(source, Source::Row { slack, .. } if *slack >= MAX_SLACK);
        let sources = &self.sources;
        self.simplex.remove_rows(|row| !leaves(&sources[row]));
        let is_active = &mut self.is_active;
        self.sources.retain(|source| {
            if let Source::Row { row, .. } = source
                && leaves(source)
            {
                is_active[*row as usize] = false;
                return false;
            }
            true
        });
    }

    /// Adds the rows that the solution violates most; returns how many.
    fn add_violated(&mut self) -> usize {
        let mut violated: Vec<(f64, u32)> = Vec::new();
        for (k, row) in self.problem.rows.rows().enumerate() {
            if !self.is_active[k] && !row.is_empty() {
                let by = self.violation(row, self.problem.bounds[k]);
                if by > VIOLATED {
                    violated.push((by, k as u32));
                }
            }
        }
        violated.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        violated.truncate(MAX_ADDED.max(self.sources.len() / 4));
        for &(_, k) in &violated {
            self.activate(k);
        }
        violated.len()
    }

    /// How much a row is violated, relative to the length of its terms.
    fn violation(&self, row: &[(u32, i64)], bound: i64) -> f64 {
        let (mut sum, mut square) = (0.0, 0.0);
        for &(j, weight) in row {
            let weight = weight as f64;
            sum += weight * self.x[j as usize];
            square += weight * weight;
        }
        (bound as f64 - sum) / square.sqrt()
    }

    fn activate(&mut self, k: u32) {
        let row = self.problem.rows.row(k as usize);
        let divisor = row.iter().map(|t| (t.1 as f64).abs()).fold(1.0, f64::max);
        let terms: Vec<(u32, f64)> = row.iter().map(|&(j, w)| (j, w as f64 / divisor)).collect();
        self.simplex.add_row(&terms, self.problem.bounds[k as usize] as f64 / divisor, f64::INFINITY);
        self.sources.push(Source::Row { row: k, divisor, slack: 0 });
        self.is_active[k as usize] = true;
    }

    /// Adds clauses that the solution violates; returns whether there are any.
    fn add_clauses(&mut self, separator: &mut Separator<'_>) -> bool {
        let (problem, x) = (&self.problem, &self.x);
        let clauses = separator(&|lit| problem.value(lit, x));
        let known = self.problem.rows.len();
        for (terms, bound) in
            clauses.iter().filter_map(|clause| self.problem.clause(clause)).collect::<Vec<_>>()
        {
            if !terms.is_empty() && self.violation(&terms, bound) > VIOLATED {
                self.add_row(&terms, bound);
            }
        }
        self.problem.rows.len() > known
    }

    /// Adds a row to the problem and to the simplex.
    fn add_row(&mut self, terms: &[(u32, i64)], bound: i64) {
        self.problem.rows.push_row(terms);
        self.problem.bounds.push(bound);
        self.is_active.push(false);
        self.activate(self.problem.rows.len() as u32 - 1);
    }

    /// Adds cuts that the solution violates; returns whether there are any.
    fn add_cuts(&mut self) -> bool {
        let mut found = Vec::new();
        self.conflicts.get_or_insert_with(|| Conflicts::new(&self.problem)).cuts(&self.x, &mut found);
        let origins: Vec<Origin> = self
            .sources
            .iter()
            .enumerate()
            .map(|(at, source)| match *source {
                Source::Group => Origin::Group(at as u32),
                Source::Row { row, .. } => Origin::Row(row),
            })
            .collect();
        let most = most_cuts(self.sources.len());
        let mut work = halved(&self.problem, &origins, &self.x, most, &mut found);
        work += self.round_rows(&mut found) + self.round_lines(&origins, &mut found);
        self.cutting.work += work;
        let cuts = select(found, most, &self.x);
        let is_any = !cuts.is_empty();
        for cut in cuts {
            self.add_row(&cut.terms, cut.bound);
        }
        is_any
    }

    /// Cuts from single rows. Returns the work.
    fn round_rows(&self, found: &mut Vec<Cut>) -> u64 {
        let mut work = 0;
        for (at, source) in self.sources.iter().enumerate() {
            let &Source::Row { row, .. } = source else { continue };
            let is_plain = self.problem.rows.row(row as usize).iter().all(|t| t.1.abs() == 1);
            if is_plain || self.simplex.is_slack(at) {
                continue;
            }
            let mut sum = Aggregate::default();
            if sum.add(&self.problem, Origin::Row(row), -1).is_some() {
                work += sum.work();
                found.extend(sum.cut(&self.problem, &self.x, &[]));
            }
        }
        work
    }

    /// Cuts from rows of the tableau of half-integral rather than integral columns. Returns the work.
    fn round_lines(&mut self, origins: &[Origin], found: &mut Vec<Cut>) -> u64 {
        let mut work = 0;
        let halves = |&j: &u32| (self.x[j as usize].rem_euclid(1.0) - 0.5).abs();
        let mut columns: Vec<u32> = (0..self.x.len() as u32).filter(|j| halves(j) < 0.5 - OPEN).collect();
        columns.sort_by(|a, b| halves(a).total_cmp(&halves(b)).then(a.cmp(b)));
        columns.truncate(MAX_LINES);
        for column in columns {
            let Some(line) = self.simplex.line(column) else { continue };
            let multipliers: Vec<(Origin, f64)> = (origins.iter().zip(&self.sources).zip(&line))
                .map(|((&origin, source), &m)| match source {
                    Source::Row { divisor, .. } => (origin, m / divisor),
                    // Groups are rows with the other sign.
                    Source::Group => (origin, -m),
                })
                .filter(|m| m.1.abs() > 1e-9)
                .collect();
            let scale = common_scale(&multipliers);
            for sign in [1.0, -1.0] {
                let mut sum = Aggregate::default();
                let mut is_small = true;
                for &(origin, multiplier) in &multipliers {
                    let factor = (sign * multiplier * scale).round();
                    is_small &=
                        factor.abs() < MAX_FACTOR && sum.add(&self.problem, origin, factor as i64).is_some();
                }
                work += sum.work();
                if is_small {
                    found.extend(sum.cut(&self.problem, &self.x, &[scale as i128]));
                }
            }
        }
        work
    }
}

/// A scale that makes all multipliers integers, or nearly so.
fn common_scale(multipliers: &[(Origin, f64)]) -> f64 {
    let is_whole = |s: f64| multipliers.iter().all(|m| (m.1 * s - (m.1 * s).round()).abs() < 1e-5);
    (2..=MAX_COMMON).map(f64::from).find(|&s| is_whole(s)).unwrap_or(SCALE)
}
