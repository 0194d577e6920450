//! `asp count FILES`: the exact number of answer sets.

use clap::{Arg, ArgAction, ArgMatches, Command};
use num_bigint::BigUint;

use super::asking;
use super::failure::stopped;
use super::incremental;
use super::spec::Spec;
use super::status::Status;
use crate::cli::exit;
use crate::explain::count;

/// The subcommand.
pub(crate) const SPEC: Spec = Spec { name: "count", define, run };

/// The option that makes answer sets that show the same count as one.
pub(crate) fn project(command: Command) -> Command {
    command.arg(
        Arg::new("project")
            .long("project")
            .action(ArgAction::SetTrue)
            .help("Take answer sets that show the same for one"),
    )
}

fn define() -> Command {
    project(incremental::arguments(
        Command::new("count").about("Count answer sets exactly, without visiting each where the program allows it").after_help(
            "Answer sets are counted by splitting the search into independent parts and\n\
             remembering the count of each part, and enumerated in turns with that; parts with\n\
             disjunctions in a cycle or very large cycles are enumerated. A count is exact or not\n\
             given at all.\n\n\
             Examples:\n  asp count graph-colouring.lp australia.lp\n  asp count --project latin-square.lp -c n=4\n\n\
             Exit codes: 0 counted, 20 there is none (the count is 0), 2 stopped before it was\n\
             known, 65 errors.",
        ),
    ))
}

fn run(matches: &ArgMatches) -> u8 {
    let mut input = match incremental::grounded(matches, false) {
        Ok(input) => input,
        Err(code) => return code,
    };
    asking::note_costs(&input.control);
    let status = Status::show("Counting", &input.control.interrupt());
    let counted = count::count(&mut input.control, matches.get_flag("project"));
    drop(status);
    match counted {
        Ok(number) => {
            asking::print(&format!("{number}\n"));
            if number == BigUint::ZERO { exit::EXHAUSTED } else { 0 }
        }
        Err(reason) => stopped(reason),
    }
}
