//! clingo's JSON output: one object, with the same keys in the same order.
//!
//! Invariant: [`Reporter::finish`] closes what is open, so the result is valid whenever that is called. Witnesses are
//! written as they are found; the summary goes through `serde_json` with a formatter that lays it out as clingo does
//! (arrays of numbers on one line, seconds with three decimals).

use std::io;

use serde::Serialize as _;
use serde_json::{Map, Value, json};

use super::answer_set::push_json_string;
use super::output::{Output, push_int, push_seconds, put};
use super::reporter::{FoundModel, Kept, Level, Quiet, Reporter, Style};
use super::statistics;
use super::summary::{Consequences, CubeNote, Status, Summary};
use asp_solve::Statistics;

/// Writes one JSON object.
pub(crate) struct JsonReporter {
    program: String,
    quiet: Quiet,
    verbosity: u8,
    stats: u8,
    kept: Option<Kept>,
    /// Whether `"Call"` has an open object, and whether that has open witnesses.
    call_open: bool,
    witnesses_open: bool,
    /// Whether the object of the last call has not been closed.
    unclosed: bool,
    /// The result of the last call, if it is to be reported.
    last_call: Option<Summary>,
    calls: u64,
    started: bool,
}

impl JsonReporter {
    /// A writer for a style.
    pub(crate) fn new(style: &Style) -> Self {
        Self {
            program: style.program.clone(),
            quiet: style.quiet,
            verbosity: style.verbosity,
            stats: style.stats,
            kept: None,
            call_open: false,
            witnesses_open: false,
            unclosed: false,
            last_call: None,
            calls: 0,
            started: false,
        }
    }

    fn open_call(&mut self, out: &mut Output, seconds: f64) {
        if !self.call_open {
            self.end_object(out);
            out.push(if self.calls > 0 { ",\n    {\n" } else { "    {\n" });
            put!(out, "      \"Start\": {seconds:.3}");
            self.call_open = true;
            self.calls += 1;
        }
    }

    fn open_witness(&mut self, out: &mut Output, seconds: f64) {
        out.push(if self.witnesses_open {
            ",\n        {\n"
        } else {
            ",\n      \"Witnesses\": [\n        {\n"
        });
        self.witnesses_open = true;
        out.push("          \"Time\": ");
        push_seconds(out.buffer(), seconds);
    }

    fn value(out: &mut Output, write: impl FnOnce(&mut Vec<u8>)) {
        out.push(",\n          \"Value\": [\n            ");
        write(out.buffer());
        out.push("\n          ]");
    }

    fn costs(out: &mut Output, estimate: Option<(u64, u64)>, costs: &[i64]) {
        if let Some((decided, open)) = estimate {
            out.push(",\n          \"Consequences\": {\n            \"True\": ");
            put!(out, "{decided},\n            \"Open\": {open}\n          }}");
        }
        if !costs.is_empty() {
            Self::numbers(out, "Costs", costs);
        }
    }

    fn numbers(out: &mut Output, key: &str, numbers: &[i64]) {
        put!(out, ",\n          \"{key}\": [\n            ");
        for (i, &n) in numbers.iter().enumerate() {
            if i > 0 {
                out.push(", ");
            }
            push_int(out.buffer(), n);
        }
        out.push("\n          ]");
    }

    fn flush_kept(&mut self, out: &mut Output, summary: &Summary) {
        let Some(kept) = self.kept.take() else { return };
        self.open_witness(out, kept.seconds);
        if self.quiet.models != Level::Nothing {
            Self::value(out, |b| b.extend_from_slice(&kept.atoms));
        }
        if self.quiet.costs != Level::Nothing {
            Self::costs(out, kept.estimate.and(summary.estimate), &kept.costs);
        }
        out.push("\n        }");
    }

    fn close_call(&mut self, out: &mut Output, summary: &Summary, detailed: bool) {
        if !self.call_open {
            return;
        }
        self.flush_kept(out, summary);
        if self.witnesses_open {
            out.push("\n      ]");
        }
        if detailed {
            Self::details(out, summary);
        }
        put!(out, ",\n      \"Stop\": {:.3}", summary.times.total);
        self.call_open = false;
        self.witnesses_open = false;
        self.unclosed = true;
    }

