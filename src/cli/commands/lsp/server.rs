//! The main loop: messages in their order, one worker for reviews, one for each question.
//!
//! Invariants: every request has one response, an error if it was cancelled or the text changed under it; work is stopped
//! when its text changes, its request is cancelled or its time is over; nothing but a broken connection or `exit` ends the loop.

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, BufReader, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId};
use lsp_types::{
    CodeActionParams, CodeLensParams, CompletionParams, DidChangeTextDocumentParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, DocumentFormattingParams, DocumentHighlightParams,
    DocumentSymbolParams, ExecuteCommandParams, FoldingRangeParams, GotoDefinitionParams, HoverParams,
    InlayHintParams, ReferenceParams, RenameParams, SemanticTokensParams, SignatureHelpParams,
    TextDocumentPositionParams, Uri, WorkspaceSymbolParams,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::documents::{Documents, View};
use super::review::{self, Review};
use super::run::{self, Answer, Last};
use super::transport::{self, Incoming};
use super::{actions, complete, hints, hover, lenses, navigate, outline, rename, tokens};
use crate::base::interrupt::{Interrupt, StopReason};

/// How long the text must rest before it is looked at.
const REST: Duration = Duration::from_millis(80);
/// The stack of a worker.
const STACK: usize = 64 << 20;

/// Why a request has no result.
pub(super) struct Refusal {
    code: ErrorCode,
    message: String,
}

impl Refusal {
    /// It cannot be done, for a reason that the user is told.
    pub(super) fn told(message: impl Into<String>) -> Self {
        Self { code: ErrorCode::RequestFailed, message: message.into() }
    }
}

/// What a request comes to.
enum Reply {
    Now(Result<Value, Refusal>),
    /// When the review of the text is there.
    Wait(Uri),
    /// When its worker is done.
    Working,
}

/// What happens.
enum Event {
    Incoming(Incoming),
    /// The connection is broken.
    Broken,
    /// A worker has found something in the program of a root.
    Review(u64, String, Box<Review>),
    /// A worker has ended, whatever it found.
    ReviewEnd(u64),
    /// A question is answered; none if that failed.
    Answer(RequestId, Option<Told>),
}

/// What a question comes to.
enum Told {
    /// The answer that a lens asked for.
    Answer(Answer),
    /// What is shown at a place.
    Hover(Value),
}

/// What the editor can and wants.
#[derive(Clone, Copy, Debug)]
pub(super) struct Client {
    /// Whether completions may have places to fill in.
    pub(super) snippets: bool,
    /// Whether edits may name versions.
    pub(super) versioned_edits: bool,
    /// Whether it asks again for inlay hints and lenses when it is told to.
    refreshes: bool,
    /// Whether it shows the answers of lenses itself.
    shows_answers: bool,
    /// Instances after which grounding ends.
    instances: u64,
    /// How long grounding may take.
    seconds: f64,
    /// How long a question may take.
    question_seconds: f64,
    /// How long a request waits for the review.
    wait: f64,
}

impl Default for Client {
    fn default() -> Self {
        Self {
            snippets: false,
            versioned_edits: false,
            refreshes: false,
            shows_answers: false,
            instances: 200_000,
            seconds: 2.0,
            question_seconds: 20.0,
            wait: 1.0,
        }
    }
}

/// How far the life of the connection has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Life {
    New,
    Running,
    ShutDown,
}

/// A review at work.
struct Running {
    number: u64,
    root: String,
    texts: Vec<crate::analysis::project::Entry>,
    interrupt: Interrupt,
    end: Instant,
}

/// A question at work.
struct Question {
    interrupt: Interrupt,
    end: Instant,
}

/// A request that waits for a review.
struct Waiting {
    request: Request,
    uri: Uri,
    until: Instant,
}

/// The server.
struct Server {
    life: Life,
    client: Client,
    documents: Documents,
    /// By root.
    reviews: BTreeMap<String, Review>,
    /// When the programs are to be looked at.
    due: Option<Instant>,
    running: Option<Running>,
    /// Number of the last review that was begun.
    begun: u64,
    questions: BTreeMap<RequestId, Question>,
    waiting: Vec<Waiting>,
    inbox: VecDeque<Message>,
    /// What was told of each text: its version and the messages.
    published: BTreeMap<String, Value>,
    last: Option<Last>,
    events: Sender<Event>,
}

