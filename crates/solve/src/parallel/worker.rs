//! A pulled call with several threads: a worker runs it and sends its events through a channel.
//!
//! Invariant: the worker is at most one event ahead, or none with user-defined theories; after it is dropped, its owner has the
//! session again.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::event::{Atoms, Event, Flow, Model, SolveResult};
use crate::options::SolveOptions;
use crate::session::Session;
use asp_base::interrupt::{Interrupt, StopReason};
use asp_program::{Literal, Program};

/// How often the caller's flag is polled while waiting: it may have a question for the caller's thread.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A model with data of its own.
struct OwnModel {
    number: u64,
    atoms: Vec<bool>,
    shown: Vec<bool>,
    ranges: Vec<Option<(i64, i64)>>,
    costs: Vec<i64>,
    optimal: bool,
    consequences: Option<(u64, u64)>,
    found: Instant,
}

/// An event sent through the channel.
enum Message {
    Model(OwnModel),
    Optimum,
    LowerBound(Vec<i64>),
}

impl Message {
    fn of(event: Event<'_>, program: &Program) -> Self {
        match event {
            Event::Model(m) => Self::Model(OwnModel {
                number: m.number,
                atoms: program.atoms.ids().map(|a| m.contains(a)).collect(),
                shown: m.shown.to_vec(),
                ranges: m.ranges.to_vec(),
                costs: m.costs.to_vec(),
                optimal: m.optimal,
                consequences: m.consequences,
                found: m.found,
            }),
            Event::Optimum => Self::Optimum,
            Event::LowerBound(bounds) => Self::LowerBound(bounds.to_vec()),
        }
    }

    fn event(&self) -> Event<'_> {
        match self {
            Self::Model(m) => Event::Model(Model {
                number: m.number,
                atoms: Atoms::Listed(&m.atoms),
                shown: &m.shown,
                ranges: &m.ranges,
                costs: &m.costs,
                optimal: m.optimal,
                consequences: m.consequences,
                found: m.found,
            }),
            Self::Optimum => Event::Optimum,
            Self::LowerBound(bounds) => Event::LowerBound(bounds),
        }
    }
}

/// A call in progress. The worker has the session and the program until it ends.
pub struct Worker<'a> {
    session_slot: &'a mut Session,
    program_slot: &'a mut Program,
    /// The program that the worker solves.
    program: Arc<Program>,
    interrupt: Interrupt,
    /// `None` at the end.
    events: Option<Receiver<Option<Message>>>,
    thread: Option<JoinHandle<(Session, SolveResult)>>,
    last: Option<Message>,
    result: SolveResult,
}

impl<'a> Worker<'a> {
    /// Begins a call.
    pub fn start(
        session_slot: &'a mut Session,
        program_slot: &'a mut Program,
        options: &SolveOptions,
        assumptions: &[Literal],
        interrupt: &Interrupt,
    ) -> Self {
        // Theories stay as they are while the caller looks at a model.
        let waits = session_slot.has_callers();
        let interrupt = interrupt.child();
        let program = Arc::new(std::mem::take(program_slot));
        let mut session = std::mem::take(session_slot);
        let (sender, events) = sync_channel(usize::from(!waits));
        let thread = std::thread::spawn({
            let (program, interrupt) = (program.clone(), interrupt.clone());
            let (options, assumptions) = (options.clone(), assumptions.to_vec());
            move || {
                let mut send = |event: Event<'_>| {
                    let message = Message::of(event, &program);
                    let seen = sender.send(Some(message)).is_ok() && (!waits || sender.send(None).is_ok());
                    if seen { Flow::Continue } else { Flow::Stop }
                };
                let result = session.solve(&program, &options, &assumptions, &interrupt, &mut send);
                (session, result)
            }
        });
        let (events, thread) = (Some(events), Some(thread));
        let result = SolveResult::default();
        Self { session_slot, program_slot, program, interrupt, events, thread, last: None, result }
    }

    /// The ground program that all threads search.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Waits for the next event; `None` if the call has ended.
    pub fn next_event(&mut self) -> Option<Event<'_>> {
        self.last = self.events.as_ref().and_then(|events| {
            loop {
                match events.recv_timeout(POLL_INTERVAL) {
                    // The caller has looked at the last event for long enough.
                    Ok(None) => continue,
                    Ok(message) => return message,
                    Err(RecvTimeoutError::Timeout) => self.interrupt.poll(),
                    Err(RecvTimeoutError::Disconnected) => return None,
                };
            }
        });
        if self.last.is_none() {
            self.join();
        }
        self.last.as_ref().map(Message::event)
    }

    /// The last event.
    pub fn event(&self) -> Option<Event<'_>> {
        self.last.as_ref().map(Message::event)
    }

    /// The result of the call; empty before its end.
    pub fn result(&self) -> &SolveResult {
        &self.result
    }

    /// Ends the call, whether anything is left or not.
    pub fn finish(mut self) -> SolveResult {
        self.halt();
        std::mem::take(&mut self.result)
    }

    fn halt(&mut self) {
        if self.thread.is_some() {
            self.events = None;
            self.interrupt.stop(StopReason::Interrupted);
            self.join();
        }
    }

    /// Takes the session and the program back.
    fn join(&mut self) {
        self.events = None;
        // If the worker panicked, the session is lost: the next one translates everything again.
        if let Some(Ok((session, result))) = self.thread.take().map(JoinHandle::join) {
            *self.session_slot = session;
            self.result = result;
        }
    }
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        self.halt();
        *self.program_slot = Arc::unwrap_or_clone(std::mem::take(&mut self.program));
    }
}
