//! The options of the command line: each row of the table names an option, says what it takes and does, and reads it.
//!
//! The path of a command line: [`args`] finds the rows and checks the values against their [`pattern`]s,
//! [`configuration`] adds the options of a preset or a file, each row's reader changes [`raw::Raw`], [`check`] combines
//! options that depend on each other, and [`settings`] hands them to a control. Libraries take the rows whose scope is
//! a control or a call ([`parse_control`]). Invariant: files do not depend on each other in a circle: rows know what
//! they set, not the table.

#![warn(missing_docs)]

pub mod args;
pub mod check;
pub mod configuration;
pub mod cube;
pub mod disk;
pub mod help;
pub mod inputs;
pub mod lemmas;
pub mod outputs;
pub mod pattern;
pub mod pictures;
pub mod raw;
mod rows;
pub mod settings;
pub mod spec;
pub mod table;
pub mod usage;
pub mod value;
pub mod warnings;

use raw::{Action, Options};
use spec::Scope;
use usage::UsageError;

/// Parses a command line without the program's name.
pub fn parse(argv: &[String]) -> Result<Action, UsageError> {
    check::check(&args::parse(argv)?)
}

/// The options of a control, from words as on the command line. Other rows of the table are unknown here, and words that
/// are no options are refused.
pub fn parse_control(argv: &[String]) -> Result<Options, UsageError> {
    check::options(&args::parse(argv)?, Scope::Control)?
        .map_err(|_| UsageError::option("these arguments ask for something else than a control"))
}
