//! Pictures side by side.
//!
//! Invariant: colour codes take up no columns.

use super::canvas;

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

/// Columns that a line takes on a terminal, not counting colour codes.
fn visible_width(line: &str) -> usize {
    let (mut plain, mut rest) = (String::with_capacity(line.len()), line);
    while let Some(at) = rest.find('\x1b') {
        plain.push_str(&rest[..at]);
        rest = rest[at..].split_once('m').map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    canvas::width(&plain)
}
