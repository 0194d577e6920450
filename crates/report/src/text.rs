//! clingo's text output, and the formats of the ASP competition and of SAT and pseudo-Boolean solvers, which differ in
//! their words and put a per cent sign or a `c` before everything that is not an answer.
//!
//! Invariant: a model is printed when it is found, or kept to be printed as the last one; no part of it is printed
//! twice.

use super::answer_set::Rendering;
use super::output::{Output, push_int, push_seconds, put};
use super::reporter::{Format, FoundModel, Kept, Level, Printer, Quiet, Reporter, Style};
use super::statistics;
use super::summary::{Status, Summary};
use asp_solve::Statistics;

const RULE: &str =
    "------------------------------------------------------------------------------------------|\n";
const ACCUMULATION: &str =
    "====================================== Accumulation ======================================|\n";

/// The differences between the formats.
#[derive(Clone, Copy)]
struct Words {
    comment: &'static str,
    /// Width of the keys.
    width: usize,
    answer: &'static str,
    /// The line that ends an answer.
    end: &'static str,
    /// The length at which a line of an answer is broken; 0: never.
    width_of_answer: usize,
    costs: &'static str,
    satisfiable: &'static str,
    unsatisfiable: &'static str,
    optimum: &'static str,
    unknown: &'static str,
}

const TEXT: Words = Words {
    comment: "",
    width: 13,
    answer: "",
    end: "",
    width_of_answer: 0,
    costs: "Optimization: ",
    satisfiable: "SATISFIABLE\n",
    unsatisfiable: "UNSATISFIABLE\n",
    optimum: "OPTIMUM FOUND\n",
    unknown: "UNKNOWN\n",
};

const COMPETITION: Words = Words {
    comment: "% ",
    width: 15,
    answer: "ANSWER\n",
    end: "",
    width_of_answer: 0,
    costs: "COST ",
    satisfiable: "",
    unsatisfiable: "INCONSISTENT\n",
    optimum: "OPTIMUM\n",
    unknown: "UNKNOWN\n",
};

const SAT: Words = Words {
    comment: "c ",
    width: 15,
    answer: "v ",
    end: " 0",
    width_of_answer: 74,
    costs: "o ",
    satisfiable: "s SATISFIABLE\n",
    unsatisfiable: "s UNSATISFIABLE\n",
    optimum: "s OPTIMUM FOUND\n",
    unknown: "s UNKNOWN\n",
};

const PSEUDO_BOOLEAN: Words = Words { end: "", width_of_answer: 75, ..SAT };

/// Writes text.
pub(crate) struct TextReporter {
    words: Words,
    program: String,
    printer: Option<Printer>,
    verbosity: u8,
    quiet: Quiet,
    stats: u8,
    kept: Option<Kept>,
    started: bool,
    calls: u64,
    last_call: Option<Summary>,
}

/// How a style renders a symbol.
pub fn rendering(style: &Style) -> Rendering {
    let plain = style.atom_prefix.is_empty() && style.atom_suffix.is_empty();
    if style.format == Format::Competition && plain {
        return Rendering::Text { prefix: String::new(), suffix: ".".into() };
    }
    Rendering::Text { prefix: style.atom_prefix.clone(), suffix: style.atom_suffix.clone() }
}

impl TextReporter {
    /// A writer for a style.
    pub(crate) fn new(style: &Style) -> Self {
        Self {
            words: match style.format {
                Format::Competition => COMPETITION,
                Format::Sat => SAT,
                Format::PseudoBoolean => PSEUDO_BOOLEAN,
                _ => TEXT,
            },
            program: style.program.clone(),
            printer: None,
            verbosity: style.verbosity,
            quiet: style.quiet,
            stats: style.stats,
            kept: None,
            started: false,
            calls: 0,
            last_call: None,
        }
    }

    fn comment(&self, out: &mut Output, line: &str) {
        if self.verbosity > 0 {
            out.push(self.words.comment);
            out.push(line);
        }
    }

