//! Answer sets as pictures: grids in the terminal, SVG and HTML pages, graphs, tables and bars.
//!
//! A [`Painter`] is made once from what is known before the search: facts and the atoms that may be shown. It decides
//! what to draw ([`guess`]), unless the program says so itself ([`vocabulary`]), and then turns each answer set into a
//! [`Picture`].
//!
//! Invariant: a picture is made from atoms alone, and the same atoms give the same bytes.

pub(crate) mod canvas;
mod chart;
pub(crate) mod colour;
mod drawn;
mod facts;
pub(crate) mod graph;
pub mod grid;
pub(crate) mod guess;
pub mod html;
mod plan;
mod row;
mod scene;
pub(crate) mod shape;
pub mod svg;
pub mod vocabulary;

pub use drawn::Picture;
pub use grid::painter::Saying;
pub use guess::{Painter, Wanted};
pub use plan::Plan;
pub use row::{side_by_side, width};
pub use scene::{Atom, Scene};
