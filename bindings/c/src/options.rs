//! Options of a control: arguments as in clingo's library.
//!
//! Invariant: arguments are checked in the same way as on the command line.

use asp_options::raw::Options;

use crate::error::Fail;

/// The argument that chooses how messages are laid out, which only the library has.
const LAYOUT: &str = "--message-layout=";

/// What clingo prints of a program that it rewrites and grounds, which is nothing here; it takes no value.
const VERBOSE: &str = "--verbose";

/// Whether messages are laid out as those of the command line (`--message-layout=asp`), not as clingo's (`clingo`); and the
/// arguments for the engine.
pub fn take_layout(arguments: &[String]) -> Result<(bool, Vec<String>), Fail> {
    let mut own_layout = false;
    let mut rest = Vec::with_capacity(arguments.len());
    for word in arguments {
        match word.strip_prefix(LAYOUT) {
            Some("clingo") => own_layout = false,
            Some("asp") => own_layout = true,
            Some(other) => {
                let text = format!("'{other}' invalid value for: 'message-layout'; it is asp or clingo");
                return Err(Fail::runtime(text));
            }
            None if word == VERBOSE || word == "-V" => {}
            None if word.strip_prefix(VERBOSE).is_some_and(|value| value.starts_with('=')) => {
                return Err(Fail::runtime("SyntaxError: 'verbose' does not take a value!"));
            }
            None => {
                rest.push(word.strip_prefix("-V").map_or_else(|| word.clone(), |more| format!("-{more}")))
            }
        }
    }
    Ok((own_layout, rest))
}

/// Reads arguments.
pub fn read(arguments: &[String]) -> Result<Options, Fail> {
    // Words after this one would be files, which a control does not take; clingo does not look at them.
    let arguments = arguments.split(|word| word == "--").next().unwrap_or_default();
    asp_options::parse_control(arguments).map_err(|error| {
        let text = error.text("libclingo");
        // It is one of programs, which clingo's library does not know.
        let is_short = arguments.iter().any(|word| word.starts_with("-q"));
        Fail::runtime(if is_short { text.replace("option: 'quiet'", "option: '-q'") } else { text })
    })
}
