//! What facts say about a grid by their names: size, givens, walls, blocks, cages, signs, clues.
//!
//! Invariant: no picture depends on anything here; what does not fit the grid is left out.

use std::collections::{BTreeMap, BTreeSet};

use super::grid::{Cell, Fill, Grid, Line, Side};
use super::scene::Atom;
use super::shape::{Place, Shape, cell, constant, label};
use asp_base::map::Map;
use asp_base::symbol::Symbols;

/// `p(R,C,V)`: numbers and letters that are printed in the puzzle.
pub(crate) const GIVENS: [&str; 11] =
    ["given", "open", "lamps", "sides", "hint", "number", "end", "island", "pearl", "circle", "clue"];
/// `p(R,C)`: cells that are black in the puzzle.
pub(crate) const WALLS: [&str; 5] = ["wall", "block", "blocked", "obstacle", "hole"];
/// `p(R,C)`: all cells of the grid.
pub(crate) const CELLS: [&str; 5] = ["cell", "square", "field", "white", "floor"];
/// `p(R,C,G)`: the group of each cell, whose borders are drawn.
pub(crate) const REGIONS: [&str; 9] =
    ["region", "box", "block", "subgrid", "zone", "area", "group", "room", "part"];
/// `p(R,C,K)`: the cage of each cell, whose borders are drawn inside blocks.
pub(crate) const CAGES: [&str; 2] = ["in", "cage"];
/// `p(K,V)`: the value of the cage K, and the sign printed after V.
pub(crate) const CAGE_LABELS: [(&str, &str); 7] = [
    ("cage", ""),
    ("total", ""),
    ("sum", "+"),
    ("difference", "-"),
    ("product", "x"),
    ("quotient", "/"),
    ("single", ""),
];