    fn header(&self, out: &mut Output, number: u64, seconds: f64) {
        if self.verbosity > 0 {
            let b = out.buffer();
            b.extend_from_slice(self.words.comment.as_bytes());
            b.extend_from_slice(b"Answer: ");
            push_int(b, number as i64);
            b.extend_from_slice(b" (Time: ");
            push_seconds(b, seconds);
            b.extend_from_slice(b"s)\n");
        }
    }

    fn answer(&mut self, out: &mut Output, write: impl FnOnce(&mut Vec<u8>)) {
        let Some(print) = &mut self.printer else { return Self::print_answer(self.words, out, write) };
        out.flush();
        let mut text = Output::buffered();
        Self::print_answer(self.words, &mut text, write);
        print(text.buffer());
    }

    fn print_answer(words: Words, out: &mut Output, write: impl FnOnce(&mut Vec<u8>)) {
        let Words { answer, end, width_of_answer, .. } = words;
        out.push(answer);
        let start = out.buffer().len();
        write(out.buffer());
        if width_of_answer > 0 && out.buffer().len() - start + answer.len() > width_of_answer {
            let line = out.buffer().split_off(start);
            let mut width = answer.len() - 1;
            for (i, word) in line.split(|&b| b == b' ').enumerate() {
                width += word.len() + 1;
                if i > 0 && width > width_of_answer {
                    out.push("\n");
                    out.push(answer);
                    width = answer.len() + word.len();
                } else if i > 0 {
                    out.push(" ");
                }
                out.buffer().extend_from_slice(word);
            }
        }
        out.push(end);
        out.push("\n");
    }

    fn costs(&self, out: &mut Output, estimate: Option<(u64, u64)>, costs: &[i64]) {
        if let Some((decided, open)) = estimate {
            put!(out, "{}Consequences: [{decided};{}]\n", self.words.comment, decided + open);
        }
        if !costs.is_empty() {
            out.push(self.words.costs);
            push_costs(out, costs);
            out.push("\n");
        }
    }

    fn open_call(&mut self, out: &mut Output) {
        self.calls += 1;
        if self.verbosity > 1 && self.quiet.calls != Level::Nothing {
            self.comment(out, RULE);
            put!(out, "{}{:<13}: {}\n", self.words.comment, "Call", self.calls);
        }
    }

    fn phase(&self, out: &mut Output, key: &str, seconds: f64) {
        if self.verbosity > 1 {
            put!(out, "{}{key:<13}: {seconds:.3}s\n", self.words.comment);
        }
    }

    /// Prints those parts of the last model that have not been printed.
    fn flush_kept(&mut self, out: &mut Output, summary: &Summary) {
        let Some(kept) = self.kept.take() else { return };
        self.header(out, kept.number, kept.seconds);
        if self.quiet.models != Level::Nothing {
            self.answer(out, |b| b.extend_from_slice(&kept.atoms));
        }
        if self.quiet.costs != Level::Nothing {
            self.costs(out, kept.estimate.and(summary.estimate), &kept.costs);
        }
    }

    fn key(&self, out: &mut Output, key: &str) {
        put!(out, "{}{key:<width$}: ", self.words.comment, width = self.words.width);
    }

    fn result(&self, out: &mut Output, summary: &Summary) {
        out.push(match summary.status() {
            Status::Satisfiable => self.words.satisfiable,
            Status::Unsatisfiable => self.words.unsatisfiable,
            Status::Optimum => self.words.optimum,
            Status::Unknown => self.words.unknown,
        });
    }

