//! Pictures of answer sets that are given by their atoms.

use crate::base::symbol::{Sym, Symbols};
use crate::picture::{Atom, Painter, Picture, Scene, svg};

/// A name and arguments.
pub type Named = (String, Vec<Sym>);

/// What pictures of a program's answer sets are made from.
pub struct Portrait<'s> {
    /// The terms.
    pub symbols: &'s Symbols,
    /// All facts.
    pub facts: &'s [Named],
    /// What answer sets may show.
    pub possible: &'s [Named],
    /// What one of them shows.
    pub holds: &'s [Named],
    /// Whether that is what several answer sets show.
    pub several: bool,
}

fn atoms(named: &[Named]) -> Vec<Atom<'_>> {
    named.iter().map(|(name, args)| Atom { name, args }).collect()
}

impl Portrait<'_> {
    fn paint(&self) -> Result<Picture, String> {
        let scene = Scene { facts: atoms(self.facts), possible: atoms(self.possible) };
        let holds = atoms(self.holds);
        let painter = Painter::new(self.symbols, &scene, &holds, None, self.several)?;
        match painter.paint(self.symbols, &holds) {
            // Whoever asks has the atoms, too.
            Picture::Chart(_) => Err("nothing to draw: there is neither a grid nor a graph".into()),
            picture => Ok(picture),
        }
    }

    /// As an SVG file, or why there is nothing to draw.
    pub fn svg(&self) -> Result<String, String> {
        Ok(svg::file(&[(String::new(), svg::draw(&self.paint()?))]))
    }

    /// As lines of text.
    pub fn text(&self) -> Result<String, String> {
        let lines = self.paint()?.lines(false);
        Ok(lines.iter().map(|line| format!("{}\n", line.trim_end())).collect())
    }
}
