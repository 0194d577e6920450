//! Answer sets drawn into a grid: values, letters, black cells, regions, lines and paths.
//!
//! Invariant: what all answer sets share is in the base; each answer set is drawn into a copy of it.

use std::collections::{BTreeMap, BTreeSet};

use super::{Cell, Fill, Grid, Line, clip};
use crate::colour;
use crate::scene::{Atom, distinct};
use crate::shape::{Name, Place, cell, label, link};
use crate::vocabulary;
use asp_base::map::Map;
use asp_base::symbol::{Sym, Symbols};

/// How the atoms of a predicate are drawn in a grid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// Values are written into cells.
    Value,
    /// Cells get a letter.
    Letter(char),
    /// Cells are blackened.
    Shade,
    /// Lines join the centres of neighbours.
    Link,
    /// Lines join corners.
    Corner,
    /// Values say which cells belong together.
    Group,
    /// Steps from cell to cell; each cell gets its number on the way.
    Tour,
}

/// Turns answer sets into grids.
#[derive(Clone, Debug, Default)]
pub(crate) struct GridPainter {
    /// The grid without an answer set.
    pub base: Grid,
    /// Name, arity and role of what is drawn.
    pub roles: Vec<(String, usize, Role)>,
    /// The facts of the vocabulary.
    pub words: Vec<(String, Vec<Sym>)>,
    /// Whether the program says how large the grid is.
    pub own: bool,
}

/// An atom in a reader's words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Saying {
    /// That it holds: `R2C3 is 4`, `tree in R2C3`.
    pub yes: String,
    /// That it does not.
    pub no: String,
    /// Whether it marks a cell, so that it says as much that it does not hold.
    pub marks: bool,
}

impl Saying {
    /// That a cell has a value.
    pub fn value((row, column): (i64, i64), value: &str) -> Self {
        let cell = format!("R{row}C{column}");
        Self { yes: format!("{cell} is {value}"), no: format!("{cell} is not {value}"), marks: false }
    }
}

impl GridPainter {
    /// The meaning of an atom for a cell.
    pub(crate) fn says(&self, symbols: &Symbols, atom: &Atom<'_>) -> Option<Saying> {
        let role = self.roles.iter().find(|role| (role.0.as_str(), role.1) == atom.key())?;
        let (place, rest) = cell(symbols, atom.args)?;
        match (&role.2, rest) {
            (Role::Value | Role::Group, &[value]) => Some(Saying::value(place, &label(symbols, value))),
            (Role::Letter(_) | Role::Shade, []) => {
                let (name, (row, column)) = (atom.name.replace('_', " "), place);
                let yes = format!("{name} in R{row}C{column}");
                Some(Saying { no: format!("no {yes}"), yes, marks: true })
            }
            _ => None,
        }
    }

    /// Whether a predicate is in the picture.
    pub(crate) fn draws(&self, (name, arity): Name<'_>) -> bool {
        self.roles.iter().any(|role| (role.0.as_str(), role.1) == (name, arity))
    }

