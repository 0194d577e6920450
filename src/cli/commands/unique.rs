//! `asp unique FILES`: whether there is exactly one answer set.

use std::fmt::Write as _;

use clap::{ArgMatches, Command};

use super::asking::{self, Printer};
use super::failure::stopped;
use super::incremental;
use super::spec::Spec;
use super::status::Status;
use crate::base::interrupt::StopReason;
use crate::cli::exit;
use crate::control::Control;
use crate::explain::cells::{self, Difference};
use crate::explain::count;
use crate::picture::{self, grid::Grid};

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
    let found = find(control);
    drop(status);
    match found {
        Ok(found) => {
            found.text.iter().for_each(|text| asking::print(text));
            found.code
        }
        Err(reason) => stopped(reason),
    }
}

/// What was found out.
pub(super) struct Found {
    /// In words, if it is known.
    pub(super) text: Option<String>,
    /// The exit code that says it.
    pub(super) code: u8,
}

/// Tells whether a program has exactly one answer set.
pub(super) fn find(control: &mut Control) -> Result<Found, StopReason> {
    let (sets, all) = count::first(control, 2, true)?;
    let printer = Printer::new(control);
    let (text, code) = match sets.as_slice() {
        [] => (Some("No answer set.\n".into()), exit::EXHAUSTED),
        [one] if all => (Some(format!("Unique.\n{}\n", printer.text(one))), 0),
        [first, second] => (Some(two(control, &printer, [first, second])), exit::NO),
        _ => (None, exit::STOPPED),
    };
    Ok(Found { text, code })
}

/// The answer sets as pictures, with brackets around what differs; `None` if no cell differs in its content.
fn drawn(control: &Control, sets: [&[bool]; 2]) -> Option<Vec<Vec<String>>> {
    let mut grids = asking::grids(control, &sets, false)?;
    let [first, second] = grids.as_mut_slice() else { return None };
    let mut differ = false;
    let before = [first.clone(), second.clone()];
    for (grid, other) in [(first, &before[1]), (second, &before[0])] {
        for row in 0..grid.rows {
            for column in 0..grid.columns {
                // Grids that give their own size may have different sizes.
                let at = |g: &Grid| g.at(row as i64 + grid.first.0, column as i64 + grid.first.1);
                let text = at(other).map_or("", |at| other.cell(at).text.as_str());
                let cell = grid.cell_mut((row, column));
                if cell.text != text {
                    cell.text = format!("[{}]", cell.text);
                    differ = true;
                }
            }
        }
    }
    differ.then(|| grids.iter().map(|grid| picture::text::lines(grid, false)).collect())
}

fn two(control: &Control, printer: &Printer, sets: [&[bool]; 2]) -> String {
    let d = cells::difference(control.program(), control.symbols(), sets);
    let mut out = "Not unique.\n".to_string();
    // Writing to a string cannot fail.
    if let Some(grids) = drawn(control, sets) {
        let _ = write!(out, "\n{}\n", picture::side_by_side(&grids, 4));
    } else if let Some(grids) = &d.grids {
        let lines = cells::side_by_side(&grids.each_ref().map(cells::Grid::lines), 6);
        let _ = writeln!(out, "\n{}\n", lines.join("\n"));
    } else {
        for (i, set) in sets.iter().enumerate() {
            let _ = writeln!(out, "Answer: {}\n{}", i + 1, printer.text(set));
        }
    }
    let Difference { only_first, only_second, common, .. } = &d;
    let _ = writeln!(out, "only in the first:  {}", only_first.join(" "));
    let _ = writeln!(out, "only in the second: {}", only_second.join(" "));
    let _ = writeln!(out, "in both:            {common} more");
    let mut text = String::new();
    for line in out.lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
