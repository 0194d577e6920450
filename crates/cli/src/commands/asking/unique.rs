//! `asp unique FILES`: whether there is exactly one answer set.

use clap::{Arg, ArgMatches, Command};

use crate::commands::asking;
use crate::commands::incremental;
use crate::commands::spec::Spec;
use crate::commands::status::Status;
use asp_control::{Control, Error, options_for_proof};
use asp_explain::count;
use asp_questions::{Verdict, unique};
use asp_run::exit;
use asp_run::failure::{failed, note};
use asp_run::run::proof::{ProofFiles, refused};
use asp_solve::{Event, Flow, OptMode, Projection, SolveOptions};

pub(crate) const SPEC: Spec = Spec { name: "unique", define, run };

fn define() -> Command {
    let certify = Arg::new("certify")
        .long("certify")
        .value_name("DIR")
        .help("Write a proof of the answer to the directory, for `asp-check`");
    asking::optimal(incremental::arguments(
        Command::new("unique").about("Tell whether there is exactly one answer set").arg(certify).after_help(
            "Answer sets that show the same count as one. If there are several, two of them are\n\
             printed with their difference: as grids if they show cells p(Row,Column,Value).\n\n\
             Examples:\n  asp unique sudoku.lp sudoku9-sas.lp\n  \
             asp unique --certify=proof sudoku.lp sudoku9-sas.lp\n\n\
             Exit codes: 0 exactly one, 1 more than one, 20 none, 2 stopped before it was known,\n\
             65 errors.",
        ),
    ))
}

fn run(matches: &ArgMatches) -> u8 {
    let mut input = match asking::grounded(matches, true) {
        Ok(input) => input,
        Err(code) => return code,
    };
    let control = &mut input.control;
    let status = Status::show("Solving", &control.interrupt());
    let found = match matches.get_one::<String>("certify") {
        None => count::first(control, 2, true).map_err(Error::Stopped),
        Some(_) if control.is_incremental() => Err(refused("a program in steps")),
        Some(_) if matches.get_flag("optimal") => Err(refused("optimal answer sets")),
        Some(dir) => certified(control, dir),
    };
    drop(status);
    let (sets, all) = match found {
        Ok(found) => found,
        Err(error) => return failed(&error),
    };
    let Some((verdict, text)) = unique::told(control, &sets, all) else { return exit::STOPPED };
    asking::print(&text);
    match verdict {
        Verdict::Unique => 0,
        Verdict::Several => exit::NO,
        _ => exit::EXHAUSTED,
    }
}

/// The first two answer sets that show different things, by show entry, and whether there are no others, with a proof.
fn certified(control: &mut Control, dir: &str) -> Result<(Vec<Vec<bool>>, bool), Error> {
    let options = SolveOptions {
        models: Some(2),
        projection: Projection::Show,
        opt_mode: OptMode::Ignore,
        ..SolveOptions::default()
    };
    let options = options_for_proof(&options).map_err(refused)?;
    let files = ProofFiles::begin(dir, control, &options)?;
    let mut sets = Vec::new();
    let result = control.solve_events(&options, &[], &mut |event, program, _| {
        if let Event::Model(model) = event {
            sets.push(count::shown(&model, program));
        }
        Flow::Continue
    })?;
    if let Some(reason) = result.stopped {
        return Err(Error::Stopped(reason));
    }
    match files.end(control, &options, &result) {
        Ok(text) => note(&text),
        Err(why) => return Err(Error::Format(why)),
    }
    Ok((sets, result.exhausted))
}
