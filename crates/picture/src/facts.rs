//! Grids from the shape of facts: given values, regions, signs between cells and lines.
//!
//! Invariant: drawings do not depend on the names of predicates, except for the look of a sign; atoms that do not fit are left
//! out.

use std::collections::BTreeMap;

use super::grid::{At, Grid, Line};
use super::scene::Atom;
use super::shape::{Name, Place, Shape, cell, link, shape};
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

    /// Draws what lies between the cells of a grid: signs `p(R,C,S,D)` between neighbours, unless these define which cells are
    /// neighbours, and lines along `p(Line,Place,R,C)`. The look of a sign depends on its name.
    pub(crate) fn draw_between(&self, grid: &mut Grid, may_be: impl Fn(Name<'_>) -> bool) {
        for &name in self.names.iter().filter(|name| may_be(**name)) {
            if let Some(pairs) = self.pairs(grid, name) {
                let text = name.0.to_ascii_lowercase();
                for (a, b) in pairs {
                    let sign = match text.as_str() {
                        t if t.contains("greater") => {
                            grid.add_greater(a, b);
                            continue;
                        }
                        t if t.contains("less") || t.contains("smaller") => {
                            grid.add_greater(b, a);
                            continue;
                        }
                        t if t.contains("white") => '○',
                        t if t.contains("black") => '●',
                        t => t.chars().next().unwrap_or('*').to_ascii_uppercase(),
                    };
                    grid.add_sign(a, b, sign.to_string());
                }
            } else if let Some(lines) = self.lines(grid, name) {
                grid.links.extend(lines);
            }
        }
    }

    /// The pairs of neighbours that a predicate joins, if these are few and each is joined one way.
    fn pairs(&self, grid: &Grid, name: Name<'a>) -> Option<Vec<(At, At)>> {
        let pair = |atom: &Atom<'_>| {
            let (a, b, _) = link(self.symbols, atom.args).filter(|_| matches!(name.1, 2 | 4))?;
            let (a, b) = (grid.at(a.0, a.1)?, grid.at(b.0, b.1)?);
            (a.0.abs_diff(b.0) + a.1.abs_diff(b.1) == 1).then_some((a, b))
        };
        let pairs: Vec<(At, At)> = self.of(name).iter().map(pair).collect::<Option<_>>()?;
        let mut ways: Vec<(At, At)> = pairs.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
        ways.sort_unstable();
        ways.dedup();
        let all = 2 * grid.cells.len() - grid.rows - grid.columns;
        (!pairs.is_empty() && ways.len() == pairs.len() && 4 * pairs.len() < 3 * all).then_some(pairs)
    }

    /// The lines through cells that a predicate numbers from 1 on, line by line.
    fn lines(&self, grid: &Grid, name: Name<'a>) -> Option<Vec<(At, At, u8)>> {
        let mut lines: BTreeMap<Sym, BTreeMap<i64, At>> = BTreeMap::new();
        for atom in self.of(name) {
            let &[line, place, row, column] = atom.args else { return None };
            let number = |term| self.symbols.as_num(term);
            let at = grid.at(number(row)?, number(column)?)?;
            if lines.entry(line).or_default().insert(number(place)?, at).is_some() {
                return None;
            }
        }
        let mut found = Vec::new();
        for line in lines.values() {
            let cells: Vec<At> = line.values().copied().collect();
            let near = |pair: &[At]| pair[0].0.abs_diff(pair[1].0) < 2 && pair[0].1.abs_diff(pair[1].1) < 2;
            let is_line = line.keys().copied().eq(1..=cells.len() as i64) && cells.len() > 1;
            if !is_line || !cells.windows(2).all(near) {
                return None;
            }
            found.extend(cells.windows(2).map(|pair| (pair[0], pair[1], 1)));
        }
        (!found.is_empty()).then_some(found)
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
