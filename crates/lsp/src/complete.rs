//! Completion: names of the program, variables of the statement, directives, files; and the arguments of the current predicate.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionTextEdit, Documentation, InsertTextFormat,
    ParameterInformation, ParameterLabel, Position, SignatureHelp, SignatureInformation,
};

use super::convert;
use super::directives::DIRECTIVES;
use super::documents::View;
use asp_analysis::kinds::{Kind, Role};
use asp_analysis::project::{described, predicates};
use asp_analysis::text::TextIndex;
use asp_options::disk;
use asp_run::embedded;
use asp_syntax::token::Token;

/// The most files of a folder that are offered.
const FILES: usize = 500;

pub(super) fn complete(view: &View, at: Position, snippets: bool) -> Vec<CompletionItem> {
    let index = &view.index;
    let offset = convert::offset(&index.lines, at);
    let before = &index.text[..offset];
    let line = &before[index.lines.start(index.lines.line(offset)).min(offset)..];
    if let Some(path) = included(line) {
        return files(view, offset, path);
    }
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '\'';
    let word = before.trim_end_matches(is_word);
    if word.ends_with('#') {
        return directives(index, word.len() - 1..offset);
    }
    if index.is_in_comment(offset) {
        return Vec::new();
    }
    let range = word.len()..offset;
    let mut found = names(view, &range, snippets);
    found.extend(variables(index, &range));
    found.push(item(index, &range, "not", CompletionItemKind::KEYWORD, None));
    found
}

fn item(
    index: &TextIndex,
    range: &std::ops::Range<usize>,
    label: &str,
    kind: CompletionItemKind,
    detail: Option<String>,
) -> CompletionItem {
    CompletionItem {
        label: label.to_string(),
        kind: Some(kind),
        detail,
        text_edit: Some(CompletionTextEdit::Edit(convert::edit(&index.lines, range, label))),
        ..CompletionItem::default()
    }
}

fn directives(index: &TextIndex, range: std::ops::Range<usize>) -> Vec<CompletionItem> {
    let all = DIRECTIVES.iter().map(|(word, about, example)| CompletionItem {
        documentation: Some(Documentation::String((*example).to_string())),
        filter_text: Some((*word).to_string()),
        ..item(index, &range, word, CompletionItemKind::KEYWORD, Some((*about).to_string()))
    });
    all.collect()
}

/// The string of an `#include` before the end of a line, as far as it is written.
fn included(line: &str) -> Option<&str> {
    let rest = &line[line.rfind("#include")? + "#include".len()..];
    let path = rest.trim_start().strip_prefix(['"', '<'])?;
    (!path.contains(['"', '>'])).then_some(path)
}

fn files(view: &View, offset: usize, path: &str) -> Vec<CompletionItem> {
    let range = offset - path.len()..offset;
    let mut names: BTreeMap<String, &str> = BTreeMap::new();
    if view.index.text[..range.start].ends_with('<') {
        names.insert("incmode".into(), "steps until there is an answer set");
    } else {
        let folder =
            Path::new(&view.key).parent().map(|f| f.join(Path::new(path).parent().unwrap_or(Path::new(""))));
        let entries = folder
            .filter(|f| disk::admits(f).is_ok())
            .and_then(|f| std::fs::read_dir(f).ok())
            .into_iter()
            .flatten()
            .flatten();
        let beside = path.rfind('/').map_or("", |i| &path[..=i]);
        for entry in entries.take(FILES) {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.ends_with(".lp") && entry.path().to_string_lossy() != view.key {
                names.insert(format!("{beside}{name}"), "beside this text");
            }
        }
        for (path, text) in embedded::library() {
            let name = path.split_once('/').map_or(*path, |(_, file)| file);
            let about = text.lines().next().unwrap_or("").trim_start_matches(['%', ' ']);
            names.entry(name.to_string()).or_insert(about);
        }
    }
    let kind = CompletionItemKind::FILE;
    names
        .iter()
        .map(|(name, about)| item(&view.index, &range, name, kind, Some((*about).to_string())))
        .collect()
}

