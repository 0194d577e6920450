//! Answer sets given by show entry, as texts and as grids.

use super::atoms::{as_atoms, facts, values_of};
use asp_base::map::Set;
use asp_control::Control;
use asp_explain::diverse::Member;
use asp_explain::{cells, show_keys};
use asp_picture::grid::Grid;
use asp_picture::{Atom, Painter, Picture, Scene};
use asp_program::ground_program::Show;
use asp_program::integers::{self, ByEntry, ValueAtom};

/// The texts of what a program shows.
pub struct Printer {
    /// By show entry; none for values of integer variables.
    texts: Vec<(usize, Option<String>)>,
    values: ByEntry,
}

impl Printer {
    /// A printer for what a ground program shows.
    pub fn new(control: &Control) -> Self {
        let (program, symbols) = (control.program(), control.symbols());
        let text = |s: &Show| (!s.item.is_of_integer()).then(|| cells::text(s.item, program, symbols));
        let texts = program.shows.iter().map(text);
        Self {
            texts: show_keys::of(program).into_iter().zip(texts).collect(),
            values: ByEntry::new(program, symbols),
        }
    }

    /// The text of an answer set, values last; a term that is shown for several reasons appears once.
    pub fn text(&self, shown: &[bool]) -> String {
        let mut seen: Set<usize> = Set::default();
        let holding = self.texts.iter().zip(shown).filter(|&((thing, _), &s)| s && seen.insert(*thing));
        let mut texts: Vec<String> = holding.filter_map(|((_, text), _)| text.clone()).collect();
        texts.extend(self.values.texts(shown));
        texts.join(" ")
    }

    /// One of several answer sets that differ much from each other.
    pub fn member(&self, number: usize, member: &Member) -> String {
        let distance = match (member.distance, member.farthest) {
            (None, _) => String::new(),
            (Some(d), true) => format!(" (distance {d})"),
            (Some(d), false) => format!(" (distance {d}, perhaps not the greatest)"),
        };
        format!("Answer: {number}{distance}\n{}\n", self.text(&member.shown))
    }
}

/// The atoms that are shown, by show entry, without values of integer variables.
pub(super) fn atoms<'a>(control: &'a Control, shown: &[bool]) -> Vec<Atom<'a>> {
    let (program, symbols) = (control.program(), control.symbols());
    let shows = program.shows.iter().zip(shown).filter(|(show, s)| **s && !show.item.is_of_integer());
    let items = shows.filter_map(|(show, _)| cells::item(show.item, program, symbols));
    items.filter(|i| !i.negative).map(|i| Atom { name: symbols.str(i.name), args: i.args }).collect()
}

/// The values of integer variables that are shown; `several` if a variable may have several.
pub(super) fn values(control: &Control, shown: &[bool], several: bool) -> Vec<ValueAtom> {
    let (program, symbols) = (control.program(), control.symbols());
    let by_entry = ByEntry::new(program, symbols);
    let values = match several {
        true => by_entry.entries().filter(|e| shown[e.0]).map(|(_, name, value)| (name, value)).collect(),
        false => by_entry.values(shown),
    };
    integers::value_atoms(values, symbols)
}

/// Answer sets, given by show entry, as grids; `None` if they show no grid. `several` allows several values in a cell.
pub(crate) fn grids(control: &Control, sets: &[&[bool]], several: bool) -> Option<Vec<Grid>> {
    let (program, symbols) = (control.program(), control.symbols());
    let may_be = values_of(program, symbols, None);
    let mut possible = atoms(control, &vec![true; program.shows.len()]);
    possible.extend(as_atoms(&may_be, symbols));
    let scene = Scene { facts: facts(program, symbols), possible };
    let values: Vec<Vec<ValueAtom>> = sets.iter().map(|set| values(control, set, several)).collect();
    let all: Vec<Vec<Atom<'_>>> = sets
        .iter()
        .zip(&values)
        .map(|(set, values)| atoms(control, set).into_iter().chain(as_atoms(values, symbols)).collect())
        .collect();
    let painter = Painter::new(symbols, &scene, all.first()?, None, several).ok()?;
    let paint = |holds: &Vec<Atom<'_>>| match painter.paint(symbols, holds) {
        Picture::Grid(grid) => Some(grid),
        _ => None,
    };
    all.iter().map(paint).collect()
}

/// Shown symbols as marks in cells of a grid: the grid, and by show entry whether it is a mark in it.
pub(crate) fn marks(control: &Control, shown: &[bool]) -> Option<(Grid, Vec<bool>)> {
    let (program, symbols) = (control.program(), control.symbols());
    let possible = atoms(control, &vec![true; program.shows.len()]);
    let scene = Scene { facts: facts(program, symbols), possible: possible.clone() };
    let painter = Painter::new(symbols, &scene, &possible, None, true).ok()?;
    let Picture::Grid(grid) = painter.paint(symbols, &atoms(control, shown)) else { return None };
    let is_mark = |show: &Show| {
        let item = cells::item(show.item, program, symbols).filter(|item| !item.negative)?;
        painter.says(symbols, &Atom { name: symbols.str(item.name), args: item.args })
    };
    Some((grid, program.shows.iter().map(|show| is_mark(show).is_some_and(|s| s.marks)).collect()))
}
