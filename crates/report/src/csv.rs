//! Answer sets as one table: a record for each atom, with the number of its answer set, its name and its arguments.
//!
//! Invariant: the output is always a table with a heading; the exit code tells how the run ended.

use super::output::{Output, push_int};
use super::reporter::{FoundModel, ModelWriter, Reporter, Style};
use super::summary::Summary;
use asp_solve::Statistics;

/// Writes a table.
pub(crate) struct CsvReporter {
    models: ModelWriter,
    has_heading: bool,
}

impl CsvReporter {
    /// A writer for a style.
    pub(crate) fn new(style: &Style) -> Self {
        Self { models: ModelWriter::new(style), has_heading: false }
    }

    fn heading(&mut self, arguments: usize, out: &mut Output) {
        if std::mem::replace(&mut self.has_heading, true) {
            return;
        }
        out.push("answer,predicate");
        for i in 1..=arguments {
            out.push(&format!(",{i}"));
        }
        out.push("\n");
    }
}

/// The records of an answer set, each after its number.
fn push_records(found: &FoundModel<'_>, out: &mut Vec<u8>) {
    let mut records = Vec::new();
    if !found.table.write(&found.model, &mut records) {
        return;
    }
    // A line ends a record unless it is inside of quotes.
    let (mut quoted, mut begins) = (false, true);
    for byte in records {
        if begins {
            push_int(out, found.number as i64);
            out.push(b',');
        }
        quoted ^= byte == b'"';
        begins = byte == b'\n' && !quoted;
        out.push(byte);
    }
    out.push(b'\n');
}

impl Reporter for CsvReporter {
    fn start(&mut self, _: &mut Output, _: &[String]) {}

    fn solving(&mut self, _: &mut Output, _: f64) {}

    fn found(&mut self, out: &mut Output, found: &FoundModel<'_>) {
        self.heading(found.table.arguments(), out);
        self.models.found(out, &found.model, |out| push_records(found, out));
    }

    fn call_end(&mut self, out: &mut Output, _: &Summary) {
        self.models.call_end(out);
    }

    fn finish(&mut self, out: &mut Output, summary: &Summary, _: Option<&Statistics>) {
        self.call_end(out, summary);
        self.heading(0, out);
    }
}
