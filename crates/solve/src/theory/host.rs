//! The engine's propagator for all user-defined theories.
//!
//! Invariant: while a theory's function runs, the theories are locked, and nothing that it may call reaches another theory's
//! function.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::theory::assignment::Assignment;
use crate::theory::journal::{self, Entry};
use crate::theory::member::Member;
use crate::theory::search::Search;
use crate::theory::setup::{Cost, Setup};
use crate::theory::state::{Slot, State};
use crate::theory::{CheckMode, Failure};
use crate::translate::Translation;
use asp_engine::propagator::{Conflict, Context, Halt, Propagator, View};
use asp_engine::store::literal::Lit;
use asp_program::Literal;

/// All theories of a control.
#[derive(Default)]
pub struct Theories {
    state: State,
    members: Vec<Box<dyn Member>>,
    /// The error of a theory.
    failed: Option<Failure>,
    /// The thread whose model was reported last.
    reported: u32,
}

impl Theories {
    /// Takes the error of a theory.
    pub fn take_failure(&mut self) -> Option<Failure> {
        self.failed.take()
    }
    /// The thread whose model was reported last. Its theories keep their state until the call continues.
    pub fn reported(&self) -> u32 {
        self.reported
    }
    /// Whether each theory works in several threads.
    pub(crate) fn forks(&self) -> bool {
        self.members.iter().all(|theory| theory.fork(1).is_some())
    }
    /// The program's literal that a number stands for, if it is one.
    pub fn program_literal(&self, number: i32) -> Option<Literal> {
        self.state.numbers.program_literal(number)
    }
    /// Adds a theory.
    pub fn add(&mut self, theory: Box<dyn Member>) {
        let mut slot = Slot::default();
        slot.check = CheckMode { fixpoints: false, total: true };
        self.state.slots.push(slot);
        self.members.push(theory);
    }
    /// Calls a theory's function.
    fn call(
        &mut self,
        member: usize,
        context: &mut Context<'_>,
        call: impl FnOnce(&mut dyn Member, &mut Search<'_, '_>) -> Result<(), Failure>,
    ) -> Result<(), Conflict> {
        self.state.numbers.sync(context.engine);
        let mut search = Search { context, state: &mut self.state, member, conflict: None };
        let result = call(&mut *self.members[member], &mut search);
        let conflict = search.conflict;
        match (result, conflict) {
            (Err(failure), _) => {
                self.failed = Some(failure);
                Err(context.halt())
            }
            (Ok(()), Some(conflict)) => Err(conflict),
            (Ok(()), None) => Ok(()),
        }
    }
    /// Calls a theory's `check`.
    fn check(&mut self, member: usize, context: &mut Context<'_>) -> Result<(), Conflict> {
        self.state.slots[member].note_check(context.level());
        self.call(member, context, |theory, search| theory.check(search))
    }
    /// Calls one theory after the other, until one of them adds something or none does.
    fn propagate(&mut self, context: &mut Context<'_>, changed: &[Lit]) -> Result<(), Conflict> {
        if self.failed.is_some() {
            return Err(context.halt());
        }
        self.state.distribute(changed, context.level());
        if let Some((clause, keep)) = self.state.waiting.take() {
            context.stay();
            context.call_again();
            let assigned = context.view().assignment.trail.len();
            let added = context.add_clause(&clause, keep);
            self.state.is_refuted |= added.is_err() && context.level() == 0;
            added?;
            if context.view().assignment.trail.len() > assigned {
                return Ok(());
            }
        }
        for member in 0..self.members.len() {
            loop {
                let assigned = context.view().assignment.trail.len();
                let slot = &mut self.state.slots[member];
                if let Some(changes) = slot.tell() {
                    self.call(member, context, |theory, search| theory.propagate(search, &changes))?;
                } else if slot.is_check_due(assigned) {
                    self.check(member, context)?;
                } else {
                    break;
                }
                if self.state.waiting.is_some() {
                    return Ok(());
                }
                if context.view().assignment.trail.len() > assigned {
                    context.call_again();
                    return Ok(());
                }
            }
        }
        Ok(())
    }
    /// Asks for consent to a total assignment.
    fn check_total(&mut self, context: &mut Context<'_>) -> Result<(), Conflict> {
        if self.failed.is_some() {
            return Err(context.halt());
        }
        for member in 0..self.members.len() {
            if self.state.slots[member].check.total {
                self.check(member, context)?;
                if !context.view().assignment.is_total() || self.state.waiting.is_some() {
                    break;
                }
            }
        }
        Ok(())
    }
    fn leave(&mut self, view: View<'_>, level: u32) {
        let State { slots, numbers, .. } = &mut self.state;
        while let Some(next) = slots.iter().filter_map(|slot| slot.next_to_undo(level)).max() {
            for (slot, theory) in slots.iter_mut().zip(&mut self.members).rev() {
                if slot.next_to_undo(level) == Some(next)
                    && let Some(changes) = slot.undo(next)
                {
                    theory.undo(Assignment::leaving(view, numbers, next), &changes);
                }
            }
        }
        slots.iter_mut().for_each(Slot::forget_check);
    }
    fn decide(&mut self, view: View<'_>, own: Lit) -> Result<Lit, Failure> {
        let numbers = &self.state.numbers;
        for theory in self.members.iter_mut().filter(|theory| theory.decides()) {
            let answer = theory.decide(Assignment::new(view, numbers, false), numbers.number(own))?;
            if answer != 0 {
                return Ok(numbers.lit(answer).unwrap_or(own));
            }
        }
        Ok(own)
    }
}

