//! Reports on grounding: what each statement cost, and what was rewritten.
//!
//! Invariant: everything except times depends on the input alone; statements are sorted by time, longest first, then by
//! their order in the text.

use std::fmt::Write as _;

use asp_base::span::{Sources, Span};
use asp_program::journal::{Count, Journal, Kept, Large, Rewritten};

/// How many characters of a statement are shown.
const WIDTH: usize = 100;

/// Costs by statement, highest first.
pub fn profile(journal: &Journal, sources: &Sources) -> String {
    let mut rules: Vec<_> = journal.rules.iter().collect();
    rules.sort_by_key(|r| (std::cmp::Reverse(r.nanoseconds), r.span));
    let instances: u64 = rules.iter().map(|r| r.instances).sum();
    let seconds = |n: u64| n as f64 * 1e-9;
    let mut out =
        format!("Profile of grounding: {:.3} s, {instances} instances\n", seconds(journal.nanoseconds));
    out.push_str("  share    time  instances    matches  statement\n");
    for r in rules {
        let share = 100.0 * r.nanoseconds as f64 / journal.nanoseconds.max(1) as f64;
        let _ = writeln!(
            out,
            "{share:6.1}% {:6.3}s {:>10} {:>10}  {}: {}",
            seconds(r.nanoseconds),
            r.instances,
            r.matches,
            place(r.span, sources),
            statement(r.span, sources)
        );
        for order in &r.orders {
            let _ = writeln!(out, "{:38}join: {order}", "");
        }
    }
    out
}

/// Rewritings, in the order in which they were done.
pub fn rewritings(all: &[Rewritten], sources: &Sources) -> String {
    let mut out = format!("Rewritings: {}\n", all.len());
    for r in all {
        let _ = write!(out, "{}: {}", place(r.span, sources), r.name);
        let _ = match r.instances {
            Some((before, after)) => {
                let expected = r.expected.map_or_else(String::new, |n| format!(" (expected: {n})"));
                let before = match before {
                    Count::Exactly(n) => n.to_string(),
                    Count::MoreThan(n) => format!("more than {n}"),
                };
                writeln!(out, ": instances before: {before}{expected}, after: {after}")
            }
            None => writeln!(out),
        };
        let _ = writeln!(out, "  was     {}", r.was);
        for line in &r.became {
            let _ = writeln!(out, "  became  {line}");
        }
    }
    out
}

/// Constraints that are kept for the search.
pub fn kept(all: &[Kept], sources: &Sources) -> String {
    let mut out = String::from("Instances made by the search\n       made   expected  statement\n");
    for k in all {
        let at = place(k.span, sources);
        let _ = writeln!(out, "{:>11} {:>10}  {at}: {}", k.made, k.expected, statement(k.span, sources));
    }
    out
}

/// Rules that stayed large.
pub fn large(all: &[Large], sources: &Sources) -> String {
    let mut out = String::new();
    for r in all {
        let at = place(r.span, sources);
        let _ = writeln!(out, "{at}: still large: instances expected: {}, made: {}", r.expected, r.made);
        let _ = writeln!(out, "  rule    {}\n  why     {}", r.rule, r.why);
    }
    out
}

fn place(span: Span, sources: &Sources) -> String {
    match sources.locate(span) {
        Some((file, line, column)) => format!("{}:{line}:{column}", file.name),
        None => "-".to_string(),
    }
}

/// A statement's text on one line, cut if it is long.
fn statement(span: Span, sources: &Sources) -> String {
    let text = sources.text(span).split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(WIDTH) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text,
    }
}
