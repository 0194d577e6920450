//! How far a program that grows in steps (`#include <incmode>.`) is grounded when a question is asked about it.
//!
//! Without `--steps` it is as many steps as `asp` itself makes: up to the first that has an answer set.
//! Invariant: the question is about one program, that of the last step, whose query is true.

use clap::{Arg, ArgMatches, Command, value_parser};

use super::asking;
use super::common;
use crate::cli::library::LibraryLoader;
use crate::cli::steps::Steps;
use crate::control::{Control, Error};
use crate::solve::{Control as Flow, OptMode};

/// Adds `--steps` to the arguments that name a program.
pub fn arguments(command: Command) -> Command {
    common::program_arguments(command)
        .arg(Arg::new("steps").long("steps").value_name("N").value_parser(value_parser!(u32)).help(
        "Of a program with #include <incmode>: ask about N steps [default: the first N with an answer set]",
    ))
}

/// The number of steps that a question is about; `None` for a program that does not grow.
pub fn find(matches: &ArgMatches, control: &Control) -> Result<Option<i64>, u8> {
    let mut probe = Control::with_interrupt(control.interrupt());
    probe.set_loader(LibraryLoader);
    control.texts().iter().for_each(|t| probe.add_source(t.clone()));
    // Errors are told where the program is read for the question itself.
    if probe.parse().is_err() || !probe.is_incremental() {
        if matches.get_one::<u32>("steps").is_some() {
            eprintln!("note: --steps plays no role: the program has no `#include <incmode>.`");
        }
        return Ok(None);
    }
    if let Some(&steps) = matches.get_one::<u32>("steps") {
        return Ok(Some(steps.into()));
    }
    match first(&mut probe) {
        Ok((steps, found)) => {
            let what = if found { "the first with an answer set" } else { "the last, by imax" };
            eprintln!(
                "note: the program grows in steps; this is about step {steps}, {what} (--steps=N: step N)"
            );
            Ok(Some(steps))
        }
        Err(Error::Stopped(reason)) => {
            eprintln!("note: no number of steps had an answer set so far; --steps=N asks about step N");
            Err(asking::stopped(reason))
        }
        // Other errors are told where the program is grounded for the question itself.
        Err(_) => Ok(Some(0)),
    }
}

/// The step at which the program ends, and whether it has an answer set there.
fn first(control: &mut Control) -> Result<(i64, bool), Error> {
    let mut steps = Steps::new(control);
    let mut number = -1;
    while let Some(parts) = steps.next(control) {
        control.ground_parts(&parts)?;
        steps.open_query(control);
        control.prepare()?;
        let mut options = control.settings.solve.clone();
        (options.models, options.opt_mode) = (Some(1), OptMode::Ignore);
        let result = control.solve_events(&options, &[], &mut |_, _, _| Flow::Continue);
        if let (Some(reason), false) = (result.stopped, result.satisfiable) {
            return Err(Error::Stopped(reason));
        }
        number += 1;
        if steps.are_done(&result) {
            return Ok((number, result.satisfiable));
        }
    }
    Ok((number.max(0), false))
}

/// Grounds a program for a question.
pub fn ground(control: &mut Control, horizon: Option<i64>) -> Result<(), Error> {
    control.parse()?;
    let Some(last) = horizon.filter(|_| control.is_incremental()) else { return control.ground() };
    let mut steps = Steps::up_to(last);
    while let Some(parts) = steps.next(control) {
        control.ground_parts(&parts)?;
    }
    steps.open_query(control);
    Ok(())
}
