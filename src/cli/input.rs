//! Puzzles and tables on the command line: `--grid`, `--csv`, `--json`, for runs and subcommands.
//!
//! Invariant: a text becomes facts completely or not at all; errors are among the control's diagnostics, with their
//! places in the text.

use std::io::Read as _;

use super::library::LibraryLoader;
use super::mentions;
use super::option::inputs::Inputs;
use crate::base::diagnostic::{Diagnostic, Label, WarningKind};
use crate::base::span::Span;
use crate::control::{Control, Source};
use crate::data::request::Request;
use crate::data::{self, Text, csv, grid, json};

/// The greatest size of a puzzle, in bytes.
const MAX_PUZZLE: u64 = 16 << 20;

/// Reads everything and adds it to a control that already has the program texts. Errors become messages of the control;
/// notes are returned.
pub(crate) fn load(inputs: &Inputs, control: &mut Control, consts: &[String]) -> Vec<String> {
    let mut notes = Vec::new();
    let mut found = Vec::new();
    if !inputs.grids.is_empty() {
        let mut names = mentions::names(control.texts(), &mut LibraryLoader);
        for definition in consts {
            names.constants.remove(definition.split('=').next().unwrap_or("").trim());
        }
        for request in &inputs.grids {
            let Some((text, start)) = open(control, &request.file, MAX_PUZZLE) else { continue };
            let text = Text { text: &text, start };
            let puzzle = match grid::read(text, request.predicate.is_some()) {
                Ok(puzzle) => puzzle,
                Err(problems) => {
                    problems.into_iter().for_each(|p| control.push_diagnostic(p));
                    continue;
                }
            };
            let facts = puzzle.facts(&names, request.predicate.as_deref());
            for warning in facts.warnings {
                let place = first_line(text);
                control.push_diagnostic(Diagnostic::warning(WarningKind::Other, place, warning));
            }
            // A constant is set only once, by the first of several grids.
            for name in ["n", "size", "rows", "height", "columns", "cols", "width", "box", "first"] {
                names.constants.remove(name);
            }
            found.push((request, facts.text));
        }
    }
    for request in &inputs.csv {
        let Some((text, start)) = open(control, &request.file, data::MAX_BYTES) else { continue };
        let text = Text { text: &text, start };
        match csv::table(text, name_of(request), request.columns.as_deref(), inputs.layout) {
            Ok(table) => {
                notes.extend(table.notes.iter().map(|guess| guess.note(&request.file)));
                found.push((request, table.facts));
            }
            Err(problems) => problems.into_iter().for_each(|p| control.push_diagnostic(p)),
        }
    }
    for request in &inputs.json {
        let Some((text, start)) = open(control, &request.file, data::MAX_BYTES) else { continue };
        let text = Text { text: &text, start };
        match json::table(text, name_of(request), request.columns.as_deref()) {
            Ok(facts) => found.push((request, facts)),
            Err(problems) => problems.into_iter().for_each(|p| control.push_diagnostic(p)),
        }
    }
    for (request, facts) in found {
        control.add_source(Source::facts(&request.file, facts));
    }
    notes
}

/// The first line of a puzzle that is not a comment.
fn first_line(text: Text<'_>) -> Span {
    let mut at = 0;
    for line in text.text.split_inclusive('\n') {
        let words = line.trim();
        if !(words.is_empty() || words.starts_with('%') || words.starts_with("# ")) {
            let from = at + (line.len() - line.trim_start().len());
            return text.span(from, from + words.len());
        }
        at += line.len();
    }
    Span::NONE
}

fn name_of(request: &Request) -> &str {
    request.predicate.as_deref().unwrap_or("given")
}

fn refuse<T>(control: &mut Control, message: String) -> Option<T> {
    control.push_diagnostic(Diagnostic::error(Span::NONE, message));
    None
}

/// Reads a text and adds it to the sources that messages point into.
fn open(control: &mut Control, name: &str, limit: u64) -> Option<(String, u32)> {
    let mut bytes = Vec::new();
    let result = if name == "-" {
        std::io::stdin().lock().take(limit + 1).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(name).and_then(|file| file.take(limit + 1).read_to_end(&mut bytes))
    };
    let shown = if name == "-" { "<stdin>" } else { name };
    if let Err(why) = result {
        return refuse(control, format!("file could not be opened: {shown} ({why})"));
    }
    if bytes.len() as u64 > limit {
        return refuse(control, format!("{shown} is larger than {} MB", limit >> 20));
    }
    let (text, valid) = match String::from_utf8(bytes) {
        Ok(text) => (text, None),
        Err(wrong) => {
            let valid = wrong.utf8_error().valid_up_to();
            (String::from_utf8_lossy(wrong.as_bytes()).into_owned(), Some(valid))
        }
    };
    let Ok(start) = control.sources_mut().add(shown.to_string(), text.clone()) else {
        return refuse(control, format!("{shown}: the texts together are larger than 4 GB"));
    };
    if let Some(at) = valid {
        let lo = start + at as u32;
        let mut diagnostic = Diagnostic::error(Span::new(lo, lo + 1), "this is not UTF-8 text");
        diagnostic.labels = vec![Label { span: Span::new(lo, lo + 1), text: String::new() }];
        control.push_diagnostic(diagnostic);
        return None;
    }
    Some((text, start))
}
