//! `asp candidates FILES`: the values that are still possible.

use std::fmt::Write as _;

use clap::{Arg, ArgAction, ArgMatches, Command};

use super::asking;
use super::failure::stopped;
use super::incremental;
use super::spec::Spec;
use super::status::Status;
use crate::base::interrupt::StopReason;
use crate::base::map::Set;
use crate::cli::exit;
use crate::control::Control;
use crate::explain::cells::{self, Cells};
use crate::explain::count;
use crate::explain::hint;
use crate::explain::relaxed_facts::Which;
use crate::picture;

/// The subcommand.
pub(crate) const SPEC: Spec = Spec { name: "candidates", define, run };

fn define() -> Command {
    let command = Command::new("candidates")
        .about("Show which shown atoms are still possible, as a grid of pencil marks where there are cells")
        .after_help(
            "What is possible holds in some answer set. With --by-inference, it is what plain\n\
             inference from the facts does not rule out, as a person would note it before any\n\
             trying.\n\n\
             Examples:\n  asp candidates futoshiki.lp grid4.lp\n  asp candidates --by-inference sudoku.lp sudoku9-sas.lp\n\n\
             Exit codes: 0 done, 2 stopped, 20 no answer set, 65 errors.",
        );
    incremental::arguments(command).arg(
        Arg::new("by-inference")
            .long("by-inference")
            .action(ArgAction::SetTrue)
            .help("Rule out only what plain inference rules out"),
    )
}

fn run(matches: &ArgMatches) -> u8 {
    if matches.get_flag("by-inference") {
        let inquiry = match asking::open(matches, &Which::default()) {
            Ok(inquiry) => inquiry,
            Err(code) => return code,
        };
        return match hint::possible(&inquiry) {
            None => none(),
            Some(possible) => {
                asking::print(&text(&inquiry.control, &possible));
                0
            }
        };
    }
    let mut input = match incremental::grounded(matches, true) {
        Ok(input) => input,
        Err(code) => return code,
    };
    let control = &mut input.control;
    asking::note_costs(control);
    let status = Status::show("Solving", &control.interrupt());
    let possible: Result<Option<Vec<bool>>, StopReason> = count::brave(control);
    drop(status);
    match possible {
        Err(reason) => stopped(reason),
        Ok(None) => none(),
        Ok(Some(possible)) => {
            asking::print(&text(control, &possible));
            0
        }
    }
}

fn none() -> u8 {
    asking::print("No answer set: `asp why-unsat` explains that.\n");
    exit::EXHAUSTED
}

/// The grid of what is possible, and what does not belong to a cell.
fn text(control: &Control, possible: &[bool]) -> String {
    let (program, symbols) = (control.program(), control.symbols());
    let cells = Cells::find(program, symbols);
    let mut grid = cells.as_ref().map(Cells::grid);
    let mut seen: Set<String> = Set::default();
    let mut others: Vec<String> = Vec::new();
    let mut marks: Vec<(i64, i64, String)> = Vec::new();
    for (show, _) in program.shows.iter().zip(possible).filter(|(_, p)| **p) {
        let text = cells::text(show.item, program, symbols);
        if !seen.insert(text.clone()) {
            continue;
        }
        let cell = cells::item(show.item, program, symbols)
            .and_then(|item| cells.as_ref().and_then(|c| c.cell(&item, symbols)));
        match cell {
            Some((r, c, v)) => marks.push((r, c, symbols.display(v))),
            None => others.push(text),
        }
    }
    let short = marks.iter().all(|m| m.2.chars().count() == 1);
    marks.sort_by(|a, b| (a.0, a.1, a.2.len(), &a.2).cmp(&(b.0, b.1, b.2.len(), &b.2)));
    let mut out = String::new();
    let drawn = if cells.is_some() { asking::grids(control, &[possible], true) } else { None };
    if let Some([picture]) = drawn.as_deref() {
        grid = None;
        for line in picture::text::lines(picture, false) {
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{}", line.trim_end());
        }
    }
    if let Some(grid) = &mut grid {
        for (r, c, v) in &marks {
            if let Some(cell) = grid.at(*r, *c) {
                if !cell.is_empty() && !short {
                    cell.push(',');
                }
                cell.push_str(v);
            }
        }
        for line in grid.lines() {
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{line}");
        }
    }
    if !others.is_empty() && !out.is_empty() {
        out.push('\n');
    }
    if !others.is_empty() {
        let _ = writeln!(out, "possible: {}", others.join(" "));
    } else if cells.is_none() {
        out.push_str("Nothing that is shown is possible.\n");
    }
    out
}