/// Serves until the editor says `exit`; returns the exit code.
pub(super) fn serve() -> u8 {
    let (sender, receiver) = mpsc::channel();
    let incoming = sender.clone();
    let read = move || {
        let mut input = BufReader::new(io::stdin());
        loop {
            let event = transport::read(&mut input).map_or(Event::Broken, Event::Incoming);
            let ends = matches!(event, Event::Broken | Event::Incoming(Incoming::End));
            if incoming.send(event).is_err() || ends {
                return;
            }
        }
    };
    if thread::Builder::new().name("read".into()).spawn(read).is_err() {
        eprintln!("*** ERROR: (asp): no thread can be started here");
        return 1;
    }
    Server::new(sender).run(&receiver)
}

impl Server {
    fn new(events: Sender<Event>) -> Self {
        Self {
            life: Life::New,
            client: Client::default(),
            documents: Documents::new(),
            reviews: BTreeMap::new(),
            due: None,
            running: None,
            begun: 0,
            questions: BTreeMap::new(),
            waiting: Vec::new(),
            inbox: VecDeque::new(),
            published: BTreeMap::new(),
            last: None,
            events,
        }
    }

    fn run(mut self, receiver: &Receiver<Event>) -> u8 {
        loop {
            // All that has arrived is seen first, so that a cancelled request is never begun.
            while let Ok(event) = receiver.try_recv() {
                if let Some(code) = self.event(event) {
                    return code;
                }
            }
            if let Some(message) = self.inbox.pop_front() {
                if let Some(code) = self.message(message) {
                    return code;
                }
                continue;
            }
            self.work();
            let event = match self.next_time() {
                None => receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(time) => receiver.recv_timeout(time.saturating_duration_since(Instant::now())),
            };
            match event {
                Ok(event) => {
                    if let Some(code) = self.event(event) {
                        return code;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return 1,
            }
        }
    }

    /// When there is something to do without an event.
    fn next_time(&self) -> Option<Instant> {
        let due = self.due.filter(|_| self.running.is_none());
        let ends = self.running.iter().map(|r| r.end).chain(self.questions.values().map(|q| q.end));
        due.into_iter().chain(ends).chain(self.waiting.iter().map(|w| w.until)).min()
    }

    /// Takes an event; an exit code if it is the last.
    fn event(&mut self, event: Event) -> Option<u8> {
        match event {
            Event::Broken | Event::Incoming(Incoming::End) => {
                return Some(u8::from(self.life != Life::ShutDown));
            }
            Event::Incoming(Incoming::Malformed(answer)) => self.send(&answer),
            Event::Incoming(Incoming::Message(Message::Notification(n))) if n.method == "$/cancelRequest" => {
                self.cancel(&n.params["id"]);
            }
            Event::Incoming(Incoming::Message(message)) => self.inbox.push_back(message),
            Event::Review(number, root, review) => {
                if self.running.as_ref().is_some_and(|r| r.number == number) {
                    self.reviews.insert(root, *review);
                    self.publish();
                    self.retry();
                }
            }
            Event::ReviewEnd(number) => {
                if let Some(running) = self.running.take_if(|r| r.number == number) {
                    let review = self.reviews.entry(running.root);
                    // A worker that failed is not begun again for the same texts.
                    let review = review.or_insert_with(|| Review::nothing(running.texts.clone()));
                    if !review.is_complete || !review.is_of(&running.texts) {
                        *review = Review::nothing(running.texts);
                    }
                    if self.client.refreshes {
                        for method in ["workspace/inlayHint/refresh", "workspace/codeLens/refresh"] {
                            let id = format!("{method}/{number}");
                            self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method }));
                        }
                    }
                    self.due.get_or_insert(Instant::now());
                }
            }
            Event::Answer(id, answer) => self.answered(id, answer),
        }
        None
    }

    /// Does what is due: stops what takes too long, gives up waiting, begins a review.
    fn work(&mut self) {
        let now = Instant::now();
        let running = self.running.iter().map(|r| (&r.interrupt, r.end));
        let questions = self.questions.values().map(|q| (&q.interrupt, q.end));
        for (interrupt, end) in running.chain(questions) {
            if end <= now {
                interrupt.stop(StopReason::TimeLimit);
            }
        }
        // It is asked to stop; so that nothing is waited for forever, look again after a while.
        if let Some(running) = self.running.as_mut().filter(|r| r.end <= now) {
            running.end = now + Duration::from_millis(50);
        }
        for question in self.questions.values_mut().filter(|q| q.end <= now) {
            question.end = now + Duration::from_millis(50);
        }
        let (over, waiting) = std::mem::take(&mut self.waiting).into_iter().partition(|w| w.until <= now);
        self.waiting = waiting;
        over.into_iter().for_each(|w: Waiting| self.request(w.request, true));
        if self.running.is_none() && self.due.is_some_and(|due| due <= now) {
            self.begin();
        }
    }

    /// Begins a review of a program whose texts have changed.
    fn begin(&mut self) {
        self.due = None;
        let project = &self.documents.project;
        let roots = project.roots();
        self.reviews.retain(|root, _| roots.contains(root));
        for root in roots {
            let texts = project.program(&root);
            let done = self.reviews.get(&root).is_some_and(|r| r.is_complete && r.is_of(&texts));
            if done || texts.first().is_none_or(|t| t.key != root) {
                continue;
            }
            self.begun += 1;
            let (number, interrupt) = (self.begun, Interrupt::new());
            let request = review::Request {
                root: root.clone(),
                texts: texts.clone(),
                loader: project.loader(),
                instances: self.client.instances,
            };
            let end = Instant::now() + seconds(self.client.seconds);
            self.running =
                Some(Running { number, root: root.clone(), texts, interrupt: interrupt.clone(), end });
            let events = self.events.clone();
            let begun = spawn(move || {
                let told = events.clone();
                // Whatever happens, the end is told.
                let _ = catch_unwind(AssertUnwindSafe(|| {
                    review::review(request, &interrupt, &mut |review| {
                        let _ = told.send(Event::Review(number, root.clone(), Box::new(review)));
                    });
                }));
                let _ = events.send(Event::ReviewEnd(number));
            });
            if !begun {
                let _ = self.events.send(Event::ReviewEnd(number));
            }
            return;
        }
        self.publish();
        self.retry();
    }

    /// After a change of the open texts.
    fn changed(&mut self) {
        self.due = Some(Instant::now() + REST);
        if let Some(running) = &self.running {
            let texts = self.documents.project.program(&running.root);
            let same = |(a, b): (&crate::analysis::project::Entry, &crate::analysis::project::Entry)| {
                a.key == b.key && std::sync::Arc::ptr_eq(&a.index, &b.index)
            };
            if texts.len() != running.texts.len() || !texts.iter().zip(&running.texts).all(same) {
                running.interrupt.stop(StopReason::Interrupted);
                // What it still says is of another text.
                self.running = None;
            }
        }
        let waiting = std::mem::take(&mut self.waiting);
        for w in waiting {
            self.respond(
                w.request.id,
                Err(Refusal { code: ErrorCode::ContentModified, message: "the text has changed".into() }),
            );
        }
    }

    /// Whether all is known of the programs that a text is part of.
    fn is_settled(&self, key: &str) -> bool {
        let project = &self.documents.project;
        let done = |root: &String| {
            let texts = project.program(root);
            self.reviews.get(root).is_some_and(|r| r.is_complete && r.is_of(&texts)) || texts.is_empty()
        };
        project.roots_of(key).iter().all(done)
    }

    /// The reviews of the programs that a text is part of, as far as they are current.
    fn reviews_of(&self, key: &str) -> Vec<&Review> {
        let project = &self.documents.project;
        let current = |root: String| {
            let texts = project.program(&root);
            self.reviews.get(&root).filter(|r| r.is_of(&texts))
        };
        project.roots_of(key).into_iter().filter_map(current).collect()
    }

    /// Tells the messages of all texts, as far as they differ from those told before.
    fn publish(&mut self) {
        let mut found: BTreeMap<String, Vec<lsp_types::Diagnostic>> = BTreeMap::new();
        for key in self.documents.project.open() {
            found.entry(key.clone()).or_default();
        }
        for (root, review) in &self.reviews {
            if !review.is_of(&self.documents.project.program(root)) {
                continue;
            }
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
            let reviewed = self.reviews.values().any(|r| r.texts.iter().any(|t| t.key == key));
            let Some(uri) = self.documents.uri(&key).filter(|_| reviewed) else { continue };
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
            if self.is_settled(&Documents::key(&w.uri)) {
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
                self.reviews.clear();
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
                // Somebody waits for it.
                self.due = self.due.map(|due| due.min(Instant::now()));
            }
            Reply::Working => {}
        }
    }

    fn reply(&mut self, request: Request, at_once: bool) -> Reply {
        let Request { id, method, params } = request;
        match (self.life, method.as_str()) {
            (Life::New, "initialize") => {
                self.life = Life::Running;
                self.client.read(&params);
                return Reply::Now(Ok(capabilities()));
            }
            (Life::New, _) => return refuse(ErrorCode::ServerNotInitialized, "`initialize` comes first"),
            (Life::ShutDown, _) => return refuse(ErrorCode::InvalidRequest, "after `shutdown` comes `exit`"),
            (Life::Running, "initialize") => return refuse(ErrorCode::InvalidRequest, "it is initialized"),
            (Life::Running, _) => {}
        }
        let client = self.client;
        match method.as_str() {
            "shutdown" => {
                self.life = Life::ShutDown;
                self.running.iter().for_each(|r| r.interrupt.stop(StopReason::Interrupted));
                self.questions.values().for_each(|q| q.interrupt.stop(StopReason::Interrupted));
                Reply::Now(Ok(Value::Null))
            }
            "textDocument/definition" => self.about(params, |s, p: GotoDefinitionParams| {
                let p = p.text_document_position_params;
                Ok(s.view(&p.text_document.uri).map(|v| navigate::definition(&s.documents, &v, p.position)))
            }),
            "textDocument/references" => self.about(params, |s, p: ReferenceParams| {
                let (at, all) = (p.text_document_position, p.context.include_declaration);
                Ok(s.view(&at.text_document.uri)
                    .map(|v| navigate::references(&s.documents, &v, at.position, all)))
            }),
            "textDocument/documentHighlight" => self.about(params, |s, p: DocumentHighlightParams| {
                let p = p.text_document_position_params;
                Ok(s.view(&p.text_document.uri).map(|v| navigate::highlights(&v, p.position)))
            }),
            "textDocument/prepareRename" => {
                self.about(params, |s, p: TextDocumentPositionParams| match s.view(&p.text_document.uri) {
                    Some(v) => rename::prepare(&v, p.position).map(Some),
                    None => Ok(None),
                })
            }
            "textDocument/rename" => self.about(params, |s, p: RenameParams| {
                let at = p.text_document_position;
                match s.view(&at.text_document.uri) {
                    Some(v) => rename::rename(&s.documents, &client, &v, at.position, &p.new_name).map(Some),
                    None => Ok(None),
                }
            }),
            "textDocument/hover" => match serde_json::from_value::<HoverParams>(params) {
                Ok(p) => self.hover(id, p.text_document_position_params, at_once),
                Err(error) => refuse(ErrorCode::InvalidParams, &error.to_string()),
            },
            "textDocument/completion" => self.about(params, |s, p: CompletionParams| {
                let p = p.text_document_position;
                Ok(s.view(&p.text_document.uri).map(|v| complete::complete(&v, p.position, client.snippets)))
            }),
            "textDocument/signatureHelp" => self.about(params, |s, p: SignatureHelpParams| {
                let p = p.text_document_position_params;
                Ok(s.view(&p.text_document.uri).and_then(|v| complete::signature(&v, p.position)))
            }),
            "textDocument/formatting" => self.about(params, |s, p: DocumentFormattingParams| {
                Ok(s.view(&p.text_document.uri).and_then(|v| actions::format(&v)))
            }),
            "textDocument/codeAction" => self.settled(
                params,
                at_once,
                |p: &CodeActionParams| p.text_document.uri.clone(),
                |s, p| {
                    let view = s.view(&p.text_document.uri)?;
                    Some(actions::actions(&s.documents, &client, &view, &p, &s.reviews_of(&view.key)))
                },
            ),
            "textDocument/codeLens" => self.about(params, |s, p: CodeLensParams| {
                let uri = p.text_document.uri;
                Ok(s.view(&uri).map(|v| lenses::lenses(&v, &uri)))
            }),
            "textDocument/inlayHint" => self.settled(
                params,
                at_once,
                |p: &InlayHintParams| p.text_document.uri.clone(),
                |s, p| {
                    let view = s.view(&p.text_document.uri)?;
                    Some(hints::hints(&view, p.range, &s.reviews_of(&view.key)))
                },
            ),
            "textDocument/documentSymbol" => self.about(params, |s, p: DocumentSymbolParams| {
                Ok(s.view(&p.text_document.uri).map(|v| outline::symbols(&v.index)))
            }),
            "textDocument/foldingRange" => self.about(params, |s, p: FoldingRangeParams| {
                Ok(s.view(&p.text_document.uri).map(|v| outline::folds(&v.index)))
            }),
            "textDocument/semanticTokens/full" => self.about(params, |s, p: SemanticTokensParams| {
                Ok(s.view(&p.text_document.uri).map(|v| tokens::tokens(&v.index)))
            }),
            "workspace/symbol" => self.about(params, |s, p: WorkspaceSymbolParams| {
                Ok(Some(outline::all_symbols(&s.documents, &p.query)))
            }),
            "workspace/executeCommand" => match serde_json::from_value::<ExecuteCommandParams>(params) {
                Ok(p) => self.ask(id, &p),
                Err(error) => refuse(ErrorCode::InvalidParams, &error.to_string()),
            },
            _ => refuse(ErrorCode::MethodNotFound, &format!("`{method}` is not known")),
        }
    }

    fn view(&self, uri: &Uri) -> Option<View> {
        self.documents.view(uri)
    }

    /// The last answer set, if it is of the program as it stands.
    fn last_of(&self, view: &View) -> Option<&Last> {
        let is_of = |last: &&Last| {
            last.texts.iter().any(|t| t.key == view.key)
                && last.texts.iter().all(|t| {
                    self.documents.project.index(&t.key).is_some_and(|i| std::sync::Arc::ptr_eq(&i, &t.index))
                })
        };
        self.last.as_ref().filter(is_of)
    }

    /// A reply that needs the texts alone.
    fn about<P: DeserializeOwned, R: Serialize>(
        &mut self,
        params: Value,
        answer: impl FnOnce(&mut Self, P) -> Result<Option<R>, Refusal>,
    ) -> Reply {
        match serde_json::from_value(params) {
            Ok(params) => Reply::Now(answer(self, params).map(|r| value(&r))),
            Err(error) => refuse(ErrorCode::InvalidParams, &error.to_string()),
        }
    }

    /// A reply that waits for the review of its text.
    fn settled<P: DeserializeOwned, R: Serialize>(
        &mut self,
        params: Value,
        at_once: bool,
        uri: impl FnOnce(&P) -> Uri,
        answer: impl FnOnce(&mut Self, P) -> Option<R>,
    ) -> Reply {
        let params: P = match serde_json::from_value(params) {
            Ok(params) => params,
            Err(error) => return refuse(ErrorCode::InvalidParams, &error.to_string()),
        };
        let uri = uri(&params);
        if !at_once && self.view(&uri).is_some_and(|v| !self.is_settled(&v.key)) {
            return Reply::Wait(uri);
        }
        Reply::Now(Ok(value(&answer(self, params))))
    }

    /// What is shown at a place; for an atom of the last answer set a worker finds out why it holds.
    fn hover(&mut self, id: RequestId, p: TextDocumentPositionParams, at_once: bool) -> Reply {
        let uri = p.text_document.uri;
        let Some(view) = self.view(&uri) else { return Reply::Now(Ok(Value::Null)) };
        if !at_once && !self.is_settled(&view.key) {
            return Reply::Wait(uri);
        }
        let last = self.last_of(&view);
        let Some(mut hover) = hover::hover(&view, p.position, &self.reviews_of(&view.key), last) else {
            return Reply::Now(Ok(Value::Null));
        };
        let held = last.and_then(|last| Some((hover::held(&view, p.position, last)?, last.clone())));
        let Some((atom, last)) = held else { return Reply::Now(Ok(value(&hover))) };
        self.question(id, self.client.seconds, move |interrupt| {
            if let Some(why) = last.why(&atom, interrupt) {
                hover::add_reason(&mut hover, &why);
            }
            Told::Hover(value(&hover))
        })
    }

    /// Begins a question.
    fn question(
        &mut self,
        id: RequestId,
        limit: f64,
        answer: impl FnOnce(&Interrupt) -> Told + Send + 'static,
    ) -> Reply {
        let interrupt = Interrupt::new();
        let end = Instant::now() + seconds(limit);
        self.questions.insert(id.clone(), Question { interrupt: interrupt.clone(), end });
        let events = self.events.clone();
        let question = id.clone();
        let begun = spawn(move || {
            let told = catch_unwind(AssertUnwindSafe(|| answer(&interrupt))).ok();
            let _ = events.send(Event::Answer(question, told));
        });
        if !begun {
            let _ = self.events.send(Event::Answer(id, None));
        }
        Reply::Working
    }

    /// Begins to answer a question of a lens.
    fn ask(&mut self, id: RequestId, params: &ExecuteCommandParams) -> Reply {
        let asked = match run::Asked::read(params, &self.documents) {
            Ok(asked) => asked,
            Err(refusal) => return Reply::Now(Err(refusal)),
        };
        self.question(id, self.client.question_seconds, move |interrupt| {
            Told::Answer(asked.answer(interrupt))
        })
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
        let mut output = io::stdout().lock();
        let written = transport::write(&mut output, message).and_then(|()| output.flush());
        if written.is_err() {
            // Nobody listens any more.
            let _ = self.events.send(Event::Broken);
        }
    }
}

