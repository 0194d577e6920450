//! Options of a control: arguments as in clingo's library.
//!
//! Invariant: arguments are checked in the same way as on the command line.

use asp_options::args::{self, Args};
use asp_options::check;
use asp_options::raw::{Action, Options};
use asp_options::usage::UsageError;

use crate::control::Control;
use crate::error::Fail;

/// Options that take effect on the command line only, by their long names.
const NOT_HERE: [&str; 41] = [
    "bound-file",
    "compute",
    "csv",
    "csv-delimiter",
    "csv-header",
    "cube",
    "explain-rewrites",
    "fast-exit",
    "generate",
    "grid",
    "hcc-out",
    "help",
    "html",
    "json",
    "lemma-in",
    "lemma-out",
    "lemma-out-dom",
    "lemma-out-lbd",
    "lemma-out-max",
    "lemma-out-txt",
    "list",
    "memory-limit",
    "out-atomf",
    "out-hide-aux",
    "out-ifs",
    "outf",
    "output",
    "pre",
    "print-portfolio",
    "profile",
    "progress",
    "proof",
    "quiet",
    "reify-sccs",
    "reify-steps",
    "show-grid",
    "svg",
    "text",
    "time-limit",
    "verbose",
    "version",
];

impl Control {
    /// The arguments of a command line that a control has, too.
    pub fn own_arguments(parsed: &Args<'_>) -> Vec<String> {
        let own = parsed.options.iter().filter(|given| !NOT_HERE.contains(&given.spec.long));
        own.map(|given| {
            let no = if given.negated { "no-" } else { "" };
            let value = given.value.map_or(String::new(), |value| format!("={value}"));
            format!("--{no}{}{value}", given.spec.long)
        })
        .collect()
    }
}

/// Reads arguments.
pub fn read(arguments: &[String]) -> Result<Options, Fail> {
    let here = |error: UsageError| Fail::runtime(error.text("libclingo"));
    let parsed = args::parse(arguments).map_err(here)?;
    if !parsed.files.is_empty() {
        return Err(Fail::runtime("In context '<libclingo>': unknown option: 'Positional Option'"));
    }
    if let Some(name) = NOT_HERE.iter().find(|name| parsed.has(name)) {
        return Err(Fail::runtime(format!("In context '<libclingo>': unknown option: '{name}'")));
    }
    match check::check(&parsed).map_err(here)? {
        Action::Run(options) => Ok(*options),
        _ => Err(Fail::runtime(
            "In context '<libclingo>': these arguments ask for something else than a control",
        )),
    }
}
