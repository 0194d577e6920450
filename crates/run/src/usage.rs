//! Usage errors of the binary: on standard error, with an exit code.

use asp_options::usage::{UsageError, UsageErrorKind};

use crate::exit::{INPUT_ERROR, MISSING_FILE, WRONG_OPTION, WRONG_USAGE};
use crate::stderr::{self, tell_error};

/// Prints an error and returns the exit code.
pub fn tell(error: &UsageError) -> u8 {
    tell_error(&error.text("asp"));
    if error.kind != UsageErrorKind::Argument {
        stderr::tell("*** Info : (asp): Try '--help' for usage information");
    }
    exit_code(error.kind)
}

/// The same for a subcommand.
pub fn tell_in_subcommand(error: &UsageError) -> u8 {
    match tell(error) {
        WRONG_OPTION => WRONG_USAGE,
        code => code,
    }
}

/// The exit code of a usage error, as in clingo.
pub fn exit_code(kind: UsageErrorKind) -> u8 {
    match kind {
        UsageErrorKind::Option | UsageErrorKind::Syntax | UsageErrorKind::Argument | UsageErrorKind::File => {
            WRONG_OPTION
        }
        UsageErrorKind::Configuration => MISSING_FILE,
        UsageErrorKind::Input => INPUT_ERROR,
    }
}
