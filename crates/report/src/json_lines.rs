//! One JSON object per line: each answer set as it is found, then a summary.
//!
//! Invariant: every line is a complete object; terms are structured, so no reader has to parse logic syntax.

use serde::Serialize;

use super::output::{Output, push_int, put};
use super::reporter::{FoundModel, ModelWriter, Reporter, Style};
use super::summary::{Status, Summary};
use asp_solve::Statistics;

/// Writes JSON lines.
pub(crate) struct JsonLinesReporter {
    models: ModelWriter,
}

impl JsonLinesReporter {
    /// A writer for a style.
    pub(crate) fn new(style: &Style) -> Self {
        Self { models: ModelWriter::new(style) }
    }
}

#[derive(Serialize)]
struct Last<'a> {
    result: &'static str,
    models: u64,
    more: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    costs: Option<&'a [i64]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    optimal: Option<bool>,
    #[serde(skip_serializing_if = "<[i64]>::is_empty")]
    lower: &'a [i64],
    #[serde(skip_serializing_if = "Option::is_none")]
    gap: Option<f64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    close: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<String>,
    calls: u64,
    seconds: f64,
}

fn push_line(found: &FoundModel<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"number\":");
    push_int(out, found.number as i64);
    out.extend_from_slice(b",\"atoms\":[");
    found.table.write(&found.model, out);
    out.push(b']');
    if !found.model.costs.is_empty() {
        out.extend_from_slice(b",\"costs\":[");
        for (i, &cost) in found.model.costs.iter().enumerate() {
            if i > 0 {
                out.push(b',');
            }
            push_int(out, cost);
        }
        out.push(b']');
    }
    if let Some((decided, open)) = found.model.consequences {
        out.extend_from_slice(b",\"decided\":");
        push_int(out, decided as i64);
        out.extend_from_slice(b",\"open\":");
        push_int(out, open as i64);
    }
    out.extend_from_slice(b"}\n");
}

impl Reporter for JsonLinesReporter {
    fn start(&mut self, _: &mut Output, _: &[String]) {}

    fn solving(&mut self, _: &mut Output, _: f64) {}

    fn found(&mut self, out: &mut Output, found: &FoundModel<'_>) {
        self.models.found(out, &found.model, |out| push_line(found, out));
    }

    fn call_end(&mut self, out: &mut Output, _: &Summary) {
        self.models.call_end(out);
    }

    fn finish(&mut self, out: &mut Output, summary: &Summary, _: Option<&Statistics>) {
        self.call_end(out, summary);
        let optimising = summary.optimising && summary.models > 0;
        let last = Last {
            result: match summary.status() {
                Status::Satisfiable => "SATISFIABLE",
                Status::Unsatisfiable => "UNSATISFIABLE",
                Status::Optimum => "OPTIMUM FOUND",
                Status::Unknown => "UNKNOWN",
            },
            models: summary.models,
            more: !summary.is_complete(),
            costs: summary.costs.as_deref().filter(|_| optimising),
            optimal: optimising.then(|| !summary.optimum_open()),
            lower: if summary.bounds().is_some() { &summary.lower } else { &[] },
            gap: summary.gap(),
            close: summary.is_close,
            stopped: summary.stop_word().map(str::to_ascii_lowercase),
            calls: summary.calls,
            seconds: (summary.times.total * 1000.0).round() / 1000.0,
        };
        put!(out, "{}\n", serde_json::to_string(&last).unwrap_or_default());
    }
}
