//! A chart as lines of text.
//!
//! Invariant: rows are as wide as their table.

use super::{Bar, Chart, Part};
use crate::canvas::width;

const MAX_BAR: i64 = 60;
/// The widest line of a route.
const LINE: usize = 72;

/// The lines of a chart; `color` says whether the reader is a terminal with colours.
pub(crate) fn lines(chart: &Chart, color: bool) -> Vec<String> {
    let mut out = Vec::new();
    for part in &chart.parts {
        if !out.is_empty() {
            out.push(String::new());
        }
        let title = |text: &String| if color { format!("\x1b[1m{text}\x1b[0m") } else { text.clone() };
        match part {
            Part::Table { title: text, head, rows } => {
                out.push(title(text));
                table(head, rows, &mut out);
            }
            Part::Bars { title: text, bars } => {
                out.push(title(text));
                draw(bars, &mut out);
            }
            Part::Routes { title: text, routes } => {
                out.push(title(text));
                for (name, stops) in routes {
                    route(name, stops, &mut out);
                }
            }
        }
    }
    out
}

fn pad(text: &str, to: usize) -> String {
    format!("{text}{}", " ".repeat(to.saturating_sub(width(text))))
}

fn table(head: &[String], rows: &[Vec<String>], out: &mut Vec<String>) {
    let columns = rows.iter().map(Vec::len).chain([head.len()]).max().unwrap_or(0);
    if columns == 0 {
        return;
    }
    let all = rows.iter().map(Vec::as_slice).chain([head]);
    let mut widths = vec![0; columns];
    for row in all {
        row.iter().zip(&mut widths).for_each(|(text, w)| *w = width(text).max(*w));
    }
    let rule = |left: char, middle: &str, right: char| {
        let parts: Vec<String> = widths.iter().map(|w| "─".repeat(w + 2)).collect();
        format!("{left}{}{right}", parts.join(middle))
    };
    let line = |row: &[String]| {
        let cells = (0..columns).map(|i| pad(row.get(i).map_or("", String::as_str), widths[i]));
        format!("│ {} │", cells.collect::<Vec<_>>().join(" │ "))
    };
    out.push(rule('┌', "┬", '┐'));
    if !head.is_empty() {
        out.push(line(head));
        out.push(rule('├', "┼", '┤'));
    }
    out.extend(rows.iter().map(|row| line(row)));
    out.push(rule('└', "┴", '┘'));
}

fn draw(bars: &[Bar], out: &mut Vec<String>) {
    let (Some(from), Some(to)) = (bars.iter().map(|b| b.start).min(), bars.iter().map(|b| b.end).max())
    else {
        return;
    };
    let (from, range) = (i128::from(from), (i128::from(to) - i128::from(from)).max(1));
    let unit = (range + i128::from(MAX_BAR) - 1) / i128::from(MAX_BAR);
    let columns = ((range + unit - 1) / unit) as usize;
    let labels = bars.iter().map(|b| width(&b.label)).max().unwrap_or(0);
    for bar in bars {
        let start = ((i128::from(bar.start) - from) / unit) as usize;
        let end = ((i128::from(bar.end) - from + unit - 1) / unit) as usize;
        let (start, end) = (start.min(columns), end.min(columns));
        let line = format!("{}{}", " ".repeat(start), "█".repeat(end - start));
        out.push(format!("{} │{}│ {}-{}", pad(&bar.label, labels), pad(&line, columns), bar.start, bar.end));
    }
}

fn route(name: &str, stops: &[String], out: &mut Vec<String>) {
    let lead = if name.is_empty() { String::new() } else { format!("{name}: ") };
    let blank = " ".repeat(width(&lead));
    let mut line = lead;
    for (i, stop) in stops.iter().enumerate() {
        let text = if i == 0 { stop.clone() } else { format!(" -> {stop}") };
        if i > 0 && width(&line) + width(&text) > LINE {
            out.push(std::mem::replace(&mut line, blank.clone()));
        }
        line.push_str(&text);
    }
    out.push(line);
}
