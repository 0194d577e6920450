//! Options of a control: arguments as in clingo's library.
//!
//! Invariant: arguments are checked in the same way as on the command line.

use asp_options::raw::Options;

use crate::error::Fail;

/// Reads arguments.
pub fn read(arguments: &[String]) -> Result<Options, Fail> {
    asp_options::parse_control(arguments).map_err(|error| Fail::runtime(error.text("libclingo")))
}
