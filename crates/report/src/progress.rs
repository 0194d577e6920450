//! The status line: what a long run is doing, on one line of a terminal that disappears at the end.
//!
//! Invariant: the line is drawn only after [`DELAY`], and [`wipe`] removes it without a trace.

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::Duration;

use crate::summary::gap;

/// Runs shorter than this show nothing.
pub const DELAY: Duration = Duration::from_secs(1);
/// Time between two drawings.
pub const PERIOD: Duration = Duration::from_millis(200);

/// The state of a run in progress.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// `Reading`, `Grounding`, `Preprocessing`, `Solving`.
    pub phase: &'static str,
    /// Ground instances so far.
    pub instances: u64,
    /// Conflicts so far.
    pub conflicts: u64,
    /// Models so far.
    pub models: u64,
    /// Costs of the best model.
    pub costs: Option<Vec<i64>>,
    /// Lower bounds: proven ones, and those that follow from the weights alone.
    pub lower: Vec<i64>,
}

impl Progress {
    /// The line, at most `width` characters.
    pub fn line(&self, elapsed: Duration, rate: f64, width: usize) -> String {
        let mut line = format!("{} {:.1}s", self.phase, elapsed.as_secs_f64());
        // Writing to a string cannot fail.
        if self.instances > 0 && self.conflicts == 0 && self.models == 0 {
            let _ = write!(line, " · {} instances", scaled(self.instances as f64));
        }
        if self.conflicts > 0 {
            let _ = write!(line, " · {} conflicts ({}/s)", scaled(self.conflicts as f64), scaled(rate));
        }
        if self.models > 0 {
            let _ = write!(line, " · {} model{}", self.models, if self.models > 1 { "s" } else { "" });
        }
        if let Some(costs) = &self.costs {
            let _ = write!(line, " · best");
            for cost in costs {
                let _ = write!(line, " {cost}");
            }
            // The level being optimised is the first one with a gap.
            let mut levels = self.lower.iter().zip(costs);
            if let Some((&low, &high)) = levels.find(|(low, high)| low != high) {
                let _ = write!(line, " in [{low};{high}]");
                if let Some(gap) = gap(self.lower.iter(), costs) {
                    let _ = write!(line, ", gap {gap:.1}%");
                }
            }
        }
        line.chars().take(width).collect()
    }
}

/// A number with a unit, about three digits.
fn scaled(n: f64) -> String {
    match n {
        n if n >= 1e9 => format!("{:.1}G", n / 1e9),
        n if n >= 1e6 => format!("{:.1}M", n / 1e6),
        n if n >= 1e4 => format!("{:.0}k", n / 1e3),
        n => format!("{n:.0}"),
    }
}

/// Draws or redraws the line on standard error.
pub fn draw(line: &str) {
    let _ = write!(std::io::stderr(), "\r\x1b[K{line}");
}

/// Removes the line.
pub fn wipe() {
    let _ = write!(std::io::stderr(), "\r\x1b[K");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_is_known() {
        let mut p = Progress { phase: "Grounding", instances: 1_234_567, ..Progress::default() };
        assert_eq!(p.line(Duration::from_millis(1250), 0.0, 80), "Grounding 1.2s · 1.2M instances");
        p = Progress {
            phase: "Solving",
            conflicts: 52_000,
            models: 3,
            costs: Some(vec![0, 20]),
            lower: vec![0, 15],
            ..Progress::default()
        };
        assert_eq!(
            p.line(Duration::from_secs(2), 26_000.0, 100),
            "Solving 2.0s · 52k conflicts (26k/s) · 3 models · best 0 20 in [15;20], gap 25.0%"
        );
        assert_eq!(p.line(Duration::from_secs(2), 0.0, 7), "Solving");
    }
}