    fn summary(&self, out: &mut Output, summary: &Summary, of_run: bool) {
        self.result(out, summary);
        if self.verbosity == 0 {
            return;
        }
        self.comment(out, "\n");
        if let Some(word) = summary.stop_word() {
            self.key(out, word);
            out.push("1\n");
        }
        self.key(out, "Models");
        let more = if summary.is_complete() { "" } else { "+" };
        put!(out, "{}{more}\n", summary.models);
        if summary.models > 0 {
            self.models(out, summary);
        }
        if let Some(bound) = summary.bound.as_ref().filter(|_| summary.is_beaten()) {
            self.key(out, "Bound");
            let costs: Vec<String> = bound.iter().map(i64::to_string).collect();
            let here = if summary.exhausted { "nothing better here" } else { "nothing better here so far" };
            put!(out, "{} (found elsewhere; {here})\n", costs.join(" "));
        }
        if let Some(holds) = summary.query_holds() {
            self.key(out, "Query");
            out.push(if holds { "yes\n" } else { "no\n" });
        }
        if let Some(bounds) = summary.bounds() {
            self.key(out, "Bounds");
            for (i, (low, high)) in bounds.enumerate() {
                let blank = if i > 0 { " " } else { "" };
                match high {
                    Some(high) if high == low => put!(out, "{blank}{low}"),
                    Some(high) => put!(out, "{blank}[{low};{high}]"),
                    None => put!(out, "{blank}[{low};*]"),
                }
            }
            out.push("\n");
        }
        if summary.wants_gap && summary.bounds().is_some() {
            self.key(out, "Gap");
            match summary.gap() {
                Some(gap) => put!(out, "{gap:.2}%"),
                None => out.push("*"),
            }
            out.push(if summary.is_close { " (close enough)\n" } else { "\n" });
        }
        if of_run {
            self.key(out, "Calls");
            put!(out, "{}\n", summary.calls.max(1));
        }
        let t = &summary.times;
        self.key(out, "Time");
        push_seconds(out.buffer(), t.total);
        put!(out, "s (Solving: {:.2}s 1st Model: {:.2}s Unsat: {:.2}s)\n", t.solve, t.first_model, t.unsat);
        self.key(out, "CPU Time");
        push_seconds(out.buffer(), t.cpu);
        out.push("s\n");
        if of_run && summary.threads > 1 {
            self.key(out, "Threads");
            put!(out, "{:<9}(Winner: 0)\n", summary.threads);
        }
    }

    fn models(&self, out: &mut Output, summary: &Summary) {
        let yes = |done| if done { "yes\n" } else { "unknown\n" };
        if let Some(which) = summary.consequences {
            self.key(
                out,
                if which == super::summary::Consequences::Brave { "  Brave" } else { "  Cautious" },
            );
            out.push(yes(summary.exhausted));
        }
        // The last call may have found none.
        if summary.objective && summary.costs.is_some() {
            self.key(out, "  Optimum");
            out.push(yes(!summary.optimum_open()));
            if summary.optimal > 1 {
                self.key(out, "  Optimal");
                put!(out, "{}\n", summary.optimal);
            }
            if let (true, Some(costs)) = (summary.optimising, &summary.costs) {
                self.key(out, "Optimization");
                push_costs(out, costs);
                out.push("\n");
            }
        }
        if let (Some(_), Some((decided, _))) = (summary.consequences, summary.estimate) {
            self.key(out, "Consequences");
            put!(out, "{decided}{}\n", if summary.exhausted { "" } else { "+" });
        }
    }
}

fn push_costs(out: &mut Output, costs: &[i64]) {
    for (i, &cost) in costs.iter().enumerate() {
        if i > 0 {
            out.push(" ");
        }
        push_int(out.buffer(), cost);
    }
}

impl Reporter for TextReporter {
    fn set_printer(&mut self, printer: Printer) {
        self.printer = Some(printer);
    }

    fn start(&mut self, out: &mut Output, inputs: &[String]) {
        self.comment(out, &self.program);
        let (first, more) = match inputs {
            [] => ("stdin", ""),
            [one] => (one.as_str(), ""),
            [first, ..] => (first.as_str(), " ..."),
        };
        if self.verbosity > 0 {
            let comment = self.words.comment;
            put!(out, "\n{comment}Reading from {first}{more}\n");
        }
        self.started = true;
    }

