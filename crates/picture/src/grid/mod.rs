//! A grid of cells, with what is in, between and around them.
//!
//! Invariant: `cells`, `above` and `before` have the sizes that `rows` and `columns` imply; positions in `signs` and `links` lie
//! inside the grid. Rows and columns count from 0 here; `first` has the program's numbers of the first ones.

pub(crate) mod painter;
pub mod text;

use std::collections::BTreeMap;

/// The greatest number of cells of a grid.
pub(crate) const MAX_CELLS: i128 = 40_000;
/// The longest text of a cell that is drawn, in characters.
pub(crate) const MAX_TEXT: usize = 24;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cell {
    /// Its text; may be empty.
    pub text: String,
    /// Whether the text belongs to the puzzle, not to its solution.
    pub given: bool,
    pub(crate) fill: Fill,
    /// A small text in the upper left corner.
    pub label: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) enum Fill {
    #[default]
    None,
    /// Black in the puzzle.
    Wall,
    /// Blackened by the answer set.
    Shade,
    Colour(String),
}

/// A line along a side of a cell; later ones are stronger.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) enum Line {
    #[default]
    None,
    /// Around a cage.
    Light,
    /// Around a block if there are cages, too, or drawn by the answer set.
    Heavy,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Side {
    /// Above the columns.
    North,
    /// Right of the rows.
    East,
    /// Below the columns.
    South,
    /// Left of the rows.
    West,
}

/// A cell by row and column, from 0.
pub(crate) type At = (usize, usize);

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Grid {
    /// A line above it.
    pub title: String,
    /// The program's numbers of the first row and column.
    pub first: (i64, i64),
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// Row by row.
    pub cells: Vec<Cell>,
    /// Lines above the cells of each row, and below the last row: `rows + 1` times `columns`.
    pub(crate) above: Vec<Line>,
    /// Lines before the cells of each row, and after the last: `rows` times `columns + 1`.
    pub(crate) before: Vec<Line>,
    /// Signs between a cell and the one right of it.
    pub signs_right: BTreeMap<At, String>,
    /// Signs between a cell and the one below it.
    pub signs_below: BTreeMap<At, String>,
    /// Texts around the edge, by side and line, the outermost first.
    pub(crate) clues: BTreeMap<(Side, usize), Vec<String>>,
    /// Lines between the centres of two cells, and how many (1 or 2).
    pub links: Vec<(At, At, u8)>,
    /// Whether the corners of cells are points to draw lines between; cells then have no frame.
    pub lattice: bool,
    /// Whether given values may have to be distinguished from found ones.
    pub has_givens: bool,
}

impl Grid {
    /// The smallest grid that holds all places, rows first.
    pub(crate) fn around(places: &[(i64, i64)]) -> Option<Self> {
        let rows = || places.iter().map(|p| p.0);
        let columns = || places.iter().map(|p| p.1);
        Self::new((rows().min()?, columns().min()?), (rows().max()?, columns().max()?))
    }

    /// An empty grid; `None` if it would be too large.
    pub fn new(first: (i64, i64), last: (i64, i64)) -> Option<Self> {
        let rows = i128::from(last.0) - i128::from(first.0) + 1;
        let columns = i128::from(last.1) - i128::from(first.1) + 1;
        if rows < 1 || columns < 1 || rows > MAX_CELLS || columns > MAX_CELLS || rows * columns > MAX_CELLS {
            return None;
        }
        let (rows, columns) = (rows as usize, columns as usize);
        Some(Self {
            first,
            rows,
            columns,
            cells: vec![Cell::default(); rows * columns],
            above: vec![Line::None; (rows + 1) * columns],
            before: vec![Line::None; rows * (columns + 1)],
            ..Self::default()
        })
    }

