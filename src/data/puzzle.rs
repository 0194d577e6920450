//! A puzzle that was read, and its facts under the names that a program uses.
//!
//! Invariant: facts are written in the order of rows and columns, each once.

use std::collections::BTreeSet;

use super::value::quoted;

/// What a cell holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// A number; letters after 9 count on.
    Number(i64),
    /// A letter used as a name.
    Name(String),
}

/// A side of the grid, as `clue/3` calls it.
pub const SIDES: [&str; 4] = ["n", "e", "s", "w"];

/// A cell by row and column, from 1.
pub type At = (usize, usize);

/// A puzzle as it was typed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Puzzle {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// Filled cells.
    pub given: Vec<(At, Content)>,
    /// Black cells.
    pub walls: Vec<At>,
    /// Pairs of cells, the first one greater.
    pub greater: BTreeSet<(At, At)>,
    /// The region of each cell.
    pub regions: Vec<(At, Content)>,
    /// Texts around the edge: index of the side, line, number in the line, value.
    pub clues: BTreeSet<(usize, usize, usize, i64)>,
}

/// What the program that reads the facts knows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Names {
    /// Predicates that it mentions, with arities.
    pub uses: BTreeSet<(String, usize)>,
    /// Predicates that it shows.
    pub shows: BTreeSet<(String, usize)>,
    /// Its constants that have not been set.
    pub constants: BTreeSet<String>,
}

/// Facts, and what may be surprising about them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Facts {
    /// Program text.
    pub text: String,
    /// What the program does not use, one line each.
    pub warnings: Vec<String>,
}

impl Puzzle {
    /// The facts of the puzzle for a program; its given cells use `predicate` if there is one.
    pub fn facts(&self, names: &Names, predicate: Option<&str>) -> Facts {
        let mut out = Facts::default();
        let uses = |name: &str, arity: usize| names.uses.contains(&(name.to_string(), arity));
        self.constants(names, &mut out);
        if uses("size", 2) {
            out.text.push_str(&format!("size({},{}).\n", self.rows, self.columns));
        }
        let name = match predicate {
            Some(name) => name.to_string(),
            None => given_name(names),
        };
        let known = |name: &str, arity: usize, what: &str, warnings: &mut Vec<String>| {
            if !names.uses.is_empty() && !uses(name, arity) {
                warnings.push(format!("the puzzle has {what}, but the program does not use {name}/{arity}"));
            }
        };
        if !self.given.is_empty() {
            known(&name, 3, "filled cells", &mut out.warnings);
            write_cells(&name, self.given.iter().map(|(at, c)| (*at, Some(c))), &mut out.text);
        }
        if !self.walls.is_empty() {
            known("wall", 2, "black cells", &mut out.warnings);
            write_cells("wall", self.walls.iter().map(|at| (*at, None)), &mut out.text);
        }
        if !self.regions.is_empty() {
            known("region", 3, "regions", &mut out.warnings);
            write_cells("region", self.regions.iter().map(|(at, c)| (*at, Some(c))), &mut out.text);
        }
        if !self.greater.is_empty() {
            known("greater_than", 4, "signs", &mut out.warnings);
        }
        for ((r1, c1), (r2, c2)) in &self.greater {
            out.text.push_str(&format!("greater_than({r1},{c1},{r2},{c2}).\n"));
        }
        let as_blocks = !uses("clue", 3) && uses("row", 3) && uses("column", 3);
        if !self.clues.is_empty() && !as_blocks {
            known("clue", 3, "numbers around the edge", &mut out.warnings);
        }
        for &(side, line, number, value) in &self.clues {
            let fact = match (as_blocks, SIDES[side]) {
                (false, side) => format!("clue({side},{line},{value}).\n"),
                (true, "n" | "s") => format!("column({line},{number},{value}).\n"),
                (true, _) => format!("row({line},{number},{value}).\n"),
            };
            out.text.push_str(&fact);
        }
        out
    }

    /// Constants that follow from the size: `n`, `rows`, `columns`, `box`, and `first`, the lowest value.
    fn constants(&self, names: &Names, out: &mut Facts) {
        let square = (self.rows == self.columns).then_some(self.rows);
        let side = self.rows.isqrt();
        let block = square.filter(|&n| side * side == n && n > 1).map(|_| side);
        let has_zero = self.given.iter().any(|(_, c)| *c == Content::Number(0));
        for name in &names.constants {
            let value = match name.as_str() {
                "n" | "size" => square,
                "rows" | "height" => Some(self.rows),
                "columns" | "cols" | "width" => Some(self.columns),
                "box" => block,
                "first" => Some(usize::from(!has_zero)),
                _ => continue,
            };
            match value {
                Some(value) => out.text.push_str(&format!("#const {name} = {value}. [override]\n")),
                None => out.warnings.push(format!(
                    "the program's constant {name} stays as it is: no value for it follows from {} rows and {} columns",
                    self.rows, self.columns
                )),
            }
        }
    }
}

/// The predicate of filled cells: `given`, unless the program does not use it and shows exactly one predicate with
/// three arguments, which then gets them.
fn given_name(names: &Names) -> String {
    if !names.uses.contains(&("given".to_string(), 3)) {
        let mut shown = names.shows.iter().filter(|(_, arity)| *arity == 3);
        if let (Some((name, _)), None) = (shown.next(), shown.next()) {
            return name.clone();
        }
    }
    "given".to_string()
}

fn write_cells<'a>(name: &str, cells: impl Iterator<Item = (At, Option<&'a Content>)>, out: &mut String) {
    for ((row, column), content) in cells {
        out.push_str(&format!("{name}({row},{column}"));
        match content {
            None => {}
            Some(Content::Number(n)) => out.push_str(&format!(",{n}")),
            Some(Content::Name(name)) => {
                out.push(',');
                if super::value::is_constant(name) { out.push_str(name) } else { quoted(name, out) }
            }
        }
        out.push_str(").\n");
    }
}
