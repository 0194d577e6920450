//! What facts say about a grid by their shape: values that the puzzle gives, and regions.
//!
//! Invariant: no picture depends on anything here, nor on what a predicate is called; what does not fit is left out.

use std::collections::BTreeSet;

use super::grid::{At, Grid, Line};
use super::scene::Atom;
use super::shape::{Name, Place, Shape, cell, label, shape};
use asp_base::map::Map;
use asp_base::symbol::{Sym, Symbols};

/// Facts by name and arity.
pub(crate) struct Facts<'a> {
    /// The terms.
    pub symbols: &'a Symbols,
    by_name: Map<Name<'a>, Vec<Atom<'a>>>,
    /// The predicates in order of appearance.
    pub names: Vec<Name<'a>>,
}

impl<'a> Facts<'a> {
    /// Sorts facts by their names.
    pub(crate) fn new(symbols: &'a Symbols, facts: &[Atom<'a>]) -> Self {
        let mut all = Self { symbols, by_name: Map::default(), names: Vec::new() };
        for &fact in facts {
            let atoms = all.by_name.entry(fact.key()).or_default();
            if atoms.is_empty() {
                all.names.push(fact.key());
            }
            atoms.push(fact);
        }
        all
    }

    /// The facts of a predicate.
    pub(crate) fn of(&self, name: Name<'a>) -> &[Atom<'a>] {
        self.by_name.get(&name).map_or(&[], Vec::as_slice)
    }

    /// Whether all these atoms of a predicate are facts.
    pub(crate) fn is_all_of(&self, atoms: &[&Atom<'_>]) -> bool {
        atoms.first().is_none_or(|a| self.by_name.get(&a.key()).map_or(0, Vec::len) >= atoms.len())
    }

    /// The facts of a predicate as cells with the rest of their arguments; none if one of them is something else.
    fn cells<'s>(&'s self, name: Name<'a>) -> Vec<(Place, &'s [Sym])> {
        let cells = self.of(name).iter().map(|a| cell(self.symbols, a.args));
        cells.collect::<Option<_>>().unwrap_or_default()
    }

    /// Writes the values `p(R,C,V)` that the puzzle gives: all of a predicate that `may_be_given`.
    pub(crate) fn give(&self, grid: &mut Grid, may_be_given: impl Fn(Name<'_>, Place, Sym) -> bool) {
        for &name in &self.names {
            let found: Option<Vec<(Place, Sym)>> = self.of(name).iter().map(|a| self.value(a)).collect();
            let given = found.filter(|found| found.iter().all(|&(place, v)| may_be_given(name, place, v)));
            for (place, value) in given.into_iter().flatten() {
                if let Some(at) = grid.at(place.0, place.1) {
                    let cell = grid.cell_mut(at);
                    (cell.text, cell.given) = (label(self.symbols, value), true);
                }
            }
        }
    }

    fn value(&self, atom: &Atom<'_>) -> Option<(Place, Sym)> {
        let is_value = shape(self.symbols, atom.args) == Shape::Value;
        let (place, rest) = cell(self.symbols, atom.args).filter(|_| is_value)?;
        Some((place, *rest.first()?))
    }

    /// Draws the borders of regions `p(R,C,G)` or `p(R,C,G,H)`, if some predicate has any.
    pub(crate) fn draw_regions(&self, grid: &mut Grid) -> bool {
        let regions = self.names.iter().find_map(|&name| self.regions(grid, name));
        if let Some(regions) = &regions {
            grid.draw_groups(regions, Line::Light);
        }
        regions.is_some()
    }

    /// The region of each cell, if the predicate gives all cells one and each hangs together and has several cells.
    fn regions<'s>(&'s self, grid: &Grid, name: Name<'a>) -> Option<Vec<Option<&'s [Sym]>>> {
        let mut regions: Vec<Option<&[Sym]>> = vec![None; grid.cells.len()];
        for (place, region) in self.cells(name) {
            let known = &mut regions[grid.index(grid.at(place.0, place.1)?)];
            if region.is_empty() || known.is_some_and(|known| known != region) {
                return None;
            }
            *known = Some(region);
        }
        let mut seen: BTreeSet<&[Sym]> = BTreeSet::new();
        let mut reached = vec![false; regions.len()];
        for (start, _) in grid.iter() {
            if reached[grid.index(start)] {
                continue;
            }
            let size = reach(grid, &regions, start, &mut reached);
            if size < 2 || !seen.insert(regions[grid.index(start)]?) {
                return None;
            }
        }
        // Rows and columns are no regions.
        let joins = |rows: usize, columns: usize| {
            grid.iter().any(|((r, c), _)| {
                let next = (r + rows, c + columns);
                let inside = next.0 < grid.rows && next.1 < grid.columns;
                inside && regions[grid.index((r, c))] == regions[grid.index(next)]
            })
        };
        (seen.len() > 1 && joins(1, 0) && joins(0, 1)).then_some(regions)
    }
}

/// Marks the cells that hang together with a cell and are of its group; returns how many these are.
fn reach<G: PartialEq>(grid: &Grid, groups: &[G], start: At, reached: &mut [bool]) -> usize {
    let (mut open, mut size) = (vec![start], 0);
    while let Some(at) = open.pop() {
        if std::mem::replace(&mut reached[grid.index(at)], true) {
            continue;
        }
        size += 1;
        let (row, column) = at;
        let near = [
            (row.wrapping_sub(1), column),
            (row + 1, column),
            (row, column.wrapping_sub(1)),
            (row, column + 1),
        ];
        let inside = near.into_iter().filter(|(r, c)| *r < grid.rows && *c < grid.columns);
        open.extend(inside.filter(|&next| groups[grid.index(next)] == groups[grid.index(at)]));
    }
    size
}
