//! The editor's capabilities and settings, and errors for requests that are refused.

use std::time::Duration;

use lsp_server::ErrorCode;
use serde_json::Value;

/// Why a request has no result.
pub(super) struct Refusal {
    pub(super) code: ErrorCode,
    pub(super) message: String,
}

impl Refusal {
    /// It cannot be done, for a reason that is shown to the user.
    pub(super) fn told(message: impl Into<String>) -> Self {
        Self { code: ErrorCode::RequestFailed, message: message.into() }
    }
}

/// The capabilities and settings of the editor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Client {
    /// Whether completions may have places to fill in.
    pub(super) snippets: bool,
    /// Whether edits may name versions.
    pub(super) versioned_edits: bool,
    /// Whether it asks again for inlay hints and lenses when it is told to.
    pub(super) refreshes: bool,
    /// Whether it shows the answers of lenses itself.
    pub(super) shows_answers: bool,
    /// Instances after which grounding ends.
    pub(super) instances: u64,
    /// How long grounding may take.
    pub(super) seconds: f64,
    /// How long a question may take.
    pub(super) question_seconds: f64,
    /// How long a request waits for the review.
    pub(super) wait: f64,
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

impl Client {
    pub(super) fn read(&mut self, params: &Value) {
        let capabilities = &params["capabilities"];
        let flag = |path: &str| capabilities.pointer(path).and_then(Value::as_bool).unwrap_or(false);
        self.snippets = flag("/textDocument/completion/completionItem/snippetSupport");
        self.versioned_edits = flag("/workspace/workspaceEdit/documentChanges");
        self.refreshes =
            flag("/workspace/inlayHint/refreshSupport") && flag("/workspace/codeLens/refreshSupport");
        self.configure(&params["initializationOptions"]);
    }

    /// Obeys the user's settings.
    pub(super) fn configure(&mut self, settings: &Value) {
        let number = |name: &str, old: f64| settings[name].as_f64().filter(|n| *n >= 0.0).unwrap_or(old);
        self.instances = number("instances", self.instances as f64) as u64;
        self.seconds = number("seconds", self.seconds);
        self.question_seconds = number("questionSeconds", self.question_seconds);
        self.wait = number("wait", self.wait);
        self.shows_answers = settings["showsAnswers"].as_bool().unwrap_or(self.shows_answers);
    }
}

/// A time, as long as times can be.
pub(super) fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds.min(1e6)).unwrap_or_default()
}
