//! Options of a control: arguments as in clingo's library.
//!
//! Invariant: arguments are checked in the same way as on the command line.

use asp_options::raw::Options;

use crate::error::Fail;

/// The argument that chooses how messages are laid out, which only the library has.
const LAYOUT: &str = "--message-layout=";

/// Whether messages are laid out as those of the command line (`--message-layout=asp`), not as clingo's (`clingo`); and the
/// other arguments.
pub fn take_layout(arguments: &[String]) -> Result<(bool, Vec<String>), Fail> {
    let (own, rest): (Vec<String>, Vec<String>) =
        arguments.iter().cloned().partition(|word| word.starts_with(LAYOUT));
    match own.last().map(|word| &word[LAYOUT.len()..]) {
        None | Some("clingo") => Ok((false, rest)),
        Some("asp") => Ok((true, rest)),
        Some(other) => {
            Err(Fail::runtime(format!("'{other}' invalid value for: 'message-layout'; it is asp or clingo")))
        }
    }
}

/// Reads arguments.
pub fn read(arguments: &[String]) -> Result<Options, Fail> {
    asp_options::parse_control(arguments).map_err(|error| Fail::runtime(error.text("libclingo")))
}
