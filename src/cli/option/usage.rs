//! Usage errors: a command line that is not understood.
//!
//! Invariant: the message is complete except for the program's name.

use crate::cli::exit::{WRONG_OPTION, WRONG_USAGE};

/// Why a command line is not understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UsageError {
    /// What is printed.
    pub message: String,
    /// The exit code.
    pub code: u8,
}

impl From<String> for UsageError {
    fn from(message: String) -> Self {
        Self { message, code: WRONG_OPTION }
    }
}

impl UsageError {
    /// Prints it and returns the exit code.
    pub(crate) fn tell(&self) -> u8 {
        let Self { message, code } = self;
        eprintln!("*** ERROR: (asp): {message}");
        if *code != WRONG_OPTION || message.starts_with("In context") || message.starts_with("SyntaxError") {
            eprintln!("*** Info : (asp): Try '--help' for usage information");
        }
        *code
    }
    /// The same for a subcommand.
    pub(crate) fn tell_in_subcommand(&self) -> u8 {
        match self.tell() {
            WRONG_OPTION => WRONG_USAGE,
            code => code,
        }
    }
    /// An error that appears only when a configuration is put together.
    pub fn in_file(message: String) -> Self {
        Self { message, code: 128 }
    }
    /// A value that an option does not take, and the nearest one that it does.
    pub fn bad_value(option: &str, value: &str, near: Option<&str>) -> Self {
        let near = near.map(|near| format!("; did you mean '{near}'?")).unwrap_or_default();
        Self::from(format!("In context '<asp>': '{value}' invalid value for: '{option}'{near}"))
    }
}
