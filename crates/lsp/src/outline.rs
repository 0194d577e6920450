//! The outline of a text: its predicates, constants and program parts; what folds; and the names of all texts.

use std::collections::BTreeSet;

use lsp_types::{DocumentSymbol, FoldingRange, FoldingRangeKind, SymbolInformation, SymbolKind};

use super::convert;
use super::documents::Documents;
use asp_analysis::kinds::{ItemKind, Kind, Role};
use asp_analysis::text::{Name, TextIndex};

/// The greatest number of names of all texts in a reply.
const MAX_SYMBOLS: usize = 1000;

/// The definitions of a text, each thing where it is defined first: name, kind, place.
fn defined(index: &TextIndex) -> Vec<(String, SymbolKind, &Name)> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for name in index.names.iter().filter(|n| n.role == Role::Define) {
        let text = index.slice(&name.range);
        let (label, kind) = match name.kind {
            Kind::Predicate { arity, negative } => {
                (format!("{}{text}/{arity}", if negative { "-" } else { "" }), SymbolKind::FUNCTION)
            }
            Kind::Constant if index.items[name.item].kind == ItemKind::Const => {
                (text.to_string(), SymbolKind::CONSTANT)
            }
            Kind::Part => (format!("#program {text}"), SymbolKind::NAMESPACE),
            _ => continue,
        };
        if name.kind == Kind::Part || seen.insert(label.clone()) {
            found.push((label, kind, name));
        }
    }
    found
}

pub(super) fn symbols(index: &TextIndex) -> Vec<DocumentSymbol> {
    let symbol = |(name, kind, place): (String, SymbolKind, &Name)| {
        let item = &index.items[place.item];
        let doc = item.doc.as_ref().map(|d| index.words(d));
        // A field that the protocol gave up, and that the type still wants.
        #[allow(deprecated)]
        DocumentSymbol {
            name,
            detail: doc.and_then(|d| d.lines().next().map(String::from)).filter(|d| !d.is_empty()),
            kind,
            tags: None,
            deprecated: None,
            range: convert::range(&index.lines, &item.range),
            selection_range: convert::range(&index.lines, &place.range),
            children: None,
        }
    };
    defined(index).into_iter().map(symbol).collect()
}

/// The symbols of all texts whose names contain the letters of a query, in their order.
pub(super) fn all_symbols(documents: &Documents, query: &str) -> Vec<SymbolInformation> {
    let mut keys: BTreeSet<String> = BTreeSet::new();
    for key in documents.project.open() {
        keys.extend(documents.project.program(key).into_iter().map(|e| e.key));
    }
    let mut found = Vec::new();
    for key in keys {
        let Some(index) = documents.project.index(&key) else { continue };
        for (name, kind, place) in defined(&index) {
            let Some(location) = documents.location(&key, &index.lines, &place.range) else { continue };
            if found.len() < MAX_SYMBOLS && matches(&name, query) {
                // As above.
                #[allow(deprecated)]
                found.push(SymbolInformation {
                    name,
                    kind,
                    tags: None,
                    deprecated: None,
                    location,
                    container_name: None,
                });
            }
        }
    }
    found
}

/// Whether a name has the letters of a query in their order.
fn matches(name: &str, query: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    query.chars().flat_map(char::to_lowercase).all(|wanted| letters.any(|c| c == wanted))
}

/// Foldable ranges: statements and comments of several lines, program parts.
pub(super) fn folds(index: &TextIndex) -> Vec<FoldingRange> {
    let line = |offset: usize| index.lines.line(offset);
    let fold = |from: u32, to: u32, kind| FoldingRange {
        start_line: from,
        end_line: to,
        kind,
        ..FoldingRange::default()
    };
    let mut found = Vec::new();
    for item in &index.items {
        found.push(fold(line(item.range.start), line(item.range.end.saturating_sub(1)), None));
    }
    let mut block: Option<(u32, u32)> = None;
    for comment in &index.comments {
        let (from, to) = (line(comment.start), line(comment.end));
        let start = index.lines.start(from);
        let alone = index.text[start..comment.start].trim().is_empty();
        match block.filter(|b| alone && from <= b.1 + 1) {
            Some(b) => block = Some((b.0, to)),
            None => {
                found.extend(block.take().map(|(a, b)| fold(a, b, Some(FoldingRangeKind::Comment))));
                block = alone.then_some((from, to));
            }
        }
    }
    found.extend(block.map(|(a, b)| fold(a, b, Some(FoldingRangeKind::Comment))));
    let parts: Vec<u32> =
        index.items.iter().filter(|i| i.kind == ItemKind::Part).map(|i| line(i.range.start)).collect();
    for (i, &from) in parts.iter().enumerate() {
        let to = parts.get(i + 1).map_or(index.lines.count() - 1, |next| next.saturating_sub(1));
        found.push(fold(from, to, Some(FoldingRangeKind::Region)));
    }
    found.retain(|f| f.start_line < f.end_line);
    found.sort_by_key(|f| (f.start_line, f.end_line));
    found
}