    /// The cell to which the program gives these numbers.
    pub fn at(&self, row: i64, column: i64) -> Option<At> {
        let row = usize::try_from(row.checked_sub(self.first.0)?).ok()?;
        let column = usize::try_from(column.checked_sub(self.first.1)?).ok()?;
        (row < self.rows && column < self.columns).then_some((row, column))
    }
    /// The index of a cell in `cells`.
    pub(crate) fn index(&self, (row, column): At) -> usize {
        row * self.columns + column
    }
    pub fn cell(&self, at: At) -> &Cell {
        &self.cells[self.index(at)]
    }
    /// A cell, to change it.
    pub fn cell_mut(&mut self, at: At) -> &mut Cell {
        let at = self.index(at);
        &mut self.cells[at]
    }
    /// All cells with their positions.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (At, &Cell)> {
        self.cells.iter().enumerate().map(|(i, cell)| ((i / self.columns, i % self.columns), cell))
    }
    /// The line above a cell; for `row` = `rows`, below the last row.
    pub(crate) fn line_above(&self, row: usize, column: usize) -> Line {
        self.above[row * self.columns + column]
    }
    /// The line before a cell; for `column` = `columns`, after the last column.
    pub(crate) fn line_before(&self, row: usize, column: usize) -> Line {
        self.before[row * (self.columns + 1) + column]
    }
    /// Draws at least this line above a cell.
    pub(crate) fn draw_above(&mut self, row: usize, column: usize, line: Line) {
        if row <= self.rows && column < self.columns {
            let at = &mut self.above[row * self.columns + column];
            *at = line.max(*at);
        }
    }
    /// Draws at least this line before a cell.
    pub(crate) fn draw_before(&mut self, row: usize, column: usize, line: Line) {
        if row < self.rows && column <= self.columns {
            let at = &mut self.before[row * (self.columns + 1) + column];
            *at = line.max(*at);
        }
    }
    /// Draws lines between neighbours in different groups; `None` is a group, too.
    pub(crate) fn draw_groups<G: PartialEq>(&mut self, groups: &[Option<G>], line: Line) {
        let group = |row: usize, column: usize| groups.get(row * self.columns + column);
        let mut found = Vec::new();
        for row in 0..self.rows {
            for column in 0..self.columns {
                let here = group(row, column);
                if row > 0 && group(row - 1, column) != here {
                    found.push((true, row, column));
                }
                if column > 0 && group(row, column - 1) != here {
                    found.push((false, row, column));
                }
            }
        }
        for (above, row, column) in found {
            if above {
                self.draw_above(row, column, line);
            } else {
                self.draw_before(row, column, line);
            }
        }
    }
    /// Adds a text at the edge.
    pub(crate) fn add_clue(&mut self, side: Side, line: usize, text: String) {
        let lines = if matches!(side, Side::North | Side::South) { self.columns } else { self.rows };
        if line < lines {
            self.clues.entry((side, line)).or_default().push(text);
        }
    }
    /// Puts a sign between two neighbours; returns whether they are neighbours.
    pub(crate) fn add_sign(&mut self, a: At, b: At, text: String) -> bool {
        let (first, last) = (a.min(b), a.max(b));
        match (last.0 - first.0, last.1.wrapping_sub(first.1)) {
            (0, 1) => self.signs_right.insert(first, text),
            (1, 0) => self.signs_below.insert(first, text),
            _ => return false,
        };
        true
    }
    /// Puts the sign that says which of two neighbours is the greater one.
    pub(crate) fn add_greater(&mut self, greater: At, less: At) {
        let sign = match (greater.0.cmp(&less.0), greater.1.cmp(&less.1)) {
            (std::cmp::Ordering::Equal, std::cmp::Ordering::Less) => ">",
            (std::cmp::Ordering::Equal, _) => "<",
            (std::cmp::Ordering::Less, _) => "v",
            _ => "^",
        };
        self.add_sign(greater, less, sign.to_string());
    }
    /// Whether given and found texts must be distinguished: both occur.
    pub(crate) fn tells_givens(&self) -> bool {
        let texts = || self.cells.iter().filter(|c| !c.text.is_empty() && c.fill != Fill::Wall);
        self.has_givens && texts().any(|c| c.given) && texts().any(|c| !c.given)
    }
}

/// A text shortened to what is drawn, with control characters replaced.
pub(crate) fn clip(text: &str) -> String {
    let clean = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    if text.chars().count() <= MAX_TEXT {
        return text.chars().map(clean).collect();
    }
    text.chars().take(MAX_TEXT - 1).map(clean).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_bounded() {
        assert!(Grid::new((1, 1), (4, 9)).is_some_and(|g| g.cells.len() == 36 && g.above.len() == 45));
        assert!(Grid::new((i64::MIN, 1), (i64::MAX, 1)).is_none());
        assert!(Grid::new((0, 0), (i64::MAX, i64::MAX)).is_none());
        assert!(Grid::new((1, 1), (0, 1)).is_none());
        assert_eq!(Grid::new((1, 1), (2, 2)).unwrap().at(i64::MIN, 3), None);
    }

    #[test]
    fn signs_stand_between_neighbours_only() {
        let mut grid = Grid::new((1, 1), (3, 3)).unwrap();
        grid.add_greater((0, 1), (0, 0));
        grid.add_greater((0, 1), (1, 1));
        grid.add_greater((0, 0), (2, 2));
        assert_eq!(grid.signs_right.get(&(0, 0)).map(String::as_str), Some("<"));
        assert_eq!(grid.signs_below.get(&(0, 1)).map(String::as_str), Some("v"));
        assert_eq!(grid.signs_right.len() + grid.signs_below.len(), 2);
    }
}