fn names(view: &View, range: &std::ops::Range<usize>, snippets: bool) -> Vec<CompletionItem> {
    let index = &view.index;
    let mut found = Vec::new();
    // A name being written is not defined yet.
    let own = |i: usize, at: usize| view.group[i].key == view.key && range.start <= at && at <= range.end;
    for (predicate, places) in predicates(&view.group) {
        let others: Vec<_> = places.iter().filter(|(i, n)| !own(*i, n.range.start)).collect();
        if others.is_empty() {
            continue;
        }
        let (name, arity) = (&predicate.name, predicate.arity);
        let (signature, doc) =
            described(&view.group, name, arity).unwrap_or_else(|| (format!("{name}/{arity}"), None));
        let mut one = item(
            index,
            range,
            &format!("{name}/{arity}"),
            CompletionItemKind::FUNCTION,
            Some(signature.clone()),
        );
        let arguments = arguments(&signature);
        let text = match arity {
            0 => name.clone(),
            _ if snippets => {
                let argument = |i: usize| {
                    let name = arguments.get(i).copied().unwrap_or("_");
                    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                    format!("${{{}:{}}}", i + 1, if plain && !name.is_empty() { name } else { "_" })
                };
                format!("{name}({})", (0..arity as usize).map(argument).collect::<Vec<_>>().join(","))
            }
            _ => format!("{name}("),
        };
        one.insert_text_format = (snippets && arity > 0).then_some(InsertTextFormat::SNIPPET);
        one.filter_text = Some(name.clone());
        one.text_edit = Some(CompletionTextEdit::Edit(convert::edit(&index.lines, range, text)));
        one.documentation = doc.map(Documentation::String);
        found.push(one);
    }
    let mut rest: BTreeSet<(&str, bool)> = BTreeSet::new();
    for (i, entry) in view.group.iter().enumerate() {
        for name in entry.index.names.iter().filter(|n| !own(i, n.range.start)) {
            if matches!(name.kind, Kind::Constant | Kind::Parameter | Kind::Function) {
                rest.insert((entry.index.slice(&name.range), name.kind == Kind::Function));
            }
        }
    }
    for (name, is_function) in rest {
        let (kind, what) = match is_function {
            true => (CompletionItemKind::STRUCT, "function"),
            false => (CompletionItemKind::CONSTANT, "constant"),
        };
        found.push(item(index, range, name, kind, Some(what.into())));
    }
    found
}

/// The variables of the statement at a place, including later ones and an unfinished one.
fn variables(index: &TextIndex, range: &std::ops::Range<usize>) -> Vec<CompletionItem> {
    let names = index.item_at(range.start).map_or(&[][..], |i| index.names_of(i));
    let own = names.iter().filter(|n| n.kind == Kind::Variable && n.range.start != range.start);
    let names: BTreeSet<&str> = own.map(|n| index.slice(&n.range)).collect();
    names
        .into_iter()
        .map(|n| item(index, range, n, CompletionItemKind::VARIABLE, Some("variable".into())))
        .collect()
}

/// The arguments of an atom as it is written.
fn arguments(signature: &str) -> Vec<&str> {
    parameter_ranges(signature).into_iter().map(|r| signature[r].trim()).collect()
}

/// Where the arguments of an atom stand in its text.
fn parameter_ranges(signature: &str) -> Vec<std::ops::Range<usize>> {
    let (mut found, mut depth, mut from) = (Vec::new(), 0, 0);
    for (i, c) in signature.char_indices() {
        match c {
            '(' | '[' | '{' => {
                depth += 1;
                if depth == 1 {
                    from = i + 1;
                }
            }
            ')' | ']' | '}' => {
                depth -= 1;
                if depth == 0 {
                    found.push(from..i);
                }
            }
            ',' if depth == 1 => {
                found.push(from..i);
                from = i + 1;
            }
            _ => {}
        }
    }
    found
}

/// The arguments of the predicate that is being written at a place.
pub(super) fn signature(view: &View, at: Position) -> Option<SignatureHelp> {
    let index = &view.index;
    let offset = convert::offset(&index.lines, at);
    let item = &index.items[index.item_at(offset)?];
    let tokens = &index.tokens[item.tokens.clone()];
    // The brackets open before the place, with the name before each and the commas after it.
    let mut open: Vec<(Option<usize>, u32)> = Vec::new();
    for (i, &(lo, token, _)) in tokens.iter().enumerate() {
        if lo >= offset {
            break;
        }
        match token {
            Token::OpenParen => {
                let name =
                    i.checked_sub(1).filter(|&p| tokens[p].1 == Token::Identifier && tokens[p].2 == lo);
                open.push((name, 0));
            }
            Token::CloseParen => drop(open.pop()),
            Token::Comma => open.iter_mut().last().into_iter().for_each(|o| o.1 += 1),
            _ => {}
        }
    }
    let (name, commas) = open.last().and_then(|(name, commas)| Some(((*name)?, *commas)))?;
    let name = index.slice(&(tokens[name].0..tokens[name].2));
    let known = predicates(&view.group).into_iter().filter(|(p, places)| {
        p.name == name && p.arity > commas && places.iter().any(|(_, n)| n.role == Role::Define)
    });
    let signatures = known.filter_map(|(p, _)| {
        let (label, doc) = described(&view.group, &p.name, p.arity)?;
        // Labels are given in UTF-16 code units.
        let units = |i: usize| label[..i].encode_utf16().count() as u32;
        let parameters = parameter_ranges(&label).into_iter().map(|r| ParameterInformation {
            label: ParameterLabel::LabelOffsets([units(r.start), units(r.end)]),
            documentation: None,
        });
        let parameters = Some(parameters.collect());
        Some(SignatureInformation {
            parameters,
            documentation: doc.map(Documentation::String),
            active_parameter: Some(commas),
            label,
        })
    });
    let signatures: Vec<_> = signatures.collect();
    (!signatures.is_empty()).then_some(SignatureHelp {
        signatures,
        active_signature: Some(0),
        active_parameter: Some(commas),
    })
}