impl Client {
    fn read(&mut self, params: &Value) {
        let capabilities = &params["capabilities"];
        let flag = |path: &str| capabilities.pointer(path).and_then(Value::as_bool).unwrap_or(false);
        self.snippets = flag("/textDocument/completion/completionItem/snippetSupport");
        self.versioned_edits = flag("/workspace/workspaceEdit/documentChanges");
        self.refreshes =
            flag("/workspace/inlayHint/refreshSupport") && flag("/workspace/codeLens/refreshSupport");
        self.configure(&params["initializationOptions"]);
    }

    /// Obeys the user's settings.
    fn configure(&mut self, settings: &Value) {
        let number = |name: &str, old: f64| settings[name].as_f64().filter(|n| *n >= 0.0).unwrap_or(old);
        self.instances = number("instances", self.instances as f64) as u64;
        self.seconds = number("seconds", self.seconds);
        self.question_seconds = number("questionSeconds", self.question_seconds);
        self.wait = number("wait", self.wait);
        self.shows_answers = settings["showsAnswers"].as_bool().unwrap_or(self.shows_answers);
    }
}

fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds.min(1e6)).unwrap_or_default()
}

fn refuse(code: ErrorCode, message: &str) -> Reply {
    Reply::Now(Err(Refusal { code, message: message.to_string() }))
}

