//! A pulled solve call: each step continues up to the next thing to report.
//!
//! Invariant: a model stays in place until the next step; when the call is dropped, the translation is as if it had
//! ended.

use crate::call::SolveCall;
use crate::call::drive::{Driver, Milestone};
use crate::event::{Event, Flow, Model, SolveResult};
use crate::optimize::{Competition, Optimisation};
use crate::options::OptMode;
use crate::session::consequences::Consequences;
use crate::session::enumerate::Enumeration;
use asp_base::interrupt::StopReason;
use asp_program::Literal;

/// The driver of each mode.
enum Mode {
    /// Translation or preprocessing has found that there is no model.
    Closed,
    Enumerate(Enumeration),
    Consequences(Consequences),
    Optimise(Box<Optimisation>),
}

impl Mode {
    /// The mode in which a call begins.
    fn of(call: &mut SolveCall<'_>, competition: Option<Competition>) -> Self {
        call.may_break_symmetries();
        call.eliminate();
        if !call.is_open() {
            call.result.exhausted = true;
            return Self::Closed;
        }
        if call.optimises() {
            return Self::Optimise(Box::new(Optimisation::new(call, competition)));
        }
        if !call.levels.is_empty() && call.options.opt_mode == OptMode::Enum {
            call.limit_costs();
        }
        Self::models(call, false)
    }

    /// Models one by one, or their consequences; `optimal`: all models are known to be optimal.
    fn models(call: &mut SolveCall<'_>, optimal: bool) -> Self {
        if call.wants_consequences() {
            Self::Consequences(Consequences::new(call, optimal))
        } else {
            Self::Enumerate(Enumeration::new(call, optimal))
        }
    }

    /// Optimises; once the optimum is proven, continues with the optimal models if they are wanted.
    fn optimise(&mut self, call: &mut SolveCall<'_>) -> Milestone {
        let Self::Optimise(optimisation) = self else { return Milestone::Done };
        let step = optimisation.next(call);
        if step == Milestone::Done && optimisation.keep_optimal(call) {
            *self = Self::models(call, true);
            return self.next(call);
        }
        step
    }
}

impl Driver for Mode {
    #[inline]
    fn next(&mut self, call: &mut SolveCall<'_>) -> Milestone {
        match self {
            Self::Closed => Milestone::Done,
            Self::Enumerate(enumeration) => enumeration.next(call),
            Self::Consequences(consequences) => consequences.next(call),
            Self::Optimise(_) => self.optimise(call),
        }
    }

    fn halt(&mut self, call: &mut SolveCall<'_>) {
        match self {
            Self::Closed | Self::Consequences(_) => {}
            Self::Enumerate(enumeration) => enumeration.halt(call),
            Self::Optimise(optimisation) => optimisation.halt(call),
        }
    }
}

/// A call in one thread.
pub struct Solving<'a> {
    call: SolveCall<'a>,
    mode: Mode,
    /// Whether the model in place is the last one that is wanted.
    is_last: bool,
    is_over: bool,
}

impl<'a> Solving<'a> {
    /// Begins a call; other threads may compete with it for an optimum.
    pub(crate) fn new(mut call: SolveCall<'a>, competition: Option<Competition>) -> Self {
        let mode = Mode::of(&mut call, competition);
        Self { call, mode, is_last: false, is_over: false }
    }

    /// Continues up to the next thing to report. After [`Milestone::Stopped`], the search continues where it was.
    pub fn advance(&mut self) -> Milestone {
        if self.is_over {
            return Milestone::Done;
        }
        if self.is_last {
            self.mode.halt(&mut self.call);
            self.is_over = true;
            return Milestone::Done;
        }
        let step = self.mode.next(&mut self.call);
        self.is_last = self.call.ends_with(step);
        self.is_over = step == Milestone::Done;
        step
    }

    /// The report of the last step; `None` at the end, or if the search was stopped.
    pub fn event(&self, step: Milestone) -> Option<Event<'_>> {
        self.call.event(step)
    }

    /// Why the search was stopped, if the last step was [`Milestone::Stopped`].
    pub fn stopped(&self, step: Milestone) -> Option<StopReason> {
        self.call.result.stopped.filter(|_| step == Milestone::Stopped)
    }

    /// The last model.
    pub fn model(&self) -> Model<'_> {
        self.call.model()
    }

    /// See [`SolveCall::demand`].
    pub fn demand(&mut self, literals: &[Literal]) {
        self.call.demand(literals);
    }

    /// The result so far.
    pub fn result(&self) -> &SolveResult {
        &self.call.result
    }

    /// At the end without a model: assumptions that cannot hold together.
    pub fn core(&self) -> Vec<Literal> {
        self.call.core()
    }

    /// Ends the call, whether anything is left or not.
    pub fn finish(mut self) -> SolveResult {
        if !self.is_over {
            self.mode.halt(&mut self.call);
        }
        self.call.finish()
    }

    /// Reports everything to a receiver, until nothing is left or the receiver stops.
    pub(crate) fn run(mut self, on_event: &mut dyn FnMut(Event<'_>) -> Flow) -> SolveResult {
        self.call.drive(&mut self.mode, on_event);
        self.call.finish()
    }
}
