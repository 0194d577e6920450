//! The description of a subcommand: name, definition, function.

use clap::ArgMatches;

pub(crate) struct Spec {
    pub(crate) name: &'static str,
    /// Its definition: arguments, help, examples.
    pub(crate) define: fn() -> clap::Command,
    /// Runs it and returns the exit code.
    pub(crate) run: fn(&ArgMatches) -> u8,
}
