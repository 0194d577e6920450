//! Usage errors: a command line that is not understood.
//!
//! Invariant: the message names no program: whoever prints it adds the name.

/// The subject of a usage error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UsageErrorKind {
    /// An option or its value, in the context of a program or a configuration.
    Option,
    /// An option with a value that it does not take, or without one that it needs.
    Syntax,
    /// Something that an option names is not as it should be.
    Argument,
    /// Options that do not go together.
    Configuration,
    /// The contents of a file that an option names.
    Input,
    /// A file, named where only options are taken.
    File,
}

/// Why a command line is not understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UsageError {
    /// Its subject.
    pub kind: UsageErrorKind,
    /// Where the option stands, if not among the program's own: `<tester>`, `[solver.1]`.
    pub context: Option<String>,
    /// What is wrong, without the context.
    pub message: String,
}

impl UsageError {
    /// An error of that kind.
    pub fn new(kind: UsageErrorKind, message: impl Into<String>) -> Self {
        Self { kind, context: None, message: message.into() }
    }
    /// An option that is unknown or has a bad value.
    pub(crate) fn option(message: impl Into<String>) -> Self {
        Self::new(UsageErrorKind::Option, message)
    }
    /// An error that appears only when a configuration is put together.
    pub(crate) fn configuration(message: impl Into<String>) -> Self {
        Self::new(UsageErrorKind::Configuration, message)
    }
    /// A value that an option does not take, and the nearest one that it does.
    pub(crate) fn bad_value(option: &str, value: &str, near: Option<&str>) -> Self {
        let near = near.map(|near| format!("; did you mean '{near}'?")).unwrap_or_default();
        Self::option(format!("'{value}' invalid value for: '{option}'{near}"))
    }
    /// The same, about an option that stands elsewhere than among the program's own.
    pub(crate) fn within(self, context: impl Into<String>) -> Self {
        Self { context: Some(context.into()), ..self }
    }
    /// The message as printed by a program of that name.
    pub fn text(&self, program: &str) -> String {
        let Self { kind, context, message } = self;
        match (kind, context) {
            (UsageErrorKind::Option, Some(context)) => format!("In context '{context}': {message}"),
            (UsageErrorKind::Option, None) => format!("In context '<{program}>': {message}"),
            (UsageErrorKind::File, _) => {
                format!("In context '<{program}>': unknown option: 'Positional Option'")
            }
            (UsageErrorKind::Syntax, _) => format!("SyntaxError: {message}"),
            _ => message.clone(),
        }
    }
}
