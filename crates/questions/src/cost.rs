//! Replies to "what does an optimal answer set cost", and why none costs less.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::phrases::tree_text;
use asp_base::diagnostic::Diagnostic;
use asp_base::span::Span;
use asp_explain::cost::{Hold, LevelCost, Reason, Share};
use asp_explain::inquiry::{Inquiry, Kind};
use asp_explain::renderer::{Renderer, and};
use asp_explain::tree::{Node, Section, SourcePlace};
use asp_report::diagnostic;

/// The reply where nothing costs anything; none if something may.
pub fn nothing(inquiry: &Inquiry) -> Option<&'static str> {
    if !inquiry.program().minimize.is_empty() || !inquiry.program().objectives.is_empty() {
        return None;
    }
    Some(match inquiry.has_objective() {
        true => "nothing costs anything: no tuple of the objective can count",
        false => "nothing costs anything: the program has no objective",
    })
}

/// The costs of some levels on a line.
pub fn line(levels: &[LevelCost]) -> String {
    let of = |level: &LevelCost| match levels.len() {
        1 => level.cost.to_string(),
        _ => format!("{} at priority {}", level.cost, level.priority),
    };
    format!("Least cost: {}.", levels.iter().map(of).collect::<Vec<_>>().join(", "))
}

/// The costs of a level, by statement.
pub(crate) fn tree(inquiry: &Inquiry, renderer: &Renderer<'_>, level: &LevelCost) -> Node {
    let mut root = Node::new(format!("{} at priority {}", level.cost, level.priority));
    for shares in level.shares.chunk_by(|a, b| a.span == b.span) {
        let sum: i128 = shares.iter().map(|s| i128::from(s.weight)).sum();
        let place = shares.first().and_then(|s| renderer.place_of(s.span));
        let by = place.as_ref().map_or(String::new(), |p| format!(" by {}", p.text));
        let telling = shares.iter().filter(|s| s.weight != 0);
        let children = telling.map(|s| of_share(inquiry, renderer, s)).collect();
        root.children.push(
            Node { text: format!("{sum}{by}"), place, ..Node::default() }.because(children, usize::MAX),
        );
    }
    root
}

/// The terms of a tuple; none for the value of an integer, for which the program has no tuple.
fn tuple(inquiry: &Inquiry, share: &Share) -> Vec<String> {
    let terms: Vec<String> = share.tuple.iter().map(|&t| inquiry.symbols().display(t)).collect();
    if terms.first().is_some_and(|first| first == "#integers") { Vec::new() } else { terms }
}

/// The condition of a tuple.
fn condition(renderer: &Renderer<'_>, share: &Share) -> Vec<String> {
    let value = share.value.iter().map(|&(name, value)| renderer.value(name, value));
    value.chain(share.condition.iter().map(|&l| renderer.literal(l))).collect()
}

fn of_share(inquiry: &Inquiry, renderer: &Renderer<'_>, share: &Share) -> Node {
    let tuple = tuple(inquiry, share);
    let tuple = match tuple.as_slice() {
        [] => String::new(),
        [one] => format!(" for {one}"),
        many => format!(" for ({})", many.join(",")),
    };
    let mut reason = and(condition(renderer, share));
    let also: Vec<String> = share
        .also
        .iter()
        .filter_map(|&s| renderer.place_of(s))
        .map(|p| format!("{}:{}", p.file, p.line))
        .collect();
    if !also.is_empty() {
        reason.push_str(&format!(" (the same tuple at {} counts once)", also.join(", ")));
    }
    Node { text: format!("{}{tuple}", share.weight), reason, ..Node::default() }
}

