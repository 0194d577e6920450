//! A grid as lines of text.
//!
//! There is a line between two rows or columns only if something is drawn there: the side of a block, a sign, a part of
//! a loop. Without colours, a `'` follows given values.

use super::{At, Cell, Fill, Grid, Line, Side};
use crate::canvas::{Canvas, Ink, width};

/// The mark of a given value without colours.
pub(crate) const GIVEN_MARK: &str = "'";

/// The positions of everything on the sheet.
struct Plan {
    /// Width of a cell.
    cell: usize,
    /// Column of the line before each cell, and after the last one.
    lines_x: Vec<usize>,
    /// Column of each cell's first character.
    cells_x: Vec<usize>,
    /// Row of the line above each row of cells, and below the last, if there is one.
    lines_y: Vec<Option<usize>>,
    /// Row of each row of cells.
    cells_y: Vec<usize>,
    width: usize,
    height: usize,
    /// Lines of clues above the grid.
    north: usize,
    marks: bool,
}

/// The lines of a grid; `color` says whether the reader is a terminal with colours.
pub fn lines(grid: &Grid, color: bool) -> Vec<String> {
    let plan = plan(grid, color);
    let mut canvas = Canvas::new(plan.width, plan.height);
    draw_lines(grid, &plan, &mut canvas);
    draw_cells(grid, &plan, &mut canvas);
    draw_links(grid, &plan, &mut canvas);
    draw_signs(grid, &plan, &mut canvas);
    draw_clues(grid, &plan, &mut canvas);
    let mut lines = canvas.lines(color);
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    if !grid.title.is_empty() {
        lines.insert(0, grid.title.clone());
    }
    lines
}

/// The text that represents a cell, and its ink.
fn face(cell: &Cell) -> (String, Ink) {
    let ink = |otherwise| if cell.given { Ink::Bold } else { otherwise };
    match &cell.fill {
        Fill::Wall if cell.text.is_empty() => ("#".into(), Ink::Plain),
        Fill::Shade => ("■".into(), Ink::Found),
        Fill::Colour(name) if cell.text.is_empty() => (name.chars().take(1).collect(), Ink::Found),
        _ if cell.text.is_empty() => (".".into(), Ink::Faint),
        _ => (cell.text.clone(), ink(Ink::Found)),
    }
}

fn plan(grid: &Grid, color: bool) -> Plan {
    let marks = !color && grid.tells_givens();
    let column_clues = |side| grid.clues.iter().filter(move |((s, _), _)| *s == side).map(|(_, c)| c);
    let mut cell = grid.cells.iter().map(|c| width(&face(c).0)).max().unwrap_or(1).max(1);
    for clue in column_clues(Side::North).chain(column_clues(Side::South)).flatten() {
        cell = cell.max(width(clue));
    }
    let label = grid.cells.iter().map(|c| width(&c.label)).max().unwrap_or(0);
    cell = cell.max(label.saturating_sub(2));
    let row_clues = |side| column_clues(side).map(|c| width(&c.join(" "))).max().unwrap_or(0);
    let (west, east) = (row_clues(Side::West), row_clues(Side::East));
    let depth = |side| column_clues(side).map(Vec::len).max().unwrap_or(0);
    let (north, south) = (depth(Side::North), depth(Side::South));

    let last = grid.columns;
    let has_line_x = |k: usize| {
        grid.lattice
            || k == 0
            || k == last
            || (0..grid.rows)
                .any(|r| grid.line_before(r, k) != Line::None || grid.signs_right.contains_key(&(r, k - 1)))
    };
    let has_line_y = |i: usize| {
        grid.lattice
            || i == 0
            || i == grid.rows
            || (0..grid.columns)
                .any(|c| grid.line_above(i, c) != Line::None || grid.signs_below.contains_key(&(i - 1, c)))
    };
    let mut x = if west > 0 { west + 1 } else { 0 };
    let (mut lines_x, mut cells_x) = (Vec::new(), Vec::new());
    for k in 0..=last {
        let line = has_line_x(k);
        // A blank precedes a line; the mark of a given value may take its place.
        x += usize::from(k > 0 && (line || marks));
        lines_x.push(x);
        x += 1 + usize::from(line && k < last);
        if k < last {
            cells_x.push(x);
            x += cell;
        }
    }
    let width = x + if east > 0 { east + 1 } else { 0 };
    let mut y = north;
    let (mut lines_y, mut cells_y) = (Vec::new(), Vec::new());
    for i in 0..=grid.rows {
        lines_y.push(has_line_y(i).then_some(y));
        y += usize::from(has_line_y(i));
        if i < grid.rows {
            cells_y.push(y);
            y += 1;
        }
    }
    Plan { cell, lines_x, cells_x, lines_y, cells_y, width, height: y + south, north, marks }
}

