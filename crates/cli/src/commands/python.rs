//! `asp python ARGUMENTS`: Python, whose package clingo runs on asp.
//!
//! Invariant: Python gets its arguments unchanged, and its exit code is that of the run.

use clap::{Arg, ArgMatches, Command};

use super::program;
use super::spec::Spec;
use asp_run::exit;
use asp_run::python::{Python, become_program};
use asp_run::stderr::{tell, tell_error};

pub(crate) const SPEC: Spec = Spec { name: "python", define, run };

fn define() -> Command {
    Command::new("python")
        .about("Run a Python program whose package clingo runs on asp")
        .after_help(
            "Examples:\n  asp python program.py instance.lp\n  asp python --python venv/bin/python program.py\n  \
             asp python -m clingo program.lp 0\n\n\
             Nothing is changed for other runs of Python. The package is clingo 5.8.3 of PyPI; what it runs on is asp's\n\
             module _clingo, of bindings/python.\n\n\
             Exit codes: those of the program; 65 if Python, the package or the module is missing.",
        )
        .arg(
            Arg::new("python")
                .long("python")
                .value_name("PATH")
                .value_hint(clap::ValueHint::ExecutablePath)
                .help("Which Python [default: ASP_PYTHON, else python3 of the path]"),
        )
        .arg(
            program::words("A file and its arguments, as Python takes them")
                .value_hint(clap::ValueHint::AnyPath),
        )
}

fn run(matches: &ArgMatches) -> u8 {
    let python = match Python::find(matches.get_one::<String>("python").map(String::as_str)) {
        Ok(python) => python,
        Err(missing) => {
            tell_error(&missing.what);
            missing.help.iter().for_each(|help| tell(&format!("*** Info : (asp): {help}")));
            return exit::INPUT_ERROR;
        }
    };
    let mut command = python.command();
    command.args(matches.get_many::<String>("arguments").into_iter().flatten());
    become_program(command).unwrap_or_else(|why| {
        tell_error(&format!("Python cannot be run: {why}"));
        exit::INPUT_ERROR
    })
}
