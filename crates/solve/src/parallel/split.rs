//! Enumeration in several threads that divide the search space by guiding paths.
//!
//! A thread gives work away by assuming the first decision that it has not assumed yet; another thread gets its
//! complement together with all earlier assumptions, and with the decisions flipped after models. Projected models are
//! divided only at projected variables, so that no projection is found twice. Helpers begin when the main thread has
//! worked for a while; only the main thread reports. Invariant: the paths of all threads partition the search space.
//! Source: Gebser, Kaufmann and Schaub, *Multi-threaded ASP solving with clasp*, TPLP 2012.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::call::SolveCall;
use crate::call::drive::{Driver, Milestone};
use crate::call::tally::ModelPlace;
use crate::event::{Event, Flow, SolveResult};
use crate::options::{EnumMode, OptMode, SolveOptions};
use crate::parallel::path_queue::{Batch, Next, PathQueue};
use crate::parallel::threads::Threads;
use crate::statistics::Statistics;
use crate::translate::Translation;
use asp_base::interrupt::{Interrupt, StopReason};
use asp_engine::Outcome;
use asp_engine::store::literal::{Lit, Var};
use asp_program::Program;

/// Steps of the main thread before helpers begin: some ten milliseconds.
pub(crate) const STEPS_ALONE: u64 = 4_000_000;
/// Conflicts and steps between two checks whether others wait for work.
const SLICE: (u64, u64) = (500, 2_000_000);
/// Models reported together, and the steps after which fewer are.
const BATCH: (usize, u64) = (256, 500_000);

/// Whether threads divide the search space of a call: for enumerations, and on request.
pub(crate) fn applies(program: &Program, options: &SolveOptions) -> bool {
    let plain = matches!(options.enum_mode, EnumMode::Auto | EnumMode::Backtrack);
    let optimise = !program.objectives.is_empty() && matches!(options.opt_mode, OptMode::Opt | OptMode::OptN);
    let many = options.models.unwrap_or(1) != 1;
    options.threads > 1 && plain && !optimise && (many || options.split) && !options.limits_search()
}

/// One thread's part in an enumeration.
struct Share {
    queue: Arc<PathQueue>,
    /// Variables below this one are the same in all threads.
    vars: u32,
    /// The variables that distinguish models under projection.
    projection: Option<Vec<Var>>,
    /// Number of assumptions before those of a path.
    base: usize,
    stage: Stage,
    role: Role,
}

/// The next step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// Takes a path.
    Take,
    /// Searches on a path.
    Search,
    /// Excludes a model of the path.
    Leave,
}

/// The treatment of models.
enum Role {
    /// Reports them, including those of helpers, which start at `helpers_at` steps.
    Reporter { helpers_at: u64, reports: Reports },
    /// They are queued in batches, the last time at `handed` steps.
    Helper { found: Batch, handed: u64 },
}

/// Models of helpers waiting to be reported.
#[derive(Default)]
struct Reports {
    batches: VecDeque<Batch>,
    /// How many models of the first batch have been reported.
    reported: usize,
}

impl Reports {
    /// Puts the next model in place; `false` if there is none.
    fn next(&mut self, call: &mut SolveCall<'_>) -> bool {
        while let Some(batch) = self.batches.front() {
            if self.reported < batch.models {
                let (words, levels) = (call.t.atoms.as_slice().len().div_ceil(64), call.levels.len());
                call.costs.clear();
                call.costs.extend_from_slice(&batch.costs[self.reported * levels..][..levels]);
                let atoms = batch.atoms[self.reported * words..][..words].to_vec();
                self.reported += 1;
                call.note_model_at(ModelPlace::Packed(atoms), false);
                return true;
            }
            self.batches.pop_front();
            self.reported = 0;
        }
        false
    }
}

