//! Answer sets as pictures: grids in the terminal, SVG and HTML pages, graphs, tables and bars.
//!
//! A [`Painter`] is made once from what is known before the search: facts and the atoms that may be shown. It decides
//! what to draw ([`guess`]), unless the program says so itself ([`vocabulary`]), and then turns each answer set into a
//! [`Picture`].
//!
//! Invariant: a picture is made from atoms alone, and the same atoms give the same bytes.

pub(crate) mod canvas;
mod chart;
mod chart_text;
pub(crate) mod colour;
mod drawn;
mod facts;
pub(crate) mod graph;
pub(crate) mod graph_text;
pub mod grid;
mod grid_painter;
pub(crate) mod guess;
pub mod html;
pub(crate) mod layout;
mod plan;
mod row;
mod scene;
pub(crate) mod shape;
pub mod svg;
pub mod svg_bounds;
mod svg_chart;
pub(crate) mod svg_element;
pub(crate) mod svg_graph;
pub(crate) mod svg_grid;
pub mod text;
pub mod vocabulary;

pub use drawn::Picture;
pub use grid_painter::Saying;
pub use guess::{Painter, Wanted};
pub use plan::Plan;
pub use row::{side_by_side, width};
pub use scene::{Atom, Scene};
