//! Cells `p(R,C,V)` or `p((R,C),V)` among shown terms, and how two answer sets differ in them.
//!
//! Invariant: a predicate counts as cells only if its rows and columns are always integers and at least half of the
//! rectangle that they span is there.

use crate::show_keys;
use asp_base::map::{Map, Set};
use asp_base::symbol::{StrId, Sym, SymView, Symbols};
use asp_picture::grid::Grid;
use asp_program::Program;
use asp_program::ground_program::ShowItem;
use asp_program::integers::ByEntry;

/// A grid has at most this many rows and columns.
const MAX_SIDE: i64 = 100;

/// A shown atom or term as a name and arguments.
#[derive(Clone, Copy, Debug)]
pub struct Item<'a> {
    /// The predicate's name.
    pub name: StrId,
    pub args: &'a [Sym],
    /// Whether it is classically negated.
    pub negative: bool,
}

/// What a show entry shows; `None` if it is not a function term.
pub fn item<'a>(show: ShowItem, program: &'a Program, symbols: &'a Symbols) -> Option<Item<'a>> {
    let (s, args) = program.shown_atom(show, symbols)?;
    Some(Item { name: s.name, args, negative: s.negative })
}

/// The text of what a show entry shows.
pub fn text(show: ShowItem, program: &Program, symbols: &Symbols) -> String {
    let mut text = String::new();
    program.write_shown(show, symbols, &mut text);
    text
}

/// Row, column and value among the arguments of a cell.
fn parts(args: &[Sym], symbols: &Symbols) -> Option<[Sym; 3]> {
    match *args {
        [r, c, v] => Some([r, c, v]),
        [key, v] => match symbols.view(key) {
            SymView::Tuple(&[r, c]) => Some([r, c, v]),
            _ => None,
        },
        _ => None,
    }
}

/// A predicate whose atoms are cells of a grid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cells {
    pub name: StrId,
    rows: (i64, i64),
    columns: (i64, i64),
}

impl Cells {
    /// The shown predicate whose atoms fill a grid; if there are several, the one with the most cells.
    pub fn find(program: &Program, symbols: &Symbols) -> Option<Cells> {
        let mut places: Vec<(StrId, Set<(i64, i64)>)> = Vec::new();
        let mut unfit: Set<StrId> = Set::default();
        let mut known: Map<StrId, usize> = Map::default();
        for show in &program.shows {
            let Some(item) = item(show.item, program, symbols) else { continue };
            let Some([r, c, _]) = parts(item.args, symbols) else { continue };
            let (Some(r), Some(c)) = (symbols.as_num(r), symbols.as_num(c)) else {
                unfit.insert(item.name);
                continue;
            };
            let at = *known.entry(item.name).or_insert_with(|| {
                places.push((item.name, Set::default()));
                places.len() - 1
            });
            places[at].1.insert((r, c));
        }
        let mut best: Option<(usize, Cells)> = None;
        for (name, set) in places {
            let ends =
                |of: fn(&(i64, i64)) -> i64| Some((set.iter().map(of).min()?, set.iter().map(of).max()?));
            let (Some(rows), Some(columns)) = (ends(|p| p.0), ends(|p| p.1)) else { continue };
            let side = |(from, to): (i64, i64)| to.checked_sub(from).filter(|&d| d < MAX_SIDE).map(|d| d + 1);
            let (Some(height), Some(width)) = (side(rows), side(columns)) else { continue };
            let fits = height > 1 && width > 1 && 2 * set.len() as i64 >= height * width;
            if fits && !unfit.contains(&name) && best.as_ref().is_none_or(|b| set.len() > b.0) {
                best = Some((set.len(), Cells { name, rows, columns }));
            }
        }
        best.map(|b| b.1)
    }

    /// Row, column and value, if an item is a cell.
    pub fn cell(&self, item: &Item<'_>, symbols: &Symbols) -> Option<(i64, i64, Sym)> {
        let [r, c, v] = parts(item.args, symbols).filter(|_| item.name == self.name && !item.negative)?;
        Some((symbols.as_num(r)?, symbols.as_num(c)?, v))
    }

    /// An empty grid.
    pub fn grid(&self) -> Grid {
        // A grid of so many rows and columns is not too large.
        Grid::new((self.rows.0, self.columns.0), (self.rows.1, self.columns.1)).unwrap_or_default()
    }
}

/// The difference between two answer sets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// Shown by the first only.
    pub only_first: Vec<String>,
    /// Shown by the second only.
    pub only_second: Vec<String>,
    /// Shown by both.
    pub common: usize,
    /// Both as grids, if there are cells; values that differ are in brackets.
    pub grids: Option<[Grid; 2]>,
}

