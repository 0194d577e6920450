//! The argument `--steps`: the step of a growing program (`#include <incmode>.`) that a question is about.

use clap::{Arg, ArgMatches, Command, value_parser};

use super::program::{self, Input};
use asp_run::exit::INPUT_ERROR;
use asp_run::extent::Extent;
use asp_run::failure::failed;

/// Adds `--steps` to the arguments that name a program.
pub(crate) fn arguments(command: Command) -> Command {
    program::arguments(command)
        .arg(Arg::new("steps").long("steps").value_name("N").value_parser(value_parser!(u32)).help(
        "Of a program with #include <incmode>: ask about N steps [default: the first N with an answer set]",
    ))
}

/// How far the program that the arguments name is grounded. Pre: it has not been parsed.
pub(crate) fn extent(matches: &ArgMatches, input: &Input) -> Extent {
    let steps = matches.get_one::<u32>("steps").copied();
    Extent::new(input.control.texts().to_vec(), steps, Box::new(input.empty()))
}

/// Reads and grounds the program of the arguments and prepares it for the solver; with `keep_facts`, the ground program keeps
/// its facts.
pub(crate) fn grounded(matches: &ArgMatches, keep_facts: bool) -> Result<Input, u8> {
    let mut input = Input::read(matches)?;
    input.control.settings.ground.keep_facts = keep_facts;
    input.control.settings.integers.tell_values();
    let extent = extent(matches, &input);
    let result = extent.ground(&mut input.control).and_then(|()| input.control.lower());
    if let Some(code) = extent.stopped() {
        return Err(code);
    }
    let errors = input.report();
    match result {
        Ok(()) if !errors => Ok(input),
        Ok(()) => Err(INPUT_ERROR),
        Err(error) => Err(failed(&error)),
    }
}
