//! The meaning of a name and its occurrences: definition, references, highlights.
//!
//! Invariant: a predicate, constant or program part means the same in all texts that hang together, a variable in its
//! statement, a parameter in its program part.

use std::collections::BTreeSet;
use std::ops::Range;

use lsp_types::{DocumentHighlight, DocumentHighlightKind, Location, Position};

use super::convert;
use super::documents::{Documents, View};
use asp_analysis::buffers;
use asp_analysis::kinds::{ItemKind, Kind, Role};
use asp_analysis::project::{Entry, places};
use asp_analysis::text::{Name, TextIndex};
use asp_syntax::Loader as _;

/// The meaning of a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Target {
    /// A predicate; with several numbers of arguments if they share a name somewhere, as in `p(1;2,3)`.
    Predicate {
        name: String,
        /// Its numbers of arguments.
        arities: BTreeSet<u32>,
    },
    /// A variable of a statement.
    Variable {
        name: String,
        /// Its statement, by number in the text.
        item: usize,
    },
    /// A constant of the program.
    Constant(String),
    /// A parameter of a program part of one text.
    Parameter { name: String, part: usize },
    /// Anything else with a name.
    Other(String, Kind),
}

/// The meaning of the name at an offset, and its place.
pub(super) fn target(index: &TextIndex, offset: usize) -> Option<(Target, Range<usize>)> {
    let names = index.names_at(offset);
    let first = names.first()?;
    let text = index.slice(&first.range).to_string();
    let part = index.items[first.item].part;
    let target = match first.kind {
        Kind::Predicate { .. } => {
            let arity = |n: &Name| match n.kind {
                Kind::Predicate { arity, .. } => Some(arity),
                _ => None,
            };
            Target::Predicate { name: text, arities: names.iter().filter_map(arity).collect() }
        }
        Kind::Variable => Target::Variable { name: text, item: first.item },
        Kind::Parameter => Target::Parameter { name: text, part },
        Kind::Constant if is_parameter(index, &text, part) => Target::Parameter { name: text, part },
        Kind::Constant => Target::Constant(text),
        kind => Target::Other(text, kind),
    };
    Some((target, first.range.clone()))
}

/// Whether a name is a parameter of a program part.
fn is_parameter(index: &TextIndex, name: &str, part: usize) -> bool {
    let own = |n: &&Name| n.kind == Kind::Parameter && index.items[n.item].part == part;
    index.names.iter().filter(own).any(|n| index.slice(&n.range) == name)
}

/// Where a target of one text stands in the texts that hang together with it.
pub(super) fn occurrences<'v>(view: &'v View, target: &Target) -> Vec<(&'v Entry, &'v Name)> {
    let here = view.group.iter().filter(|e| e.key == view.key);
    let named = |entry: &'v Entry, name: &str, fits: &dyn Fn(&Name) -> bool| -> Vec<(&'v Entry, &'v Name)> {
        let all = entry.index.names.iter().filter(|n| entry.index.slice(&n.range) == name && fits(n));
        all.map(|n| (entry, n)).collect()
    };
    let mut found: Vec<(&Entry, &Name)> = match target {
        Target::Predicate { name, arities } => {
            let is_it =
                |n: &Name| matches!(n.kind, Kind::Predicate { arity, .. } if arities.contains(&arity));
            view.group.iter().flat_map(|e| named(e, name, &is_it)).collect()
        }
        Target::Variable { name, item } => {
            here.flat_map(|e| named(e, name, &|n| n.kind == Kind::Variable && n.item == *item)).collect()
        }
        Target::Parameter { name, part } => {
            let is_it = |e: &Entry, n: &Name| {
                matches!(n.kind, Kind::Parameter | Kind::Constant) && e.index.items[n.item].part == *part
            };
            here.flat_map(|e| named(e, name, &|n| is_it(e, n))).collect()
        }
        Target::Constant(name) => {
            let is_it = |e: &Entry, n: &Name| {
                n.kind == Kind::Constant && !is_parameter(&e.index, name, e.index.items[n.item].part)
            };
            view.group.iter().flat_map(|e| named(e, name, &|n| is_it(e, n))).collect()
        }
        Target::Other(name, kind) => {
            view.group.iter().flat_map(|e| named(e, name, &|n| n.kind == *kind)).collect()
        }
    };
    found.dedup_by(|a, b| a.0.key == b.0.key && a.1.range == b.1.range);
    found
}