/// How a call ended for the theories.
#[derive(Default)]
pub(crate) struct Ended {
    /// A clause that has not been added yet.
    pub(crate) waiting: Option<Vec<Lit>>,
    /// Literals that are false from now on.
    pub(crate) gone: Vec<Lit>,
    /// Whether there is no model in any further call.
    pub(crate) is_refuted: bool,
    /// Whether a theory has failed.
    pub(crate) has_failed: bool,
}

/// The theories as a propagator of the engine. Others hold them too.
#[derive(Clone)]
pub struct Host(Arc<Mutex<Theories>>);

impl Host {
    /// A host of some theories.
    pub fn new(theories: &Arc<Mutex<Theories>>) -> Self {
        Self(theories.clone())
    }
    /// The theories, locked: no thread propagates with them meanwhile.
    pub fn theories(&self) -> MutexGuard<'_, Theories> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// Adds the theories to a translation, if they are new there, and initialises each for a call. Returns their costs.
    pub fn set_up(
        &self,
        t: &mut Translation,
        threads: u32,
        mut call: impl FnMut(&mut dyn Member, &mut Setup<'_>) -> Result<(), Failure>,
    ) -> Result<Vec<Cost>, Failure> {
        let mut costs = Vec::new();
        t.engine.reset_enumeration();
        let (id, is_new) = t.host_theories(|| Box::new(self.clone()));
        let theories = &mut *self.theories();
        if is_new {
            theories.state.renew(t, id);
        }
        theories.failed = None;
        theories.reported = 0;
        theories.state.set_threads(threads as usize);
        theories.state.numbers.sync(&t.engine);
        for (member, theory) in theories.members.iter_mut().enumerate() {
            theories.state.slots[member].forget_check();
            let mut setup = Setup { t, state: &mut theories.state, id, member, costs: Vec::new() };
            let result = call(&mut **theory, &mut setup);
            costs.append(&mut setup.costs);
            result?;
        }
        Ok(costs)
    }
    /// Makes numbers and literals of the program equivalent, permanently. Since theories were set up, the program has grown, and
    /// may have been translated anew.
    pub fn tie(&self, t: &mut Translation, ties: &[(i32, Literal)]) {
        let (id, is_new) = t.host_theories(|| Box::new(self.clone()));
        let theories = &mut *self.theories();
        if is_new {
            theories.state.renew(t, id);
        }
        for &(number, literal) in ties {
            let atom = theories.state.numbers.of_literal(literal, t);
            for clause in [[number, -atom], [-number, atom]] {
                let entry = Entry::Clause(clause.to_vec());
                t.ok &= t.ok && journal::add(&entry, &mut theories.state.numbers, t) == Ok(true);
                theories.state.journal.note(entry);
            }
        }
    }
    /// The thread whose model is reported now.
    pub(crate) fn report(&self, thread: u32) {
        self.theories().reported = thread;
    }
    /// The host of the same theories in a helping thread, brought into its translation.
    pub(crate) fn fork(&self, thread: u32, t: &mut Translation) -> Fork {
        let (theories, journal, numbers) = {
            let mut theories = self.theories();
            let members = theories.members.iter().filter_map(|theory| theory.fork(thread)).collect();
            let state = theories.state.fork(thread);
            let (journal, numbers) = (state.journal.len(), state.numbers.len());
            (Theories { state, members, ..Theories::default() }, journal, numbers)
        };
        let host = Self(Arc::new(Mutex::new(theories)));
        let (id, _) = t.host_theories(|| Box::new(host.clone()));
        host.theories().state.renew(t, id);
        Fork { from: self.clone(), host, journal, numbers }
    }
    /// The literal that the clauses of a call hold under.
    pub(crate) fn begin_call(&self, guard: Lit) {
        self.theories().state.guard = guard;
    }
    /// Forgets what was added for the call.
    pub(crate) fn end_call(&self) -> Ended {
        let mut theories = self.theories();
        let waiting = theories.state.waiting.take().map(|(clause, _)| clause);
        let gone = theories.state.numbers.end_call();
        Ended { waiting, gone, is_refuted: theories.state.is_refuted, has_failed: theories.failed.is_some() }
    }
}

/// The theories of a helper thread. When it is dropped, the main ones get its state and its errors.
pub(crate) struct Fork {
    from: Host,
    host: Host,
    /// How many entries and numbers there were when it began.
    journal: usize,
    numbers: usize,
}

impl Fork {
    /// Whether a theory has failed.
    pub(crate) fn has_failed(&self) -> bool {
        self.host.theories().failed.is_some()
    }
}

impl Drop for Fork {
    fn drop(&mut self) {
        let own = std::mem::take(&mut *self.host.theories());
        let mut theories = self.from.theories();
        theories.state.join(own.state, self.journal, self.numbers);
        theories.failed = theories.failed.take().or(own.failed);
    }
}

impl Propagator for Host {
    fn attach(&mut self, context: &mut Context<'_>) {
        context.follow_levels();
        context.offer_decisions();
    }
    fn propagate(&mut self, context: &mut Context<'_>, changed: &[Lit]) -> Result<(), Conflict> {
        self.theories().propagate(context, changed)
    }
    fn explain(&mut self, _: View<'_>, _: Lit, _: u32, _: &mut Vec<Lit>) {}
    fn leave(&mut self, view: View<'_>, level: u32) {
        self.theories().leave(view, level);
    }
    fn decide(&mut self, view: View<'_>, own: Lit) -> Result<Lit, Halt> {
        let mut theories = self.theories();
        theories.decide(view, own).map_err(|failure| {
            theories.failed = Some(failure);
            Halt
        })
    }
    fn check_model(&mut self, context: &mut Context<'_>) -> Result<(), Conflict> {
        self.theories().check_total(context)
    }
    fn priority(&self) -> u32 {
        1000
    }
    fn is_eager(&self) -> bool {
        true
    }
}
