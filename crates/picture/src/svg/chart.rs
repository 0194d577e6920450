//! A chart as SVG.
//!
//! Invariant: as for all drawings, equal charts are equal bytes.

use std::fmt::Write as _;

use super::element::{Drawing, escape, line, number, text_width};
use crate::chart::{Bar, Chart, Part};

/// Free space around the chart, and between its parts.
const MARGIN: f64 = 12.0;
/// Height of a row.
const ROW: f64 = 26.0;
/// Width of a character.
const CHARACTER: f64 = 10.0;
/// Width of the bars' axis.
const AXIS: f64 = 480.0;

pub(crate) fn draw(chart: &Chart) -> Drawing {
    let mut drawing = Drawing { body: String::new(), size: (2.0 * MARGIN, MARGIN) };
    for part in &chart.parts {
        let (title, size) = match part {
            Part::Table { title, .. } | Part::Bars { title, .. } | Part::Routes { title, .. } => {
                (title, drawing.size.1)
            }
        };
        left(&mut drawing.body, "title", (MARGIN, size + ROW / 2.0), title);
        let top = size + ROW;
        let (width, height) = match part {
            Part::Table { head, rows, .. } => table(&mut drawing.body, top, head, rows),
            Part::Bars { bars, .. } => draw_bars(&mut drawing.body, top, bars),
            Part::Routes { routes, .. } => {
                let mut widest = 0.0f64;
                for (i, (name, stops)) in routes.iter().enumerate() {
                    let lead = if name.is_empty() { String::new() } else { format!("{name}: ") };
                    let text = format!("{lead}{}", stops.join(" → "));
                    left(&mut drawing.body, "caption", (MARGIN, top + ROW * (i as f64 + 0.5)), &text);
                    widest = widest.max(text_width(&text, CHARACTER));
                }
                (widest, ROW * routes.len() as f64)
            }
        };
        let width = width.max(text_width(title, CHARACTER)) + 2.0 * MARGIN;
        drawing.size = (drawing.size.0.max(width), top + height + MARGIN);
    }
    drawing
}

/// A text that begins at a point.
fn left(out: &mut String, class: &str, (x, y): (f64, f64), content: &str) {
    let (x, y) = (number(x), number(y));
    let text = escape(content);
    let _ = writeln!(
        out,
        "<text class=\"{class}\" style=\"text-anchor:start\" x=\"{x}\" y=\"{y}\">{text}</text>"
    );
}

fn table(out: &mut String, top: f64, head: &[String], rows: &[Vec<String>]) -> (f64, f64) {
    let columns = rows.iter().map(Vec::len).chain([head.len()]).max().unwrap_or(0);
    let mut widths = vec![2.0 * CHARACTER; columns];
    for row in rows.iter().map(Vec::as_slice).chain([head]) {
        for (text, width) in row.iter().zip(&mut widths) {
            *width = width.max(text_width(text, CHARACTER) + CHARACTER);
        }
    }
    let total: f64 = widths.iter().sum();
    let mut y = top;
    let lines = std::iter::once(head).filter(|h| !h.is_empty()).chain(rows.iter().map(Vec::as_slice));
    for (i, row) in lines.enumerate() {
        let class = if i == 0 && !head.is_empty() { "given" } else { "caption" };
        line(out, "thin", (MARGIN, y), (MARGIN + total, y));
        let mut x = MARGIN;
        for (text, width) in row.iter().zip(&widths) {
            left(out, class, (x + CHARACTER / 2.0, y + ROW / 2.0), text);
            x += width;
        }
        y += ROW;
    }
    line(out, "thin", (MARGIN, y), (MARGIN + total, y));
    let mut x = MARGIN;
    for width in widths.iter().chain([&0.0]).filter(|_| columns > 0) {
        line(out, "thin", (x, top), (x, y));
        x += width;
    }
    (total, y - top)
}

fn draw_bars(out: &mut String, top: f64, bars: &[Bar]) -> (f64, f64) {
    let from = bars.iter().map(|b| b.start).min().unwrap_or(0);
    let to = bars.iter().map(|b| b.end).max().unwrap_or(0);
    let range = (to as f64 - from as f64).max(1.0);
    let labels = bars.iter().map(|b| text_width(&b.label, CHARACTER)).fold(0.0, f64::max) + CHARACTER;
    let start = MARGIN + labels;
    let at = |x: i64| start + AXIS * (x as f64 - from as f64) / range;
    for (i, bar) in bars.iter().enumerate() {
        let y = top + ROW * i as f64;
        left(out, "caption", (MARGIN, y + ROW / 2.0), &bar.label);
        let (x, width) = (at(bar.start), (at(bar.end) - at(bar.start)).max(1.0));
        let _ = writeln!(
            out,
            "<rect class=\"shade\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
            number(x),
            number(y + 4.0),
            number(width),
            number(ROW - 8.0)
        );
        let span = format!("{}-{}", bar.start, bar.end);
        left(out, "weight", (start + AXIS + CHARACTER, y + ROW / 2.0), &span);
    }
    let end = top + ROW * bars.len() as f64;
    line(out, "thin", (start, end), (start + AXIS, end));
    left(out, "weight", (start, end + ROW / 2.0), &from.to_string());
    left(out, "weight", (start + AXIS - CHARACTER, end + ROW / 2.0), &to.to_string());
    let spans = bars.iter().map(|b| format!("{}-{}", b.start, b.end).len()).max().unwrap_or(0);
    (labels + AXIS + (spans + 2) as f64 * CHARACTER, end + ROW - top)
}
