//! Errors, warnings and notes as values; `report::diagnostic` renders them.

use super::span::Span;

/// How serious it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The input is rejected.
    Error,
    /// Suspicious; the run goes on.
    Warning,
    /// Worth knowing.
    Info,
}

/// The name under which `--warn` switches a message; errors have none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum WarningKind {
    /// `atom-undefined`: an atom occurs in no head.
    AtomUndefined,
    /// `file-included`: a file is included a second time.
    FileIncluded,
    /// `operation-undefined`: an arithmetic operation has no value.
    OperationUndefined,
    /// `global-variable`: a tuple of an aggregate element has a global variable only.
    GlobalVariable,
    /// `termination`: grounding may not terminate; never an error, since that is undecidable.
    Termination,
    /// `other`: everything clingo calls so.
    Other,
    /// A lint of our own, by its name (off unless asked for).
    Lint(&'static str),
}

impl WarningKind {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            WarningKind::AtomUndefined => "atom-undefined",
            WarningKind::FileIncluded => "file-included",
            WarningKind::OperationUndefined => "operation-undefined",
            WarningKind::GlobalVariable => "global-variable",
            WarningKind::Termination => "termination",
            WarningKind::Other => "other",
            WarningKind::Lint(name) => name,
        }
    }
}

/// A place and what to say about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// The text beside the caret; may be empty.
    pub text: String,
}

/// A message about the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How serious it is.
    pub severity: Severity,
    /// For warnings and infos: the switch that silences it.
    pub kind: Option<WarningKind>,
    /// One line that says what is wrong.
    pub message: String,
    /// The places; the first is the primary one.
    pub labels: Vec<Label>,
    /// Advice, one line each.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, None, span, message)
    }
    /// A warning at a place.
    pub fn warning(kind: WarningKind, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, Some(kind), span, message)
    }
    /// An info at a place.
    pub fn info(kind: WarningKind, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Info, Some(kind), span, message)
    }
    /// A note that cannot be silenced.
    pub fn remark(message: impl Into<String>) -> Self {
        Self::new(Severity::Info, None, Span::NONE, message)
    }
    /// The failure of a script or user-defined function; of several lines, the last one says what went wrong.
    pub fn of_script(span: Span, why: &str) -> Self {
        let why = why.trim_end();
        match why.rsplit_once('\n') {
            Some((_, last)) => Self::error(span, last).help(why),
            None => Self::error(span, why),
        }
    }
    fn new(severity: Severity, kind: Option<WarningKind>, span: Span, message: impl Into<String>) -> Self {
        let labels = if span.is_none() { Vec::new() } else { vec![Label { span, text: String::new() }] };
        Self { severity, kind, message: message.into(), labels, help: Vec::new() }
    }
    /// Puts a text beside the primary caret.
    pub fn caption(mut self, text: impl Into<String>) -> Self {
        if let Some(first) = self.labels.first_mut() {
            first.text = text.into();
        }
        self
    }
    /// Adds another place.
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }
    /// Adds a line of advice.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }
}
