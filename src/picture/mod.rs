//! Answer sets as pictures: grids in the terminal, SVG and HTML pages, graphs.
//!
//! A [`Painter`] is made once from what is known before the search: facts and the atoms that may be shown. It decides
//! what to draw ([`guess`]), unless the program says so itself ([`vocabulary`]), and then turns each answer set into a
//! [`Picture`].
//!
//! Invariant: a picture is made from atoms alone, and the same atoms give the same bytes.

pub mod canvas;
pub mod colour;
mod drawn;
pub mod graph;
pub mod graph_text;
pub mod grid;
pub mod guess;
pub mod hints;
pub mod html;
pub mod layout;
mod row;
mod scene;
pub mod shape;
pub mod svg;
pub mod svg_element;
pub mod svg_graph;
pub mod svg_grid;
pub mod text;
pub mod vocabulary;

pub use drawn::Picture;
pub use guess::{Painter, Wanted};
pub use row::{side_by_side, width};
pub use scene::{Atom, Scene};
