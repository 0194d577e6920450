//! The command line: arguments to checked options, options to stages, with limits and signals.

mod commands;
mod cube;
mod diagnostics;
mod embedded;
mod exit;
pub mod help;
mod input;
mod library;
mod memory;
pub mod mentions;
mod open;
mod picture;
mod python;
pub mod run;
pub mod stderr;
mod stdout;
mod terminal;
pub mod usage;
mod watch;

use asp_options::raw::Action;
use asp_options::{args, configuration};
use exit::WRONG_OPTION;
use stderr::tell_error;

use asp_base::nearest::nearest;

pub use commands::language_server;
pub use embedded::Embedded;

/// Runs a command line (without the program's name) and returns the exit code.
pub fn main(argv: &[String], carried: Embedded) -> u8 {
    embedded::set(carried);
    stdout::exit_code(dispatch(argv))
}

fn dispatch(argv: &[String]) -> u8 {
    let mut argv = argv;
    let asked = ["--help".to_string()];
    if let Some((first, rest)) = argv.split_first() {
        if let Some(command) = commands::find(first) {
            return commands::main(command, rest);
        }
        // Many tools have `help` and `help NAME`.
        if first == "help" {
            match rest.first().map(|name| (name, commands::find(name))) {
                Some((_, Some(command))) => return commands::main(command, &asked),
                Some((name, None)) => {
                    let near = nearest(name, commands::names());
                    let near = near.map(|n| format!("; did you mean `{n}`?")).unwrap_or_default();
                    tell_error(&format!("there is no subcommand `{name}`{near}"));
                    return WRONG_OPTION;
                }
                None => argv = &asked,
            }
        }
    }
    let action = match asp_options::parse(argv) {
        Ok(action) => action,
        Err(error) => {
            // What is there from an earlier run says nothing of this one.
            if let Some(dir) = args::value_anywhere(argv, |name| args::is_name_of(name, "proof")) {
                let _ = run::proof::forget(dir);
            }
            return usage::tell(&error);
        }
    };
    let text = match action {
        Action::Run(options) => return run::run(options, commands::names().collect()),
        Action::Help(level) => help::help(level).into_bytes(),
        Action::Version => help::version().into_bytes(),
        Action::List => library::list().into_bytes(),
        Action::ListWarnings => help::warnings().into_bytes(),
        Action::ListRewritings => help::rewritings().into_bytes(),
        Action::Generate(what) => help::generate(&what),
        Action::Portfolio => configuration::portfolio().into_bytes(),
    };
    stdout::print_bytes(&text);
    0
}
