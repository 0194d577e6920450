//! Numbers beside the text: instances of a statement, atoms of the predicates that it defines first.

use std::collections::BTreeSet;

use lsp_types::{InlayHint, InlayHintLabel, InlayHintTooltip, Range};

use super::convert;
use super::documents::View;
use super::review::Review;
use asp_analysis::kinds::{ItemKind, Kind, Role};
use asp_analysis::project::Predicate;

pub(super) fn hints(view: &View, range: Range, reviews: &[&Review]) -> Vec<InlayHint> {
    // Of several programs that have the text, the first one counts.
    let Some(counts) = reviews.iter().find_map(|r| r.counts.as_ref()) else { return Vec::new() };
    let index = &view.index;
    let asked = convert::bytes(&index.lines, range);
    let mut seen: BTreeSet<Predicate> = BTreeSet::new();
    let mut found = Vec::new();
    for (number, item) in index.items.iter().enumerate() {
        let mut parts = Vec::new();
        let has_variables = index.names_of(number).iter().any(|n| n.kind == Kind::Variable);
        let instances = counts.instances.get(&(view.key.clone(), item.range.start));
        if let Some(n) = instances.filter(|n| has_variables || (item.kind != ItemKind::Fact && **n > 1)) {
            parts.push(format!("{n} instance{}", if *n == 1 { "" } else { "s" }));
        }
        for name in index.names_of(number).iter().filter(|n| n.role == Role::Define) {
            let Kind::Predicate { arity, .. } = name.kind else { continue };
            let predicate = Predicate { name: index.slice(&name.range).to_string(), arity };
            if seen.contains(&predicate) {
                continue;
            }
            if let Some(atoms) = counts.atoms.get(&predicate) {
                parts.push(format!("{}/{arity}: {atoms}", predicate.name));
            }
            seen.insert(predicate);
        }
        if parts.is_empty() || item.range.end < asked.start || asked.end < item.range.start {
            continue;
        }
        let place = index.lines.position(item.range.end);
        found.push(InlayHint {
            position: convert::position(place),
            label: InlayHintLabel::String(parts.join(" \u{b7} ")),
            kind: None,
            text_edits: None,
            tooltip: Some(InlayHintTooltip::String(
                "Ground instances of the statement, and atoms that may hold of the predicates that are defined here first".into(),
            )),
            padding_left: Some(true),
            padding_right: None,
            data: None,
        });
    }
    found
}