    fn prepared(&mut self, out: &mut Output, reading: f64, preprocessing: f64) {
        self.open_call(out);
        self.phase(out, "Reading", reading);
        self.phase(out, "Preprocessing", preprocessing);
    }

    fn failed(&mut self, out: &mut Output, summary: &Summary, seconds: f64) {
        self.open_call(out);
        self.phase(out, "Reading", seconds);
        if self.quiet.calls != Level::Nothing && self.verbosity < 2 {
            self.comment(out, RULE);
        }
        self.call_end(out, summary);
    }

    fn solving(&mut self, out: &mut Output, _seconds: f64) {
        if self.quiet.calls != Level::Nothing && self.verbosity < 2 {
            self.comment(out, RULE);
        }
        self.comment(out, "Solving...\n");
    }

    fn found(&mut self, out: &mut Output, found: &FoundModel<'_>) {
        let model = &found.model;
        let (atoms, costs, keep) = self.quiet.of(model);
        if atoms || costs {
            self.header(out, found.number, found.seconds);
            if atoms {
                self.answer(out, |b| {
                    found.table.write(model, b);
                });
            }
            if costs {
                self.costs(out, model.consequences, model.costs);
            }
        }
        if keep {
            self.kept.get_or_insert_default().replace(found);
        } else {
            self.kept = None;
        }
    }

    fn bounds(&mut self, out: &mut Output, lower: &[i64], best: Option<&[i64]>, seconds: f64) {
        let Some((&low, above)) = lower.split_last() else { return };
        if self.quiet.costs != Level::All {
            return;
        }
        let high = best.and_then(|b| b.starts_with(above).then(|| b.get(above.len()).copied()).flatten());
        put!(out, "{}", self.words.comment);
        put!(out, "{:<12}: ", "Progression");
        match high {
            Some(high) => {
                let high_text = high.to_string();
                put!(out, "[{low:>width$};{high_text}] (", width = high_text.len());
                if low != 0 {
                    let error = (high as f64 - low as f64) / (low as f64).abs();
                    put!(out, "Error: {} ", general(error));
                }
            }
            None => put!(out, "[{low:>6};inf] ("),
        }
        put!(out, "Time: {seconds:.3}s)\n");
    }

    fn call_end(&mut self, out: &mut Output, summary: &Summary) {
        if self.quiet.calls != Level::Nothing || self.verbosity > 1 {
            self.comment(out, RULE);
        }
        self.flush_kept(out, summary);
        match self.quiet.calls {
            Level::All => self.summary(out, summary, false),
            Level::Last => self.last_call = Some(summary.clone()),
            Level::Nothing => {}
        }
    }

    fn finish(&mut self, out: &mut Output, summary: &Summary, stats: Option<&Statistics>) {
        self.flush_kept(out, summary);
        if !self.started {
            return;
        }
        if let Some(last) = self.last_call.take() {
            self.summary(out, &last, false);
        }
        if self.quiet.calls != Level::Nothing {
            self.comment(out, ACCUMULATION);
        }
        self.summary(out, summary, true);
        if let (Some(stats), true) = (stats, self.stats > 0) {
            put!(out, "{}\n", self.words.comment);
            statistics::write_text(stats, summary, self.stats, self.words.comment, self.words.width, out);
            put!(out, "{}\n", self.words.comment);
        }
    }
}

/// A number with six significant digits and no trailing zeros, as C's `%g` prints it.
fn general(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return x.to_string();
    }
    let exponent = x.abs().log10().floor() as i32;
    if !(-4..6).contains(&exponent) {
        let text = format!("{x:.5e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let exponent: i32 = exponent.parse().unwrap_or(0);
        let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.');
        return format!("{mantissa}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs());
    }
    let text = format!("{x:.*}", (5 - exponent).max(0) as usize);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
}
