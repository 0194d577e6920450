//! `render_...` atoms, by which a program describes its own pictures.
//!
//! Invariant: an atom of this vocabulary that does not fit (no integers, outside the grid) draws nothing; none is
//! required.

use super::grid::{Fill, Grid, Line, Side, clip};
use super::hints::{add_clue, side_of};
use super::scene::Atom;
use super::shape::{Name, constant, label};
use asp_base::symbol::{Sym, Symbols};

/// The prefix of names in the vocabulary.
pub const PREFIX: &str = "render_";

/// Predicates that define a grid of their own instead of adding to the guessed one.
pub(crate) const GRID: [Name<'static>; 2] = [("render_size", 2), ("render_cell", 3)];

/// Predicates that define a graph of their own.
pub(crate) const GRAPH: [Name<'static>; 4] =
    [("render_node", 1), ("render_node", 2), ("render_edge", 2), ("render_edge", 3)];

/// The grid for answer sets that do not give its size: room for all cells that may occur, or for those of the first
/// answer set.
pub(crate) fn extent(symbols: &Symbols, possible: &[Atom<'_>], first: &[Atom<'_>]) -> Option<Grid> {
    let cells = possible.iter().filter(|a| a.key() == ("render_cell", 3));
    around(symbols, cells).or_else(|| around(symbols, first)).or_else(|| around(symbols, possible))
}

/// The grid that `render_size/2` and `render_cell/3` ask for.
fn around<'a>(symbols: &Symbols, atoms: impl IntoIterator<Item = &'a Atom<'a>>) -> Option<Grid> {
    let number = |term: &Sym| symbols.as_num(*term);
    let mut places = Vec::new();
    for atom in atoms {
        let pair = || Some((number(atom.args.first()?)?, number(atom.args.get(1)?)?));
        match (atom.key(), pair()) {
            (("render_size", 2), Some(last)) => places.extend([(1, 1), last]),
            (("render_cell", 3), Some(place)) => places.push(place),
            _ => {}
        }
    }
    Grid::around(&places)
}

/// The grid for an answer set that gives its size.
pub(crate) fn extent_that_holds(symbols: &Symbols, holds: &[Atom<'_>]) -> Option<Grid> {
    holds.iter().any(|a| a.key() == ("render_size", 2)).then(|| around(symbols, holds))?
}

/// Draws the atoms that hold onto a grid.
pub(crate) fn paint(symbols: &Symbols, grid: &mut Grid, holds: &[Atom<'_>]) {
    for atom in holds.iter().filter(|a| a.name.starts_with(PREFIX)) {
        draw(symbols, grid, atom);
    }
}

fn draw(symbols: &Symbols, grid: &mut Grid, atom: &Atom<'_>) -> Option<()> {
    let number = |i: usize| symbols.as_num(*atom.args.get(i)?);
    let text = |i: usize| atom.args.get(i).map(|&t| label(symbols, t));
    let at = |i: usize| grid.at(number(i)?, number(i + 1)?);
    match atom.key() {
        ("render_title", 1) => grid.title = text(0)?,
        ("render_cell", 3) => {
            let (at, text) = (at(0)?, text(2)?);
            let cell = grid.cell_mut(at);
            (cell.text, cell.given) = (text, false);
        }
        ("render_given", 2) => {
            let at = at(0)?;
            grid.cell_mut(at).given = true;
            grid.has_givens = true;
        }
        ("render_fill", 3) => {
            let (at, colour) = (at(0)?, text(2)?);
            grid.cell_mut(at).fill = if colour == "black" { Fill::Wall } else { Fill::Colour(colour) };
        }
        ("render_label", 3) => {
            let (at, text) = (at(0)?, text(2)?);
            grid.cell_mut(at).label = text;
        }
        ("render_sign", 5) => {
            let (a, b, text) = (at(0)?, at(2)?, text(4)?);
            grid.add_sign(a, b, text);
        }
        ("render_clue", 3) => {
            let side = side_of(constant(symbols, *atom.args.first()?)?)?;
            add_clue(grid, side, number(1)?, text(2)?);
        }
        ("render_border", 3) => {
            let ((row, column), side) = (at(0)?, side_of(constant(symbols, *atom.args.get(2)?)?)?);
            match side {
                Side::North => grid.draw_above(row, column, Line::Light),
                Side::South => grid.draw_above(row + 1, column, Line::Light),
                Side::West => grid.draw_before(row, column, Line::Light),
                Side::East => grid.draw_before(row, column + 1, Line::Light),
            }
        }
        ("render_line", 4) => {
            let link = (at(0)?, at(2)?, 1);
            grid.links.push(link);
        }
        _ => {}
    }
    Some(())
}

/// The title, if one holds.
pub(crate) fn title(symbols: &Symbols, holds: &[Atom<'_>]) -> Option<String> {
    let titles = holds.iter().filter(|a| a.key() == ("render_title", 1));
    titles.map(|a| clip(&label(symbols, a.args[0]))).next()
}
