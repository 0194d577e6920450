//! Grids as SVG: cells from left to right and top to bottom, and what is between them on top.
//!
//! Invariant: every colour comes from [`crate::colour`] or the style sheet.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::element::{Drawing, line, number, text, text_width};
use crate::colour;
use crate::grid::{Cell, Fill, Grid, Line, Side};

/// Side of a cell.
const CELL: f64 = 36.0;
/// Free space around a picture.
const MARGIN: f64 = 12.0;
/// Height of a line of text outside the grid.
const LINE: f64 = 20.0;
/// Width of a character of a cell's text.
const CHARACTER: f64 = 10.0;

/// The position of a grid in its picture.
struct Frame {
    left: f64,
    top: f64,
}

impl Frame {
    fn x(&self, column: usize) -> f64 {
        self.left + column as f64 * CELL
    }
    fn y(&self, row: usize) -> f64 {
        self.top + row as f64 * CELL
    }
    fn middle(&self, (row, column): (usize, usize)) -> (f64, f64) {
        (self.x(column) + CELL / 2.0, self.y(row) + CELL / 2.0)
    }
}

pub(crate) fn draw(grid: &Grid) -> Drawing {
    let of_side = |side| grid.clues.iter().filter(move |((s, _), _)| *s == side).map(|(_, texts)| texts);
    let beside =
        |side| of_side(side).map(|texts| text_width(&texts.join(" "), 9.0) + 12.0).fold(0.0, f64::max);
    let lines = |side| of_side(side).map(Vec::len).max().unwrap_or(0) as f64;
    let title = if grid.title.is_empty() { 0.0 } else { LINE + 4.0 };
    let frame = Frame {
        left: MARGIN + beside(Side::West),
        top: MARGIN + title + lines(Side::North) * LINE + if lines(Side::North) > 0.0 { 2.0 } else { 0.0 },
    };
    let (right, bottom) = (frame.x(grid.columns), frame.y(grid.rows));
    let mut out = String::new();
    if !grid.title.is_empty() {
        text(&mut out, "title", (MARGIN, MARGIN + LINE / 2.0), &grid.title, None);
    }
    for (at, cell) in grid.iter() {
        background(&mut out, &frame, grid, at, cell);
    }
    grid_lines(&mut out, &frame, grid);
    links(&mut out, &frame, grid);
    let linked: BTreeSet<(usize, usize)> = grid.links.iter().flat_map(|l| [l.0, l.1]).collect();
    let labelled = grid.cells.iter().any(|c| !c.label.is_empty());
    for (at, cell) in grid.iter() {
        if linked.contains(&at) && !cell.text.is_empty() && cell.fill == Fill::None {
            let ((x, y), r) = (frame.middle(at), if cell.text.chars().count() > 1 { 12 } else { 10 });
            let (x, y) = (number(x), number(y));
            let _ = writeln!(
                out,
                "<circle class=\"halo\" style=\"stroke:none\" cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>"
            );
        }
        contents(&mut out, &frame, at, cell, labelled);
    }
    signs(&mut out, &frame, grid);
    for ((side, at), texts) in &grid.clues {
        let joined = texts.join(" ");
        let half = text_width(&joined, 9.0) / 2.0 + 8.0;
        let (cx, cy) = frame.middle((*at, *at));
        match side {
            Side::West => text(&mut out, "clue", (frame.left - half, cy), &joined, None),
            Side::East => text(&mut out, "clue", (right + half, cy), &joined, None),
            Side::North | Side::South => {
                for (i, one) in texts.iter().enumerate() {
                    let y = match side {
                        Side::North => frame.top - (texts.len() - i) as f64 * LINE + LINE / 2.0 - 2.0,
                        _ => bottom + i as f64 * LINE + LINE / 2.0 + 4.0,
                    };
                    text(&mut out, "clue", (cx, y), one, None);
                }
            }
        }
    }
    let south = lines(Side::South) * LINE + if lines(Side::South) > 0.0 { 4.0 } else { 0.0 };
    let wide = right + beside(Side::East) + MARGIN;
    let size = (wide.max(text_width(&grid.title, 9.0) + 2.0 * MARGIN), bottom + south + MARGIN);
    Drawing { body: out, size }
}

/// The filling of a cell, with its place in the program, for pages that ask about it.
fn background(out: &mut String, frame: &Frame, grid: &Grid, (row, column): (usize, usize), cell: &Cell) {
    let (x, y, side) = (number(frame.x(column)), number(frame.y(row)), number(CELL));
    let name = (grid.first.0.saturating_add(row as i64), grid.first.1.saturating_add(column as i64));
    let place =
        format!("data-cell=\"{},{}\" x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\"", name.0, name.1);
    let _ = match &cell.fill {
        Fill::None => writeln!(out, "<rect class=\"cell\" {place}/>"),
        Fill::Wall => writeln!(out, "<rect class=\"wall\" {place}/>"),
        Fill::Shade => writeln!(out, "<rect class=\"shade\" {place}/>"),
        Fill::Colour(name) => {
            let code = colour::of_value(name, std::slice::from_ref(name));
            writeln!(out, "<rect fill=\"{code}\" {place}/>")
        }
    };
}

