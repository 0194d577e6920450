//! `render_...` atoms, by which a program describes its own pictures.
//!
//! Invariant: an atom of this vocabulary that does not fit (no integers, outside the grid) draws nothing; none is
//! required.

use std::collections::BTreeMap;

use super::grid::{Fill, Grid, Line, Side, clip};
use super::scene::Atom;
use super::shape::{Name, Place, constant, label};
use asp_base::symbol::{Sym, SymView, Symbols};

/// The prefix of names in the vocabulary.
pub const PREFIX: &str = "render_";

/// Predicates that define a grid of their own instead of adding to the guessed one.
pub(crate) const GRID: [Name<'static>; 2] = [("render_size", 2), ("render_cell", 3)];

/// Predicates that define a graph of their own.
pub(crate) const GRAPH: [Name<'static>; 4] =
    [("render_node", 1), ("render_node", 2), ("render_edge", 2), ("render_edge", 3)];

/// Predicates that say how a graph looks in each answer set.
pub(crate) const GRAPH_LOOK: [Name<'static>; 3] =
    [("render_fill", 2), ("render_arrow", 2), ("render_edge_colour", 3)];

/// Predicates whose facts make room for their cells.
const IN_CELL: [Name<'static>; 5] =
    [("render_size", 2), ("render_given", 3), ("render_fill", 3), ("render_region", 3), ("render_cage", 3)];

/// Predicates that draw between or around cells.
const RULED: [&str; 6] =
    ["render_region", "render_cage", "render_border", "render_sign", "render_greater", "render_clue"];

/// Whether the atoms draw anything between or around cells.
pub(crate) fn is_ruled(words: &[Atom<'_>]) -> bool {
    words.iter().any(|a| RULED.contains(&a.name))
}

/// How the program wants the atoms of a predicate drawn: `render_as(Name,How)`.
pub(crate) fn stated_look<'s>(symbols: &'s Symbols, words: &[Atom<'s>], name: &str) -> Option<&'s str> {
    let mut looks = words.iter().filter(|a| a.key() == ("render_as", 2));
    let of_name = looks.find(|a| constant(symbols, a.args[0]) == Some(name))?;
    constant(symbols, of_name.args[1])
}

/// The grid for answer sets that do not give its size: room for all cells that may occur, or for those of the first
/// answer set.
pub(crate) fn extent(symbols: &Symbols, possible: &[Atom<'_>], first: &[Atom<'_>]) -> Option<Grid> {
    let cells = possible.iter().filter(|a| a.key() == ("render_cell", 3));
    around(symbols, cells).or_else(|| around(symbols, first)).or_else(|| around(symbols, possible))
}

/// The grid that `render_size/2` and `render_cell/3` ask for.
fn around<'a>(symbols: &Symbols, atoms: impl IntoIterator<Item = &'a Atom<'a>>) -> Option<Grid> {
    Grid::around(&places_of(symbols, atoms, &GRID))
}

/// The cells that facts draw into, so that the grid has room for them.
pub(crate) fn places(symbols: &Symbols, words: &[Atom<'_>]) -> Vec<Place> {
    places_of(symbols, words, &IN_CELL)
}

fn places_of<'a>(
    symbols: &Symbols,
    atoms: impl IntoIterator<Item = &'a Atom<'a>>,
    names: &[Name<'_>],
) -> Vec<Place> {
    let mut places = Vec::new();
    for atom in atoms.into_iter().filter(|a| names.contains(&a.key())) {
        let found = place(symbols, atom);
        places.extend(found.filter(|_| atom.name == "render_size").map(|_| (1, 1)));
        places.extend(found);
    }
    places
}

fn place(symbols: &Symbols, atom: &Atom<'_>) -> Option<Place> {
    Some((symbols.as_num(*atom.args.first()?)?, symbols.as_num(*atom.args.get(1)?)?))
}

/// The grid for an answer set that gives its size.
pub(crate) fn extent_that_holds(symbols: &Symbols, holds: &[Atom<'_>]) -> Option<Grid> {
    holds.iter().any(|a| a.key() == ("render_size", 2)).then(|| around(symbols, holds))?
}

/// Draws what lies under the values that are shown: the texts of the puzzle, regions and cages.
pub(crate) fn paint_puzzle(symbols: &Symbols, grid: &mut Grid, words: &[Atom<'_>]) {
    for atom in words.iter().filter(|a| a.key() == ("render_given", 3)) {
        if let Some(at) = place(symbols, atom).and_then(|p| grid.at(p.0, p.1)) {
            let cell = grid.cell_mut(at);
            (cell.text, cell.given) = (text(symbols, atom.args[2]), true);
        }
    }
    let cages = groups(symbols, grid, words, "render_cage");
    if let Some(regions) = groups(symbols, grid, words, "render_region") {
        grid.draw_groups(&regions, if cages.is_some() { Line::Heavy } else { Line::Light });
    }
    let Some(cages) = cages else { return };
    grid.draw_groups(&cages, Line::Light);
    let labels = words.iter().filter(|a| a.key() == ("render_cage_label", 2));
    let mut labels: BTreeMap<Sym, String> = labels.map(|a| (a.args[0], text(symbols, a.args[1]))).collect();
    for (i, cage) in cages.iter().enumerate() {
        if let Some(text) = cage.and_then(|cage| labels.remove(&cage)) {
            grid.cells[i].label = text;
        }
    }
}

/// The group of each cell by `name(R,C,Group)`; `None` if no cell has one.
fn groups(symbols: &Symbols, grid: &Grid, words: &[Atom<'_>], name: &str) -> Option<Vec<Option<Sym>>> {
    let mut groups = vec![None; grid.cells.len()];
    for atom in words.iter().filter(|a| a.key() == (name, 3)) {
        if let Some(at) = place(symbols, atom).and_then(|p| grid.at(p.0, p.1)) {
            groups[grid.index(at)] = Some(atom.args[2]);
        }
    }
    groups.iter().any(Option::is_some).then_some(groups)
}

/// Draws everything else.
pub(crate) fn paint(symbols: &Symbols, grid: &mut Grid, words: &[Atom<'_>]) {
    for atom in words {
        draw(symbols, grid, atom);
    }
    let mut clues: Vec<&Atom<'_>> = words.iter().filter(|a| a.key() == ("render_clue", 4)).collect();
    clues.sort_by(|a, b| symbols.cmp(a.args[2], b.args[2]));
    for atom in clues {
        clue(symbols, grid, atom);
    }
}

fn draw(symbols: &Symbols, grid: &mut Grid, atom: &Atom<'_>) -> Option<()> {
    let number = |i: usize| symbols.as_num(*atom.args.get(i)?);
    let text = |i: usize| atom.args.get(i).map(|&t| text(symbols, t));
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
        ("render_greater", 4) => {
            let (a, b) = (at(0)?, at(2)?);
            grid.add_greater(a, b);
        }
        ("render_clue", 3) => clue(symbols, grid, atom)?,
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

/// Writes `render_clue(Side,Line,...,Text)` at a line, numbered as in the program.
fn clue(symbols: &Symbols, grid: &mut Grid, atom: &Atom<'_>) -> Option<()> {
    let side = side_of(constant(symbols, *atom.args.first()?)?)?;
    let first = if matches!(side, Side::North | Side::South) { grid.first.1 } else { grid.first.0 };
    let line = symbols.as_num(*atom.args.get(1)?)?.checked_sub(first)?;
    grid.add_clue(side, usize::try_from(line).ok()?, text(symbols, *atom.args.last()?));
    Some(())
}

/// The text of a term; that of `text(A,B,...)` is its parts, one after the other.
fn text(symbols: &Symbols, term: Sym) -> String {
    match symbols.view(term) {
        SymView::Fun { name, args, negative: false } if symbols.str(name) == "text" && !args.is_empty() => {
            clip(&args.iter().map(|&part| label(symbols, part)).collect::<String>())
        }
        _ => label(symbols, term),
    }
}

/// The side that a word means.
fn side_of(word: &str) -> Option<Side> {
    match word {
        "n" | "north" | "top" | "t" | "above" | "up" | "u" => Some(Side::North),
        "e" | "east" | "right" | "r" => Some(Side::East),
        "s" | "south" | "bottom" | "b" | "below" | "down" | "d" => Some(Side::South),
        "w" | "west" | "left" | "l" => Some(Side::West),
        _ => None,
    }
}

pub(crate) fn title(symbols: &Symbols, holds: &[Atom<'_>]) -> Option<String> {
    let titles = holds.iter().filter(|a| a.key() == ("render_title", 1));
    titles.map(|a| text(symbols, a.args[0])).next()
}