    /// The grid of the answer set in which these atoms hold.
    pub(crate) fn paint(&self, symbols: &Symbols, holds: &[Atom<'_>]) -> Grid {
        let facts = self.words.iter().map(|(name, args)| Atom { name, args });
        let words = distinct(facts.chain(holds.iter().copied().filter(Atom::is_word)));
        // The program's own description of its grid is evaluated for each answer set.
        let own = if self.own { vocabulary::extent_that_holds(symbols, &words) } else { None };
        let mut grid = match own {
            Some(grid) => Grid { lattice: self.base.lattice, ..grid },
            None => self.base.clone(),
        };
        vocabulary::paint_puzzle(symbols, &mut grid, &words);
        paint_roles(symbols, &mut grid, &self.roles, holds);
        vocabulary::paint(symbols, &mut grid, &words);
        grid
    }
}

/// The two cells of a line.
pub(crate) fn line_of(symbols: &Symbols, atom: &Atom<'_>) -> Option<(Place, Place)> {
    link(symbols, atom.args).map(|(a, b, _)| (a, b))
}

fn paint_roles(symbols: &Symbols, grid: &mut Grid, roles: &[(String, usize, Role)], holds: &[Atom<'_>]) {
    let role_of = |atom: &Atom<'_>| {
        roles.iter().find(|(name, arity, _)| atom.key() == (name.as_str(), *arity)).map(|(_, _, role)| role)
    };
    let mut steps: Vec<(Place, Place)> = Vec::new();
    let mut texts: BTreeMap<(usize, usize), Vec<String>> = BTreeMap::new();
    let mut groups: Vec<Option<Sym>> = vec![None; grid.cells.len()];
    for atom in holds {
        let Some(role) = role_of(atom) else { continue };
        if matches!(role, Role::Link | Role::Corner | Role::Tour) {
            let Some((a, b)) = line_of(symbols, atom) else { continue };
            match role {
                Role::Corner => draw_corner(grid, a.min(b), a.max(b)),
                Role::Tour => steps.push((a, b)),
                _ => {
                    if let (Some(a), Some(b)) = (grid.at(a.0, a.1), grid.at(b.0, b.1)) {
                        let count = link(symbols, atom.args).map_or(1, |l| l.2);
                        grid.links.push((a, b, if count > 1 { 2 } else { 1 }));
                    }
                }
            }
            continue;
        }
        let Some((place, rest)) = cell(symbols, atom.args) else { continue };
        let Some(at) = grid.at(place.0, place.1) else { continue };
        match (role, rest) {
            (Role::Value, &[value]) => texts.entry(at).or_default().push(label(symbols, value)),
            (Role::Group, &[value]) => groups[grid.index(at)] = Some(value),
            (Role::Shade, _) => grid.cell_mut(at).fill = Fill::Shade,
            (Role::Letter(letter), _) => {
                let cell = grid.cell_mut(at);
                if cell.text.is_empty() || cell.given {
                    *cell = Cell { text: letter.to_string(), given: false, ..cell.clone() };
                } else {
                    cell.text.push(*letter);
                }
            }
            _ => {}
        }
    }
    // Initials are values of their own.
    let is_colour = |v: &String| v.chars().count() > 2 && colour::named(v).is_some();
    let colours = texts.values().flatten().all(is_colour);
    for (at, mut values) in texts {
        values.sort_by_key(|v| (v.parse::<i64>().unwrap_or(i64::MAX), v.clone()));
        values.dedup();
        let blank = if values.iter().all(|v| v.chars().count() == 1) { "" } else { "," };
        let text = values.join(blank);
        let cell = grid.cell_mut(at);
        let given = cell.given && cell.text == text;
        (cell.text, cell.given) = (clip(&text), given);
        if let ([colour], true, Fill::None) = (&values[..], colours, &cell.fill) {
            cell.fill = Fill::Colour(colour.clone());
        }
    }
    grid.draw_groups(&groups, Line::Light);
    tour(grid, &steps);
}

/// A line between two neighbouring corners; a corner has the numbers of the cell to its lower right.
fn draw_corner(grid: &mut Grid, a: Place, b: Place) {
    let row = a.0.checked_sub(grid.first.0).and_then(|r| usize::try_from(r).ok());
    let column = a.1.checked_sub(grid.first.1).and_then(|c| usize::try_from(c).ok());
    if let (Some(row), Some(column)) = (row, column) {
        if a.0 == b.0 {
            grid.draw_above(row, column, Line::Heavy);
        } else {
            grid.draw_before(row, column, Line::Heavy);
        }
    }
}

/// Numbers the cells of paths and round trips; the first step starts at the first cell that no step leads to, or else
/// at the first cell.
fn tour(grid: &mut Grid, steps: &[(Place, Place)]) {
    let next: Map<Place, Place> = steps.iter().copied().collect();
    let entered: BTreeSet<Place> = steps.iter().map(|s| s.1).collect();
    let all: BTreeSet<Place> = steps.iter().flat_map(|s| [s.0, s.1]).collect();
    let starts = all.iter().filter(|p| !entered.contains(p)).chain(all.iter());
    let mut number = 0;
    let mut seen = BTreeSet::new();
    for &start in starts {
        let mut here = Some(start);
        while let Some(place) = here.filter(|p| seen.insert(*p)) {
            number += 1;
            if let Some(at) = grid.at(place.0, place.1) {
                grid.cell_mut(at).text = number.to_string();
            }
            here = next.get(&place).copied();
        }
    }
    for (a, b) in steps {
        if let (Some(a), Some(b)) = (grid.at(a.0, a.1), grid.at(b.0, b.1)) {
            grid.links.push((a, b, 1));
        }
    }
}