    fn details(out: &mut Output, summary: &Summary) {
        let mut members = Map::new();
        members.insert("Result".into(), json!(result(summary)));
        members.insert("Models".into(), models(summary));
        members.insert("Time".into(), times(summary));
        out.push(",\n");
        push_members(&members, 3, out);
    }

    /// Closes the object of the previous call.
    fn end_object(&mut self, out: &mut Output) {
        if std::mem::take(&mut self.unclosed) {
            out.push("\n    }");
        }
    }
}

fn result(summary: &Summary) -> &'static str {
    match summary.status() {
        Status::Satisfiable => "SATISFIABLE",
        Status::Unsatisfiable => "UNSATISFIABLE",
        Status::Optimum => "OPTIMUM FOUND",
        Status::Unknown => "UNKNOWN",
    }
}

fn models(summary: &Summary) -> Value {
    let mut models = Map::new();
    models.insert("Number".into(), json!(summary.models));
    models.insert("More".into(), json!(if summary.is_complete() { "no" } else { "yes" }));
    if summary.models > 0 {
        let yes = |done| if done { "yes" } else { "unknown" };
        if let Some(which) = summary.consequences {
            let key = if which == Consequences::Brave { "Brave" } else { "Cautious" };
            models.insert(key.into(), json!(yes(summary.exhausted)));
            if let Some((decided, open)) = summary.estimate {
                models.insert("Consequences".into(), json!({ "True": decided, "Open": open }));
            }
        }
        if let (true, Some(costs)) = (summary.optimising, &summary.costs) {
            models.insert("Optimum".into(), json!(yes(!summary.optimum_open())));
            models.insert("Optimal".into(), json!(summary.optimal));
            models.insert("Costs".into(), json!(costs));
        }
    }
    Value::Object(models)
}

fn times(summary: &Summary) -> Value {
    let t = &summary.times;
    json!({ "Total": t.total, "Solve": t.solve, "Model": t.first_model, "Unsat": t.unsat, "CPU": t.cpu })
}

impl Reporter for JsonReporter {
    fn start(&mut self, out: &mut Output, inputs: &[String]) {
        out.push("{\n  \"Solver\": ");
        push_json_string(&self.program, out.buffer());
        out.push(",\n  \"Input\": [\n    ");
        let stdin = ["stdin".to_string()];
        for (i, input) in if inputs.is_empty() { &stdin[..] } else { inputs }.iter().enumerate() {
            if i > 0 {
                out.push(",");
            }
            push_json_string(input, out.buffer());
        }
        out.push("\n  ],\n  \"Call\": [\n");
        self.started = true;
        self.open_call(out, 0.0);
    }

    fn solving(&mut self, out: &mut Output, seconds: f64) {
        self.open_call(out, seconds);
    }

    fn found(&mut self, out: &mut Output, found: &FoundModel<'_>) {
        let model = &found.model;
        let (atoms, costs, keep) = self.quiet.of(model);
        if atoms || costs {
            self.open_witness(out, found.seconds);
            if atoms {
                Self::value(out, |b| {
                    found.table.write(model, b);
                });
            }
            if costs {
                Self::costs(out, model.consequences, model.costs);
            }
            out.push("\n        }");
        }
        if keep {
            self.kept.get_or_insert_default().replace(found);
        } else {
            self.kept = None;
        }
    }

    fn bounds(&mut self, out: &mut Output, lower: &[i64], _best: Option<&[i64]>, seconds: f64) {
        if self.quiet.costs == Level::All && self.call_open {
            self.open_witness(out, seconds);
            Self::numbers(out, "Lower", lower);
            out.push("\n        }");
        }
    }

    fn failed(&mut self, out: &mut Output, summary: &Summary, seconds: f64) {
        self.open_call(out, seconds);
        self.call_end(out, summary);
    }

    fn call_end(&mut self, out: &mut Output, summary: &Summary) {
        let detailed = self.quiet.calls == Level::All;
        self.close_call(out, summary, detailed);
        if self.quiet.calls == Level::Last {
            self.last_call = Some(summary.clone());
        }
    }

