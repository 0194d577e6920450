//! Enumeration in several threads that divide the search space by guiding paths.
//!
//! A thread gives work away by assuming the first decision that it has not assumed yet and handing its complement, with
//! all that is assumed before, to another one. Decisions that were flipped behind models are handed over with them.
//! Projected models are divided only at projected variables, so that no projection is found twice. Helpers begin when the
//! caller's thread has worked for a while; only it reports.
//! Invariant: the paths of all threads exclude each other and leave nothing out.
//! Source: Gebser, Kaufmann and Schaub, *Multi-threaded ASP solving with clasp*, TPLP 2012.

use std::sync::Arc;

use crate::base::interrupt::{Interrupt, StopReason};
use crate::program::Program;
use crate::solve::engine::store::assignment::Reason;
use crate::solve::engine::store::literal::{Lit, Var};
use crate::solve::engine::{Engine, Outcome};
use crate::solve::parallel::Threads;
use crate::solve::parallel::pool::{Batch, Next, Pool};
use crate::solve::session::run::Run;
use crate::solve::translate::Translation;
use crate::solve::{Control, EnumMode, Event, OptMode, SolveOptions, SolveResult, Statistics};

/// Steps of the caller's thread before helpers begin: some ten milliseconds.
pub(crate) const PATIENCE: u64 = 4_000_000;
/// Conflicts and steps between two looks at whether others wait for work.
const SLICE: (u64, u64) = (500, 2_000_000);
/// Models that are handed over together, or as many as are found in so many steps.
const BATCH: (usize, u64) = (256, 500_000);

/// Whether the search space of a call is divided among threads: that of enumerations, and where it is asked for.
pub(crate) fn applies(program: &Program, options: &SolveOptions) -> bool {
    let plain = matches!(options.enum_mode, EnumMode::Auto | EnumMode::Backtrack);
    let optimise = !program.objectives.is_empty() && matches!(options.opt_mode, OptMode::Opt | OptMode::OptN);
    let many = options.models.unwrap_or(1) != 1;
    options.threads > 1
        && plain
        && !optimise
        && (many || options.split)
        && options.conflict_limit == 0
        && options.restart_limit == 0
}

/// One thread's part in an enumeration.
pub(crate) struct Share {
    pool: Arc<Pool>,
    /// Variables below are the same ones in all threads.
    vars: u32,
    /// Models that were found and not handed over yet; `None` in the thread that reports.
    found: Option<Batch>,
    /// Steps at which they were last handed over.
    handed: u64,
    /// Steps at which helpers are called for.
    patience: u64,
}

/// How a path ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ended {
    Exhausted,
    /// By a limit, an interrupt or the receiver of events.
    Stopped,
}

impl Threads<'_> {
    /// Runs the call with threads that divide the search space. Returns what the helpers counted, too.
    pub(crate) fn divide(
        &self,
        t: &mut Translation,
        on_event: &mut dyn FnMut(Event<'_>) -> Control,
    ) -> (SolveResult, Vec<Statistics>) {
        let threads = self.count();
        let pool = Arc::new(Pool::new());
        let interrupts: Vec<Interrupt> = (1..threads).map(|_| self.interrupt.child()).collect();
        // A translation that has grown numbers its variables in its own way.
        let vars = t.shared_vars;
        if self.patience == 0 {
            pool.start();
        }
        let result = std::thread::scope(|scope| {
            for (helper, interrupt) in interrupts.iter().enumerate().filter(|_| vars > 0) {
                let pool = pool.clone();
                scope.spawn(move || {
                    if pool.wait_for_start() {
                        self.help_to_divide(helper as u64 + 1, vars, &pool, interrupt);
                    }
                });
            }
            let patience = t.engine.steps() + self.worth();
            let mut run = Run::new(t, self.program, self.options, self.assumptions, self.interrupt, on_event);
            run.share = Some(Share { pool: pool.clone(), vars, found: None, handed: 0, patience });
            let result = run.solve();
            pool.stop();
            interrupts.iter().for_each(|i| i.stop(StopReason::Interrupted));
            result
        });
        (result, pool.helpers())
    }

    fn help_to_divide(&self, helper: u64, vars: u32, pool: &Arc<Pool>, interrupt: &Interrupt) {
        let options = &self.options_of(helper as usize);
        let mut t = Translation::with_search(self.program, options, self.parts, interrupt, |o| {
            o.seed = o.seed.wrapping_add(helper);
        });
        if t.shared_vars == vars && interrupt.poll().is_none() {
            let mut ignore = |_: Event<'_>| Control::Continue;
            let mut run = Run::new(&mut t, self.program, options, self.assumptions, interrupt, &mut ignore);
            let found = Some(Batch::default());
            run.share = Some(Share { pool: pool.clone(), vars, found, handed: 0, patience: u64::MAX });
            let _ = run.solve();
        }
        pool.leave(t.statistics());
    }
}

