//! Requests: the feature that answers each, and its inputs.
//!
//! Invariant: requests that only need the texts are answered at once; those about messages and numbers wait for the review, as
//! long as the client allows.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use lsp_server::{ErrorCode, Request, RequestId};
use lsp_types::{
    CodeActionParams, CodeLensParams, CompletionParams, DocumentFormattingParams, DocumentHighlightParams,
    DocumentSymbolParams, ExecuteCommandParams, FoldingRangeParams, GotoDefinitionParams, HoverParams,
    InlayHintParams, ReferenceParams, RenameParams, SemanticTokensParams, SignatureHelpParams,
    TextDocumentPositionParams, Uri, WorkspaceSymbolParams,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::client::{Refusal, seconds};
use super::documents::View;
use super::reviewer::spawn;
use super::server::{Event, Life, Question, Reply, Server, Told};
use super::{actions, complete, hints, hover, lenses, navigate, outline, rename, tokens};
use crate::run::{self, Last};
use asp_base::interrupt::{Interrupt, StopReason};
use asp_run::watch;

impl Server {
    /// Answers a request, or begins to; `at_once` if it is not to wait any longer.
    pub(super) fn reply(&mut self, request: Request, at_once: bool) -> Reply {
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
                self.reviewer.stop();
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
                    Some(actions::actions(
                        &s.documents,
                        &client,
                        &view,
                        &p,
                        &s.reviewer.of(&s.documents, &view.key),
                    ))
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
                    Some(hints::hints(&view, p.range, &s.reviewer.of(&s.documents, &view.key)))
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
        if !at_once && self.view(&uri).is_some_and(|v| !self.reviewer.is_settled(&self.documents, &v.key)) {
            return Reply::Wait(uri);
        }
        Reply::Now(Ok(value(&answer(self, params))))
    }

    /// The hover at a place; for an atom of the last answer set a worker explains why it holds.
    fn hover(&mut self, id: RequestId, p: TextDocumentPositionParams, at_once: bool) -> Reply {
        let uri = p.text_document.uri;
        let Some(view) = self.view(&uri) else { return Reply::Now(Ok(Value::Null)) };
        if !at_once && !self.reviewer.is_settled(&self.documents, &view.key) {
            return Reply::Wait(uri);
        }
        let last = self.last_of(&view);
        let Some(mut hover) =
            hover::hover(&view, p.position, &self.reviewer.of(&self.documents, &view.key), last)
        else {
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
        let end = Instant::now() + seconds(limit);
        let interrupt = watch::until(end);
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
}

fn refuse(code: ErrorCode, message: &str) -> Reply {
    Reply::Now(Err(Refusal { code, message: message.to_string() }))
}

fn value(result: &impl Serialize) -> Value {
    serde_json::to_value(result).unwrap_or(Value::Null)
}

/// The capabilities of the server.
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
