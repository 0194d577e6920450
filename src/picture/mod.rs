//! Answer sets as pictures: grids in the terminal, SVG and HTML pages, graphs.
//!
//! A [`Painter`] is made once from what is known before the search: facts and the atoms that may be shown. It decides
//! what to draw ([`guess`]), unless the program says so itself ([`vocabulary`]), and then turns each answer set into a
//! [`Picture`].
//!
//! Invariant: a picture is made from atoms alone, and the same atoms give the same bytes.

pub mod canvas;
pub mod colour;
pub mod graph;
pub mod graph_text;
pub mod grid;
pub mod guess;
pub mod hints;
pub mod html;
pub mod layout;
pub mod shape;
pub mod svg;
pub mod svg_graph;
pub mod text;
pub mod vocabulary;

pub use guess::{Painter, Wanted};

use crate::base::symbol::Sym;

/// A ground atom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Atom<'a> {
    /// The predicate's name.
    pub name: &'a str,
    /// Its arguments.
    pub args: &'a [Sym],
}

impl<'a> Atom<'a> {
    /// Name and arity.
    pub fn key(&self) -> (&'a str, usize) {
        (self.name, self.args.len())
    }
}

/// What a painter is made from.
#[derive(Clone, Debug, Default)]
pub struct Scene<'a> {
    /// All facts, shown or not.
    pub facts: Vec<Atom<'a>>,
    /// All atoms that some answer set may show, and those of the `render_...` vocabulary, facts among them.
    pub possible: Vec<Atom<'a>>,
}

/// What is drawn of an answer set.
#[derive(Clone, PartialEq, Debug)]
pub enum Picture {
    /// A grid.
    Grid(grid::Grid),
    /// A graph.
    Graph(graph::Graph),
}

impl Picture {
    /// As lines of text; `color` says whether the reader is a terminal with colours.
    pub fn lines(&self, color: bool) -> Vec<String> {
        match self {
            Picture::Grid(grid) => text::lines(grid, color),
            Picture::Graph(graph) => graph_text::lines(graph, color),
        }
    }

    /// Whether marks of given values occur in the lines without colours.
    pub fn has_marks(&self) -> bool {
        matches!(self, Picture::Grid(grid) if grid.tells_givens())
    }
}

/// Lays pictures in a row, each a list of lines.
pub fn side_by_side(pictures: &[Vec<String>], gap: usize) -> String {
    let height = pictures.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = pictures.iter().map(|lines| width(lines)).collect();
    let mut out = String::new();
    for i in 0..height {
        let mut blanks = 0;
        for (lines, width) in pictures.iter().zip(&widths) {
            let line = lines.get(i).map_or("", String::as_str);
            if !line.is_empty() {
                out.extend(std::iter::repeat_n(' ', std::mem::take(&mut blanks)));
                out.push_str(line);
            }
            blanks += width - visible_width(line) + gap;
        }
        out.push('\n');
    }
    out
}

/// Columns that lines take on a terminal.
pub fn width(lines: &[String]) -> usize {
    lines.iter().map(|line| visible_width(line)).max().unwrap_or(0)
}

/// Columns that a line takes, colours not counted.
fn visible_width(line: &str) -> usize {
    let (mut plain, mut rest) = (String::with_capacity(line.len()), line);
    while let Some(at) = rest.find('\x1b') {
        plain.push_str(&rest[..at]);
        rest = rest[at..].split_once('m').map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    canvas::width(&plain)
}
