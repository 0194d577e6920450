//! `asp check FILES`: errors, warnings and lints, without solving.

use clap::{ArgMatches, Command};

use super::Spec;
use super::common::{self, Input};
use crate::cli::warnings::LINTS;

/// The subcommand.
pub const SPEC: Spec = Spec { name: "check", define, run };

fn define() -> Command {
    common::program_arguments(
        Command::new("check").about("Show errors, warnings and lints, without solving").after_help(
            "Examples:\n  asp check my-puzzle.lp\n  asp check futoshiki.lp grid4.lp\n\n\
             Exit codes: 0 nothing to say against it, 65 errors.",
        ),
    )
}

fn run(matches: &ArgMatches) -> u8 {
    let mut input = match Input::read(matches) {
        Ok(input) => input,
        Err(code) => return code,
    };
    for (name, _) in LINTS {
        // Names of lints are known.
        let _ = input.warnings.obey(name);
    }
    match input.ground() {
        Ok(()) => 0,
        Err(code) => code,
    }
}
