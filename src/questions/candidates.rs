//! What is still possible: a grid of pencil marks, and what stands in no cell.

use std::fmt::Write as _;

use super::listing;
use crate::base::map::Set;
use crate::control::Control;
use crate::explain::cells::{self, Cells};
use crate::picture;

/// The grid of what is possible, and what does not belong to a cell.
pub(crate) fn text(control: &Control, possible: &[bool]) -> String {
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
    let drawn = if cells.is_some() { listing::grids(control, &[possible], true) } else { None };
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
