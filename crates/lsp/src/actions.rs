//! Messages of a review at their places, the edits that fix them, and formatting.
//!
//! Invariant: edits are made for the text as it is now, never from a review of an older one.

use std::ops::Range;

use lsp_types::{CodeActionContext, CodeActionParams, Diagnostic, Location, TextEdit};
use serde_json::{Value, json};

use super::client::Client;
use super::convert;
use super::documents::{Documents, View};
use super::rename::workspace_edit;
use super::review::Review;
use asp_analysis::fix;
use asp_analysis::place::Lines;
use asp_analysis::project::Entry;
use asp_base::diagnostic::WarningKind;
use asp_base::span::Span;
use asp_format as format;

/// The messages of a review, each with its text. A message without a place is at the beginning of the root.
pub(super) fn located(root: &str, review: &Review, documents: &Documents) -> Vec<(String, Diagnostic)> {
    let entry = |key: &str| review.texts.iter().find(|e| e.key == key);
    let range = |entry: &Entry, span: Span, start: u32| {
        let at = |p: u32| (p.saturating_sub(start) as usize).min(entry.index.text.len());
        at(span.lo)..at(span.hi).max(at(span.lo))
    };
    let locate = |span: Span| -> Option<Location> {
        let (key, start) = review.place(span)?;
        let entry = entry(key)?;
        documents.location(key, &entry.index.lines, &range(entry, span, start))
    };
    let mut found = Vec::new();
    for message in &review.messages {
        let first = message.labels.first().map(|l| l.span);
        let place = first.and_then(|span| {
            let (key, start) = review.place(span)?;
            let entry = entry(key)?;
            Some((key.to_string(), convert::range(&entry.index.lines, &range(entry, span, start))))
        });
        let (key, at) = place.unwrap_or_else(|| (root.to_string(), lsp_types::Range::default()));
        found.push((key, convert::diagnostic(message, at, locate)));
    }
    found
}

/// The actions at a place.
pub(super) fn actions(
    documents: &Documents,
    client: &Client,
    view: &View,
    params: &CodeActionParams,
    reviews: &[&Review],
) -> Vec<Value> {
    let lines = &view.index.lines;
    let asked = convert::bytes(lines, params.range);
    let touches = |range: &Range<usize>| range.start <= asked.end && asked.start <= range.end;
    let mut found: Vec<Value> = Vec::new();
    let mut push = |title: &str, edits: Vec<TextEdit>, mends: Option<&Diagnostic>, kind: &str| {
        if !wants(&params.context, kind) {
            return;
        }
        let mut action = json!({
            "title": title,
            "kind": kind,
            "edit": workspace_edit(documents, client, vec![(view.key.clone(), edits)]),
        });
        if kind == "quickfix" {
            action["isPreferred"] = true.into();
        }
        if let Some(message) = mends {
            action["diagnostics"] = json!([message]);
        }
        if !found.contains(&action) {
            found.push(action);
        }
    };
    let mended = fix::mended(&view.index.text);
    for review in reviews {
        let here = located("", review, documents);
        for (message, (key, told)) in review.messages.iter().zip(&here) {
            let range = convert::bytes(lines, told.range);
            if *key != view.key || !touches(&range) {
                continue;
            }
            let start = message.labels.first().and_then(|l| review.place(l.span)).map_or(0, |p| p.1);
            for fix in fix::fixes(message, &review.sources, &view.index.text, start) {
                let edit = convert::edit(lines, &fix.edit.range, fix.edit.text);
                push(&fix.title, vec![edit], Some(told), "quickfix");
            }
            if matches!(message.kind, Some(WarningKind::Lint(_))) {
                for edit in mended.iter().filter(|e| range.start <= e.range.start && e.range.end <= range.end)
                {
                    let title = format!("Write `{}`", edit.text);
                    push(&title, vec![convert::edit(lines, &edit.range, &edit.text)], Some(told), "quickfix");
                }
            }
        }
    }
    if !mended.is_empty() {
        let (text, changes) = format::mend::mend("", &view.index.text);
        let title = format!("Mend all that `asp lint --fix` mends ({changes})");
        push(&title, difference(lines, &view.index.text, &text), None, "source.fixAll");
    }
    found
}

/// Whether the editor asks for actions of a kind.
fn wants(context: &CodeActionContext, kind: &str) -> bool {
    let asked = |wanted: &str| kind == wanted || kind.starts_with(&format!("{wanted}."));
    context.only.as_ref().is_none_or(|only| only.iter().any(|k| asked(k.as_str())))
}

/// The edits that lay a text out; none if it has errors.
pub(super) fn format(view: &View) -> Option<Vec<TextEdit>> {
    let text = &view.index.text;
    let is_sound = format::parse_alone("", text.as_bytes()).is_sound();
    is_sound.then(|| difference(&view.index.lines, text, &format::format(text)))
}

/// The edit that turns one text into another: the lines between the common beginning and end.
fn difference(lines: &Lines, old: &str, new: &str) -> Vec<TextEdit> {
    if old == new {
        return Vec::new();
    }
    let same = |a: &str, b: &str| -> usize {
        let pairs = a.split_inclusive('\n').zip(b.split_inclusive('\n'));
        pairs.take_while(|(a, b)| a == b && a.ends_with('\n')).map(|(a, _)| a.len()).sum()
    };
    let head = same(old, new);
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let pairs = old_rest.split_inclusive('\n').rev().zip(new_rest.split_inclusive('\n').rev());
    let tail: usize = pairs.take_while(|(a, b)| a == b).map(|(a, _)| a.len()).sum();
    let range = head..old.len() - tail;
    vec![convert::edit(lines, &range, &new_rest[..new_rest.len() - tail])]
}
