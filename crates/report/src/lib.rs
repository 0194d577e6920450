//! Results to bytes: answer sets, summaries and statistics in clingo's text, JSON and competition formats, one JSON
//! line per model, a table, and messages about the input.
//!
//! Invariant: a reporter only writes to the [`Output`] that it is given; it decides nothing about the
//! run. Every format is well-formed whenever [`Reporter::finish`] is called.

#![warn(missing_docs)]

pub mod answer_set;
mod assignment;
pub(crate) mod csv;
pub mod diagnostic;
mod fields;
pub mod journal;
pub mod json;
pub mod json_lines;
pub mod mask;
pub mod output;
pub mod progress;
pub mod reporter;
pub mod statistics;
pub mod summary;
pub mod text;

pub use reporter::{Format, FoundModel, Level, PROGRAM, Quiet, Reporter, Style};

use asp_solve::Statistics;
use output::Output;
use summary::Summary;

/// The writer for a style.
pub fn reporter(style: &Style) -> Box<dyn Reporter> {
    match style.format {
        Format::Text | Format::Competition | Format::Sat | Format::PseudoBoolean => {
            Box::new(text::TextReporter::new(style))
        }
        Format::Json => Box::new(json::JsonReporter::new(style)),
        Format::JsonLines => Box::new(json_lines::JsonLinesReporter::new(style)),
        Format::Csv => Box::new(csv::CsvReporter::new(style)),
        Format::Nothing => Box::new(Silent),
    }
}

/// Prints nothing.
struct Silent;

impl Reporter for Silent {
    fn start(&mut self, _: &mut Output, _: &[String]) {}
    fn solving(&mut self, _: &mut Output, _: f64) {}
    fn found(&mut self, _: &mut Output, _: &FoundModel<'_>) {}
    fn call_end(&mut self, _: &mut Output, _: &Summary) {}
    fn finish(&mut self, _: &mut Output, _: &Summary, _: Option<&Statistics>) {}
}
