//! The picture of an answer set, as lines of text.

use super::{chart, graph, grid};

/// The picture of an answer set.
#[derive(Clone, PartialEq, Debug)]
pub enum Picture {
    Grid(grid::Grid),
    Graph(graph::Graph),
    /// Tables, bars and routes.
    Chart(chart::Chart),
}

impl Picture {
    /// As lines of text; `color` says whether the reader is a terminal with colours.
    pub fn lines(&self, color: bool) -> Vec<String> {
        match self {
            Picture::Grid(grid) => grid::text::lines(grid, color),
            Picture::Graph(graph) => graph::text::lines(graph, color),
            Picture::Chart(chart) => chart::text::lines(chart, color),
        }
    }

    /// Whether the lines without colours contain marks of given values.
    pub fn has_marks(&self) -> bool {
        matches!(self, Picture::Grid(grid) if grid.tells_givens())
    }
}
