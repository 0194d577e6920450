//! A puzzle that was read, and its facts under the names that a program uses.
//!
//! Invariant: facts are written in the order of rows and columns, each once.

use std::collections::{BTreeMap, BTreeSet};

use super::value::quoted;
use super::{Bytes, Facts};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// A number; letters after 9 count on.
    Number(i64),
    /// A letter used as a name.
    Name(String),
}

/// A side of the grid, as `clue/3` calls it.
pub(crate) const SIDES: [&str; 4] = ["n", "e", "s", "w"];

/// A cell by row and column, from 1.
pub(crate) type At = (usize, usize);

/// A puzzle as it was typed; all parts know where they stand.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Puzzle {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// Filled cells.
    pub given: Vec<(At, Content, Bytes)>,
    /// Black cells.
    pub walls: Vec<(At, Bytes)>,
    /// Pairs of cells, the first one greater.
    pub greater: BTreeMap<(At, At), Bytes>,
    /// Pairs of neighbours, the upper or left one first, with a dot between them: whether it is black.
    pub dots: BTreeMap<(At, At), (bool, Bytes)>,
    /// Thermometers: their cells from the bulb on.
    pub thermometers: Vec<(Vec<At>, Bytes)>,
    /// The region of each cell.
    pub regions: Vec<(At, Content, Bytes)>,
    /// Texts around the edge: index of the side, line, number in the line, value.
    pub clues: BTreeMap<(usize, usize, usize, i64), Bytes>,
    /// The first line that is no comment.
    pub top: Bytes,
}

/// The names that the reading program knows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Names {
    /// Predicates that it mentions, with arities.
    pub uses: BTreeSet<(String, usize)>,
    /// Predicates that it shows.
    pub shows: BTreeSet<(String, usize)>,
    /// Its constants that have not been set.
    pub constants: BTreeSet<String>,
    /// All of them: such a name in a text is replaced.
    pub replaced: BTreeSet<String>,
}

/// Facts, and what may be surprising about them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Made {
    pub facts: Facts,
    /// Parts of the puzzle that the program does not use, one line each.
    pub warnings: Vec<String>,
}

impl Puzzle {
    /// The facts of the puzzle for a program; its given cells use `predicate` if there is one.
    pub fn facts(&self, names: &Names, predicate: Option<&str>) -> Made {
        let mut out = Made::default();
        let uses = |name: &str, arity: usize| names.uses.contains(&(name.to_string(), arity));
        self.constants(names, &mut out);
        if uses("size", 2) {
            write(&mut out.facts, self.top, &format!("size({},{}).", self.rows, self.columns));
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
            self.given
                .iter()
                .for_each(|(at, c, b)| write_cell(&name, *at, Some(c), *b, names, &mut out.facts));
        }
        if !self.walls.is_empty() {
            known("wall", 2, "black cells", &mut out.warnings);
            self.walls.iter().for_each(|(at, b)| write_cell("wall", *at, None, *b, names, &mut out.facts));
        }
        if !self.regions.is_empty() {
            known("region", 3, "regions", &mut out.warnings);
            self.regions
                .iter()
                .for_each(|(at, c, b)| write_cell("region", *at, Some(c), *b, names, &mut out.facts));
        }
        if !self.greater.is_empty() {
            known("greater_than", 4, "signs", &mut out.warnings);
        }
        for (((r1, c1), (r2, c2)), bytes) in &self.greater {
            write(&mut out.facts, *bytes, &format!("greater_than({r1},{c1},{r2},{c2})."));
        }
        for black in [false, true] {
            let name = if black { "black" } else { "white" };
            let mut dots = self.dots.iter().filter(|(_, dot)| dot.0 == black).peekable();
            if dots.peek().is_some() {
                known(name, 4, &format!("{name} dots"), &mut out.warnings);
            }
            for (((r1, c1), (r2, c2)), dot) in dots {
                write(&mut out.facts, dot.1, &format!("{name}({r1},{c1},{r2},{c2})."));
            }
        }
        if !self.thermometers.is_empty() {
            known("thermo", 4, "thermometers", &mut out.warnings);
        }
        for (number, (cells, bytes)) in (1..).zip(&self.thermometers) {
            for (place, (row, column)) in (1..).zip(cells) {
                write(&mut out.facts, *bytes, &format!("thermo({number},{place},{row},{column})."));
            }
        }
        let as_blocks = !uses("clue", 3) && uses("row", 3) && uses("column", 3);
        if !self.clues.is_empty() && !as_blocks {
            known("clue", 3, "numbers around the edge", &mut out.warnings);
        }
        // A name that the program's constants replace is no name of a side.
        let replaced = SIDES.iter().any(|side| names.replaced.contains(*side));
        for (&(side, line, number, value), &bytes) in &self.clues {
            let fact = match (as_blocks, SIDES[side]) {
                (false, side) if replaced => format!("clue(\"{side}\",{line},{value})."),
                (false, side) => format!("clue({side},{line},{value})."),
                (true, "n" | "s") => format!("column({line},{number},{value})."),
                (true, _) => format!("row({line},{number},{value})."),
            };
            write(&mut out.facts, bytes, &fact);
        }
        out
    }

    /// Constants that follow from the size: `n`, `rows`, `columns`, `box`, and `first`, the lowest value.
    fn constants(&self, names: &Names, out: &mut Made) {
        let square = (self.rows == self.columns).then_some(self.rows);
        let side = self.rows.isqrt();
        let block = square.filter(|&n| side * side == n && n > 1).map(|_| side);
        let has_zero = self.given.iter().any(|(_, c, _)| *c == Content::Number(0));
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
                Some(value) => {
                    write(&mut out.facts, self.top, &format!("#const {name} = {value}. [override]"));
                }
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

fn write(out: &mut Facts, bytes: Bytes, fact: &str) {
    out.begin(bytes);
    out.text.push_str(fact);
    out.text.push('\n');
}

fn write_cell(
    name: &str,
    (row, column): At,
    content: Option<&Content>,
    bytes: Bytes,
    names: &Names,
    out: &mut Facts,
) {
    let mut fact = format!("{name}({row},{column}");
    match content {
        None => {}
        Some(Content::Number(n)) => fact.push_str(&format!(",{n}")),
        Some(Content::Name(name)) => {
            fact.push(',');
            let is_name = super::value::is_constant(name) && !names.replaced.contains(name);
            if is_name { fact.push_str(name) } else { quoted(name, &mut fact) }
        }
    }
    write(out, bytes, &format!("{fact})."));
}
