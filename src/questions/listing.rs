//! Answer sets that are given by show entry, as texts and as grids.

use super::atoms::facts;
use crate::base::map::Set;
use crate::control::Control;
use crate::explain::{cells, things};
use crate::picture::grid::Grid;
use crate::picture::{Atom, Painter, Picture, Scene};
use crate::program::ground_program::Show;
use crate::program::integers::ByEntry;

/// The texts of what a program shows.
pub(crate) struct Printer {
    /// By show entry; none for a digit of a value.
    texts: Vec<(usize, Option<String>)>,
    values: ByEntry,
}

impl Printer {
    /// A printer for what a ground program shows.
    pub(crate) fn new(control: &Control) -> Self {
        let (program, symbols) = (control.program(), control.symbols());
        let text = |(i, s): (usize, &Show)| {
            (!program.integers.is_digit(i)).then(|| cells::text(s.item, program, symbols))
        };
        let texts = program.shows.iter().enumerate().map(text);
        Self {
            texts: things::of(program).into_iter().zip(texts).collect(),
            values: ByEntry::new(program, symbols),
        }
    }

    /// The text of an answer set; a term that is shown for several reasons appears once.
    pub(crate) fn text(&self, shown: &[bool]) -> String {
        let mut seen: Set<usize> = Set::default();
        let holding = self.texts.iter().zip(shown).filter(|&((thing, _), &s)| s && seen.insert(*thing));
        let mut texts: Vec<String> = holding.filter_map(|((_, text), _)| text.clone()).collect();
        texts.extend(self.values.texts(shown));
        texts.join(" ")
    }
}

/// The atoms that are shown, by show entry.
pub(super) fn atoms<'a>(control: &'a Control, shown: &[bool]) -> Vec<Atom<'a>> {
    let (program, symbols) = (control.program(), control.symbols());
    let entries = program.shows.iter().enumerate().zip(shown);
    let entries = entries.filter(|((entry, _), s)| **s && !program.integers.is_digit(*entry));
    let items = entries.filter_map(|((_, show), _)| cells::item(show.item, program, symbols));
    items.filter(|i| !i.negative).map(|i| Atom { name: symbols.str(i.name), args: i.args }).collect()
}

/// Answer sets, given by show entry, as grids; `None` if they show no grid. `several` allows several values in a cell.
pub(crate) fn grids(control: &Control, sets: &[&[bool]], several: bool) -> Option<Vec<Grid>> {
    let (program, symbols) = (control.program(), control.symbols());
    let possible = atoms(control, &vec![true; program.shows.len()]);
    let scene = Scene { facts: facts(program, symbols), possible };
    let first = atoms(control, sets.first()?);
    let painter = Painter::new(symbols, &scene, &first, None, several).ok()?;
    let paint = |set: &&[bool]| match painter.paint(symbols, &atoms(control, set)) {
        Picture::Grid(grid) => Some(grid),
        Picture::Graph(_) | Picture::Chart(_) => None,
    };
    sets.iter().map(paint).collect()
}
