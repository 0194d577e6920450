//! Pictures as SVG: text and lines only, readable on light and dark pages.
//!
//! Invariant: all pictures share one style sheet.

pub mod bounds;
mod chart;
pub(crate) mod element;
mod graph;
mod grid;

use std::fmt::Write as _;

use crate::drawn::Picture;
use element::{Drawing, escape, number, text_width};

/// Free space around a picture.
const MARGIN: f64 = 12.0;
/// Height of a line of text outside the grid.
const LINE: f64 = 20.0;

/// The style sheet of all pictures.
pub(crate) const STYLE: &str = "\
.page{fill:#ffffff}.cell{fill:#ffffff}.wall{fill:#30343a}.shade{fill:#5b6470}\
text{font-family:'DejaVu Sans','Segoe UI',Helvetica,Arial,sans-serif;font-size:17px;fill:#1d2126;\
text-anchor:middle;dominant-baseline:central}\
.given{font-weight:700}.found{fill:#1257a8}.light{fill:#ffffff}.dark{fill:#1d2126}.clue{font-size:15px;fill:#59616b}\
.label{font-size:10px;text-anchor:start;fill:#59616b}.sign{font-size:15px;font-weight:700}\
.title,.caption{font-size:14px;text-anchor:start}.title{font-weight:700}.weight{font-size:11px;fill:#59616b}\
line,path,circle{fill:none;stroke-linecap:round}\
.thin{stroke:#c3c8ce;stroke-width:1}.cage{stroke:#59616b;stroke-width:1.6}.block{stroke:#1d2126;stroke-width:2.6}\
.frame{stroke:#1d2126;stroke-width:2.6}.loop{stroke:#1257a8;stroke-width:4}.link{stroke:#1257a8;stroke-width:3}\
.tour{stroke:#9ec1e6;stroke-width:2}.dot{fill:#8a929c}\
.edge{stroke:#8a929c;stroke-width:1.4}.faded{stroke:#d9dce0;stroke-width:1}.chosen{stroke:#1257a8;stroke-width:3}\
.node{fill:#ffffff;stroke:#1d2126;stroke-width:1.6}.picked{stroke:#1257a8;stroke-width:4}\
.head{fill:#1257a8}.plainhead{fill:#8a929c}.halo{fill:#ffffff}\
@media(prefers-color-scheme:dark){\
.page{fill:#16181c}.cell,.node,.halo{fill:#22262c}.wall{fill:#000000}.shade{fill:#5d6979}\
text{fill:#e8eaed}.found{fill:#8fc0ff}.light{fill:#ffffff}.dark{fill:#1d2126}.clue,.label,.weight{fill:#a8b0ba}\
.thin{stroke:#444b55}.cage{stroke:#a8b0ba}.block,.frame{stroke:#e8eaed}.node{stroke:#e8eaed}\
.loop,.link,.chosen,.picked{stroke:#8fc0ff}.tour{stroke:#3d6494}.head{fill:#8fc0ff}\
.edge{stroke:#7d8590}.faded{stroke:#3a4048}}";

pub fn draw(picture: &Picture) -> Drawing {
    match picture {
        Picture::Grid(grid) => grid::draw(grid),
        Picture::Graph(graph) => graph::draw(graph),
        Picture::Chart(chart) => chart::draw(chart),
    }
}

/// One picture as a complete SVG element, for a page that has the style sheet.
pub(crate) fn element(drawing: &Drawing, about: &str) -> String {
    let (w, h) = (number(drawing.size.0), number(drawing.size.1));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" role=\"img\" \
         aria-label=\"{}\">\n{}</svg>\n",
        escape(about),
        drawing.body
    )
}

/// A file with pictures in rows, each with a caption.
pub fn file(pictures: &[(String, Drawing)]) -> String {
    const WIDEST: f64 = 1200.0;
    let (mut x, mut y, mut row_height, mut widest) = (0.0, 0.0, 0.0f64, 0.0f64);
    let mut body = String::new();
    let captions = pictures.len() > 1;
    let extra = if captions { LINE + 8.0 } else { 0.0 };
    for (caption, drawing) in pictures {
        let w = drawing.size.0.max(if captions { text_width(caption, 8.0) + 2.0 * MARGIN } else { 0.0 });
        if x > 0.0 && x + w > WIDEST {
            (x, y, row_height) = (0.0, y + row_height, 0.0);
        }
        let _ = writeln!(body, "<g transform=\"translate({} {})\">", number(x), number(y + extra));
        if captions {
            let _ =
                writeln!(body, "<text class=\"caption\" x=\"{MARGIN}\" y=\"-8\">{}</text>", escape(caption));
        }
        body.push_str(&drawing.body);
        body.push_str("</g>\n");
        x += w;
        widest = widest.max(x);
        row_height = row_height.max(drawing.size.1 + extra);
    }
    let (w, h) = (number(widest), number(y + row_height));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\">\n\
         <style>{STYLE}</style>\n<rect class=\"page\" width=\"{w}\" height=\"{h}\"/>\n{body}</svg>\n"
    )
}