/// Facts by name and arity.
pub(crate) struct Facts<'a> {
    /// The terms.
    pub symbols: &'a Symbols,
    by_name: Map<(&'a str, usize), Vec<Atom<'a>>>,
    order: Vec<(&'a str, usize)>,
}

impl<'a> Facts<'a> {
    /// Sorts facts by their names.
    pub(crate) fn new(symbols: &'a Symbols, facts: &[Atom<'a>]) -> Self {
        let mut all = Self { symbols, by_name: Map::default(), order: Vec::new() };
        for &fact in facts {
            let atoms = all.by_name.entry(fact.key()).or_default();
            if atoms.is_empty() {
                all.order.push(fact.key());
            }
            atoms.push(fact);
        }
        all
    }

    /// The facts of a predicate.
    pub(crate) fn of(&self, name: &'a str, arity: usize) -> &[Atom<'a>] {
        self.by_name.get(&(name, arity)).map_or(&[], Vec::as_slice)
    }

    /// How many facts a predicate has.
    pub(crate) fn count(&self, name: &str, arity: usize) -> usize {
        self.by_name.get(&(name, arity)).map_or(0, Vec::len)
    }

    /// The facts `p(R,C,V)` of a predicate: cell and value.
    fn values(&self, name: &'a str) -> Vec<(Place, String)> {
        let value = |atom: &Atom<'a>| match cell(self.symbols, atom.args)? {
            (place, &[v]) => Some((place, label(self.symbols, v))),
            _ => None,
        };
        [2, 3].iter().flat_map(|&arity| self.of(name, arity)).filter_map(value).collect()
    }

    /// The facts `p(R,C)` of a predicate.
    fn places(&self, name: &'a str) -> Vec<Place> {
        let place = |atom: &Atom<'a>| match cell(self.symbols, atom.args)? {
            (place, []) => Some(place),
            _ => None,
        };
        [1, 2].iter().flat_map(|&arity| self.of(name, arity)).filter_map(place).collect()
    }

    /// The facts of a predicate as integers.
    fn integers<const N: usize>(&self, name: &'a str) -> Vec<[i64; N]> {
        let row = |atom: &Atom<'a>| {
            let mut row = [0; N];
            for (to, &term) in row.iter_mut().zip(atom.args) {
                *to = self.symbols.as_num(term)?;
            }
            Some(row)
        };
        self.of(name, N).iter().filter_map(row).collect()
    }

    /// The numbers of rows and columns given by `size(Rows,Columns)`.
    pub(crate) fn size(&self) -> Option<(i64, i64)> {
        match self.integers::<2>("size").as_slice() {
            &[[rows, columns]] if rows > 0 && columns > 0 => Some((rows, columns)),
            _ => None,
        }
    }

    /// Cells that belong to the grid whatever it shows.
    pub(crate) fn extent(&self) -> Vec<Place> {
        let mut found: Vec<Place> = Vec::new();
        for name in GIVENS {
            found.extend(self.values(name).into_iter().map(|(place, _)| place));
        }
        for name in WALLS.iter().chain(&CELLS) {
            found.extend(self.places(name));
        }
        // The cells with the sums of a kakuro come before its words.
        found.extend(self.integers::<4>("across").iter().map(|w| (w[0], w[1].saturating_sub(1))));
        found.extend(self.integers::<4>("down").iter().map(|w| (w[0].saturating_sub(1), w[1])));
        if let (Some((rows, columns)), false) = (self.size(), found.iter().any(|p| p.0 == 0 || p.1 == 0)) {
            found.extend([(1, 1), (rows, columns)]);
        }
        found
    }

    /// Writes givens and walls into a grid.
    pub(crate) fn fill(&self, grid: &mut Grid) {
        for name in WALLS {
            for place in self.places(name) {
                if let Some(at) = grid.at(place.0, place.1) {
                    grid.cell_mut(at).fill = Fill::Wall;
                }
            }
        }
        for name in GIVENS {
            for (place, text) in self.values(name) {
                if let Some(at) = grid.at(place.0, place.1) {
                    let cell = grid.cell_mut(at);
                    (cell.text, cell.given) = (text, true);
                }
            }
        }
        self.words(grid);
    }

    /// Pearls, as in a Masyu, where an answer set draws lines.
    pub(crate) fn pearls(&self, grid: &mut Grid) {
        for (name, pearl) in [("white", "○"), ("black", "●")] {
            for place in self.places(name) {
                if let Some(at) = grid.at(place.0, place.1) {
                    let cell = grid.cell_mut(at);
                    (cell.text, cell.given) = (pearl.to_string(), true);
                }
            }
        }
    }

    /// The sums of a kakuro, in the cells before its words; cells in no word are walls.
    fn words(&self, grid: &mut Grid) {
        let (across, down) = (self.integers::<4>("across"), self.integers::<4>("down"));
        if across.is_empty() || down.is_empty() {
            return;
        }
        let mut sums: BTreeMap<(usize, usize), (String, String)> = BTreeMap::new();
        let mut white = BTreeSet::new();
        for (words, is_across) in [(&across, true), (&down, false)] {
            for &[r, c, length, sum] in words {
                let before = if is_across { (r, c.saturating_sub(1)) } else { (r.saturating_sub(1), c) };
                if let Some(at) = grid.at(before.0, before.1) {
                    let sums = sums.entry(at).or_default();
                    let side = if is_across { &mut sums.1 } else { &mut sums.0 };
                    *side = sum.to_string();
                }
                for i in 0..length.clamp(0, super::grid::MAX_CELLS as i64) {
                    let at = if is_across { (r, c.saturating_add(i)) } else { (r.saturating_add(i), c) };
                    white.extend(grid.at(at.0, at.1));
                }
            }
        }
        let positions: Vec<_> = grid.iter().map(|(at, _)| at).collect();
        for at in positions.into_iter().filter(|at| !white.contains(at)) {
            let text = sums.get(&at).map_or(String::new(), |(down, across)| format!("{down}\\{across}"));
            *grid.cell_mut(at) = Cell { text, given: true, fill: Fill::Wall, label: String::new() };
        }
    }

    /// Draws the borders of blocks and cages; returns whether there are blocks.
    pub(crate) fn borders(&self, grid: &mut Grid) -> bool {
        let cages = CAGES.iter().find_map(|name| self.groups(grid, name, 3));
        let by_name = REGIONS.iter().find_map(|name| self.groups(grid, name, 3));
        let blocks = by_name.or_else(|| {
            // p(R,C,B,D): the block of each cell by two numbers; all blocks have as many cells as a row.
            let four = self.order.iter().filter(|(name, arity)| *arity == 4 && *name != "greater_than");
            four.map(|(name, _)| *name).find_map(|name| {
                let groups = self.groups(grid, name, 4)?;
                let mut sizes: BTreeMap<&String, usize> = BTreeMap::new();
                for group in groups.iter().flatten() {
                    *sizes.entry(group).or_default() += 1;
                }
                let fair = sizes.len() > 1 && sizes.values().all(|&n| n == grid.columns);
                (fair && groups.iter().all(Option::is_some)).then_some(groups)
            })
        });
        let line = if cages.is_some() { Line::Heavy } else { Line::Light };
        if let Some(blocks) = &blocks {
            grid.draw_groups(blocks, line);
        }
        if let Some(cages) = cages {
            grid.draw_groups(&cages, Line::Light);
            self.cage_labels(grid, &cages);
        }
        blocks.is_some()
    }

    /// The group of each cell, if the predicate gives at least half of them one and none two.
    fn groups(&self, grid: &Grid, name: &'a str, arity: usize) -> Option<Vec<Option<String>>> {
        let mut groups: Vec<Option<String>> = vec![None; grid.cells.len()];
        for atom in self.of(name, arity) {
            let (place, rest) = cell(self.symbols, atom.args)?;
            let Some(at) = grid.at(place.0, place.1) else { continue };
            let text: Vec<String> = rest.iter().map(|&t| self.symbols.display(t)).collect();
            let group = &mut groups[at.0 * grid.columns + at.1];
            let text = text.join(",");
            if group.as_ref().is_some_and(|known| *known != text) {
                return None;
            }
            *group = Some(text);
        }
        (2 * groups.iter().flatten().count() >= groups.len()).then_some(groups)
    }

    /// Writes the value of each cage into its first cell.
    fn cage_labels(&self, grid: &mut Grid, cages: &[Option<String>]) {
        let mut labels: BTreeMap<String, String> = BTreeMap::new();
        for (name, sign) in CAGE_LABELS {
            for atom in self.of(name, 2) {
                if let &[cage, value] = atom.args {
                    let text = format!("{}{sign}", label(self.symbols, value));
                    labels.insert(self.symbols.display(cage), text);
                }
            }
        }
        for (i, cage) in cages.iter().enumerate() {
            if let Some(text) = cage.as_ref().and_then(|cage| labels.remove(cage)) {
                grid.cells[i].label = text;
            }
        }
    }

    /// Writes signs between cells and clues around them; returns whether there are any.
    pub(crate) fn signs(&self, grid: &mut Grid, marks_only: bool) -> bool {
        for &[r1, c1, r2, c2] in &self.integers::<4>("greater_than") {
            if let (Some(a), Some(b)) = (grid.at(r1, c1), grid.at(r2, c2)) {
                grid.add_greater(a, b);
            }
        }
        for atom in self.of("clue", 3) {
            let &[side, line, value] = atom.args else { continue };
            let side = constant(self.symbols, side).and_then(side_of);
            if let (Some(side), Some(line)) = (side, self.symbols.as_num(line)) {
                add_clue(grid, side, line, label(self.symbols, value));
            }
        }
        let has = |name| !self.of(name, 3).is_empty();
        if marks_only && (has("row") || has("column")) && self.size().is_some() {
            for (name, side) in [("row", Side::West), ("column", Side::North)] {
                let mut blocks = self.integers::<3>(name);
                blocks.sort_unstable();
                for [line, _, length] in blocks {
                    add_clue(grid, side, line, length.to_string());
                }
            }
        }
        !grid.clues.is_empty() || !grid.signs_right.is_empty() || !grid.signs_below.is_empty()
    }

    /// Whether a predicate with this name and these arguments only describes the puzzle.
    pub(crate) fn is_hint(name: &str, arguments: Shape) -> bool {
        match arguments {
            Shape::Value => GIVENS.contains(&name) || REGIONS.contains(&name) || CAGES.contains(&name),
            Shape::Mark => WALLS.contains(&name) || CELLS.contains(&name) || name == "size",
            Shape::Link => name == "greater_than",
            Shape::Other => false,
        }
    }
}

/// Adds a clue at a line, numbered as in the program.
pub(crate) fn add_clue(grid: &mut Grid, side: Side, line: i64, text: String) {
    let first = if matches!(side, Side::North | Side::South) { grid.first.1 } else { grid.first.0 };
    if let Some(line) = line.checked_sub(first).and_then(|l| usize::try_from(l).ok()) {
        grid.add_clue(side, line, text);
    }
}

/// The side that a word means.
pub(crate) fn side_of(word: &str) -> Option<Side> {
    match word {
        "n" | "north" | "top" | "t" | "above" | "up" | "u" => Some(Side::North),
        "e" | "east" | "right" | "r" => Some(Side::East),
        "s" | "south" | "bottom" | "b" | "below" | "down" | "d" => Some(Side::South),
        "w" | "west" | "left" | "l" => Some(Side::West),
        _ => None,
    }
}