/// The same as JSON.
pub fn json(inquiry: &Inquiry, renderer: &Renderer<'_>, levels: &[LevelCost]) -> Value {
    let place = |span: Span| renderer.place_of(span).map(|p| p.to_json());
    let share = |s: &Share| {
        json!({
            "weight": s.weight,
            "tuple": tuple(inquiry, s),
            "condition": condition(renderer, s),
            "place": place(s.span),
            "also": s.also.iter().filter_map(|&s| place(s)).collect::<Vec<_>>(),
        })
    };
    let level = |l: &LevelCost| {
        json!({
            "priority": l.priority,
            "cost": l.cost,
            "tuples": l.shares.iter().map(share).collect::<Vec<_>>(),
        })
    };
    json!({ "optimal": true, "levels": levels.iter().map(level).collect::<Vec<_>>() })
}

/// The text of what levels cost; trees are cut unless they are wanted in full.
pub fn text(inquiry: &Inquiry, renderer: &Renderer<'_>, levels: &[LevelCost], full: bool) -> String {
    let mut out = format!("{}\n", line(levels));
    for level in levels {
        // Writing to a string cannot fail.
        let _ = write!(out, "\n{}", tree_text(&tree(inquiry, renderer, level), full));
    }
    out
}

/// The sections of a page.
pub fn sections(inquiry: &Inquiry, renderer: &Renderer<'_>, levels: &[LevelCost]) -> Vec<Section> {
    let trees = levels.iter().map(|l| tree(inquiry, renderer, l)).collect();
    vec![Section { lines: line(levels), trees, ..Section::default() }]
}

/// Why a level does not cost less, as source lines with carets.
pub fn message(inquiry: &Inquiry, levels: &[LevelCost], index: usize, reason: &Reason) -> String {
    let level = &levels[index];
    let at = if levels.len() == 1 { String::new() } else { format!(" at priority {}", level.priority) };
    let among = match index {
        0 => String::new(),
        _ => " while more important levels cost no more".to_string(),
    };
    let Reason::Holds { holds, minimal } = reason else {
        let title = format!("nothing could cost less than {}{at}: its weights add up to no less", level.cost);
        let message = Diagnostic::remark(title);
        return diagnostic::render(&message, inquiry.sources(), false);
    };
    let because = match holds.len() {
        1 => "because of this alone".to_string(),
        n => format!("because of these {n}"),
    };
    let title = format!("no answer set costs less than {}{at}{among}, {because}", level.cost);
    let mut message = Diagnostic::remark(title);
    for hold in holds {
        message = message.label(hold.span, called(inquiry, hold));
    }
    message = message.help(match (minimal, holds.len()) {
        (true, 1) => "if it is given up, less is possible".to_string(),
        (true, _) => "if any one of them is given up, the others leave an answer set that costs less".to_string(),
        (false, _) => {
            "the search for a smaller set ended early, so perhaps not all of them are needed; --time-limit=60 gives it a minute".to_string()
        }
    });
    diagnostic::render(&message, inquiry.sources(), false)
}

fn called(inquiry: &Inquiry, hold: &Hold) -> &'static str {
    if hold.weak {
        return "this costs";
    }
    match inquiry.kind(hold.span) {
        Kind::Constraint => "this constraint",
        Kind::Choice => "the bound of this choice",
        Kind::Comparison => "this comparison",
        Kind::Edge => "this #edge",
        _ => "this statement",
    }
}

/// The same as JSON.
pub fn reason_json(renderer: &Renderer<'_>, inquiry: &Inquiry, level: &LevelCost, reason: &Reason) -> Value {
    let mut value = json!({ "priority": level.priority, "cost": level.cost });
    match reason {
        Reason::Least => value["least"] = true.into(),
        Reason::Holds { holds, minimal } => {
            let part = |hold: &Hold| {
                let kind = format!("{:?}", inquiry.kind(hold.span)).to_lowercase();
                let place = renderer.place_of(hold.span).map(|p: SourcePlace| p.to_json());
                json!({ "kind": if hold.weak { "weak".into() } else { kind }, "place": place })
            };
            value["parts"] = holds.iter().map(part).collect();
            value["minimal"] = (*minimal).into();
        }
    }
    value
}
