//! The main loop: messages in their order, one worker for reviews, one for each question.
//!
//! Invariants: every request has one response, an error if it was cancelled or the text changed under it; work is stopped
//! when its text changes, its request is cancelled or its time is over; nothing but a broken connection or `exit` ends the loop.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Instant;

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId};
use lsp_types::{DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, Uri};
use serde_json::{Value, json};

use super::actions;
use super::client::{Client, Refusal, seconds};
use super::documents::Documents;
use super::reviewer::{self, Reviewed, Reviewer, Taken};
use super::transport::{self, Incoming};
use crate::run::{Answer, Last};
use asp_base::interrupt::{Interrupt, StopReason};
use asp_base::threads;
use asp_run::stderr::tell_error;

/// The response to a request.
pub(super) enum Reply {
    Now(Result<Value, Refusal>),
    /// When the review of the text is there.
    Wait(Uri),
    /// When its worker is done.
    Working,
}

pub(super) enum Event {
    Incoming(Incoming),
    /// The connection is broken.
    Broken(io::Error),
    /// A worker reviews a program.
    Review(Reviewed),
    /// A question is answered; none if that failed.
    Answer(RequestId, Option<Told>),
}

/// The result of a question.
pub(super) enum Told {
    /// The answer that a lens asked for.
    Answer(Answer),
    /// A hover.
    Hover(Value),
}

/// How far the life of the connection has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Life {
    New,
    Running,
    ShutDown,
}

pub(super) struct Question {
    pub(super) interrupt: Interrupt,
    pub(super) end: Instant,
}

/// A request that waits for a review.
struct Waiting {
    request: Request,
    uri: Uri,
    until: Instant,
}

pub(super) struct Server {
    pub(super) life: Life,
    pub(super) client: Client,
    pub(super) documents: Documents,
    pub(super) reviewer: Reviewer,
    pub(super) questions: BTreeMap<RequestId, Question>,
    waiting: Vec<Waiting>,
    inbox: VecDeque<Message>,
    /// The published messages of each text, with its version.
    published: BTreeMap<String, Value>,
    pub(super) last: Option<Last>,
    pub(super) events: Sender<Event>,
    /// Whether nothing more will be read.
    has_ended: bool,
    output: Box<dyn Write>,
}

/// Serves until the editor says `exit`; returns the exit code. `in_turn`: each message is handled completely before the next one
/// is read, as necessary without threads.
pub fn serve(mut input: impl BufRead + Send + 'static, output: impl Write + 'static, in_turn: bool) -> u8 {
    let (sender, receiver) = mpsc::channel();
    let server = Server::new(sender.clone(), Box::new(output));
    let mut next = move || transport::read(&mut input).map_or_else(Event::Broken, Event::Incoming);
    if in_turn || !threads::can_start() {
        return server.run_in_turn(&receiver, &mut next);
    }
    let read = move || {
        loop {
            let event = next();
            let ends = matches!(event, Event::Broken(_) | Event::Incoming(Incoming::End));
            if sender.send(event).is_err() || ends {
                return;
            }
        }
    };
    if thread::Builder::new().name("read".into()).spawn(read).is_err() {
        tell_error("no thread can be started here");
        return 1;
    }
    server.run(&receiver)
}

impl Server {
    fn new(events: Sender<Event>, output: Box<dyn Write>) -> Self {
        Self {
            life: Life::New,
            client: Client::default(),
            documents: Documents::new(),
            reviewer: Reviewer::default(),
            questions: BTreeMap::new(),
            waiting: Vec::new(),
            inbox: VecDeque::new(),
            published: BTreeMap::new(),
            last: None,
            events,
            has_ended: false,
            output,
        }
    }

    fn run(mut self, receiver: &Receiver<Event>) -> u8 {
        loop {
            match self.turn(receiver) {
                Some(ControlFlow::Break(code)) => return code,
                Some(ControlFlow::Continue(())) => continue,
                None => {}
            }
            self.work();
            let event = match self.next_time() {
                None => receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(time) => receiver.recv_timeout(time.saturating_duration_since(Instant::now())),
            };
            match event {
                Ok(event) => self.event(event),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return 1,
            }
        }
    }

    /// The same, with all that a message leads to done before the next one is read.
    fn run_in_turn(mut self, receiver: &Receiver<Event>, next: &mut dyn FnMut() -> Event) -> u8 {
        loop {
            match self.turn(receiver) {
                Some(ControlFlow::Break(code)) => return code,
                Some(ControlFlow::Continue(())) => continue,
                None => {}
            }
            if let Some(time) = self.next_time() {
                self.reviewer.hurry();
                self.work();
                // Without threads no event can arrive while this one waits.
                if threads::can_start()
                    && let Ok(event) = receiver.recv_timeout(time.saturating_duration_since(Instant::now()))
                {
                    self.event(event);
                }
                continue;
            }
            self.event(next());
        }
    }