fn cancelled() -> Refusal {
    Refusal { code: ErrorCode::RequestCanceled, message: "cancelled".into() }
}

fn value(result: &impl Serialize) -> Value {
    serde_json::to_value(result).unwrap_or(Value::Null)
}

/// Runs a worker, which tells of its end by itself; whether it could be started.
fn spawn(work: impl FnOnce() + Send + 'static) -> bool {
    thread::Builder::new().name("work".into()).stack_size(STACK).spawn(work).is_ok()
}

/// What the server can.
fn capabilities() -> Value {
    json!({
        "serverInfo": { "name": "asp", "version": env!("CARGO_PKG_VERSION") },
        "capabilities": {
            "positionEncoding": "utf-16",
            "textDocumentSync": { "openClose": true, "change": 2, "save": true },
            "definitionProvider": true,
            "referencesProvider": true,
            "documentHighlightProvider": true,
            "renameProvider": { "prepareProvider": true },
            "hoverProvider": true,
            "completionProvider": { "triggerCharacters": ["#", "\"", "<"] },
            "signatureHelpProvider": { "triggerCharacters": ["(", ","] },
            "documentFormattingProvider": true,
            "codeActionProvider": { "codeActionKinds": ["quickfix", "source.fixAll"] },
            "codeLensProvider": { "resolveProvider": false },
            "inlayHintProvider": true,
            "documentSymbolProvider": true,
            "workspaceSymbolProvider": true,
            "foldingRangeProvider": true,
            "semanticTokensProvider": { "legend": tokens::legend(), "full": true },
            "executeCommandProvider": { "commands": run::COMMANDS },
        },
    })
}
