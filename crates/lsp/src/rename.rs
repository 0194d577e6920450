//! Renaming predicates, variables and constants.
//!
//! Invariant: the program means the same afterwards: a name in use for something of the same kind is refused, and so are
//! occurrences in texts that cannot be changed.

use std::collections::BTreeMap;
use std::ops::Range;

use lsp_types::Position;
use serde_json::{Value, json};

use super::client::{Client, Refusal};
use super::convert;
use super::documents::{Documents, View};
use super::navigate::{self, Target};
use asp_analysis::kinds::Kind;
use asp_analysis::project::{Entry, places};
use asp_analysis::text::TextIndex;
use asp_run::expectation::{Expectation, tests};
use asp_syntax::lexer::Lexer;
use asp_syntax::token::Token;

/// The renamable name at a place.
fn target(view: &View, at: Position) -> Result<(Target, Range<usize>), Refusal> {
    let offset = convert::offset(&view.index.lines, at);
    match navigate::target(&view.index, offset) {
        Some((Target::Predicate { name, arities }, range)) => {
            let arities = navigate::joined(&view.group, &name, &arities);
            Ok((Target::Predicate { name, arities }, range))
        }
        Some((Target::Other(name, kind), _)) => Err(Refusal::told(match kind {
            Kind::Unknown => format!("the statement around `{name}` has a syntax error"),
            _ => format!("`{name}` is not a predicate, variable or constant"),
        })),
        Some(found) => Ok(found),
        None => Err(Refusal::told("there is no predicate, variable or constant here")),
    }
}

/// Whether the name at a place can be renamed: where it stands, and its text.
pub(super) fn prepare(view: &View, at: Position) -> Result<Value, Refusal> {
    let (_, range) = target(view, at)?;
    let placeholder = view.index.slice(&range);
    Ok(json!({ "range": convert::range(&view.index.lines, &range), "placeholder": placeholder }))
}

fn token_of(name: &str) -> Option<Token> {
    match Lexer::new(name, 0).next_token() {
        Some((0, Ok(token), end)) if end == name.len() => Some(token),
        _ => None,
    }
}

/// The edits that rename what stands at a place.
pub(super) fn rename(
    documents: &Documents,
    client: &Client,
    view: &View,
    at: Position,
    new: &str,
) -> Result<Value, Refusal> {
    let (target, range) = target(view, at)?;
    let old = view.index.slice(&range).to_string();
    let (wanted, what) = match &target {
        Target::Variable { .. } => (Token::Variable, "a variable starts with an upper-case letter"),
        Target::Predicate { .. } => (Token::Identifier, "a predicate starts with a lower-case letter"),
        _ => (Token::Identifier, "a constant starts with a lower-case letter"),
    };
    if token_of(new) != Some(wanted) {
        return Err(Refusal::told(format!(
            "`{new}` cannot be its name: {what}, and has letters, digits and `_`"
        )));
    }
    if new != old && is_taken(view, &target, new) {
        return Err(Refusal::told(format!("`{new}` already exists")));
    }
    let mut edits: BTreeMap<String, (&TextIndex, Vec<Range<usize>>)> = BTreeMap::new();
    for (entry, name) in navigate::occurrences(view, &target) {
        edits.entry(entry.key.clone()).or_insert((&entry.index, Vec::new())).1.push(name.range.clone());
    }
    if let Target::Predicate { name, arities } = &target {
        for entry in &view.group {
            let found = in_tests(&entry.index, name, |arity| arities.contains(&arity));
            if !found.is_empty() {
                edits.entry(entry.key.clone()).or_insert((&entry.index, Vec::new())).1.extend(found);
            }
        }
    }
    let mut changes = Vec::new();
    for (key, (index, ranges)) in edits {
        if !std::path::Path::new(&key).is_absolute() && documents.get(&key).is_none() {
            return Err(Refusal::told(format!("`{old}` also occurs in {key}, which cannot be changed")));
        }
        let list: Vec<_> = ranges.iter().map(|r| convert::edit(&index.lines, r, new)).collect();
        changes.push((key, list));
    }
    Ok(workspace_edit(documents, client, changes))
}

/// Edits of several texts as the protocol has them.
pub(super) fn workspace_edit(
    documents: &Documents,
    client: &Client,
    changes: Vec<(String, Vec<lsp_types::TextEdit>)>,
) -> Value {
    let changes = changes.into_iter().filter_map(|(key, edits)| Some((documents.uri(&key)?, key, edits)));
    if client.versioned_edits {
        let changes = changes.map(|(uri, key, edits)| {
            let version = documents.get(&key).map(|d| d.version);
            json!({ "textDocument": { "uri": uri, "version": version }, "edits": edits })
        });
        return json!({ "documentChanges": changes.collect::<Vec<_>>() });
    }
    let mut all = serde_json::Map::new();
    changes.for_each(|(uri, _, edits)| drop(all.insert(uri.as_str().to_string(), json!(edits))));
    json!({ "changes": all })
}

/// Whether a name stands for something else of the same kind where it would be written.
fn is_taken(view: &View, target: &Target, new: &str) -> bool {
    let among = |kind: &dyn Fn(Kind) -> bool, entries: &[Entry]| {
        entries.iter().any(|e| e.index.names.iter().any(|n| kind(n.kind) && e.index.slice(&n.range) == new))
    };
    match target {
        Target::Predicate { arities, .. } => {
            arities.iter().any(|&arity| places(&view.group, new, arity).next().is_some())
        }
        Target::Variable { item, .. } => {
            let own = view.index.names_of(*item);
            own.iter().any(|n| n.kind == Kind::Variable && view.index.slice(&n.range) == new)
        }
        _ => among(&|kind| matches!(kind, Kind::Constant | Kind::Parameter), &view.group),
    }
}

/// Where the atoms that `%@test` comments name have a predicate of some name.
fn in_tests(index: &TextIndex, name: &str, fits: impl Fn(u32) -> bool) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for test in tests(&index.text).into_iter().flatten() {
        if !matches!(
            test.expectation,
            Expectation::Contains(_) | Expectation::Lacks(_) | Expectation::Sets(_)
        ) {
            continue;
        }
        let line = test.line as u32 - 1;
        let (start, end) = (index.lines.start(line), index.lines.end(line));
        let Some(colon) = index.text[start..end].find(':') else { continue };
        let mut lexer = Lexer::new(&index.text[..end], start + colon + 1);
        let mut tokens = Vec::new();
        while let Some((lo, token, hi)) = lexer.next_token() {
            tokens.push((lo, token.unwrap_or(Token::Dot), hi));
        }
        let (mut depth, mut open): (u32, Vec<(Range<usize>, u32, u32)>) = (0, Vec::new());
        for (i, &(lo, token, hi)) in tokens.iter().enumerate() {
            let called = tokens.get(i + 1).is_some_and(|t| t.1 == Token::OpenParen && t.0 == hi);
            match token {
                // The first word is the expectation's.
                Token::Identifier if depth == 0 && i > 0 && &index.text[lo..hi] == name => {
                    if called {
                        let empty = tokens.get(i + 2).is_some_and(|t| t.1 == Token::CloseParen);
                        open.push((lo..hi, 0, u32::from(!empty)));
                    } else if fits(0) {
                        found.push(lo..hi);
                    }
                }
                Token::OpenParen => depth += 1,
                Token::Comma if depth == 1 => open.iter_mut().for_each(|o| o.2 += 1),
                Token::CloseParen => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        found.extend(open.drain(..).filter(|o| fits(o.2)).map(|o| o.0));
                    }
                }
                _ => {}
            }
        }
    }
    found
}
