//! `asp unique FILES`: whether there is exactly one answer set.

use clap::{ArgMatches, Command};

use super::asking;
use super::failure::stopped;
use super::incremental;
use super::spec::Spec;
use super::status::Status;
use crate::cli::exit;
use crate::explain::count;
use crate::questions::unique;

/// The subcommand.
pub(crate) const SPEC: Spec = Spec { name: "unique", define, run };

fn define() -> Command {
    incremental::arguments(
        Command::new("unique").about("Tell whether there is exactly one answer set").after_help(
            "Answer sets that show the same count as one. If there are several, two of them are\n\
         printed with their difference: as grids if they show cells p(Row,Column,Value).\n\n\
         Examples:\n  asp unique sudoku.lp sudoku9-sas.lp\n\n\
         Exit codes: 0 exactly one, 1 more than one, 20 none, 2 stopped before it was known,\n\
         65 errors.",
        ),
    )
}

fn run(matches: &ArgMatches) -> u8 {
    let mut input = match incremental::grounded(matches, true) {
        Ok(input) => input,
        Err(code) => return code,
    };
    let control = &mut input.control;
    asking::note_costs(control);
    let status = Status::show("Solving", &control.interrupt());
    let found = count::first(control, 2, true);
    drop(status);
    let (sets, all) = match found {
        Ok(found) => found,
        Err(reason) => return stopped(reason),
    };
    let Some((verdict, text)) = unique::told(control, &sets, all) else { return exit::STOPPED };
    asking::print(&text);
    match verdict {
        "unique" => 0,
        "several" => exit::NO,
        _ => exit::EXHAUSTED,
    }
}
