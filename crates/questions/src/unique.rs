//! Replies to "is there exactly one answer set", and how two differ.

use std::fmt::Write as _;

use super::listing::{self, Printer};
use super::verdict::Verdict;
use asp_control::Control;
use asp_explain::cells::{self, Difference};
use asp_picture as picture;
use asp_picture::grid::Grid;

/// The answer sets as pictures, with brackets around differences; `None` if no cell differs in its content.
fn drawn(control: &Control, sets: [&[bool]; 2]) -> Option<Vec<Vec<String>>> {
    let mut grids = listing::grids(control, &sets, false)?;
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
    differ.then(|| grids.iter().map(|grid| picture::grid::text::lines(grid, false)).collect())
}

/// The reply from the first answer sets, two at most, and whether these are all: verdict and text; `None` if they leave
/// the question open.
pub fn told(control: &Control, sets: &[Vec<bool>], all: bool) -> Option<(Verdict, String)> {
    let printer = Printer::new(control);
    match sets {
        [] => Some((Verdict::NoAnswerSet, "No answer set.\n".into())),
        [one] if all => Some((Verdict::Unique, format!("Unique.\n{}\n", printer.text(one)))),
        [first, second] => Some((Verdict::Several, two(control, &printer, [first, second]))),
        _ => None,
    }
}

fn two(control: &Control, printer: &Printer, sets: [&[bool]; 2]) -> String {
    let d = cells::difference(control.program(), control.symbols(), sets);
    let mut out = "Not unique.\n".to_string();
    // Writing to a string cannot fail.
    let lines = |grid: &Grid| picture::grid::text::lines(grid, false);
    if let Some(grids) = drawn(control, sets).or_else(|| Some(d.grids.as_ref()?.iter().map(lines).collect()))
    {
        let _ = write!(out, "\n{}\n", picture::side_by_side(&grids, 4));
    } else {
        for (i, set) in sets.iter().enumerate() {
            let _ = writeln!(out, "Answer: {}\n{}", i + 1, printer.text(set));
        }
    }
    let Difference { only_first, only_second, common, .. } = &d;
    for (which, atoms) in [("first: ", only_first), ("second:", only_second)] {
        if !atoms.is_empty() {
            let _ = writeln!(out, "only in the {which} {}", atoms.join(" "));
        }
    }
    if *common > 0 {
        let _ = writeln!(out, "in both:            {common} more");
    }
    let mut text = String::new();
    for line in out.lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
