//! The command line: arguments to checked options, options to stages, with limits and signals.

mod commands;
mod cube;
mod help;

use asp_options::raw::Action;
use asp_options::{args, configuration};
use asp_run::exit::WRONG_OPTION;
use asp_run::stderr::tell_error;
use asp_run::{embedded, library, run, stdout, usage, version};

use asp_base::nearest::nearest;
use std::path::Path;

pub use asp_run::embedded::Embedded;

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
            // The claim of an earlier run says nothing of this one, unless it is read.
            let dir = args::value_anywhere(argv, |name| args::is_name_of(name, "proof"));
            if let Some(dir) = dir.filter(|dir| !argv.iter().any(|file| lies_in(file, dir))) {
                let _ = run::proof::forget(dir);
            }
            return usage::tell(&error);
        }
    };
    let text = match action {
        Action::Run(options) => return run::run(options, commands::names().collect()),
        Action::Help(level) => help::text(level).into_bytes(),
        Action::Version => version::version().into_bytes(),
        Action::List => library::list().into_bytes(),
        Action::ListWarnings => asp_options::help::warnings().into_bytes(),
        Action::ListRewritings => asp_options::help::rewritings().into_bytes(),
        Action::Generate(what) => help::generate(&what),
        Action::Portfolio => configuration::portfolio().into_bytes(),
    };
    stdout::print_bytes(&text);
    0
}

/// Whether a file lies in a directory.
fn lies_in(file: &str, dir: &str) -> bool {
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    let folder = real(Path::new(file)).and_then(|file| file.parent().map(Path::to_path_buf));
    folder.is_some() && folder == real(Path::new(dir))
}
