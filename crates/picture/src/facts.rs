//! What facts say about a grid by their shape: values that the puzzle gives, and regions.
//!
//! Invariant: no picture depends on anything here, nor on what a predicate is called; what does not fit is left out.

use std::collections::BTreeMap;

use super::grid::{At, Grid, Line};
use super::scene::Atom;
use super::shape::{Name, Place, Shape, cell, shape};
use asp_base::map::Map;
use asp_base::symbol::{Sym, Symbols};

/// Facts by name and arity.
pub(crate) struct Facts<'a> {
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

    /// The values `p(R,C,V)` of predicates all of whose facts are wanted.
    pub(crate) fn values(&self, wanted: impl Fn(Name<'_>, Place, Sym) -> bool) -> Vec<(Place, Sym)> {
        let value = |atom: &Atom<'_>| {
            let is_value = shape(self.symbols, atom.args) == Shape::Value;
            let (place, rest) = cell(self.symbols, atom.args).filter(|_| is_value)?;
            wanted(atom.key(), place, rest[0]).then_some((place, rest[0]))
        };
        let of = |&name: &Name<'a>| self.of(name).iter().map(value).collect::<Option<Vec<_>>>();
        self.names.iter().filter_map(of).flatten().collect()
    }

    /// Draws the borders of regions `p(R,C,G)` or `p(R,C,G,H)`, if some predicate that `may_be` has any.
    pub(crate) fn draw_regions(&self, grid: &mut Grid, may_be: impl Fn(Name<'_>) -> bool) -> bool {
        let mut names = self.names.iter().filter(|name| may_be(**name));
        let regions = names.find_map(|&name| self.regions(grid, name));
        if let Some(regions) = &regions {
            grid.draw_groups(regions, Line::Light);
        }
        regions.is_some()
    }

    /// The region of each cell, as in a Sudoku: the predicate gives each cell one, each has as many cells as a row, none of
    /// them alone, and not all are rows or columns.
    fn regions<'s>(&'s self, grid: &Grid, name: Name<'a>) -> Option<Vec<Option<&'s [Sym]>>> {
        let mut regions: Vec<Option<&[Sym]>> = vec![None; grid.cells.len()];
        let mut cells: BTreeMap<&[Sym], Vec<At>> = BTreeMap::new();
        for atom in self.of(name) {
            let (place, region) = cell(self.symbols, atom.args).filter(|(_, region)| !region.is_empty())?;
            let at = grid.at(place.0, place.1)?;
            if regions[grid.index(at)].replace(region).is_none_or(|known| known != region) {
                cells.entry(region).or_default().push(at);
            }
        }
        let near = |a: &At, b: &At| a != b && a.0.abs_diff(b.0) < 2 && a.1.abs_diff(b.1) < 2;
        let hangs = |cells: &[At]| cells.iter().all(|a| cells.iter().any(|b| near(a, b)));
        let fair = cells.len() == grid.rows
            && cells.values().all(|cells| cells.len() == grid.columns && hangs(cells));
        let is_line =
            |of: fn(&At) -> usize| cells.values().all(|cells| cells.iter().all(|at| of(at) == of(&cells[0])));
        let complete = regions.iter().all(Option::is_some);
        (fair && complete && !is_line(|at| at.0) && !is_line(|at| at.1)).then_some(regions)
    }
}