/// Where the name at a place is made, or the text that a string includes.
pub(super) fn definition(documents: &Documents, view: &View, at: Position) -> Vec<Location> {
    let offset = convert::offset(&view.index.lines, at);
    if let Some(include) =
        view.index.includes.iter().find(|i| i.range.start <= offset && offset <= i.range.end)
    {
        let mut loader = documents.project.loader();
        let name = loader.resolve(&include.path, &view.key);
        let uri = name.and_then(|name| documents.uri(&buffers::key(&name)));
        return uri.into_iter().map(|uri| Location { uri, range: lsp_types::Range::default() }).collect();
    }
    let Some((target, _)) = target(&view.index, offset) else { return Vec::new() };
    let all = occurrences(view, &target);
    let defined: Vec<_> = match &target {
        Target::Variable { .. } => all.iter().take(1).copied().collect(),
        Target::Predicate { .. } => {
            let negative = |n: &Name| matches!(n.kind, Kind::Predicate { negative: true, .. });
            let own = view.index.names_at(offset).iter().any(negative);
            let made: Vec<_> = all.iter().filter(|(_, n)| n.role == Role::Define).copied().collect();
            let same: Vec<_> = made.iter().filter(|(_, n)| negative(n) == own).copied().collect();
            let declares = |(e, n): &&(&Entry, &Name)| {
                n.role == Role::Mention && e.index.slice(&e.index.items[n.item].range).starts_with("#defined")
            };
            match (same.is_empty(), made.is_empty()) {
                (false, _) => same,
                (true, false) => made,
                _ => all.iter().filter(declares).copied().collect(),
            }
        }
        Target::Constant(_) => {
            let is_const = |(e, n): &&(&Entry, &Name)| {
                n.role == Role::Define && e.index.items[n.item].kind == ItemKind::Const
            };
            all.iter().filter(is_const).copied().collect()
        }
        _ => all.iter().filter(|(_, n)| n.role == Role::Define).copied().collect(),
    };
    locations(documents, &defined)
}

/// Where the name at a place stands, with or without where it is made.
pub(super) fn references(documents: &Documents, view: &View, at: Position, made_too: bool) -> Vec<Location> {
    let Some((target, _)) = target(&view.index, convert::offset(&view.index.lines, at)) else {
        return Vec::new();
    };
    let mut all = occurrences(view, &target);
    all.retain(|(_, n)| made_too || n.role != Role::Define);
    locations(documents, &all)
}

fn locations(documents: &Documents, found: &[(&Entry, &Name)]) -> Vec<Location> {
    let place = |(e, n): &(&Entry, &Name)| documents.location(&e.key, &e.index.lines, &n.range);
    found.iter().filter_map(place).collect()
}

/// The places in the text of what the name at a place stands for.
pub(super) fn highlights(view: &View, at: Position) -> Vec<DocumentHighlight> {
    let Some((target, _)) = target(&view.index, convert::offset(&view.index.lines, at)) else {
        return Vec::new();
    };
    let here = occurrences(view, &target).into_iter().filter(|(e, _)| e.key == view.key);
    let highlight = |(_, n): (&Entry, &Name)| DocumentHighlight {
        range: convert::range(&view.index.lines, &n.range),
        kind: Some(match n.role {
            Role::Define => DocumentHighlightKind::WRITE,
            _ => DocumentHighlightKind::READ,
        }),
    };
    here.map(highlight).collect()
}

/// The arities joined with one of some in texts: `p(1;2,3)` joins `p/1` and `p/2`.
pub(super) fn joined(texts: &[Entry], name: &str, arities: &BTreeSet<u32>) -> BTreeSet<u32> {
    let mut all = arities.clone();
    loop {
        let mut more = all.clone();
        for &arity in &all {
            for (entry, place) in places(texts, name, arity) {
                let at = entry.index.names_at(place.range.start);
                more.extend(at.iter().filter_map(|n| match n.kind {
                    Kind::Predicate { arity, .. } => Some(arity),
                    _ => None,
                }));
            }
        }
        if more == all {
            return all;
        }
        all = more;
    }
}