fn grid_lines(out: &mut String, frame: &Frame, grid: &Grid) {
    if grid.lattice {
        for row in 0..=grid.rows {
            for column in 0..=grid.columns {
                let (x, y) = (number(frame.x(column)), number(frame.y(row)));
                let _ = writeln!(
                    out,
                    "<circle class=\"dot\" style=\"fill:#8a929c\" cx=\"{x}\" cy=\"{y}\" r=\"2.2\"/>"
                );
            }
        }
    } else {
        for row in 1..grid.rows {
            line(out, "thin", (frame.x(0), frame.y(row)), (frame.x(grid.columns), frame.y(row)));
        }
        for column in 1..grid.columns {
            line(out, "thin", (frame.x(column), frame.y(0)), (frame.x(column), frame.y(grid.rows)));
        }
    }
    let heaviest = grid.above.iter().chain(&grid.before).max().copied().unwrap_or_default();
    let class = |line: Line| match line {
        Line::Light if heaviest == Line::Heavy => "cage",
        Line::Light => "block",
        _ if grid.lattice => "loop",
        _ => "block",
    };
    // Light lines first, so that heavy ones cover their ends.
    for wanted in [Line::Light, Line::Heavy] {
        for row in 0..=grid.rows {
            for column in 0..grid.columns {
                if grid.line_above(row, column) == wanted {
                    let (a, b) = ((frame.x(column), frame.y(row)), (frame.x(column + 1), frame.y(row)));
                    line(out, class(wanted), a, b);
                }
            }
        }
        for row in 0..grid.rows {
            for column in 0..=grid.columns {
                if grid.line_before(row, column) == wanted {
                    let (a, b) = ((frame.x(column), frame.y(row)), (frame.x(column), frame.y(row + 1)));
                    line(out, class(wanted), a, b);
                }
            }
        }
    }
    if !grid.lattice {
        let (x, y) = (number(frame.x(0)), number(frame.y(0)));
        let (w, h) = (number(grid.columns as f64 * CELL), number(grid.rows as f64 * CELL));
        let _ = writeln!(out, "<path class=\"frame\" d=\"M{x} {y}h{w}v{h}h-{w}z\"/>");
    }
}

/// Lines between the centres of cells: strong along rows and columns, faint for jumps.
fn links(out: &mut String, frame: &Frame, grid: &Grid) {
    for &(a, b, count) in &grid.links {
        let class = if a.0 == b.0 || a.1 == b.1 { "link" } else { "tour" };
        let (from, to) = (frame.middle(a), frame.middle(b));
        if count < 2 {
            line(out, class, from, to);
            continue;
        }
        let (dx, dy) = if a.0 == b.0 { (0.0, 3.0) } else { (3.0, 0.0) };
        for side in [-1.0, 1.0] {
            let moved = |p: (f64, f64)| (p.0 + side * dx, p.1 + side * dy);
            line(out, class, moved(from), moved(to));
        }
    }
}

fn contents(out: &mut String, frame: &Frame, at: (usize, usize), cell: &Cell, labelled: bool) {
    let (x, y) = frame.middle(at);
    if !cell.text.is_empty() {
        // Room for the labels in the corners.
        let (x, y) = if labelled { (x + 3.0, y + 5.0) } else { (x, y) };
        let wide = text_width(&cell.text, CHARACTER);
        let size = (wide > CELL - 6.0).then(|| (17.0 * (CELL - 6.0) / wide).max(5.0));
        let shade = match &cell.fill {
            Fill::Wall | Fill::Shade => Some("light"),
            Fill::Colour(name) => {
                let code = colour::of_value(name, std::slice::from_ref(name));
                Some(if colour::is_dark(&code) { "light" } else { "dark" })
            }
            Fill::None => None,
        };
        let class = match (shade, cell.given) {
            (Some(shade), false) => shade.to_string(),
            (Some(shade), true) => format!("given {shade}"),
            (None, true) => "given".to_string(),
            (None, false) => "found".to_string(),
        };
        text(out, &class, (x, y), &cell.text, size);
    }
    if !cell.label.is_empty() {
        text(out, "label", (x - CELL / 2.0 + 3.0, y - CELL / 2.0 + 8.0), &cell.label, None);
    }
}

/// Signs between cells, with a little space around them.
fn signs(out: &mut String, frame: &Frame, grid: &Grid) {
    let right = grid.signs_right.iter().map(|(&(r, c), s)| ((frame.x(c + 1), frame.y(r) + CELL / 2.0), s));
    let below = grid.signs_below.iter().map(|(&(r, c), s)| ((frame.x(c) + CELL / 2.0, frame.y(r + 1)), s));
    for (place, sign) in right.chain(below) {
        let (x, y) = (number(place.0), number(place.1));
        let _ = writeln!(out, "<circle class=\"halo\" style=\"stroke:none\" cx=\"{x}\" cy=\"{y}\" r=\"7\"/>");
        // Drawn instead of written: fonts disagree on the height of these characters.
        let arrow = |dx: f64, dy: f64| {
            let (px, py) = (-dy, dx);
            let point = |along: f64, aside: f64| {
                format!(
                    "{} {}",
                    number(place.0 + along * dx + aside * px),
                    number(place.1 + along * dy + aside * py)
                )
            };
            format!("M{}L{}L{}", point(-3.0, -4.5), point(3.0, 0.0), point(-3.0, 4.5))
        };
        let path = match sign.as_str() {
            ">" => Some(arrow(1.0, 0.0)),
            "<" => Some(arrow(-1.0, 0.0)),
            "v" => Some(arrow(0.0, 1.0)),
            "^" => Some(arrow(0.0, -1.0)),
            _ => None,
        };
        match path {
            Some(path) => {
                let _ = writeln!(out, "<path class=\"cage\" d=\"{path}\"/>");
            }
            None => text(out, "sign", place, sign, None),
        }
    }
}