    fn finish(&mut self, out: &mut Output, summary: &Summary, stats: Option<&Statistics>) {
        if !self.started {
            return;
        }
        let cut_off = self.call_open;
        self.close_call(out, summary, false);
        if let Some(last) = self.last_call.take().filter(|_| !cut_off) {
            Self::details(out, &last);
        }
        self.end_object(out);
        out.push("\n  ],\n");
        let mut members = Map::new();
        members.insert("Result".into(), json!(result(summary)));
        if self.verbosity > 0 {
            if let Some(word) = summary.stop_word() {
                members.insert(word.into(), json!(1));
            }
            members.insert("Models".into(), models(summary));
            if let Some(holds) = summary.query_holds() {
                members.insert("Query".into(), json!(if holds { "yes" } else { "no" }));
            }
            if let Some(bounds) = summary.bounds() {
                let (lower, upper): (Vec<i64>, Vec<Option<i64>>) = bounds.unzip();
                let upper: Vec<i64> = upper.into_iter().flatten().collect();
                let mut bounds = json!({ "Lower": lower, "Upper": upper });
                if let Some(gap) = summary.gap().filter(|_| summary.wants_gap) {
                    bounds["Gap"] = json!(gap);
                }
                if summary.is_close {
                    bounds["Close"] = json!("yes");
                }
                members.insert("Bounds".into(), bounds);
            }
            if let Some(CubeNote { id, program, mode }) = &summary.cube {
                let closed = summary.exhausted && summary.stopped.is_none();
                let mut cube = json!({ "Id": id, "Program": program, "Mode": mode, "Closed": closed });
                if let Some(bound) = &summary.bound {
                    cube["Bound"] = json!(bound);
                }
                members.insert("Cube".into(), cube);
            }
            members.insert("Calls".into(), json!(summary.calls.max(1)));
            members.insert("Time".into(), times(summary));
            if summary.threads > 1 {
                members.insert("Threads".into(), json!(summary.threads));
                members.insert("Winner".into(), json!(0));
            }
            if let (Some(stats), true) = (stats, self.stats > 0) {
                members.insert("Stats".into(), statistics::to_json(stats, summary, self.stats));
            }
        }
        push_members(&members, 1, out);
        out.push("\n}\n");
    }
}

/// Appends the members of an object, indented, without its braces.
fn push_members(members: &Map<String, Value>, depth: usize, out: &mut Output) {
    let mut text = Vec::new();
    let layout = Layout { depth: depth - 1, pending: false };
    let mut serializer = serde_json::Serializer::with_formatter(&mut text, layout);
    // Writing to a vector cannot fail, and neither can serialising strings, numbers and objects of them.
    let _ = members.serialize(&mut serializer);
    let end = text.iter().rposition(|&b| b == b'\n').unwrap_or(text.len());
    out.buffer().extend_from_slice(text.get(2..end).unwrap_or_default());
}

/// Lays JSON out as clingo does.
struct Layout {
    depth: usize,
    /// Whether a comma is due before the next array element; what follows it depends on the element.
    pending: bool,
}

impl Layout {
    fn newline<W: ?Sized + io::Write>(&self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b"\n")?;
        (0..self.depth).try_for_each(|_| writer.write_all(b"  "))
    }
    fn scalar<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        if std::mem::take(&mut self.pending) { writer.write_all(b", ") } else { Ok(()) }
    }
    fn open<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        if std::mem::take(&mut self.pending) {
            writer.write_all(b",")?;
            self.newline(writer)?;
        }
        self.depth += 1;
        Ok(())
    }
}

impl serde_json::ser::Formatter for Layout {
    fn write_i64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: i64) -> io::Result<()> {
        self.scalar(writer)?;
        write!(writer, "{value}")
    }
    fn write_u64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: u64) -> io::Result<()> {
        self.scalar(writer)?;
        write!(writer, "{value}")
    }
    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        self.scalar(writer)?;
        write!(writer, "{value:.3}")
    }
    fn begin_string<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.scalar(writer)?;
        writer.write_all(b"\"")
    }
    fn begin_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(writer)?;
        writer.write_all(b"[")?;
        self.newline(writer)
    }
    fn end_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth -= 1;
        self.newline(writer)?;
        writer.write_all(b"]")
    }
    fn begin_array_value<W: ?Sized + io::Write>(&mut self, _writer: &mut W, first: bool) -> io::Result<()> {
        self.pending = !first;
        Ok(())
    }
    fn begin_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(writer)?;
        writer.write_all(b"{")
    }
    fn end_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth -= 1;
        self.newline(writer)?;
        writer.write_all(b"}")
    }
    fn begin_object_key<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        if !first {
            writer.write_all(b",")?;
        }
        self.newline(writer)
    }
    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}
