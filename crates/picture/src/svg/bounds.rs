//! The two bounds of an optimisation over time, as SVG: the best cost falls, the proven lower bound rises until they meet.
//!
//! Invariant: equal histories are equal bytes. Both are step functions: a value holds until the next one.

use std::fmt::Write as _;

use super::element::{Drawing, escape, line, number, text_width};

const MARGIN: f64 = 16.0;
/// Size of the area between the axes.
const AREA: (f64, f64) = (520.0, 220.0);
/// Width of a character of a label.
const CHARACTER: f64 = 6.5;
/// Height of the row above the area, and of the one below.
const ROW: f64 = 22.0;

/// A value and the seconds at which it was found.
pub type Step = (f64, i64);

/// The bounds on the costs of one level, over time.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Bounds {
    /// The costs of the best answer set.
    pub best: Vec<Step>,
    /// Proven lower bounds.
    pub lower: Vec<Step>,
    /// Seconds at the end.
    pub end: f64,
}

impl Bounds {
    /// Notes a value of a line, unless it is the one before.
    pub fn note(steps: &mut Vec<Step>, seconds: f64, value: i64) {
        if steps.last().is_none_or(|last| last.1 != value) {
            steps.push((seconds, value));
        }
    }
    /// Whether there is anything to be seen.
    pub fn is_empty(&self) -> bool {
        self.best.len() + self.lower.len() < 2
    }
}

pub fn draw(bounds: &Bounds) -> Drawing {
    let values = || bounds.best.iter().chain(&bounds.lower).map(|step| step.1);
    let (low, high) = (values().min().unwrap_or(0), values().max().unwrap_or(0));
    let label = low.to_string().len().max(high.to_string().len()) as f64 * CHARACTER + 8.0;
    let origin = (MARGIN + label, MARGIN + ROW);
    let end = if bounds.end > 0.0 { bounds.end } else { 1.0 };
    let span = (i128::from(high) - i128::from(low)).max(1) as f64;
    let place = |(seconds, value): Step| {
        let part = (i128::from(high) - i128::from(value)) as f64 / span;
        (origin.0 + AREA.0 * (seconds / end).clamp(0.0, 1.0), origin.1 + AREA.1 * part)
    };
    let (right, bottom) = (origin.0 + AREA.0, origin.1 + AREA.1);
    let mut body = String::new();
    line(&mut body, "thin", (origin.0, origin.1), (right, origin.1));
    line(&mut body, "edge", (origin.0, bottom), (right, bottom));
    line(&mut body, "edge", origin, (origin.0, bottom));
    for (class, steps) in [("edge", &bounds.lower), ("loop", &bounds.best)] {
        let Some(&first) = steps.first() else { continue };
        let (x, y) = place(first);
        let mut path = format!("M{} {}", number(x), number(y));
        for &step in &steps[1..] {
            let (x, y) = place(step);
            let _ = write!(path, "H{}V{}", number(x), number(y));
        }
        let _ = writeln!(body, "<path class=\"{class}\" d=\"{path}H{}\"/>", number(right));
    }
    let last = |steps: &[Step]| steps.last().map_or("-".to_string(), |step| step.1.to_string());
    let caption = format!("best {}, at least {}", last(&bounds.best), last(&bounds.lower));
    label_at(&mut body, (origin.0, MARGIN + ROW / 2.0 - 4.0), "start", &caption);
    label_at(&mut body, (origin.0 - 6.0, origin.1), "end", &high.to_string());
    if low < high {
        label_at(&mut body, (origin.0 - 6.0, bottom), "end", &low.to_string());
    }
    label_at(&mut body, (origin.0, bottom + ROW / 2.0), "start", "0 s");
    label_at(&mut body, (right, bottom + ROW / 2.0), "end", &format!("{:.2} s", bounds.end));
    let width = (right + MARGIN).max(origin.0 + text_width(&caption, CHARACTER) + MARGIN);
    Drawing { body, size: (width, bottom + ROW + MARGIN) }
}

fn label_at(out: &mut String, (x, y): (f64, f64), anchor: &str, content: &str) {
    let (x, y) = (number(x), number(y));
    let style = format!("font-size:11px;text-anchor:{anchor}");
    let _ = writeln!(
        out,
        "<text class=\"clue\" style=\"{style}\" x=\"{x}\" y=\"{y}\">{}</text>",
        escape(content)
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_steps_that_meet() {
        let mut bounds = Bounds { end: 2.0, ..Bounds::default() };
        for (seconds, value) in [(0.0, 10), (0.5, 10), (1.0, 4)] {
            Bounds::note(&mut bounds.best, seconds, value);
        }
        Bounds::note(&mut bounds.lower, 0.0, 0);
        Bounds::note(&mut bounds.lower, 2.0, 4);
        assert_eq!(bounds.best, [(0.0, 10), (1.0, 4)]);
        let drawing = draw(&bounds);
        // From 10 at the top to 4, and from 0 at the bottom to 4, at the right end.
        assert!(drawing.body.contains("<path class=\"loop\" d=\"M37 38H297V170H557\"/>"), "{}", drawing.body);
        assert!(
            drawing.body.contains("<path class=\"edge\" d=\"M37 258H557V170H557\"/>"),
            "{}",
            drawing.body
        );
        assert!(drawing.body.contains("best 4, at least 4") && drawing.body.contains("2.00 s"));
    }

    #[test]
    fn extreme_costs_have_a_place() {
        let bounds = Bounds { best: vec![(0.0, i64::MAX)], lower: vec![(0.0, i64::MIN)], end: 0.0 };
        assert!(!bounds.is_empty() && draw(&bounds).body.contains("9223372036854775807"));
    }
}
