//! Answer sets as pictures: grids in the terminal, SVG and HTML pages.
//!
//! Invariant: a picture is made from the shown terms alone, and the same terms give the same bytes.
