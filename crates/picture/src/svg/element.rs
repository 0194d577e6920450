//! Elements of SVG: lines and texts.
//!
//! Invariant: every text is escaped and coordinates have at most one decimal, so equal pictures are equal bytes.

use std::fmt::Write as _;

use crate::canvas::width;

/// A picture without its `<svg>` element, and its size.
#[derive(Clone, PartialEq, Debug)]
pub struct Drawing {
    pub body: String,
    /// Width and height.
    pub size: (f64, f64),
}

/// A text in XML; characters that XML does not allow are replaced.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() && !matches!(c, '\n' | '\t') => out.push('\u{fffd}'),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// A coordinate with at most one decimal.
pub(crate) fn number(x: f64) -> String {
    let tenths = (x * 10.0).round() as i64;
    match tenths % 10 {
        0 => (tenths / 10).to_string(),
        rest => format!("{}{}.{}", if tenths < 0 { "-" } else { "" }, (tenths / 10).abs(), rest.abs()),
    }
}

/// The approximate width of a text.
pub(crate) fn text_width(text: &str, character: f64) -> f64 {
    width(text) as f64 * character
}

pub(crate) fn line(out: &mut String, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
    let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(number);
    let _ = writeln!(out, "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>");
}

/// A text centred at a point.
pub(crate) fn text(out: &mut String, class: &str, (x, y): (f64, f64), content: &str, size: Option<f64>) {
    let size = size.map_or(String::new(), |s| format!(" style=\"font-size:{}px\"", number(s)));
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    let (x, y) = (number(x), number(y));
    let _ = writeln!(out, "<text{class} x=\"{x}\" y=\"{y}\"{size}>{}</text>", escape(content));
}