impl Run<'_> {
    /// Enumerates models, path by path, as long as there are any.
    pub(crate) fn enumerate_paths(&mut self, mut share: Share) {
        let projection = self.projection();
        let vars: Option<Vec<Var>> = projection.map(|lits| lits.iter().map(|l| l.var()).collect());
        if let Some(vars) = &vars {
            self.t.engine.set_projection(vars);
        }
        // With a first assumption, flipped decisions never come to stand below all assumptions.
        self.assumptions.push(self.t.atoms.truth);
        let base = self.assumptions.len();
        loop {
            let path = if share.found.is_some() {
                match share.pool.take() {
                    Some(path) => path,
                    None => break,
                }
            } else {
                match share.pool.next() {
                    Next::Path(path) => path,
                    Next::Models(batches) => {
                        if !self.report_batches(&batches) {
                            share.pool.stop();
                            break;
                        }
                        continue;
                    }
                    Next::Over(complete) => {
                        self.result.exhausted = complete && self.result.stopped.is_none();
                        if let Some(reason) = self.interrupt.poll().filter(|_| !complete) {
                            self.stop(reason);
                        }
                        break;
                    }
                }
            };
            self.assumptions.truncate(base);
            self.assumptions.extend(path);
            self.t.engine.reset_enumeration();
            let ended = self.enumerate_path(&mut share, base, vars.as_deref());
            self.hand_over(&mut share);
            if ended == Ended::Stopped {
                share.pool.stop();
                break;
            }
            share.pool.finish_path();
        }
        self.assumptions.truncate(base - 1);
    }

    fn enumerate_path(&mut self, share: &mut Share, base: usize, vars: Option<&[Var]>) -> Ended {
        loop {
            let slice = self.slice(SLICE.0, SLICE.1);
            match self.search_within(&[], Some(slice)) {
                Outcome::Sat => {
                    let goes_on = self.note_found(share);
                    let more = match vars {
                        Some(vars) => self.t.engine.backtrack_projected(vars),
                        None => self.t.engine.backtrack_model(),
                    };
                    if !goes_on {
                        self.result.exhausted = !more && share.pool.is_last();
                        return Ended::Stopped;
                    }
                    if !more {
                        return Ended::Exhausted;
                    }
                }
                Outcome::Unsat => return Ended::Exhausted,
                Outcome::Unknown(_) if self.result.stopped.is_some() => return Ended::Stopped,
                Outcome::Unknown(_) => self.hand_over(share),
            }
            if share.found.is_none() {
                if share.pool.is_laden() && !self.report_batches(&share.pool.models()) {
                    return Ended::Stopped;
                }
                if self.t.engine.steps() >= share.patience {
                    share.patience = u64::MAX;
                    share.pool.start();
                }
            }
            if share.pool.is_hungry()
                && let Some(path) = self.t.engine.split(base, share.vars, vars)
            {
                self.assumptions.clear();
                self.assumptions.extend_from_slice(self.t.engine.assumed());
                share.pool.give(path);
            }
        }
    }

    /// Reports a model here, or keeps it until it is handed over. `false`: stop now.
    fn note_found(&mut self, share: &mut Share) -> bool {
        let Some(batch) = &mut share.found else {
            return self.report(false) && !self.has_enough();
        };
        let (literals, values) = (self.literals(), self.t.engine.values());
        batch.atoms.extend(literals.chunks(64).map(|chunk| {
            let bit = |(i, l): (usize, &Lit)| u64::from(values[l.code()] > 0) << i;
            chunk.iter().enumerate().map(bit).sum::<u64>()
        }));
        batch.costs.extend_from_slice(&self.costs);
        batch.models += 1;
        if batch.models >= BATCH.0 || self.t.engine.steps() >= share.handed + BATCH.1 {
            self.hand_over(share);
        }
        true
    }

    /// Hands over what a helper has found.
    fn hand_over(&mut self, share: &mut Share) {
        share.handed = self.t.engine.steps();
        if let Some(found) = share.found.as_mut().filter(|f| f.models > 0) {
            share.pool.report(std::mem::take(found));
        }
    }

    fn has_enough(&self) -> bool {
        self.wanted != 0 && self.result.models >= self.wanted
    }

    /// Reports what helpers have found. `false`: stop now.
    fn report_batches(&mut self, batches: &[Batch]) -> bool {
        for batch in batches {
            let (words, levels) = (self.literals().len().div_ceil(64), self.levels.len());
            for model in 0..batch.models {
                self.costs.clear();
                self.costs.extend_from_slice(&batch.costs[model * levels..][..levels]);
                if !self.report_packed(&batch.atoms[model * words..][..words]) || self.has_enough() {
                    return false;
                }
            }
        }
        true
    }
}

impl Engine {
    /// Assumes the first decision that is not assumed yet and gives the other side away: what is to be assumed there behind
    /// the first `base` assumptions. `None` if that cannot be told to other threads, or would divide models that are the
    /// same under projection.
    pub(crate) fn split(&mut self, base: usize, shared: u32, projected: Option<&[Var]>) -> Option<Vec<Lit>> {
        let level = self.assumptions.len() as u32;
        if self.level() <= level || self.level() <= self.floor_level() && self.floor_level() <= level {
            return None;
        }
        let decision = self.assignment.decision(level + 1)?;
        if projected.is_some_and(|vars| !vars.contains(&decision.var())) {
            return None;
        }
        let mut path: Vec<Lit> = self.assumptions[base..].to_vec();
        let (from, to) = (self.assignment.level_start(1), self.assignment.level_start(level + 1));
        let flipped = self.assignment.trail[from as usize..to as usize].iter().copied();
        path.extend(flipped.filter(|&l| self.assignment.reason_of(l) == Reason::NONE));
        path.push(!decision);
        if path.iter().any(|l| l.var().0 >= shared) {
            return None;
        }
        self.assumptions.push(decision);
        Some(path)
    }

    /// What is assumed.
    pub(crate) fn assumed(&self) -> &[Lit] {
        &self.assumptions
    }
}
