//! Hover: the syntax of a name, its comment, numbers, and why an atom of the last answer set holds.

use std::fmt::Write as _;

use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position};

use super::convert;
use super::directives;
use super::documents::View;
use super::navigate::{self, Target};
use super::review::Review;
use crate::run::Last;
use asp_analysis::kinds::{ItemKind, Kind, Role};
use asp_analysis::project::{Predicate, described};
use asp_analysis::text::TextIndex;
use asp_syntax::token::Token;

/// Atoms of the last answer set that are listed.
const LISTED: usize = 12;

/// The atom at a place, if the last answer set has it: explaining it takes a while.
pub(super) fn held(view: &View, at: Position, last: &Last) -> Option<String> {
    let offset = convert::offset(&view.index.lines, at);
    let (Target::Predicate { .. }, _) = navigate::target(&view.index, offset)? else { return None };
    atom_at(&view.index, offset).filter(|atom| last.holds(atom))
}

/// The hover at a place, with the reason for the atom there.
pub(super) fn hover(view: &View, at: Position, reviews: &[&Review], last: Option<&Last>) -> Option<Hover> {
    let index = &view.index;
    let offset = convert::offset(&index.lines, at);
    if let Some((target, range)) = navigate::target(index, offset) {
        let text = match &target {
            Target::Predicate { .. } => predicate(view, offset, reviews, last),
            _ => other(view, &target),
        };
        return Some(shown(text, convert::range(&index.lines, &range)));
    }
    let (lo, token, hi) = index.token_at(offset)?;
    let (about, example) = directives::find(index.slice(&(lo..hi))).filter(|_| token != Token::Identifier)?;
    Some(shown(format!("{about}\n\n```asp\n{example}\n```"), convert::range(&index.lines, &(lo..hi))))
}

fn shown(value: String, range: lsp_types::Range) -> Hover {
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    Hover { contents, range: Some(range) }
}

fn predicate(view: &View, offset: usize, reviews: &[&Review], last: Option<&Last>) -> String {
    let mut out = String::new();
    let index = &view.index;
    for name in index.names_at(offset) {
        let Kind::Predicate { arity, .. } = name.kind else { continue };
        let text = index.slice(&name.range);
        let (signature, doc) =
            described(&view.group, text, arity).unwrap_or_else(|| (format!("{text}/{arity}"), None));
        // Writing to a string cannot fail.
        let _ = write!(out, "```asp\n{signature}\n```\n\n");
        if let Some(doc) = doc {
            let _ = write!(out, "{}\n\n", doc.replace('\n', "  \n"));
        }
        let places = asp_analysis::project::places(&view.group, text, arity).map(|(_, n)| n.role);
        let places: Vec<Role> = places.collect();
        let count = |role| places.iter().filter(|r| **r == role).count();
        let _ = write!(
            out,
            "`{text}/{arity}`: {}, {}",
            number(count(Role::Define), "definition"),
            number(count(Role::Use), "use")
        );
        let key = Predicate { name: text.to_string(), arity };
        for counts in reviews.iter().filter_map(|r| r.counts.as_ref()) {
            let atoms = counts.atoms.get(&key).copied().unwrap_or(0) as usize;
            let _ = write!(out, ", {} in the ground program", number(atoms, "atom"));
        }
        out.push_str("\n\n");
        if let Some(last) = last {
            of_answer(index, offset, text, arity, last, &mut out);
        }
    }
    out.trim_end().to_string()
}

/// Adds why the atom holds.
pub(super) fn add_reason(hover: &mut Hover, why: &str) {
    if let HoverContents::Markup(text) = &mut hover.contents {
        text.value.push_str(&format!("\n\n```text\n{}\n```", why.trim_end()));
    }
}

fn number(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// The text about the atom at an offset, or its predicate, in the last answer set.
fn of_answer(index: &TextIndex, offset: usize, name: &str, arity: u32, last: &Last, out: &mut String) {
    let atom = atom_at(index, offset);
    let holding = last.atoms_of(name, arity);
    let _ = match atom.as_deref().map(|a| (a, holding.contains(&a))) {
        Some((_, true)) => write!(out, "It holds in the last answer set.\n\n"),
        Some((_, false)) if arity == 0 || is_ground(index, offset) => {
            write!(out, "It does not hold in the last answer set.\n\n")
        }
        _ => {
            let more = holding.len().saturating_sub(LISTED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let list: Vec<&str> = holding.into_iter().take(LISTED).collect();
            match list.is_empty() {
                true => write!(out, "None holds in the last answer set.\n\n"),
                false => write!(out, "In the last answer set: `{}`{more}\n\n", list.join("` `")),
            }
        }
    };
}

/// The tokens of the atom whose name is at an offset.
fn tokens_of(index: &TextIndex, offset: usize) -> &[asp_analysis::text::TextToken] {
    let Some(name) = index.names_at(offset).first() else { return &[] };
    let from = index.tokens.partition_point(|t| t.0 < name.range.start);
    let (mut depth, mut to) = (0, from + 1);
    for (i, &(_, token, _)) in index.tokens.iter().enumerate().skip(from + 1) {
        match token {
            Token::OpenParen => depth += 1,
            Token::CloseParen => depth -= 1,
            _ if depth == 0 => break,
            _ => {}
        }
        to = i + 1;
        if depth == 0 {
            break;
        }
    }
    &index.tokens[from..to.min(index.tokens.len())]
}

fn is_ground(index: &TextIndex, offset: usize) -> bool {
    let open = |t: &Token| matches!(t, Token::Variable | Token::Anonymous | Token::Dots | Token::Semicolon);
    !tokens_of(index, offset).iter().any(|(_, t, _)| open(t))
}

/// The atom whose name is at an offset, without blanks, as answer sets show it.
fn atom_at(index: &TextIndex, offset: usize) -> Option<String> {
    let tokens = tokens_of(index, offset);
    let name = index.names_at(offset).first()?;
    let negative = matches!(name.kind, Kind::Predicate { negative: true, .. });
    let text: String = tokens.iter().map(|&(lo, _, hi)| index.slice(&(lo..hi))).collect();
    is_ground(index, offset).then(|| format!("{}{text}", if negative { "-" } else { "" }))
}

fn other(view: &View, target: &Target) -> String {
    let all = navigate::occurrences(view, target);
    let times = number(all.len(), "place");
    match target {
        Target::Variable { name, .. } => format!("`{name}`: variable, {times} in this statement"),
        Target::Parameter { name, .. } => format!("`{name}`: parameter of this program part, {times}"),
        Target::Constant(name) => {
            let made = all
                .iter()
                .find(|(e, n)| n.role == Role::Define && e.index.items[n.item].kind == ItemKind::Const);
            match made {
                None => format!("`{name}`: constant, {times}"),
                Some((e, n)) => {
                    let item = &e.index.items[n.item];
                    let doc =
                        item.doc.as_ref().map(|d| format!("{}\n\n", e.index.words(d).replace('\n', "  \n")));
                    let doc = doc.unwrap_or_default();
                    format!("```asp\n{}\n```\n\n{doc}constant, {times}", e.index.slice(&item.range))
                }
            }
        }
        Target::Other(name, kind) => {
            let what = match kind {
                Kind::Function => "function",
                Kind::External => "function of the caller's",
                Kind::Theory => "theory atom",
                Kind::Part => "program part",
                _ => "name in a statement with a syntax error",
            };
            format!("`{name}`: {what}, {times}")
        }
        Target::Predicate { .. } => String::new(),
    }
}