fn draw_lines(grid: &Grid, plan: &Plan, canvas: &mut Canvas) {
    let frame = if grid.lattice { 0 } else { strongest(grid).max(1) };
    for (i, y) in plan.lines_y.iter().enumerate() {
        let Some(y) = *y else { continue };
        let outer = if i == 0 || i == grid.rows { frame } else { 0 };
        for c in 0..grid.columns {
            let strength = (grid.line_above(i, c) as u8).max(outer);
            canvas.across(plan.lines_x[c], plan.lines_x[c + 1], y, strength);
        }
    }
    for r in 0..grid.rows {
        for k in 0..=grid.columns {
            let outer = if k == 0 || k == grid.columns { frame } else { 0 };
            let strength = (grid.line_before(r, k) as u8).max(outer);
            canvas.upright(plan.lines_x[k], plan.cells_y[r], strength);
            for y in [plan.lines_y[r], plan.lines_y[r + 1]].into_iter().flatten() {
                canvas.down(plan.lines_x[k], y.min(plan.cells_y[r]), y.max(plan.cells_y[r]), strength);
            }
        }
    }
    if grid.lattice {
        for y in plan.lines_y.iter().flatten() {
            for &x in &plan.lines_x {
                if canvas.is_free(x, *y) {
                    canvas.write(x, *y, "·", Ink::Faint);
                }
            }
        }
    }
}

fn strongest(grid: &Grid) -> u8 {
    grid.above.iter().chain(&grid.before).map(|&l| l as u8).max().unwrap_or(0)
}

fn draw_cells(grid: &Grid, plan: &Plan, canvas: &mut Canvas) {
    for ((r, c), cell) in grid.iter() {
        let (mut text, ink) = face(cell);
        if grid.lattice && cell.text.is_empty() && cell.fill == Fill::None {
            text = String::new();
        }
        let pad = plan.cell.saturating_sub(width(&text));
        canvas.write(plan.cells_x[c] + pad, plan.cells_y[r], &text, ink);
        if plan.marks && cell.given && !cell.text.is_empty() && cell.fill == Fill::None {
            canvas.write(plan.cells_x[c] + plan.cell, plan.cells_y[r], GIVEN_MARK, Ink::Plain);
        }
        if let (false, Some(y)) = (cell.label.is_empty(), plan.lines_y[r]) {
            canvas.write(plan.lines_x[c] + 1, y, &cell.label, Ink::Plain);
        }
    }
}

/// Lines between the centres of cells of a row or column; empty cells on their way show them.
fn draw_links(grid: &Grid, plan: &Plan, canvas: &mut Canvas) {
    let middle = |c: usize| plan.cells_x[c] + plan.cell - 1;
    let straight = grid.links.iter().filter(|(a, b, _)| a.0 == b.0 || a.1 == b.1);
    let lines: Vec<(At, At, u8)> = straight.map(|&(a, b, count)| (a.min(b), a.max(b), count)).collect();
    for &(a, b, _) in &lines {
        for row in a.0..=b.0 {
            for column in a.1..=b.1 {
                if face_is_empty(grid.cell((row, column))) {
                    // Empty, so that the lines show.
                    canvas.erase(middle(column), plan.cells_y[row]);
                }
            }
        }
    }
    let most = lines.iter().map(|l| l.2).max().unwrap_or(1);
    for (a, b, count) in lines {
        // A single line is heavy, unless there are double ones.
        let strength = if most > 1 { count } else { 2 };
        if a.0 == b.0 {
            canvas.across(middle(a.1), middle(b.1), plan.cells_y[a.0], strength);
        } else {
            canvas.down(middle(a.1), plan.cells_y[a.0], plan.cells_y[b.0], strength);
        }
    }
}

fn face_is_empty(cell: &Cell) -> bool {
    cell.text.is_empty() && cell.fill == Fill::None
}

fn draw_signs(grid: &Grid, plan: &Plan, canvas: &mut Canvas) {
    let first = |text: &str| text.chars().next().map(String::from).unwrap_or_default();
    for (&(r, c), text) in &grid.signs_right {
        canvas.write(plan.lines_x[c + 1], plan.cells_y[r], &first(text), Ink::Plain);
    }
    for (&(r, c), text) in &grid.signs_below {
        if let Some(y) = plan.lines_y[r + 1] {
            canvas.write(plan.cells_x[c] + plan.cell - 1, y, &first(text), Ink::Plain);
        }
    }
}

fn draw_clues(grid: &Grid, plan: &Plan, canvas: &mut Canvas) {
    let below = plan.lines_y.last().copied().flatten().map_or(plan.height, |y| y + 1);
    for ((side, line), texts) in &grid.clues {
        for (i, text) in texts.iter().enumerate() {
            let x = |c: usize| plan.cells_x[c] + plan.cell.saturating_sub(width(text));
            match side {
                Side::North => canvas.write(x(*line), plan.north - texts.len() + i, text, Ink::Bold),
                Side::South => canvas.write(x(*line), below + i, text, Ink::Bold),
                Side::East | Side::West => {}
            }
        }
        let text = texts.join(" ");
        match side {
            Side::West => {
                let x = plan.lines_x[0].saturating_sub(1 + width(&text));
                canvas.write(x, plan.cells_y[*line], &text, Ink::Bold);
            }
            Side::East => {
                canvas.write(plan.lines_x[grid.columns] + 2, plan.cells_y[*line], &text, Ink::Bold);
            }
            Side::North | Side::South => {}
        }
    }
}