/// Compares two answer sets, given by show entry.
pub fn difference(program: &Program, symbols: &Symbols, sets: [&[bool]; 2]) -> Difference {
    let mut of_thing: Vec<(String, [bool; 2])> = Vec::new();
    let cells = Cells::find(program, symbols);
    let mut values: [Map<(i64, i64), Vec<String>>; 2] = Default::default();
    for ((i, show), thing) in program.shows.iter().enumerate().zip(show_keys::of(program)) {
        if show.item.is_of_integer() {
            // Values follow. Things are numbered in order, these among them.
            of_thing.resize_with(of_thing.len().max(thing + 1), Default::default);
            continue;
        }
        let holds = [sets[0][i], sets[1][i]];
        if thing == of_thing.len() {
            of_thing.push((text(show.item, program, symbols), [false; 2]));
        }
        let entry = &mut of_thing[thing].1;
        let new = [holds[0] && !entry[0], holds[1] && !entry[1]];
        *entry = [entry[0] || holds[0], entry[1] || holds[1]];
        let cell = item(show.item, program, symbols)
            .and_then(|item| cells.as_ref().and_then(|c| c.cell(&item, symbols)));
        if let Some((r, c, v)) = cell {
            for side in (0..2).filter(|&s| new[s]) {
                values[side].entry((r, c)).or_default().push(symbols.display(v));
            }
        }
    }
    let values_of = ByEntry::new(program, symbols);
    let [first, second] = sets.map(|shown| values_of.texts(shown));
    for (a, b) in first.into_iter().zip(second) {
        match a == b {
            true => of_thing.push((a, [true, true])),
            false => of_thing.extend([(a, [true, false]), (b, [false, true])]),
        }
    }
    let only = |side: usize| -> Vec<String> {
        of_thing.iter().filter(|(_, has)| has[side] && !has[1 - side]).map(|(text, _)| text.clone()).collect()
    };
    let grids = cells.map(|cells| {
        [0, 1].map(|side| {
            let mut grid = cells.grid();
            let mut places: Vec<(i64, i64)> = values[side].keys().copied().collect();
            places.sort_unstable();
            for place in places {
                let differs = values[0].get(&place) != values[1].get(&place);
                if let (Some(at), Some(own)) = (grid.at(place.0, place.1), values[side].get(&place)) {
                    let text = own.join(",");
                    grid.cell_mut(at).text = if differs { format!("[{text}]") } else { text };
                }
            }
            grid
        })
    });
    let common = of_thing.iter().filter(|(_, has)| *has == [true, true]).count();
    Difference { only_first: only(0), only_second: only(1), common, grids }
}

#[cfg(test)]
mod tests {
    use super::*;
    use asp_control::Control;

    fn control(text: &str) -> Control {
        let mut control = Control::new();
        control.add(text);
        control.ground().expect("it grounds");
        control
    }

    #[test]
    fn cells_are_recognised_by_coverage() {
        let found = |text: &str| {
            let control = control(text);
            Cells::find(control.program(), control.symbols())
                .map(|c| control.symbols().str(c.name).to_string())
        };
        assert_eq!(found("p(1..3,1..3,7). e(1,2,3)."), Some("p".into()));
        assert_eq!(found("p(1,1,7). p(9,9,7)."), None);
        assert_eq!(found("p(1..3,a,7)."), None);
        assert_eq!(found("p(1..3,1..3)."), None);
    }

    #[test]
    fn differences_are_marked() {
        let control = control("{p(1..2,1..2,1..3)}. x.");
        let (program, symbols) = (control.program(), control.symbols());
        let holds = |wanted: &[&str]| -> Vec<bool> {
            program.shows.iter().map(|s| wanted.contains(&text(s.item, program, symbols).as_str())).collect()
        };
        let first = holds(&["x", "p(1,1,1)", "p(1,2,2)", "p(2,1,3)"]);
        let second = holds(&["x", "p(1,1,1)", "p(1,2,3)", "p(2,1,3)", "p(2,2,1)"]);
        let d = difference(program, symbols, [&first, &second]);
        assert_eq!(d.only_first, ["p(1,2,2)"]);
        assert_eq!(d.only_second, ["p(1,2,3)", "p(2,2,1)"]);
        assert_eq!(d.common, 3);
        let texts = |grid: &Grid| grid.cells.iter().map(|cell| cell.text.clone()).collect::<Vec<_>>();
        let [a, b] = d.grids.expect("cells");
        assert_eq!(texts(&a), ["1", "[2]", "3", ""]);
        assert_eq!(texts(&b), ["1", "[3]", "3", "[1]"]);
    }
}