impl Threads<'_> {
    /// Runs the call with threads that divide the search space. Also returns the helpers' counters.
    pub(crate) fn divide(
        &self,
        t: &mut Translation,
        on_event: &mut dyn FnMut(Event<'_>) -> Flow,
    ) -> (SolveResult, Vec<Statistics>) {
        let threads = self.count();
        let queue = Arc::new(PathQueue::new());
        let interrupts: Vec<Interrupt> = (1..threads).map(|_| self.interrupt.child()).collect();
        // A translation that has grown has its own numbering of variables.
        let vars = t.shared_vars;
        if self.head_start == 0 {
            queue.start();
        }
        let result = std::thread::scope(|scope| {
            for (helper, interrupt) in interrupts.iter().enumerate().filter(|_| vars > 0) {
                let queue = queue.clone();
                scope.spawn(move || {
                    if queue.wait_for_start() {
                        self.help_to_divide(helper as u64 + 1, vars, &queue, interrupt);
                    }
                });
            }
            let helpers_at = t.engine.steps() + self.worth();
            let call = SolveCall::new(t, self.program, self.options, self.assumptions, self.interrupt);
            let role = Role::Reporter { helpers_at, reports: Reports::default() };
            let result = enumerate(call, vars, &queue, role, on_event);
            queue.stop();
            interrupts.iter().for_each(|i| i.stop(StopReason::Interrupted));
            result
        });
        (result, queue.helpers())
    }

    fn help_to_divide(&self, helper: u64, vars: u32, queue: &Arc<PathQueue>, interrupt: &Interrupt) {
        let options = &self.options_of(helper as usize);
        let mut t = Translation::with_search(self.program, options, self.stages, interrupt, |o| {
            o.seed = o.seed.wrapping_add(helper);
        });
        if t.shared_vars == vars && interrupt.poll().is_none() {
            let call = SolveCall::new(&mut t, self.program, options, self.assumptions, interrupt);
            let role = Role::Helper { found: Batch::default(), handed: 0 };
            enumerate(call, vars, queue, role, &mut |_| Flow::Continue);
        }
        queue.leave(t.statistics());
    }
}