    /// Reads all arrived messages, so that a cancelled request is never begun, and handles the first one; `None` if there is
    /// none. An exit code ends the server: that of a message, or that of a connection that ends when all messages are handled.
    fn turn(&mut self, receiver: &Receiver<Event>) -> Option<ControlFlow<u8>> {
        while let Ok(event) = receiver.try_recv() {
            self.event(event);
        }
        let Some(message) = self.inbox.pop_front() else {
            return self.has_ended.then(|| ControlFlow::Break(u8::from(self.life != Life::ShutDown)));
        };
        Some(self.message(message).map_or(ControlFlow::Continue(()), ControlFlow::Break))
    }

    /// When there is something to do without an event.
    fn next_time(&self) -> Option<Instant> {
        let questions = self.questions.values().map(|q| q.end);
        self.reviewer
            .next_time()
            .into_iter()
            .chain(questions)
            .chain(self.waiting.iter().map(|w| w.until))
            .min()
    }

    /// Takes an event.
    fn event(&mut self, event: Event) {
        match event {
            Event::Broken(error) => {
                tell_error(&format!("the connection to the editor is broken: {error}"));
                self.has_ended = true;
            }
            Event::Incoming(Incoming::End) => self.has_ended = true,
            Event::Incoming(Incoming::Malformed(answer)) => self.send(&answer),
            Event::Incoming(Incoming::Message(Message::Notification(n))) if n.method == "$/cancelRequest" => {
                self.cancel(&n.params["id"]);
            }
            Event::Incoming(Incoming::Message(message)) => self.inbox.push_back(message),
            Event::Review(told) => match self.reviewer.take(told) {
                Taken::Late => {}
                Taken::Found => {
                    self.publish();
                    self.retry();
                }
                Taken::End(number) if self.client.refreshes => {
                    for method in ["workspace/inlayHint/refresh", "workspace/codeLens/refresh"] {
                        let id = format!("{method}/{number}");
                        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method }));
                    }
                }
                Taken::End(_) => {}
            },
            Event::Answer(id, answer) => self.answered(id, answer),
        }
    }

    /// Does what is due: stops what takes too long, gives up waiting, begins a review.
    fn work(&mut self) {
        let now = Instant::now();
        for question in self.questions.values_mut().filter(|q| q.end <= now) {
            question.interrupt.stop(StopReason::TimeLimit);
            // It is asked to stop; so that nothing spins until it does, look again after a while.
            question.end = now + reviewer::AGAIN;
        }
        let (over, waiting) = std::mem::take(&mut self.waiting).into_iter().partition(|w| w.until <= now);
        self.waiting = waiting;
        over.into_iter().for_each(|w: Waiting| self.request(w.request, true));
        let events = self.events.clone();
        let tell = move |told| drop(events.send(Event::Review(told)));
        if self.reviewer.work(now, &self.documents, &self.client, tell) {
            self.publish();
            self.retry();
        }
    }

    /// After a change of the open texts.
    fn changed(&mut self) {
        self.reviewer.touch(&self.documents);
        let waiting = std::mem::take(&mut self.waiting);
        for w in waiting {
            self.respond(
                w.request.id,
                Err(Refusal { code: ErrorCode::ContentModified, message: "the text has changed".into() }),
            );
        }
    }

    /// Publishes the messages of all texts that differ from those published before.
    fn publish(&mut self) {
        let mut found: BTreeMap<String, Vec<lsp_types::Diagnostic>> = BTreeMap::new();
        for key in self.documents.project.open() {
            found.entry(key.clone()).or_default();
        }
        let mut reviewed = BTreeSet::new();
        for (root, review) in self.reviewer.current(&self.documents) {
            reviewed.extend(review.texts.iter().map(|t| t.key.clone()));
            for (key, message) in actions::located(root, review, &self.documents) {
                let list = found.entry(key).or_default();
                if !list.contains(&message) {
                    list.push(message);
                }
            }
        }
        let gone: Vec<String> = self.published.keys().filter(|k| !found.contains_key(*k)).cloned().collect();
        for key in gone {
            self.published.remove(&key);
            if let Some(uri) = self.documents.uri(&key) {
                self.notify("textDocument/publishDiagnostics", json!({ "uri": uri, "diagnostics": [] }));
            }
        }
        for (key, mut list) in found {
            let Some(uri) = self.documents.uri(&key).filter(|_| reviewed.contains(&key)) else { continue };
            list.sort_by_key(|d| {
                let (start, end) = (d.range.start, d.range.end);
                (
                    start.line,
                    start.character,
                    end.line,
                    end.character,
                    d.severity.map(|s| format!("{s:?}")),
                    d.message.clone(),
                )
            });
            let mut params = json!({ "uri": uri, "diagnostics": list });
            if let Some(document) = self.documents.get(&key) {
                params["version"] = document.version.into();
            }
            if self.published.get(&key) != Some(&params) {
                self.published.insert(key, params.clone());
                self.notify("textDocument/publishDiagnostics", params);
            }
        }
    }

    /// Tries the requests that wait for reviews.
    fn retry(&mut self) {
        for w in std::mem::take(&mut self.waiting) {
            if self.reviewer.is_settled(&self.documents, &Documents::key(&w.uri)) {
                self.request(w.request, true);
            } else {
                self.waiting.push(w);
            }
        }
    }

    fn cancel(&mut self, id: &Value) {
        let Ok(id) = serde_json::from_value::<RequestId>(id.clone()) else { return };
        let is_it = |m: &Message| matches!(m, Message::Request(r) if r.id == id);
        let queued = self.inbox.iter().position(is_it).and_then(|i| self.inbox.remove(i)).is_some();
        let waiting = self.waiting.iter().position(|w| w.request.id == id);
        let waited = waiting.map(|i| self.waiting.remove(i)).is_some();
        if let Some(question) = self.questions.get(&id) {
            question.interrupt.stop(StopReason::Interrupted);
        }
        if queued || waited {
            self.respond(id, Err(cancelled()));
        }
    }

    /// Does what a message says; an exit code if it is the last.
    fn message(&mut self, message: Message) -> Option<u8> {
        match message {
            Message::Request(request) => self.request(request, false),
            Message::Notification(n) if n.method == "exit" => {
                return Some(u8::from(self.life != Life::ShutDown));
            }
            Message::Notification(n) if self.life == Life::Running => {
                let done = catch_unwind(AssertUnwindSafe(|| self.notification(n)));
                if done.is_err() {
                    self.log("an internal error; please report it");
                }
            }
            Message::Notification(_) | Message::Response(_) => {}
        }
        None
    }

    fn notification(&mut self, n: Notification) {
        match n.method.as_str() {
            "textDocument/didOpen" => {
                let Ok(p) = serde_json::from_value::<DidOpenTextDocumentParams>(n.params) else { return };
                let document = p.text_document;
                self.documents.open(document.uri, document.version, document.text);
                self.changed();
            }
            "textDocument/didChange" => {
                let Ok(p) = serde_json::from_value::<DidChangeTextDocumentParams>(n.params) else { return };
                let document = p.text_document;
                if self.documents.change(&document.uri, document.version, p.content_changes) {
                    self.changed();
                }
            }
            "textDocument/didClose" => {
                let Ok(p) = serde_json::from_value::<DidCloseTextDocumentParams>(n.params) else { return };
                self.documents.close(&p.text_document.uri);
                self.changed();
            }
            "textDocument/didSave" | "workspace/didChangeWatchedFiles" => self.changed(),
            "workspace/didChangeConfiguration" => {
                self.client.configure(&n.params["settings"]["asp"]);
                self.reviewer.forget();
                self.changed();
            }
            _ => {}
        }
    }

    /// Answers a request; `at_once` if it is not to wait any longer.
    fn request(&mut self, request: Request, at_once: bool) {
        let id = request.id.clone();
        let waiting = request.clone();
        let reply = catch_unwind(AssertUnwindSafe(|| self.reply(request, at_once))).unwrap_or_else(|_| {
            let message = "an internal error; please report it".into();
            Reply::Now(Err(Refusal { code: ErrorCode::InternalError, message }))
        });
        match reply {
            Reply::Now(result) => self.respond(id, result),
            Reply::Wait(uri) => {
                let until = Instant::now() + seconds(self.client.wait);
                self.waiting.push(Waiting { request: waiting, uri, until });
                self.reviewer.hurry();
            }
            Reply::Working => {}
        }
    }

    fn answered(&mut self, id: RequestId, told: Option<Told>) {
        let Some(question) = self.questions.remove(&id) else { return };
        if question.interrupt.poll() == Some(StopReason::Interrupted) {
            return self.respond(id, Err(cancelled()));
        }
        let answer = match told {
            Some(Told::Answer(answer)) => answer,
            Some(Told::Hover(hover)) => return self.respond(id, Ok(hover)),
            None => {
                let message = "an internal error; please report it".into();
                return self.respond(id, Err(Refusal { code: ErrorCode::InternalError, message }));
            }
        };
        if !self.client.shows_answers {
            let kind = if answer.is_good { 3 } else { 2 };
            let params = json!({ "type": kind, "message": answer.text });
            self.notify("window/showMessage", params);
        }
        let result = json!({ "title": answer.title, "ok": answer.is_good, "text": answer.text });
        if answer.last.is_some() {
            self.last = answer.last;
        }
        self.respond(id, Ok(result));
    }

    fn respond(&mut self, id: RequestId, result: Result<Value, Refusal>) {
        let mut message = json!({ "jsonrpc": "2.0", "id": id });
        match result {
            Ok(result) => message["result"] = result,
            Err(r) => message["error"] = json!({ "code": r.code as i32, "message": r.message }),
        }
        self.send(&message);
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn log(&mut self, text: &str) {
        self.notify("window/logMessage", json!({ "type": 1, "message": text }));
    }

    fn send(&mut self, message: &Value) {
        if let Err(error) = transport::write(&mut self.output, message) {
            // The receiver is this server's own.
            let _ = self.events.send(Event::Broken(error));
        }
    }
}

fn cancelled() -> Refusal {
    Refusal { code: ErrorCode::RequestCanceled, message: "cancelled".into() }
}