/// Enumerates models, path by path, as long as there are any.
fn enumerate(
    mut call: SolveCall<'_>,
    vars: u32,
    queue: &Arc<PathQueue>,
    role: Role,
    on_event: &mut dyn FnMut(Event<'_>) -> Flow,
) -> SolveResult {
    call.restore();
    if !call.is_open() {
        call.result.exhausted = true;
        return call.finish();
    }
    if !call.levels.is_empty() && call.options.opt_mode == OptMode::Enum {
        call.limit_costs();
    }
    let projection = call.project();
    // A first assumption keeps flipped decisions from going below all assumptions.
    call.assumptions.push(call.t.atoms.truth);
    let base = call.assumptions.len();
    let mut share = Share { queue: queue.clone(), vars, projection, base, stage: Stage::Take, role };
    call.drive(&mut share, on_event);
    call.finish()
}

impl Driver for Share {
    fn next(&mut self, call: &mut SolveCall<'_>) -> Milestone {
        if call.has_enough() {
            self.halt(call);
            return Milestone::Done;
        }
        loop {
            if let Role::Reporter { reports, .. } = &mut self.role
                && reports.next(call)
            {
                return Milestone::Model;
            }
            match self.stage {
                Stage::Take => {
                    if !self.take_path(call) {
                        return Milestone::Done;
                    }
                }
                Stage::Leave => self.leave_model(call),
                Stage::Search => {
                    let slice = call.slice(SLICE.0, SLICE.1);
                    match call.search_within(&[], Some(slice)) {
                        Outcome::Sat if self.keep_model(call) => self.leave_model(call),
                        Outcome::Sat => {
                            self.stage = Stage::Leave;
                            call.note_model(false);
                            return Milestone::Model;
                        }
                        Outcome::Unsat => self.finish_path(call),
                        Outcome::Unknown(_) if call.result.stopped.is_some() => {
                            self.hand_over(call);
                            self.queue.stop();
                            return Milestone::Stopped;
                        }
                        Outcome::Unknown(_) => {
                            self.hand_over(call);
                            self.look_around(call);
                        }
                    }
                }
            }
        }
    }

    fn halt(&mut self, call: &mut SolveCall<'_>) {
        if self.stage == Stage::Leave {
            call.result.exhausted = !self.exclude_model(call) && self.queue.is_last();
        }
        self.queue.stop();
    }
}

impl Share {
    /// Takes a path, or models of helpers; `false` if nothing is left.
    fn take_path(&mut self, call: &mut SolveCall<'_>) -> bool {
        let path = match &mut self.role {
            Role::Helper { .. } => self.queue.take(),
            Role::Reporter { reports, .. } => match self.queue.next() {
                Next::Path(path) => Some(path),
                Next::Models(batches) => {
                    reports.batches.extend(batches);
                    return true;
                }
                Next::Over(complete) => {
                    call.result.exhausted = complete;
                    if !complete {
                        call.note_interrupt();
                    }
                    None
                }
            },
        };
        let Some(path) = path else { return false };
        call.assumptions.truncate(self.base);
        call.assumptions.extend(path);
        call.t.engine.reset_enumeration();
        self.stage = Stage::Search;
        true
    }

    fn finish_path(&mut self, call: &mut SolveCall<'_>) {
        self.hand_over(call);
        self.queue.finish_path();
        self.stage = Stage::Take;
    }

    /// Continues after a model.
    fn leave_model(&mut self, call: &mut SolveCall<'_>) {
        if self.exclude_model(call) { self.look_around(call) } else { self.finish_path(call) }
    }

    /// Excludes the last model; returns whether the path may have another one.
    fn exclude_model(&self, call: &mut SolveCall<'_>) -> bool {
        match &self.projection {
            Some(vars) => call.t.engine.backtrack_projected(vars, None),
            None => call.t.engine.backtrack_model(),
        }
    }

    /// Between two searches on a path: collects models of helpers, starts helpers, gives work away.
    fn look_around(&mut self, call: &mut SolveCall<'_>) {
        self.stage = Stage::Search;
        if let Role::Reporter { helpers_at, reports } = &mut self.role {
            if self.queue.is_laden() {
                reports.batches.extend(self.queue.models());
            }
            if call.t.engine.steps() >= *helpers_at {
                *helpers_at = u64::MAX;
                self.queue.start();
            }
        }
        if self.queue.is_hungry()
            && let Some(path) = call.t.engine.split(self.base, self.vars, self.projection.as_deref())
        {
            call.assumptions.clear();
            call.assumptions.extend_from_slice(call.t.engine.assumed());
            self.queue.give(path);
        }
    }

    /// Keeps a helper's model until it is queued; `false` if it is to be reported directly.
    fn keep_model(&mut self, call: &mut SolveCall<'_>) -> bool {
        let Role::Helper { found, handed } = &mut self.role else { return false };
        let (literals, values) = (call.t.atoms.as_slice(), call.t.engine.values());
        found.atoms.extend(literals.chunks(64).map(|chunk| {
            let bit = |(i, l): (usize, &Lit)| u64::from(values[l.code()] > 0) << i;
            chunk.iter().enumerate().map(bit).sum::<u64>()
        }));
        found.costs.extend_from_slice(&call.costs);
        found.models += 1;
        if found.models >= BATCH.0 || call.t.engine.steps() >= *handed + BATCH.1 {
            self.hand_over(call);
        }
        true
    }

    /// Queues what a helper has found.
    fn hand_over(&mut self, call: &SolveCall<'_>) {
        let Role::Helper { found, handed } = &mut self.role else { return };
        *handed = call.t.engine.steps();
        if found.models > 0 {
            self.queue.report(std::mem::take(found));
        }
    }
}
